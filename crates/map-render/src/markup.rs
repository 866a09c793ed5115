//! SVG and HTML as a tree of elements, printed with everything escaped.

use std::fmt::{self, Display, Formatter, Write};

use crate::measure::turns;

/// An element with its attributes and content.
#[derive(Debug, Clone)]
pub struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Node>,
}

#[derive(Debug, Clone)]
enum Node {
    Element(Element),
    Text(String),
    Raw(&'static str),
}

impl Element {
    /// An element without attributes or content.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), children: Vec::new() }
    }

    /// An `svg` element of a size in pixels, with a title, a style sheet, and a background rectangle of the class
    /// `page`.
    #[must_use]
    pub fn svg(class: &'static str, (width, height): (f64, f64), title: &str, style: &'static str) -> Self {
        Self::new("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("class", class)
            .with("viewBox", format!("0 0 {width} {height}"))
            .with("width", width)
            .with("height", height)
            .with("role", "img")
            .child(Self::new("title").text(title))
            .child(Self::new("style").raw(style))
            .child(Self::new("rect").with("class", "page").with("width", width).with("height", height))
    }

    /// Adds an attribute; its value is escaped when it is printed.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Display) -> Self {
        self.attributes.push((name, value.to_string()));
        self
    }

    /// Adds a child.
    #[must_use]
    pub fn child(mut self, child: Element) -> Self {
        self.children.push(Node::Element(child));
        self
    }

    /// Adds children, in order.
    #[must_use]
    pub fn children(mut self, children: impl IntoIterator<Item = Element>) -> Self {
        self.children.extend(children.into_iter().map(Node::Element));
        self
    }

    /// Adds text; it is escaped when it is printed.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.children.push(Node::Text(text.into()));
        self
    }

    /// Adds a style sheet or a script, printed verbatim. The lifetime keeps out anything that a user wrote.
    #[must_use]
    pub fn raw(mut self, text: &'static str) -> Self {
        self.children.push(Node::Raw(text));
        self
    }
}

/// The elements of HTML that have no end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];

impl Display for Element {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(out, " {name}=\"")?;
            escape(value, out)?;
            out.write_char('"')?;
        }
        out.write_char('>')?;
        if VOID.contains(&self.name) {
            return Ok(());
        }
        for child in &self.children {
            match child {
                Node::Element(element) => write!(out, "{element}")?,
                Node::Text(text) => escape(text, out)?,
                Node::Raw(text) => out.write_str(text)?,
            }
        }
        write!(out, "</{}>", self.name)
    }
}

/// Escapes `text` for element content and for attributes in double quotes. Characters that XML 1.0 does not allow at
/// all (section 2.2) become the replacement character. Those that change the direction of writing are written out, so
/// that no text looks like another (Boucher and Anderson, "Trojan Source", 2021).
fn escape(text: &str, out: &mut impl Write) -> fmt::Result {
    for character in text.chars() {
        match character {
            '&' => out.write_str("&amp;")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '"' => out.write_str("&quot;")?,
            '\'' => out.write_str("&#39;")?,
            '\t' | '\n' | '\r' => out.write_char(character)?,
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.write_char('\u{fffd}')?,
            _ if turns(character) => write!(out, "\\u{{{:x}}}", u32::from(character))?,
            _ => out.write_char(character)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Element;

    #[test]
    fn what_a_user_wrote_stays_text() {
        let element = Element::new("text")
            .with("class", "a\"b")
            .text("<script>&'\u{0}\u{202e}")
            .child(Element::new("br"));
        assert_eq!(
            element.to_string(),
            "<text class=\"a&quot;b\">&lt;script&gt;&amp;&#39;\u{fffd}\\u{202e}<br></text>"
        );
    }
}
