// The instruction sets for which the fast kernels are compiled. The level is chosen at run time.
#pragma once

#include <array>
#include <string_view>

namespace demeter {

/// An instruction set. `scalar` runs on every CPU. The SIMD levels need FMA and are never below AVX2: Kahan's product
/// difference is wrong with a MulAdd that rounds twice.
enum class Level { scalar, avx2, avx512 };
constexpr std::array<std::string_view, 3> labels(Level) { return {"scalar", "avx2", "avx512"}; }

/// Returns true if this CPU and operating system can run the level.
bool available(Level level) noexcept;

/// Returns the highest available level.
Level best_level() noexcept;

}  // namespace demeter
