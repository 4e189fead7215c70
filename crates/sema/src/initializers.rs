//! Initialisers (C11 6.7.9): braces, designators and brace elision flattened into assignments.
//!
//! One walk over the object and its list at the same time, as the standard words it: every brace
//! opens a *current object*; items without designator go to its subobjects in order; an item that is
//! not a list and meets an aggregate opens it without braces and stays there until it is full or a
//! designator comes. The work is linear in the number of items and designated elements.

use crate::context::{Analyzer, Checked};
use crate::conversions::Purpose;
use crate::hir::{ExprId, ExprKind, InitItem, Initializer, VariableId};
use crate::types::{Length, Type, TypeId};
use base::Span;
use rustc_hash::FxHashMap;
use syntax::ast::{self, Designator, InitializerKind};

/// More elements than this in one `[first ... last]` are refused.
const MOST_RANGE_ELEMENTS: u64 = 1 << 24;

/// The items of one initialiser as they come.
#[derive(Default)]
struct Flat {
    items: Vec<InitItem>,
    /// Where each item's target starts in the object, in bytes.
    offsets: Vec<u64>,
    /// Everything from here on is untouched.
    high_water: u64,
    /// Bits that have been assigned, if nothing was assigned twice.
    covered: u64,
    overridden: bool,
    /// The number of elements of a flexible array member at the end of the object.
    flexible: Option<u64>,
    /// Which member of a union, found by its offset and type, items have been given to last.
    members: FxHashMap<(u64, TypeId), u64>,
}

impl Flat {
    /// What is there is replaced as a whole.
    fn forget_members(&mut self, place: Place, size: u64) {
        self.members.retain(|&(offset, _), _| offset < place.offset || offset - place.offset >= size);
    }
}

/// A place inside the object.
#[derive(Clone, Copy)]
struct Place {
    lvalue: ExprId,
    ty: TypeId,
    offset: u64,
}

/// The items of a braced list that are still to come.
struct Cursor<'a> {
    items: &'a [ast::InitializerItem],
    /// The value of the next item, once it has been looked at.
    value: Option<ExprId>,
    /// The designators of the next item have led here.
    arrived: bool,
}

impl<'a> Cursor<'a> {
    fn new(items: &'a [ast::InitializerItem]) -> Self {
        Self { items, value: None, arrived: false }
    }

    fn next(&mut self) {
        self.items = &self.items[1..];
        self.value = None;
        self.arrived = false;
    }
}

impl Analyzer<'_> {
    /// The initialiser of a variable; completes its type if that is an array of unknown length.
    pub fn initialize(&mut self, variable: VariableId, id: ast::InitializerId) -> Checked<Initializer> {
        let span = self.ast.initializers[id].span;
        let lvalue = self.variable(variable, span);
        let ty = self.type_of(lvalue);
        let place = Place { lvalue, ty, offset: 0 };
        let mut flat = Flat::default();
        let length = match self.ast.initializers[id].kind {
            InitializerKind::Expr(expr) => self.whole(&mut flat, place, expr)?,
            InitializerKind::List(_) => self.braced(&mut flat, place, id)?,
        };
        let mut total_type = ty;
        if let Type::Array { element, length: Length::Unknown } = *self.types().get(ty) {
            total_type = self.program.types.array_of(element, Length::Known(length));
            self.program.variables[variable].ty = total_type;
            self.program.exprs[lvalue].ty = total_type;
            self.links.completed_late |= self.function.is_none();
        }
        if let Some(length) = flat.flexible {
            self.grow(variable, lvalue, length);
        }
        let zero =
            flat.overridden || self.bits_of(total_type) != Some(flat.covered) || flat.flexible.is_some();
        let items = self.program.init_lists.push(flat.items);
        Ok(Initializer { zero, items })
    }

    /// An initialiser without braces. Gives the number of elements if the object is an array.
    fn whole(&mut self, flat: &mut Flat, place: Place, expr: ast::ExprId) -> Checked<u64> {
        let span = self.ast.exprs[expr].span;
        let Type::Array { .. } = *self.types().get(place.ty) else {
            let value = self.rvalue(expr)?;
            self.item(flat, place, value)?;
            return Ok(0);
        };
        match self.skip_extension(expr).kind {
            ast::ExprKind::CompoundLiteral { initializer, .. } => self.braced(flat, place, initializer),
            ast::ExprKind::String(_) if self.is_char_array(place.ty) => {
                let string = self.expr(expr)?;
                self.string_item(flat, place, string)
            }
            _ => {
                let value = self.expr(expr)?;
                match self.kind(value) {
                    ExprKind::String(_) if self.is_char_array(place.ty) => {
                        self.string_item(flat, place, value)
                    }
                    _ => Err(self.error(span, "array initialized from non-constant array expression")),
                }
            }
        }
    }

    fn skip_extension(&self, mut expr: ast::ExprId) -> ast::Expr {
        while let ast::ExprKind::Unary { op: ast::UnaryOp::Extension, operand } = self.ast.exprs[expr].kind {
            expr = operand;
        }
        self.ast.exprs[expr]
    }

    /// `{ … }`. Gives the number of elements if the object is an array.
    fn braced(&mut self, flat: &mut Flat, place: Place, id: ast::InitializerId) -> Checked<u64> {
        let ast = self.ast;
        let InitializerKind::List(list) = ast.initializers[id].kind else { return Ok(0) };
        let items = &ast.initializer_items[list];
        if let [only] = items
            && only.designators.is_empty()
            && let Some(string) = self.string_for(place.ty, only.value)
        {
            let string = self.expr(string)?;
            return self.string_item(flat, place, string);
        }
        match *self.types().get(place.ty) {
            Type::Array { .. } => {}
            Type::Record(_) if !self.is_opaque(place.ty) => {}
            _ => return self.braced_scalar(flat, place, items, ast.initializers[id].span).map(|()| 0),
        }
        let mut cursor = Cursor::new(items);
        self.aggregate(flat, place, &mut cursor, &[], true)
    }

    /// `int x = { 1 };`, with as many braces as one likes; `{}` is zero.
    fn braced_scalar(
        &mut self,
        flat: &mut Flat,
        place: Place,
        items: &[ast::InitializerItem],
        span: Span,
    ) -> Checked<()> {
        let Some(first) = items.first() else {
            if self.types().is_scalar(place.ty) {
                let zero = self.int(0, TypeId::INT, span);
                let zero = self.cast(zero, place.ty, span);
                self.item(flat, place, zero)?;
            }
            return Ok(());
        };
        match self.ast.initializers[first.value].kind {
            InitializerKind::Expr(expr) => {
                let value = self.rvalue(expr)?;
                self.item(flat, place, value)
            }
            InitializerKind::List(_) => self.braced(flat, place, first.value).map(drop),
        }
    }

    /// The string literal that an item is, if the object is an array of characters.
    fn string_for(&self, ty: TypeId, value: ast::InitializerId) -> Option<ast::ExprId> {
        let InitializerKind::Expr(expr) = self.ast.initializers[value].kind else { return None };
        if !matches!(self.ast.exprs[expr].kind, ast::ExprKind::String(_)) {
            return None;
        }
        self.is_char_array(ty).then_some(expr)
    }

    fn is_char_array(&self, ty: TypeId) -> bool {
        let Type::Array { element, .. } = *self.types().get(ty) else { return false };
        self.types().is_integer(element)
    }

    /// Goes through the subobjects of a place, from the one that `path` designates or the first.
    /// Gives the number of elements that an array has then.
    fn aggregate(
        &mut self,
        flat: &mut Flat,
        place: Place,
        cursor: &mut Cursor,
        path: &[Designator],
        braced: bool,
    ) -> Checked<u64> {
        let ast = self.ast;
        let count = self.subobject_count(place.ty);
        let (mut next, mut length) = (0, 0);
        let mut path = path;
        while let Some(item) = cursor.items.first() {
            if path.is_empty() && !item.designators.is_empty() && !cursor.arrived {
                if !braced {
                    break;
                }
                path = &ast.designators[item.designators];
            }
            if path.is_empty() {
                if next >= count {
                    if !braced {
                        break;
                    }
                    // Too many: gcc warns and drops them.
                    cursor.next();
                    continue;
                }
                self.choose_member(flat, place, next);
                let sub = self.subobject(place, next, self.item_span(item));
                let left = cursor.items.len();
                self.fill(flat, sub, cursor)?;
                if cursor.items.len() == left && self.is_array(place.ty) {
                    // Elements without room take nothing, however many there are.
                    next = count;
                    continue;
                }
                next += 1;
            } else {
                next = self.designated(flat, place, cursor, path)?;
                path = &[];
            }
            length = length.max(next);
            if self.is_union(place.ty) {
                next = count;
            }
        }
        if self.is_open_array(place.ty) && place.offset > 0 {
            flat.flexible = Some(length.max(flat.flexible.unwrap_or(0)));
        }
        Ok(length)
    }

    fn item_span(&self, item: &ast::InitializerItem) -> Span {
        self.ast.initializers[item.value].span
    }

    fn is_array(&self, ty: TypeId) -> bool {
        matches!(self.types().get(ty), Type::Array { .. })
    }

    fn is_union(&self, ty: TypeId) -> bool {
        self.types().record(ty).is_some_and(|record| record.is_union)
    }

    /// How many subobjects items without designator may reach.
    fn subobject_count(&self, ty: TypeId) -> u64 {
        match *self.types().get(ty) {
            Type::Array { length: Length::Known(length), .. } => length,
            Type::Array { .. } => u64::MAX,
            _ if self.is_union(ty) => self.types().fields(ty).len().min(1) as u64,
            _ => self.types().fields(ty).len() as u64,
        }
    }

    fn subobject(&mut self, place: Place, index: u64, span: Span) -> Place {
        if let Type::Array { element, .. } = *self.types().get(place.ty) {
            let difference = self.types().difference_type();
            let position = self.int(i128::from(index), difference, span);
            let kind = ExprKind::Index { base: place.lvalue, index: position };
            let lvalue = self.make(kind, element, span);
            let size = self.types().size_of(element).unwrap_or(0);
            let offset = place.offset.saturating_add(index.saturating_mul(size));
            return Place { lvalue, ty: element, offset };
        }
        let lvalue = self.field_place(place.lvalue, index as u32, span);
        let offset = place.offset + self.types().fields(place.ty)[index as usize].offset;
        Place { lvalue, ty: self.type_of(lvalue), offset }
    }

    /// Gives the next item, or as many as it takes, to a subobject.
    fn fill(&mut self, flat: &mut Flat, place: Place, cursor: &mut Cursor) -> Checked<()> {
        let Some(item) = cursor.items.first() else { return Ok(()) };
        let expr = match self.ast.initializers[item.value].kind {
            InitializerKind::List(_) => {
                self.discard(flat, place);
                cursor.next();
                let length = self.braced(flat, place, item.value)?;
                self.note_flexible(flat, place, length);
                return Ok(());
            }
            InitializerKind::Expr(expr) => expr,
        };
        match *self.types().get(place.ty) {
            Type::Array { .. } => {
                if let Some(string) = self.string_for(place.ty, item.value) {
                    cursor.next();
                    let string = self.expr(string)?;
                    let length = self.string_item(flat, place, string)?;
                    self.note_flexible(flat, place, length);
                    return Ok(());
                }
                self.aggregate(flat, place, cursor, &[], false).map(drop)
            }
            Type::Record(_) if !self.is_opaque(place.ty) => {
                let value = match cursor.value {
                    Some(value) => value,
                    None => self.rvalue(expr)?,
                };
                let same = self.type_of(value).unqualified() == place.ty.unqualified();
                if same || self.types().fields(place.ty).is_empty() {
                    cursor.next();
                    return if same { self.item(flat, place, value) } else { Ok(()) };
                }
                cursor.value = Some(value);
                self.aggregate(flat, place, cursor, &[], false).map(drop)
            }
            _ => {
                let value = match cursor.value {
                    Some(value) => value,
                    None => self.rvalue(expr)?,
                };
                cursor.next();
                self.item(flat, place, value)
            }
        }
    }

    fn note_flexible(&self, flat: &mut Flat, place: Place, length: u64) {
        if self.is_open_array(place.ty) {
            flat.flexible = Some(length.max(flat.flexible.unwrap_or(0)));
        }
    }

    /// `.name…` or `[index]…`. Gives the position after the subobject that was designated.
    fn designated(
        &mut self,
        flat: &mut Flat,
        place: Place,
        cursor: &mut Cursor,
        path: &[Designator],
    ) -> Checked<u64> {
        let Some((&first, rest)) = path.split_first() else { return Ok(0) };
        cursor.arrived = true;
        let span = cursor.items.first().map_or(Span::NONE, |item| self.item_span(item));
        match first {
            Designator::Field(name, at) => {
                let Some((index, found)) = self.find_field(place.ty, name) else {
                    let message =
                        format!("no member named '{}' in '{}'", self.name(name), self.show(place.ty));
                    return Err(self.error(at, message));
                };
                let index = u64::from(index);
                self.choose_member(flat, place, index);
                let sub = self.subobject(place, index, span);
                // A member of an anonymous member is looked for inside it again.
                self.designated_rest(flat, sub, cursor, if found { rest } else { path })?;
                Ok(index + 1)
            }
            Designator::Index(index) => {
                let index = self.element_index(place, index)?;
                let sub = self.subobject(place, index, span);
                self.designated_rest(flat, sub, cursor, rest)?;
                Ok(index + 1)
            }
            Designator::IndexRange(low, high) => {
                let (low, high) = (self.element_index(place, low)?, self.element_index(place, high)?);
                self.designated_range(flat, place, cursor, rest, (low, high), span)?;
                Ok(high + 1)
            }
        }
    }

    fn designated_rest(
        &mut self,
        flat: &mut Flat,
        sub: Place,
        cursor: &mut Cursor,
        rest: &[Designator],
    ) -> Checked<()> {
        if rest.is_empty() {
            return self.fill(flat, sub, cursor);
        }
        if !matches!(self.types().get(sub.ty), Type::Array { .. } | Type::Record(_)) {
            let span = self.span_of(sub.lvalue);
            return Err(self.error(span, "designator in initializer for scalar type"));
        }
        self.aggregate(flat, sub, cursor, rest, false).map(drop)
    }

    fn element_index(&mut self, place: Place, index: ast::ExprId) -> Checked<u64> {
        let (value, span) = self.constant_integer(index)?;
        let Type::Array { length, .. } = *self.types().get(place.ty) else {
            return Err(self.error(span, "array index in non-array initializer"));
        };
        let most = match length {
            Length::Known(length) => i128::from(length),
            _ => i128::from(i64::MAX),
        };
        if value < 0 || value >= most {
            return Err(self.error(span, "array index in initializer exceeds array bounds"));
        }
        Ok(value as u64)
    }

    /// The value is computed once; further elements are copies of the first.
    fn designated_range(
        &mut self,
        flat: &mut Flat,
        place: Place,
        cursor: &mut Cursor,
        rest: &[Designator],
        (low, high): (u64, u64),
        span: Span,
    ) -> Checked<()> {
        if low > high || high - low >= MOST_RANGE_ELEMENTS {
            let problem =
                if low > high { "empty index range in initializer" } else { "index range is too large" };
            return Err(self.error(span, problem));
        }
        let items = cursor.items;
        for index in low..=high {
            let sub = self.subobject(place, index, span);
            let start = flat.items.len();
            if index == low {
                self.designated_rest(flat, sub, cursor, rest)?;
                let plain = flat.items.len() == start + 1 && self.type_of(flat.items[start].target) == sub.ty;
                if plain && rest.is_empty() {
                    return self.repeat(flat, place, start, (low + 1, high), span);
                }
                continue;
            }
            // Braced values are walked again for each element.
            let mut again = Cursor { arrived: true, ..Cursor::new(&items[..1]) };
            self.designated_rest(flat, sub, &mut again, rest)?;
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        flat: &mut Flat,
        place: Place,
        first: usize,
        (low, high): (u64, u64),
        span: Span,
    ) -> Checked<()> {
        let InitItem { target, value } = flat.items[first];
        let copied = if self.is_constant(value) { value } else { self.copy_of(target, value) };
        for index in low..=high {
            let sub = self.subobject(place, index, span);
            self.item(flat, sub, copied)?;
        }
        Ok(())
    }

    /// Strings are copied as they are, other values from where they have been stored.
    fn copy_of(&mut self, target: ExprId, value: ExprId) -> ExprId {
        match self.kind(value) {
            ExprKind::String(_) | ExprKind::AddressOf(_) => value,
            _ => self.load(target),
        }
    }

    /// `place = value`
    fn item(&mut self, flat: &mut Flat, place: Place, value: ExprId) -> Checked<()> {
        let is_string = matches!(self.kind(value), ExprKind::String(_));
        let value = if is_string { value } else { self.convert(value, place.ty, Purpose::Initialization)? };
        let bits = match self.bit_field(place.lvalue) {
            Some(bits) => Some(u64::from(bits.width)),
            None => self.bits_of(self.type_of(value)),
        };
        flat.overridden |= place.offset < flat.high_water || bits.is_none();
        flat.covered = flat.covered.saturating_add(bits.unwrap_or(0));
        let size = self.types().size_of(place.ty).unwrap_or(0);
        if place.offset < flat.high_water && self.types().record(place.ty).is_some() {
            flat.forget_members(place, size);
        }
        flat.high_water = flat.high_water.max(place.offset.saturating_add(size));
        flat.items.push(InitItem { target: place.lvalue, value });
        flat.offsets.push(place.offset);
        Ok(())
    }

    /// Characters of a string, as many as fit. Gives their number.
    fn string_item(&mut self, flat: &mut Flat, place: Place, string: ExprId) -> Checked<u64> {
        let span = self.span_of(string);
        let ExprKind::String(id) = self.kind(string) else { return Ok(0) };
        let Type::Array { element, length } = *self.types().get(place.ty) else { return Ok(0) };
        let Type::Array { element: unit, .. } = *self.types().get(self.type_of(string)) else { return Ok(0) };
        let size = self.types().size_of(unit).unwrap_or(1);
        if self.types().size_of(element) != Some(size) {
            return Err(self.error(span, "array initialized from incompatible string literal"));
        }
        let available = self.program.strings[id].bytes.len() as u64 / size;
        let used = match length {
            Length::Known(length) => length.min(available),
            _ => available,
        };
        let string = if used < available {
            let bytes = self.program.strings[id].bytes[..(used * size) as usize].into();
            self.string(bytes, unit, size, span)
        } else {
            string
        };
        if length == Length::Unknown {
            // What is copied has a size, also where the array gets its length only now.
            self.program.exprs[place.lvalue].ty = self.program.types.array_of(element, Length::Known(used));
        }
        if used > 0 {
            self.item(flat, place, string)?;
        }
        Ok(used)
    }

    /// Items for another member of a union replace what earlier ones gave to it.
    fn choose_member(&mut self, flat: &mut Flat, place: Place, index: u64) {
        let key = (place.offset, place.ty.unqualified());
        if self.is_union(place.ty) && flat.members.get(&key) != Some(&index) {
            self.discard(flat, place);
            flat.members.insert(key, index);
        }
    }

    /// A list for a subobject replaces what earlier items gave to it.
    fn discard(&mut self, flat: &mut Flat, place: Place) {
        if place.offset >= flat.high_water {
            return;
        }
        let size = self.types().size_of(place.ty).unwrap_or(0);
        let inside = |offset: u64| offset >= place.offset && offset - place.offset < size;
        flat.forget_members(place, size);
        let kept: Vec<bool> = flat.offsets.iter().map(|&offset| !inside(offset)).collect();
        if kept.iter().all(|&kept| kept) {
            return;
        }
        flat.overridden = true;
        let mut keep = kept.iter();
        flat.items.retain(|_| *keep.next().unwrap_or(&true));
        let mut keep = kept.iter();
        flat.offsets.retain(|_| *keep.next().unwrap_or(&true));
    }

    /// Bits of the scalars in a type; `None` if they overlap.
    fn bits_of(&self, ty: TypeId) -> Option<u64> {
        match *self.types().get(ty) {
            Type::Array { element, length: Length::Known(length) } => {
                self.bits_of(element)?.checked_mul(length)
            }
            Type::Record(_) if self.is_union(ty) => None,
            Type::Record(_) => {
                let mut sum = 0u64;
                for field in self.types().fields(ty) {
                    let bits = match field.bits {
                        Some(bits) => u64::from(bits.width),
                        None => self.bits_of(field.ty)?,
                    };
                    sum = sum.checked_add(bits)?;
                }
                Some(sum)
            }
            _ => self.types().size_of(ty)?.checked_mul(8),
        }
    }

    /// The object of a struct whose flexible array member is initialised is larger than the struct:
    /// it gets a type of its own, with a member of that length. Expressions keep the declared type.
    fn grow(&mut self, variable: VariableId, lvalue: ExprId, length: u64) {
        let declared = self.type_of(lvalue);
        let grown = self.grown(declared, length);
        self.program.variables[variable].ty = grown;
        self.program.exprs[lvalue].ty = grown;
        self.declared_types.insert(variable, declared);
    }

    fn grown(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types().get(ty) {
            Type::Array { element, length: Length::Unknown } => {
                self.program.types.array_of(element, Length::Known(length))
            }
            Type::Record(id) => {
                let mut record = self.types().records[id].clone();
                if let Some(layout) = &mut record.layout
                    && let Some(last) = layout.fields.last_mut()
                {
                    last.ty = self.grown(last.ty, length);
                    let end = last.offset + self.types().size_of(last.ty).unwrap_or(0);
                    layout.size = crate::layout::round_up(layout.size.max(end), layout.alignment);
                }
                let id = self.program.types.records.push(record);
                self.program.types.intern(Type::Record(id)).with_qualifiers_of(ty)
            }
            _ => ty,
        }
    }

    /// Objects with static storage start with constants and addresses.
    pub fn check_constant_initializer(&mut self, initializer: &Initializer) -> Checked<()> {
        for index in 0..initializer.items.len() {
            let InitItem { value, .. } = self.program.init_lists[initializer.items][index];
            if !self.is_constant(value) && !self.is_static_value(value) {
                return Err(self.error(self.span_of(value), "initializer element is not constant"));
            }
        }
        Ok(())
    }

    /// Whether nothing is read or executed to compute the value.
    fn is_static_value(&self, value: ExprId) -> bool {
        let mut stack = vec![value];
        while let Some(expr) = stack.pop() {
            match self.kind(expr) {
                ExprKind::Load(place) => {
                    // A literal, or what has been initialised before; as gcc, constants only.
                    let is_copy = matches!(self.kind(place), ExprKind::Index { .. } | ExprKind::Field { .. });
                    let is_const =
                        self.type_of(place).is_const() || self.types().record(self.type_of(place)).is_some();
                    if !is_copy && !is_const {
                        return false;
                    }
                }
                ExprKind::Call { .. }
                | ExprKind::Assign { .. }
                | ExprKind::CompoundAssign { .. }
                | ExprKind::Increment { .. }
                | ExprKind::VaArg { .. } => return false,
                ExprKind::Cast(operand) | ExprKind::Unary { operand, .. } => stack.push(operand),
                ExprKind::Binary { left, right, .. } | ExprKind::PointerDifference { left, right } => {
                    stack.extend([left, right]);
                }
                ExprKind::PointerAdd { pointer, index, .. } => stack.extend([pointer, index]),
                _ => {}
            }
        }
        true
    }
}
