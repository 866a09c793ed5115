//! The stable diagnostic codes: `MAP0xx` syntax and input, `1xx` names, roles and cast, `2xx` the dialogue itself,
//! `3xx` warnings, `4xx` saved traces and exported models.

/// The severity of a diagnostic. A scene with errors cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Probably a mistake; the scene can still be run.
    Warning,
    /// The scene is rejected.
    Error,
}

impl Severity {
    /// Both severities.
    pub const ALL: [Self; 2] = [Self::Warning, Self::Error];

    /// The word used in text and JSON.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $severity:ident;)*) => {
        /// A stable code. A code is never reused with another meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The code as printed, such as `MAP204`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The code with this printed form, such as `MAP204`.
            #[must_use]
            pub fn from_text(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }

            /// The page that `map explain` prints, in Markdown: what the code means and why it matters, with wrong
            /// and corrected examples. The first line is a heading with the code and a title.
            #[must_use]
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("../explain/", $text, ".md")),)* }
            }

            /// The severity of all diagnostics with this code.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

impl Code {
    /// The meaning of the code in a few words: the heading of its explanation.
    #[must_use]
    pub fn title(self) -> &'static str {
        let heading = self.explanation().lines().next().unwrap_or_default();
        heading.split_once(": ").map_or(heading, |(_, title)| title)
    }
}

codes! {
    /// The text does not follow the grammar.
    Syntax = "MAP001", Error;
    /// Nested more than 200 levels deep.
    NestingTooDeep = "MAP002", Error;
    /// The file is larger than the limit.
    SourceTooLarge = "MAP003", Error;
    /// The file is not UTF-8.
    NotUtf8 = "MAP004", Error;
    /// A comment or string is not closed.
    Unterminated = "MAP005", Error;
    /// An integer does not fit in 64 bits.
    IntegerRange = "MAP006", Error;
    /// An unknown or malformed escape in a string.
    BadEscape = "MAP007", Error;
    /// A character that cannot occur in MAP outside strings and comments.
    StrayCharacter = "MAP008", Error;
    /// The file has no scene.
    NoScene = "MAP009", Error;
    /// A construct that this version does not support yet.
    NotSupported = "MAP010", Error;
    /// The file cannot be read.
    CannotRead = "MAP011", Error;
    /// The formatter would change the program.
    UnfaithfulLayout = "MAP012", Error;

    /// Two scenes with the same name.
    SceneTwice = "MAP101", Error;
    /// A procedure declared twice.
    ProcedureTwice = "MAP102", Error;
    /// A procedure used with two arities.
    ProcedureArity = "MAP103", Error;
    /// A role that no clause defines.
    UnknownRole = "MAP104", Error;
    /// An agent that no clause defines.
    UnknownAgent = "MAP105", Error;
    /// An agent name that could refer to several agents of the cast.
    AmbiguousAgent = "MAP106", Error;
    /// Two agents with the same name.
    AgentTwice = "MAP107", Error;
    /// A cast for a role or agent that no clause defines.
    CastUnknown = "MAP108", Error;
    /// A count for a role whose parts all name their agents.
    CastNamedParts = "MAP109", Error;
    /// A count of agents that is negative or too large.
    CastCount = "MAP110", Error;
    /// The scene that was chosen does not exist.
    UnknownScene = "MAP111", Error;
    /// Two casts for one role or agent.
    CastTwice = "MAP112", Error;
    /// Two memories of one role, or one cell given two values.
    CellTwice = "MAP113", Error;
    /// A cell that no memory has, or that a role whose agents ask the procedure lacks.
    UnknownCell = "MAP114", Error;
    /// A parameter that a procedure does not have or declares twice.
    Parameter = "MAP115", Error;
    /// A `procedure` that might have no answer.
    MayHaveNoAnswer = "MAP116", Error;
    /// A value of the wrong kind, a value in place of a condition, or the reverse.
    WrongKind = "MAP117", Error;
    /// A domain that is empty or too large.
    Domain = "MAP118", Error;
    /// Two properties with the same name.
    PropertyTwice = "MAP119", Error;
    /// A message in a property that nothing sends.
    UnknownMessage = "MAP120", Error;
    /// A procedure in a property that nobody asks.
    UnknownProcedure = "MAP121", Error;
    /// A clause in a property that the agent does not have.
    UnknownPlace = "MAP122", Error;
    /// A variable in a property that nothing binds, or that is bound twice.
    NotQuantified = "MAP123", Error;
    /// An operator in a property in a place where it is meaningless.
    MisplacedInFormula = "MAP124", Error;
    /// A property that compares a value that may be abstract.
    AbstractInProperty = "MAP125", Error;
    /// A property that is too large for the cast.
    PropertyTooLarge = "MAP126", Error;
    /// A variable in a property that is used out of reach of the event that binds it.
    OutOfReach = "MAP127", Error;
    /// A variable in a property that stands for a value and is used as an agent.
    ValueAsAgent = "MAP128", Error;
    /// A variable in a property that ranges over a procedure without a domain.
    NoDomain = "MAP129", Error;
    /// A cost, measure or truth is declared twice, or what it is about not at all.
    UnknownCost = "MAP130", Error;
    /// A price is neither an integer from 0 on nor a variable of its message.
    NoPrice = "MAP131", Error;
    /// A weight that is negative, too large, or not computed from integers and `value`.
    Weight = "MAP132", Error;
    /// A probability beyond 1, of too many places, or of a procedure that chance does not let say "no".
    Probability = "MAP133", Error;
    /// A truth for a procedure that leaves nothing open.
    NothingOpen = "MAP134", Error;
    /// A truth that its procedure cannot answer.
    UntrueAnswer = "MAP135", Error;
    /// A property about a measure that cannot be judged in all runs.
    MeasureInProperty = "MAP138", Error;

    /// A part without an entry clause.
    NoEntry = "MAP201", Error;
    /// A part with two entry clauses.
    TwoEntries = "MAP202", Error;
    /// A call that no head of the part can match.
    CallMatchesNothing = "MAP203", Error;
    /// A variable whose value is needed before it is bound.
    Unbound = "MAP204", Error;
    /// A variable whose value is needed but that is bound on only some paths.
    MaybeUnbound = "MAP205", Error;
    /// A pattern with a variable that is bound on only some of the paths to it.
    MaybeBoundPattern = "MAP206", Error;
    /// A wildcard where a value is needed.
    WildcardValue = "MAP207", Error;
    /// A variable bound on both sides of a `par`.
    BoundInBothSides = "MAP208", Error;
    /// A variable used on one side of a `par` and bound on another.
    BoundInOtherSide = "MAP209", Error;
    /// An ask without a variable of a procedure that nothing declares: perhaps a message without its arrow.
    MissingArrow = "MAP210", Error;
    /// An expression where a message, a sender or the arguments of a clause are compared.
    ComputedPattern = "MAP211", Error;

    /// A decision whose "no" makes the agent fail.
    FailsOnNo = "MAP301", Warning;
    /// A call that leads back to itself without any action or timeout in between.
    Runaway = "MAP302", Warning;
    /// An alternative or a timeout that can never run.
    NeverRuns = "MAP303", Warning;
    /// A head that an earlier one shadows.
    ShadowedHead = "MAP304", Warning;
    /// A message that no clause of its addressees receives.
    NotReceived = "MAP305", Warning;
    /// A receive of a message that nothing sends.
    NotSent = "MAP306", Warning;
    /// A message that is lost when a later step fails.
    MessageLost = "MAP307", Warning;
    /// A receive that does not wait.
    NotWaitedFor = "MAP308", Warning;
    /// A `waitfor` whose operation starts with a `waitfor`.
    WaitInWait = "MAP309", Warning;
    /// A `waitfor` whose operation can reach a `par` before any action.
    ParInWait = "MAP310", Warning;
    /// A variable that is bound and never used.
    UnusedVariable = "MAP311", Warning;
    /// A clause that is never called.
    NeverCalled = "MAP312", Warning;
    /// A recursive call that is not a last call.
    NotLastCall = "MAP313", Warning;
    /// A comment that allows a warning that does not occur.
    UselessAllow = "MAP314", Warning;
    /// An undeclared procedure whose name is close to that of a declared one.
    MisspeltProcedure = "MAP315", Warning;
    /// An alternative of a procedure after one that is always taken.
    AlternativeNeverTaken = "MAP316", Warning;
    /// A `waitfor` that takes in more than was probably meant.
    WaitTakesIn = "MAP317", Warning;
    /// A `waitfor` whose operation cannot fail.
    NeverWaits = "MAP318", Warning;
    /// A character in a comment or a string that nobody sees.
    UnseenCharacter = "MAP319", Warning;
    /// An address that no agent can have.
    NoAddress = "MAP320", Warning;
    /// A procedure that is declared and never asked.
    NeverAsked = "MAP321", Warning;
    /// A variable that one receive binds and the next compares.
    ReceivedAgain = "MAP322", Warning;
    /// A property that asks at the first moment what has happened.
    FirstMoment = "MAP323", Warning;
    /// A charge for what the agents that would pay never do.
    NeverCharged = "MAP324", Warning;

    /// The file to be replayed is not a trace, or is damaged.
    NotATrace = "MAP401", Error;
    /// A trace in another version of the format.
    TraceFormat = "MAP402", Error;
    /// A trace that was recorded for another text.
    TraceOfAnother = "MAP403", Error;
    /// A step of a trace that cannot be taken.
    TraceStep = "MAP404", Error;

    /// An export of a scene that divides by a value that may be unknown.
    ExportDivisor = "MAP410", Error;
    /// An integer that is too large for an exported model.
    ExportInteger = "MAP411", Error;
    /// An act with too many possible outcomes, or an agent with too many places, to be exported.
    ExportTooLarge = "MAP412", Error;
    /// An act that may return to its starting place by ending and reopening a `par`, which a model cannot tell from
    /// a step.
    ExportReopenedPar = "MAP413", Error;
    /// A bound or a cast beyond the limits of the target tool.
    ExportLimit = "MAP414", Error;
    /// A scene that is cut by a bound or goes wrong before its first step, so that there is nothing to export.
    ExportNothing = "MAP415", Error;
    /// An export with a network in which agents crash.
    ExportNetwork = "MAP416", Error;
    /// An export in the plain style of a construct that it cannot express.
    ExportPlain = "MAP417", Error;
    /// A property that is left out of an exported model.
    ExportProperty = "MAP418", Warning;
    /// An export of an act or call whose computed value may be unknown.
    ExportComputed = "MAP419", Error;
    /// An export of a scene with an agent whose memory cells may start in too many ways.
    ExportInitial = "MAP420", Error;

    /// A line of a log that is no record.
    ConformRecord = "MAP421", Error;
    /// An argument in a log that is no value.
    ConformValue = "MAP422", Error;
    /// A name in a log that has no role.
    ConformRole = "MAP423", Error;
    /// More agents in a log than the cast has, or a name with two roles.
    ConformCast = "MAP424", Error;
    /// A line of a log that an adapter cannot turn into a record.
    ConformAdapter = "MAP425", Error;
    /// Lines of an agent that are out of order.
    ConformOrder = "MAP426", Error;
    /// A mapping that cannot be used.
    ConformMapping = "MAP427", Error;
    /// A scene that needs to know agents who join later.
    ConformOpenCast = "MAP428", Error;
    /// Logs of which no message was judged.
    ConformNothing = "MAP429", Error;
    /// A time in a log of which it is not clear which time it is.
    ConformTime = "MAP430", Error;

    /// A journal of a guard that was damaged, or was written for something else.
    GuardJournal = "MAP431", Error;
    /// A configuration of a guard that cannot be used.
    GuardConfig = "MAP432", Error;

    /// A checkpoint of logs that are followed which cannot be used.
    ConformCheckpoint = "MAP433", Error;
}
