//! Layouts of random charts: no text covers another, and none leaves the picture.

use map_ir::{AgentId, SourceSpan};

use super::{Act, Chart, Ended, Fate, Lifeline, MessageCopy, Row, Wait, What, fold, svg, text};
use crate::measure::width;

/// A small generator with a fixed algorithm (G. Marsaglia, *Xorshift RNGs*, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most
    }

    fn words(&mut self) -> String {
        let words = [
            "m()",
            "bid(5)",
            "offer(\"日本語\", !Bidder12)",
            "a_very_long_name_without_end(1, 2, 3, \"and more\")",
        ];
        words[self.below(words.len())].to_owned()
    }
}

/// A random chart of the kind that a recorder could build.
fn random(seed: u64, agents: usize, rows: usize) -> Chart {
    let mut random = Random(seed * 2_654_435_761 + 1);
    let lifeline = |index: usize| Lifeline {
        name: format!("!Agent{index}"),
        role: "%some_role".to_owned(),
        end: None,
        unread: Vec::new(),
    };
    let mut chart = Chart {
        scene: "random".to_owned(),
        lifelines: (0..agents).map(lifeline).collect(),
        rows: Vec::new(),
        copies: Vec::new(),
        repeated_from: (random.below(3) == 0).then(|| random.below(rows)),
        waits: Vec::new(),
    };
    for index in 0..rows {
        let number = index as u64 + 1;
        let running: Vec<usize> = (0..agents).filter(|&it| chart.lifelines[it].end.is_none()).collect();
        let Some(&agent) = running.get(random.below(running.len().max(1))) else { break };
        let unread: Vec<usize> = (0..chart.copies.len())
            .filter(|&it| chart.copies[it].to.index() == agent && chart.copies[it].fate == Fate::Unread)
            .collect();
        let act = match random.below(6) {
            0 | 1 if agents > 1 => {
                let label = random.words();
                let first = chart.copies.len();
                for to in (0..agents).filter(|&it| it != agent) {
                    let fate = match (chart.lifelines[to].end, random.below(8)) {
                        (_, 0..4) => continue,
                        (Some(_), _) => Fate::Dropped,
                        (None, 4) => Fate::Lost,
                        (None, _) => Fate::Unread,
                    };
                    let (from, to) = (AgentId::new(agent), AgentId::new(to));
                    let copy =
                        MessageCopy { from, to, label: label.clone(), sent: index, step: number, fate };
                    chart.copies.push(copy);
                }
                if first == chart.copies.len() {
                    Act::Move
                } else {
                    Act::Send((first..chart.copies.len()).collect())
                }
            }
            2 | 3 if !unread.is_empty() => {
                let copy = unread[random.below(unread.len())];
                chart.copies[copy].fate = Fate::Received(index);
                Act::Receive(Some(copy), chart.copies[copy].label.clone())
            }
            4 => Act::Timeout,
            5 => Act::Move,
            _ => Act::Ask(format!("ask({}) → 7", random.words())),
        };
        let notes = (0..random.below(3)).map(|_| format!("@cell := {}", random.words())).collect();
        let ends = [None, None, None, None, None, Some(Ended::Done), Some(Ended::Failed)][random.below(7)];
        if let Some(how) = ends {
            chart.lifelines[agent].end = Some((how, Some(index)));
        }
        let what =
            What::Step { agent: AgentId::new(agent), thread: None, act, span: SourceSpan::default(), ends };
        chart.rows.push(Row { first: number, last: number, what, notes, wrong: None });
    }
    for agent in 0..agents {
        if chart.lifelines[agent].end.is_none() && random.below(2) == 0 {
            let on =
                (0..agents).filter(|&it| it != agent && random.below(2) == 0).map(AgentId::new).collect();
            chart.waits.push(Wait { agent: AgentId::new(agent), what: random.words(), on });
        }
    }
    chart
}

/// A text of a picture and its bounding box.
struct Placed {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    text: String,
}

/// The value of an attribute.
fn attribute<'e>(element: &'e str, name: &str) -> Option<&'e str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn texts(picture: &str) -> Vec<Placed> {
    let number = |element: &str, name: &str| -> f64 {
        attribute(element, name).and_then(|it| it.parse().ok()).expect("a text has a place")
    };
    let texts = picture.split("<text ").skip(1);
    texts
        .map(|rest| {
            let (element, rest) = rest.split_once('>').expect("tags end");
            let element = format!(" {element}");
            let said = rest.split_once('<').expect("elements end").0;
            let said = said.replace("&quot;", "\"").replace("&gt;", ">");
            let (x, y) = (number(&element, "x"), number(&element, "y"));
            let wide = width(&said) as f64 * 7.3;
            let left = match attribute(&element, "text-anchor") {
                Some("end") => x - wide,
                Some(_) => x - wide / 2.0,
                None => x,
            };
            Placed { left, right: left + wide, top: y - 9.0, bottom: y + 3.0, text: said }
        })
        .collect()
}

#[test]
fn no_text_covers_another() {
    for seed in 0..150 {
        let chart = random(seed, 1 + seed as usize % 9, 40);
        let picture = svg::draw(&chart).to_string();
        let (wide, high) = (attribute(&picture, "width"), attribute(&picture, "height"));
        let (wide, high): (f64, f64) = (
            wide.and_then(|it| it.parse().ok()).expect("a width"),
            high.and_then(|it| it.parse().ok()).expect("a height"),
        );
        let texts = texts(&picture);
        for (index, a) in texts.iter().enumerate() {
            assert!(
                a.left >= 0.0 && a.right <= wide && a.bottom <= high,
                "seed {seed}: {} leaves {wide} x {high}",
                a.text
            );
            for b in &texts[..index] {
                let apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
                assert!(apart, "seed {seed}: {} and {}", a.text, b.text);
            }
        }
    }
}

#[test]
fn lines_of_text_are_not_wider() {
    for seed in 0..150 {
        let chart = random(seed, 1 + seed as usize % 20, 40);
        for line in text::draw(&chart, 80).lines() {
            assert!(width(line) <= 80, "seed {seed}: {line}");
        }
    }
}

/// However a chart is folded, its copies refer to the right rows, and every step is accounted for.
#[test]
fn folds_account_for_every_step() {
    for seed in 0..100 {
        let chart = random(seed, 3, 60);
        let relevant: Vec<bool> = (0..chart.rows.len()).map(|row| row % 5 != 0 && row % 7 != 3).collect();
        for folded in [fold::middle(&chart, 20), fold::irrelevant(&chart, &relevant), fold::usual(&chart, 30)]
        {
            let mut next = 1;
            for row in &folded.rows {
                assert_eq!(row.first, next, "seed {seed}");
                next = row.last + 1;
                if let Some(Act::Send(copies)) = row.act() {
                    assert!(copies.iter().all(|&copy| folded.copies[copy].step == row.first), "seed {seed}");
                }
                if let Some(Act::Receive(Some(copy), label)) = row.act() {
                    assert_eq!(folded.copies[*copy].label, *label, "seed {seed}");
                }
            }
            assert_eq!(next as usize, chart.rows.len() + 1, "seed {seed}");
            for copy in &folded.copies {
                let sent = &folded.rows[copy.sent];
                assert!((sent.first..=sent.last).contains(&copy.step), "seed {seed}");
            }
            assert!(svg::draw(&folded).to_string().starts_with("<svg"));
        }
    }
}
