//! The blocks of figures in a page.

const MARK: &str = "<!-- not run: measured -->\n";
const RARE_MARK: &str = "<!-- not run: measured once -->\n";
const FENCE: &str = "```text\n";

/// A block of figures.
pub(super) struct Block {
    /// What printed it.
    pub(super) command: String,
    /// What it printed then.
    pub(super) body: String,
    /// Whether it takes hours.
    pub(super) rare: bool,
    /// The first line in the fence, without its `# `.
    heading: String,
}

/// The blocks of a page, in order.
///
/// # Errors
/// A mark without a fence, or a fence whose first line does not say when, of which commit, where and by which command.
pub(super) fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    for (mark, rare) in [(MARK, false), (RARE_MARK, true)] {
        for rest in page.split(mark).skip(1) {
            let fence = rest.strip_prefix(FENCE).ok_or("a mark `measured` without a fence below it")?;
            let (inside, _) = fence.split_once("\n```").ok_or("a fence without an end")?;
            let (heading, body) = inside.split_once('\n').unwrap_or((inside, ""));
            let heading = heading.strip_prefix("# ").unwrap_or_default();
            let command = heading.split_once(": ").map(|(_, command)| command).filter(|_| {
                let mut parts = heading.split(", ");
                parts.next().is_some_and(is_date)
                    && parts.next().is_some_and(|part| part.starts_with("commit "))
            });
            let command = command.ok_or_else(|| {
                format!("`# {heading}` does not read `# DATE, commit COMMIT, MACHINE: COMMAND`")
            })?;
            blocks.push(Block {
                command: command.to_owned(),
                body: body.to_owned(),
                rare,
                heading: heading.to_owned(),
            });
        }
    }
    Ok(blocks)
}

/// Whether a text reads as 2026-11-27 does.
fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .char_indices()
            .all(|(at, sign)| if at == 4 || at == 7 { sign == '-' } else { sign.is_ascii_digit() })
}

/// The page with a block replaced.
pub(super) fn with_block(page: &str, block: &Block, heading: &str, printed: &str) -> String {
    let was = format!("{FENCE}# {}\n{}\n```", block.heading, block.body);
    page.replace(&was, &format!("{FENCE}# {heading}\n{}\n```", printed.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::{blocks, with_block};

    const PAGE: &str = "a\n<!-- not run: measured -->\n```text\n# 2026-11-27, commit 0123456789, a machine: command --flag: x\n\
                        1 2\n3 4\n```\nb\n";

    #[test]
    fn a_block_is_read_and_replaced() {
        let found = blocks(PAGE).expect("well formed");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].command.as_str(), found[0].body.as_str()), ("command --flag: x", "1 2\n3 4"));
        let expected = "a\n<!-- not run: measured -->\n```text\n# new\n5\n```\nb\n";
        assert_eq!(with_block(PAGE, &found[0], "new", "5\n"), expected);
    }

    #[test]
    fn a_block_without_a_date_or_commit_is_refused() {
        for wrong in
            ["yesterday, commit 0123456789, here: ls", "2026-11-27, here: ls", "2026-11-27, commit 01"]
        {
            assert!(
                blocks(&format!("<!-- not run: measured -->\n```text\n# {wrong}\n1\n```\n")).is_err(),
                "{wrong}"
            );
        }
        assert!(blocks("<!-- not run: measured -->\nfigures\n").is_err());
    }
}
