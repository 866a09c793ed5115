//! The texts that are open in the editor, saved or not, and what is known about each.

use std::collections::BTreeMap;
use std::sync::Arc;

use ls_types::{TextDocumentContentChangeEvent, Uri};
use map_ide::Analysis;

use crate::positions::{Encoding, Text};
use crate::verdicts::Verdicts;

/// A text with its analysis.
#[derive(Debug)]
pub(crate) struct Analysed {
    pub(crate) text: Arc<Text>,
    pub(crate) analysis: Analysis,
}

impl Analysed {
    pub(crate) fn new(text: Arc<Text>) -> Self {
        let analysis = Analysis::new(text.as_str());
        Self { text, analysis }
    }
}

/// An open text.
pub(crate) struct Document {
    /// The client's number for this state of it.
    pub(crate) version: i32,
    pub(crate) text: Arc<Text>,
    /// The last analysis that is finished, perhaps of an earlier state.
    pub(crate) analysed: Option<Arc<Analysed>>,
    /// The text that is being analysed.
    pub(crate) in_work: Option<Arc<Text>>,
    /// Why the text cannot be analysed as it is now: a defect of this program.
    pub(crate) defect: Option<String>,
    pub(crate) verdicts: Verdicts,
}

impl Document {
    fn new(version: i32, text: String, encoding: Encoding) -> Self {
        let text = Arc::new(Text::new(text, encoding));
        Self { version, text, analysed: None, in_work: None, defect: None, verdicts: Verdicts::default() }
    }

    /// The analysis of the text as it is now.
    pub(crate) fn current(&self) -> Option<&Arc<Analysed>> {
        self.analysed.as_ref().filter(|it| Arc::ptr_eq(&it.text, &self.text))
    }
}

/// All open texts.
#[derive(Default)]
pub(crate) struct Documents {
    open: BTreeMap<Uri, Document>,
}

impl Documents {
    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String, encoding: Encoding) {
        self.open.insert(uri, Document::new(version, text, encoding));
    }

    /// Applies changes, each to the result of those before it. Returns whether the text is open.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
    ) -> bool {
        let Some(document) = self.open.get_mut(uri) else { return false };
        document.version = version;
        document.defect = None;
        for change in changes {
            document.text = Arc::new(document.text.changed(change.range, &change.text));
        }
        true
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> bool {
        self.open.remove(uri).is_some()
    }

    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri)
    }

    pub(crate) fn get_mut(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.open.get_mut(uri)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Uri, &Document)> {
        self.open.iter()
    }
}
