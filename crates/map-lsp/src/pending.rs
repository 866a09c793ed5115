//! Requests about texts that are not answered yet.

use std::collections::BTreeMap;

use ls_types::Uri;
use lsp_server::RequestId;

use crate::dispatch::Answer;

/// A request about a text.
struct Open {
    /// The text; `None` if it is about all of them.
    uri: Option<Uri>,
    /// How to answer, as long as the text has to be analysed first.
    answer: Option<Answer>,
}

/// The open requests.
#[derive(Default)]
pub(crate) struct Pending(BTreeMap<RequestId, Open>);

impl Pending {
    /// A request that waits for the analysis of a text.
    pub(crate) fn wait(&mut self, id: RequestId, uri: Uri, answer: Answer) {
        self.0.insert(id, Open { uri: Some(uri), answer: Some(answer) });
    }

    /// A request that is being answered.
    pub(crate) fn begin(&mut self, id: RequestId, uri: Option<Uri>) {
        self.0.insert(id, Open { uri, answer: None });
    }

    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        self.0.contains_key(id)
    }

    /// Takes what waits for the analysis of a text; it is being answered from now on.
    pub(crate) fn ready(&mut self, uri: &Uri) -> Vec<(RequestId, Answer)> {
        let of_text = self.0.iter_mut().filter(|(_, it)| it.uri.as_ref() == Some(uri));
        of_text.filter_map(|(id, it)| Some((id.clone(), it.answer.take()?))).collect()
    }

    /// Forgets a request. Returns whether it was still open.
    pub(crate) fn close(&mut self, id: &RequestId) -> bool {
        self.0.remove(id).is_some()
    }

    /// Forgets the requests about a text that changes.
    pub(crate) fn overtaken(&mut self, uri: &Uri) -> Vec<RequestId> {
        let of_text = self.0.iter().filter(|(_, it)| it.uri.as_ref() == Some(uri));
        let ids: Vec<RequestId> = of_text.map(|(id, _)| id.clone()).collect();
        ids.iter().for_each(|id| _ = self.0.remove(id));
        ids
    }
}
