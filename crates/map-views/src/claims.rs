//! Properties as formulas about runs that speak of the fixed agents and a few members: what they say with one member
//! more than that they say with any number of them.

use map_ir::{AgentId, Program, Properties, RoleId};

use crate::past::looking_ahead;
use crate::reading::Reading;
use crate::safety::{NoJudgement, Safety};

/// A scene with its properties.
pub type WithProperties = (Program, Properties);

/// The claims that a property makes about the fixed agents and at most as many members of a role as are `seen`. The
/// scene is given with one member more than that, and with one more again.
///
/// # Errors
/// Why it is not judged.
pub(crate) fn claims_of(
    few: &WithProperties,
    more: &WithProperties,
    property: &str,
    (role, seen): (RoleId, usize),
) -> Result<Vec<Safety>, NoJudgement> {
    let [few, more] = [few, more].map(|(program, properties)| {
        let property = properties.list.iter().find(|it| it.name == property).ok_or(NoJudgement::Several)?;
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let mut distinct = Vec::new();
        for claim in (Reading { properties }).formula(&property.formula, true)?.conjuncts() {
            let claim = about_seen(program, &few.0, (&members, seen), claim)?;
            if !distinct.contains(&claim) {
                distinct.push(claim);
            }
        }
        Ok(distinct)
    });
    let (few, more): (Vec<Safety>, Vec<Safety>) = (few?, more?);
    // What is said with one member more is said of others than before.
    let same = few.len() == more.len() && more.iter().all(|it| few.contains(it));
    if same { Ok(few) } else { Err(NoJudgement::Several) }
}

/// The claim with the names of `here`, where the members that it is about are the first, in the order in which it names
/// them.
fn about_seen(
    program: &Program,
    here: &Program,
    (members, seen): (&[AgentId], usize),
    mut claim: Safety,
) -> Result<Safety, NoJudgement> {
    let mut about = Vec::new();
    let mut see = |agent: &mut AgentId| {
        if members.contains(agent) && !about.contains(agent) {
            about.push(*agent);
        }
    };
    // Also those that only parts name whose truth is known: with more members there may be more of these.
    claim.agents(&mut see);
    if about.len() > seen {
        return Err(NoJudgement::Several);
    }
    if members.iter().any(|it| program.agent(*it).part != program.agent(members[0]).part) {
        return Err(NoJudgement::NoViews);
    }
    claim.agents(&mut |agent| *agent = named_here(program, here, &about, *agent));
    looking_ahead(claim.folded()?)
}

/// What an agent is called in a scene with fewer members, where those that something is about are the first.
pub(crate) fn named_here(program: &Program, here: &Program, about: &[AgentId], agent: AgentId) -> AgentId {
    // Names without an agent are those of the text.
    if agent.index() >= program.agents.len() {
        let name = program.agent_name(agent);
        let known = here.agent_names.iter().position(|it| it == name);
        return AgentId::new(known.expect("both are compiled from one text"));
    }
    let part = program.agent(agent).part;
    let agents = &program.part(part).agents;
    let place = about.iter().position(|it| *it == agent);
    let place = place.or_else(|| agents.iter().position(|it| *it == agent));
    here.part(part).agents[place.expect("an agent is one of its part")]
}
