// Compiler-vectorised baselines of segment_distance: one source, compiled once per instruction set.
#pragma once

#include <cstddef>

// Columns in the C ABI's order: 12 in, 3 out, of which only the first, the distance, is written. It overlaps no input.

namespace demeter::segment_distance::bench::avx2 {
void textbook_vectorised(std::size_t n, double const* const in[], double* const out[]);
void load_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::segment_distance::bench::avx2

namespace demeter::segment_distance::bench::avx512 {
void textbook_vectorised(std::size_t n, double const* const in[], double* const out[]);
void load_floor(std::size_t n, double const* const in[], double* const out[]);
}  // namespace demeter::segment_distance::bench::avx512
