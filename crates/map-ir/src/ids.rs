//! Typed indices into the tables of a [`crate::Program`]. An index into one table cannot be used for another.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id of the table row `index`.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("tables have fewer than 2^32 rows: sources are capped at 16 MiB"))
            }

            /// The table row.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A role, [`crate::Program::roles`].
    RoleId;
    /// An agent of the cast, or a name that a part defines without having an agent: [`crate::Program::agent_names`].
    AgentId;
    /// A part, [`crate::Program::parts`].
    PartId;
    /// A clause, [`crate::Program::clauses`].
    ClauseId;
    /// A performative with its arity, [`crate::Program::performatives`].
    PerformativeId;
    /// A decision procedure, [`crate::Program::procedures`].
    ProcedureId;
    /// A control point, [`crate::Program::points`].
    PointId;
    /// A variable of a clause, [`crate::Clause::variables`].
    Slot;
    /// A set of variables that a failure unbinds, [`crate::Program::slot_sets`].
    SlotSetId;
    /// A bare constant, [`crate::Program::names`].
    NameId;
    /// A string constant, [`crate::Program::texts`].
    TextId;
    /// A memory cell's name, [`crate::Program::cells`].
    CellId;
    /// An expression, [`crate::Program::expressions`].
    ExpressionId;
}

impl SlotSetId {
    /// The empty set, the first row of every program's table.
    pub const EMPTY: Self = Self(0);
}
