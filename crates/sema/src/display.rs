//! Types in C syntax, for messages and dumps.

use crate::types::{FloatKind, IntKind, Length, Type, TypeId, Types};
use base::{Interner, Symbol};

/// The type as a C programmer would write it: `const char *(*)[3]`.
pub fn display(types: &Types, interner: &Interner, id: TypeId) -> String {
    declare(types, interner, id, String::new())
}

/// `declarator` wrapped into what it is declared as: C reads declarations inside out.
fn declare(types: &Types, interner: &Interner, mut id: TypeId, mut declarator: String) -> String {
    loop {
        match types.get(id) {
            Type::Pointer(target) => {
                declarator.insert_str(0, &format!("*{}", qualifiers(id, declarator.is_empty())));
                if matches!(types.get(*target), Type::Array { .. } | Type::Function { .. }) {
                    declarator = format!("({declarator})");
                }
                id = *target;
            }
            Type::Array { element, length } => {
                match length {
                    Length::Known(length) => declarator.push_str(&format!("[{length}]")),
                    Length::Unknown => declarator.push_str("[]"),
                    Length::Variable(_) => declarator.push_str("[*]"),
                }
                id = *element;
            }
            Type::Function { result, parameters, variadic, prototype } => {
                let list = parameter_list(types, interner, parameters, *variadic, *prototype);
                declarator.push_str(&format!("({list})"));
                id = *result;
            }
            _ => break,
        }
    }
    let name = format!("{}{}", qualifiers(id, false), base_name(types, interner, id));
    if declarator.is_empty() { name } else { format!("{name} {declarator}") }
}

fn parameter_list(
    types: &Types,
    interner: &Interner,
    parameters: &[TypeId],
    variadic: bool,
    prototype: bool,
) -> String {
    let mut list: Vec<String> = parameters.iter().map(|&id| display(types, interner, id)).collect();
    if variadic {
        list.push("...".into());
    } else if list.is_empty() && prototype {
        list.push("void".into());
    }
    list.join(", ")
}

fn qualifiers(id: TypeId, last: bool) -> &'static str {
    match (id.is_const(), id.is_volatile(), last) {
        (false, false, _) => "",
        (true, false, false) => "const ",
        (false, true, false) => "volatile ",
        (true, true, false) => "const volatile ",
        (true, false, true) => "const",
        (false, true, true) => "volatile",
        (true, true, true) => "const volatile",
    }
}

fn base_name(types: &Types, interner: &Interner, id: TypeId) -> String {
    let tagged = |keyword: &str, tag: Option<Symbol>| match tag {
        Some(tag) => format!("{keyword} {}", interner.resolve(tag)),
        None => format!("{keyword} <anonymous>"),
    };
    match types.get(id) {
        Type::Void => "void".into(),
        Type::Bool => "_Bool".into(),
        Type::Int(kind) => int_name(*kind).into(),
        Type::Float(kind) => float_name(*kind).into(),
        Type::Complex(kind) => format!("_Complex {}", float_name(*kind)),
        Type::Enum(id) => tagged("enum", types.enums[*id].tag),
        Type::Record(id) => {
            let record = &types.records[*id];
            tagged(if record.is_union { "union" } else { "struct" }, record.tag)
        }
        Type::VaList => "__builtin_va_list".into(),
        Type::Pointer(_) | Type::Array { .. } | Type::Function { .. } => String::new(),
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
