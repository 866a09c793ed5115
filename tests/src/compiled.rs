//! A compiled scene with properties given as separate texts.

use map_check::{check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_ir::{Program, Properties};
use map_semantics::Bounds;
use map_syntax::ast::{File, Formula};
use map_testkit::oracle::{OracleOptions, Vocabulary, vocabulary};

use crate::engines::{bounds, check_options};

/// A compiled scene with those properties that were not refused.
pub struct CompiledScene {
    /// The scene under its cast.
    pub program: Program,
    /// The bounds.
    pub bounds: Bounds,
    /// The properties.
    pub properties: Properties,
    /// Their texts.
    pub texts: Vec<String>,
    /// Their formulas.
    pub formulas: Vec<Formula>,
    /// How many were refused.
    pub refused: u64,
}

impl CompiledScene {
    /// Like [`CompiledScene::of`], of a text.
    ///
    /// # Panics
    /// If the scene has errors, or a text is no formula.
    #[must_use]
    pub fn new(
        scene: &str,
        options: &OracleOptions,
        texts: impl FnOnce(&Vocabulary) -> Vec<String>,
    ) -> Option<Self> {
        Self::of(&map_syntax::parse(&SourceFile::new("scene.map", scene)).file, options, texts)
    }

    /// A scene with the formulas that `texts` makes from its vocabulary; `None` if the cast is empty.
    ///
    /// # Panics
    /// If the scene has errors, or a text is no formula.
    #[must_use]
    pub fn of(
        file: &File,
        options: &OracleOptions,
        texts: impl FnOnce(&Vocabulary) -> Vec<String>,
    ) -> Option<Self> {
        let (checked, errors) = check(file, &check_options(options));
        let Some(checked) = checked else { panic!("{errors:?}") };
        let words = vocabulary(file, options);
        if words.agents.is_empty() {
            return None;
        }
        let mut program = compile(&checked);
        let mut compiler = PropertyCompiler::new(&checked, &mut program);
        let (mut kept, mut formulas, mut refused) = (Vec::new(), Vec::new(), 0);
        for text in texts(&words) {
            let formula = map_syntax::parse_formula(&SourceFile::new("formula", text.as_str()))
                .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
            // Random formulas may compare constants of different kinds, which is an error.
            let errors = check_formula(&checked, &formula);
            if !errors.is_empty() || compiler.add(&text, &formula).is_err() {
                refused += 1;
                continue;
            }
            kept.push(text);
            formulas.push(formula);
        }
        let properties = compiler.finish();
        let bounds = bounds(&program, options);
        drop(checked);
        Some(Self { program, bounds, properties, texts: kept, formulas, refused })
    }
}
