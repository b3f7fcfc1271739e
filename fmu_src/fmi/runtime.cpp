// Defines the functions that compiled C++ expects of libstdc++, so that an FMU's library needs libc and libm only.
// Memory comes from malloc, and nullptr means that there is none: nothing here throws (compile with -fcheck-new).
// Nothing asks for more alignment than malloc gives.
#include <cstdlib>
#include <new>

// NOLINTBEGIN(bugprone-reserved-identifier, bugprone-std-namespace-modification): the names are those of libstdc++.

namespace std {
const nothrow_t nothrow{};
}

void* operator new(std::size_t size) { return std::malloc(size > 0 ? size : 1); }
void* operator new[](std::size_t size) { return std::malloc(size > 0 ? size : 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size > 0 ? size : 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size > 0 ? size : 1); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

/// Stands in tables of virtual functions where a class has none; never called.
extern "C" [[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }

// Initialises a function's static object once, whichever thread comes first: the first byte says that it is done, the
// second that someone is at it.
extern "C" int __cxa_guard_acquire(unsigned char* guard) {
  for (;;) {
    if (__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE) != 0) return 0;
    if (__atomic_exchange_n(&guard[1], 1, __ATOMIC_ACQUIRE) != 0) continue;
    if (__atomic_load_n(&guard[0], __ATOMIC_RELAXED) == 0) return 1;
    __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
  }
}

extern "C" void __cxa_guard_release(unsigned char* guard) {
  __atomic_store_n(&guard[0], 1, __ATOMIC_RELEASE);
  __atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
}

// NOLINTEND(bugprone-reserved-identifier, bugprone-std-namespace-modification): the names end here.
