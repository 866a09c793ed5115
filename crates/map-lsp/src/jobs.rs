//! Verifications that were asked for and have not ended, and the progress that the client shows of each.

use std::sync::Arc;

use crossbeam_channel::Sender;
use ls_types::{ProgressToken, Uri};
use lsp_server::RequestId;

use crate::positions::Text;
use crate::verdicts::Subject;

/// Where the client shows progress.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    /// Nowhere.
    Nowhere,
    /// Nowhere yet: the client was asked, by this request, to make room for it.
    Asked(RequestId, ProgressToken),
    At(ProgressToken),
}

/// A verification that was asked for.
pub(crate) struct Running {
    pub(crate) number: u64,
    /// The request to be answered in the end.
    pub(crate) request: RequestId,
    pub(crate) uri: Uri,
    pub(crate) subject: Subject,
    pub(crate) text: Arc<Text>,
    pub(crate) shown: Shown,
    /// Dropped with the rest, this ends the search.
    pub(crate) _cancel: Sender<()>,
}

/// All of them, the oldest first.
#[derive(Default)]
pub(crate) struct Jobs {
    running: Vec<Running>,
    last: u64,
}

impl Jobs {
    /// A number for the next one.
    pub(crate) fn number(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    pub(crate) fn add(&mut self, job: Running) {
        self.running.push(job);
    }

    pub(crate) fn find(&mut self, is_it: impl Fn(&Running) -> bool) -> Option<&mut Running> {
        self.running.iter_mut().find(|it| is_it(it))
    }

    /// Takes those out of which this is true. Dropped, they end.
    pub(crate) fn take(&mut self, is_it: impl Fn(&Running) -> bool) -> Vec<Running> {
        self.running.extract_if(.., |it| is_it(it)).collect()
    }

    /// What is being verified in a text.
    pub(crate) fn subjects(&self, uri: &Uri) -> Vec<Subject> {
        self.running.iter().filter(|it| it.uri == *uri).map(|it| it.subject.clone()).collect()
    }
}
