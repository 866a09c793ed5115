//! Which modules of a crate use which others, read from its sources.
//!
//! Every module is compared with its siblings: a path in one of them, or in a descendant, to another one, or to a
//! descendant of that, is an edge between the two siblings. Names that a module re-exports with `pub use` count as uses
//! of the module that defines them. Code that is compiled only for tests is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use map_graph::strong_component_numbers;

use self::tokens::{Token, tokens};

mod tokens;

/// A module, by its path from the root of the crate, which is the empty path.
type Module = Vec<String>;

/// Modules that use each other, directly or indirectly: a strong component of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The path of their parent, with `::` between names; empty for the root of the crate.
    pub parent: String,
    /// Their names.
    pub modules: Vec<String>,
    /// The uses among them: the using module, the used one, and the module whose source has the path.
    pub edges: Vec<(String, String, String)>,
}

/// The sources of a crate.
#[derive(Default)]
struct Sources {
    /// The paths that occur in each module.
    paths: BTreeMap<Module, Vec<Used>>,
}

/// A path as written, and the name under which it is re-exported, if it is.
struct Used {
    path: Vec<String>,
    exported: Option<String>,
}

/// The cycles among the modules of a crate, whose sources are in a folder.
///
/// # Panics
/// If the sources cannot be read.
#[must_use]
pub fn cycles(source: &Path) -> Vec<Cycle> {
    let mut sources = Sources::default();
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|it| it.is_file());
    sources.read(&root.expect("a crate has a root"), source, &Vec::new());
    // For each parent, the edges between its children, each with one of the modules that have it.
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
    edges.into_iter().flat_map(|(parent, edges)| cycles_of(&parent, &edges)).collect()
}

fn cycles_of(parent: &[String], edges: &BTreeMap<(String, String), String>) -> Vec<Cycle> {
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
    let cycles = members.into_values().filter(|modules| modules.len() > 1).map(|modules| {
        let inner = edges.iter().filter(|((from, to), _)| modules.contains(from) && modules.contains(to));
        let edges = inner.map(|((from, to), at)| (from.clone(), to.clone(), at.clone())).collect();
        Cycle { parent: parent.join("::"), modules, edges }
    });
    cycles.collect()
}

impl Sources {
    /// Reads a module and its descendants, whose files are in `folder`.
    fn read(&mut self, file: &Path, folder: &Path, module: &Module) {
        let text = std::fs::read_to_string(file).expect("sources are UTF-8");
        let found = FileScan::of(&tokens(&text));
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

    /// The path from the root of the crate; `None` if it leads out of the crate.
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

    /// The module that defines the item that a path names.
    fn resolve(&self, path: &[String], depth: usize) -> Module {
        let longest = (0..=path.len()).rev().find(|&length| self.paths.contains_key(&path[..length]));
        let length = longest.unwrap_or(0);
        let module = path[..length].to_vec();
        // A limit, in case re-exports form a cycle.
        let Some(name) = path.get(length).filter(|_| depth < 8) else { return module };
        let used = self.paths.get(&module).into_iter().flatten();
        let reexports = used.filter(|used| used.exported.as_ref() == Some(name));
        match reexports.filter_map(|used| self.absolute(&module, &used.path)).next() {
            Some(origin) => self.resolve(&origin, depth + 1),
            None => module,
        }
    }
}

/// The paths and modules found in a file.
#[derive(Default)]
struct FileScan {
    used: Vec<Used>,
    /// Modules in files of their own.
    children: Vec<String>,
}

impl FileScan {
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
                        at = after(tokens, at, "(", ")");
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
                    at = after(tokens, at + 2, "{", "}");
                }
                Token::Sign('#') if is(at + 1, "[") => {
                    let end = after(tokens, at + 1, "[", "]");
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

    /// Reads a `use` tree that starts at `at`; returns the index after it.
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
                    // `{self}` stands for the path before it.
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

/// The index after the bracket that closes the one at `at`.
fn after(tokens: &[Token], mut at: usize, opens: &str, closes: &str) -> usize {
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
    use super::cycles;

    #[test]
    fn cycles_are_found_however_they_are_written() {
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
        let found = cycles(folder.path());
        let [cycle] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((cycle.parent.as_str(), &*cycle.modules), ("", &["one".to_owned(), "two".to_owned()][..]));
        let edges: Vec<String> =
            cycle.edges.iter().map(|(from, to, at)| format!("{from} -> {to} in {at}")).collect();
        assert_eq!(edges, ["one -> two in one", "two -> one in two::inner"]);
    }
}
