//! A run to step through.

use super::{History, Run, Step, View, scrolled};
use crate::chart::{fold, svg};
use crate::markup::Element;

/// Charts with more rows are folded.
const MAX_ROWS: usize = 400;

/// Draws the run with that index. If the report is live, one can go on from its steps.
pub(super) fn draw(index: usize, run: &Run, is_live: bool) -> Element {
    let count = run.steps.len();
    let id = format!("run-{index}");
    let folded;
    let chart = if run.chart.rows.len() > MAX_ROWS {
        folded = fold::usual(&run.chart, MAX_ROWS);
        &folded
    } else {
        &run.chart
    };
    let agents = Element::new("div").with("data-part", "agents").children(run.agents.iter().map(history));
    let explanation = Element::new("pre").with("data-part", "explanation").text(&run.explanation);
    if count == 0 {
        return Element::new("article")
            .with("class", "run at-rest")
            .with("aria-labelledby", &id)
            .child(Element::new("h3").with("id", &id).text(&run.title))
            .child(explanation)
            .child(agents);
    }
    let parts = [
        explanation,
        scrolled("div", "Chart").with("data-part", "chart").child(svg::draw(chart)),
        controls(count, is_live).with("data-part", "controls"),
        // The script fills it with the lines of the dialogue.
        scrolled("div", "Source").with("data-part", "listing"),
        scrolled("div", "Story").with("data-part", "story").child(story(run)),
        agents,
    ];
    let article = Element::new("article")
        .with("class", "run")
        .with("tabindex", 0)
        .with("data-steps", count)
        .with("aria-labelledby", &id);
    let article = if is_live { with_choices(article, run) } else { article };
    article
        .child(Element::new("h3").with("id", &id).text(&run.title))
        .child(Element::new("div").with("class", "parts").children(parts))
}

/// What a playground needs to take the steps of a run.
fn with_choices(article: Element, run: &Run) -> Element {
    let initial: Vec<String> = run.initial.iter().map(u32::to_string).collect();
    article.with("data-initial", initial.join(" ")).with("data-choices", run.choices.join(" "))
}

fn controls(count: usize, is_live: bool) -> Element {
    let button = |what: &'static str, sign: &'static str, label: &'static str| {
        Element::new("button")
            .with("type", "button")
            .with("data-go", what)
            .with("aria-label", label)
            .with("title", label)
            .text(sign)
    };
    Element::new("div")
        .with("class", "controls")
        .with("role", "group")
        .with("aria-label", "Steps")
        .child(button("first", "|◀", "Beginning (Home)"))
        .child(button("back", "◀", "One step back (left arrow)"))
        .child(Element::new("output").with("class", "at").text(format!("{count} of {count}")))
        .child(button("on", "▶", "One step on (right arrow)"))
        .child(button("last", "▶|", "End (End)"))
        .children(is_live.then(|| {
            Element::new("button").with("type", "button").with("data-go", "live").text("Go on from here")
        }))
        .child(
            Element::new("p").with("class", "hint").text(
                "Step with ← and →, go to the beginning or the end with Home and End, or click a step.",
            ),
        )
        .child(Element::new("p").with("class", "sentence").with("aria-live", "polite"))
}

fn story(run: &Run) -> Element {
    let step = |(index, step): (usize, &Step)| {
        let item = match run.relevant.get(index) {
            Some(false) => {
                Element::new("li").with("class", "step aside").with("title", "no part in how this ends")
            }
            _ => Element::new("li").with("class", "step"),
        };
        let item = item.with("data-line", step.line).text(&step.sentence).text(" ");
        let item = item.child(Element::new("span").with("class", "place").text(&step.place));
        if run.repeated_from == Some(index) {
            item.with("data-repeated", "these steps are repeated for ever:")
        } else {
            item
        }
    };
    let steps = run.steps.iter().enumerate().map(step);
    Element::new("ol").with("class", "story").children(steps)
}

fn history(history: &History) -> Element {
    let views = history.views.iter().map(|(from, view)| drawn(view).with("data-from", from));
    Element::new("section")
        .with("class", "agent")
        .with("aria-label", &history.name)
        .child(Element::new("h4").text(&history.name))
        .children(views)
}

fn drawn(view: &View) -> Element {
    let pair = |(name, value): (&str, &str)| [Element::new("dt").text(name), Element::new("dd").text(value)];
    let pairs = |list: &[(String, String)]| -> Vec<Element> {
        list.iter().flat_map(|(name, value)| pair((name, value))).collect()
    };
    let clause = |head: &str| Element::new("dt").with("class", "clause").text(head);
    let variables = view.variables.iter().flat_map(|(head, bound)| {
        let bound = pairs(bound);
        std::iter::once(clause(head)).chain(bound).collect::<Vec<_>>()
    });
    let messages = match view.mailbox.as_slice() {
        [] => vec![Element::new("dd").with("class", "empty").text("empty")],
        messages => messages.iter().map(|it| Element::new("dd").text(it)).collect(),
    };
    let list = Element::new("dl")
        .children(variables)
        .children(pairs(&view.memory))
        .child(Element::new("dt").text("mailbox"))
        .children(messages);
    let places: Vec<String> = view.places.iter().map(usize::to_string).collect();
    let drawn = Element::new("div").with("class", "view").with("data-places", places.join(" "));
    drawn.child(Element::new("p").text(&view.place)).child(list)
}
