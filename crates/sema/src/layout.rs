//! Where the members of structs and unions lie, as gcc lays them out on i386 and x86-64.
//!
//! The System V rules for bit-fields: a bit-field lies in the bits that follow the previous member,
//! unless it would then span more units of its declared type's alignment than the type itself does;
//! then it starts at the next such boundary. A bit-field of width 0 moves to a boundary of its type.
//! `packed` takes both rules away: members follow each other byte by byte, bit-fields bit by bit.

use crate::types::{BitRange, Field, Length, RecordLayout, Type, TypeId, Types};
use base::{Span, Symbol};

/// A member as declared.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub name: Option<Symbol>,
    pub ty: TypeId,
    /// For bit-fields.
    pub width: Option<u32>,
    /// What the type's alignment is, if a typedef changed it.
    pub type_alignment: Option<u64>,
    /// Asked for by `aligned` or `_Alignas` on the member.
    pub alignment: Option<u64>,
    pub packed: bool,
    pub span: Span,
}

/// What attributes ask of the whole record.
#[derive(Clone, Copy, Default, Debug)]
pub struct RecordAttributes {
    pub packed: bool,
    pub alignment: Option<u64>,
    /// `#pragma pack(n)`: no member is aligned to more.
    pub most: Option<u64>,
    pub transparent_union: bool,
}

struct Layouter<'a> {
    types: &'a Types,
    is_union: bool,
    packed: bool,
    most: Option<u64>,
    /// Where the next member of a struct may start, in bits.
    position: u64,
    /// The end of the longest member, in bits.
    end: u64,
    alignment: u64,
}

pub fn lay_out(
    types: &Types,
    is_union: bool,
    members: &[Member],
    attributes: RecordAttributes,
) -> RecordLayout {
    let RecordAttributes { packed, most, .. } = attributes;
    let mut layouter = Layouter { types, is_union, packed, most, position: 0, end: 0, alignment: 1 };
    let mut fields = Vec::with_capacity(members.len());
    for member in members {
        fields.extend(layouter.place(member));
    }
    let alignment = layouter.alignment.max(attributes.alignment.unwrap_or(1));
    let size = round_up(layouter.end.div_ceil(8), alignment);
    RecordLayout { fields, size, alignment, transparent_union: attributes.transparent_union }
}

impl Layouter<'_> {
    /// `None` for padding.
    fn place(&mut self, member: &Member) -> Option<Field> {
        if self.is_union {
            self.position = 0;
        }
        let natural = member.type_alignment.or_else(|| self.types.align_of(member.ty)).unwrap_or(1);
        let field = match member.width {
            None => Some(self.place_whole(member, natural)),
            Some(0) => {
                self.position = round_up(self.position, natural.saturating_mul(8));
                None
            }
            Some(width) => self.place_bits(member, natural, width),
        };
        self.end = self.end.max(self.position);
        field
    }

    fn place_whole(&mut self, member: &Member, natural: u64) -> Field {
        let alignment = if self.packed || member.packed {
            member.alignment.unwrap_or(1)
        } else {
            natural.max(member.alignment.unwrap_or(1))
        };
        let alignment = alignment.min(self.most.unwrap_or(alignment));
        self.alignment = self.alignment.max(alignment);
        self.position = round_up(self.position, alignment.saturating_mul(8));
        let offset = self.position / 8;
        self.position = self.position.saturating_add(self.size_of(member.ty).saturating_mul(8));
        Field { name: member.name, ty: member.ty, offset, bits: None }
    }

    /// A flexible array member takes no room.
    fn size_of(&self, ty: TypeId) -> u64 {
        match *self.types.get(ty) {
            Type::Array { length: Length::Unknown, .. } => 0,
            _ => self.types.size_of(ty).unwrap_or(0),
        }
    }

    fn place_bits(&mut self, member: &Member, natural: u64, width: u32) -> Option<Field> {
        let packed = self.packed || member.packed;
        let mut asked = member.alignment.map(|asked| asked.min(self.most.unwrap_or(asked)));
        // A field that fills 64 bits is a machine integer to gcc, and any `aligned` on it (even to
        // less) keeps the rule of i386 away that takes 4 bytes for the alignment of those.
        if !packed && width == 64 && self.position.is_multiple_of(64) {
            asked = asked.map(|asked| asked.max(8).min(self.most.unwrap_or(u64::MAX)));
        }
        if let Some(alignment) = asked {
            self.position = round_up(self.position, alignment.saturating_mul(8));
        }
        let type_bits = self.size_of(member.ty).saturating_mul(8).max(1);
        let unit = natural.saturating_mul(8);
        let spanned = (self.position % unit + u64::from(width)).div_ceil(unit);
        if !packed && self.most.is_none() && spanned > (type_bits / unit).max(1) {
            self.position = round_up(self.position, unit);
        }
        let start = self.position;
        self.position = self.position.saturating_add(u64::from(width));
        member.name?;
        // With `#pragma pack`, gcc takes the alignment from there even if the member is packed.
        let natural = match self.most {
            Some(most) => natural.min(most),
            None if packed => 1,
            None => natural,
        };
        self.alignment = self.alignment.max(natural).max(asked.unwrap_or(1));
        Some(self.bit_field(member, start, width, type_bits))
    }

    /// Counts the bits from the storage unit that holds them all, or else from their first byte.
    fn bit_field(&self, member: &Member, position: u64, width: u32, type_bits: u64) -> Field {
        let mut offset = position / type_bits * (type_bits / 8);
        if position - offset * 8 + u64::from(width) > type_bits {
            offset = position / 8;
        }
        let start = (position - offset * 8) as u32;
        Field { name: member.name, ty: member.ty, offset, bits: Some(BitRange { start, width }) }
    }
}

pub fn round_up(value: u64, multiple: u64) -> u64 {
    value.checked_next_multiple_of(multiple.max(1)).unwrap_or(u64::MAX)
}
