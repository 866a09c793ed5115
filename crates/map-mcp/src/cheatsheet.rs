//! The language in short, for models: enough to write a protocol. Its examples are compiled by the tests.

/// The cheat sheet, as Markdown.
pub(crate) const CHEATSHEET: &str = include_str!("cheatsheet.md");

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use map_check::CheckOptions;
    use map_diagnostics::SourceFile;
    use map_session::{PropertySelection, compile};

    use super::CHEATSHEET;

    /// The texts in fences of a language.
    fn fences(language: &str) -> Vec<&'static str> {
        let begin = format!("```{language}\n");
        let behind = CHEATSHEET.split(begin.as_str()).skip(1);
        behind.map(|rest| rest.split("```").next().unwrap()).collect()
    }

    #[test]
    fn it_is_short_and_its_examples_are_right() {
        assert!(CHEATSHEET.len() <= 6 << 10, "{} bytes", CHEATSHEET.len());
        let examples = fences("map");
        assert!(examples.len() >= 4);
        for text in examples {
            let source = Arc::new(SourceFile::new("example.map", text));
            let compilation = compile(&source, &CheckOptions::default(), PropertySelection::ALL);
            let parsed = map_syntax::parse(&source);
            let found = map_compile::examine(&source, &parsed, &CheckOptions::default());
            let found: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
            assert!(compilation.program.is_some() && found.is_empty(), "{text}\n{found:?}");
        }
        // Rules are quoted as they are written elsewhere.
        assert_eq!(fences("map").len() * 2, CHEATSHEET.matches("```").count());
    }
}
