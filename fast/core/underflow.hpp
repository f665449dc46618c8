// What underflows becomes 0 for a while, where the processor can do that.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace demeter {

/// While it lives, results that underflow are 0 in this thread, where they otherwise cost up to 150 cycles each (x86;
/// on other processors nothing is done). For code to which underflow does not matter. The rounding stays what it was.
/// Call pin() on the inputs right after construction and on the results right before destruction: otherwise the
/// compiler may move arithmetic out of the guarded scope.
class UnderflowToZero {
 public:
  UnderflowToZero(UnderflowToZero const&) = delete;
  UnderflowToZero& operator=(UnderflowToZero const&) = delete;
#if defined(__SSE__)
  UnderflowToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_to_zero); }
  ~UnderflowToZero() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned flush_to_zero = 0x8000;
  unsigned before_;
#else
  UnderflowToZero() {}
  ~UnderflowToZero() {}
#endif

 public:
  template <class T>
  static void pin(T& value) {
    asm volatile("" : "+m"(value));
  }
};

}  // namespace demeter
