//! `__attribute__((…))` and `_Alignas`: what they change about types and objects. Attributes that
//! change nothing that can be observed are passed over.

use crate::context::{Analyzer, Checked};
use crate::names::AttributeName;
use crate::types::{IntShape, Length, Record, RecordLayout, Type, TypeId};
use base::{Range, Span, Symbol};
use syntax::ast::{self, ExprKind};

#[derive(Clone, Copy, Default, Debug)]
pub struct Attributes {
    pub packed: bool,
    pub alignment: Option<u64>,
    pub transparent_union: bool,
    pub noreturn: bool,
    pub cleanup: bool,
    pub vector_size: Option<u64>,
    pub mode: Option<Symbol>,
    pub gnu_inline: bool,
    /// The name of the function or variable that is meant.
    pub alias: Option<Symbol>,
    pub weak: bool,
    /// Runs before `main`, those with a small number first.
    pub constructor: Option<i64>,
    /// `#pragma pack(n)`
    pub most_member_alignment: Option<u64>,
}

/// `__attribute__((aligned))` without a number.
const BIGGEST_ALIGNMENT: u64 = 16;

/// `__attribute__((constructor))` without a number.
const LAST_CONSTRUCTOR: i64 = i64::MAX;

impl Attributes {
    #[must_use]
    pub fn and(self, other: Attributes) -> Attributes {
        Attributes {
            packed: self.packed | other.packed,
            alignment: self.alignment.max(other.alignment),
            transparent_union: self.transparent_union | other.transparent_union,
            noreturn: self.noreturn | other.noreturn,
            cleanup: self.cleanup | other.cleanup,
            vector_size: other.vector_size.or(self.vector_size),
            mode: other.mode.or(self.mode),
            gnu_inline: self.gnu_inline | other.gnu_inline,
            alias: other.alias.or(self.alias),
            weak: self.weak | other.weak,
            constructor: other.constructor.or(self.constructor),
            most_member_alignment: other.most_member_alignment.or(self.most_member_alignment),
        }
    }
}

impl Analyzer<'_> {
    pub fn attributes(&mut self, range: Range<ast::Attribute>) -> Checked<Attributes> {
        let mut found = Attributes::default();
        if range.is_empty() {
            return Ok(found);
        }
        let ast = self.ast;
        for attribute in &ast.attributes[range] {
            let Some(&name) = self.names.attributes.get(&attribute.name) else { continue };
            self.attribute(name, attribute, &mut found)?;
        }
        Ok(found)
    }

    fn attribute(
        &mut self,
        name: AttributeName,
        attribute: &ast::Attribute,
        found: &mut Attributes,
    ) -> Checked<()> {
        let argument = self.ast.expr_lists[attribute.arguments].first().copied();
        match (name, argument) {
            (AttributeName::Packed, _) => found.packed = true,
            (AttributeName::TransparentUnion, _) => found.transparent_union = true,
            (AttributeName::NoReturn, _) => found.noreturn = true,
            (AttributeName::GnuInline, _) => found.gnu_inline = true,
            (AttributeName::Cleanup, _) => found.cleanup = true,
            (AttributeName::Weak, _) => found.weak = true,
            (AttributeName::Alias, Some(target)) => found.alias = self.alias_target(target),
            (AttributeName::Constructor, None) => found.constructor = Some(LAST_CONSTRUCTOR),
            (AttributeName::Constructor, Some(priority)) => {
                let (priority, _) = self.constant_integer(priority)?;
                found.constructor = i64::try_from(priority).ok();
            }
            (AttributeName::NotModelled, _) => {
                let message = format!("attribute '{}' is not supported", self.name(attribute.name));
                return Err(self.error(attribute.span, message));
            }
            (AttributeName::Aligned, None) => found.alignment = found.alignment.max(Some(BIGGEST_ALIGNMENT)),
            (AttributeName::Aligned, Some(value)) => {
                let alignment = self.alignment_value(value)?;
                found.alignment = found.alignment.max(alignment);
            }
            (AttributeName::PragmaPack, Some(value)) => {
                found.most_member_alignment = self.alignment_value(value)?;
            }
            (AttributeName::VectorSize, Some(value)) => {
                let (value, _) = self.constant_integer(value)?;
                found.vector_size = u64::try_from(value).ok();
            }
            (AttributeName::Mode, Some(mode)) => {
                if let ExprKind::Name(mode) = self.ast.exprs[mode].kind {
                    found.mode = Some(mode);
                }
            }
            (
                AttributeName::VectorSize
                | AttributeName::Mode
                | AttributeName::PragmaPack
                | AttributeName::Alias,
                None,
            ) => {}
        }
        Ok(())
    }

    fn alias_target(&mut self, target: ast::ExprId) -> Option<Symbol> {
        let ExprKind::String(id) = self.ast.exprs[target].kind else { return None };
        let ast::Units::Bytes(bytes) = &self.ast.strings[id].units else { return None };
        Some(self.interner.intern(&String::from_utf8_lossy(bytes)))
    }

    fn alignment_value(&mut self, value: ast::ExprId) -> Checked<Option<u64>> {
        let (alignment, span) = self.constant_integer(value)?;
        match u64::try_from(alignment) {
            Ok(0) => Ok(None),
            Ok(alignment) if alignment.is_power_of_two() && alignment <= 1 << 28 => Ok(Some(alignment)),
            _ => Err(self.error(span, format!("requested alignment {alignment} is not a power of 2"))),
        }
    }

    /// `_Alignas(…)`
    pub fn alignas(&mut self, alignment: Option<ast::Alignment>) -> Checked<Option<u64>> {
        match alignment {
            None => Ok(None),
            Some(ast::Alignment::Value(value)) => self.alignment_value(value),
            Some(ast::Alignment::Type(name)) => {
                let declared = self.type_name(name)?;
                Ok(declared.alignment.or_else(|| self.types().align_of(declared.ty)))
            }
        }
    }

    /// What `mode` and `vector_size` make of a type.
    pub fn changed_by(&mut self, ty: TypeId, attributes: &Attributes, span: Span) -> Checked<TypeId> {
        let mut ty = ty;
        if let Some(mode) = attributes.mode {
            ty = self.in_mode(ty, mode, span)?;
        }
        if let Some(size) = attributes.vector_size {
            ty = self.vector_of(ty, size, span);
        }
        Ok(ty)
    }

    fn in_mode(&mut self, ty: TypeId, mode: Symbol, span: Span) -> Checked<TypeId> {
        let signed = match self.types().int_shape(ty) {
            Some(IntShape { signed, .. }) => signed,
            None if self.types().is_float(ty) => true,
            None => return Ok(ty),
        };
        let text = self.name(mode).trim_matches('_').to_owned();
        let changed = match text.as_str() {
            "QI" | "byte" => self.int_of_width(8, signed),
            "HI" => self.int_of_width(16, signed),
            "SI" => self.int_of_width(32, signed),
            "DI" => self.int_of_width(64, signed),
            "TI" => self.int_of_width(128, signed),
            "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => {
                self.int_of_width(8 * self.types().pointer_size() as u32, signed)
            }
            "HF" => TypeId::HALF,
            "SF" => TypeId::FLOAT,
            "DF" => TypeId::DOUBLE,
            "XF" => TypeId::LONG_DOUBLE,
            "TF" => TypeId::QUAD,
            _ => return Err(self.error(span, format!("unknown machine mode '{text}'"))),
        };
        Ok(changed.with_qualifiers_of(ty))
    }

    /// The integer type of a width, `long` rather than `long long` where both fit.
    pub fn int_of_width(&self, width: u32, signed: bool) -> TypeId {
        let (if_signed, if_unsigned) = match width {
            0..=8 => (TypeId::SIGNED_CHAR, TypeId::UNSIGNED_CHAR),
            9..=16 => (TypeId::SHORT, TypeId::UNSIGNED_SHORT),
            17..=32 => (TypeId::INT, TypeId::UNSIGNED_INT),
            33..=64 if self.types().pointer_size() == 8 => (TypeId::LONG, TypeId::UNSIGNED_LONG),
            33..=64 => (TypeId::LONG_LONG, TypeId::UNSIGNED_LONG_LONG),
            _ => (TypeId::INT128, TypeId::UNSIGNED_INT128),
        };
        if signed { if_signed } else { if_unsigned }
    }

    /// Vectors are opaque: a record of their size, which expressions refuse to compute with.
    fn vector_of(&mut self, element: TypeId, size: u64, span: Span) -> TypeId {
        let length = size / self.types().size_of(element).unwrap_or(1).max(1);
        let array = self.program.types.array_of(element, Length::Known(length));
        let field = crate::types::Field { name: None, ty: array, offset: 0, bits: None };
        let layout = RecordLayout { fields: vec![field], size, alignment: size, transparent_union: false };
        let tag = Some(self.names.vector);
        let record = Record { is_union: false, tag, layout: Some(layout), span };
        let id = self.program.types.records.push(record);
        self.vectors.insert(id);
        self.program.types.intern(Type::Record(id))
    }
}
