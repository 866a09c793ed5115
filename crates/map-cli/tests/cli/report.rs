//! `map verify --report`: one page, looked at in Chromium.

use std::fs;
use std::process::{Command, Stdio};

use super::{FINE, map, map_with};

const PROBE: &str = include_str!("report/probe.js");

fn page(arguments: &[&str], code: i32) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("report.html");
    let target = target.to_str().expect("it is UTF-8");
    map(&[&["verify"], arguments, &["--report", target]].concat()).exits(code);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is there").count(), 1);
    fs::read_to_string(target).expect("it was written")
}

const AUCTION: [&str; 5] = ["published-corrected.map", "--agents", "bidder=2", "--rounds", "bidloop=2"];

#[test]
fn a_report_says_everything_and_needs_nothing() {
    let page = page(&[&AUCTION[..], &["--property", "never failed(!Auctioneer)"]].concat(), 1);
    for part in [
        "deadlock after 9 steps",
        "never failed(!Auctioneer)",
        "Nothing can happen any more",
        "!Bidder1 declines: startBidding says no",
        "accept(getWinner#1, getValue#1) from !Auctioneer",
        "2 rounds of bidloop",
        "map-chart",
        "map-graph",
        " hang",
        "data-places=",
        "<th scope=\"row\">transitions</th>",
    ] {
        assert!(page.contains(part), "{part:?} is not in the page");
    }
    let page = page.replace("http://www.w3.org/2000/svg", "").replace("href=\"data:,\"", "");
    for part in ["http:", "https:", "//www", "src=", "href=", "url(", "@import", "<iframe", "<object"] {
        assert!(!page.contains(part), "{part:?} is in the page");
    }
}

/// What was not asked is not drawn as taken: after a failure in the first step nobody has asked for the winner, nor
/// been told no.
#[test]
fn what_was_never_asked_is_not_drawn_as_taken() {
    let page = page(&["published.map", "--agents", "bidder=2", "--rounds", "bidloop=2"], 1);
    let class_of = |label: &str| -> Vec<&str> {
        let edges = page.split("<g class=\"edge ").skip(1);
        let with_label = edges.filter(|edge| edge.split("</g>").next().is_some_and(|it| it.contains(label)));
        with_label.filter_map(|edge| edge.split('"').next()).collect()
    };
    assert_eq!(class_of(">getValue: no<"), ["failure dashed"]);
    assert_eq!(class_of(">getWinner: no<"), ["failure dashed never"]);
    assert_eq!(class_of(">keepBidding: no<"), ["failure dashed never"]);
    // Nor is a way that goes on from a state nobody has been in.
    assert!(class_of(">if that fails<").iter().all(|it| it.ends_with("never")));
}

/// A run without a step is words and agents, without a chart; and a violated property is told in the heading.
#[test]
fn a_run_without_a_step_is_told_in_words() {
    let scene = "property they_meet : eventually !B receives m() from !A
    s[
        agent(!A, %a) = (waitfor m() <= agent(_, %b)) then m() => agent(_, %b)
        agent(!B, %b) = (waitfor m() <= agent(_, %a)) then m() => agent(_, %a)
    ]";
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    map_with(scene.as_bytes(), &["verify", "-", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    for part in [
        "verdict bad\">the property fails<",
        "class=\"run at-rest\"",
        "It cannot happen, whatever the agents do.",
        "<h4>!A</h4>",
    ] {
        assert!(page.contains(part), "{part:?} is not in the page");
    }
    assert!(!page.contains("data-steps=") && !page.contains("<svg class=\"map-chart"), "{page}");
}

const VARIABLES: &str = "property a_is_done : eventually
    done(!A) // in the end
memory %a { @n = 1 }
procedure next() = @n with @n := @n + 1
s[
    agent(!A, %a) = $x = next() then tell($x) => agent(_, %b) then waitfor never() <= agent(_, %b)
    agent(!B, %b) = (waitfor tell($y) <= agent($from, %a)) then agent(left, $y)
    agent(!B, %b, left, $z) = waitfor never($z) <= agent(_, %a)
]
// \u{202e}this comment turns around\u{2066}";

/// Formulas stand beside the names of properties, variables beside cells and mailboxes; nothing turns the text around.
#[test]
fn a_report_shows_formulas_and_variables() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    map_with(VARIABLES.as_bytes(), &["verify", "-", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    for part in [
        "<code>a_is_done</code><code class=\"formula\">eventually done(!A)</code>",
        "<dt>$x</dt><dd>1</dd><dt>@n</dt><dd>2</dd>",
        "<dt class=\"clause\">in agent(!B, %b, left, $z)</dt><dt>$z</dt><dd>1</dd>",
        "// \\u{202e}this comment turns around\\u{2066}",
    ] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    assert!(!page.contains(['\u{202e}', '\u{2066}']));
    looks_well(&page, None);
}

#[test]
fn what_a_user_wrote_stays_text() {
    let scene = "s[ agent(!A, %a) = \"</script><img>\" => agent(!B, %b)";
    map_with(scene.as_bytes(), &["verify", "-", "--report", "/nonexistent/x.html"]).exits(2);
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    let scene = "s[ agent(!A, %a) = say(\"</script><img>\", \"<b>&\") => agent(!B, %b) // <i>
        agent(!B, %b) = waitfor never() <= agent(_, %a) ]";
    map_with(scene.as_bytes(), &["verify", "-", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    assert!(page.contains("say(&quot;&lt;/script&gt;&lt;img&gt;&quot;, &quot;&lt;b&gt;&amp;&quot;)"));
    assert!(!page.contains("<img") && !page.contains("<b>") && !page.contains("<i>"));
    assert_eq!(page.matches("</script>").count(), 1);
}

#[test]
fn steps_without_a_part_are_marked() {
    let scene = "s[
        agent(!A, %a) = (waitfor m() <= agent(_, %b)) then m() => agent(_, %b)
        agent(!B, %b) = (waitfor m() <= agent(_, %a)) then m() => agent(_, %a)
        agent(!C, %c) = $x = p() then skip
    ]
    procedure p()";
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    map_with(scene.as_bytes(), &["verify", "-", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    assert_eq!(page.matches("class=\"step aside\"").count(), 1);
    assert!(page.contains("Steps in italics have no part in this."));
}

#[test]
fn every_weather_is_on_one_page() {
    let scene = "s[
        agent(!A, %a) = m() => agent(_, %b)
        agent(!B, %b) = waitfor m() <= agent(_, %a) ]
    property heard : eventually !B receives m() from _";
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("r.html").display().to_string();
    map_with(scene.as_bytes(), &["verify", "-", "--weather", "--report", &target]).exits(1);
    let page = fs::read_to_string(&target).expect("it was written");
    for weather in ["instant", "unordered", "delayed", "lossy:1", "crash:1", "timeouts any"] {
        assert!(page.contains(&format!("<code>{weather}</code>")), "{weather}");
    }
    // The rest is about the first weather in which something falls, and the step is marked with which it does.
    assert!(page.contains("lossy:1: deadlock") && page.contains("violates heard"));
}

#[test]
fn a_playground_is_put_into_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (playground, other, report) = (path("p.html"), path("o.html"), path("r.html"));
    fs::write(&playground, map_render::report::GIVEN).expect("it can be written");
    fs::write(&other, "<p>another page</p>").expect("it can be written");
    let auction = [&["verify"], &AUCTION[..], &["--report", &report]].concat();
    map(&[&auction[..], &["--live", &playground]].concat()).exits(1);
    let page = fs::read_to_string(&report).expect("it was written");
    // Everything in it is escaped, and nothing of it is there without the flag.
    assert!(
        page.contains("data-page=\"&lt;script type=&quot;application/json&quot; id=&quot;given&quot;&gt;")
    );
    assert!(page.contains("data-flags=\"--agents bidder=2 --rounds bidloop=2\""));
    assert!(page.contains("data-choices=\"0.0.act ") && page.contains("Go on from here"));
    map(&auction).exits(1);
    let page = fs::read_to_string(&report).expect("it was written");
    assert!(["data-page", "data-choices", "wasm"].iter().all(|it| !page.contains(it)));

    map(&[&auction[..], &["--live", &other]].concat()).exits(2).err_has("this is no playground");
    map(&[&auction[..], &["--live", &path("none")]].concat()).exits(2).err_has("none");
    map(&["verify", AUCTION[0], "--report", &playground, "--live", &playground])
        .exits(2)
        .err_has("would be lost");
    map(&["verify", AUCTION[0], "--live", &playground]).exits(2).err_has("--report");
    let any = ["verify", AUCTION[0], "--agents", "bidder=any", "--report", &report, "--live", &playground];
    map(&any).exits(2).err_has("--live is for a number of agents");
}

#[test]
fn wrong_targets_are_told_before_the_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("a.map").display().to_string();
    fs::write(&source, FINE).expect("it can be written");
    map(&["verify", &source, "--report", &source]).exits(2).err_has("this is a file to be read");
    map(&["verify", &source, "--report", "-"]).exits(2).err_has("the name of a file");
    map(&["verify", &source, &source, "--report", "x.html"]).exits(2).err_has("for one file");
    assert_eq!(fs::read_to_string(&source).expect("it is there"), FINE);
}

/// A run of thousands of steps, so that there is much to write.
const LONG: &str = "memory %a { @n = 0 }
decision more() | @n < 1500 = yes with @n := @n + 1
s[
    agent(!A, %a) = agent(loop)
    agent(!A, %a, loop) = $x = more() then m($x) => agent(_, %b) then (waitfor m() <= agent(_, %b)) then agent(loop)
    agent(!B, %b) = (waitfor m($x) <= agent(_, %a)) then m() => agent(_, %a) then agent()
]";

/// Ctrl-C, once or twice, at any moment: the report is there as a whole, the old one or the new one, and nothing beside
/// it.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_half_written() {
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (scene, target) = (path("long.map"), path("report.html"));
    fs::write(&scene, LONG).expect("it can be written");
    let started = Instant::now();
    map(&["verify", &scene, "--report", &target]).exits(1);
    let all = started.elapsed();
    let whole = |page: &str| page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n");
    assert!(whole(&fs::read_to_string(&target).expect("it was written")));
    let mut interrupted = 0;
    for quarter in 1..=4 {
        for twice in [false, true] {
            fs::write(&target, "old").expect("it can be written");
            let mut child = super::command(&["verify", &scene, "--report", &target])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the binary runs");
            let interrupt = || Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            std::thread::sleep(all * quarter / 4);
            let mut sent = interrupt();
            if twice {
                std::thread::sleep(Duration::from_millis(310));
                sent = interrupt();
            }
            assert!(sent.is_ok());
            let code = child.wait().expect("it ends").code();
            // Without a code it was killed before it listened for signals.
            assert!(matches!(code, None | Some(1 | 130)), "{code:?}");
            interrupted += usize::from(code != Some(1));
            let page = fs::read_to_string(&target).expect("it is there");
            assert!(page == "old" || whole(&page), "{quarter} {twice}: {}", page.len());
            assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 2, "{quarter} {twice}");
        }
    }
    assert!(interrupted > 0);
}

/// Opens a page in a frame of that width, lets the probe look at it, and returns what it says.
fn probed(page: &str, width: u32) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let probe = format!("<head><script>{PROBE}</script>");
    fs::write(folder.path().join("page.html"), page.replacen("<head>", &probe, 1))
        .expect("it can be written");
    let frame = format!(
        "<pre id=\"result\"></pre><script>addEventListener('message', (it) => \
         document.getElementById('result').textContent = it.data)</script>\
         <iframe src=\"page.html\" width=\"{width}\" height=\"844\" style=\"border: 0\"></iframe>"
    );
    let outer = folder.path().join("frame.html");
    fs::write(&outer, frame).expect("it can be written");
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--window-size=1400,1000",
        "--virtual-time-budget=4000",
        "--dump-dom",
    ];
    let mut chromium = Command::new("chromium");
    chromium.args(flags).arg(format!("--user-data-dir={}", folder.path().join("profile").display()));
    chromium.arg(format!("file://{}", outer.display()));
    let Ok(output) = chromium.stdin(Stdio::null()).output() else {
        assert!(std::env::var_os("MAP_REQUIRE_CHROMIUM").is_none(), "there is no chromium: install it");
        eprintln!("skipped: there is no chromium (Debian package chromium)");
        return None;
    };
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let result = dom.split("<pre id=\"result\">").nth(1).and_then(|it| it.split("</pre>").next());
    Some(result.unwrap_or_else(|| panic!("{dom}\n{}", String::from_utf8_lossy(&output.stderr))).to_owned())
}

/// Fails unless a page is all right at two widths: see `probe.js`.
pub(super) fn looks_well(page: &str, stepped: Option<&str>) {
    for width in [1280, 390] {
        let Some(result) = probed(page, width) else { return };
        let width_is = format!("\"width\":{width}");
        for part in ["\"errors\":[]", "\"overlaps\":[]", "\"drawn\":[]", "\"wide\":0", &width_is] {
            assert!(result.contains(part), "{width}: no {part} in {result}");
        }
        if let Some(stepped) = stepped {
            assert!(result.contains(stepped), "{width}: no {stepped} in {result}");
        }
    }
}

/// What is looked for is found where it is wrong.
#[test]
fn the_probe_sees_what_is_wrong() {
    let svg = |text: &str| format!("<svg width=\"300\" height=\"50\">{text}</svg>");
    let apart = svg("<text x=\"5\" y=\"20\">one</text><text x=\"5\" y=\"40\">two</text>");
    let over = svg("<text x=\"5\" y=\"20\">one</text><text x=\"15\" y=\"25\">two</text>");
    let page = |body: &str| format!("<!DOCTYPE html><html><head></head><body>{body}</body></html>");
    let looked_at = |body: &str| probed(&page(body), 390);
    let Some(fine) = looked_at(&apart) else { return };
    assert!(fine.contains("\"drawn\":[]") && fine.contains("\"wide\":0"), "{fine}");
    let wrong = |body: &str, part: &str| {
        let found = looked_at(body).unwrap_or_default();
        assert!(!found.contains(part), "{found}");
    };
    wrong(&over, "\"drawn\":[]");
    wrong("<p style=\"width: 600px\">wide</p>", "\"wide\":0");
    wrong("<p>one</p><p style=\"margin-top: -2.4em\">two</p>", "\"overlaps\":[]");
    wrong("<script>nothing.there()</script>", "\"errors\":[]");
}

/// At the width of a desk and of a telephone: no error is reported, no text lies on another, nothing sticks out, and
/// keys, buttons and clicks lead where they say, with the line of the source.
#[test]
fn chromium_shows_a_counterexample() {
    let page = page(&AUCTION, 1);
    // Step, current rows, views, line of the source: by keys, by a button, and by clicks on rows of the chart.
    let steps =
        [(9, 26), (8, 25), (0, 0), (1, 13), (2, 14), (1, 13), (2, 14), (5, 38), (1, 13), (9, 26), (9, 26)];
    let noted = steps.map(|(step, line)| {
        let line = if line == 0 { String::new() } else { line.to_string() };
        format!("\"{step} of 9; {}; 111; line {line}\"", u8::from(step > 0))
    });
    let stepped = format!("\"stepped\":[{}]", noted.join(","));
    looks_well(&page, Some(&stepped));
}

#[test]
fn chromium_shows_what_holds_and_what_nobody_knows() {
    looks_well(&page(&["auction.map", "--rounds", "bidloop=2"], 0), Some("\"stepped\":[]"));
    let inconclusive = ["auction.map", "--agents", "bidder=3", "--max-states", "40"];
    looks_well(&page(&inconclusive, 4), Some("\"stepped\":[]"));
}
