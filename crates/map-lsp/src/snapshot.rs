//! What a request is answered from: one state of one text. It does not change while the answer is made.

use std::ops::Range;
use std::sync::Arc;

use ls_types::{
    Location, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range as PositionRange,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use map_ide::{Analysis, Edit};
use map_syntax::LineEnd;

use crate::client::Client;
use crate::documents::Analysed;
use crate::positions::Text;
use crate::verdicts::{Subject, Verdicts};

/// One state of one text.
pub(crate) struct Snapshot {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) analysed: Arc<Analysed>,
    pub(crate) client: Arc<Client>,
    pub(crate) verdicts: Verdicts,
    /// What is being verified.
    pub(crate) in_work: Vec<Subject>,
}

impl Snapshot {
    pub(crate) fn analysis(&self) -> &Analysis {
        &self.analysed.analysis
    }

    pub(crate) fn text(&self) -> &Text {
        &self.analysed.text
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        self.text().offset(position)
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> PositionRange {
        self.text().range(range)
    }

    pub(crate) fn location(&self, range: &Range<usize>) -> Location {
        Location { uri: self.uri.clone(), range: self.range(range) }
    }

    /// Changes of this text, whose lines end as those of the text do.
    pub(crate) fn text_edits(&self, edits: &[Edit]) -> Vec<TextEdit> {
        let line_end = LineEnd::of(self.text().as_str());
        let new_text = |edit: &Edit| line_end.applied_to(edit.text.clone());
        let edit = |edit: &Edit| TextEdit { range: self.range(&edit.range), new_text: new_text(edit) };
        edits.iter().map(edit).collect()
    }

    /// Changes of this text, for this version of it if the client can take that in.
    pub(crate) fn workspace_edit(&self, edits: &[Edit]) -> WorkspaceEdit {
        let edits = self.text_edits(edits);
        if self.client.versioned_edits {
            let (uri, version) = (self.uri.clone(), Some(self.version));
            let text_document = OptionalVersionedTextDocumentIdentifier { uri, version };
            let edits = edits.into_iter().map(OneOf::Left).collect();
            let edits = vec![TextDocumentEdit { text_document, edits }];
            return WorkspaceEdit {
                document_changes: Some(ls_types::DocumentChanges::Edits(edits)),
                ..WorkspaceEdit::default()
            };
        }
        let changes = std::iter::once((self.uri.clone(), edits)).collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
