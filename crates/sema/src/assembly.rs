//! Inline assembly: what it changes, as far as its instructions are known.
//!
//! What an instruction computes is not modelled, only where its results go: to the operands that the
//! statement names. This is known of the instructions in the table below; with any other one, or one
//! that reaches memory by itself (`(%rax)`, string instructions, calls), the statement is unsupported.
//! AT&T syntax, as gcc has it unless told otherwise. An empty template moves values between its operands
//! and is exact.

use crate::context::{Analyzer, Checked};
use crate::hir::{Assembly, AssemblyResult, BinaryOp, ExprId, ExprKind, StmtKind};
use crate::types::Type;
use base::Span;
use syntax::ast;

const UNKNOWN: StmtKind = StmtKind::Unsupported("inline assembly");

/// What instructions do, in the order in which it counts where there are several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Instruction {
    /// Changes nothing that C can see.
    Nothing,
    /// Its result is up to the machine around the program.
    Chosen,
    /// Its result depends on its operands.
    Computed,
    /// As `Computed`: sets a bit of an operand in memory, or of what lies behind it: (bit number, operand).
    Bit(usize, usize),
}

/// The instructions of a template; `None` if any is not known.
fn instructions(template: &str) -> Option<Vec<Instruction>> {
    if template.contains(['{', '[']) {
        return None;
    }
    let mut section = Section::Code;
    let mut found = Vec::new();
    for line in template.split(['\n', ';']).map(without_labels) {
        if line.starts_with('.') {
            section = section.after(line)?;
        } else if !line.is_empty() && !is_prefix(line) {
            found.push(instruction(line)?);
        }
    }
    Some(found)
}

/// What the lines of a template are put into.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Code,
    Data,
}

impl Section {
    /// Behind a directive, if it is one that changes nothing: bytes in code are instructions.
    fn after(self, directive: &str) -> Option<Section> {
        let (name, arguments) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        match name {
            ".section" | ".pushsection" => {
                let flags = arguments.split(',').nth(1).unwrap_or("x");
                Some(if flags.contains('x') { Section::Code } else { Section::Data })
            }
            ".previous" | ".popsection" => Some(Section::Code),
            ".align" | ".balign" | ".p2align" => Some(self),
            ".byte" | ".word" | ".short" | ".long" | ".quad" | ".int" | ".2byte" | ".4byte" | ".8byte"
            | ".ascii" | ".asciz" | ".string" | ".org" | ".zero" | ".skip"
                if self == Section::Data =>
            {
                Some(self)
            }
            _ => None,
        }
    }
}

fn without_labels(line: &str) -> &str {
    let mut line = line.split('#').next().unwrap_or_default().trim();
    while let Some((label, rest)) = line.split_once(':')
        && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    {
        line = rest.trim();
    }
    line
}

fn is_prefix(word: &str) -> bool {
    matches!(word, "lock" | "rep" | "repe" | "repz" | "repne" | "repnz")
}

fn instruction(line: &str) -> Option<Instruction> {
    let (mut name, mut rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    while is_prefix(name) {
        (name, rest) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    }
    let name = name.to_ascii_lowercase();
    let operands: Vec<&str> = rest.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
    if name.starts_with('j') {
        return is_local_label(rest.trim()).then_some(Instruction::Nothing);
    }
    if !operands.iter().all(|operand| is_plain(operand)) {
        return None;
    }
    let stem = name.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(&name);
    let known = [name.as_str(), stem].into_iter().find_map(|name| of_name(name, operands.len()))?;
    if known != Instruction::Bit(0, 0) {
        return Some(known);
    }
    match operands[..] {
        [number, target] => Some(Instruction::Bit(operand_number(number)?, operand_number(target)?)),
        _ => None,
    }
}

/// `1f`, `2b`.
fn is_local_label(label: &str) -> bool {
    label.strip_suffix(['f', 'b']).is_some_and(|number| number.parse::<u32>().is_ok())
}

/// An operand of the statement, a register, or a number: memory is only reached through the first.
fn is_plain(operand: &str) -> bool {
    match operand.split_at_checked(1) {
        Some(("%", register)) => is_register(register) || operand_number(operand).is_some(),
        Some(("$", number)) => is_number(number),
        _ => false,
    }
}

/// `%eax`, behind the `%` that makes one of two.
fn is_register(name: &str) -> bool {
    name.strip_prefix('%').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Not the address of a variable.
fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '~']);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `%1`, also with the size of the register: `%w1`. Other letters make an address of a constant.
fn operand_number(operand: &str) -> Option<usize> {
    let operand = operand.strip_prefix('%')?;
    operand.strip_prefix(['b', 'h', 'w', 'k', 'q']).unwrap_or(operand).parse().ok()
}

fn of_name(name: &str, operands: usize) -> Option<Instruction> {
    Some(match name {
        "nop" | "pause" | "hlt" | "cli" | "sti" | "cld" | "mfence" | "lfence" | "sfence" | "out"
        | "wrmsr" | "prefetch" | "prefetcht0" | "prefetcht1" | "prefetcht2" | "prefetchnta" | "clflush"
        | "wbinvd" | "invlpg" | "cmp" | "test" | "bt" => Instruction::Nothing,
        "in" | "rdtsc" | "rdtscp" | "rdmsr" | "rdpmc" | "cpuid" | "rdrand" | "rdseed" | "pushf" | "popf" => {
            Instruction::Chosen
        }
        "bts" | "btr" | "btc" => Instruction::Bit(0, 0),
        "movz" | "movs" | "movzb" | "movzw" | "movsb" | "movsw" | "movsl" if operands < 2 => return None,
        "mov" | "movabs" | "movz" | "movs" | "movzb" | "movzw" | "movsb" | "movsw" | "movsl" | "xchg"
        | "xadd" | "cmpxchg" | "add" | "adc" | "sub" | "sbb" | "inc" | "dec" | "neg" | "not" | "and"
        | "or" | "xor" | "shl" | "shr" | "sal" | "sar" | "rol" | "ror" | "rcl" | "rcr" | "shld" | "shrd"
        | "bswap" | "bsf" | "bsr" | "popcnt" | "lzcnt" | "tzcnt" | "mul" | "imul" | "div" | "idiv"
        | "push" | "pop" | "cltd" | "cqto" | "cdq" | "lahf" => Instruction::Computed,
        _ if name.starts_with("set") || name.starts_with("cmov") => Instruction::Computed,
        _ => return None,
    })
}

/// An operand of the statement, analysed.
struct Operand {
    value: ExprId,
    /// Of an output, or of an input in memory.
    is_place: bool,
    is_written: bool,
    /// It is read, too (`+`).
    is_read: bool,
    in_memory: bool,
}

impl Analyzer<'_> {
    pub fn assembly(&mut self, id: ast::AsmId, span: Span) -> Checked<StmtKind> {
        let ast = self.ast;
        let asm = &ast.asms[id];
        let Some(template) = self.text(asm.template) else { return Ok(UNKNOWN) };
        if !asm.labels.is_empty() {
            return Ok(UNKNOWN);
        }
        if template.trim().is_empty() {
            return self.empty_assembly(asm, span);
        }
        let Some(instructions) = instructions(&template) else { return Ok(UNKNOWN) };
        let Some(operands) = self.operands(asm)? else { return Ok(UNKNOWN) };
        let mut writes = Vec::new();
        for (position, operand) in operands.iter().enumerate().filter(|(_, operand)| operand.is_written) {
            let mut place = operand.value;
            for &instruction in &instructions {
                if let Instruction::Bit(number, target) = instruction
                    && target == position
                    && operand.in_memory
                {
                    match operands.get(number).and_then(|number| self.word_of_bit(place, number.value, span))
                    {
                        Some(word) => place = word,
                        None => return Ok(UNKNOWN),
                    }
                }
            }
            writes.push(place);
        }
        let is_known_bit = |instruction: &Instruction| match *instruction {
            Instruction::Bit(_, target) => operands.get(target).is_some_and(|operand| operand.is_written),
            _ => true,
        };
        if !instructions.iter().all(is_known_bit) {
            return Ok(UNKNOWN);
        }
        let is_chosen = instructions.iter().max() == Some(&Instruction::Chosen);
        // A register that is no operand may hold an address, as that of the stack does.
        let may_get_address = |place| template.contains("%%") && self.fits_address(place);
        if !writes.iter().all(|&place| self.can_hold_any(place, is_chosen) && !may_get_address(place)) {
            return Ok(UNKNOWN);
        }
        let reads: Vec<ExprId> = operands
            .iter()
            .filter(|operand| operand.is_read)
            .map(|operand| if operand.is_place { self.load(operand.value) } else { operand.value })
            .collect();
        let result = if is_chosen { AssemblyResult::Chosen } else { AssemblyResult::Computed };
        Ok(self.assembly_statement(&reads, &writes, result))
    }

    fn assembly_statement(
        &mut self,
        reads: &[ExprId],
        writes: &[ExprId],
        result: AssemblyResult,
    ) -> StmtKind {
        let reads = self.program.expr_lists.push(reads.iter().copied());
        let writes = self.program.expr_lists.push(writes.iter().copied());
        StmtKind::Assembly(Assembly { reads, writes, result })
    }

    /// Outputs keep their values, get that of an input, or what happens to be in a register.
    fn empty_assembly(&mut self, asm: &ast::Asm, span: Span) -> Checked<StmtKind> {
        if asm.outputs.is_empty() {
            return Ok(StmtKind::Empty);
        }
        let Some(operands) = self.operands(asm)? else { return Ok(UNKNOWN) };
        let mut fresh = Vec::new();
        let mut copies = Vec::new();
        for (position, output) in operands[..asm.outputs.len()].iter().enumerate() {
            let tied = asm.inputs.iter().position(|input| {
                self.text(input.constraint).is_some_and(|text| text.trim().parse() == Ok(position))
            });
            match tied {
                Some(input) => copies.push((output.value, operands[asm.outputs.len() + input].value)),
                None if output.is_read => {}
                None => fresh.push(output.value),
            }
        }
        match copies[..] {
            [] if fresh.is_empty() => Ok(StmtKind::Empty),
            [] if fresh.iter().all(|&place| self.can_hold_any(place, false)) => {
                Ok(self.assembly_statement(&[], &fresh, AssemblyResult::Computed))
            }
            [(target, value)] if fresh.is_empty() => {
                let (to, from) = (self.type_of(target).unqualified(), self.type_of(value));
                if !self.types().is_scalar(to) || !self.types().is_scalar(from) {
                    return Ok(UNKNOWN);
                }
                let value = self.make(ExprKind::Cast(value), to, span);
                Ok(StmtKind::Expr(self.assign(target, value, span)))
            }
            _ => Ok(UNKNOWN),
        }
    }

    fn text(&self, id: ast::StringId) -> Option<String> {
        match &self.ast.strings[id].units {
            ast::Units::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).trim_end_matches('\0').into()),
            ast::Units::Wide(_) => None,
        }
    }

    /// `None` if one of them is nothing that a machine could hold.
    fn operands(&mut self, asm: &ast::Asm) -> Checked<Option<Vec<Operand>>> {
        let clobbers_memory = asm.clobbers.iter().any(|&name| self.text(name).as_deref() == Some("memory"));
        let mut operands = Vec::new();
        for output in &asm.outputs {
            let (value, constraint) =
                (self.expr(output.value)?, self.text(output.constraint).unwrap_or_default());
            if !self.is_lvalue(value) || self.type_of(value).is_const() {
                return Ok(None);
            }
            let is_read = constraint.contains('+');
            let in_memory = constraint.contains(['m', 'g', 'o', 'V', 'Q', 'X']);
            operands.push(Operand { value, is_place: true, is_written: true, is_read, in_memory });
        }
        for input in &asm.inputs {
            let constraint = self.text(input.constraint).unwrap_or_default();
            let value = self.expr(input.value)?;
            let in_memory = constraint.contains(['m', 'o', 'V', 'Q']) && self.is_lvalue(value);
            let value = if in_memory { value } else { self.decay(value) };
            let value = if !in_memory && self.is_place(value) { self.load(value) } else { value };
            let is_written = in_memory && clobbers_memory;
            operands.push(Operand { value, is_place: in_memory, is_written, is_read: true, in_memory });
        }
        let scalars = |operand: &Operand| self.types().is_scalar(self.type_of(operand.value));
        Ok(operands.iter().all(scalars).then_some(operands))
    }

    /// A pointer that is computed could lead anywhere.
    fn can_hold_any(&self, place: ExprId, is_chosen: bool) -> bool {
        let ty = self.type_of(place);
        self.types().is_integer(ty) || is_chosen && self.types().is_scalar(ty) && !self.types().is_pointer(ty)
    }

    fn fits_address(&self, place: ExprId) -> bool {
        let types = self.types();
        types.size_of(self.type_of(place)) >= types.size_of(types.size_type())
    }

    /// The word that a bit is in, counted from the start of a place: the place itself if the number is known to be small.
    fn word_of_bit(&mut self, place: ExprId, number: ExprId, span: Span) -> Option<ExprId> {
        let bits = match self.types().int_shape(self.type_of(place))?.width {
            32 => 5,
            64 => 6,
            _ => return None,
        };
        if !self.types().is_integer(self.type_of(number)) {
            return None;
        }
        let mut simple = number;
        while let ExprKind::Cast(operand) = self.kind(simple) {
            simple = operand;
        }
        match self.kind(simple) {
            ExprKind::Int(number) if number < 1 << bits => return Some(place),
            ExprKind::Load(variable) if matches!(self.kind(variable), ExprKind::Variable(_)) => {}
            _ => return None,
        }
        if self.bit_field(place).is_some() || matches!(self.types().get(self.type_of(place)), Type::Bool) {
            return None;
        }
        let index = self.program.types.difference_type();
        let number = self.make(ExprKind::Cast(number), index, span);
        let bits = self.int(bits, index, span);
        let index =
            self.make(ExprKind::Binary { op: BinaryOp::ShiftRight, left: number, right: bits }, index, span);
        let pointer = self.address_of_place(place, span);
        let pointer = self.pointer_add(pointer, index, false, span).ok()?;
        Some(self.dereference(pointer, span))
    }
}

#[cfg(test)]
mod tests {
    use super::{Instruction, instructions};

    fn most(template: &str) -> Option<Instruction> {
        instructions(template).map(|all| all.into_iter().max().unwrap_or(Instruction::Nothing))
    }

    #[test]
    fn known_instructions() {
        assert_eq!(most("nop"), Some(Instruction::Nothing));
        assert_eq!(most("rep; nop"), Some(Instruction::Nothing));
        assert_eq!(most("outl %0, %w1"), Some(Instruction::Nothing));
        assert_eq!(most("inb %w1, %b0"), Some(Instruction::Chosen));
        assert_eq!(most("pushf ; pop %0"), Some(Instruction::Computed));
        assert_eq!(most("1:\tlock; xaddl %0, %1\n"), Some(Instruction::Computed));
        assert_eq!(most("cmp %1, %0; je 1f; inc %0; 1:"), Some(Instruction::Computed));
        assert_eq!(most("mov %%ax, %0"), Some(Instruction::Computed));
        assert_eq!(most("movl $-0x10, %k0"), Some(Instruction::Computed));
        assert_eq!(most("movslq %1,%0"), Some(Instruction::Computed));
        assert_eq!(
            most(
                ".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; bts %2,%1\n\tsbb %0,%0"
            ),
            Some(Instruction::Bit(2, 1))
        );
    }

    #[test]
    fn what_reaches_memory_by_itself_is_unknown() {
        for template in [
            "rep; movsl",
            "rep stosb",
            "movl $0, (%0)",
            "movl $1, counter",
            "movl $counter, %0",
            "mov %1, %a0",
            "movl $0, %c0",
            "movl %1, %P0",
            ".byte 0x0f, 0xae, 0x27",
            ".section .text,\"ax\"\n.byte 0xaa\n.previous",
            ".include \"stores.s\"",
            "call *%P0",
            "call __get_user_1",
            "int $0x80",
            "syscall",
            "bts %[bit], %0",
            "mov %%eax, 4(%%ebx)",
            "mov %%gs:%P1, %0",
            "frobnicate %0",
            "jmp *%0",
            "jmp out",
        ] {
            assert_eq!(most(template), None, "{template}");
        }
    }
}
