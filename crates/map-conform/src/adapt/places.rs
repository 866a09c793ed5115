//! Where the fields of a record stand in a line.

/// A field of a record, but for its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Time,
    Event,
    Id,
    Conversation,
    From,
    To,
    Performative,
    Remember,
    Recall,
    SameAs,
}

impl Field {
    /// All of them with their names, in the order of the enumeration.
    pub(super) const ALL: [(Self, &str); 10] = [
        (Self::Time, "time"),
        (Self::Event, "event"),
        (Self::Id, "id"),
        (Self::Conversation, "conversation"),
        (Self::From, "from"),
        (Self::To, "to"),
        (Self::Performative, "performative"),
        (Self::Remember, "remember"),
        (Self::Recall, "recall"),
        (Self::SameAs, "same_as"),
    ];
    /// The fields that every record has.
    pub(super) const NEEDED: [Self; 3] = [Self::From, Self::To, Self::Performative];
    /// The name of the arguments.
    pub(super) const ARGS: &str = "args";

    /// The field with this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, its)| *its == name).map(|it| it.0)
    }

    pub(super) fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Where the arguments of a message stand.
#[derive(Clone, Debug)]
pub(super) enum Arguments {
    /// At one place: a list of them, or the only one.
    Together(String),
    /// Each at its own place.
    Each(Vec<String>),
    /// By their names, in an object.
    Named(ArgumentNames),
}

/// The arguments of a message that have names.
#[derive(Clone, Debug)]
pub(super) struct ArgumentNames {
    /// In the order of the arguments in the file.
    pub(super) names: Vec<String>,
    /// Those that may be absent.
    pub(super) optional: Vec<String>,
    /// Whether names that are not listed are passed over.
    pub(super) drops_others: bool,
}

/// Where the fields of a record stand, as JSON pointers; of several, the first that a line has counts.
#[derive(Clone, Debug)]
pub(super) struct Places {
    fields: [Vec<String>; Field::ALL.len()],
    pub(super) args: Arguments,
}

impl Default for Places {
    fn default() -> Self {
        Self { fields: Default::default(), args: Arguments::Each(Vec::new()) }
    }
}

impl Places {
    /// Those of a record itself.
    pub(super) fn of_records() -> Self {
        Self {
            fields: Field::ALL.map(|(_, name)| vec![format!("/{name}")]),
            args: Arguments::Together(format!("/{}", Field::ARGS)),
        }
    }

    pub(super) fn of(&self, field: Field) -> &[String] {
        &self.fields[field as usize]
    }

    pub(super) fn set(&mut self, field: Field, pointers: Vec<String>) {
        self.fields[field as usize] = pointers;
    }
}
