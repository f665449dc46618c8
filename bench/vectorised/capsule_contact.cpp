// Compiled once per level, with the compiler flags of the level and -DDEMETER_LEVEL=avx2 or avx512. Everything except
// the entry points is local to this file, and no library template is used. The linker can then not pick an
// instantiation with instructions that the CPU does not have.

#include "bench/vectorised/capsule_contact.hpp"

#include <cmath>
#include <cstddef>

namespace {

using Column = double const* __restrict;
using Result = double* __restrict;

double onto_shaft(double x) {
  x = x < -1 ? -1 : x;
  return x > 1 ? 1 : x;
}

/// Computes the closest pair of points on the axes after Ericson, Real-Time Collision Detection, 5.1.9, with selects
/// instead of branches. Then computes the point in the middle of the overlap of the spheres at these points. This is
/// plain code without the care of the recommended formula.
void geometric(std::size_t n, Column c1x, Column c1y, Column c1z, Column a1x, Column a1y, Column a1z, Column r1,
               Column c2x, Column c2y, Column c2z, Column a2x, Column a2y, Column a2z, Column r2, Result uN, Result nx,
               Result ny, Result nz, Result px, Result py, Result pz, Result status) {
  // The columns are restrict parameters. Without restrict, g++ would not vectorise the loop, because the loop would
  // need too many run-time alias checks.
  for (std::size_t i = 0; i < n; ++i) {
    double const wx = c2x[i] - c1x[i], wy = c2y[i] - c1y[i], wz = c2z[i] - c1z[i];
    double const ax = a1x[i], ay = a1y[i], az = a1z[i], bx = a2x[i], by = a2y[i], bz = a2z[i];
    double const a = ax * ax + ay * ay + az * az, e = bx * bx + by * by + bz * bz;
    double const b = ax * bx + ay * by + az * bz;
    double const c = ax * wx + ay * wy + az * wz, f = bx * wx + by * wy + bz * wz;
    // Every quotient is computed first and unconditionally: g++ vectorises only selects of values.
    double const determinant = a * e - b * b;
    double const x_line = onto_shaft((c * e - b * f) / determinant);
    double const x_free = determinant != 0 ? x_line : 0;
    double const y_clamped = onto_shaft((b * x_free - f) / e);
    double const y = e != 0 ? y_clamped : 0;
    double const x_clamped = onto_shaft((b * y + c) / a);
    double const x = a != 0 ? x_clamped : 0;
    double const vx = wx + y * bx - x * ax, vy = wy + y * by - x * ay, vz = wz + y * bz - x * az;
    double const d = std::sqrt(vx * vx + vy * vy + vz * vz), inverse = 1 / d;
    double const gap = d - (r1[i] + r2[i]), unequal = r1[i] - r2[i];
    double const normal_x = vx * inverse, normal_y = vy * inverse, normal_z = vz * inverse;
    uN[i] = gap;
    nx[i] = normal_x;
    ny[i] = normal_y;
    nz[i] = normal_z;
    px[i] = c1x[i] + 0.5 * (wx + y * bx + x * ax + unequal * normal_x);
    py[i] = c1y[i] + 0.5 * (wy + y * by + x * ay + unequal * normal_y);
    pz[i] = c1z[i] + 0.5 * (wz + y * bz + x * az + unequal * normal_z);
    status[i] = gap < 0 ? 1.0 : 0.0;
  }
}

/// Reads every input once and writes every output once, with almost no computation.
void copy(std::size_t n, Column c1x, Column c1y, Column c1z, Column a1x, Column a1y, Column a1z, Column r1, Column c2x,
          Column c2y, Column c2z, Column a2x, Column a2y, Column a2z, Column r2, Result uN, Result nx, Result ny,
          Result nz, Result px, Result py, Result pz, Result status) {
  for (std::size_t i = 0; i < n; ++i) {
    uN[i] = r1[i] + r2[i];
    nx[i] = a1x[i] + a2x[i];
    ny[i] = a1y[i] + a2y[i];
    nz[i] = a1z[i] + a2z[i];
    px[i] = c1x[i] + c2x[i];
    py[i] = c1y[i] + c2y[i];
    pz[i] = c1z[i] + c2z[i];
    status[i] = r1[i];
  }
}

}  // namespace

namespace demeter::capsule_contact::bench::DEMETER_LEVEL {

void geometric_vectorised(std::size_t n, double const* const in[], double* const out[]) {
  geometric(n, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10], in[11], in[12], in[13],
            out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]);
}

void copy_floor(std::size_t n, double const* const in[], double* const out[]) {
  copy(n, in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], in[10], in[11], in[12], in[13], out[0],
       out[1], out[2], out[3], out[4], out[5], out[6], out[7]);
}

}  // namespace demeter::capsule_contact::bench::DEMETER_LEVEL
