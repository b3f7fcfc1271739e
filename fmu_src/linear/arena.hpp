// An arena is the memory of an instance. Objects and arrays lie one after the other in a few large blocks, which are
// given back together: an instance needs one or two allocations, whatever it is made of, and one question tells whether
// memory was short. Under AddressSanitizer there is a gap behind each of them that nobody may touch.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define MECHFMU_FORBID(memory, size) __asan_poison_memory_region(memory, size)
#define MECHFMU_ALLOW(memory, size) __asan_unpoison_memory_region(memory, size)
#else
#define MECHFMU_FORBID(memory, size) static_cast<void>(0)
#define MECHFMU_ALLOW(memory, size) static_cast<void>(0)
#endif

namespace mechfmu {

class Arena {
 public:
  /// The first block of an instance has this size in bytes, which is enough for small mechanisms. A larger one takes
  /// longer to clear than a small instance takes to be made.
  static constexpr std::size_t of_instance = std::size_t{1} << 16;

  /// Every further block is twice as large as the one before.
  explicit Arena(std::size_t first_block = 4096) : next_size_(first_block) {}
  /// Takes over the blocks of another arena; what lies in them stays where it is.
  Arena(Arena&& other) noexcept : Arena() { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Arena() {
    while (newest_ != nullptr) {
      Block* older = newest_->older;
      MECHFMU_ALLOW(newest_, newest_->size);
      std::free(newest_);
      newest_ = older;
    }
  }

  /// Is false if memory was short: then nobody may use what was made in the arena.
  bool ok() const { return ok_; }

  /// Returns an array of zeros, or nullptr if memory is short.
  template <class Number>
  Number* zeros(int count) {
    static_assert(std::is_trivially_copyable_v<Number> && alignof(Number) <= alignment);
    return static_cast<Number*>(take(static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(Number)));
  }

  /// Returns a new object, or nullptr if memory is short. The arena never calls destructors: a caller whose object owns
  /// something says so and calls its destructor.
  enum class Destroyed { by_nobody, by_caller };
  template <class T, Destroyed destroyed = Destroyed::by_nobody, class... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(destroyed == Destroyed::by_caller || std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= alignment);
    void* memory = take(sizeof(T));
    return memory == nullptr ? nullptr : new (memory) T(std::forward<Arguments>(arguments)...);
  }

 private:
  static constexpr std::size_t alignment = alignof(std::max_align_t);
  struct alignas(alignment) Block {
    Block* older;
    std::size_t size;  ///< size of the block, with this head, in bytes
  };
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t gap = alignment;
#else
  static constexpr std::size_t gap = 0;
#endif
  void* take(std::size_t size) {
    if (!ok_) return nullptr;
    const std::size_t room = (size + alignment - 1) / alignment * alignment + gap;
    if (room > left_ && !add_block(room)) {
      ok_ = false;
      return nullptr;
    }
    void* taken = next_;
    next_ += room;
    left_ -= room;
    MECHFMU_ALLOW(taken, size);
    return taken;
  }

  bool add_block(std::size_t room) {
    const std::size_t needed = room + sizeof(Block), size = needed > next_size_ ? needed : next_size_;
    auto* block = static_cast<Block*>(std::calloc(size, 1));
    if (block == nullptr) return false;
    *block = {newest_, size};
    newest_ = block;
    next_size_ = 2 * size;
    next_ = reinterpret_cast<char*>(block + 1);
    left_ = size - sizeof(Block);
    MECHFMU_FORBID(next_, left_);
    return true;
  }

  void swap(Arena& other) noexcept {
    std::swap(newest_, other.newest_);
    std::swap(next_, other.next_);
    std::swap(left_, other.left_);
    std::swap(next_size_, other.next_size_);
    std::swap(ok_, other.ok_);
  }

  Block* newest_ = nullptr;  ///< the blocks are a list, from the newest to the oldest
  char* next_ = nullptr;     ///< first byte of the newest block that is not yet taken
  std::size_t left_ = 0;     ///< bytes of the newest block that are not yet taken
  std::size_t next_size_;    ///< size of the next block, in bytes
  bool ok_ = true;
};

/// Classes that own an arena have this base class, which they list first.
struct OwnMemory {
  explicit OwnMemory(std::size_t first_block = 4096) : memory(first_block) {}
  Arena memory;
};

}  // namespace mechfmu
