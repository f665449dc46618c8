// Compiler-vectorised comparison routines of capsule_contact: one source, compiled once per instruction set.
#pragma once

#include <cstddef>

// Columns are in the order of the C ABI: 14 in, 8 out. No column may be null. Output columns must not overlap any other
// column.

namespace demeter::capsule_contact::bench::avx2 {
void geometric_vectorised(std::size_t n, double const* const in[], double* const out[]);
void copy_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::capsule_contact::bench::avx2

namespace demeter::capsule_contact::bench::avx512 {
void geometric_vectorised(std::size_t n, double const* const in[], double* const out[]);
void copy_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::capsule_contact::bench::avx512
