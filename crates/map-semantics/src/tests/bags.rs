//! The canonical order of bags against the definition: two scenes are equal if some renaming of symbols makes them so.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Symbol, Value};

use crate::{AgentState, Control, Mailbox, Message, Status, UnderWay, order_bags};

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

const SYMBOLS: u32 = 4;

/// For each agent a cell that may hold a symbol, and messages: sender, then the symbols of its arguments.
type Scene = Vec<(Option<u32>, Vec<(usize, Vec<u32>)>)>;

fn random_scene(numbers: &mut Numbers) -> Scene {
    let agents = 1 + numbers.below(3);
    let symbol = |numbers: &mut Numbers| numbers.below(SYMBOLS.into()) as u32;
    let agent = |numbers: &mut Numbers| {
        let cell = (numbers.below(4) == 0).then(|| symbol(numbers));
        let messages = (0..numbers.below(4)).map(|_| {
            let arguments = 1 + numbers.below(2);
            (numbers.below(2) as usize, (0..arguments).map(|_| symbol(numbers)).collect())
        });
        (cell, messages.collect())
    };
    (0..agents).map(|_| agent(numbers)).collect()
}

/// The same scene with other names for its symbols, its messages arriving in another order.
fn disguised(scene: &Scene, names: &[u32], numbers: &mut Numbers) -> Scene {
    let mut scene = scene.clone();
    for (cell, messages) in &mut scene {
        cell.iter_mut().for_each(|it| *it = names[*it as usize]);
        messages.iter_mut().flat_map(|(_, it)| it).for_each(|it| *it = names[*it as usize]);
        for index in (1..messages.len()).rev() {
            messages.swap(index, numbers.below(index as u64 + 1) as usize);
        }
    }
    scene
}

/// Orders the bags of a scene, then numbers symbols by first occurrence.
fn canonical(scene: &Scene) -> Vec<AgentState> {
    let mut states: Vec<Arc<AgentState>> = scene
        .iter()
        .map(|(cell, messages)| {
            let mut mailbox = Mailbox::default();
            for (sender, arguments) in messages {
                let arguments = arguments.iter().map(|&it| Value::Abstract(Symbol(it))).collect();
                let (performative, sender) = (PerformativeId::new(0), AgentId::new(*sender));
                mailbox.insert(Arc::new(Message { performative, sender, arguments }));
            }
            let memory = cell.iter().map(|&it| Value::Abstract(Symbol(it))).collect();
            let control = Control::default();
            Arc::new(AgentState {
                status: Status::Running,
                control,
                memory,
                mailbox,
                under_way: UnderWay::default(),
                calls: Vec::new(),
            })
        })
        .collect();
    order_bags(&mut states);
    let mut states: Vec<AgentState> = states.into_iter().map(Arc::unwrap_or_clone).collect();
    let mut met: Vec<Symbol> = Vec::new();
    for state in &mut states {
        state.rename_symbols(&mut |symbol| {
            let known = met.iter().position(|&it| it == symbol);
            Symbol(known.unwrap_or_else(|| {
                met.push(symbol);
                met.len() - 1
            }) as u32)
        });
    }
    states
}

fn sorted(mut scene: Scene) -> Scene {
    scene.iter_mut().for_each(|(_, messages)| messages.sort());
    scene
}

fn permutations() -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..SYMBOLS {
        let longer = |start: &Vec<u32>| {
            let start = start.clone();
            (0..SYMBOLS).filter_map(move |next| {
                let mut start = start.clone();
                (!start.contains(&next)).then(|| {
                    start.push(next);
                    start
                })
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn scenes_are_equal_if_some_renaming_makes_them_so() {
    let permutations = permutations();
    let mut numbers = Numbers(1);
    let (mut equal, mut different) = (0, 0);
    for round in 0..6_000 {
        let scene = random_scene(&mut numbers);
        let names = &permutations[numbers.below(permutations.len() as u64) as usize];
        let mut other = disguised(&scene, names, &mut numbers);
        // Every other round changes something, which may or may not matter.
        if round % 2 == 1 {
            let at = numbers.below(other.len() as u64) as usize;
            let value = numbers.below(SYMBOLS.into()) as u32;
            if let Some((_, arguments)) = other[at].1.first_mut() {
                arguments[0] = value;
            }
        }
        let target = sorted(other.clone());
        let same = permutations.iter().any(|names| {
            let renamed = disguised(&scene, names, &mut Numbers(0));
            sorted(renamed) == target
        });
        assert_eq!(canonical(&scene) == canonical(&other), same, "round {round}: {scene:?} and {other:?}");
        equal += usize::from(same);
        different += usize::from(!same);
    }
    assert!(equal > 1_000 && different > 1_000, "{equal} equal, {different} different");
}

#[test]
fn many_messages_that_are_alike_take_no_time() {
    let mut numbers = Numbers(7);
    let scene: Scene = vec![(None, (0..40).map(|it| (0, vec![it])).collect()); 3];
    let names: Vec<u32> = (0..40).map(|it| (it * 7 + 3) % 40).collect();
    assert_eq!(canonical(&scene), canonical(&disguised(&scene, &names, &mut numbers)));
}
