//! Tests of the grammar rule by rule, of recovery, and of deliberately broken texts.

mod bodies;
mod body_limits;
mod broken;
mod broken_bodies;
mod broken_habits;
mod broken_properties;
mod expressions;
mod fixes;
mod formulas;
mod grammar;
mod holes;
mod limits;
mod recovery;
mod robust;
mod stack;
mod values;

use map_diagnostics::{SourceFile, render};

use crate::{ParsedFile, parse};

/// A file that uses every rule of the grammar.
const SAMPLE: &str = r#"// Every rule of the grammar.
cast %bidder = 3
procedure getValue()
decision keepBidding($bid, $limit)
auction[
  agent(!Auctioneer, %auctioneer) =
    $price = getValue() then start($price, "a\t\"lot\"\n", -3) => agent(_, %bidder) then agent(loop, $price)
  agent(!Auctioneer, %auctioneer, loop, $p) = /* again
    and again */
    waitfor (bid($v) <= agent($b, %bidder) then ok() => agent($b, %bidder) or ε)
    timeout skip then gone(!Auctioneer) => agent(agentx, _)
    or fail par skip
  agent($self, %bidder) = waitfor waitfor start($p, _, _) <= agent(!Auctioneer, %auctioneer) timeout (skip) timeout fail
]
cast[ agent(!A, %a) = agent() ]
cast !A = 1
"#;

/// A file that uses every rule of memories, procedures and expressions.
const BODIES: &str = r#"// Every rule of memories and bodies.
memory %auctioneer { @price = 10, @leader = nobody, @me = self, @low = -3, @who = !Bidder, @whose = %bidder, @text = "a	b" }
procedure getValue() = @price
procedure getWinner() /* in ( */
  = @leader
decision recordBid($bidder, $bid)
  | $bid == @price = $bid + 5 with @price := $bid + 5, @leader := $bidder
  | not ($bid < @price or $bid != 3) and self == @me = in {1, -2, name, !Bidder, %bidder, "s"}
  | $bid * 2 / 3 mod 4 - 1 >= min(@low, $bid) + max(1, (2)) = if $bid > 3 and 1 <= 2 then a else b with @low := $bid-1
  = in 1..5
procedure any() in -3..3 decision some() in %bidder procedure id($x) fresh
memory %bidder { @cell = self }
decision one($a, $b) in { one }
procedure last() = in %bidder
auction[
  agent(!Auctioneer, %auctioneer) = $price = getValue() then start($price) => agent(_, %bidder)
  agent($self, %bidder) = waitfor start($p) <= agent(!Auctioneer, %auctioneer)
]
"#;

/// A file that uses every rule of properties.
const PROPERTIES: &str = r#"property one : always not (!A in loop and !A@cell != "s") or ended
property two : forall $x in %r : exists $y in %r : $x sends m($y, _, -3, a) to _ leadsto $y receives m() from $x
property three : count($x in %r : done($x) or failed($x)) <= mailbox(!A) implies never waiting(!A) implies next ended
property four : possible sequence _ asks p ; !A answers p no ; !A answers p yes ; !A times out property five : possible ended
property six : (eventually 3 >= !A@cell) and (not ended until !A == $x)
s[ agent(!A, %r) = skip ]
"#;

fn parse_text(text: &str) -> ParsedFile {
    parse(&SourceFile::new("test.map", text))
}

/// The codes reported for a text.
fn codes(text: &str) -> Vec<&'static str> {
    parse_text(text).diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// The diagnostics about a text, rendered without colours.
fn rendered(text: &str) -> String {
    let source = SourceFile::new("test.map", text);
    let drawn: String =
        parse(&source).diagnostics.iter().map(|diagnostic| render(&source, diagnostic)).collect();
    let mut plain = String::new();
    let mut rest = drawn.as_str();
    while let Some(start) = rest.find('\u{1b}') {
        plain.push_str(&rest[..start]);
        rest = rest[start..].find('m').map_or("", |end| &rest[start + end + 1..]);
    }
    plain.push_str(rest);
    plain.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
