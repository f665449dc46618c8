// Dispatch of a kernel to its instruction-set levels, for batches and for single rows.
#pragma once

#include "fast/core/level.hpp"

#include <atomic>
#include <cstddef>

namespace demeter::fast_core {

/// A batch form of a kernel: answers n cases. Case k is row k of the columns.
using Batch = void(std::size_t n, double const* const in[], double* const out[]);

struct Forms {
  Batch *scalar, *avx2, *avx512;

  Batch* at(Level level) const {
    switch (level) {
      case Level::avx512:
        return avx512;
      case Level::avx2:
        return avx2;
      case Level::scalar:
        break;
    }
    return scalar;
  }
};

template <auto function, class... Arguments>
__attribute__((target("fma"), noinline)) auto call_with_fma(Arguments const&... arguments) {
  return function(arguments...);
}

/// Calls function(arguments...). A second copy is compiled for CPUs with FMA, because the baseline code would call the
/// C library at each std::fma. `function` must be HWY_INLINE. This call itself is never inlined.
template <auto function, class... Arguments>
__attribute__((noinline)) auto call_fused(Arguments const&... arguments) {
  static bool const fused = available(Level::avx2);
  return fused ? call_with_fma<function>(arguments...) : function(arguments...);
}

template <class Input, class Output>
using One = Output(Input const&) noexcept;

/// Pointer to the single-row form for this CPU. The first call chooses the form.
template <class Input, class Output, One<Input, Output>* scalar, One<Input, Output>* avx2>
struct OneForm {
  static Output choose(Input const& in) noexcept {
    auto* const found = available(Level::avx2) ? avx2 : scalar;
    form.store(found, std::memory_order_relaxed);
    return found(in);
  }
  static inline constinit std::atomic<One<Input, Output>*> form{choose};
};

/// Answers one row. A local static pointer would check its guard at each call and occupy registers. This would take 14
/// more instructions: 0.3 to 0.7 ns of the 27 ns per pair of segments.
template <class Input, class Output, One<Input, Output>* scalar, One<Input, Output>* avx2>
__attribute__((always_inline)) inline Output call_one(Input const& in) noexcept {
  return OneForm<Input, Output, scalar, avx2>::form.load(std::memory_order_relaxed)(in);
}

}  // namespace demeter::fast_core
