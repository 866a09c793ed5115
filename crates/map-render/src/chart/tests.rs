//! Layouts of random charts: no text covers another, none leaves the picture, and no line crosses one.

mod picture;

use map_ir::{AgentId, SourceSpan};

use self::picture::Picture;
use super::next::NextStep;
use super::{Act, AgentEnd, Chart, Fate, Lifeline, MessageCopy, Next, Row, Wait, What, fold, svg, text};
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
            "say(\"a text that goes on and on, longer than four lines have room for, however wide, so that its middle is cut\")",
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
        let ends =
            [None, None, None, None, None, Some(AgentEnd::Done), Some(AgentEnd::Failed)][random.below(7)];
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

/// A random chart, for every third seed shortened.
fn perhaps_folded(seed: u64) -> Chart {
    let chart = random(seed, 1 + seed as usize % 13, 40);
    match seed % 6 {
        0 => fold::middle(&chart, 20),
        1 => {
            let relevant: Vec<bool> = (0..chart.rows.len()).map(|row| row % 7 < 4).collect();
            fold::irrelevant(&chart, &relevant)
        }
        _ => chart,
    }
}

/// The picture of a random chart, for every fourth seed with what can happen next.
fn drawn(seed: u64) -> String {
    let mut chart = perhaps_folded(seed);
    if !seed.is_multiple_of(4) {
        return svg::draw(&chart).to_string();
    }
    (chart.repeated_from, chart.waits) = (None, Vec::new());
    svg::draw_with_next(&chart, &next(seed, chart.lifelines.len())).to_string()
}

/// Random steps that can follow.
fn next(seed: u64, agents: usize) -> Next {
    let other = random(seed + 1000, agents, 12);
    let step = |(index, row): (usize, &Row)| {
        let mut row = row.clone();
        let copies: Vec<MessageCopy> =
            other.copies.iter().filter(|copy| copy.sent == index).cloned().collect();
        if let What::Step { act, .. } = &mut row.what {
            match act {
                Act::Send(sent) => *sent = (0..copies.len()).collect(),
                Act::Receive(copy, _) => *copy = None,
                _ => {}
            }
        }
        let unread = copies.into_iter().map(|copy| match copy.fate {
            Fate::Received(_) => MessageCopy { fate: Fate::Unread, ..copy },
            _ => copy,
        });
        NextStep { row, copies: unread.collect() }
    };
    Next { steps: other.rows.iter().enumerate().map(step).collect(), hidden: seed as usize % 3 }
}

#[test]
fn no_text_covers_another() {
    for seed in 0..300 {
        let picture = Picture::of(&drawn(seed));
        for (index, a) in picture.texts.iter().enumerate() {
            let is_inside = a.area.left >= 0.0
                && a.area.right <= picture.width
                && a.area.top >= 0.0
                && a.area.bottom <= picture.height;
            assert!(is_inside, "seed {seed}: {} leaves {} x {}", a.text, picture.width, picture.height);
            for b in &picture.texts[..index] {
                assert!(!a.area.overlaps(&b.area), "seed {seed}: {} and {}", a.text, b.text);
            }
        }
    }
}

/// No arrow, no lifeline and no mark touches a text. What passes behind the box of folded steps is not seen.
#[test]
fn no_line_crosses_a_text() {
    let mut lines = 0;
    for seed in 0..300 {
        let picture = Picture::of(&drawn(seed));
        lines += picture.lines.len();
        for text in &picture.texts {
            let covered_until =
                picture.boxes.iter().filter(|(area, _)| area.contains(&text.area)).map(|it| it.1);
            let seen_from = covered_until.max().unwrap_or(0);
            let crossing = picture.lines.iter().find(|it| it.order >= seen_from && it.crosses(&text.area));
            assert!(crossing.is_none(), "seed {seed}: {crossing:?} crosses {} at {:?}", text.text, text.area);
        }
    }
    assert!(lines > 50_000, "{lines}");
}

/// The arrow of a message ends at its recipient's lifeline, at the height at which it is received.
#[test]
fn arrows_lead_to_their_recipients() {
    let mut chart = random(7, 2, 1);
    chart.repeated_from = None;
    chart.waits.clear();
    let (a, b) = (AgentId::new(0), AgentId::new(1));
    let copy = |label: &str, sent: usize, received: usize| MessageCopy {
        from: a,
        to: b,
        label: label.to_owned(),
        sent,
        step: sent as u64 + 1,
        fate: Fate::Received(received),
    };
    chart.copies = vec![copy("first()", 0, 3), copy("second()", 1, 2)];
    let acts = [
        (a, Act::Send(vec![0])),
        (a, Act::Send(vec![1])),
        (b, Act::Receive(Some(1), "second()".to_owned())),
        (b, Act::Receive(Some(0), "first()".to_owned())),
    ];
    let row = |(index, (agent, act)): (usize, (AgentId, Act))| Row {
        first: index as u64 + 1,
        last: index as u64 + 1,
        what: What::Step { agent, thread: None, act, span: SourceSpan::default(), ends: None },
        notes: Vec::new(),
        wrong: None,
    };
    chart.rows = acts.into_iter().enumerate().map(row).collect();
    let drawn = svg::draw(&chart).to_string();
    // The message that is overtaken takes the lane; the other one, received at once, is straight.
    assert_eq!(drawn.matches("<polyline class=\"arrow\"").count(), 1, "{drawn}");
    assert_eq!(drawn.matches("<line class=\"arrow\"").count(), 1, "{drawn}");
    let picture = Picture::of(&drawn);
    let height = |number: &str| {
        let text = picture.texts.iter().find(|it| it.text == number).expect("rows are numbered");
        f64::midpoint(text.area.top, text.area.bottom) - 1.0
    };
    for number in ["3", "4"] {
        let tips = picture.tips.iter().filter(|tip| (tip.1 - height(number)).abs() < 0.2);
        assert_eq!(tips.count(), 1, "{number}: {:?} {}", picture.tips, height(number));
    }
}

/// What can happen next is drawn below what has happened, to all recipients, and changes nothing above.
#[test]
fn what_can_happen_next_is_below() {
    for seed in 0..50 {
        let mut chart = random(seed, 3, 10);
        (chart.repeated_from, chart.waits) = (None, Vec::new());
        let next = Next { hidden: 5, ..next(seed, 3) };
        let drawn = svg::draw_with_next(&chart, &next).to_string();
        let (happened, ahead) = drawn.split_once("data-next=\"1\"").expect("something can happen");
        assert_eq!(happened.matches("data-step=").count(), chart.rows.len(), "seed {seed}");
        assert_eq!(ahead.matches("data-next=").count(), next.steps.len() - 1, "seed {seed}");
        assert!(!ahead.contains("data-step=") && ahead.contains("data-more=\"5\""), "seed {seed}");
        let arrows = next.steps.iter().flat_map(|step| &step.copies).filter(|copy| copy.fate == Fate::Unread);
        assert!(ahead.matches("class=\"tip\"").count() >= arrows.count(), "seed {seed}");
        assert!(drawn.contains(&format!("<title>random: {} steps</title>", chart.rows.len())), "seed {seed}");
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
