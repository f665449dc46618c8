// A std::vector whose memory begins at the start of a cache line, for the columns of a batch.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace demeter::fast_core {

template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(AlignedAllocator<U> const&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }
  friend bool operator==(AlignedAllocator const&, AlignedAllocator const&) { return true; }
};

/// A std::vector whose memory begins at the start of a cache line. A load of one aligned SIMD vector then never crosses
/// two cache lines.
template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;

}  // namespace demeter::fast_core
