//! MAP133: `with probability` behind what chance does not let say "no".

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Body, Procedure};

use crate::weights;

pub(super) fn check(procedure: &Procedure, errors: &mut Vec<Diagnostic>) {
    let Some(probability) = &procedure.probability else { return };
    errors.extend(weights::billionths(probability).err());
    let name = &procedure.name;
    let error = |text: String, label: &str| {
        Diagnostic::new(Code::Probability, probability.span, text, "decides nothing")
            .with_label(name.span, label)
    };
    if !procedure.may_refuse {
        let text = format!("the procedure `{}` never says \"no\", so it has no probability", name.text);
        let error = error(text, "a `procedure` always answers");
        errors.push(error.with_help(format!("Write `decision {}`, or leave the probability out", name.text)));
    } else if let Some(Body::Alternatives(_)) = procedure.body {
        let text = format!("whether the decision `{}` says \"no\" is not a matter of chance", name.text);
        let error = error(text, "its alternatives decide");
        errors.push(error.with_help("Leave the probability out: where no guard holds, it says \"no\""));
    }
}
