//! Loads a dialogue, verifies it, and prints the counterexample as a picture and as JSON.
//!
//! ```text
//! cargo run -p map-session --example door -- protocols/english-auction/published.map bidder=2 > counterexample.svg
//! ```

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a program has arguments, files and a terminal"
)]

use std::error::Error;
use std::sync::Arc;

use map_json::{VerifiedOutput, to_text};
use map_render::chart::evidence::of_evidence;
use map_render::chart::svg;
use map_session::{
    BoundSpec, CastOverride, CheckOptions, NoWatch, PropertySelection, SourceFile, Verify, compile,
    stuck_agents,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().ok_or("usage: door FILE [ROLE=COUNT ..]")?;
    let agents = words.map(|word| word.parse()).collect::<Result<Vec<CastOverride>, String>>()?;

    // A text becomes a scene ..
    let source = Arc::new(SourceFile::new(file.as_str(), std::fs::read_to_string(&file)?));
    let options = CheckOptions { agents, ..CheckOptions::default() };
    let compilation = compile(&source, &options, PropertySelection::ALL);
    for diagnostic in &compilation.diagnostics {
        eprintln!("{}: {}", diagnostic.code.as_str(), diagnostic.text);
    }
    let Some(program) = &compilation.program else { return Err("the text has errors".into()) };
    let bounds = BoundSpec::default().resolve(program)?;
    let scene = compilation.scene(bounds).ok_or("the text has errors")?;

    // .. a question is asked ..
    let answer = Verify::default().ask(&scene, &mut NoWatch)?;
    eprintln!("{}: {}", scene.program.scene, answer.report.verdict.words());

    // .. and its answer is data, to be shown in any way.
    if let Some(evidence) = answer.evidence() {
        let stuck = stuck_agents(&scene.program, evidence.replayed);
        println!("{}", svg::draw(&of_evidence(&scene.program, evidence, &stuck)));
    }
    eprintln!("{}", to_text(&VerifiedOutput::new(&answer, &options.agents, &[]))?);
    Ok(())
}
