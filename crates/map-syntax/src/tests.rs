//! The grammar rule by rule, recovery, and texts that are wrong on purpose.

mod broken;
mod grammar;
mod limits;
mod recovery;
mod robust;

use map_diagnostics::{SourceFile, render};

use crate::{Parsed, parse};

/// A file that uses every rule of the grammar.
const SAMPLE: &str = r#"// Every rule of the grammar.
cast %bidder = 3
procedure getValue()
decision keepBidding($bid, $limit)
auction[
  agent(!Auctioneer, %auctioneer) =
    $price = getValue() then start($price, "a\t\"lot\"\n", -3) => agent(_, %bidder) then agent(loop, $price)
  agent(!Auctioneer, %auctioneer, loop, $p) = /* again
    and again */
    waitfor (bid($v) <= agent($b, %bidder) then ok() => agent($b, %bidder) or ε)
    timeout skip then gone(!Auctioneer) => agent(agentx, _)
    or fail par skip
  agent($self, %bidder) = waitfor waitfor start($p, _, _) <= agent(!Auctioneer, %auctioneer) timeout (skip) timeout fail
]
cast[ agent(!A, %a) = agent() ]
cast !A = 1
"#;

fn parse_text(text: &str) -> Parsed {
    parse(&SourceFile::new("test.map", text))
}

/// The codes reported for a text.
fn codes(text: &str) -> Vec<&'static str> {
    parse_text(text).diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// What a terminal without colours shows about a text.
fn rendered(text: &str) -> String {
    let source = SourceFile::new("test.map", text);
    let drawn: String =
        parse(&source).diagnostics.iter().map(|diagnostic| render(&source, diagnostic)).collect();
    let mut plain = String::new();
    let mut rest = drawn.as_str();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        rest = rest[start..].find('m').map_or("", |end| &rest[start + end + 1..]);
    }
    plain.push_str(rest);
    plain.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
