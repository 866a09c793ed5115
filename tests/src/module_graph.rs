//! Which modules of a crate use which others, read from its sources.
//!
//! Every module is seen among its siblings: a path from one of them, or from below it, to another one, or to below that,
//! is an edge between the two. A module and what is inside of it are one, as everywhere in Rust. Names that a module
//! hands on by `pub use` lead to where they come from. What is compiled for tests only is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use map_graph::strong_component_numbers;

use self::tokens::{Token, tokens};

mod tokens;

/// A module by its path from the root of the crate, which is the empty one.
type Module = Vec<String>;

/// Modules that use each other, directly or by way of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Whose children they are: the path of the module, with `::` between; empty for the root of the crate.
    pub parent: String,
    /// Their names.
    pub modules: Vec<String>,
    /// Which one uses which other one, and in which module.
    pub edges: Vec<(String, String, String)>,
}

/// The sources of a crate.
#[derive(Default)]
struct Sources {
    /// The paths that stand in each module.
    paths: BTreeMap<Module, Vec<Used>>,
}

/// A path as it is written, and the name it is handed on by, if it is.
struct Used {
    path: Vec<String>,
    exported: Option<String>,
}

/// The circles in a crate whose sources are in a folder.
///
/// # Panics
/// If the sources cannot be read.
#[must_use]
pub fn circles(source: &Path) -> Vec<Circle> {
    let mut sources = Sources::default();
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|it| it.is_file());
    sources.read(&root.expect("a crate has a root"), source, &Vec::new());
    // By parent, then by child: the children it uses, with one of the modules in which it does.
    let mut edges: BTreeMap<Module, BTreeMap<(String, String), String>> = BTreeMap::new();
    for (module, used) in &sources.paths {
        for used in used {
            let Some(absolute) = sources.absolute(module, &used.path) else { continue };
            let target = sources.resolve(&absolute, 0);
            let common = module.iter().zip(&target).take_while(|(one, other)| one == other).count();
            if let (Some(from), Some(to)) = (module.get(common), target.get(common)) {
                let siblings = edges.entry(module[..common].to_vec()).or_default();
                siblings.entry((from.clone(), to.clone())).or_insert_with(|| module.join("::"));
            }
        }
    }
    edges.into_iter().flat_map(|(parent, edges)| circles_of(&parent, &edges)).collect()
}

fn circles_of(parent: &[String], edges: &BTreeMap<(String, String), String>) -> Vec<Circle> {
    let names: Vec<&String> =
        edges.keys().flat_map(|(from, to)| [from, to]).collect::<BTreeSet<_>>().into_iter().collect();
    let number = |name: &String| names.binary_search(&name).expect("all names are listed");
    let mut lists = vec![Vec::new(); names.len()];
    for (from, to) in edges.keys() {
        lists[number(from)].push(number(to));
    }
    let component = strong_component_numbers(&lists);
    let mut members: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (name, &component) in names.iter().zip(&component) {
        members.entry(component).or_default().push((*name).clone());
    }
    let circles = members.into_values().filter(|modules| modules.len() > 1).map(|modules| {
        let inner = edges.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
        let edges = inner.map(|((from, to), at)| (from.clone(), to.clone(), at.clone())).collect();
        Circle { parent: parent.join("::"), modules, edges }
    });
    circles.collect()
}

impl Sources {
    /// Reads a module and those below it, whose files are in the folder.
    fn read(&mut self, file: &Path, folder: &Path, module: &Module) {
        let text = std::fs::read_to_string(file).expect("sources are UTF-8");
        let found = Found::of(&tokens(&text));
        self.paths.insert(module.clone(), found.used);
        for child in found.children {
            let inner = folder.join(&child);
            let file = [folder.join(format!("{child}.rs")), inner.join("mod.rs")];
            if let Some(file) = file.iter().find(|it| it.is_file()) {
                let path = [module.as_slice(), &[child]].concat();
                self.read(file, &inner, &path);
            }
        }
    }

    /// A path from the root of the crate; `None` if it is none within the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" | "super" => {
                while let Some(first @ ("self" | "super")) = rest.first().map(String::as_str) {
                    if first == "super" {
                        base.pop()?;
                    }
                    rest = &rest[1..];
                }
            }
            child => {
                base.push(child.to_owned());
                let is_child = self.paths.contains_key(&base);
                base.pop();
                if !is_child {
                    return None;
                }
            }
        }
        Some([base.as_slice(), rest].concat())
    }

    /// The module in which what a path names is defined.
    fn resolve(&self, path: &[String], depth: usize) -> Module {
        let longest = (0..=path.len()).rev().find(|&length| self.paths.contains_key(&path[..length]));
        let length = longest.unwrap_or(0);
        let module = path[..length].to_vec();
        // A name may be handed on several times, but not for ever.
        let Some(name) = path.get(length).filter(|_| depth < 8) else { return module };
        let used = self.paths.get(&module).into_iter().flatten();
        let handed_on = used.filter(|used| used.exported.as_ref() == Some(name));
        match handed_on.filter_map(|used| self.absolute(&module, &used.path)).next() {
            Some(origin) => self.resolve(&origin, depth + 1),
            None => module,
        }
    }
}

/// What is found in a file.
#[derive(Default)]
struct Found {
    used: Vec<Used>,
    /// Modules in files of their own.
    children: Vec<String>,
}

impl Found {
    fn of(tokens: &[Token]) -> Self {
        let mut found = Self::default();
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let mut at = 0;
        let (mut exports, mut for_tests) = (false, false);
        while at < tokens.len() {
            match &tokens[at] {
                Token::Word(word) if word == "pub" => {
                    exports = true;
                    at += 1;
                    if is(at, "(") {
                        at = behind(tokens, at, "(", ")");
                    }
                    continue;
                }
                Token::Word(word) if word == "use" => {
                    at = found.tree(tokens, at + 1, &[], exports);
                }
                Token::Word(word) if word == "mod" && is(at + 2, ";") => {
                    if let Some(Token::Word(name)) = tokens.get(at + 1).filter(|_| !for_tests) {
                        found.children.push(name.clone());
                    }
                    at += 3;
                }
                Token::Word(word) if word == "mod" && is(at + 2, "{") && for_tests => {
                    at = behind(tokens, at + 2, "{", "}");
                }
                Token::Sign('#') if is(at + 1, "[") => {
                    let end = behind(tokens, at + 1, "[", "]");
                    for_tests |= is(at + 2, "cfg") && is(at + 4, "test");
                    at = end;
                    continue;
                }
                Token::Word(_) if is(at + 1, "::") => {
                    let mut path = Vec::new();
                    while let Some(Token::Word(word)) = tokens.get(at) {
                        path.push(word.clone());
                        at += 1;
                        if !is(at, "::") {
                            break;
                        }
                        at += 1;
                    }
                    found.used.push(Used { path, exported: None });
                }
                _ => at += 1,
            }
            (exports, for_tests) = (false, false);
        }
        found
    }

    /// Reads a tree of names from a place on; the place behind it.
    fn tree(&mut self, tokens: &[Token], mut at: usize, before: &[String], exports: bool) -> usize {
        let mut path = before.to_vec();
        loop {
            match tokens.get(at) {
                Some(Token::Word(word)) if word == "as" => {
                    let Some(Token::Word(name)) = tokens.get(at + 1) else { return at + 1 };
                    self.used.push(Used { path, exported: exports.then(|| name.clone()) });
                    return at + 2;
                }
                Some(Token::Word(word)) => path.push(word.clone()),
                Some(Token::Path | Token::Sign('*')) => {}
                Some(Token::Sign('{')) => {
                    at += 1;
                    while tokens.get(at).is_some_and(|token| !token.is("}")) {
                        at = self.tree(tokens, at, &path, exports);
                        if tokens.get(at).is_some_and(|token| token.is(",")) {
                            at += 1;
                        }
                    }
                    return at + 1;
                }
                _ => {
                    // `{self}` names what stands before it.
                    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                        path.pop();
                    }
                    let exported = path.last().cloned().filter(|_| exports);
                    self.used.push(Used { path, exported });
                    return at;
                }
            }
            at += 1;
        }
    }
}

/// The place behind the bracket that closes the one at a place.
fn behind(tokens: &[Token], mut at: usize, opens: &str, closes: &str) -> usize {
    let mut depth = 0;
    while let Some(token) = tokens.get(at) {
        depth += i32::from(token.is(opens)) - i32::from(token.is(closes));
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn circles_are_found_whatever_way_they_take() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, text).expect("it can be written");
        };
        file("lib.rs", "mod one; mod two; mod three; mod four; #[cfg(test)] mod tests;\npub use two::Two;");
        file("one.rs", "use crate::Two; // crate::four\npub struct One;");
        file("two.rs", "mod inner;\npub(crate) use self::inner::{Two as Other, Two};");
        file("two/inner.rs", "pub struct Two(super::super::one::One); const TEXT: &str = \"crate::four\";");
        file("three.rs", "use crate::one::{self, One}; fn f() { crate::four::g(); }");
        file("four.rs", "pub fn g() {} #[cfg(test)] mod tests { use crate::three::f; }");
        file("tests.rs", "use crate::one::One;");
        let found = circles(folder.path());
        let [circle] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(
            (circle.parent.as_str(), &*circle.modules),
            ("", &["one".to_owned(), "two".to_owned()][..])
        );
        let edges: Vec<String> =
            circle.edges.iter().map(|(from, to, at)| format!("{from} -> {to} in {at}")).collect();
        assert_eq!(edges, ["one -> two in one", "two -> one in two::inner"]);
    }
}
