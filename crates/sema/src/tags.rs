//! Structs, unions and enums (C11 6.7.2.1 to 6.7.2.3).

use crate::attributes::Attributes;
use crate::context::{Analyzer, Checked, EnumeratorValue, Reported};
use crate::layout::{Member, RecordAttributes, lay_out};
use crate::scope::{Entity, TagEntity};
use crate::specifiers::Declared;
use crate::types::{Enum, EnumId, IntShape, Length, Record, RecordId, Type, TypeId};
use base::arena::Id;
use base::{Range, Span, Symbol};
use syntax::ast::{self, TagBody, TagKind};

impl Analyzer<'_> {
    pub fn tag_type(&mut self, id: ast::TagId, specifiers: &ast::Specifiers, alone: bool) -> Checked<TypeId> {
        let tag = self.ast.tags[id];
        let attributes = self.attributes(tag.attributes)?;
        match (tag.kind, tag.body) {
            (TagKind::Enum, body) => {
                let id = self.enum_named(&tag, alone || body.is_some())?;
                if let Some(TagBody::Enumerators(list)) = body {
                    self.define_enum(id, list, attributes.packed, tag.span)?;
                }
                Ok(self.program.types.intern(Type::Enum(id)))
            }
            (_, body) => {
                let id = self.record_named(&tag, alone || body.is_some())?;
                if let Some(TagBody::Members(list)) = body {
                    // In `__attribute__((packed)) struct s { … } x;` too it is the struct that is meant.
                    let attributes = attributes
                        .and(Attributes { alignment: None, ..self.attributes(specifiers.attributes)? });
                    self.define_record(id, list, attributes, tag.span)?;
                }
                Ok(self.program.types.intern(Type::Record(id)))
            }
        }
    }

    /// The record that the tag names, made now if there is none. `here`: in this very scope.
    fn record_named(&mut self, tag: &ast::Tag, here: bool) -> Checked<RecordId> {
        let is_union = tag.kind == TagKind::Union;
        let Some(name) = tag.name else { return Ok(self.new_record(None, is_union, tag.span)) };
        let found =
            if here { self.scopes.lookup_tag_here(name) } else { self.scopes.lookup_tag(name).entity };
        match found {
            TagEntity::Record(id) if self.types().records[id].is_union == is_union => Ok(id),
            TagEntity::Nothing => {
                let id = self.new_record(Some(name), is_union, tag.span);
                self.scopes.bind_tag(name, TagEntity::Record(id));
                Ok(id)
            }
            _ => Err(self.wrong_kind_of_tag(name, tag.span)),
        }
    }

    fn enum_named(&mut self, tag: &ast::Tag, here: bool) -> Checked<EnumId> {
        let new = Enum { tag: tag.name, underlying: None, span: tag.span };
        let Some(name) = tag.name else { return Ok(self.program.types.enums.push(new)) };
        let found =
            if here { self.scopes.lookup_tag_here(name) } else { self.scopes.lookup_tag(name).entity };
        match found {
            TagEntity::Enum(id) => Ok(id),
            TagEntity::Nothing => {
                let id = self.program.types.enums.push(new);
                self.scopes.bind_tag(name, TagEntity::Enum(id));
                Ok(id)
            }
            TagEntity::Record(_) => Err(self.wrong_kind_of_tag(name, tag.span)),
        }
    }

    fn wrong_kind_of_tag(&mut self, name: Symbol, span: Span) -> Reported {
        let message = format!("'{}' defined as wrong kind of tag", self.name(name));
        self.error(span, message)
    }

    fn new_record(&mut self, tag: Option<Symbol>, is_union: bool, span: Span) -> RecordId {
        self.program.types.records.push(Record { is_union, tag, layout: None, span })
    }

    fn define_record(
        &mut self,
        id: RecordId,
        list: Range<ast::Member>,
        attributes: Attributes,
        span: Span,
    ) -> Checked<()> {
        if self.types().records[id].layout.is_some() {
            let ty = self.program.types.intern(Type::Record(id));
            let message = format!("redefinition of '{}'", self.show(ty));
            let previous = self.types().records[id].span;
            return Err(self.error_with_note(span, message, previous, "previous definition is here"));
        }
        let is_union = self.types().records[id].is_union;
        let ast = self.ast;
        let mut members = Vec::with_capacity(list.len());
        // The members of one declaration share its specifiers, which may define a type: only once.
        let mut shared = None;
        for member in &ast.members[list] {
            match *member {
                ast::Member::StaticAssert(assertion) => self.static_assert(&assertion)?,
                ast::Member::Field { specifiers, declarator, width, span } => {
                    let base = match shared {
                        Some((id, base)) if id == specifiers => base,
                        _ => self.member_base(specifiers, span)?,
                    };
                    shared = Some((specifiers, base));
                    members.extend(self.member(base, specifiers, declarator, width, span)?);
                }
            }
        }
        self.check_members(id, &members)?;
        let attributes = RecordAttributes {
            packed: attributes.packed,
            alignment: attributes.alignment,
            most: attributes.most_member_alignment,
            transparent_union: attributes.transparent_union,
        };
        let layout = lay_out(self.types(), is_union, &members, attributes);
        if layout.size > self.types().largest_size() {
            let ty = self.program.types.intern(Type::Record(id));
            return Err(self.error(span, format!("size of '{}' is too large", self.show(ty))));
        }
        let record = &mut self.program.types.records[id];
        record.layout = Some(layout);
        record.span = span;
        Ok(())
    }

    fn member_base(&mut self, specifiers: ast::SpecifiersId, span: Span) -> Checked<Declared> {
        let mark = self.lengths.len();
        let base = self.specifier_type(specifiers, false)?;
        self.check_not_variable(mark, span)?;
        Ok(base)
    }

    /// Reports a member for whose type lengths of arrays would have to be evaluated.
    fn check_not_variable(&mut self, mark: usize, span: Span) -> Checked<()> {
        if self.lengths.len() == mark {
            return Ok(());
        }
        self.lengths.truncate(mark);
        Err(self.error(span, "a member of a structure or union cannot have a variably modified type"))
    }

    /// `None` for a declaration that declares no member, as `struct tag;` inside a struct.
    fn member(
        &mut self,
        base: Declared,
        specifiers: ast::SpecifiersId,
        declarator: Option<ast::DeclaratorId>,
        width: Option<ast::ExprId>,
        span: Span,
    ) -> Checked<Option<Member>> {
        let mark = self.lengths.len();
        let specifier = self.ast.specifiers[specifiers];
        let mut attributes = self.attributes(specifier.attributes)?;
        attributes.alignment = attributes.alignment.max(self.alignas(specifier.alignment)?);
        let (mut name, mut declared) = (None, base);
        if let Some(declarator) = declarator {
            let declarator = self.ast.declarators[declarator];
            attributes = attributes.and(self.attributes(declarator.attributes)?);
            declared = self.declarator_type(base, &declarator, declarator.derivations)?;
            declared.ty = self.changed_by(declared.ty, &attributes, span)?;
            name = declarator.name;
        }
        self.check_not_variable(mark, span)?;
        if name.is_none() && width.is_none() {
            let anonymous = self.types().record(declared.ty).is_some_and(|record| record.layout.is_some());
            let is_tagged = self.types().record(declared.ty).is_some_and(|record| record.tag.is_some());
            if !anonymous || is_tagged {
                return Ok(None);
            }
        }
        let width = width.map(|width| self.bit_width(width, declared.ty, name, span)).transpose()?;
        Ok(Some(Member {
            name,
            ty: declared.ty,
            width,
            type_alignment: declared.alignment,
            alignment: attributes.alignment,
            packed: attributes.packed,
            span,
        }))
    }

    fn bit_width(
        &mut self,
        width: ast::ExprId,
        ty: TypeId,
        name: Option<Symbol>,
        span: Span,
    ) -> Checked<u32> {
        let (value, at) = self.constant_integer(width)?;
        let shown = name.map_or("<anonymous>".into(), |name| self.name(name).to_owned());
        let Some(shape) = self.types().int_shape(ty) else {
            return Err(self.error(span, format!("bit-field '{shown}' has invalid type '{}'", self.show(ty))));
        };
        let most = if ty.unqualified() == TypeId::BOOL { 1 } else { shape.width };
        match u32::try_from(value) {
            Ok(0) if name.is_some() => Err(self.error(at, format!("zero width for bit-field '{shown}'"))),
            Ok(width) if width <= most => Ok(width),
            Ok(_) => Err(self.error(at, format!("width of '{shown}' exceeds its type"))),
            Err(_) => Err(self.error(at, format!("negative width in bit-field '{shown}'"))),
        }
    }

    fn check_members(&mut self, id: RecordId, members: &[Member]) -> Checked<()> {
        let stamp = id.0 + 1;
        for (index, member) in members.iter().enumerate() {
            let last = index + 1 == members.len();
            self.check_member_type(member, last)?;
            let Some(name) = member.name else { continue };
            if name.index() >= self.member_stamps.len() {
                self.member_stamps.resize(name.index() + 1, 0);
            }
            if std::mem::replace(&mut self.member_stamps[name.index()], stamp) == stamp {
                let message = format!("duplicate member '{}'", self.name(name));
                return Err(self.error(member.span, message));
            }
        }
        Ok(())
    }

    fn check_member_type(&mut self, member: &Member, last: bool) -> Checked<()> {
        let problem = match *self.types().get(member.ty) {
            Type::Void => Some("has incomplete type"),
            Type::Function { .. } => Some("declared as a function"),
            Type::Array { length: Length::Unknown, .. }
                if !last && self.types().size_of(member.ty).is_some() =>
            {
                Some("is a flexible array member that is not last")
            }
            Type::Record(id) if self.types().records[id].layout.is_none() => Some("has incomplete type"),
            _ => None,
        };
        let Some(problem) = problem else { return Ok(()) };
        let name = member.name.map_or("<anonymous>", |name| self.name(name));
        let message = format!("field '{name}' {problem}");
        Err(self.error(member.span, message))
    }

    fn define_enum(
        &mut self,
        id: EnumId,
        list: Range<ast::Enumerator>,
        packed: bool,
        span: Span,
    ) -> Checked<()> {
        if self.types().enums[id].underlying.is_some() {
            let ty = self.program.types.intern(Type::Enum(id));
            let message = format!("redefinition of '{}'", self.show(ty));
            let previous = self.types().enums[id].span;
            return Err(self.error_with_note(span, message, previous, "previous definition is here"));
        }
        let first = self.enumerators.len();
        let (mut next, mut least, mut most) = (0, 0, 0);
        let ast = self.ast;
        for enumerator in &ast.enumerators[list] {
            let value = match enumerator.value {
                Some(expr) => self.constant_integer(expr)?.0,
                None => next,
            };
            next = value + 1;
            least = least.min(value);
            most = most.max(value);
            self.declare_enumerator(enumerator, value)?;
        }
        let underlying = self.enum_representation(least, most, packed);
        // Constants that are too large for int take the type of the whole enum.
        for enumerator in &mut self.enumerators[first..] {
            if enumerator.ty != TypeId::INT {
                enumerator.ty = underlying;
            }
        }
        self.program.types.enums[id].underlying = Some(underlying);
        Ok(())
    }

    fn declare_enumerator(&mut self, enumerator: &ast::Enumerator, value: i128) -> Checked<()> {
        self.check_not_declared_here(enumerator.name, enumerator.span)?;
        let fits = i32::try_from(value).is_ok();
        let ty = if fits { TypeId::INT } else { self.int_of_width(64, value < 0) };
        let bits = self.types().int_bits(ty, value);
        let index = self.enumerators.len() as u32;
        self.enumerators.push(EnumeratorValue { bits, ty, span: enumerator.span });
        self.scopes.bind(enumerator.name, Entity::Enumerator(index));
        Ok(())
    }

    /// `unsigned int` unless a value is negative or does not fit; the smallest type if packed.
    fn enum_representation(&self, least: i128, most: i128, packed: bool) -> TypeId {
        let signed = least < 0;
        let fits = |width: u32| {
            if signed { least >= -(1 << (width - 1)) && most < 1 << (width - 1) } else { most < 1 << width }
        };
        let widths: &[u32] = if packed { &[8, 16, 32, 64] } else { &[32, 64] };
        let width = widths.iter().copied().find(|&width| fits(width)).unwrap_or(64);
        self.int_of_width(width, signed)
    }

    /// The shape of an integer value that a bit-field or enum may hold.
    pub fn shape(&self, ty: TypeId) -> IntShape {
        self.types().int_shape(ty).unwrap_or(IntShape { width: 32, signed: true })
    }
}
