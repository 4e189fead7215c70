//! C types, interned, with their layout.
//!
//! A [`TypeId`] carries its qualifiers in its top bits, so that asking for the type behind `const
//! int` costs nothing and `TypeId`s compare as types do. Records and enums are nominal: two of them
//! are the same type only if they are the same declaration.

pub use crate::display::{Writer, display};
use base::{Arena, Span, Symbol, define_id};
use rustc_hash::FxHashMap;

/// A type and its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

const CONST: u32 = 1 << 31;
const VOLATILE: u32 = 1 << 30;
const QUALIFIERS: u32 = CONST | VOLATILE;

impl TypeId {
    fn index(self) -> usize {
        (self.0 & !QUALIFIERS) as usize
    }

    pub fn unqualified(self) -> TypeId {
        TypeId(self.0 & !QUALIFIERS)
    }

    pub fn is_const(self) -> bool {
        self.0 & CONST != 0
    }

    pub fn is_volatile(self) -> bool {
        self.0 & VOLATILE != 0
    }

    #[must_use]
    pub fn qualified(self, is_const: bool, is_volatile: bool) -> TypeId {
        let mut bits = self.0;
        if is_const {
            bits |= CONST;
        }
        if is_volatile {
            bits |= VOLATILE;
        }
        TypeId(bits)
    }

    /// This type with the qualifiers of `other` added.
    #[must_use]
    pub fn with_qualifiers_of(self, other: TypeId) -> TypeId {
        TypeId(self.0 | (other.0 & QUALIFIERS))
    }
}

define_id! {
    /// A struct or union type.
    RecordId
}
define_id! {
    /// An enum type.
    EnumId
}
define_id! {
    /// The length of a variable-length array: a variable of the program that holds it.
    VlaId
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Complex(FloatKind),
    Enum(EnumId),
    Pointer(TypeId),
    Array {
        element: TypeId,
        length: Length,
    },
    Function {
        result: TypeId,
        parameters: Box<[TypeId]>,
        variadic: bool,
        prototype: bool,
    },
    Record(RecordId),
    /// `__builtin_va_list`: opaque, one element array-like in calls.
    VaList,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    Known(u64),
    /// `[]`: incomplete, or a flexible array member.
    Unknown,
    /// The number of elements is computed when the declaration is reached.
    Variable(VlaId),
}

/// The integer types that C tells apart, whatever their width.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// IEEE half; storage and conversion only.
    Half,
    /// IEEE single.
    Float,
    /// IEEE double.
    Double,
    /// x87 80-bit extended.
    LongDouble,
    /// IEEE quad.
    Quad,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DataModel {
    /// 32-bit int, long and pointers; long long and double aligned to 4 bytes in records (i386).
    Ilp32,
    /// 32-bit int, 64-bit long and pointers (x86-64).
    Lp64,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// `None` while incomplete.
    pub layout: Option<RecordLayout>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct RecordLayout {
    pub fields: Vec<Field>,
    pub size: u64,
    pub alignment: u64,
    pub transparent_union: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for anonymous structs and unions (looked through by name lookup). Unnamed bit-fields
    /// are padding and not listed.
    pub name: Option<Symbol>,
    pub ty: TypeId,
    /// Offset in bytes; for a bit-field, of the storage unit of its declared type that it is read
    /// through: `offset + size_of(ty) <= record size` need not hold when packed.
    pub offset: u64,
    pub bits: Option<BitRange>,
}

/// A bit-field, counted from the least significant bit of the byte at the field's `offset`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitRange {
    /// Bits from the start of the byte at `offset`; below 8 × the size of the declared type.
    pub start: u32,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    /// The integer type that represents it (`unsigned int` unless a value is negative or large,
    /// as gcc chooses); `None` while incomplete.
    pub underlying: Option<TypeId>,
    pub span: Span,
}

/// How an integer is represented.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntShape {
    pub width: u32,
    pub signed: bool,
}

/// All types of a program.
pub struct Types {
    pub data_model: DataModel,
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: Arena<RecordId, Record>,
    pub enums: Arena<EnumId, Enum>,
}

/// Types that are always there, at fixed ids, in the order in which [`Types::new`] interns them.
impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const BOOL: TypeId = TypeId(1);
    pub const CHAR: TypeId = TypeId(2);
    pub const SIGNED_CHAR: TypeId = TypeId(3);
    pub const UNSIGNED_CHAR: TypeId = TypeId(4);
    pub const SHORT: TypeId = TypeId(5);
    pub const UNSIGNED_SHORT: TypeId = TypeId(6);
    pub const INT: TypeId = TypeId(7);
    pub const UNSIGNED_INT: TypeId = TypeId(8);
    pub const LONG: TypeId = TypeId(9);
    pub const UNSIGNED_LONG: TypeId = TypeId(10);
    pub const LONG_LONG: TypeId = TypeId(11);
    pub const UNSIGNED_LONG_LONG: TypeId = TypeId(12);
    pub const INT128: TypeId = TypeId(13);
    pub const UNSIGNED_INT128: TypeId = TypeId(14);
    pub const HALF: TypeId = TypeId(15);
    pub const FLOAT: TypeId = TypeId(16);
    pub const DOUBLE: TypeId = TypeId(17);
    pub const LONG_DOUBLE: TypeId = TypeId(18);
    pub const QUAD: TypeId = TypeId(19);
    pub const VA_LIST: TypeId = TypeId(20);
}

impl Types {
    pub fn new(data_model: DataModel) -> Self {
        use {FloatKind as F, IntKind as I};
        let mut types = Self {
            data_model,
            types: Vec::new(),
            ids: FxHashMap::default(),
            records: Arena::new(),
            enums: Arena::new(),
        };
        types.intern(Type::Void);
        types.intern(Type::Bool);
        let ints = [
            I::Char,
            I::SignedChar,
            I::UnsignedChar,
            I::Short,
            I::UnsignedShort,
            I::Int,
            I::UnsignedInt,
            I::Long,
            I::UnsignedLong,
            I::LongLong,
            I::UnsignedLongLong,
            I::Int128,
            I::UnsignedInt128,
        ];
        for kind in ints {
            types.intern(Type::Int(kind));
        }
        for kind in [F::Half, F::Float, F::Double, F::LongDouble, F::Quad] {
            types.intern(Type::Float(kind));
        }
        types.intern(Type::VaList);
        types
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^30 types"));
        assert!(id.0 & QUALIFIERS == 0, "fewer than 2^30 types");
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    /// The type behind an id, whatever its qualifiers.
    #[inline]
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub fn pointer_to(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    pub fn array_of(&mut self, element: TypeId, length: Length) -> TypeId {
        self.intern(Type::Array { element, length })
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    pub fn record(&self, id: TypeId) -> Option<&Record> {
        match *self.get(id) {
            Type::Record(record) => Some(&self.records[record]),
            _ => None,
        }
    }

    /// The fields of a complete struct or union type.
    pub fn fields(&self, id: TypeId) -> &[Field] {
        self.record(id).and_then(|r| r.layout.as_ref()).map_or(&[], |layout| &layout.fields)
    }

    /// Bytes of a pointer.
    pub fn pointer_size(&self) -> u64 {
        match self.data_model {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The most bytes of an object: what pointers can reach, as far as its bits can be counted.
    pub fn largest_size(&self) -> u64 {
        match self.data_model {
            DataModel::Ilp32 => u32::MAX.into(),
            DataModel::Lp64 => u64::MAX >> 4,
        }
    }

    /// `size_t`
    pub fn size_type(&self) -> TypeId {
        match self.data_model {
            DataModel::Ilp32 => TypeId::UNSIGNED_INT,
            DataModel::Lp64 => TypeId::UNSIGNED_LONG,
        }
    }

    /// `ptrdiff_t`
    pub fn difference_type(&self) -> TypeId {
        match self.data_model {
            DataModel::Ilp32 => TypeId::INT,
            DataModel::Lp64 => TypeId::LONG,
        }
    }

    /// Width and sign of an integer type (`_Bool` is 8 bits wide here and holds 0 or 1; enums are
    /// what represents them); `None` for other types.
    #[inline]
    pub fn int_shape(&self, id: TypeId) -> Option<IntShape> {
        let (width, signed) = match *self.get(id) {
            Type::Bool => (8, false),
            Type::Int(kind) => (8 * self.int_size(kind) as u32, kind.is_signed()),
            Type::Enum(id) => return self.enums[id].underlying.and_then(|ty| self.int_shape(ty)),
            _ => return None,
        };
        Some(IntShape { width, signed })
    }

    fn int_size(&self, kind: IntKind) -> u64 {
        use IntKind::*;
        match kind {
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 4,
            Long | UnsignedLong => self.pointer_size(),
            LongLong | UnsignedLongLong => 8,
            Int128 | UnsignedInt128 => 16,
        }
    }

    fn float_size(&self, kind: FloatKind) -> u64 {
        match (kind, self.data_model) {
            (FloatKind::Half, _) => 2,
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble, DataModel::Lp64) | (FloatKind::Quad, _) => 16,
        }
    }

    /// Size in bytes; `None` for incomplete types and those whose size is known at run time only.
    /// As in GNU C, `void` and functions have size 1.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match *self.get(id) {
            Type::Void | Type::Bool | Type::Function { .. } => Some(1),
            Type::Int(kind) => Some(self.int_size(kind)),
            Type::Float(kind) => Some(self.float_size(kind)),
            Type::Complex(kind) => Some(2 * self.float_size(kind)),
            Type::Enum(id) => self.enums[id].underlying.and_then(|ty| self.size_of(ty)),
            Type::Pointer(_) => Some(self.pointer_size()),
            Type::Array { element, length: Length::Known(length) } => {
                self.size_of(element)?.checked_mul(length)
            }
            Type::Array { .. } => None,
            Type::Record(id) => self.records[id].layout.as_ref().map(|layout| layout.size),
            Type::VaList => Some(match self.data_model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 24,
            }),
        }
    }

    /// Alignment in bytes inside a record on i386 or x86-64, without attributes; `None` if incomplete.
    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        let word = self.pointer_size();
        match *self.get(id) {
            Type::Complex(kind) => self.align_of(self.float_type(kind)),
            Type::Float(FloatKind::LongDouble) => Some(if word == 4 { 4 } else { 16 }),
            Type::Float(FloatKind::Quad) | Type::Int(IntKind::Int128 | IntKind::UnsignedInt128) => Some(16),
            Type::Int(_) | Type::Float(_) => self.size_of(id).map(|size| size.min(word)),
            Type::Enum(id) => self.enums[id].underlying.and_then(|ty| self.align_of(ty)),
            Type::Array { element, .. } => self.align_of(element),
            Type::Record(id) => self.records[id].layout.as_ref().map(|layout| layout.alignment),
            Type::VaList => Some(word),
            _ => self.size_of(id),
        }
    }

    pub fn float_type(&self, kind: FloatKind) -> TypeId {
        match kind {
            FloatKind::Half => TypeId::HALF,
            FloatKind::Float => TypeId::FLOAT,
            FloatKind::Double => TypeId::DOUBLE,
            FloatKind::LongDouble => TypeId::LONG_DOUBLE,
            FloatKind::Quad => TypeId::QUAD,
        }
    }

    pub fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Int(_) | Type::Enum(_))
    }

    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }

    /// All types, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Type> {
        self.types.iter()
    }

    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Integers, floats and pointers: what fits a register.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id) || self.is_pointer(id)
    }

    /// The mathematical value of an integer constant given by its bits.
    pub fn int_value(&self, id: TypeId, bits: u64) -> i128 {
        let Some(IntShape { width, signed }) = self.int_shape(id) else { return i128::from(bits) };
        if width >= 64 {
            return if signed { i128::from(bits as i64) } else { i128::from(bits) };
        }
        let unused = 64 - width;
        if signed {
            i128::from(((bits << unused) as i64) >> unused)
        } else {
            i128::from((bits << unused) >> unused)
        }
    }

    /// The bits of a value in an integer type of at most 64 bits, zero-extended.
    pub fn int_bits(&self, id: TypeId, value: i128) -> u64 {
        match self.int_shape(id) {
            Some(IntShape { width, .. }) if width < 64 => value as u64 & ((1 << width) - 1),
            _ => value as u64,
        }
    }
}

impl IntKind {
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong | Int128)
    }
}
