// Everything that C++ allocates comes from mimalloc.

#include <cstddef>
#include <new>

extern "C" void *mi_new(std::size_t size);
extern "C" void mi_free(void *block) noexcept;

void *operator new(std::size_t size) { return mi_new(size); }
void *operator new[](std::size_t size) { return mi_new(size); }
void operator delete(void *block) noexcept { mi_free(block); }
void operator delete[](void *block) noexcept { mi_free(block); }
void operator delete(void *block, std::size_t) noexcept { mi_free(block); }
void operator delete[](void *block, std::size_t) noexcept { mi_free(block); }
