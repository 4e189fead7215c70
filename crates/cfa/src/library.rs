//! Functions of the C library, and of verification tasks, that are known by name.
//!
//! A function is one of these only if the program does not define it. What they do is up to
//! `replay` and `encode`, each in its own way; this table only says which is which.

use sema::types::{TypeId, Types};

/// Which numbers a function can return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownResult {
    NotNegative,
    /// Of 8 bits, or -1.
    Character,
}

macro_rules! library {
    ($($name:literal => $function:ident,)*) => {
        /// A function of known behaviour.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Library { $($function,)* }

        impl Library {
            pub fn of_name(name: &str) -> Option<Library> {
                match name {
                    $($name => Some(Library::$function),)*
                    _ => None,
                }
            }

            pub fn name(self) -> &'static str {
                match self {
                    $(Library::$function => $name,)*
                }
            }
        }
    };
}

library! {
    // Verification.
    "__VERIFIER_assume" => Assume,
    "__VERIFIER_assert" => VerifierAssert,
    "__VERIFIER_error" => VerifierError,
    "reach_error" => ReachError,
    "__VERIFIER_atomic_begin" => AtomicBegin,
    "__VERIFIER_atomic_end" => AtomicEnd,
    "__assert_fail" => AssertFail,
    "__assert" => Assert,
    "assert" => AssertFunction,

    // Memory.
    "malloc" => Malloc,
    "calloc" => Calloc,
    "realloc" => Realloc,
    "free" => Free,
    "alloca" => Alloca,
    "__builtin_alloca" => BuiltinAlloca,
    "memcpy" => Memcpy,
    "memmove" => Memmove,
    "memset" => Memset,
    "memcmp" => Memcmp,
    "memchr" => Memchr,

    // Strings.
    "strlen" => Strlen,
    "strnlen" => Strnlen,
    "strcpy" => Strcpy,
    "strncpy" => Strncpy,
    "strcat" => Strcat,
    "strncat" => Strncat,
    "strcmp" => Strcmp,
    "strncmp" => Strncmp,
    "strchr" => Strchr,
    "strrchr" => Strrchr,
    "strstr" => Strstr,
    "strspn" => Strspn,
    "strcspn" => Strcspn,
    "strpbrk" => Strpbrk,
    "strdup" => Strdup,
    "strndup" => Strndup,
    "strtol" => Strtol,
    "strtoul" => Strtoul,
    "strtoll" => Strtoll,
    "strtoull" => Strtoull,
    "strtod" => Strtod,
    "atoi" => Atoi,
    "atol" => Atol,
    "atoll" => Atoll,
    "atof" => Atof,

    // Characters.
    "isalnum" => Isalnum,
    "isalpha" => Isalpha,
    "isblank" => Isblank,
    "iscntrl" => Iscntrl,
    "isdigit" => Isdigit,
    "isgraph" => Isgraph,
    "islower" => Islower,
    "isprint" => Isprint,
    "ispunct" => Ispunct,
    "isspace" => Isspace,
    "isupper" => Isupper,
    "isxdigit" => Isxdigit,
    "tolower" => Tolower,
    "toupper" => Toupper,
    "__ctype_b_loc" => CtypeBLoc,

    // Output and input.
    "printf" => Printf,
    "fprintf" => Fprintf,
    "sprintf" => Sprintf,
    "snprintf" => Snprintf,
    "vprintf" => Vprintf,
    "vfprintf" => Vfprintf,
    "vsprintf" => Vsprintf,
    "vsnprintf" => Vsnprintf,
    "puts" => Puts,
    "putchar" => Putchar,
    "fputs" => Fputs,
    "fputc" => Fputc,
    "putc" => Putc,
    "fflush" => Fflush,
    "perror" => Perror,

    // The end of the run.
    "abort" => Abort,
    "exit" => Exit,
    "_exit" => ExitNow,
    "_Exit" => ExitNowToo,

    // Numbers.
    "abs" => Abs,
    "labs" => Labs,
    "llabs" => Llabs,
    "div" => Div,
    "ldiv" => Ldiv,
    "lldiv" => Lldiv,
    "qsort" => Qsort,
    "bsearch" => Bsearch,
    "fabs" => Fabs,
    "fabsf" => Fabsf,
    "fabsl" => Fabsl,
    "sqrt" => Sqrt,
    "sqrtf" => Sqrtf,
    "sqrtl" => Sqrtl,
    "floor" => Floor,
    "floorf" => Floorf,
    "floorl" => Floorl,
    "ceil" => Ceil,
    "ceilf" => Ceilf,
    "ceill" => Ceill,
    "round" => Round,
    "roundf" => Roundf,
    "roundl" => Roundl,
    "trunc" => Trunc,
    "truncf" => Truncf,
    "truncl" => Truncl,
    "rint" => Rint,
    "rintf" => Rintf,
    "rintl" => Rintl,
    "nearbyint" => Nearbyint,
    "nearbyintf" => Nearbyintf,
    "nearbyintl" => Nearbyintl,
    "lrint" => Lrint,
    "lrintf" => Lrintf,
    "lround" => Lround,
    "lroundf" => Lroundf,
    "fmod" => Fmod,
    "fmodf" => Fmodf,
    "fmodl" => Fmodl,
    "remainder" => Remainder,
    "remainderf" => Remainderf,
    "fmin" => Fmin,
    "fminf" => Fminf,
    "fminl" => Fminl,
    "fmax" => Fmax,
    "fmaxf" => Fmaxf,
    "fmaxl" => Fmaxl,
    "fdim" => Fdim,
    "fdimf" => Fdimf,
    "copysign" => Copysign,
    "copysignf" => Copysignf,
    "copysignl" => Copysignl,
    "modf" => Modf,
    "modff" => Modff,
    "sin" => Sin,
    "sinf" => Sinf,
    "cos" => Cos,
    "cosf" => Cosf,
    "tan" => Tan,
    "tanf" => Tanf,
    "asin" => Asin,
    "acos" => Acos,
    "atan" => Atan,
    "atan2" => Atan2,
    "exp" => Exp,
    "expf" => Expf,
    "log" => Log,
    "logf" => Logf,
    "log2" => Log2,
    "log10" => Log10,
    "pow" => Pow,
    "powf" => Powf,
    "isnan" => Isnan,
    "isnanf" => Isnanf,
    "isnanl" => Isnanl,
    "isinf" => Isinf,
    "isinff" => Isinff,
    "isinfl" => Isinfl,
    "finite" => Finite,
    "__isnan" => IsnanUnderscore,
    "__isnanf" => IsnanfUnderscore,
    "__isnanl" => IsnanlUnderscore,
    "__isinf" => IsinfUnderscore,
    "__isinff" => IsinffUnderscore,
    "__isinfl" => IsinflUnderscore,
    "__finite" => FiniteUnderscore,
    "__finitef" => FinitefUnderscore,
    "__finitel" => FinitelUnderscore,
    "__signbit" => Signbit,
    "__signbitf" => Signbitf,
    "__signbitl" => Signbitl,
    "__fpclassify" => Fpclassify,
    "__fpclassifyf" => Fpclassifyf,
    "__fpclassifyl" => Fpclassifyl,
    "nan" => Nan,
    "nanf" => Nanf,
}

impl Library {
    /// The result is new memory, to be freed, or null if there is none left.
    pub fn allocates(self) -> bool {
        matches!(
            self,
            Library::Malloc | Library::Calloc | Library::Realloc | Library::Strdup | Library::Strndup
        )
    }

    /// Calls never come back.
    pub fn never_returns(self) -> bool {
        matches!(
            self,
            Library::Abort
                | Library::Exit
                | Library::ExitNow
                | Library::ExitNowToo
                | Library::AssertFail
                | Library::Assert
                | Library::VerifierError
                | Library::ReachError
        )
    }

    /// Whether the result, if it is used, and parameters or arguments are of the kinds that the function has in C: a
    /// program may declare another function of the same name.
    pub fn fits(
        self,
        types: &Types,
        result: Option<TypeId>,
        parameters: impl IntoIterator<Item = TypeId>,
    ) -> bool {
        let Some((first, others)) = self.shape().and_then(|shape| shape.split_first()) else { return true };
        let agrees = |(&kind, ty)| is_of_kind(types, ty, kind);
        result.is_none_or(|result| agrees((first, result))) && others.iter().zip(parameters).all(agrees)
    }

    /// The kinds of the result and the parameters, a letter each: `i`nteger, `p`ointer, `f`loat, or `-` for any.
    /// `None` where nothing depends on them.
    fn shape(self) -> Option<&'static [u8]> {
        use Library::*;
        let shape: &[u8] = match self {
            Malloc | Alloca | BuiltinAlloca => b"pi",
            Calloc => b"pii",
            Realloc => b"ppi",
            Free => b"-p",
            Memcpy | Memmove | Strncpy | Strncat => b"pppi",
            Memset | Memchr => b"ppii",
            Memcmp | Strncmp => b"ippi",
            Strlen | Atoi | Atol | Atoll => b"ip",
            Strnlen => b"ipi",
            Strcpy | Strcat | Strstr | Strpbrk => b"ppp",
            Strcmp | Strspn | Strcspn => b"ipp",
            Strchr | Strrchr | Strndup => b"ppi",
            Strdup => b"pp",
            Strtol | Strtoul | Strtoll | Strtoull => b"ippi",
            Strtod => b"fpp",
            Atof | Nan | Nanf => b"fp",
            CtypeBLoc => b"p",
            Isalnum | Isalpha | Isblank | Iscntrl | Isdigit | Isgraph | Islower | Isprint | Ispunct
            | Isspace | Isupper | Isxdigit | Tolower | Toupper | Abs | Labs | Llabs => b"ii",
            Fabs | Fabsf | Fabsl | Sqrt | Sqrtf | Sqrtl | Floor | Floorf | Floorl | Ceil | Ceilf | Ceill
            | Round | Roundf | Roundl | Trunc | Truncf | Truncl | Rint | Rintf | Rintl | Nearbyint
            | Nearbyintf | Nearbyintl | Sin | Sinf | Cos | Cosf | Tan | Tanf | Asin | Acos | Atan | Exp
            | Expf | Log | Logf | Log2 | Log10 => b"ff",
            Fmod | Fmodf | Fmodl | Remainder | Remainderf | Fmin | Fminf | Fminl | Fmax | Fmaxf | Fmaxl
            | Fdim | Fdimf | Copysign | Copysignf | Copysignl | Atan2 | Pow | Powf => b"fff",
            Modf | Modff => b"ffp",
            Lrint | Lrintf | Lround | Lroundf | Isnan | Isnanf | Isnanl | Isinf | Isinff | Isinfl
            | Finite | IsnanUnderscore | IsnanfUnderscore | IsnanlUnderscore | IsinfUnderscore
            | IsinffUnderscore | IsinflUnderscore | FiniteUnderscore | FinitefUnderscore
            | FinitelUnderscore | Signbit | Signbitf | Signbitl | Fpclassify | Fpclassifyf | Fpclassifyl => {
                b"if"
            }
            _ => return None,
        };
        Some(shape)
    }

    /// What is known of the result of a function that is not modelled otherwise.
    pub fn result_of(name: &str) -> Option<KnownResult> {
        match name {
            "rand" | "random" | "lrand48" => Some(KnownResult::NotNegative),
            "getchar" | "getc" | "fgetc" => Some(KnownResult::Character),
            _ => None,
        }
    }

    /// `__VERIFIER_nondet_int` and its like: the run's inputs.
    pub fn is_input(name: &str) -> bool {
        name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
    }
}

fn is_of_kind(types: &Types, ty: TypeId, kind: u8) -> bool {
    match kind {
        b'i' => types.is_integer(ty),
        b'p' => types.is_pointer(ty),
        b'f' => types.is_float(ty),
        _ => true,
    }
}
