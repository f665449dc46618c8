// A template for code in C++ with Demeter's C interface. Replace `distance` by your own routine, then run:
//
//     c++ -std=c++17 -O2 -fPIC -shared -I <where demeter_subject.h is> adapter.cpp -o libadapter.so
//     demeter check segment_distance --subject lib:./libadapter.so
#include "demeter_subject.h"

#include <algorithm>
#include <cmath>

namespace {

struct Vector {
  double x, y, z;
};
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(double s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
double unit(double value) { return std::min(std::max(value, 0.0), 1.0); }

/// Computes the distance by the textbook routine (Ericson 2005). The routine is right for ordinary segments. Demeter
/// finds segments for which the routine is wrong.
double distance(Vector p0, Vector p1, Vector q0, Vector q1, double& s, double& t) {
  Vector const u = p1 - p0, v = q1 - q0, r = p0 - q0;
  double const a = dot(u, u), e = dot(v, v), b = dot(u, v), c = dot(u, r), f = dot(v, r), determinant = a * e - b * b;
  s = determinant > 0 ? unit((b * f - c * e) / determinant) : 0;
  t = e > 0 ? unit((b * s + f) / e) : 0;
  s = a > 0 ? unit((b * t - c) / a) : 0;
  Vector const gap = (r - -s * u) - t * v;
  return std::sqrt(dot(gap, gap));
}

Vector vector_at(double const* const in[], int column, std::size_t i, double unit) {
  return {in[column][i] / unit, in[column + 1][i] / unit, in[column + 2][i] / unit};
}

}  // namespace

int demeter_abi_version() { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name() { return "the adapter template in C++"; }

// `demeter list segment_distance --abi` prints the meaning of each column.
DEMETER_KERNEL(segment_distance) {
  for (std::size_t i = 0; i < n; ++i) {
    double largest = 0, s = 0, t = 0;
    for (int k = 0; k < 12; ++k) largest = std::max(largest, std::abs(in[k][i]));
    // Dividing by a power of two near the largest coordinate prevents overflow and underflow of squares. Division by a
    // power of two is exact.
    double const unit = largest > 0 ? std::scalbn(1.0, std::max(std::ilogb(largest), -1021)) : 1;
    double const d = unit * distance(vector_at(in, 0, i, unit), vector_at(in, 3, i, unit), vector_at(in, 6, i, unit),
                                     vector_at(in, 9, i, unit), s, t);
    if (out[0] != nullptr) out[0][i] = d;
    if (out[1] != nullptr) out[1][i] = s;
    if (out[2] != nullptr) out[2][i] = t;
  }
  return 0;
}

// An example of lists, null and labels. Its kernel exists only in Demeter's tests. A case has a list of points along a
// line, and a limit.
//   in   0 limit; 1 offsets, 2 x, 3 y, 4 z of the points
//   out  0 order, a label: 0 none, 1 rising, 2 mixed
//        1 offsets, 2-4 doubled: as long as the points; the offsets are filled in already
//        5 offsets, 6 rise, 7 height of the steps: a list of its own length
//        8 offsets, 9 presence (0 or 1), 10 signs: as long as the points, null where x is 0
//        11 presence (0 or 1), 12 highest: null if there are no points
DEMETER_KERNEL(toy_lists) {
  auto const put = [out](int column, std::size_t at, double value) {
    if (out[column] != nullptr) out[column][at] = value;
  };
  std::size_t steps = 0;
  put(5, 0, 0);
  for (std::size_t i = 0; i < n; ++i) {
    double const *const begin = in[2] + std::size_t(in[1][i]), *const end = in[2] + std::size_t(in[1][i + 1]);
    put(0, i, begin == end ? 0 : std::is_sorted(begin, end) ? 1 : 2);
    put(11, i, begin != end);
    if (begin != end) put(12, i, *std::max_element(begin, end));
    for (double const* x = begin; x != end; ++x) {
      std::size_t const at = std::size_t(x - in[2]);
      for (int k = 2; k < 5; ++k) put(k, at, 2 * in[k][at]);
      put(9, at, *x != 0);
      put(10, at, *x > 0 ? 1 : -1);
      if (x == begin || !(x[0] - x[-1] > in[0][i])) continue;
      if (steps == room) return DEMETER_MORE_ROOM;
      put(6, steps, x[0] - x[-1]);
      put(7, steps, *x);
      ++steps;
    }
    put(5, i + 1, double(steps));
  }
  return 0;
}
