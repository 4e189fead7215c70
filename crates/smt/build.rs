//! Gives CaDiCaL, which is C++, the allocator that `sat::cadical` explains.

fn main() {
    println!("cargo::rerun-if-changed=native/heap.cpp");
    cc::Build::new().cpp(true).file("native/heap.cpp").compile("proviso_heap");
}
