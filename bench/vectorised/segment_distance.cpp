// Compiled once per level, with the compiler flags of the level and -DDEMETER_LEVEL=avx2 or avx512. Everything except
// the entry points is local to this file, and no library template is used. The linker can then not pick an
// instantiation with instructions that the CPU does not have.

#include "bench/vectorised/segment_distance.hpp"

#include <cmath>
#include <cstddef>

namespace {

using Column = double const* __restrict;

double clamp(double x) {
  x = x < 0 ? 0 : x;
  return x > 1 ? 1 : x;
}

/// Computes the distance after Ericson, Real-Time Collision Detection, 5.1.9, with selects instead of branches.
void textbook(std::size_t n, Column p0x, Column p0y, Column p0z, Column p1x, Column p1y, Column p1z, Column q0x,
              Column q0y, Column q0z, Column q1x, Column q1y, Column q1z, double* __restrict distance) {
  // The columns are restrict parameters. Without restrict, the loop would need 12 run-time alias checks, and g++ would
  // not vectorise it.
  for (std::size_t i = 0; i < n; ++i) {
    double const d1x = p1x[i] - p0x[i], d1y = p1y[i] - p0y[i], d1z = p1z[i] - p0z[i];
    double const d2x = q1x[i] - q0x[i], d2y = q1y[i] - q0y[i], d2z = q1z[i] - q0z[i];
    double const rx = p0x[i] - q0x[i], ry = p0y[i] - q0y[i], rz = p0z[i] - q0z[i];
    double const a = d1x * d1x + d1y * d1y + d1z * d1z;
    double const e = d2x * d2x + d2y * d2y + d2z * d2z;
    double const f = d2x * rx + d2y * ry + d2z * rz;
    double const c = d1x * rx + d1y * ry + d1z * rz;
    double const b = d1x * d2x + d1y * d2y + d1z * d2z;
    // Every quotient is computed first and unconditionally: g++ vectorises only selects of values.
    double const determinant = a * e - b * b;
    double const s_line = clamp((b * f - c * e) / determinant);
    double const s_point = clamp(-c / a);
    double const s_free = determinant != 0 ? s_line : 0;
    double const t_line = (b * s_free + f) / e;
    double const s_end = clamp((t_line < 0 ? -c : b - c) / a);
    double const t_clamped = clamp(t_line);
    double const s_box = t_clamped == t_line ? s_free : s_end;
    double const t = e != 0 ? t_clamped : 0;
    double const s_q = e != 0 ? s_box : s_point;
    double const s = a != 0 ? s_q : 0;
    double const vx = rx + s * d1x - t * d2x;
    double const vy = ry + s * d1y - t * d2y;
    double const vz = rz + s * d1z - t * d2z;
    distance[i] = std::sqrt(vx * vx + vy * vy + vz * vz);
  }
}

/// Reads every input once and writes the first output once. Only adds the inputs.
void sum(std::size_t n, Column p0x, Column p0y, Column p0z, Column p1x, Column p1y, Column p1z, Column q0x, Column q0y,
         Column q0z, Column q1x, Column q1y, Column q1z, double* __restrict out) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = ((p0x[i] + p0y[i] + p0z[i]) + (p1x[i] + p1y[i] + p1z[i])) +
             ((q0x[i] + q0y[i] + q0z[i]) + (q1x[i] + q1y[i] + q1z[i]));
  }
}

}  // namespace

namespace demeter::segment_distance::bench::DEMETER_LEVEL {

void textbook_vectorised(std::size_t n, double const* const in[], double* const out[]) {
  textbook(n, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10], in[11], out[0]);
}

void load_floor(std::size_t n, double const* const in[], double* const out[]) {
  sum(n, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10], in[11], out[0]);
}

}  // namespace demeter::segment_distance::bench::DEMETER_LEVEL
