//! Reads and compiles files: from a file name to a program or to diagnostics.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use map_check::CheckOptions;
use map_diagnostics::{Code, Diagnostic, ExaminedFile, SourceFile};
use map_doors::shown;
use map_ir::Program;
use map_session::{Compilation, PropertySelection, compile};
use map_syntax::MAX_SOURCE_BYTES;

use crate::console::{Console, show_diagnostics};
use crate::failure::Failure;

/// The file name that stands for standard input.
pub(crate) const STDIN: &str = "-";

/// Whether it is that name.
pub(crate) fn is_stdin(name: &Path) -> bool {
    name.as_os_str() == STDIN
}

/// A file that cannot be read, and why.
pub(crate) struct Unreadable {
    /// Its name, with an empty text.
    pub(crate) source: SourceFile,
    /// Why it cannot be read.
    pub(crate) diagnostic: Diagnostic,
}

impl From<Box<Unreadable>> for Failure {
    fn from(unreadable: Box<Unreadable>) -> Self {
        let Unreadable { source, diagnostic } = *unreadable;
        Self::Refused(vec![(source, vec![diagnostic])])
    }
}

/// Standard input can be read once only.
pub(crate) fn refuse_double_stdin(verb: &'static str, files: &[PathBuf]) -> Result<(), Failure> {
    if files.iter().filter(|file| is_stdin(file)).count() > 1 {
        return Err(Failure::Usage(verb, "`-` (standard input) can be given once only".to_owned()));
    }
    Ok(())
}

/// Reads a file, nothing more.
pub(crate) fn read_source(name: &Path) -> Result<SourceFile, Box<Unreadable>> {
    read_source_up_to(name, MAX_SOURCE_BYTES)
}

/// Reads a file of at most so many bytes, fewer than 4 GiB.
pub(crate) fn read_source_up_to(name: &Path, most: usize) -> Result<SourceFile, Box<Unreadable>> {
    let name_shown = if is_stdin(name) { "<stdin>".to_owned() } else { shown(name) };
    match read(name, most) {
        Ok(text) => Ok(SourceFile::new(name_shown, text)),
        Err(diagnostic) => Err(Box::new(Unreadable { source: SourceFile::new(name_shown, ""), diagnostic })),
    }
}

/// Reads a file and finds all there is to say about it, warnings too.
pub(crate) fn examine(name: &Path, options: &CheckOptions) -> ExaminedFile {
    let source = match read_source(name) {
        Ok(source) => source,
        Err(unreadable) => {
            let Unreadable { source, diagnostic } = *unreadable;
            return ExaminedFile { source, diagnostics: vec![diagnostic] };
        }
    };
    let parsed = map_syntax::parse(&source);
    let diagnostics = map_compile::examine(&source, &parsed, options);
    ExaminedFile { source, diagnostics }
}

/// Reads, parses, checks and compiles a file.
pub(crate) fn load(name: &Path, options: &CheckOptions, wanted: PropertySelection<'_>) -> Compilation {
    Loader::new(name).load(options, wanted)
}

/// The program of a text of which everything is shown that is to be said.
///
/// # Errors
/// If the text has errors.
pub(crate) fn program_of(loaded: &Compilation, console: &mut Console) -> Result<Arc<Program>, Failure> {
    match &loaded.program {
        Some(program) => {
            show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
            Ok(Arc::clone(program))
        }
        None => Err(Failure::Refused(vec![((*loaded.source).clone(), loaded.diagnostics.clone())])),
    }
}

/// A file that is read once, and compiled in several ways.
pub(crate) struct Loader(Result<Arc<SourceFile>, Box<Unreadable>>);

impl Loader {
    pub(crate) fn new(name: &Path) -> Self {
        Self(read_source(name).map(Arc::new))
    }

    /// Parses, checks and compiles it.
    pub(crate) fn load(&self, options: &CheckOptions, wanted: PropertySelection<'_>) -> Compilation {
        match &self.0 {
            Ok(source) => compile(source, options, wanted),
            Err(unreadable) => Compilation::refused(unreadable.source.clone(), unreadable.diagnostic.clone()),
        }
    }
}

fn read(name: &Path, most: usize) -> Result<String, Diagnostic> {
    let bytes = if is_stdin(name) { read_capped(io::stdin().lock(), most)? } else { read_file(name, most)? };
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..offset];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let byte = error.as_bytes()[offset];
        let is_utf_16 = matches!(error.as_bytes(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        if error.as_bytes().contains(&0) && !is_utf_16 {
            return Diagnostic::unplaced(Code::NotUtf8, "the file is not a text: there are zero bytes in it");
        }
        Diagnostic::unplaced(
            Code::NotUtf8,
            format!("the file is not UTF-8: see byte {offset}, in line {line}"),
        )
        .with_note(format!("there is the byte 0x{byte:02X}, which continues no valid character"))
        .with_help("save the file as UTF-8; an editor calls this its encoding")
    })
}

fn read_file(name: &Path, most: usize) -> Result<Vec<u8>, Diagnostic> {
    let file = File::open(name).map_err(|error| cannot_read(&error))?;
    let metadata = file.metadata().map_err(|error| cannot_read(&error))?;
    if metadata.is_dir() {
        return Err(Diagnostic::unplaced(Code::CannotRead, "this is a directory, not a file")
            .with_help("name a file in it"));
    }
    if metadata.len() > most as u64 {
        return Err(too_large(most, &format!("it has {} bytes", metadata.len())));
    }
    read_capped(file, most)
}

/// Reads to the end, but at most one byte beyond the cap: pipes and devices do not report their length.
fn read_capped(reader: impl Read, most: usize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    reader.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(&error))?;
    if bytes.len() > most {
        return Err(too_large(most, "it does not end there"));
    }
    Ok(bytes)
}

fn too_large(most: usize, how: &str) -> Diagnostic {
    let what = format!("the file is larger than {} MiB", most >> 20);
    Diagnostic::unplaced(Code::SourceTooLarge, what).with_note(format!("{how}; nothing of it was read"))
}

fn cannot_read(error: &io::Error) -> Diagnostic {
    let what = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "no permission to read the file".to_owned(),
        io::ErrorKind::IsADirectory => "this is a directory, not a file".to_owned(),
        _ => format!("the file cannot be read: {error}"),
    };
    Diagnostic::unplaced(Code::CannotRead, what)
}
