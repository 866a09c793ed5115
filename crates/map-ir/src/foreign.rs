//! Constants and strings that do not occur in the source: they are received from outside during a run.

use indexmap::IndexSet;

use crate::{NameId, Program, TextId, Value};

/// Constants and strings beyond the tables of a [`Program`]. Their ids continue where the tables end; each constant,
/// whether from the source or from outside, has one id.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    names: IndexSet<String>,
    texts: IndexSet<String>,
}

impl Foreign {
    /// The bare constant with this name.
    pub fn name(&mut self, program: &Program, name: &str) -> Value {
        Value::Name(program.name_constant(name).unwrap_or_else(|| {
            let (index, _) = self.names.insert_full(name.to_owned());
            NameId::new(program.names.len() + index)
        }))
    }

    /// The string with this content.
    pub fn text(&mut self, program: &Program, content: &str) -> Value {
        Value::Text(program.text_constant(content).unwrap_or_else(|| {
            let (index, _) = self.texts.insert_full(content.to_owned());
            TextId::new(program.texts.len() + index)
        }))
    }

    /// How many constants and strings there are from outside.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.names.len(), self.texts.len())
    }

    /// Forgets all constants and strings from outside but the first so many.
    pub fn truncate(&mut self, (names, texts): (usize, usize)) {
        self.names.truncate(names);
        self.texts.truncate(texts);
    }

    /// The name of a bare constant or the content of a string, from the source or from outside; `None` for other
    /// values.
    #[must_use]
    pub fn content<'a>(&'a self, program: &'a Program, value: Value) -> Option<&'a str> {
        let of = |table: &'a [String], own: &'a IndexSet<String>, index: usize| {
            table.get(index).or_else(|| own.get_index(index - table.len())).map(String::as_str)
        };
        match value {
            Value::Name(id) => of(&program.names, &self.names, id.index()),
            Value::Text(id) => of(&program.texts, &self.texts, id.index()),
            _ => None,
        }
    }
}
