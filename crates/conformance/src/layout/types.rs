//! Random definitions of structures and unions, with everything that bears on layout: bit-fields of
//! every type and width, packed, aligned, nested and anonymous members, arrays.

use crate::Random;

/// Types of ordinary members, with `@` where the name goes.
const PLAIN: [&str; 23] = [
    "char @",
    "signed char @",
    "unsigned char @",
    "short @",
    "unsigned short @",
    "int @",
    "unsigned @",
    "long @",
    "unsigned long @",
    "long long @",
    "unsigned long long @",
    "_Bool @",
    "float @",
    "double @",
    "long double @",
    "void *@",
    "int (*@)(void)",
    "enum colour @",
    "enum tiny @",
    "strict_int @",
    "loose_long @",
    "const volatile short @",
    "double (*@)[3]",
];

/// Types of bit-fields with the largest width that both data models allow.
const BIT_FIELDS: [(&str, usize); 15] = [
    ("_Bool", 1),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("signed int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum colour", 32),
    ("enum tiny", 8),
];

const ALIGNMENTS: [usize; 6] = [1, 2, 4, 8, 16, 32];
const MAXIMAL_DEPTH: usize = 3;

pub struct Aggregate {
    /// Empty for a type that is defined where it is used.
    pub tag: String,
    pub keyword: &'static str,
    /// Attributes, each once before or after the body.
    pub attributes: Vec<String>,
    pub attributes_first: bool,
    pub members: Vec<Member>,
}

pub struct Member {
    /// None for unnamed bit-fields and anonymous aggregates.
    pub name: Option<String>,
    pub attributes: Vec<String>,
    pub content: Content,
}

pub enum Content {
    Plain {
        declarator: &'static str,
        dimensions: Vec<usize>,
    },
    BitField {
        base: &'static str,
        width: usize,
    },
    Nested {
        aggregate: Aggregate,
        dimensions: Vec<usize>,
    },
    /// An earlier type, by its index.
    Earlier {
        index: usize,
        dimensions: Vec<usize>,
    },
    FlexibleArray {
        declarator: &'static str,
    },
}

/// Types `T0`, `T1`, …, each of which may use earlier ones.
pub fn aggregates(count: usize, random: &mut Random) -> Vec<Aggregate> {
    let mut earlier: Vec<Aggregate> = Vec::new();
    for index in 0..count {
        let mut generator = Generator { random, earlier: &earlier, names: 0 };
        let mut aggregate = generator.aggregate(0);
        aggregate.tag = format!("T{index}");
        generator.end_flexibly(&mut aggregate);
        earlier.push(aggregate);
    }
    earlier
}

struct Generator<'a> {
    random: &'a mut Random,
    earlier: &'a [Aggregate],
    names: usize,
}

impl Generator<'_> {
    fn aggregate(&mut self, depth: usize) -> Aggregate {
        let keyword = if self.random.chance(25) { "union" } else { "struct" };
        // Many bit-fields side by side is where layouts differ, so half of the types prefer them.
        let bit_field_share = if self.random.chance(50) { 70 } else { 25 };
        let count = self.random.between(1, 8 - 2 * depth);
        let mut members: Vec<Member> = (0..count).map(|_| self.member(depth, bit_field_share)).collect();
        if !members.iter().any(|member| member.name.is_some()) {
            members.push(self.plain());
        }
        Aggregate {
            tag: String::new(),
            keyword,
            attributes: self.attributes(20, 15),
            attributes_first: self.random.chance(50),
            members,
        }
    }

    fn member(&mut self, depth: usize, bit_field_share: usize) -> Member {
        if self.random.chance(bit_field_share) {
            return self.bit_field();
        }
        match self.random.below(10) {
            0 | 1 if depth < MAXIMAL_DEPTH => self.nested(depth),
            2 | 3 if !self.earlier.is_empty() => self.reference(),
            _ => self.plain(),
        }
    }

    fn plain(&mut self) -> Member {
        let declarator = self.random.choose(&PLAIN);
        // There are no arrays of what is aligned to more than its size.
        let dimensions = if declarator.starts_with("strict_int") { vec![] } else { self.dimensions() };
        let content = Content::Plain { declarator, dimensions };
        Member { name: Some(self.name()), attributes: self.attributes(6, 10), content }
    }

    fn bit_field(&mut self) -> Member {
        let (base, widest) = self.random.choose(&BIT_FIELDS);
        if self.random.chance(15) {
            let width = if self.random.chance(60) { 0 } else { self.random.between(1, widest) };
            return Member { name: None, attributes: vec![], content: Content::BitField { base, width } };
        }
        let width = match self.random.below(4) {
            0 => self.random.between(1, widest.min(4)),
            1 => widest,
            _ => self.random.between(1, widest),
        };
        let attributes = self.attributes(5, 5);
        Member { name: Some(self.name()), attributes, content: Content::BitField { base, width } }
    }

    fn nested(&mut self, depth: usize) -> Member {
        let aggregate = self.aggregate(depth + 1);
        if self.random.chance(40) {
            let content = Content::Nested { aggregate, dimensions: vec![] };
            return Member { name: None, attributes: vec![], content };
        }
        let content = Content::Nested { aggregate, dimensions: self.dimensions() };
        Member { name: Some(self.name()), attributes: self.attributes(5, 10), content }
    }

    /// Types that end in a flexible array are left alone: they may not be members.
    fn reference(&mut self) -> Member {
        let index = self.random.below(self.earlier.len());
        if self.earlier[index].is_flexible() || self.earlier[index].weight(self.earlier) > 60 {
            return self.plain();
        }
        let content = Content::Earlier { index, dimensions: self.dimensions() };
        Member { name: Some(self.name()), attributes: self.attributes(6, 8), content }
    }

    fn end_flexibly(&mut self, aggregate: &mut Aggregate) {
        if aggregate.keyword == "struct" && self.random.chance(5) {
            let content = Content::FlexibleArray { declarator: self.random.choose(&PLAIN[..15]) };
            let name = Some(self.name());
            aggregate.members.push(Member { name, attributes: vec![], content });
        }
    }

    fn dimensions(&mut self) -> Vec<usize> {
        let count = match self.random.below(10) {
            0 | 1 => 1,
            2 => 2,
            _ => 0,
        };
        (0..count).map(|_| self.random.between(1, 3)).collect()
    }

    fn attributes(&mut self, packed: usize, aligned: usize) -> Vec<String> {
        let mut attributes = Vec::new();
        if self.random.chance(packed) {
            attributes.push("packed".to_string());
        }
        if self.random.chance(aligned) {
            attributes.push(format!("aligned({})", self.random.choose(&ALIGNMENTS)));
        }
        attributes
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("m{}", self.names)
    }
}

impl Aggregate {
    pub fn is_flexible(&self) -> bool {
        self.members.iter().any(|member| matches!(member.content, Content::FlexibleArray { .. }))
    }

    /// How many members there are with all that is nested, so that types do not grow for ever.
    pub fn weight(&self, earlier: &[Aggregate]) -> usize {
        let weigh = |member: &Member| match &member.content {
            Content::Nested { aggregate, .. } => aggregate.weight(earlier),
            Content::Earlier { index, .. } => earlier[*index].weight(earlier),
            _ => 1,
        };
        self.members.iter().map(weigh).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_types() {
        let shape = |seed| {
            let types = aggregates(30, &mut Random::new(seed));
            types.iter().map(|aggregate| aggregate.weight(&types)).collect::<Vec<_>>()
        };
        assert_eq!(shape(5), shape(5));
        assert_ne!(shape(5), shape(6));
    }
}
