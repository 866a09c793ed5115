//! Values in both directions: those of a dialogue as objects of Python, and what Python's functions answer.

use std::collections::BTreeMap;

use map_explain::Namer;
use map_ir::Value;
use map_semantics::Reply;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString, PyType};

/// What a function answered.
pub(crate) enum Answered {
    /// It leaves the question to chance.
    Chance,
    /// An answer.
    Reply(Reply),
    /// Nothing that could be an answer; why.
    Nothing(String),
}

/// Converts values. Objects are made once for each value of a run.
pub(crate) struct Values<'py> {
    py: Python<'py>,
    constant: Bound<'py, PyType>,
    agent: Bound<'py, PyType>,
    role: Bound<'py, PyType>,
    unknown: Bound<'py, PyType>,
    fresh: Bound<'py, PyType>,
    chance: Bound<'py, PyAny>,
    made: BTreeMap<Value, Bound<'py, PyAny>>,
}

impl<'py> Values<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<Self> {
        let module = py.import("maplang._values")?;
        let class = |name: &str| Ok::<_, PyErr>(module.getattr(name)?.cast_into::<PyType>()?);
        Ok(Self {
            py,
            constant: class("Constant")?,
            agent: class("Agent")?,
            role: class("Role")?,
            unknown: class("Unknown")?,
            fresh: class("Fresh")?,
            chance: module.getattr("CHANCE")?,
            made: BTreeMap::new(),
        })
    }

    /// Forgets the values of a run: names of unknown ones begin anew.
    pub(crate) fn begin_run(&mut self) {
        self.made.retain(|value, _| matches!(value, Value::Agent(_) | Value::Role(_)));
    }

    /// A value as an object.
    pub(crate) fn object(&mut self, namer: &Namer<'_>, value: Value) -> PyResult<Bound<'py, PyAny>> {
        if let Value::Integer(number) = value {
            return Ok(number.into_pyobject(self.py)?.into_any());
        }
        if let Some(made) = self.made.get(&value) {
            return Ok(made.clone());
        }
        let content = || namer.names.foreign.content(namer.program, value).unwrap_or_default();
        let made = match value {
            Value::Integer(_) | Value::Text(_) => PyString::new(self.py, content()).into_any(),
            Value::Name(_) => self.constant.call1((content(),))?,
            Value::Agent(agent) => self.agent.call1((namer.program.agent_name(agent),))?,
            Value::Role(role) => self.role.call1((namer.program.role_name(role),))?,
            Value::Abstract(symbol) => self.unknown.call1((namer.names.symbol(symbol),))?,
            Value::Fresh(symbol) => self.fresh.call1((namer.names.symbol(symbol),))?,
        };
        self.made.insert(value, made.clone());
        Ok(made)
    }

    /// What an answer means.
    pub(crate) fn answer(&self, namer: &mut Namer<'_>, given: &Bound<'py, PyAny>) -> PyResult<Answered> {
        // `True` and `False` are integers, too.
        if let Ok(given) = given.cast_exact::<PyBool>() {
            return Ok(Answered::Reply(if given.is_true() { Reply::Unknown } else { Reply::No }));
        }
        if given.is_none() {
            return Ok(Answered::Reply(Reply::No));
        }
        if given.is(&self.chance) {
            return Ok(Answered::Chance);
        }
        if given.is_instance_of::<PyInt>() {
            return Ok(match given.extract::<i64>() {
                Ok(number) => Answered::Reply(Reply::Value(Value::Integer(number))),
                Err(_) => Answered::Nothing("an int has at most 64 bits in a dialogue".to_owned()),
            });
        }
        if let Ok(text) = given.cast::<PyString>() {
            let value = namer.names.foreign.text(namer.program, &text.to_cow()?);
            return Ok(Answered::Reply(Reply::Value(value)));
        }
        self.of_class(namer, given)
    }

    fn of_class(&self, namer: &mut Namer<'_>, given: &Bound<'py, PyAny>) -> PyResult<Answered> {
        let class = given.get_type();
        let name = || given.getattr("name")?.extract::<String>();
        let read = if class.is(&self.constant) {
            constant(namer, &name()?)
        } else if class.is(&self.agent) {
            namer.agent_named(&name()?)
        } else if class.is(&self.role) {
            namer.role_named(&name()?)
        } else if class.is(&self.unknown) || class.is(&self.fresh) {
            let name = name()?;
            namer.symbol_named(&name).ok_or_else(|| format!("there is no value {name:?} in this run"))
        } else {
            let class = class.name()?;
            Err(format!(
                "a {class} is no value: there are int, str, Constant, Agent, Role, Unknown and Fresh"
            ))
        };
        Ok(match read {
            Ok(value) => Answered::Reply(Reply::Value(value)),
            Err(why) => Answered::Nothing(why),
        })
    }
}

fn constant(namer: &mut Namer<'_>, name: &str) -> Result<Value, String> {
    match map_syntax::parse_constant(name) {
        Ok(map_syntax::ast::TermKind::Name(read)) if read == name => {
            Ok(namer.names.foreign.name(namer.program, name))
        }
        _ => Err(format!("{name:?} is not the name of a constant")),
    }
}
