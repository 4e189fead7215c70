//! Names that mean something to the compiler: attributes, builtins, library functions.

use crate::builtins::{BUILTINS, Known};
use crate::library::{LIBRARY, MATH, MathSuffix};
use base::{Interner, Symbol};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeName {
    Packed,
    Aligned,
    TransparentUnion,
    NoReturn,
    Cleanup,
    VectorSize,
    Mode,
    GnuInline,
    /// What the parser makes of `#pragma pack(n)`.
    PragmaPack,
}

/// Symbols of those names, interned once.
pub struct Names {
    pub attributes: FxHashMap<Symbol, AttributeName>,
    pub builtins: FxHashMap<Symbol, Known>,
    /// The signature of library functions that may be used undeclared, and of `__builtin_` forms
    /// the plain name.
    pub library: FxHashMap<Symbol, (Symbol, &'static str, MathSuffix)>,
    /// `__func__` and its two GNU names.
    pub function_names: [Symbol; 3],
    pub main: Symbol,
    pub temporary: Symbol,
    pub length: Symbol,
    pub literal: Symbol,
    pub vector: Symbol,
}

impl Names {
    pub fn new(interner: &mut Interner) -> Self {
        let attributes = [
            ("packed", AttributeName::Packed),
            ("aligned", AttributeName::Aligned),
            ("transparent_union", AttributeName::TransparentUnion),
            ("noreturn", AttributeName::NoReturn),
            ("cleanup", AttributeName::Cleanup),
            ("vector_size", AttributeName::VectorSize),
            ("mode", AttributeName::Mode),
            ("gnu_inline", AttributeName::GnuInline),
            ("pragma_pack", AttributeName::PragmaPack),
        ];
        let mut library = FxHashMap::default();
        let mut add = |name: &str, signature, suffix| {
            let plain = interner.intern(name);
            library.insert(plain, (plain, signature, suffix));
            library.insert(interner.intern(&format!("__builtin_{name}")), (plain, signature, suffix));
        };
        for &(name, signature) in LIBRARY {
            add(name, signature, MathSuffix::None);
        }
        for &(name, signature) in MATH {
            add(name, signature, MathSuffix::None);
            add(&format!("{name}f"), signature, MathSuffix::Float);
            add(&format!("{name}l"), signature, MathSuffix::Long);
        }
        Self {
            attributes: attributes.map(|(name, kind)| (interner.intern(name), kind)).into_iter().collect(),
            builtins: BUILTINS.iter().map(|&(name, known)| (interner.intern(name), known)).collect(),
            library,
            function_names: ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].map(|n| interner.intern(n)),
            main: interner.intern("main"),
            temporary: interner.intern("__temporary"),
            length: interner.intern("__length"),
            literal: interner.intern("__literal"),
            vector: interner.intern("__vector"),
        }
    }
}
