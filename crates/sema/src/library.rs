//! Library functions that the compiler knows: those that a program may call without declaring them,
//! and those that `__builtin_NAME` stands for.
//!
//! A signature is the result and then the parameters, a letter each: `v`oid, `i`nt, `u`nsigned,
//! `l`ong, `L`ong long, si`z`e_t, `p` void *, `c` const void *, `s` char *, `S` const char *, `d`ouble,
//! `f`loat, `D` long double, `w` va_list, and `.` for more arguments.

use crate::context::Analyzer;
use crate::hir::{Function, FunctionId};
use crate::scope::Entity;
use crate::types::{Type, TypeId};
use base::{Span, Symbol};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const LIBRARY: &[(&str, &str)] = &[
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("memcpy", "ppcz"),
    ("mempcpy", "ppcz"),
    ("memmove", "ppcz"),
    ("memset", "ppiz"),
    ("memcmp", "iccz"),
    ("memchr", "pciz"),
    ("bcopy", "vcpz"),
    ("bzero", "vpz"),
    ("strlen", "zS"),
    ("strnlen", "zSz"),
    ("strcpy", "ssS"),
    ("stpcpy", "ssS"),
    ("strncpy", "ssSz"),
    ("strcat", "ssS"),
    ("strncat", "ssSz"),
    ("strcmp", "iSS"),
    ("strncmp", "iSSz"),
    ("strcasecmp", "iSS"),
    ("strncasecmp", "iSSz"),
    ("strchr", "sSi"),
    ("strrchr", "sSi"),
    ("strstr", "sSS"),
    ("strdup", "sS"),
    ("strndup", "sSz"),
    ("strspn", "zSS"),
    ("strcspn", "zSS"),
    ("strpbrk", "sSS"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("llabs", "LL"),
    ("ffsl", "il"),
    ("exit", "vi"),
    ("_exit", "vi"),
    ("_Exit", "vi"),
    ("abort", "v"),
    ("printf", "iS."),
    ("fprintf", "ipS."),
    ("sprintf", "isS."),
    ("snprintf", "iszS."),
    ("vprintf", "iSw"),
    ("vfprintf", "ipSw"),
    ("vsprintf", "isSw"),
    ("vsnprintf", "iszSw"),
    ("scanf", "iS."),
    ("sscanf", "iSS."),
    ("fscanf", "ipS."),
    ("puts", "iS"),
    ("putchar", "ii"),
    ("isalnum", "ii"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("isspace", "ii"),
    ("isupper", "ii"),
    ("islower", "ii"),
    ("isxdigit", "ii"),
    ("isprint", "ii"),
    ("ispunct", "ii"),
    ("toupper", "ii"),
    ("tolower", "ii"),
];

/// Functions on doubles, each also with `f` for float and `l` for long double.
const MATH: &[(&str, &str)] = &[
    ("fabs", "dd"),
    ("sqrt", "dd"),
    ("cbrt", "dd"),
    ("sin", "dd"),
    ("cos", "dd"),
    ("tan", "dd"),
    ("asin", "dd"),
    ("acos", "dd"),
    ("atan", "dd"),
    ("sinh", "dd"),
    ("cosh", "dd"),
    ("tanh", "dd"),
    ("exp", "dd"),
    ("exp2", "dd"),
    ("expm1", "dd"),
    ("log", "dd"),
    ("log2", "dd"),
    ("log10", "dd"),
    ("log1p", "dd"),
    ("ceil", "dd"),
    ("floor", "dd"),
    ("round", "dd"),
    ("trunc", "dd"),
    ("rint", "dd"),
    ("nearbyint", "dd"),
    ("logb", "dd"),
    ("pow", "ddd"),
    ("fmod", "ddd"),
    ("atan2", "ddd"),
    ("fmax", "ddd"),
    ("fmin", "ddd"),
    ("fdim", "ddd"),
    ("hypot", "ddd"),
    ("copysign", "ddd"),
    ("nextafter", "ddd"),
    ("remainder", "ddd"),
    ("fma", "dddd"),
    ("ldexp", "ddi"),
    ("scalbn", "ddi"),
    ("frexp", "ddp"),
    ("modf", "ddp"),
    ("ilogb", "id"),
    ("lround", "ld"),
    ("llround", "Ld"),
    ("lrint", "ld"),
    ("llrint", "Ld"),
];

/// Which of the three versions of a function in [`MATH`] is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathSuffix {
    None,
    Float,
    Long,
}

/// A library function that may be used undeclared.
#[derive(Clone, Copy, Debug)]
struct LibraryFunction<'n> {
    /// The name without `__builtin_`.
    plain: &'n str,
    signature: &'static str,
    suffix: MathSuffix,
}

impl<'n> LibraryFunction<'n> {
    fn named(name: &'n str) -> Option<Self> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(&(signature, _)) = SIGNATURES.get(plain) {
            return Some(Self { plain, signature, suffix: MathSuffix::None });
        }
        let (stem, suffix) = match plain.strip_suffix('f') {
            Some(stem) => (stem, MathSuffix::Float),
            None => (plain.strip_suffix('l')?, MathSuffix::Long),
        };
        let &(signature, is_math) = SIGNATURES.get(stem)?;
        is_math.then_some(Self { plain, signature, suffix })
    }
}

/// Both tables by name, and whether it is the one of [`MATH`].
static SIGNATURES: LazyLock<FxHashMap<&'static str, (&'static str, bool)>> = LazyLock::new(|| {
    let library = LIBRARY.iter().map(|&(name, signature)| (name, (signature, false)));
    library.chain(MATH.iter().map(|&(name, signature)| (name, (signature, true)))).collect()
});

/// Whether a name is that of a library function, with or without `__builtin_` before it.
pub fn is_library_name(name: &str) -> bool {
    LibraryFunction::named(name).is_some()
}

/// Whether it is one with `__builtin_` before it.
pub fn is_builtin_library_name(name: &str) -> bool {
    LibraryFunction::named(name).is_some_and(|function| function.plain != name)
}

impl Analyzer<'_> {
    /// The library function behind a name that the program has not declared: with the right type,
    /// whether called by its own name or with `__builtin_` before it.
    pub fn library_function(&mut self, name: Symbol, span: Span) -> Option<FunctionId> {
        let text = self.name(name).to_owned();
        let LibraryFunction { plain, signature, suffix } = LibraryFunction::named(&text)?;
        let plain = self.interner.intern(plain);
        if let Entity::Function(id) = self.links.external(plain) {
            return Some(id);
        }
        let ty = self.signature_type(signature, suffix);
        let noreturn = matches!(self.name(plain), "exit" | "_exit" | "_Exit" | "abort");
        let function = Function { name: plain, ty, noreturn, body: None, span };
        let id = self.program.functions.push(function);
        self.links.set_external(plain, Entity::Function(id));
        Some(id)
    }

    fn signature_type(&mut self, signature: &str, suffix: MathSuffix) -> TypeId {
        let variadic = signature.ends_with('.');
        let letters = signature.trim_end_matches('.');
        let mut types: Vec<TypeId> = letters.chars().map(|letter| self.letter_type(letter, suffix)).collect();
        let result = types.remove(0);
        let parameters = types.into();
        self.program.types.intern(Type::Function { result, parameters, variadic, prototype: true })
    }

    fn letter_type(&mut self, letter: char, suffix: MathSuffix) -> TypeId {
        let target = match letter {
            'p' => TypeId::VOID,
            'c' => TypeId::VOID.qualified(true, false),
            's' => TypeId::CHAR,
            'S' => TypeId::CHAR.qualified(true, false),
            'v' => return TypeId::VOID,
            'u' => return TypeId::UNSIGNED_INT,
            'l' => return TypeId::LONG,
            'L' => return TypeId::LONG_LONG,
            'z' => return self.types().size_type(),
            'w' => return TypeId::VA_LIST,
            'd' => {
                return match suffix {
                    MathSuffix::None => TypeId::DOUBLE,
                    MathSuffix::Float => TypeId::FLOAT,
                    MathSuffix::Long => TypeId::LONG_DOUBLE,
                };
            }
            _ => return TypeId::INT,
        };
        self.program.types.pointer_to(target)
    }
}
