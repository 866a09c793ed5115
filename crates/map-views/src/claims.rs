//! Properties as claims about runs that speak of the fixed agents and a few members: what they say with one member more
//! than that they say with any number of them.

use map_ir::{AgentId, Possibility, Program, Properties, RoleId, Temporal};

use crate::claim::{Claim, Unjudged, of_proposition};

/// A scene with its properties.
pub type WithProperties = (Program, Properties);

/// A claim about every run that a finite part of it refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// It holds at the first moment.
    First(Claim),
    /// It holds at every moment.
    Always(Claim),
    /// The first holds until the second does, perhaps for ever.
    Unless(Claim, Claim),
    /// They do not hold in this order, each later than the one before.
    Never(Vec<Claim>),
}

/// A claim, before it is known of how many members it speaks.
struct Said {
    claim: Safety,
    /// Agents that were named beside it, by parts whose truth is known. With more members there may be more of these, so
    /// they count as if the claim named them.
    also: Vec<AgentId>,
}

impl From<Safety> for Said {
    fn from(claim: Safety) -> Self {
        Self { claim, also: Vec::new() }
    }
}

/// The claims that a property makes about the fixed agents and at most as many members of a role as are `seen`. The scene
/// is given with one member more than that, and with one more again.
///
/// # Errors
/// Why it is not judged.
pub(crate) fn claims_of(
    few: &WithProperties,
    more: &WithProperties,
    property: &str,
    (role, seen): (RoleId, usize),
) -> Result<Vec<Safety>, Unjudged> {
    let [few, more] = [few, more].map(|(program, properties)| {
        let property = properties.list.iter().find(|it| it.name == property).ok_or(Unjudged::Several)?;
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let mut said = Vec::new();
        safety(properties, &property.formula, true, &mut said)?;
        let mut distinct = Vec::new();
        for said in said {
            let claim = about_seen(program, &few.0, (&members, seen), said)?;
            if !distinct.contains(&claim) {
                distinct.push(claim);
            }
        }
        Ok(distinct)
    });
    let (few, more): (Vec<Safety>, Vec<Safety>) = (few?, more?);
    // What is said with one member more is said of others than before.
    let same = few.len() == more.len() && more.iter().all(|it| few.contains(it));
    if same { Ok(few) } else { Err(Unjudged::Several) }
}

/// The claim with the names of `here`, where the members that it is about are the first, in the order in which it names
/// them.
fn about_seen(
    program: &Program,
    here: &Program,
    (members, seen): (&[AgentId], usize),
    Said { mut claim, also }: Said,
) -> Result<Safety, Unjudged> {
    let mut about = Vec::new();
    let mut see = |agent: &mut AgentId| {
        if members.contains(agent) && !about.contains(agent) {
            about.push(*agent);
        }
    };
    claim.moments_mut().into_iter().for_each(|claim| claim.agents(&mut see));
    also.into_iter().for_each(|mut agent| see(&mut agent));
    if about.len() > seen {
        return Err(Unjudged::Several);
    }
    if members.iter().any(|it| program.agent(*it).part != program.agent(members[0]).part) {
        return Err(Unjudged::NoViews);
    }
    for claim in claim.moments_mut() {
        claim.agents(&mut |agent| {
            // Names without an agent are those of the text.
            if agent.index() >= program.agents.len() {
                let name = program.agent_name(*agent);
                let known = here.agent_names.iter().position(|it| it == name);
                *agent = AgentId::new(known.expect("both are compiled from one text"));
                return;
            }
            let part = program.agent(*agent).part;
            let agents = &program.part(part).agents;
            let place = about.iter().position(|it| it == agent);
            let place = place.or_else(|| agents.iter().position(|it| it == agent));
            *agent = here.part(part).agents[place.expect("an agent is one of its part")];
        });
        *claim = claim.clone().folded();
    }
    Ok(claim)
}

/// Adds what a formula, or its negation, claims.
fn safety(
    properties: &Properties,
    formula: &Temporal,
    positive: bool,
    found: &mut Vec<Said>,
) -> Result<(), Unjudged> {
    let claim = |it: &Temporal, positive| moment(properties, it, positive);
    match (formula, positive) {
        (Temporal::Holds(_), _) => {
            found
                .extend(claim(formula, positive)?.conjuncts().into_iter().map(|it| Safety::First(it).into()));
        }
        (Temporal::Not(denied), _) => safety(properties, denied, !positive, found)?,
        (Temporal::And(parts), true) | (Temporal::Or(parts), false) => {
            parts.iter().try_for_each(|part| safety(properties, part, positive, found))?;
        }
        (Temporal::Always(inner), true)
            if let Temporal::Or(parts) = &**inner
                && parts.iter().any(is_next) =>
        {
            found.push(never_then(properties, parts)?.into());
        }
        (Temporal::Or(parts), true) => {
            let says = |part| claim(part, true).ok().and_then(|it| it.folded().constant());
            let open: Vec<&Temporal> = parts.iter().filter(|part| says(part) != Some(false)).collect();
            let mut said = Vec::new();
            match open.as_slice() {
                _ if open.iter().any(|part| says(part) == Some(true)) => {
                    said.push(Safety::Always(Claim::Constant(true)).into());
                }
                [part] => safety(properties, part, true, &mut said)?,
                _ => said.push(unless(properties, &open)?.into()),
            }
            if open.len() < parts.len() || open.iter().any(|part| says(part).is_some()) {
                let mut named = Vec::new();
                parts.iter().try_for_each(|part| agents_of(properties, part, &mut named))?;
                said.iter_mut().for_each(|it: &mut Said| it.also.extend(&named));
            }
            found.extend(said);
        }
        (Temporal::Always(inner), true) | (Temporal::Eventually(inner), false) => {
            found.extend(claim(inner, positive)?.conjuncts().into_iter().map(|it| Safety::Always(it).into()));
        }
        // `not (f until g)` is `not g unless not f and not g`.
        (Temporal::Until(left, right), false) => {
            let (no_left, no_right) = (claim(left, false)?, claim(right, false)?);
            let neither = Claim::And(vec![no_left, no_right.clone()]);
            found.push(Safety::Unless(no_right, neither).into());
        }
        (Temporal::Possible(Possibility::Reach(proposition)), false) => {
            let reached = of_proposition(properties, &properties.propositions[*proposition])?;
            found.push(Safety::Always(reached.denied()).into());
        }
        (Temporal::Possible(Possibility::Sequence(all)), false) => {
            let all = all.iter().map(|&it| of_proposition(properties, &properties.propositions[it]));
            found.push(Safety::Never(all.collect::<Result<_, _>>()?).into());
        }
        _ => return Err(Unjudged::NotSafety),
    }
    Ok(())
}

/// Adds the agents that a formula names.
fn agents_of(properties: &Properties, formula: &Temporal, found: &mut Vec<AgentId>) -> Result<(), Unjudged> {
    match formula {
        Temporal::Holds(proposition) | Temporal::Possible(Possibility::Reach(proposition)) => {
            let mut claim = of_proposition(properties, &properties.propositions[*proposition])?;
            claim.agents(&mut |agent| found.push(*agent));
            Ok(())
        }
        Temporal::Possible(Possibility::Sequence(all)) => {
            all.iter().try_for_each(|it| agents_of(properties, &Temporal::Holds(*it), found))
        }
        Temporal::And(parts) | Temporal::Or(parts) => {
            parts.iter().try_for_each(|it| agents_of(properties, it, found))
        }
        Temporal::Not(inner)
        | Temporal::Next(inner)
        | Temporal::Always(inner)
        | Temporal::Eventually(inner)
        | Temporal::Possible(Possibility::Satisfy(inner)) => agents_of(properties, inner, found),
        Temporal::Until(left, right) | Temporal::LeadsTo(left, right) => {
            [left, right].into_iter().try_for_each(|it| agents_of(properties, it, found))
        }
    }
}

fn is_next(formula: &Temporal) -> bool {
    matches!(formula, Temporal::Next(_))
}

/// `always f or next always g`: after a moment at which `f` does not hold there is none at which `g` does not.
fn never_then(properties: &Properties, parts: &[Temporal]) -> Result<Safety, Unjudged> {
    let (next, now): (Vec<&Temporal>, Vec<&Temporal>) = parts.iter().partition(|it| is_next(it));
    let [Temporal::Next(next)] = next.as_slice() else { return Err(Unjudged::NotSafety) };
    let Temporal::Always(then) = &**next else { return Err(Unjudged::NotSafety) };
    let now = now.into_iter().map(|part| moment(properties, part, false)).collect::<Result<_, _>>()?;
    Ok(Safety::Never(vec![Claim::And(now), moment(properties, then, false)?]))
}

/// `(always f) or (f until g)`.
fn unless(properties: &Properties, parts: &[&Temporal]) -> Result<Safety, Unjudged> {
    let ([Temporal::Always(always), Temporal::Until(left, right)]
    | [Temporal::Until(left, right), Temporal::Always(always)]) = parts
    else {
        return Err(Unjudged::NotSafety);
    };
    if always != left {
        return Err(Unjudged::NotSafety);
    }
    Ok(Safety::Unless(moment(properties, left, true)?, moment(properties, right, true)?))
}

/// A formula about one moment, or its negation.
fn moment(properties: &Properties, formula: &Temporal, positive: bool) -> Result<Claim, Unjudged> {
    Ok(match formula {
        Temporal::Holds(proposition) => {
            let claim = of_proposition(properties, &properties.propositions[*proposition])?;
            if positive { claim } else { claim.denied() }
        }
        Temporal::Not(denied) => moment(properties, denied, !positive)?,
        Temporal::And(parts) | Temporal::Or(parts) => {
            let all = parts.iter().map(|part| moment(properties, part, positive));
            let all = all.collect::<Result<_, _>>()?;
            if matches!(formula, Temporal::And(_)) == positive { Claim::And(all) } else { Claim::Or(all) }
        }
        _ => return Err(Unjudged::NotSafety),
    })
}

impl Safety {
    /// What it says of single moments.
    pub(crate) fn moments(&self) -> Vec<&Claim> {
        match self {
            Self::First(claim) | Self::Always(claim) => vec![claim],
            Self::Unless(left, right) => vec![left, right],
            Self::Never(all) => all.iter().collect(),
        }
    }

    fn moments_mut(&mut self) -> Vec<&mut Claim> {
        match self {
            Self::First(claim) | Self::Always(claim) => vec![claim],
            Self::Unless(left, right) => vec![left, right],
            Self::Never(all) => all.iter_mut().collect(),
        }
    }
}
