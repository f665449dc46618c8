// Compiler-vectorised baselines of capsule_contact: one source, compiled once per instruction set.
#pragma once

#include <cstddef>

// Columns in the C ABI's order: 14 in, 8 out, none of them null. No output column overlaps another column.

namespace demeter::capsule_contact::bench::avx2 {
void geometric_vectorised(std::size_t n, double const* const in[], double* const out[]);
void copy_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::capsule_contact::bench::avx2

namespace demeter::capsule_contact::bench::avx512 {
void geometric_vectorised(std::size_t n, double const* const in[], double* const out[]);
void copy_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::capsule_contact::bench::avx512
