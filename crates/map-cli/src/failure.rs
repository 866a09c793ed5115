//! Why a command is aborted.

use std::io;

use map_verify::InternalError;

use crate::exit::Exit;

/// Why a command is aborted.
pub(crate) enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// Standard input cannot be read.
    Input(io::Error),
    /// The command line is wrong; the verb and what is wrong.
    Usage(&'static str, String),
    /// Processes that were to search together cannot, and why.
    #[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "no process works with others"))]
    Lost(Exit, String),
    /// The engine contradicted itself.
    Internal(String),
}

impl Failure {
    /// Whether whoever reads the output has closed it.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if is_closed_pipe(error))
    }
}

/// Whether whoever reads the output has closed it.
pub(crate) fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<InternalError> for Failure {
    fn from(error: InternalError) -> Self {
        Self::Internal(error.to_string())
    }
}
