//! Functions that C or POSIX define, but [`Library`](cfa::library::Library) does not know.
//!
//! To treat these as functions from outside, which return anything and write nothing, would be to
//! guess: a run that calls one is not a run of the program. They end the run as unsupported. Those
//! that really do return anything (`rand`, `time`, `getchar`, …) are not listed, and are inputs.

use crate::call::Argument;
use crate::machine::{Machine, Result, Returned};
use crate::memory::ObjectKind;

/// Values of `errno`.
pub(super) const NO_MEMORY: i32 = 12;
pub(super) const DOMAIN: i32 = 33;
pub(super) const RANGE: i32 = 34;

/// Functions whose effect or result is fixed.
const FIXED: &[&str] = &[
    // Control.
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "siglongjmp",
    "_longjmp",
    "atexit",
    "on_exit",
    "at_quick_exit",
    "quick_exit",
    "signal",
    "sigaction",
    "raise",
    "fork",
    "vfork",
    "execve",
    "execv",
    "execl",
    "execvp",
    "execlp",
    "pthread_create",
    "pthread_join",
    "pthread_exit",
    "thrd_create",
    // Memory and strings.
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "reallocarray",
    "memccpy",
    "mempcpy",
    "memrchr",
    "memmem",
    "rawmemchr",
    "bcopy",
    "bzero",
    "bcmp",
    "index",
    "rindex",
    "stpcpy",
    "stpncpy",
    "strlcpy",
    "strlcat",
    "strcasecmp",
    "strncasecmp",
    "strcasestr",
    "strchrnul",
    "strcoll",
    "strxfrm",
    "strsep",
    "strtok",
    "strtok_r",
    "strerror",
    "swab",
    "asprintf",
    "vasprintf",
    "basename",
    "dirname",
    "wcslen",
    "wcscpy",
    "wcsncpy",
    "wcscmp",
    "wcscat",
    "wmemcpy",
    "wmemset",
    "mbstowcs",
    "wcstombs",
    "mbtowc",
    "wctomb",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "isascii",
    "toascii",
    // Input that is written to memory.
    "scanf",
    "fscanf",
    "sscanf",
    "vscanf",
    "vfscanf",
    "vsscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "gets",
    "fgets",
    "fread",
    "read",
    "pread",
    "recv",
    "recvfrom",
    "getline",
    "getdelim",
    "fwrite",
    "write",
    "gettimeofday",
    "clock_gettime",
    "stat",
    "fstat",
    "lstat",
    "getcwd",
    "pipe",
    // Numbers.
    "strtof",
    "strtold",
    "strtoimax",
    "strtoumax",
    "imaxabs",
    "imaxdiv",
    "ffs",
    "ffsl",
    "ffsll",
    "ldexp",
    "ldexpf",
    "ldexpl",
    "scalbn",
    "scalbnf",
    "scalbnl",
    "scalbln",
    "frexp",
    "frexpf",
    "frexpl",
    "modfl",
    "fma",
    "fmaf",
    "fmal",
    "remquo",
    "remquof",
    "remainderl",
    "drem",
    "fdiml",
    "nextafter",
    "nextafterf",
    "nextafterl",
    "nexttoward",
    "logb",
    "logbf",
    "ilogb",
    "ilogbf",
    "cbrt",
    "cbrtf",
    "hypot",
    "hypotf",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sinl",
    "cosl",
    "tanl",
    "asinf",
    "acosf",
    "atanf",
    "atan2f",
    "expl",
    "logl",
    "powl",
    "log2f",
    "log10f",
    "exp2",
    "exp2f",
    "expm1",
    "log1p",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "sincos",
    "llrint",
    "llrintf",
    "llround",
    "llroundf",
    "lrintl",
    "lroundl",
    "llrintl",
    "llroundl",
    "nanl",
    "significand",
    "finitef",
    "finitel",
    // The floating-point environment.
    "fesetenv",
    "feupdateenv",
    "feholdexcept",
    "fegetenv",
    "feraiseexcept",
    "fetestexcept",
    "feclearexcept",
];

impl Machine<'_> {
    /// What an undefined function that is not of the table does, if it is not up to the inputs.
    pub fn fixed_function(&mut self, name: &str, arguments: &[Argument]) -> Result<Option<Returned>> {
        let first = arguments.first().map_or(0, Argument::bits) as i32;
        match name {
            // Only rounding to nearest is modelled.
            "fegetround" => Ok(Some(Returned::Narrow(0))),
            "fesetround" if first == 0 => Ok(Some(Returned::Narrow(0))),
            "fesetround" => Err(self.unsupported("another rounding mode")),
            "__errno_location" => self.errno().map(|address| Some(Returned::Narrow(address))),
            _ if FIXED.contains(&name) => Err(self.unsupported(format!("the library function {name}"))),
            _ => Ok(None),
        }
    }

    /// Sets `errno`, whether or not the program has asked for its address.
    pub(super) fn set_errno(&mut self, error: i32) {
        self.errno = error;
        if let Some(object) = self.errno_address.and_then(|address| self.memory.find(address)) {
            self.memory.bytes_mut(object, 0, 4).copy_from_slice(&error.to_le_bytes());
        }
    }

    /// The address of `errno`.
    fn errno(&mut self) -> Result<u64> {
        if let Some(address) = self.errno_address {
            return Ok(address);
        }
        let object = self.allocate(ObjectKind::Outside, 4, 4)?;
        let address = self.memory.object(object).address;
        self.write(address, &self.errno.to_le_bytes())?;
        self.errno_address = Some(address);
        Ok(address)
    }
}
