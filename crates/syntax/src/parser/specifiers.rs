//! Declaration specifiers: storage, qualifiers, attributes and the type, in any order (C11 6.7).

use super::attributes::Attributes;
use super::{Parsed, Parser};
use crate::ast::{
    Alignment, FloatSize, IntSize, Qualifiers, Signedness, Specifiers, SpecifiersId, Storage, TypeName,
    TypeSpecifier,
};
use crate::lexer::token::TokenKind;
use base::Span;

/// Where specifiers stand: this decides what an unknown name among them can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At file scope, in blocks and in old-style parameter lists: a name may start a declarator.
    Declaration,
    /// In members and parameters: the first thing is a type, whatever its name.
    Typed,
}

/// Specifiers as they are being read.
struct Builder {
    storage: Storage,
    thread_local: bool,
    inline: bool,
    noreturn: bool,
    qualifiers: Qualifiers,
    words: u32,
    /// A type that is more than a combination of words.
    ty: Option<TypeSpecifier>,
    attributes: Attributes,
    alignment: Option<Alignment>,
}

/// The words that types are made of, as bits, so that a combination is a number.
mod word {
    pub const VOID: u32 = 1;
    pub const CHAR: u32 = 1 << 1;
    pub const SHORT: u32 = 1 << 2;
    pub const INT: u32 = 1 << 3;
    pub const LONG: u32 = 1 << 4;
    pub const LONG_LONG: u32 = 1 << 5;
    pub const FLOAT: u32 = 1 << 6;
    pub const DOUBLE: u32 = 1 << 7;
    pub const SIGNED: u32 = 1 << 8;
    pub const UNSIGNED: u32 = 1 << 9;
    pub const BOOL: u32 = 1 << 10;
    pub const COMPLEX: u32 = 1 << 11;
    pub const INT128: u32 = 1 << 12;
    pub const FLOAT16: u32 = 1 << 13;
    pub const FLOAT128: u32 = 1 << 14;
    pub const FLOAT80: u32 = 1 << 15;
    /// Words that do not go together.
    pub const INVALID: u32 = 1 << 16;

    pub const LONG_AND_LONG_LONG: u32 = LONG | LONG_LONG;
}

impl Builder {
    fn has_type(&self) -> bool {
        self.words != 0 || self.ty.is_some()
    }

    fn add_word(&mut self, bit: u32) {
        let bit = if bit == word::LONG && self.words & word::LONG != 0 { word::LONG_LONG } else { bit };
        let repeated = self.words & bit != 0;
        self.words |= if repeated { word::INVALID } else { bit };
    }

    fn set_type(&mut self, ty: TypeSpecifier) {
        if self.ty.is_some() {
            self.words |= word::INVALID;
        }
        self.ty = Some(ty);
    }

    /// The type that all the words make together.
    fn finish_type(&self) -> Option<TypeSpecifier> {
        match self.ty {
            None => combine(self.words),
            Some(ty) => (self.words == 0).then_some(ty),
        }
    }
}

fn combine(words: u32) -> Option<TypeSpecifier> {
    let signedness = match words & (word::SIGNED | word::UNSIGNED) {
        0 => None,
        word::SIGNED => Some(Signedness::Signed),
        word::UNSIGNED => Some(Signedness::Unsigned),
        _ => return None,
    };
    let plain = words & !(word::SIGNED | word::UNSIGNED | word::COMPLEX);
    if words & word::COMPLEX != 0 {
        return combine_complex(plain, signedness);
    }
    if let Some(size) = integer_size(plain) {
        return Some(match (plain, signedness) {
            (0, None) => TypeSpecifier::Implicit,
            _ => TypeSpecifier::Int { size, unsigned: signedness == Some(Signedness::Unsigned) },
        });
    }
    match (plain, signedness) {
        (word::CHAR, _) => Some(TypeSpecifier::Char { signedness }),
        (word::VOID, None) => Some(TypeSpecifier::Void),
        (word::BOOL, None) => Some(TypeSpecifier::Bool),
        (_, None) => float_size(plain).map(TypeSpecifier::Float),
        _ => None,
    }
}

fn combine_complex(plain: u32, signedness: Option<Signedness>) -> Option<TypeSpecifier> {
    if plain == 0 && signedness.is_none() {
        return Some(TypeSpecifier::Complex(FloatSize::Double));
    }
    if integer_size(plain).is_some() || plain == word::CHAR {
        return Some(TypeSpecifier::ComplexInt);
    }
    float_size(plain).filter(|_| signedness.is_none()).map(TypeSpecifier::Complex)
}

fn integer_size(plain: u32) -> Option<IntSize> {
    match plain & !word::INT {
        0 => Some(IntSize::Int),
        word::SHORT => Some(IntSize::Short),
        word::LONG => Some(IntSize::Long),
        word::LONG_AND_LONG_LONG => Some(IntSize::LongLong),
        word::INT128 if plain & word::INT == 0 => Some(IntSize::Int128),
        _ => None,
    }
}

fn float_size(plain: u32) -> Option<FloatSize> {
    const LONG_DOUBLE: u32 = word::LONG | word::DOUBLE;
    match plain {
        word::FLOAT => Some(FloatSize::Float),
        word::DOUBLE => Some(FloatSize::Double),
        LONG_DOUBLE | word::FLOAT80 => Some(FloatSize::LongDouble),
        word::FLOAT16 => Some(FloatSize::Half),
        word::FLOAT128 => Some(FloatSize::Quad),
        _ => None,
    }
}

impl Parser<'_> {
    /// Specifiers of a declaration; `attributes` are those that were read before it was known to be
    /// one.
    pub(super) fn specifiers(
        &mut self,
        place: Place,
        attributes: Attributes,
    ) -> Parsed<(SpecifiersId, Specifiers)> {
        let start = self.token.start;
        let mut builder = Builder {
            storage: Storage::None,
            thread_local: false,
            inline: false,
            noreturn: false,
            qualifiers: Qualifiers::default(),
            words: 0,
            ty: None,
            attributes,
            alignment: None,
        };
        while self.specifier(&mut builder, place, start)? {}
        let span = self.span_from(start);
        let Some(ty) = builder.finish_type() else {
            return Err(self.error(span, "these type specifiers do not go together"));
        };
        let specifiers = Specifiers {
            storage: builder.storage,
            thread_local: builder.thread_local,
            inline: builder.inline,
            noreturn: builder.noreturn,
            qualifiers: builder.qualifiers,
            ty,
            attributes: self.ast.attributes.push(builder.attributes),
            alignment: builder.alignment,
            span,
        };
        Ok((self.ast.specifiers.push(specifiers), specifiers))
    }

    /// Reads one specifier; false if there is none here.
    #[inline]
    fn specifier(&mut self, builder: &mut Builder, place: Place, start: u32) -> Parsed<bool> {
        let kind = self.token.kind;
        if kind == TokenKind::Identifier {
            return Ok(self.named_type(builder, place, start));
        }
        // `typedef float _Float32;` in headers for compilers that lack the type.
        if kind.is_redefinable_type() && builder.has_type() && builder.words != word::COMPLEX {
            let signed = builder.words & !(word::SIGNED | word::UNSIGNED) == 0 && builder.ty.is_none();
            if !signed {
                return Ok(false);
            }
        }
        if let Some(bit) = type_word(kind) {
            builder.add_word(bit);
            self.advance();
            return Ok(true);
        }
        if self.qualifier(&mut builder.qualifiers) {
            return Ok(true);
        }
        match kind {
            TokenKind::Typedef => self.storage(builder, Storage::Typedef),
            TokenKind::Extern => self.storage(builder, Storage::Extern),
            TokenKind::Static => self.storage(builder, Storage::Static),
            TokenKind::Auto => self.storage(builder, Storage::Auto),
            TokenKind::Register => self.storage(builder, Storage::Register),
            TokenKind::Struct | TokenKind::Union | TokenKind::Enum => {
                let tag = self.nested(Self::tag)?;
                builder.set_type(TypeSpecifier::Tag(tag));
            }
            TokenKind::Attribute | TokenKind::Declspec | TokenKind::Ignored | TokenKind::Extension => {
                self.attributes(&mut builder.attributes)?;
            }
            _ => return self.rare_specifier(builder, kind),
        }
        Ok(true)
    }

    fn rare_specifier(&mut self, builder: &mut Builder, kind: TokenKind) -> Parsed<bool> {
        match kind {
            TokenKind::Inline => builder.inline = true,
            TokenKind::Noreturn => builder.noreturn = true,
            TokenKind::ThreadLocal => builder.thread_local = true,
            TokenKind::VaList => builder.set_type(TypeSpecifier::VaList),
            TokenKind::AutoType => builder.set_type(TypeSpecifier::Auto),
            TokenKind::SignedInt128 | TokenKind::UnsignedInt128 => {
                let unsigned = kind == TokenKind::UnsignedInt128;
                builder.set_type(TypeSpecifier::Int { size: IntSize::Int128, unsigned });
            }
            TokenKind::MicrosoftInt64 => {
                builder.words |= word::LONG;
                builder.add_word(word::LONG);
            }
            TokenKind::Typeof => {
                let ty = self.typeof_specifier()?;
                builder.set_type(ty);
                return Ok(true);
            }
            TokenKind::Atomic => {
                self.advance();
                let ty = self.parenthesised_type("after '_Atomic'")?;
                builder.set_type(TypeSpecifier::AtomicType(ty));
                return Ok(true);
            }
            TokenKind::Alignas => {
                builder.alignment = Some(self.alignas()?);
                return Ok(true);
            }
            _ => return Ok(false),
        }
        self.advance();
        Ok(true)
    }

    fn storage(&mut self, builder: &mut Builder, storage: Storage) {
        if builder.storage != Storage::None && builder.storage != storage {
            self.error(self.token.span(), "more than one storage class");
        }
        builder.storage = storage;
        self.advance();
    }

    /// Members and type names have no storage class.
    pub(super) fn check_no_storage(&mut self, specifiers: &Specifiers) {
        if specifiers.storage != Storage::None || specifiers.thread_local {
            self.error(specifiers.span, "a storage class cannot stand here");
        }
    }

    /// A typedef name, or an unknown name that can only be meant as one.
    fn named_type(&mut self, builder: &mut Builder, place: Place, start: u32) -> bool {
        if builder.has_type() {
            return false;
        }
        let token = self.token;
        if !self.scopes.is_type(token.symbol) {
            let first = token.start == start;
            let type_follows = self.next.kind.starts_declaration();
            let name_follows = matches!(self.next.kind, TokenKind::Identifier | TokenKind::Star);
            if !(type_follows || name_follows || (first && place == Place::Typed)) {
                return false;
            }
            self.unknown_type(token.symbol, token.span());
            if type_follows {
                self.advance();
                return true;
            }
        }
        builder.set_type(TypeSpecifier::TypedefName(token.symbol));
        self.advance();
        true
    }

    /// Consumes a qualifier; `_Atomic(` is none but a type.
    #[inline]
    pub(super) fn qualifier(&mut self, qualifiers: &mut Qualifiers) -> bool {
        match self.token.kind {
            TokenKind::Const => qualifiers.is_const = true,
            TokenKind::Volatile => qualifiers.is_volatile = true,
            TokenKind::Restrict => qualifiers.is_restrict = true,
            TokenKind::Atomic if self.next.kind != TokenKind::ParenOpen => qualifiers.is_atomic = true,
            _ => return false,
        }
        self.advance();
        true
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeSpecifier> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after 'typeof'")?;
        let ty = if self.starts_type(self.token) {
            TypeSpecifier::TypeofType(self.type_name()?)
        } else {
            TypeSpecifier::TypeofExpr(self.expression()?)
        };
        self.expect(TokenKind::ParenClose, ")", "after operand of 'typeof'")?;
        Ok(ty)
    }

    fn parenthesised_type(&mut self, context: &str) -> Parsed<TypeName> {
        self.expect(TokenKind::ParenOpen, "(", context)?;
        let ty = self.type_name()?;
        self.expect(TokenKind::ParenClose, ")", "after type name")?;
        Ok(ty)
    }

    fn alignas(&mut self) -> Parsed<Alignment> {
        self.advance();
        self.expect(TokenKind::ParenOpen, "(", "after '_Alignas'")?;
        let alignment = if self.starts_type(self.token) {
            Alignment::Type(self.type_name()?)
        } else {
            Alignment::Value(self.constant()?)
        };
        self.expect(TokenKind::ParenClose, ")", "after alignment")?;
        Ok(alignment)
    }

    /// `specifiers abstract-declarator`
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        self.nested(|parser| {
            let (specifiers, read) = parser.specifiers(Place::Typed, Attributes::new())?;
            if matches!(read.ty, TypeSpecifier::Implicit) && is_empty(read.span) {
                return Err(parser.expected("type name"));
            }
            parser.check_no_storage(&read);
            let declarator = parser.abstract_declarator()?;
            Ok(TypeName { specifiers, declarator })
        })
    }
}

fn is_empty(span: Span) -> bool {
    span.start == span.end
}

#[inline]
fn type_word(kind: TokenKind) -> Option<u32> {
    Some(match kind {
        TokenKind::Void => word::VOID,
        TokenKind::CharType | TokenKind::MicrosoftInt8 => word::CHAR,
        TokenKind::Short | TokenKind::MicrosoftInt16 => word::SHORT,
        TokenKind::Int | TokenKind::MicrosoftInt32 => word::INT,
        TokenKind::Long => word::LONG,
        TokenKind::Float | TokenKind::Float32 => word::FLOAT,
        TokenKind::Double | TokenKind::Float64 => word::DOUBLE,
        TokenKind::Signed => word::SIGNED,
        TokenKind::Unsigned => word::UNSIGNED,
        TokenKind::Bool => word::BOOL,
        TokenKind::Complex => word::COMPLEX,
        TokenKind::Int128 => word::INT128,
        TokenKind::Float16 => word::FLOAT16,
        TokenKind::Float128 => word::FLOAT128,
        TokenKind::Float80 => word::FLOAT80,
        _ => return None,
    })
}
