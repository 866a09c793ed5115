//! What the questions of [`Analysis`](crate::Analysis) are answered with: plain data over byte offsets.

use std::ops::Range;

use map_diagnostics::{Code, Severity};

/// A diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// Its severity, fixed by the code.
    pub severity: Severity,
    /// The place it is about; empty, at the start of the text, if it is about the file as a whole.
    pub range: Range<usize>,
    /// One sentence that is understandable by itself.
    pub message: String,
    /// What is said at the place itself; may be empty.
    pub label: String,
    /// Explanations, one sentence each.
    pub notes: Vec<String>,
    /// Suggestions, one sentence each.
    pub help: Vec<String>,
    /// Further places, each with what is said there.
    pub related: Vec<(Range<usize>, String)>,
    /// Ways to mend it.
    pub fixes: Vec<Fix>,
}

/// A way to mend a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in a few words.
    pub title: String,
    /// The changes, in source order; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A replacement of a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub range: Range<usize>,
    /// What takes its place; empty to remove.
    pub text: String,
}

/// What is known about the word under the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The word.
    pub range: Range<usize>,
    /// The text to be shown.
    pub markdown: String,
}

/// A place to go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name.
    pub name_range: Range<usize>,
    /// The operation, clause or item that the name stands in.
    pub full_range: Range<usize>,
}

/// An occurrence of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, with its sigil if it has one.
    pub range: Range<usize>,
    /// What the occurrence does.
    pub kind: OccurrenceKind,
}

/// What an occurrence of a name does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OccurrenceKind {
    /// It introduces the name.
    Declaration,
    /// It uses what the name stands for.
    Read,
    /// It sends a message or changes a cell.
    Write,
}

/// A proposal for what to write at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is listed and what is filtered by.
    pub label: String,
    /// What kind of thing it is.
    pub kind: CompletionKind,
    /// A few words beside the label.
    pub detail: Option<String>,
    /// Markdown to be shown on request.
    pub documentation: Option<String>,
    /// What is replaced: the word around the cursor.
    pub replace: Range<usize>,
    /// What is inserted.
    pub insert: String,
    /// Whether `insert` is a snippet: `$1`, `${1:name}` and `$0` are places to fill, and `$`, `}` and `\` are escaped
    /// by `\`.
    pub snippet: bool,
    /// Its rank: smaller comes first.
    pub rank: u32,
}

/// The kinds of [`Completion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompletionKind {
    /// A reserved word or a word of an item.
    Keyword,
    /// A message to be sent.
    Send,
    /// A message to be received.
    Receive,
    /// A procedure.
    Procedure,
    /// A clause that can be called.
    Clause,
    /// An address.
    Address,
    /// An agent.
    Agent,
    /// A role.
    Role,
    /// A variable.
    Variable,
    /// A memory cell.
    Cell,
    /// A constant.
    Constant,
    /// A diagnostic code in a comment.
    Code,
    /// A whole protocol or item.
    Snippet,
}

/// The parameters of the message, ask or call around the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The whole, such as `recordBid($offer, $asking)`.
    pub label: String,
    /// The parameters, as ranges of bytes of the label.
    pub parameters: Vec<Range<usize>>,
    /// Which one the cursor is at; may be past the last.
    pub active: usize,
    /// Markdown about the whole.
    pub documentation: Option<String>,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name as shown, such as `agent(!Chair, %member, count)`.
    pub name: String,
    /// A few words beside it; may be empty.
    pub detail: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The whole.
    pub range: Range<usize>,
    /// What to select: within `range`.
    pub name_range: Range<usize>,
    /// What it contains.
    pub children: Vec<Symbol>,
}

/// The kinds of [`Symbol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    /// A scene.
    Scene,
    /// A clause.
    Clause,
    /// A `procedure`.
    Procedure,
    /// A `decision`.
    Decision,
    /// A memory.
    Memory,
    /// A cell of a memory.
    Cell,
    /// A cast.
    Cast,
    /// A property.
    Property,
}

/// A part of the text that can be folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From where to where; over several lines.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: FoldKind,
}

/// The kinds of [`Fold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FoldKind {
    /// Code.
    Code,
    /// Comments.
    Comment,
}

/// A note that an editor shows within a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlay {
    /// Where it stands.
    pub at: usize,
    /// Its text, a few words.
    pub label: String,
    /// A sentence that explains it.
    pub tooltip: String,
    /// What it is about.
    pub kind: InlayKind,
}

/// The kinds of [`Inlay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InlayKind {
    /// Whom an address means under the cast of the file.
    Recipients,
    /// A procedure may answer "no".
    MaySayNo,
}

/// A word with its meaning, for its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The word. It does not span lines, except in a comment.
    pub range: Range<usize>,
    /// What it is.
    pub kind: TokenKind,
    /// What else is to be said of it.
    pub modifiers: Modifiers,
}

/// The kinds of [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A reserved word, or a word that has a meaning where it stands.
    Keyword,
    /// A scene.
    Scene,
    /// A clause.
    Clause,
    /// A performative.
    Performative,
    /// A procedure.
    Procedure,
    /// A role.
    Role,
    /// An agent.
    Agent,
    /// A variable.
    Variable,
    /// A parameter of a clause or a procedure.
    Parameter,
    /// A memory cell.
    Cell,
    /// A property.
    Property,
    /// A constant.
    Constant,
    /// An integer.
    Number,
    /// A string.
    String,
    /// A comment.
    Comment,
    /// An arrow or an operator.
    Operator,
    /// The wildcard.
    Wildcard,
}

/// What else is to be said of a [`Token`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// It introduces the name.
    pub declaration: bool,
    /// It sends a message or changes a cell.
    pub modification: bool,
    /// A procedure that may answer "no".
    pub may_refuse: bool,
}

/// Agents of a scene whose number can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOfScene {
    /// The scene.
    pub scene: String,
    /// What the flag `--agents` calls them: their role or, if others of that role have clauses of their own, the name
    /// of the agent.
    pub name: String,
    /// Their role, without `%`.
    pub role: String,
    /// Their number under the cast of the file.
    pub count: usize,
}

/// A line above which an editor shows what can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// The name of the scene or the property.
    pub range: Range<usize>,
    /// The scene, if it is about one.
    pub scene: Option<String>,
    /// The property, if it is about one.
    pub property: Option<String>,
}

/// A change that is offered at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// What it does, in a few words.
    pub title: String,
    /// The changes, in source order; they do not overlap.
    pub edits: Vec<Edit>,
    /// The problem that it mends, as an index into [`Analysis::diagnostics`](crate::Analysis::diagnostics).
    pub problem: Option<usize>,
    /// Whether it is the obvious thing to do.
    pub preferred: bool,
}
