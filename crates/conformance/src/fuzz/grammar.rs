//! Random text from the grammar in `c.grammar`. Deep in the derivation, or when the text has become
//! long, the alternative with the lowest derivation tree is taken, so that it ends.

use crate::Random;
use std::collections::HashMap;

const GRAMMAR: &str = include_str!("c.grammar");
const MAXIMAL_DEPTH: usize = 40;
const MAXIMAL_LENGTH: usize = 20_000;
/// The height of a rule that has not been found to end yet.
const ENDLESS: usize = usize::MAX / 2;

pub struct Grammar {
    rules: Vec<Rule>,
    start: usize,
}

struct Rule {
    name: &'static str,
    alternatives: Vec<Vec<Part>>,
    /// Index of the alternative with the lowest derivation tree.
    shortest: usize,
}

enum Part {
    Text(&'static str),
    Rule(usize),
}

impl Grammar {
    /// The grammar of C.
    ///
    /// # Panics
    /// When the grammar file uses a rule that it does not define, or one that cannot end.
    pub fn c() -> Grammar {
        let mut grammar = Grammar { rules: parse(GRAMMAR), start: 0 };
        grammar.start = grammar.rules.iter().position(|rule| rule.name == "unit").expect("a rule `unit`");
        grammar.find_shortest();
        grammar
    }

    /// Heights of derivation trees by iteration to a fixed point.
    fn find_shortest(&mut self) {
        let mut heights = vec![ENDLESS; self.rules.len()];
        loop {
            let before = heights.clone();
            for (index, rule) in self.rules.iter_mut().enumerate() {
                let of = |alternative: &Vec<Part>| alternative.iter().map(|part| height(part, &before)).max();
                let all = rule.alternatives.iter().map(|alternative| of(alternative).unwrap_or(0) + 1);
                let (shortest, lowest) =
                    all.enumerate().min_by_key(|(_, height)| *height).unwrap_or((0, ENDLESS));
                if lowest < heights[index] {
                    heights[index] = lowest;
                    rule.shortest = shortest;
                }
            }
            if heights == before {
                break;
            }
        }
        let endless = heights.iter().position(|height| *height >= ENDLESS);
        assert!(endless.is_none(), "the rule `{}` cannot end", self.rules[endless.unwrap_or(0)].name);
    }

    /// A text; `confusion` in a thousand of the uses of a rule become uses of any other.
    pub fn text(&self, random: &mut Random, confusion: usize) -> String {
        let mut derivation = Derivation { grammar: self, confusion, random, fresh: 0, text: String::new() };
        derivation.derive(self.start, 0);
        derivation.text
    }
}

struct Derivation<'a> {
    grammar: &'a Grammar,
    confusion: usize,
    random: &'a mut Random,
    /// The last number that stood for `@`.
    fresh: usize,
    text: String,
}

impl Derivation<'_> {
    fn derive(&mut self, rule: usize, depth: usize) {
        let rules = &self.grammar.rules;
        let confused = self.random.below(1000) < self.confusion;
        let rule = &rules[if confused { self.random.below(rules.len()) } else { rule }];
        let long = depth > MAXIMAL_DEPTH || self.text.len() > MAXIMAL_LENGTH;
        let chosen = if long { rule.shortest } else { self.random.below(rule.alternatives.len()) };
        self.fresh += 1;
        let number = self.fresh.to_string();
        for part in &rule.alternatives[chosen] {
            match part {
                Part::Text(piece) => self.text.push_str(&piece.replace('@', &number)),
                Part::Rule(rule) => self.derive(*rule, depth + 1),
            }
        }
    }
}

fn height(part: &Part, heights: &[usize]) -> usize {
    match part {
        Part::Text(_) => 0,
        Part::Rule(rule) => heights[*rule],
    }
}

/// `name:` starts a rule; each indented line below is an alternative, with `<name>` for other rules.
fn parse(source: &'static str) -> Vec<Rule> {
    let names = source.lines().filter_map(rule_name);
    let indices: HashMap<&str, usize> = names.enumerate().map(|(index, name)| (name, index)).collect();
    let mut rules: Vec<Rule> = Vec::new();
    for line in source.lines() {
        if let Some(name) = rule_name(line) {
            rules.push(Rule { name, alternatives: Vec::new(), shortest: 0 });
        } else if let (Some(alternative), Some(rule)) = (line.strip_prefix("  "), rules.last_mut()) {
            rule.alternatives.push(parts(alternative, &indices));
        }
    }
    rules
}

fn rule_name(line: &'static str) -> Option<&'static str> {
    if line.starts_with([' ', '#']) { None } else { line.strip_suffix(':') }
}

fn parts(alternative: &'static str, indices: &HashMap<&str, usize>) -> Vec<Part> {
    let mut result = Vec::new();
    let mut rest = if alternative == "(nothing)" { "" } else { alternative };
    while let Some((before, name, after)) = next_rule(rest, indices) {
        result.push(Part::Text(before));
        result.push(Part::Rule(indices[name]));
        rest = after;
    }
    result.push(Part::Text(rest));
    result.push(Part::Text(if alternative.ends_with([';', '}']) { "\n" } else { "" }));
    result
}

/// The next `<name>`: text before it, the name, text after it. A `<` of C is not followed by a letter
/// here.
fn next_rule<'a>(text: &'a str, indices: &HashMap<&str, usize>) -> Option<(&'a str, &'a str, &'a str)> {
    let open = text
        .match_indices('<')
        .map(|(index, _)| index)
        .find(|index| text[index + 1..].starts_with(|character: char| character.is_ascii_lowercase()))?;
    let close = open + text[open..].find('>')?;
    let name = &text[open + 1..close];
    assert!(indices.contains_key(name), "the grammar has no rule `{name}`");
    Some((&text[..open], name, &text[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derives_the_same_text_from_the_same_seed() {
        let grammar = Grammar::c();
        let text = |seed| grammar.text(&mut Random::new(seed), 5);
        assert_eq!(text(1), text(1));
        assert!((0..200).all(|seed| text(seed).len() < 2 * MAXIMAL_LENGTH));
    }
}
