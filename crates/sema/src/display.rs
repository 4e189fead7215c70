//! Types in C syntax.

use crate::types::{FloatKind, IntKind, Length, Type, TypeId, Types, VlaId};
use base::{Interner, Symbol};

/// The type as a C programmer would write it: `const char *(*)[3]`.
pub fn display(types: &Types, names: &Interner, ty: TypeId) -> String {
    let length = |_| "*".to_string();
    Writer { types, names, length: &length }.declaration(ty, "")
}

/// Writes types.
pub struct Writer<'a> {
    pub types: &'a Types,
    pub names: &'a Interner,
    /// What is written as the length of an array that is computed.
    pub length: &'a dyn Fn(VlaId) -> String,
}

impl Writer<'_> {
    /// `int (*name)[4]`: the declaration of a name of that type. C reads declarations inside out.
    pub fn declaration(&self, mut ty: TypeId, name: &str) -> String {
        let mut declarator = name.to_string();
        loop {
            let qualifiers = qualifiers(ty);
            match self.types.get(ty) {
                Type::Pointer(target) => {
                    let space = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{qualifiers}{space}{declarator}");
                    if matches!(self.types.get(*target), Type::Array { .. } | Type::Function { .. }) {
                        declarator = format!("({declarator})");
                    }
                    ty = *target;
                }
                Type::Array { element, length } => {
                    declarator.push_str(&self.array_length(*length));
                    ty = *element;
                }
                Type::Function { result, parameters, variadic, prototype } => {
                    declarator.push_str(&self.parameter_list(parameters, *variadic, *prototype));
                    ty = *result;
                }
                base => return join(qualifiers, &self.base_name(base), &declarator),
            }
        }
    }

    fn array_length(&self, length: Length) -> String {
        match length {
            Length::Known(length) => format!("[{length}]"),
            Length::Unknown => "[]".into(),
            Length::Variable(vla) => format!("[{}]", (self.length)(vla)),
        }
    }

    fn parameter_list(&self, parameters: &[TypeId], variadic: bool, prototype: bool) -> String {
        let mut list: Vec<String> = parameters.iter().map(|&ty| self.declaration(ty, "")).collect();
        if variadic {
            list.push("...".into());
        } else if list.is_empty() && prototype {
            list.push("void".into());
        }
        format!("({})", list.join(", "))
    }

    /// The name of a type that is not derived from another one.
    fn base_name(&self, ty: &Type) -> String {
        match *ty {
            Type::Void => "void".into(),
            Type::Bool => "_Bool".into(),
            Type::Int(kind) => int_name(kind).into(),
            Type::Float(kind) => float_name(kind).into(),
            Type::Complex(kind) => format!("_Complex {}", float_name(kind)),
            Type::Enum(id) => self.tagged("enum", self.types.enums[id].tag),
            Type::Record(id) => {
                let record = &self.types.records[id];
                self.tagged(if record.is_union { "union" } else { "struct" }, record.tag)
            }
            Type::VaList => "__builtin_va_list".into(),
            Type::Pointer(_) | Type::Array { .. } | Type::Function { .. } => unreachable!("it is derived"),
        }
    }

    fn tagged(&self, keyword: &str, tag: Option<Symbol>) -> String {
        format!("{keyword} {}", tag.map_or("<anonymous>", |tag| self.names.resolve(tag)))
    }
}

fn join(qualifiers: &str, name: &str, declarator: &str) -> String {
    let after_qualifiers = if qualifiers.is_empty() { "" } else { " " };
    let after_name = if declarator.is_empty() || declarator.starts_with('[') { "" } else { " " };
    format!("{qualifiers}{after_qualifiers}{name}{after_name}{declarator}")
}

fn qualifiers(ty: TypeId) -> &'static str {
    match (ty.is_const(), ty.is_volatile()) {
        (false, false) => "",
        (true, false) => "const",
        (false, true) => "volatile",
        (true, true) => "const volatile",
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Quad => "_Float128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn declarators_are_inside_out() {
        let mut types = Types::new(DataModel::Lp64);
        let interner = Interner::default();
        let row = types.array_of(TypeId::CHAR.qualified(true, false), Length::Known(3));
        let pointer = types.pointer_to(row).qualified(true, false);
        assert_eq!(display(&types, &interner, pointer), "const char (*const)[3]");
        let function = types.intern(Type::Function {
            result: pointer.unqualified(),
            parameters: [TypeId::INT].into(),
            variadic: true,
            prototype: true,
        });
        assert_eq!(display(&types, &interner, function), "const char (*(int, ...))[3]");
        let text = types.pointer_to(TypeId::CHAR);
        let pointer = types.pointer_to(text);
        assert_eq!(display(&types, &interner, pointer), "char **");
    }
}
