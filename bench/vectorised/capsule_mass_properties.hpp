// The routines of bench/vectorised/capsule_mass_properties.cpp, which is compiled once per level.
#pragma once

#include <cstddef>

namespace demeter::capsule_mass_properties::bench {

namespace avx2 {
void copy(std::size_t n, double const* const in[], double* const out[]);
void printed(std::size_t n, double const* const in[], double* const out[]);
}  // namespace avx2

namespace avx512 {
void copy(std::size_t n, double const* const in[], double* const out[]);
void printed(std::size_t n, double const* const in[], double* const out[]);
}  // namespace avx512

}  // namespace demeter::capsule_mass_properties::bench
