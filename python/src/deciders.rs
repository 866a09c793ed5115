//! Decisions by functions of Python: they are called with the values of a question, on the thread that asked for the
//! run.

use map_explain::Namer;
use map_ir::{Program, Value};
use map_semantics::{Question, Reply};
use map_simulate::Response;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::failure::{caused, passes_through, undecided};
use crate::values::{Answered, Values};

/// The functions, by agent and procedure; those without one are left to chance.
pub(crate) type Table = Vec<Vec<Option<Py<PyAny>>>>;

/// Who decides in runs, and what went wrong.
pub(crate) struct Deciders<'a, 'py> {
    py: Python<'py>,
    table: &'a Table,
    values: Values<'py>,
    /// The steps taken so far in this run.
    pub(crate) steps: u64,
    /// How many questions were asked.
    pub(crate) asked: u64,
    /// What ended the run.
    pub(crate) raised: Option<PyErr>,
}

impl<'a, 'py> Deciders<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, table: &'a Table) -> PyResult<Self> {
        Ok(Self { py, table, values: Values::new(py)?, steps: 0, asked: 0, raised: None })
    }

    pub(crate) fn begin_run(&mut self) {
        self.values.begin_run();
        self.steps = 0;
    }

    /// Answers a question.
    pub(crate) fn respond(&mut self, namer: &mut Namer<'_>, question: &Question<'_>) -> Response {
        let function = self.table.get(question.agent.index());
        let function = function.and_then(|its| its.get(question.procedure.index())?.as_ref());
        let Some(function) = function else { return Response::Chance };
        self.asked += 1;
        match self.ask(function.bind(self.py), namer, question) {
            Ok(response) => response,
            Err(error) => {
                self.raised = Some(error);
                Response::Stop
            }
        }
    }

    fn ask(
        &mut self,
        function: &Bound<'py, PyAny>,
        namer: &mut Namer<'_>,
        question: &Question<'_>,
    ) -> PyResult<Response> {
        let mut arguments = Vec::with_capacity(question.arguments.len());
        for &value in question.arguments {
            arguments.push(self.values.object(namer, value)?);
        }
        let given = function.call1(PyTuple::new(self.py, arguments)?).map_err(|error| {
            if passes_through(self.py, &error) {
                return error;
            }
            let wrong = self.wrong(namer.program, question, "its function raised an exception");
            caused(self.py, wrong, error)
        })?;
        match self.values.answer(namer, &given)? {
            Answered::Chance => Ok(Response::Chance),
            Answered::Nothing(why) => Err(self.wrong(namer.program, question, &why)),
            Answered::Reply(reply) => {
                let unfit = unfit(namer, question, reply);
                match unfit {
                    Some(why) => Err(self.wrong(namer.program, question, &why)),
                    None => Ok(Response::Reply(reply)),
                }
            }
        }
    }

    fn wrong(&self, program: &Program, question: &Question<'_>, why: &str) -> PyErr {
        let agent = program.agent_name(question.agent);
        let procedure = &program.procedure(question.procedure).name;
        undecided(self.py, why, agent, procedure, self.steps + 1)
    }
}

/// Why an answer does not fit a question: what is verified takes for granted that it does.
fn unfit(namer: &Namer<'_>, question: &Question<'_>, reply: Reply) -> Option<String> {
    match (reply, question.domain) {
        (Reply::No, _) if !question.may_refuse => Some(
            "it says no (None or False), but a procedure always answers: only a decision may say no"
                .to_owned(),
        ),
        (Reply::Unknown, Some(domain)) => {
            Some(format!("True is not among its answers, which are {}", listed(namer, domain)))
        }
        (Reply::Value(value), Some(domain)) if !domain.contains(&value) => {
            let value = namer.value(value);
            Some(format!("{value} is not among its answers, which are {}", listed(namer, domain)))
        }
        _ => None,
    }
}

/// The most values of a domain that are listed.
const MOST: usize = 10;

fn listed(namer: &Namer<'_>, domain: &[Value]) -> String {
    let first: Vec<String> = domain.iter().take(MOST).map(|&value| namer.value(value)).collect();
    let more =
        if domain.len() > MOST { format!(", and {} more", domain.len() - MOST) } else { String::new() };
    format!("{}{more}", first.join(", "))
}
