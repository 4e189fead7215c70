//! Names that mean something to the compiler: attributes and builtins. (Library functions are found
//! by their text: programs declare most of what they use of them.)
//!
//! A program uses few of the builtins, and all names that it uses have been interned by the parser.
//! So the rest is not: in a small program, that would be most of the work.

use crate::builtins::{BUILTINS, Known};
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
    Alias,
    Weak,
    Constructor,
    /// Would change what the program means, and is not modelled.
    NotModelled,
    /// What the parser makes of `#pragma pack(n)`.
    PragmaPack,
}

/// Symbols of those names.
pub struct Names {
    pub attributes: FxHashMap<Symbol, AttributeName>,
    /// Those that the program uses.
    pub builtins: FxHashMap<Symbol, Known>,
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
            ("alias", AttributeName::Alias),
            ("weak", AttributeName::Weak),
            ("constructor", AttributeName::Constructor),
            ("destructor", AttributeName::NotModelled),
            ("ifunc", AttributeName::NotModelled),
            ("scalar_storage_order", AttributeName::NotModelled),
            ("weakref", AttributeName::NotModelled),
            ("pragma_pack", AttributeName::PragmaPack),
        ];
        let used = |&(name, known): &(&str, Known)| interner.lookup(name).map(|symbol| (symbol, known));
        let builtins = BUILTINS.iter().filter_map(used).collect();
        Self {
            attributes: attributes.map(|(name, kind)| (interner.intern(name), kind)).into_iter().collect(),
            builtins,
            function_names: ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"].map(|n| interner.intern(n)),
            main: interner.intern("main"),
            temporary: interner.intern("__temporary"),
            length: interner.intern("__length"),
            literal: interner.intern("__literal"),
            vector: interner.intern("__vector"),
        }
    }
}
