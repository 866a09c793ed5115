//! The agents of each class of interchangeable ones in order, where nobody holds symbols or names.

use map_ir::AgentId;

use super::compose::Changes;
use super::space::Space;

/// Buffers for bringing the agents of each class in order.
#[derive(Default)]
pub(super) struct Sorting {
    offsets: Vec<usize>,
    order: Vec<usize>,
    members: Vec<usize>,
    words: Vec<u32>,
    edits: Vec<Edit>,
}

/// What is done at a place of a list of agents.
#[derive(Clone, Copy)]
struct Edit {
    /// Before or at this agent.
    place: usize,
    /// The first agent of the class that it is about. Where one class ends and another starts it says which goes first.
    class: usize,
    /// The changed agent that is put before it; none if it is the agent there that is taken out.
    put: Option<usize>,
}

impl Sorting {
    /// Sorts the agents of each class in a state.
    pub(super) fn sort(&mut self, space: &Space<'_>, next: &mut Vec<u32>) {
        let Self { offsets, order, members, words, .. } = self;
        let count = space.agent_count();
        let classes = space.agents.symmetry().classes();
        let is_bare = |member: &AgentId| space.agents.brief(next[member.index()]).tail() == 0;
        if classes.iter().all(|class| class.iter().all(is_bare)) {
            return classes.iter().for_each(|class| sort_words(class, next, words));
        }
        offsets.clear();
        let mut offset = space.header();
        for &id in &next[..count] {
            offsets.push(offset);
            offset += space.agents.brief(id).tail();
        }
        offsets.push(offset);
        let key = |agent: usize| (next[agent], &next[offsets[agent]..offsets[agent + 1]]);
        order.clear();
        order.extend(0..count);
        for class in classes {
            members.clear();
            members.extend(class.iter().map(|member| member.index()));
            members.sort_unstable_by(|&a, &b| key(a).cmp(&key(b)));
            for (place, &member) in class.iter().zip(members.iter()) {
                order[place.index()] = member;
            }
        }
        words.clear();
        words.extend(order.iter().map(|&agent| next[agent]));
        words.extend_from_slice(&next[count..space.header()]);
        for &agent in order.iter() {
            words.extend_from_slice(&next[offsets[agent]..offsets[agent + 1]]);
        }
        std::mem::swap(next, words);
    }

    /// Writes a state in order that differs from another one, which is in order, by what some agents are: only these are
    /// looked for a place. `offsets` says where each agent's tail starts in that, and where the last one ends.
    pub(super) fn splice(
        &mut self,
        space: &Space<'_>,
        state: &[u32],
        offsets: &[usize],
        changes: Changes<'_>,
        next: &mut Vec<u32>,
    ) {
        let (symmetry, count) = (space.agents.symmetry(), space.agent_count());
        let before = |agent: usize| (state[agent], &state[offsets[agent]..offsets[agent + 1]]);
        let edits = &mut self.edits;
        edits.clear();
        for index in 0..changes.len() {
            let agent = changes.agent(index);
            let (class, place) = match symmetry.class_of(AgentId::new(agent)) {
                None => (agent, agent),
                Some(class) => {
                    let members = &symmetry.classes()[class];
                    let is_less = |member: &AgentId| before(member.index()) < changes.after(index);
                    let first = members[0].index();
                    (first, first + members.partition_point(is_less))
                }
            };
            edits.extend([Edit { place, class, put: Some(index) }, Edit { place: agent, class, put: None }]);
        }
        edits.sort_unstable_by(|a, b| {
            // What is taken out comes last.
            let order = |edit: &Edit| (edit.place, edit.put.is_none(), edit.class);
            let after = |edit: &Edit| edit.put.map(|index| changes.after(index));
            order(a).cmp(&order(b)).then_with(|| after(a).cmp(&after(b)))
        });
        next.clear();
        let mut from = 0;
        for edit in edits.iter() {
            next.extend_from_slice(&state[from..edit.place]);
            next.extend(edit.put.map(|index| changes.after(index).0));
            from = edit.place + usize::from(edit.put.is_none());
        }
        next.extend_from_slice(&state[from..space.header()]);
        from = 0;
        for edit in edits.iter() {
            next.extend_from_slice(&state[offsets[from]..offsets[edit.place]]);
            if let Some(index) = edit.put {
                next.extend_from_slice(changes.after(index).1);
            }
            from = edit.place + usize::from(edit.put.is_none());
        }
        next.extend_from_slice(&state[offsets[from]..offsets[count]]);
    }
}

/// Sorts the words at the places of a class.
fn sort_words(class: &[AgentId], words: &mut [u32], sorting: &mut Vec<u32>) {
    if is_contiguous(class) {
        return words[class[0].index()..=class[class.len() - 1].index()].sort_unstable();
    }
    sorting.clear();
    sorting.extend(class.iter().map(|member| words[member.index()]));
    sorting.sort_unstable();
    for (member, &word) in class.iter().zip(sorting.iter()) {
        words[member.index()] = word;
    }
}

/// Whether no others stand between the members of a class.
pub(super) fn is_contiguous(class: &[AgentId]) -> bool {
    class[class.len() - 1].index() - class[0].index() + 1 == class.len()
}
