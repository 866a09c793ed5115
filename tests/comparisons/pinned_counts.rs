//! Counts of scenes of the library with all reductions, as the release has them: with mailboxes of the usual size and
//! with mailboxes that nobody fills. A reduction that gets worse shows here.

use std::path::Path;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_tests::engines::{NoWatch, bounds, program, reduced};
use map_verify::{Options, Reductions, SearchResult, Tuning, verify_reduced};

/// A scene, a role and the number of its agents, and the states and transitions of a complete search.
const COUNTS: [(&str, &str, u32, (usize, usize)); 6] = [
    ("english-auction/auction.map", "bidder", 2, (88, 143)),
    ("contract-net/contract-net.map", "participant", 4, (761, 1_981)),
    ("two-phase-commit/two-phase-commit.map", "voter", 4, (73, 153)),
    ("vickrey-auction/vickrey.map", "bidder", 4, (147, 292)),
    ("ballot/ballot.map", "voter", 4, (86, 120)),
    ("leader-election/leader-election.map", "node", 4, (45, 90)),
];

#[test]
fn scenes_of_the_library_have_these_counts() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols");
    for (file, role, number, expected) in COUNTS {
        let text = std::fs::read_to_string(library.join(file)).expect("the library is there");
        for mailbox in [50, 1_000_000] {
            let agents = vec![(role.to_owned(), number)];
            let options = OracleOptions { agents, mailbox, ..OracleOptions::new(100_000) };
            let program = program(&SourceFile::new(file, &text), &options).expect("the library is correct");
            let mut how = Options { keep_going: false, ..reduced(&options, Reductions::ALL) };
            how.limits.tuning = Tuning::SHIPPED;
            let found = verify_reduced(&program, &bounds(&program, &options), &how, &mut NoWatch);
            let SearchResult { report, .. } = found.expect("the engine is sound");
            let counts = (report.statistics.states, report.statistics.transitions);
            assert_eq!(counts, expected, "{file} with {number} of %{role}, mailboxes of {mailbox}");
        }
    }
}
