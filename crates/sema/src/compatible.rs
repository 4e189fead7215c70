//! When two declarations of one thing agree, and the type that they make together (C11 6.2.7).

use crate::types::{Length, Type, TypeId, Types};

/// Whether two types are compatible, qualifiers included.
pub fn compatible(types: &Types, left: TypeId, right: TypeId) -> bool {
    if left == right {
        return true;
    }
    if left.is_const() != right.is_const() || left.is_volatile() != right.is_volatile() {
        return false;
    }
    match (types.get(left), types.get(right)) {
        (Type::Pointer(a), Type::Pointer(b)) => compatible(types, *a, *b),
        (Type::Array { element: a, length: m }, Type::Array { element: b, length: n }) => {
            compatible(types, *a, *b) && lengths_agree(*m, *n)
        }
        (Type::Function { .. }, Type::Function { .. }) => functions_agree(types, left, right),
        (Type::Enum(id), Type::Int(_)) => types.enums[*id].underlying == Some(right.unqualified()),
        (Type::Int(_), Type::Enum(id)) => types.enums[*id].underlying == Some(left.unqualified()),
        _ => false,
    }
}

fn lengths_agree(left: Length, right: Length) -> bool {
    match (left, right) {
        (Length::Known(a), Length::Known(b)) => a == b,
        _ => true,
    }
}

/// Where one of the two has no prototype, only the results are compared: old-style declarations
/// that gcc refuses for their parameters alone are let through.
fn functions_agree(types: &Types, left: TypeId, right: TypeId) -> bool {
    let Type::Function { result: a, parameters: p, variadic: v, prototype: x } = types.get(left) else {
        return false;
    };
    let Type::Function { result: b, parameters: q, variadic: w, prototype: y } = types.get(right) else {
        return false;
    };
    if !compatible(types, a.unqualified(), b.unqualified()) {
        return false;
    }
    if !(*x && *y) {
        return true;
    }
    let same = |(a, b): (&TypeId, &TypeId)| compatible(types, a.unqualified(), b.unqualified());
    v == w && p.len() == q.len() && p.iter().zip(q.iter()).all(same)
}

/// The type that two compatible declarations give together. What `left` says wins where they differ.
pub fn composite(types: &mut Types, left: TypeId, right: TypeId) -> TypeId {
    if left == right {
        return left;
    }
    let made = match (types.get(left).clone(), types.get(right).clone()) {
        (Type::Pointer(a), Type::Pointer(b)) => {
            let target = composite(types, a, b);
            types.pointer_to(target)
        }
        (Type::Array { element: a, length: m }, Type::Array { element: b, length: n }) => {
            let element = composite(types, a, b);
            let length = if m == Length::Unknown { n } else { m };
            types.array_of(element, length)
        }
        (
            Type::Function { result: a, parameters: p, variadic, prototype: x },
            Type::Function { result: b, parameters: q, prototype: y, .. },
        ) => {
            if x != y {
                return if x { left } else { right };
            }
            if p.len() != q.len() {
                // Old-style declarations: the one that names its parameters says more.
                return if p.is_empty() { right } else { left };
            }
            let result = composite(types, a, b);
            let parameters = p.iter().zip(q.iter()).map(|(&a, &b)| composite(types, a, b)).collect();
            types.intern(Type::Function { result, parameters, variadic, prototype: x })
        }
        _ => return left,
    };
    made.with_qualifiers_of(left)
}
