//! Mistakes in the heads of clauses, in casts and in declarations.

use map_diagnostics::Diagnostic;

use super::expressions::wants_operand;
use crate::pest_grammar::Rule;
use crate::site::Site;
use crate::sketch::token::Kind;

/// In `agent(who, %role, ..) =`.
pub(super) fn clause(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.at == 1 && site.expects(Rule::open_paren) {
        return Some(
            site.error(format!("`agent` is followed by `(`, found {}", site.found_phrase()), "expected `(`")
                .with_help("a clause is written `agent(!Name, %role) = ..`"),
        );
    }
    if site.expects(Rule::who) {
        return Some(match site.found() {
            None | Some(Kind::CloseParen | Kind::Comma) => site
                .error("a clause's head names an agent and a role", "expected an agent or a variable")
                .with_help("a clause is written `agent(!Name, %role) = ..`"),
            Some(Kind::Name) => site
                .error(
                    "a clause begins with the agent it is for",
                    format!("`{found}` is neither an agent nor a variable"),
                )
                .with_help(format!(
                    "write `!{found}` for the agent of that name, or `$self` for any agent of the role"
                )),
            Some(Kind::Role) => site
                .error("a clause names its agent first, then its role", "this is a role")
                .with_help(format!("write `agent($self, {found}`, or an agent's name in place of `$self`")),
            Some(Kind::Wildcard) => site
                .error("a clause cannot be for `_`", "expected an agent or a variable")
                .with_help("write a variable, such as `$self`: it is bound to the agent's own name"),
            _ => return None,
        });
    }
    // Only the second term of a head must be a role.
    if site.expects(Rule::role) && !site.expects(Rule::term) && !wants_operand(site) {
        return Some(match site.found() {
            Some(Kind::Name) => site
                .error("the second place of a clause's head is its role", "not a role")
                .with_help(format!("write `%{found}`"))
                .replaced_by(format!("%{found}")),
            Some(Kind::Variable | Kind::AgentName) => site
                .error("the second place of a clause's head is its role", "not a role")
                .with_help(format!("write `%{}`", found.trim_start_matches(['$', '!'])))
                .replaced_by(format!("%{}", found.trim_start_matches(['$', '!']))),
            _ => site
                .error("the second place of a clause's head is its role", "expected a role")
                .with_help("a role is written `%role`"),
        });
    }
    if site.at <= 3 && site.expects(Rule::comma) && site.found() == Some(Kind::CloseParen) {
        return Some(
            site.error("a clause's head names an agent and a role", "the role is missing")
                .with_help(format!("write `agent({}, %role)`", site.previous_text())),
        );
    }
    if site.expects(Rule::equals) && site.previous() == Some(Kind::CloseParen) {
        let label = if site.found().is_some() { "expected `=`" } else { "something is missing here" };
        let diagnostic = site.error("the head of a clause is followed by `=`", label);
        return Some(match found {
            "=>" | "==" | ":=" | "::=" | ":" | "->" | "-->" | "<-" | "<=" => {
                diagnostic.with_help(format!("write `=` in place of `{found}`")).replaced_by("=")
            }
            "{" => diagnostic.with_help("write `= ..`; operations are grouped with parentheses"),
            _ => diagnostic.with_help("a clause is written `agent(!Name, %role) = ..`"),
        });
    }
    None
}

/// In `cast %role = 3`.
pub(super) fn cast(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.expects(Rule::cast_subject) || site.expects(Rule::role) {
        let label =
            if site.found().is_some() { "neither a role nor an agent" } else { "expected one of them here" };
        let diagnostic = site.error("a cast names a role or an agent", label);
        return Some(match site.found() {
            Some(Kind::Name) => {
                diagnostic.with_help(format!("write `%{found}` for the role, `!{found}` for the agent"))
            }
            _ => diagnostic.with_help("write it as in `cast %bidder = 3`"),
        });
    }
    if site.expects(Rule::cast_count) {
        return Some(
            site.error(
                format!("a cast needs a number, found {}", site.found_phrase()),
                "expected an integer",
            )
            .with_help("write it as in `cast %bidder = 3`, or `any` for any number"),
        );
    }
    if site.expects(Rule::any_word) {
        return Some(
            site.error("a cast gives one number, or any from some number on", "expected `any`")
                .with_help("write it as in `cast %bidder = 3` or `cast %bidder = 2..any`"),
        );
    }
    if site.expects(Rule::equals) {
        return Some(
            site.error(
                format!("a cast needs `=` and a number, found {}", site.found_phrase()),
                "expected `=`",
            )
            .with_help("write it as in `cast %bidder = 3`"),
        );
    }
    let listed = site.found() == Some(Kind::Comma) && site.expects(Rule::EOI);
    listed.then(|| {
        site.error("a `cast` gives one number, of one role or agent", "not expected here")
            .with_help("write another `cast` for the next role, without a comma between them")
    })
}

/// In `procedure p($a)`.
pub(super) fn declaration(site: &Site<'_>) -> Option<Diagnostic> {
    let found = site.found_text();
    if site.found().is_some_and(Kind::is_reserved) && site.expects(Rule::name) {
        return Some(site.error(format!("`{found}` is a reserved word, not a name"), "expected a name"));
    }
    if site.expects(Rule::variable) {
        let diagnostic =
            site.error(format!("a parameter is a variable, found {}", site.found_phrase()), "not a variable");
        return Some(match site.found() {
            Some(Kind::Name) => site.written(diagnostic, &format!("${found}")),
            _ => diagnostic.with_help("write it as in `procedure bid($price, $limit)`"),
        });
    }
    if site.expects(Rule::open_paren) {
        let name = format!("{} {}", site.text(0), site.text(1));
        return Some(
            site.error(format!("expected `(`, found {}", site.found_phrase()), "expected `(`")
                .with_help(format!("write `{name}()` if it has no parameters")),
        );
    }
    let lacks_comma = site.expects(Rule::comma) && site.found().is_some_and(Kind::is_term);
    lacks_comma.then(|| {
        let error = site.error("a `,` is missing between two parameters", "expected `,` before this");
        site.preceded(error, ",")
    })
}
