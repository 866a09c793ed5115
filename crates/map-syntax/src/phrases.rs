//! The names of grammar rules in "expected .." messages.

use crate::pest_grammar::Rule;
use crate::unit::Unit;

/// The phrases of a set of rules, each once, in a fixed order.
pub(crate) fn list(expected: &[Rule], unit: Unit) -> String {
    let mut phrases: Vec<(u8, String)> = expected.iter().map(|&rule| phrase(rule, unit)).collect();
    phrases.sort();
    phrases.dedup();
    let mut words: Vec<String> = phrases.into_iter().map(|(_, phrase)| phrase).collect();
    match words.pop() {
        None => "something else".to_owned(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} or {last}", words.join(", ")),
    }
}

/// The name of a rule, with its sort key in a list.
pub(crate) fn phrase(rule: Rule, unit: Unit) -> (u8, String) {
    let (rank, words) = match rule {
        Rule::operation | Rule::alternatives | Rule::sequence | Rule::unit => (10, "an operation"),
        Rule::group | Rule::open_paren => (11, "`(`"),
        Rule::wait | Rule::waitfor_word => (12, "`waitfor`"),
        Rule::clause | Rule::clause_head | Rule::call | Rule::address | Rule::agent_word => {
            (13, "`agent(..)`")
        }
        Rule::skip => (14, "`skip`"),
        Rule::fail => (15, "`fail`"),
        Rule::ask => (16, "a question `$v = p(..)`"),
        Rule::exchange | Rule::message | Rule::pattern => (17, "a message `m(..)`"),
        Rule::term | Rule::argument => (20, "a term"),
        Rule::who => (21, "an agent `!Name` or a variable `$x`"),
        Rule::agent_name => (22, "an agent `!Name`"),
        Rule::variable => (23, "a variable `$x`"),
        Rule::cast_subject => (24, "a role `%role` or an agent `!Name`"),
        Rule::role => (25, "a role `%role`"),
        Rule::name
        | Rule::constant_name
        | Rule::identifier
        | Rule::name_char
        | Rule::reserved
        | Rule::body_word => (26, "a name"),
        Rule::cast_count => (27, "a number"),
        Rule::any_word => (28, "`any`"),
        Rule::integer => (27, "an integer"),
        Rule::text => (28, "a string"),
        Rule::wildcard => (29, "`_`"),
        Rule::arguments | Rule::terms => (30, "arguments in `(..)`"),
        Rule::then_word => (31, "`then`"),
        Rule::or_word => (32, "`or`"),
        Rule::par_word => (33, "`par`"),
        Rule::timeout_word => (34, "`timeout`"),
        Rule::equals => (40, "`=`"),
        Rule::send_arrow => (41, "`=>`"),
        Rule::receive_arrow => (42, "`<=`"),
        Rule::comma => (43, "`,`"),
        Rule::close_paren => (44, "`)`"),
        Rule::open_bracket => (45, "`[`"),
        Rule::close_bracket => (46, "`]`"),
        Rule::file | Rule::item | Rule::scene => (50, "a scene"),
        Rule::open_brace | Rule::value_set => (47, "`{`"),
        Rule::close_brace => (48, "`}`"),
        Rule::cast | Rule::cast_unit | Rule::cast_word => (51, "`cast`"),
        Rule::procedure | Rule::procedure_unit | Rule::procedure_word => (52, "`procedure`"),
        Rule::decision_word => (53, "`decision`"),
        Rule::memory | Rule::memory_unit | Rule::memory_word => (54, "`memory`"),
        Rule::clause_unit | Rule::operation_unit => (55, "a clause"),
        Rule::expression
        | Rule::conjunction
        | Rule::negation
        | Rule::comparison
        | Rule::sum
        | Rule::product
        | Rule::operand
        | Rule::parentheses
        | Rule::answer => (10, "an expression"),
        Rule::constant => (20, "a constant"),
        Rule::cell | Rule::initial | Rule::update => (22, "a cell `@cell`"),
        Rule::domain | Rule::range => (23, "a domain"),
        Rule::weight => (43, "`:`"),
        Rule::decimal => (27, "a decimal number such as `0.5`"),
        Rule::distribution | Rule::geometric_word => (27, "`geometric(0.5)`"),
        Rule::binomial_word => (27, "`binomial(0.5)`"),
        Rule::by | Rule::by_word => (42, "`by`"),
        Rule::with_probability => (42, "`with probability`"),
        Rule::own => (29, "`self`"),
        Rule::body | Rule::alternative | Rule::honest => (40, "`=`"),
        Rule::bar => (41, "`|`"),
        Rule::in_word => (42, "`in`"),
        Rule::fresh | Rule::fresh_word => (42, "`fresh`"),
        Rule::with_word | Rule::updates => (42, "`with`"),
        Rule::plus
        | Rule::minus
        | Rule::times
        | Rule::divide
        | Rule::mod_word
        | Rule::and_word
        | Rule::comparison_operator
        | Rule::equal
        | Rule::not_equal
        | Rule::less
        | Rule::less_or_equal
        | Rule::greater
        | Rule::greater_or_equal => (31, "an operator"),
        Rule::not_word => (12, "`not`"),
        Rule::before_word => (12, "`before`"),
        Rule::conditional | Rule::measured_conditional | Rule::if_word => (13, "`if`"),
        Rule::smaller | Rule::measured_smaller | Rule::min_word => (14, "`min`"),
        Rule::larger | Rule::measured_larger | Rule::max_word => (14, "`max`"),
        Rule::else_word => (35, "`else`"),
        Rule::becomes => (40, "`:=`"),
        Rule::dots => (40, "`..`"),
        Rule::formula
        | Rule::implication
        | Rule::disjunction
        | Rule::junction
        | Rule::literal
        | Rule::temporal
        | Rule::possible
        | Rule::quantified
        | Rule::formula_group
        | Rule::atom
        | Rule::ended
        | Rule::status
        | Rule::occurrence
        | Rule::relation
        | Rule::formula_unit
        | Rule::always_word
        | Rule::eventually_word
        | Rule::never_word
        | Rule::next_word
        | Rule::possible_word
        | Rule::forall_word
        | Rule::exists_word
        | Rule::done_word
        | Rule::failed_word
        | Rule::waiting_word => (10, "a formula"),
        Rule::quantity | Rule::property_constant => (20, "a value"),
        Rule::measured
        | Rule::measured_unit
        | Rule::measured_conjunction
        | Rule::measured_negation
        | Rule::measured_comparison
        | Rule::measured_sum
        | Rule::measured_product
        | Rule::measured_operand
        | Rule::measured_parentheses
        | Rule::reading => (10, "an expression"),
        Rule::subject => (21, "an agent `!Name` or a variable `$x`"),
        Rule::formula_name | Rule::formula_word => (26, "a name"),
        Rule::cell_of => (22, "a cell `!Name@cell`"),
        Rule::count | Rule::agents_of | Rule::count_word => (23, "`count(..)`"),
        Rule::total | Rule::total_word => (23, "`total(..)`"),
        Rule::cost_of => (24, "`cost(..)`"),
        Rule::measure_of => (24, "`measure(..)`"),
        Rule::sum_of | Rule::sum_word => (24, "`sum(..)`"),
        Rule::moment | Rule::first_word => (24, "`first(..)`"),
        Rule::last_word => (24, "`last(..)`"),
        Rule::measured_of | Rule::of_word => (39, "`of`"),
        Rule::mailbox | Rule::mailbox_word => (24, "`mailbox(..)`"),
        Rule::sends | Rule::charged_sends | Rule::sends_word => (31, "`sends`"),
        Rule::receives | Rule::charged_receives | Rule::receives_word => (32, "`receives`"),
        Rule::asks | Rule::asks_word => (33, "`asks`"),
        Rule::answers | Rule::answers_word => (34, "`answers`"),
        Rule::times_out | Rule::times_word => (35, "`times out`"),
        Rule::out_word => (35, "`out`"),
        Rule::in_clause => (36, "`in`"),
        Rule::to_word => (37, "`to`"),
        Rule::from_word => (38, "`from`"),
        Rule::yes_word => (38, "`yes`"),
        Rule::no_word => (39, "`no`"),
        Rule::event_sequence | Rule::sequence_word => (36, "`sequence`"),
        Rule::implies_word => (37, "`implies`"),
        Rule::until_word => (38, "`until`"),
        Rule::unless_word => (38, "`unless`"),
        Rule::precedes_word => (38, "`precedes`"),
        Rule::leadsto_word => (39, "`leadsto`"),
        Rule::range_over => (23, "`$x in %role :`"),
        Rule::answers_of => (26, "a procedure `p()`"),
        Rule::colon => (43, "`:`"),
        Rule::semicolon => (43, "`;`"),
        Rule::property | Rule::property_unit | Rule::property_word => (55, "`property`"),
        Rule::cost | Rule::cost_unit | Rule::cost_word => (55, "`cost`"),
        Rule::measure | Rule::measure_unit | Rule::measure_word => (55, "`measure`"),
        Rule::truth | Rule::truth_unit | Rule::truth_word => (55, "`truth`"),
        Rule::charge | Rule::charged_event | Rule::bearer => (21, "an agent `!Name`, a role `%role` or `_`"),
        Rule::payer => (21, "an agent `!Name`, a role `%role` or a variable `$x`"),
        Rule::price => (20, "a price"),
        Rule::WHITESPACE | Rule::COMMENT => (60, "a space"),
        Rule::EOI => return (61, format!("the end of the {}", unit.word())),
    };
    (rank, words.to_owned())
}
