//! Pages of the documentation as tests see them: fenced blocks, each with the remarks in the comment above it.
//!
//! A comment `<!-- key: value; key: value -->` on the line before a fence says how to treat the block:
//!
//! | key | meaning |
//! |---|---|
//! | `file` | the block is the content of a file of this name |
//! | `append` | it is put at the end of the file |
//! | `expect` | for MAP texts: `ok`, or the code of the error that the file then has |
//! | `needs` | programs without which a console block is passed over |
//! | `not run` | why nobody executes it |
//!
//! A comment with the key `copy` may stand anywhere and lists paths to copy into the folder in which the page's
//! commands run.

use std::collections::BTreeMap;
use std::ops::Range;

/// The remarks in the comment above a block.
pub type Remarks = BTreeMap<String, String>;

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The word after the opening fence, such as `map`; may be empty.
    pub language: String,
    /// The remarks on the line before; empty if there are none.
    pub remarks: Remarks,
    /// The lines between the fences, as indices into the page, from 0.
    pub body: Range<usize>,
}

/// A page with its blocks.
#[derive(Clone, Debug)]
pub struct Page {
    /// All lines, without line breaks.
    pub lines: Vec<String>,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The words of all `copy` comments.
    pub copied: Vec<String>,
    /// Lines, from 1, with remarks but no block below.
    pub stray: Vec<usize>,
}

impl Page {
    /// Parses a page. An unclosed fence extends to the end.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
        let mut page = Self { lines: Vec::new(), blocks: Vec::new(), copied: Vec::new(), stray: Vec::new() };
        let mut above = Remarks::new();
        let mut at = 0;
        while at < lines.len() {
            let remarks = std::mem::take(&mut above);
            if let Some(language) = lines[at].trim_start().strip_prefix("```") {
                let end = lines[at + 1..].iter().position(|line| line.trim_start() == "```");
                let end = end.map_or(lines.len(), |length| at + 1 + length);
                let body = at + 1..end;
                page.blocks.push(Block { line: at + 1, language: language.to_owned(), remarks, body });
                at = end;
            } else {
                if !remarks.is_empty() {
                    page.stray.push(at);
                }
                above = comment(&lines[at]);
                if let Some(paths) = above.remove("copy") {
                    page.copied.extend(paths.split_whitespace().map(str::to_owned));
                }
            }
            at += 1;
        }
        if !above.is_empty() {
            page.stray.push(lines.len());
        }
        page.lines = lines;
        page
    }

    /// The text of a block, each line with a line break.
    #[must_use]
    pub fn text(&self, block: &Block) -> String {
        self.lines[block.body.clone()].iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The remarks of a line that is a comment containing only remarks; otherwise empty.
fn comment(line: &str) -> Remarks {
    let inner = line.trim_start().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
    let parts = inner.into_iter().flat_map(|inner| inner.split("; "));
    let remarks: Option<Remarks> = parts
        .map(|part| part.split_once(": ").map(|(key, value)| (key.to_owned(), value.to_owned())))
        .collect();
    remarks.unwrap_or_default()
}

/// The files that a reader following the page has written so far.
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// Applies the remarks of a block. Returns the name and the new text of the file; `None` if the block is not part
    /// of a file.
    pub fn follow(&mut self, page: &Page, block: &Block) -> Option<(&str, &str)> {
        let (name, text) = if let Some(name) = block.remarks.get("append") {
            (name, self.0.get(name).cloned().unwrap_or_default() + "\n" + &page.text(block))
        } else {
            (block.remarks.get("file")?, page.text(block))
        };
        self.0.insert(name.clone(), text);
        self.0.get_key_value(name).map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, Page};

    const PAGE: &str = "\
# Title
<!-- copy: protocols examples -->
Text.
<!-- file: a.map; expect: ok -->
```map
one
```
<!-- append: a.map; expect: MAP001 -->
```map
two
```
```console
$ map check a.map
<!-- file: no.map -->
```
<!-- expect: ok -->
end";

    #[test]
    fn blocks_and_what_is_said_of_them() {
        let page = Page::read(PAGE);
        assert_eq!(page.copied, ["protocols", "examples"]);
        let seen: Vec<(usize, &str, usize)> =
            page.blocks.iter().map(|it| (it.line, it.language.as_str(), it.remarks.len())).collect();
        assert_eq!(seen, [(5, "map", 2), (9, "map", 2), (12, "console", 0)]);
        assert_eq!(page.stray, [16], "the last comment has no block below");
        assert_eq!(page.text(&page.blocks[2]), "$ map check a.map\n<!-- file: no.map -->\n");
    }

    #[test]
    fn a_fence_that_is_not_closed() {
        let page = Page::read("```map\nx");
        assert_eq!(page.text(&page.blocks[0]), "x\n");
    }

    #[test]
    fn files_grow() {
        let page = Page::read(PAGE);
        let mut files = Files::default();
        assert_eq!(files.follow(&page, &page.blocks[0]), Some(("a.map", "one\n")));
        assert_eq!(files.follow(&page, &page.blocks[1]), Some(("a.map", "one\n\ntwo\n")));
        assert_eq!(files.follow(&page, &page.blocks[2]), None);
    }
}
