//! Declarations, specifiers, declarators, tags and initialisers.

use super::Dumper;
use crate::ast::{
    Alignment, ArrayLength, Attribute, DeclarationId, DeclaratorId, Derivation, Designator, FloatSize,
    FunctionId, InitializerId, InitializerKind, IntSize, Member, ParameterStyle, Qualifiers, Signedness,
    SpecifiersId, Storage, TagBody, TagId, TagKind, TypeName, TypeSpecifier,
};
use base::Range;

impl Dumper<'_> {
    pub(super) fn declaration(&mut self, declaration: DeclarationId) {
        let declaration = self.ast.declarations[declaration];
        let declarators = &self.ast.declarator_lists[declaration.declarators];
        self.node("declare", |d| {
            if declarators.is_empty() {
                d.space().specifiers(declaration.specifiers);
            }
            for declarator in declarators {
                d.space().node("", |d| {
                    d.declarator(declarator.declarator, Some(declaration.specifiers));
                    if let Some(name) = declarator.asm_name {
                        d.text(" asm ");
                        d.string(name);
                    }
                    if let Some(initializer) = declarator.initializer {
                        d.text(" = ");
                        d.initializer(initializer);
                    }
                });
            }
        });
    }

    pub(super) fn function(&mut self, function: FunctionId) {
        let function = &self.ast.functions[function];
        self.node("function ", |d| {
            d.node("", |d| d.declarator(function.declarator, Some(function.specifiers)));
            for &declaration in &d.ast.declaration_lists[function.old_parameters] {
                d.space().declaration(declaration);
            }
            d.space().stmt(function.body);
        });
    }

    /// `name derivations specifiers`
    pub(super) fn declarator(&mut self, declarator: DeclaratorId, specifiers: Option<SpecifiersId>) {
        let declarator = &self.ast.declarators[declarator];
        match declarator.name {
            Some(name) => self.symbol(name),
            None => self.text("_"),
        }
        for derivation in &self.ast.derivations[declarator.derivations] {
            self.space().derivation(derivation);
        }
        if let Some(specifiers) = specifiers {
            self.space().specifiers(specifiers);
        }
        self.attributes(declarator.attributes);
    }

    fn derivation(&mut self, derivation: &Derivation) {
        match *derivation {
            Derivation::Pointer(qualifiers) => {
                self.text("*");
                self.qualifiers(qualifiers, "");
            }
            Derivation::Array { length, qualifiers } => {
                self.text("[");
                self.qualifiers(qualifiers, "");
                match length {
                    ArrayLength::None => {}
                    ArrayLength::Star => self.text("*"),
                    ArrayLength::Expr(length) => self.expr(length),
                }
                self.text("]");
            }
            Derivation::Function { parameters, variadic, style } => {
                let head = match style {
                    ParameterStyle::Prototype => "fn",
                    ParameterStyle::Empty => "fn?",
                    ParameterStyle::Names => "names",
                };
                self.node(head, |d| {
                    for parameter in &d.ast.parameters[parameters] {
                        d.space().node("", |d| d.declarator(parameter.declarator, parameter.specifiers));
                    }
                    if variadic {
                        d.text(" ...");
                    }
                });
            }
        }
    }

    pub(super) fn type_name(&mut self, ty: TypeName) {
        let declarator = &self.ast.declarators[ty.declarator];
        if declarator.derivations.is_empty() && declarator.attributes.is_empty() {
            return self.specifiers(ty.specifiers);
        }
        self.node("", |d| d.declarator(ty.declarator, Some(ty.specifiers)));
    }

    fn specifiers(&mut self, specifiers: SpecifiersId) {
        let specifiers = self.ast.specifiers[specifiers];
        let storage = match specifiers.storage {
            Storage::None => "",
            Storage::Typedef => "typedef ",
            Storage::Extern => "extern ",
            Storage::Static => "static ",
            Storage::Auto => "auto ",
            Storage::Register => "register ",
        };
        self.text(storage);
        for (flag, word) in [
            (specifiers.thread_local, "thread "),
            (specifiers.inline, "inline "),
            (specifiers.noreturn, "noreturn "),
        ] {
            self.text(if flag { word } else { "" });
        }
        self.qualifiers(specifiers.qualifiers, " ");
        match specifiers.alignment {
            Some(Alignment::Value(value)) => {
                self.node("align ", |d| d.expr(value));
                self.space();
            }
            Some(Alignment::Type(ty)) => {
                self.node("align ", |d| d.type_name(ty));
                self.space();
            }
            None => {}
        }
        self.type_specifier(specifiers.ty);
        self.attributes(specifiers.attributes);
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers, end: &str) {
        for (flag, word) in [
            (qualifiers.is_const, "const"),
            (qualifiers.is_volatile, "volatile"),
            (qualifiers.is_restrict, "restrict"),
            (qualifiers.is_atomic, "atomic"),
        ] {
            if flag {
                self.text(word);
                self.text(end);
            }
        }
    }

    fn attributes(&mut self, attributes: Range<Attribute>) {
        for attribute in &self.ast.attributes[attributes] {
            self.text(" @");
            self.symbol(attribute.name);
            let arguments = &self.ast.expr_lists[attribute.arguments];
            if !arguments.is_empty() {
                self.node("", |d| d.expr_list(arguments));
            }
        }
    }

    fn type_specifier(&mut self, ty: TypeSpecifier) {
        match ty {
            TypeSpecifier::Void => self.text("void"),
            TypeSpecifier::Bool => self.text("bool"),
            TypeSpecifier::Char { signedness: None } => self.text("char"),
            TypeSpecifier::Char { signedness: Some(Signedness::Signed) } => self.text("schar"),
            TypeSpecifier::Char { signedness: Some(Signedness::Unsigned) } => self.text("uchar"),
            TypeSpecifier::Int { size, unsigned } => {
                self.text(if unsigned { "u" } else { "" });
                self.text(int_name(size));
            }
            TypeSpecifier::Float(size) => self.text(float_name(size)),
            TypeSpecifier::Complex(size) => self.node("complex ", |d| d.text(float_name(size))),
            TypeSpecifier::ComplexInt => self.text("complex-int"),
            TypeSpecifier::Tag(tag) => self.tag(tag),
            TypeSpecifier::TypedefName(name) => self.symbol(name),
            TypeSpecifier::TypeofExpr(expr) => self.node("typeof ", |d| d.expr(expr)),
            TypeSpecifier::TypeofType(ty) => self.node("typeof ", |d| d.type_name(ty)),
            TypeSpecifier::AtomicType(ty) => self.node("atomic ", |d| d.type_name(ty)),
            TypeSpecifier::VaList => self.text("va_list"),
            TypeSpecifier::Auto => self.text("auto"),
            TypeSpecifier::Implicit => self.text("implicit"),
        }
    }

    fn tag(&mut self, tag: TagId) {
        let tag = self.ast.tags[tag];
        let kind = match tag.kind {
            TagKind::Struct => "struct",
            TagKind::Union => "union",
            TagKind::Enum => "enum",
        };
        self.node(kind, |d| {
            if let Some(name) = tag.name {
                d.space().symbol(name);
            }
            match tag.body {
                None => {}
                Some(TagBody::Members(members)) => {
                    d.text(" {");
                    for member in &d.ast.members[members] {
                        d.member(member);
                    }
                    d.text("}");
                }
                Some(TagBody::Enumerators(enumerators)) => {
                    d.text(" {");
                    for enumerator in &d.ast.enumerators[enumerators] {
                        d.node("", |d| {
                            d.symbol(enumerator.name);
                            if let Some(value) = enumerator.value {
                                d.space().expr(value);
                            }
                        });
                    }
                    d.text("}");
                }
            }
            d.attributes(tag.attributes);
        });
    }

    fn member(&mut self, member: &Member) {
        match *member {
            Member::Field { specifiers, declarator, width, .. } => self.node("", |d| {
                match declarator {
                    Some(declarator) => d.declarator(declarator, Some(specifiers)),
                    None => d.specifiers(specifiers),
                }
                if let Some(width) = width {
                    d.text(" : ");
                    d.expr(width);
                }
            }),
            Member::StaticAssert(assertion) => self.static_assert(&assertion),
        }
    }

    pub(super) fn initializer(&mut self, initializer: InitializerId) {
        match self.ast.initializers[initializer].kind {
            InitializerKind::Expr(expr) => self.expr(expr),
            InitializerKind::List(items) => {
                self.text("{");
                for (index, item) in self.ast.initializer_items[items].iter().enumerate() {
                    self.text(if index > 0 { " " } else { "" });
                    for designator in &self.ast.designators[item.designators] {
                        self.designator(designator);
                    }
                    self.text(if item.designators.is_empty() { "" } else { "=" });
                    self.initializer(item.value);
                }
                self.text("}");
            }
        }
    }

    fn designator(&mut self, designator: &Designator) {
        match *designator {
            Designator::Field(name, _) => {
                self.text(".");
                self.symbol(name);
            }
            Designator::Index(index) => {
                self.text("[");
                self.expr(index);
                self.text("]");
            }
            Designator::IndexRange(first, last) => {
                self.text("[");
                self.expr(first);
                self.text("...");
                self.expr(last);
                self.text("]");
            }
        }
    }
}

fn int_name(size: IntSize) -> &'static str {
    match size {
        IntSize::Short => "short",
        IntSize::Int => "int",
        IntSize::Long => "long",
        IntSize::LongLong => "llong",
        IntSize::Int128 => "int128",
    }
}

fn float_name(size: FloatSize) -> &'static str {
    match size {
        FloatSize::Half => "half",
        FloatSize::Float => "float",
        FloatSize::Double => "double",
        FloatSize::LongDouble => "ldouble",
        FloatSize::Quad => "quad",
    }
}
