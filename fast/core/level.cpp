#include "fast/core/level.hpp"

#include <hwy/targets.h>

namespace demeter {

bool available(Level level) noexcept {
  switch (level) {
    case Level::scalar:
      return true;
    case Level::avx2:
      return (hwy::SupportedTargets() & HWY_AVX2) != 0;
    case Level::avx512:
      return (hwy::SupportedTargets() & HWY_AVX3) != 0;
  }
  return false;
}

Level best_level() noexcept {
  if (available(Level::avx512)) return Level::avx512;
  return available(Level::avx2) ? Level::avx2 : Level::scalar;
}

}  // namespace demeter
