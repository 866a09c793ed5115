//! The atoms of which propositions are made.

use map_ir::{
    ChargedEvent, EventKind, Monitor, PerformativeId, Properties, Proposition, Quantity, StateAtom, Visible,
};

/// An atom, as an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    Event(usize),
    State(usize),
    Quantity(usize),
    Argument(usize),
    Cost(usize),
}

/// Whether an atom speaks of what a guard never sees.
pub(super) fn is_unseen(properties: &Properties, atom: Atom) -> bool {
    match atom {
        Atom::Event(event) => !matches!(properties.events[event].kind, EventKind::Sends(..)),
        Atom::State(state) => matches!(properties.states[state], StateAtom::Ended),
        Atom::Quantity(_) => false,
        Atom::Cost(cost) => {
            let mut charges = properties.costs[cost].charges.iter();
            let is_seen =
                |event: &ChargedEvent| matches!(event, ChargedEvent::Sends(..) | ChargedEvent::Copies);
            !charges.all(|charge| is_seen(&charge.event))
        }
        Atom::Argument(argument) => is_unseen(properties, Atom::Event(properties.arguments[argument].event)),
    }
}

/// The places of messages whose content an atom looks at.
pub(super) fn places(properties: &Properties, atom: Atom) -> Vec<(PerformativeId, usize)> {
    let (event, place) = match atom {
        Atom::Event(event) => (event, None),
        Atom::Argument(argument) => {
            let argument = &properties.arguments[argument];
            (argument.event, Some(argument.place))
        }
        Atom::Cost(cost) => {
            let places = Visible::to_costs(std::slice::from_ref(&properties.costs[cost]));
            return places.arguments;
        }
        Atom::State(_) | Atom::Quantity(_) => return Vec::new(),
    };
    let EventKind::Sends(pattern, _) = &properties.events[event].kind else { return Vec::new() };
    let wanted = pattern.arguments.iter().enumerate().filter(|(_, value)| value.is_some());
    wanted.map(|(place, _)| place).chain(place).map(|place| (pattern.performative, place)).collect()
}

/// Calls `see` with every atom of a proposition, and of what it looks back at.
pub(super) fn visit_atoms(properties: &Properties, proposition: &Proposition, see: &mut dyn FnMut(Atom)) {
    match proposition {
        Proposition::Constant(_) => {}
        Proposition::Event(event) => see(Atom::Event(*event)),
        Proposition::State(state) => see(Atom::State(*state)),
        Proposition::Not(denied) => visit_atoms(properties, denied, see),
        Proposition::And(parts) | Proposition::Or(parts) => {
            parts.iter().for_each(|part| visit_atoms(properties, part, see));
        }
        Proposition::Compare(left, _, right) => {
            visit_quantity(properties, left, see);
            visit_quantity(properties, right, see);
        }
        Proposition::Before(monitor, values) => {
            visit_monitor(properties, *monitor, see);
            values.iter().for_each(|value| visit_quantity(properties, value, see));
        }
    }
}

fn visit_quantity(properties: &Properties, quantity: &Quantity, see: &mut dyn FnMut(Atom)) {
    match quantity {
        Quantity::Nothing | Quantity::Value(_) => {}
        Quantity::State(index) => see(Atom::Quantity(*index)),
        Quantity::Count(all) => all.iter().for_each(|it| visit_atoms(properties, it, see)),
        Quantity::Argument(index) => see(Atom::Argument(*index)),
        Quantity::Monitor(monitor) => visit_monitor(properties, *monitor, see),
    }
}

fn visit_monitor(properties: &Properties, monitor: usize, see: &mut dyn FnMut(Atom)) {
    let monitor = &properties.monitors[monitor];
    monitor.when().into_iter().for_each(|when| visit_atoms(properties, when, see));
    match monitor {
        Monitor::Times(_) => {}
        Monitor::Cost(cost) => see(Atom::Cost(*cost)),
        Monitor::Seen(_, values) => values.iter().for_each(|value| visit_quantity(properties, value, see)),
        Monitor::Total(_, amount) => visit_quantity(properties, amount, see),
    }
}
