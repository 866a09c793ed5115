//! How a run resolves open questions.

use map_ir::{Probability, ProcedureId, Program, Value};
use map_semantics::{Choice, Choices, Question, Reply};

use crate::honest::honest_reply;
use crate::outside::{Respondent, Response, Values};
use crate::random::{Random, drawn};
use crate::{RunEnd, SimulationOptions};

/// Resolves open questions at random, or by a respondent, and records the options taken.
pub(crate) struct Dice<'a> {
    program: &'a Program,
    pub(crate) random: Random,
    /// The default probability that a decision answers.
    yes: f64,
    yes_of: &'a [(ProcedureId, f64)],
    loss: f64,
    /// Whether truths are answered.
    truthful: bool,
    /// The options taken in the current attempt.
    pub(crate) options: Vec<u32>,
    respondent: &'a mut Respondent<'a>,
    /// The values received from outside so far.
    pub(crate) values: Values,
    /// Set when the run ends because there is no answer.
    pub(crate) ended: Option<RunEnd>,
}

impl<'a> Dice<'a> {
    pub(crate) fn new(
        program: &'a Program,
        options: &'a SimulationOptions,
        respondent: &'a mut Respondent<'a>,
    ) -> Self {
        let random = Random::from_seed(options.seed);
        Self {
            program,
            random,
            yes: options.yes,
            yes_of: &options.yes_of,
            loss: options.loss,
            truthful: options.truthful,
            options: Vec::new(),
            respondent,
            values: Values::default(),
            ended: None,
        }
    }

    /// The probability that a decision answers: that of the options, else that of the text, else the default.
    fn yes(&self, procedure: ProcedureId) -> f64 {
        let given = self.yes_of.iter().find(|(it, _)| *it == procedure).map(|&(_, yes)| yes);
        let written = || self.program.procedure(procedure).probability.map(Probability::nearest);
        given.or_else(written).unwrap_or(self.yes)
    }
}

impl Dice<'_> {
    /// The reaction to a question: the respondent's or, if that leaves it to chance, what the truth says.
    fn respond(&mut self, question: &Question<'_>) -> Response {
        // What alternatives leave open is not asked outside.
        let response = if question.in_alternative { Response::Chance } else { (self.respondent)(question) };
        let truth = self.program.truth(question.procedure).filter(|_| self.truthful);
        let (Response::Chance, Some(truth)) = (response, truth) else { return response };
        match honest_reply(self.program, truth, question, &mut self.random) {
            Ok(reply) => Response::Reply(reply),
            Err(why) => {
                self.ended = Some(RunEnd::NoHonestAnswer(question.agent, question.point, why));
                Response::Leave
            }
        }
    }
}

impl Choices for Dice<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let option = match choice {
            Choice::Answer { procedure, .. } => {
                let yes = self.yes(*procedure);
                u32::from(self.random.chance(yes))
            }
            Choice::Loss { .. } => u32::from(self.random.chance(self.loss)),
            Choice::Domain { options, weights, .. } => drawn(&mut self.random, *options, *weights),
            Choice::Message { .. }
            | Choice::Equal { .. }
            | Choice::Condition { .. }
            | Choice::Recipients { .. } => self.random.below(u64::from(choice.options())) as u32,
        };
        self.options.push(option);
        option
    }

    fn pick(&mut self, question: &Question<'_>) -> Option<Option<u32>> {
        let domain = question.domain?;
        let at = |value: Value| domain.iter().position(|&it| it == value);
        let picked = match self.respond(question) {
            Response::Chance => return None,
            Response::Reply(Reply::No) if question.may_refuse => Some(None),
            Response::Reply(Reply::Value(value)) => at(value).map(Some),
            Response::Reply(Reply::No | Reply::Unknown | Reply::Missing) | Response::Leave => None,
            Response::Stop => {
                self.ended = Some(RunEnd::Stopped);
                None
            }
        };
        let Some(picked) = picked else {
            // Whatever is taken, the run ends before the step.
            self.ended = self.ended.or(Some(RunEnd::Unanswered(question.agent, question.point)));
            return Some(Some(0));
        };
        // As if both had been chosen one after the other.
        if question.may_refuse {
            self.options.push(u32::from(picked.is_some()));
        }
        let picked = picked.map(|index| index as u32);
        self.options.extend(picked.filter(|_| domain.len() > 1));
        Some(picked)
    }

    fn reply(&mut self, question: &Question<'_>) -> Reply {
        let reply = match self.respond(question) {
            Response::Reply(reply) => reply,
            Response::Stop => {
                self.ended = Some(RunEnd::Stopped);
                return Reply::Missing;
            }
            Response::Leave => {
                self.ended = self.ended.or(Some(RunEnd::Unanswered(question.agent, question.point)));
                return Reply::Missing;
            }
            Response::Chance => {
                let Question { point, procedure, arguments, .. } = *question;
                let says_no =
                    question.may_refuse && self.choose(&Choice::Answer { point, procedure, arguments }) == 0;
                return if says_no { Reply::No } else { Reply::Unknown };
            }
        };
        let option = reply.to_option(question.may_refuse, |value| self.values.position(value));
        self.options.extend(option);
        reply
    }
}
