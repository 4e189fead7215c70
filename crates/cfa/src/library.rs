//! Functions of the C library, and of verification tasks, that are known by name.
//!
//! A function is one of these only if the program does not define it. What they do is up to
//! `replay` and `encode`, each in its own way; this table only says which is which.

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

    /// `__VERIFIER_nondet_int` and its like: the run's inputs.
    pub fn is_input(name: &str) -> bool {
        name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")
    }
}
