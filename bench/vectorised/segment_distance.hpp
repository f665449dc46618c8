// Compiler-vectorised comparison routines of segment_distance: one source, compiled once per instruction set.
#pragma once

#include <cstddef>

// Columns are in the order of the C ABI: 12 in, 3 out. Only the first output, the distance, is written. It must not
// overlap any input.

namespace demeter::segment_distance::bench::avx2 {
void textbook_vectorised(std::size_t n, double const* const in[], double* const out[]);
void load_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::segment_distance::bench::avx2

namespace demeter::segment_distance::bench::avx512 {
void textbook_vectorised(std::size_t n, double const* const in[], double* const out[]);
void load_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::segment_distance::bench::avx512
