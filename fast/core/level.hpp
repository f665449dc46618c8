// The instruction sets the fast kernels are compiled for, chosen at run time.
#pragma once

#include <array>
#include <string_view>

namespace demeter {

/// `scalar` runs everywhere; the SIMD levels need FMA and are never below AVX2, because a MulAdd that rounds twice
/// would void Kahan's product difference.
enum class Level { scalar, avx2, avx512 };
constexpr std::array<std::string_view, 3> labels(Level) { return {"scalar", "avx2", "avx512"}; }

/// True if this CPU and operating system can run the level.
bool available(Level level) noexcept;

/// The highest available level.
Level best_level() noexcept;

}  // namespace demeter
