// The union is the disjoint union of ball i cut down to its cell in the power diagram, which is convex: bounded by a
// patch of sphere i and by facets, each the disc in which two spheres meet cut down by the half-planes of the balls
// that overlap both. The divergence theorem about the ball's own centre gives, with h the distance of a facet's plane
// along its unit normal m, F its area, y = x - h m and rho^2 = r^2 - h^2,
//   V        = (r^3 A + sum h F) / 3
//   int x    = sum (h int y - rho^2 F m) / 4
//   int xx^T = (r^2 V 1 + sum [(h^2 - r^2/2) (m int y^T + int y m^T) - h rho^2 F m m^T + h int yy^T]) / 5
// where int n over the patch was replaced by -sum F m (a closed surface), int nn^T likewise, so that only the solid
// angle A of the patch is left of it. That is the area between its arcs and the great circles from the point opposite
// the largest cap, which no arc comes near.
#include "fast/clump_union_mass_properties.hpp"

#include "fast/core/double2.hpp"
#include "fast/family/clump/principal_axes.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace demeter::clump_union_mass_properties::fast {
namespace {

using namespace demeter::fast_core;

constexpr long double wide_pi = 3.14159265358979323846264338327950288L;
constexpr double pi = static_cast<double>(wide_pi);

// ----------------------------------------------------------------------------------------------------------- vectors

template <class Scalar>
struct Vec3 {
  Scalar x, y, z;
};
using Vec = Vec3<double>;
template <class Scalar>
Vec3<Scalar> operator+(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Scalar>
Vec3<Scalar> operator-(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Scalar>
Vec3<Scalar> operator-(Vec3<Scalar> const& a) {
  return {-a.x, -a.y, -a.z};
}
template <class Scalar>
Vec3<Scalar> operator*(Scalar const& f, Vec3<Scalar> const& a) {
  return {f * a.x, f * a.y, f * a.z};
}
template <class Scalar>
Scalar dot(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Scalar>
Vec3<Scalar> cross(Vec3<Scalar> const& a, Vec3<Scalar> const& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// In double-double, for balls whose centres are nearly on one line.
Double2 normalised(double high, double low) {
  double const sum = high + low;
  return {sum, (high - sum) + low};
}
Double2 operator+(Double2 const& a, Double2 const& b) {
  Double2 sum = a;
  sum.add(b.high);
  return normalised(sum.high, sum.low + b.low);
}
Double2 operator-(Double2 const& a) { return {-a.high, -a.low}; }
Double2 operator-(Double2 const& a, Double2 const& b) { return a + -b; }
Double2 operator*(Double2 const& a, Double2 const& b) {
  Double2 const p = product(a.high, b.high);
  return normalised(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// ------------------------------------------------------------------------------------------------------------- records

using Index = std::uint32_t;

struct Balls {
  double const* centre[3];
  double const* radius;
  std::size_t size, stride;

  double c(std::size_t axis, std::size_t i) const { return centre[axis][i * stride]; }
  double r(std::size_t i) const { return radius[i * stride]; }
};

// What is summed up for one ball, lengths in the clump's unit.
struct Body {
  double r, inverse_r;
  bool dropped;           // in another ball
  bool cut, exposed;      // has facets, has arcs
  double least_a;         // of the largest cap
  Vec largest;            // its axis
  double caps;            // sum of the caps' solid angles
  double turning;         // sum of (1 - a) dphi
  double turn_x, turn_y;  // product of the triangles' complex numbers, whose angles add up
  std::uint64_t open;     // sum of the marks of arcs' ends less that of starts: 0 if the arcs close
  bool pencil;            // one of three balls whose planes nearly agree
  Index site;             // 0, or 1 + the ball that stands for all balls of its site
  // Of the body about the ball's centre, or of the whole site about that of the ball that stands for it: surface, three
  // times volume, four times int x, five times int xx^T.
  double surface, volume, first[3], second[6];
};

// The disc in which spheres i < j meet. Frame u, v, m right-handed, m from i to j.
struct Facet {
  Index i, j;
  double d, h_i, h_j, rho, rho_2;
  Vec between, m, u, v;
  bool dead;  // nothing of it is left
  Index first_line, lines;
};

// The line in which the planes of three balls meet, as far as it is in them: x +- s t, x from the first centre.
struct Line {
  Index i, j, f_ij, f_ik;
  Vec x, t;
  double s;
};

// A line on a facet: what lies beyond it, y.n > q, is another ball's. Its ends are q n -+ s d, d = (-n_y, n_x).
struct Cut {
  double n_x, n_y, q, s;
  Index facet, line;
  int sense;  // +1: d is the line's t
};

struct Edge {
  double n_x, n_y, q, s, low, high;
  Index line;
  int sense;
  bool alive, low_on_rim, high_on_rim;
};

struct Turned {
  double by;  // a number that ascends from 0 to 4 with the angle of the edge's normal
  Index edge;
};

struct Mark {
  Index ball;
  std::uint64_t end;
  int sign;  // +1 the end of an arc, -1 the start of one
};

struct Workspace {
  std::vector<Body> bodies;
  std::vector<Facet> facets;
  std::vector<Index> first_facet;  // of each ball as i; facets are sorted by i, then j
  std::vector<Line> lines;
  std::vector<Cut> cuts, sorted;
  std::vector<Edge> edges;
  std::vector<Turned> turned;  // the edges that are left, counter-clockwise
  std::vector<Mark> marks;
  bool pencils;  // some balls are in one
};

// Numbers that nothing relates (splitmix64).
std::uint64_t mark_of(std::uint64_t number) {
  std::uint64_t z = number + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// ---------------------------------------------------------------------------------------------------- pairs and
// triples

// From ball i to ball j.
Vec separation(Balls const& balls, Factor const& scaled, std::size_t i, std::size_t j) {
  return {scaled(balls.c(0, j) - balls.c(0, i)), scaled(balls.c(1, j) - balls.c(1, i)),
          scaled(balls.c(2, j) - balls.c(2, i))};
}

// One of the two balls in the other, one facet, or nothing.
void add_pair(Workspace& work, Balls const& balls, Factor const& scaled, Index i, Index j) {
  Body &a = work.bodies[i], &b = work.bodies[j];
  Vec const e = separation(balls, scaled, i, j);
  double const square = dot(e, e), sum = a.r + b.r, step = a.r - b.r;
  if (!(square < sum * sum)) return;
  double const d = std::sqrt(square), size = std::abs(step);
  if (!(size < d)) {
    (step < 0 ? a : b).dropped = true;
    return;
  }
  double const apart = sum - d;
  if (!(apart > 0)) return;
  Facet facet;
  facet.i = i;
  facet.j = j;
  facet.d = d;
  facet.between = e;
  facet.h_i = 0.5 * (d + (step / d) * sum);
  facet.h_j = 0.5 * (d - (step / d) * sum);
  facet.rho_2 = ((apart / d) * (sum + d)) * (((d - size) / d) * (d + size)) * 0.25;
  if (!(facet.rho_2 > 0)) return;
  facet.rho = std::sqrt(facet.rho_2);
  facet.m = (1 / d) * e;
  facet.dead = false;
  facet.first_line = facet.lines = 0;
  work.facets.push_back(facet);
}

// u and v beside m (Duff et al. 2017).
void set_frame(Facet& facet) {
  Vec const& m = facet.m;
  double const sign = std::copysign(1.0, m.z), a = -1 / (sign + m.z), b = m.x * m.y * a;
  facet.u = {1 + sign * m.x * m.x * a, sign * b, -sign * m.x};
  facet.v = {b, sign + m.y * m.y * a, -m.y};
}

void add_caps(Body& body, double h, Vec const& m) {
  double const a = h * body.inverse_r;
  body.cut = true;
  body.caps += 2 * pi * (1 - a);
  if (a < body.least_a) {
    body.least_a = a;
    body.largest = m;
  }
}

// Three planes that are turned against each other by less than this and apart by less than this times their discs'
// radii make a pencil, which is left to a site. With 1e-5, rounding about others cost up to 6e-14; with this, 3e-15.
constexpr double nearly = 1e-3;

void find_pencil(Workspace& work, Facet const& ij, Facet const& ik, Facet const& jk) {
  double const h_ik = dot(ij.m, ik.m) > 0 ? ik.h_i : -ik.h_i;
  if (!(std::abs(ij.h_i - h_ik) < nearly * std::min({ij.rho, ik.rho, jk.rho}))) return;
  work.bodies[ij.i].pencil = work.bodies[ij.j].pencil = work.bodies[ik.j].pencil = true;
  work.pencils = true;
}

// Signed distances of three balls' line from the centres of their discs, each away from the two balls of the disc,
// times the parallelogram's area; and the unit normal of the plane of the centres. For centres nearly on one line,
// where plain double would leave of them nothing.
struct Thin {
  double area;
  Vec t;
  double q_ij, q_ik, q_jk;
};
Thin thin_triple(Balls const& balls, Factor const& scaled, Workspace const& work, Facet const& ij, Facet const& ik) {
  std::size_t const i = ij.i, j = ij.j, k = ik.j;
  auto const component = [&](std::size_t axis, std::size_t to) {
    Double2 const exact = difference(balls.c(axis, to), balls.c(axis, i));
    return Double2{scaled(exact.high), scaled(exact.low)};
  };
  std::array<Double2, 3> e, f;
  for (std::size_t axis = 0; axis < 3; ++axis) e[axis] = component(axis, j), f[axis] = component(axis, k);
  auto const inner = [](std::array<Double2, 3> const& x, std::array<Double2, 3> const& y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  };
  auto const power = [&](Double2 const& square, Index one, Index other) {
    Double2 const sum = difference(work.bodies[one].r, -work.bodies[other].r),
                  step = difference(work.bodies[one].r, work.bodies[other].r);
    Double2 const twice = square + sum * step;
    return Double2{0.5 * twice.high, 0.5 * twice.low};
  };
  auto const rounded_cross = [&](std::size_t a, std::size_t b) { return (e[a] * f[b] - e[b] * f[a]).rounded(); };
  Vec const t{rounded_cross(1, 2), rounded_cross(2, 0), rounded_cross(0, 1)};
  Double2 const ee = inner(e, e), ff = inner(f, f), ef = inner(e, f);
  Double2 const gg = ee + ff - (ef + ef), eg = ee - ef;  // of the vector from j to k; from j to i times that
  Double2 const p_ij = power(ee, ij.i, ij.j), p_ik = power(ff, ij.i, ik.j), p_ji = ee - p_ij,
                p_jk = power(gg, ij.j, ik.j);
  double const area = std::sqrt(dot(t, t));
  Thin result;
  result.area = area;
  result.t = area > 0 ? (1 / area) * t : t;
  result.q_ij = (p_ik * ee - p_ij * ef).rounded() / ij.d;
  result.q_ik = (p_ij * ff - p_ik * ef).rounded() / ik.d;
  result.q_jk = (p_ji * gg - p_jk * eg).rounded();
  return result;
}

void add_cut(Workspace& work, Index facet, Vec const& n, double q, double s, Index line, int sense) {
  Facet const& on = work.facets[facet];
  double const x = dot(n, on.u), y = dot(n, on.v);
  work.cuts.push_back({x, y, q, s, facet, line, sense});
  ++work.facets[facet].lines;
}

void add_triple(Workspace& work, Balls const& balls, Factor const& scaled, Index f_ij, Index f_ik, Index f_jk) {
  Facet &ij = work.facets[f_ij], &ik = work.facets[f_ik], &jk = work.facets[f_jk];
  if (ij.dead && ik.dead && jk.dead) return;
  Vec const cross_ij_ik = cross(ij.between, ik.between);
  double const area_2 = dot(cross_ij_ik, cross_ij_ik), dd = ij.d * ik.d;
  double area, q_ij;
  Vec t;
  if (!(area_2 > nearly * nearly * (dd * dd))) find_pencil(work, ij, ik, jk);
  if (area_2 > 1e-10 * (dd * dd)) {
    area = std::sqrt(area_2);
    double const c = dot(ij.m, ik.m) * ij.d;  // along ik
    q_ij = (ik.h_i * ij.d - ij.h_i * c) * ik.d / area;
    t = (1 / area) * cross_ij_ik;
  } else {
    Thin const thin = thin_triple(balls, scaled, work, ij, ik);
    if (!(thin.area > 0x1p-90 * dd)) {
      // Parallel planes: the middle ball has a slice of the line of centres or has none, one decision for all three.
      bool const i_middle = dot(ij.m, ik.m) < 0, j_middle = !i_middle && ij.d < ik.d;
      Facet& ends = i_middle ? jk : j_middle ? ik : ij;
      double const q = i_middle ? thin.q_jk : j_middle ? thin.q_ik : thin.q_ij;
      if (q < 0) {
        ends.dead = true;
      } else {
        bool const dead = ends.dead;
        ij.dead = ik.dead = jk.dead = true;
        ends.dead = dead;
      }
      return;
    }
    area = thin.area;
    q_ij = thin.q_ij / area;
    t = thin.t;
  }
  Vec const n_ij = cross(t, ij.m), n_ik = cross(ik.m, t), n_jk = cross(t, jk.m);
  double const s_2 = (ij.rho - q_ij) * (ij.rho + q_ij);
  Vec const x = ij.h_i * ij.m + q_ij * n_ij;
  double const q_ik = dot(x, n_ik), q_jk = dot(x - ij.between, n_jk);
  if (!(s_2 > 0)) {
    ij.dead = ij.dead || q_ij < 0;
    ik.dead = ik.dead || q_ik < 0;
    jk.dead = jk.dead || q_jk < 0;
    return;
  }
  double const s = std::sqrt(s_2);
  auto const line = static_cast<Index>(work.lines.size());
  work.lines.push_back({ij.i, ij.j, f_ij, f_ik, x, t, s});
  add_cut(work, f_ij, n_ij, q_ij, s, line, 1);
  add_cut(work, f_ik, n_ik, q_ik, s, line, -1);
  add_cut(work, f_jk, n_jk, q_jk, s, line, 1);
}

// ------------------------------------------------------------------------------------------------------------- facets

// An end of a line as a direction from the centre of one of its three balls.
Vec direction(Workspace const& work, std::uint64_t end, Index ball) {
  Line const& line = work.lines[end >> 1];
  Vec p = line.x + ((end & 1) != 0 ? line.s : -line.s) * line.t;
  if (ball != line.i) p = p - work.facets[ball == line.j ? line.f_ij : line.f_ik].between;
  return work.bodies[ball].inverse_r * p;
}

// Multiplies in the complex number whose angle is half the area of the triangle of p, q and the point opposite the
// largest cap's axis.
void turn_by(Body& body, double x, double y) {
  double const re = body.turn_x * x - body.turn_y * y, im = body.turn_x * y + body.turn_y * x;
  double const size = std::abs(re) + std::abs(im);
  body.turn_x = re / size;
  body.turn_y = im / size;
}
void add_chord(Body& body, Vec const& p, Vec const& q) {
  Vec const a = p - body.largest, b = q - body.largest;
  turn_by(body, dot(a, b), -dot(body.largest, cross(a, b)));
}
void add_piece(Body& body, double a, Vec const& p, Vec const& q, double cosine, double sine) {
  add_chord(body, p, q);
  turn_by(body, (1 + a) + (1 - a) * cosine, -((1 - a) * sine));
}

// An arc of a facet's circle, counter-clockwise about m, between ends of lines.
void add_arc(Workspace& work, Facet const& facet, Edge const& leaves, Edge const& arrives, double extent) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
  double const a_i = facet.h_i * i.inverse_r, a_j = facet.h_j * j.inverse_r;
  std::uint64_t const start = 2 * static_cast<std::uint64_t>(leaves.line) + (leaves.sense > 0 ? 1 : 0),
                      end = 2 * static_cast<std::uint64_t>(arrives.line) + (arrives.sense > 0 ? 0 : 1);
  i.turning += (1 - a_i) * extent;
  j.turning += (1 - a_j) * extent;
  i.exposed = j.exposed = true;
  i.open += mark_of(end) - mark_of(start);
  j.open += mark_of(start) - mark_of(end);
  work.marks.push_back({facet.i, end, 1});
  work.marks.push_back({facet.i, start, -1});
  work.marks.push_back({facet.j, start, 1});
  work.marks.push_back({facet.j, end, -1});
  int const pieces = extent > 4 * pi / 3 ? 3 : extent > 2 * pi / 3 ? 2 : 1;
  double const cosine = std::cos(extent / pieces), sine = std::sin(extent / pieces);
  Vec p_i = direction(work, start, facet.i), p_j = direction(work, start, facet.j);
  double px = leaves.q * leaves.n_x - leaves.s * leaves.n_y, py = leaves.q * leaves.n_y + leaves.s * leaves.n_x;
  for (int piece = 1; piece <= pieces; ++piece) {
    Vec q_i, q_j;
    if (piece == pieces) {
      q_i = direction(work, end, facet.i);
      q_j = direction(work, end, facet.j);
    } else {
      double const x = cosine * px - sine * py, y = sine * px + cosine * py;
      px = x;
      py = y;
      Vec const in_plane = x * facet.u + y * facet.v;
      q_i = i.inverse_r * (facet.h_i * facet.m + in_plane);
      q_j = j.inverse_r * (in_plane - facet.h_j * facet.m);
    }
    add_piece(i, a_i, p_i, q_i, cosine, sine);
    add_piece(j, a_j, q_j, p_j, cosine, sine);
    p_i = q_i;
    p_j = q_j;
  }
}

// Area, first and second moments of what is left of a disc, in its plane about its centre.
struct Flat {
  double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;

  // The triangle of the centre and the points p, q.
  void add_triangle(double twice_area, double px, double py, double qx, double qy) {
    double const sx = px + qx, sy = py + qy;
    area += 0.5 * twice_area;
    x += twice_area * sx * (1.0 / 6);
    y += twice_area * sy * (1.0 / 6);
    xx += twice_area * (sx * sx + px * px + qx * qx) * (1.0 / 24);
    xy += twice_area * (sx * sy + px * py + qx * qy) * (1.0 / 24);
    yy += twice_area * (sy * sy + py * py + qy * qy) * (1.0 / 24);
  }
  // The sector of the disc from p to q.
  void add_sector(double rho_2, double extent, double px, double py, double qx, double qy) {
    double const sc = qx * qy - px * py, ss = qy * qy - py * py;
    area += 0.5 * rho_2 * extent;
    x += rho_2 * (qy - py) * (1.0 / 3);
    y -= rho_2 * (qx - px) * (1.0 / 3);
    xx += 0.125 * rho_2 * (rho_2 * extent + sc);
    xy += 0.125 * rho_2 * ss;
    yy += 0.125 * rho_2 * (rho_2 * extent - sc);
  }
};

// One instruction each; the second if a number is none.
double lesser(double a, double b) { return a < b ? a : b; }
double greater(double a, double b) { return a > b ? a : b; }

// Where two lines of a facet bound each other, unless something excludes one of them already. One decision a pair: they
// cross on the disc, or one excludes the other, or they have nothing to do with each other. True if each excludes the
// other. Which of it is as good as random, and a wrong guess of the processor costs more than all of this: so there are
// no branches but for lines that are nearly one. (A heap of 20 balls that overlap nine others each takes a tenth less.)
inline bool meet(Edge& a, Edge& b, double rho) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double unless[2] = {infinity, 0};
  double const c = a.n_x * b.n_x + a.n_y * b.n_y, s = a.n_x * b.n_y - a.n_y * b.n_x;
  double const beyond_a = b.q - a.q * c, beyond_b = a.q - b.q * c, reach = a.s * std::abs(s);
  bool const both = a.alive & b.alive, crossing = std::abs(beyond_a) < reach;
  // Where lines that cross part by less than rounding, they are one: what is between them is no area. (With 8e-16 a
  // wedge between opposite lines was left in one of 200000 cubes whose eight spheres meet in the middle.)
  bool const one = reach < 2.5e-15 * rho;
  if (both & (one | ((std::abs(s) < 1e-7) & !crossing))) {
    if (c > 0)
      (a.q > b.q ? a : b).alive = false;
    else if (!(a.q + b.q > 0))
      a.alive = b.alive = false;
    return !a.alive && !b.alive;
  }
  // The same point on both.
  double const at_a = beyond_a / s, at_b = lesser(greater(at_a * c - a.q * s, -b.s), b.s);
  bool const left = both & crossing & (s > 0), right = both & crossing & !(s > 0);
  a.high = lesser(at_a + unless[left], a.high);
  b.low = greater(at_b - unless[left], b.low);
  a.low = greater(at_a - unless[right], a.low);
  b.high = lesser(at_b + unless[right], b.high);
  a.high_on_rim &= !left;
  b.low_on_rim &= !left;
  a.low_on_rim &= !right;
  b.high_on_rim &= !right;
  bool const apart = both & !crossing, a_dies = apart & (beyond_a < 0), b_dies = apart & (beyond_b < 0);
  a.alive &= !a_dies;
  b.alive &= !b_dies;
  return a_dies & b_dies;
}

// What is left of a facet, given to its two balls.
void add_facet(Workspace& work, Balls const& balls, Factor const& scaled, Facet const& facet) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
  if (i.site != 0 && j.site != 0) return;  // between two sites there is no facet: within one
  Flat flat;
  if (facet.lines == 0) {
    flat.area = pi * facet.rho_2;
    flat.xx = flat.yy = 0.25 * pi * facet.rho_2 * facet.rho_2;
    i.turning += 2 * pi * (1 - facet.h_i * i.inverse_r);
    j.turning += 2 * pi * (1 - facet.h_j * j.inverse_r);
    i.exposed = j.exposed = true;
  } else {
    auto& edges = work.edges;
    edges.clear();
    for (Index k = facet.first_line; k < facet.first_line + facet.lines; ++k) {
      Cut const& cut = work.sorted[k];
      edges.push_back({cut.n_x, cut.n_y, cut.q, cut.s, -cut.s, cut.s, cut.line, cut.sense, true, true, true});
    }
    // What another excludes has no more to say. Where two exclude each other nothing is left, and the others must not
    // be asked: one of them that rounding left may find itself alone and take the disc for its own. The line that takes
    // most comes first.
    for (std::size_t k = 1; k < edges.size(); ++k)
      if (edges[k].q < edges[0].q) std::swap(edges[0], edges[k]);
    for (std::size_t a = 0; a < edges.size(); ++a)
      for (std::size_t b = a + 1; b < edges.size(); ++b)
        if (meet(edges[a], edges[b], facet.rho)) return;
    auto& turned = work.turned;
    turned.clear();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      Edge const& edge = edges[k];
      if (!edge.alive || !(edge.low < edge.high)) continue;
      double const x = edge.n_x / (std::abs(edge.n_x) + std::abs(edge.n_y));
      turned.push_back({edge.n_y < 0 ? 3 + x : 1 - x, static_cast<Index>(k)});
    }
    if (turned.empty()) return;
    std::sort(turned.begin(), turned.end(), [](Turned const& a, Turned const& b) { return a.by < b.by; });
    for (std::size_t k = 0; k < turned.size(); ++k) {
      Turned const &this_one = turned[k], &next_one = turned[k + 1 < turned.size() ? k + 1 : 0];
      Edge const &edge = edges[this_one.edge], &next = edges[next_one.edge];
      double const from_x = edge.q * edge.n_x - edge.high * edge.n_y, from_y = edge.q * edge.n_y + edge.high * edge.n_x;
      double const to_x = next.q * next.n_x - next.low * next.n_y, to_y = next.q * next.n_y + next.low * next.n_x;
      flat.add_triangle(edge.q * (edge.high - edge.low), edge.q * edge.n_x - edge.low * edge.n_y,
                        edge.q * edge.n_y + edge.low * edge.n_x, from_x, from_y);
      double const gap_x = to_x - from_x, gap_y = to_y - from_y;
      bool const on_rim = edge.high_on_rim && next.low_on_rim;
      if (!on_rim && gap_x * gap_x + gap_y * gap_y < 1e-12 * facet.rho_2) {
        // A corner; or nearly, where a line in between that rounding took away has left an end that is not a rim's. (If
        // that end is far from the other, it is on the rim but for rounding, and an arc is between them.)
        flat.add_triangle(from_x * to_y - from_y * to_x, from_x, from_y, to_x, to_y);
        continue;
      }
      double between = 2 * pi;
      if (turned.size() > 1) {
        // What is about 0 and what about a full turn, the order knows.
        double const about = (next_one.by - this_one.by + (k + 1 < turned.size() ? 0 : 4)) * (pi / 2);
        between = std::atan2(edge.n_x * next.n_y - edge.n_y * next.n_x, edge.n_x * next.n_x + edge.n_y * next.n_y);
        if (about - between > pi) between += 2 * pi;
      }
      double const extent = between - std::atan2(edge.s, edge.q) - std::atan2(next.s, next.q);
      flat.add_sector(facet.rho_2, extent, from_x, from_y, to_x, to_y);
      add_arc(work, facet, edge, next, extent);
    }
  }
  Vec const &u = facet.u, &v = facet.v;
  Vec const y = flat.x * u + flat.y * v, xu = flat.xx * u + flat.xy * v, xv = flat.xy * u + flat.yy * v;
  double const yy[6] = {xu.x * u.x + xv.x * v.x, xu.y * u.y + xv.y * v.y, xu.z * u.z + xv.z * v.z,
                        xu.x * u.y + xv.x * v.y, xu.x * u.z + xv.x * v.z, xu.y * u.z + xv.y * v.z};
  auto const add_to = [&](Body& body, double h, Vec const& m) {
    body.volume += h * flat.area;
    double const along = -facet.rho_2 * flat.area;
    body.first[0] += along * m.x + h * y.x;
    body.first[1] += along * m.y + h * y.y;
    body.first[2] += along * m.z + h * y.z;
    double const mm = h * along, my = h * h - 0.5 * body.r * body.r;
    body.second[0] += mm * m.x * m.x + 2 * my * (m.x * y.x) + h * yy[0];
    body.second[1] += mm * m.y * m.y + 2 * my * (m.y * y.y) + h * yy[1];
    body.second[2] += mm * m.z * m.z + 2 * my * (m.z * y.z) + h * yy[2];
    body.second[3] += mm * m.x * m.y + my * (m.x * y.y + m.y * y.x) + h * yy[3];
    body.second[4] += mm * m.x * m.z + my * (m.x * y.z + m.z * y.x) + h * yy[4];
    body.second[5] += mm * m.y * m.z + my * (m.y * y.z + m.z * y.y) + h * yy[5];
  };
  // What flows through the facet of x, x x, x xx^T about the centre of the ball that stands for the site.
  auto const flow_into = [&](Index ball, double h, Vec const& m) {
    Index const stands = work.bodies[ball].site - 1;
    Body& body = work.bodies[stands];
    Vec const g = separation(balls, scaled, stands, ball) + h * m, gF_y = flat.area * g + y;
    double const through = dot(g, m);
    body.volume += through * flat.area;
    body.first[0] += through * gF_y.x;
    body.first[1] += through * gF_y.y;
    body.first[2] += through * gF_y.z;
    body.second[0] += through * (g.x * gF_y.x + y.x * g.x + yy[0]);
    body.second[1] += through * (g.y * gF_y.y + y.y * g.y + yy[1]);
    body.second[2] += through * (g.z * gF_y.z + y.z * g.z + yy[2]);
    body.second[3] += through * (g.x * gF_y.y + y.x * g.y + yy[3]);
    body.second[4] += through * (g.x * gF_y.z + y.x * g.z + yy[4]);
    body.second[5] += through * (g.y * gF_y.z + y.y * g.z + yy[5]);
  };
  if (i.site == 0)
    add_to(i, facet.h_i, facet.m);
  else
    flow_into(facet.i, facet.h_i, facet.m);
  if (j.site == 0)
    add_to(j, facet.h_j, -facet.m);
  else
    flow_into(facet.j, facet.h_j, -facet.m);
}

// Where rounding decided on four spheres or more that nearly meet so that a sphere's arcs do not close, the gaps, which
// are as short as the square root of rounding, run along circles that nearly agree there: their chords close them.
void close_gaps(Workspace& work) {
  auto& marks = work.marks;
  marks.erase(
      std::remove_if(marks.begin(), marks.end(), [&](Mark const& mark) { return work.bodies[mark.ball].open == 0; }),
      marks.end());
  std::sort(marks.begin(), marks.end(), [](Mark const& a, Mark const& b) {
    return a.ball != b.ball ? a.ball < b.ball : a.end != b.end ? a.end < b.end : a.sign < b.sign;
  });
  std::vector<Mark> ends, starts;
  for (std::size_t k = 0; k < marks.size();) {
    Index const ball = marks[k].ball;
    ends.clear();
    starts.clear();
    while (k < marks.size() && marks[k].ball == ball) {
      std::uint64_t const end = marks[k].end;
      int sum = 0;
      for (; k < marks.size() && marks[k].ball == ball && marks[k].end == end; ++k) sum += marks[k].sign;
      for (; sum > 0; --sum) ends.push_back({ball, end, 1});
      for (; sum < 0; ++sum) starts.push_back({ball, end, -1});
    }
    for (Mark const& end : ends) {
      if (starts.empty()) break;
      Vec const p = direction(work, end.end, ball);
      std::size_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      Vec to = p;
      for (std::size_t s = 0; s < starts.size(); ++s) {
        Vec const q = direction(work, starts[s].end, ball), step = q - p;
        if (dot(step, step) < least) least = dot(step, step), nearest = s, to = q;
      }
      add_chord(work.bodies[ball], p, to);
      starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(nearest));
    }
  }
}

// The solid angle of a ball's patch.
double solid_angle(Body const& body) {
  if (!body.cut) return 4 * pi;
  if (!body.exposed) return 0;
  double const sum = -(body.turning + 2 * std::atan2(body.turn_y, body.turn_x));
  double A = sum - 4 * pi * std::floor(sum / (4 * pi));
  // Within rounding of 0 or 4 pi: the caps cover all, or next to nothing.
  bool const much = body.caps > 2 * pi;
  if (much && A > 4 * pi - 1e-6) A -= 4 * pi;
  if (!much && A < 1e-6) A += 4 * pi;
  return A;
}

// -------------------------------------------------------------------------------------------------------------- sites

// Where the planes of three balls nearly agree, which of them bounds what is a matter of rounding over whole facets, of
// which each would have to know all that was decided on the others. There the balls of the pencils and those that
// overlap them, a site, are cut off from the rest along facets, and what the site holds is summed up over the patches
// of its spheres by the recommended formula. Which arcs bound a patch is decided in 77 digits, with radii larger by
// distinct factors 1 + delta_i, delta_i of 1e-20 to 2e-20, so that nothing is degenerate and no decision near rounding.
// (That takes two digits per digit of delta, as a tangency loses half of them, and 30.)

using Wide = long double;
using Real =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<256, boost::multiprecision::digit_base_2>,
                                  boost::multiprecision::et_off>;

// By Newton's iteration for 1 / sqrt(x) from double; several times faster than Boost's.
Real root(Real const& x) {
  double const about = static_cast<double>(x);
  if (!(about > 0)) return 0;
  Real y = 1 / std::sqrt(about);
  for (int bits = 50; bits < 256; bits *= 2) y += ldexp(Real(y * (1 - x * (y * y))), -1);
  return x * y;
}

// What another ball covers of a sphere: the directions n with n.m > a. Its circle is a m + rho (u cos + v sin).
template <class Scalar>
struct Cap {
  Vec3<Scalar> m, u, v;
  Scalar a, rho;
};

// A point of a circle by cosine and sine, and a number in [0, 4] that ascends with its angle.
template <class Scalar>
struct OnCircle {
  Scalar c, s, turned;
};
template <class Scalar>
struct Arc {
  OnCircle<Scalar> from, to;
};
OnCircle<Real> on_circle(Real const& c, Real const& s) {
  Real const x = c / (abs(c) + abs(s));
  return {c, s, s < 0 ? Real(3 + x) : Real(1 - x)};
}

Vec3<Wide> rounded(Vec3<Real> const& x) {
  return {static_cast<Wide>(x.x), static_cast<Wide>(x.y), static_cast<Wide>(x.z)};
}
Vec rounded(Vec3<Wide> const& x) {
  return {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
}
OnCircle<Wide> rounded(OnCircle<Real> const& x) {
  return {static_cast<Wide>(x.c), static_cast<Wide>(x.s), static_cast<Wide>(x.turned)};
}

struct PerturbedBall {
  Vec3<Real> centre;
  Real r;
};
// About the centre of `origin`, lengths in the clump's unit.
PerturbedBall perturbed(Balls const& balls, int exponent, std::size_t origin, std::size_t i) {
  auto const place = [&](std::size_t k) -> Real {
    return ldexp(Real(Real(balls.c(k, i)) - Real(balls.c(k, origin))), -exponent);
  };
  double const share = 1 + 0x1p-53 * static_cast<double>(mark_of(i) >> 11), delta = 1e-20;
  return {{place(0), place(1), place(2)}, ldexp(Real(balls.r(i)), -exponent) * (1 + Real(delta * share))};
}

Cap<Real> cap_of(PerturbedBall const& ball, PerturbedBall const& other) {
  Vec3<Real> const between = other.centre - ball.centre;
  Real const square = dot(between, between), inverse_d = 1 / root(square);
  Cap<Real> cap;
  cap.m = inverse_d * between;
  cap.a = (square + (ball.r - other.r) * (ball.r + other.r)) * inverse_d / (2 * ball.r);
  cap.rho = root((1 - cap.a) * (1 + cap.a));
  // As of a facet.
  Real const sign = cap.m.z < 0 ? -1 : 1, f = -1 / (sign + cap.m.z), b = cap.m.x * cap.m.y * f;
  cap.u = {1 + sign * cap.m.x * cap.m.x * f, sign * b, -sign * cap.m.x};
  cap.v = {b, sign + cap.m.y * cap.m.y * f, -cap.m.y};
  return cap;
}

// The arcs of the circle of caps[j] that no other cap covers.
void find_exposed(std::vector<Cap<Real>> const& caps, std::size_t j, std::vector<Arc<Real>>& covered,
                  std::vector<Arc<Wide>>& exposed) {
  covered.clear();
  exposed.clear();
  OnCircle<Real> const first{1, 0, 0}, last{1, 0, 4};
  Cap<Real> const& circle = caps[j];
  for (std::size_t k = 0; k < caps.size(); ++k) {
    if (k == j) continue;
    // Covered is where n.m_k > a_k, that is den cos(phi - phi_k) > num.
    Real const x = dot(caps[k].m, circle.u), y = dot(caps[k].m, circle.v);
    Real const num = caps[k].a - circle.a * dot(circle.m, caps[k].m);
    Real const across_2 = x * x + y * y, rest = circle.rho * circle.rho * across_2 - num * num;
    if (!(rest > 0)) {
      if (num < 0) return;
      continue;
    }
    Real const scale = 1 / (circle.rho * across_2), half_c = num * scale, half_s = root(rest) * scale;
    OnCircle<Real> const from = on_circle(x * half_c + y * half_s, y * half_c - x * half_s);
    OnCircle<Real> const to = on_circle(x * half_c - y * half_s, y * half_c + x * half_s);
    if (to.turned < from.turned) {
      covered.push_back({from, last});
      covered.push_back({first, to});
    } else {
      covered.push_back({from, to});
    }
  }
  std::sort(covered.begin(), covered.end(),
            [](Arc<Real> const& a, Arc<Real> const& b) { return a.from.turned < b.from.turned; });
  OnCircle<Real> reached = first;
  for (Arc<Real> const& arc : covered) {
    if (reached.turned < arc.from.turned) exposed.push_back({rounded(reached), rounded(arc.from)});
    if (reached.turned < arc.to.turned) reached = arc.to;
  }
  if (reached.turned < last.turned) exposed.push_back({rounded(reached), rounded(last)});
}

// xx, yy, zz, xy, xz, yz of a symmetric matrix.
using Symmetric = std::array<Wide, 6>;
// Adds f (x y^T + y x^T) / 2.
void add_product(Symmetric& sum, Wide f, Vec3<Wide> const& x, Vec3<Wide> const& y) {
  sum[0] += f * (x.x * y.x);
  sum[1] += f * (x.y * y.y);
  sum[2] += f * (x.z * y.z);
  sum[3] += f / 2 * (x.x * y.y + x.y * y.x);
  sum[4] += f / 2 * (x.x * y.z + x.z * y.x);
  sum[5] += f / 2 * (x.y * y.z + x.z * y.y);
}
Vec3<Wide> operator*(Symmetric const& S, Vec3<Wide> const& x) {
  return {S[0] * x.x + S[3] * x.y + S[4] * x.z, S[3] * x.x + S[1] * x.y + S[5] * x.z,
          S[4] * x.x + S[5] * x.y + S[2] * x.z};
}

// Over the exposed directions n of a sphere with centre c: A = int dw, N = int n, Q = int nn^T, t = int nn^T (n.c).
struct Patch {
  Wide A = 0;
  Vec3<Wide> N{0, 0, 0};
  Symmetric Q{}, t{};
};

void add_exposed(Body& body, Vec3<Wide> const& c, Cap<Wide> const& circle, Arc<Wide> const& arc, Patch& patch) {
  Vec3<Wide> const &m = circle.m, &u = circle.u, &v = circle.v;
  Wide const a = circle.a, rho = circle.rho;
  Wide const c1 = arc.from.c, s1 = arc.from.s, c2 = arc.to.c, s2 = arc.to.s, span = arc.to.turned - arc.from.turned;
  Wide theta = std::atan2(c1 * s2 - s1 * c2, c1 * c2 + s1 * s2);
  if (span > 1 && theta < 1) theta += 2 * wide_pi;  // 1 is a quarter of a turn
  body.exposed = true;
  body.turning += static_cast<double>((1 - a) * theta);
  int const pieces = span > 2 ? 3 : span > 1 ? 2 : 1;
  Wide const cosine = std::cos(theta / pieces), sine = std::sin(theta / pieces);
  Wide px = c1, py = s1;
  for (int piece = 1; piece <= pieces; ++piece) {
    Wide const qx = piece == pieces ? c2 : cosine * px - sine * py, qy = piece == pieces ? s2 : sine * px + cosine * py;
    Vec3<Wide> const middle = a * m, p = middle + rho * (px * u + py * v), q = middle + rho * (qx * u + qy * v);
    add_piece(body, static_cast<double>(a), rounded(p), rounded(q), static_cast<double>(cosine),
              static_cast<double>(sine));
    px = qx;
    py = qy;
  }
  // int w, int ww^T and int ww^T (w.c) of w = u cos + v sin, in u and v.
  Wide const w_u = s2 - s1, w_v = c1 - c2, sc = s2 * c2 - s1 * c1;
  Wide const uu = (theta + sc) / 2, vv = (theta - sc) / 2, uv = (s2 * s2 - s1 * s1) / 2;
  Wide const cubes_c = (c2 * c2 * c2 - c1 * c1 * c1) / 3, cubes_s = (s2 * s2 * s2 - s1 * s1 * s1) / 3;
  Wide const uuu = w_u - cubes_s, uuv = -cubes_c, uvv = cubes_s, vvv = w_v + cubes_c;
  Wide const c_u = dot(c, u), c_v = dot(c, v), c_m = dot(c, m);
  Wide const uuc = c_u * uuu + c_v * uuv, uvc = c_u * uuv + c_v * uvv, vvc = c_u * uvv + c_v * vvv;
  Wide const uc = uu * c_u + uv * c_v, vc = uv * c_u + vv * c_v, wc = w_u * c_u + w_v * c_v;
  // n = a m + rho w, and the conormal times the arc's element is nu ds = (rho^2 m - a rho w) dphi.
  Wide const rho_2 = rho * rho, a_rho = a * rho, a_rho_2 = a * rho_2, along = rho_2 * c_m;
  patch.N = patch.N - Wide(rho_2 * theta / 2) * m + Wide(a_rho / 2) * (w_u * u + w_v * v);
  // int n nu^T and int nn^T (nu.c), by their components in m, u, v.
  auto const add = [&](Symmetric& sum, Wide f, Wide mm, Wide mu, Wide mv, Wide uu_, Wide uv_, Wide vv_) {
    add_product(sum, f, m, mm * m + Wide(2 * mu) * u + Wide(2 * mv) * v);
    add_product(sum, f, u, uu_ * u + Wide(2 * uv_) * v);
    add_product(sum, f, v, vv_ * v);
  };
  Wide const mixed = rho * (rho_2 - a * a) / 2;
  add(patch.Q, -1.0L / 3, a_rho_2 * theta, mixed * w_u, mixed * w_v, -a_rho_2 * uu, -a_rho_2 * uv, -a_rho_2 * vv);
  add(patch.t, -0.25L, a * a * (along * theta - a_rho * wc), a_rho * (along * w_u - a_rho * uc),
      a_rho * (along * w_v - a_rho * vc), rho_2 * (along * uu - a_rho * uuc), rho_2 * (along * uv - a_rho * uvc),
      rho_2 * (along * vv - a_rho * vvc));
}

Patch patch_of(Body& body, Vec3<Wide> const& c, std::vector<Cap<Real>> const& caps) {
  static thread_local std::vector<Arc<Real>> covered;
  static thread_local std::vector<Arc<Wide>> exposed;
  Patch patch;
  body.cut = !caps.empty();
  body.exposed = false;
  body.turning = body.turn_y = 0;
  body.turn_x = 1;
  for (std::size_t j = 0; j < caps.size(); ++j) {
    find_exposed(caps, j, covered, exposed);
    Cap<Real> const& cap = caps[j];
    Cap<Wide> const circle{rounded(cap.m), rounded(cap.u), rounded(cap.v), static_cast<Wide>(cap.a),
                           static_cast<Wide>(cap.rho)};
    for (Arc<Wide> const& arc : exposed) add_exposed(body, c, circle, arc, patch);
  }
  patch.A = solid_angle(body);
  for (std::size_t k = 0; k < 3; ++k) patch.Q[k] += patch.A / 3;
  add_product(patch.t, 0.5L, c, patch.N);
  return patch;
}

// Balls of pencils and those that overlap them, as sites: the connected parts of them.
void find_sites(Workspace& work) {
  auto& bodies = work.bodies;
  for (Facet const& facet : work.facets)
    if (bodies[facet.i].pencil || bodies[facet.j].pencil)
      for (Index const ball : {facet.i, facet.j}) bodies[ball].site = ball + 1;
  auto const standing = [&](Index ball) {
    while (bodies[ball].site != ball + 1) ball = bodies[ball].site - 1;
    return ball;
  };
  for (Facet const& facet : work.facets)
    if (bodies[facet.i].site != 0 && bodies[facet.j].site != 0) {
      Index const a = standing(facet.i), b = standing(facet.j);
      bodies[std::max(a, b)].site = std::min(a, b) + 1;
    }
  // Each by then refers to one before it.
  for (Body& body : bodies)
    if (body.site != 0) body.site = bodies[body.site - 1].site;
}

// Adds to the balls that stand for sites what their balls' patches contribute.
void add_sites(Workspace& work, Balls const& balls, int exponent) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Facet const& facet : work.facets) {
    if (work.bodies[facet.i].site != 0) pairs.emplace_back(facet.i, facet.j);
    if (work.bodies[facet.j].site != 0) pairs.emplace_back(facet.j, facet.i);
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<Cap<Real>> caps;
  for (std::size_t k = 0; k < pairs.size();) {
    Index const i = pairs[k].first, stands = work.bodies[i].site - 1;
    PerturbedBall const ball = perturbed(balls, exponent, stands, i);
    caps.clear();
    bool covered = false;
    for (; k < pairs.size() && pairs[k].first == i; ++k) {
      Cap<Real> const cap = cap_of(ball, perturbed(balls, exponent, stands, pairs[k].second));
      covered = covered || !(cap.a > -1);
      if (cap.a < 1) caps.push_back(cap);
    }
    if (covered) continue;
    Vec3<Wide> const c = rounded(ball.centre);
    Patch const patch = patch_of(work.bodies[i], c, caps);
    auto const& [A, N, Q, t] = patch;
    Wide const r = work.bodies[i].r, r_2 = r * r, flux = dot(c, N) + r * A;
    Vec3<Wide> const Qc = Q * c;
    Symmetric second{};
    add_product(second, flux, c, c);
    add_product(second, 2 * r, c, Qc);
    add_product(second, 2 * r_2, c, N);
    Body& body = work.bodies[stands];
    body.surface += static_cast<double>(r_2 * A);
    body.volume += static_cast<double>(r_2 * flux);
    Vec const first = rounded(r_2 * (flux * c + r * Qc + r_2 * N));
    body.first[0] += first.x;
    body.first[1] += first.y;
    body.first[2] += first.z;
    for (std::size_t n = 0; n < 6; ++n)
      body.second[n] += static_cast<double>(r_2 * (second[n] + r_2 * (t[n] + r * Q[n])));
  }
}

// ---------------------------------------------------------------------------------------------------------- neighbours

// Pairs i < j of balls that may overlap, in order. Few are tried one with another; many through a tree of boxes, each
// of which holds its half of the box above, cut where that is widest.
struct Boxes {
  struct Box {
    double low[3], high[3];
    Index begin, end, right;  // of `order`; the second child, the first follows; 0: a leaf
  };
  std::vector<Box> boxes;
  std::vector<Index> order, found;

  static Box around(Balls const& balls, std::size_t i) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Box box{};
    for (std::size_t k = 0; k < 3; ++k) {
      box.low[k] = std::nextafter(balls.c(k, i) - balls.r(i), -infinity);
      box.high[k] = std::nextafter(balls.c(k, i) + balls.r(i), infinity);
    }
    return box;
  }

  void build(Balls const& balls) {
    order.resize(balls.size);
    std::iota(order.begin(), order.end(), Index{0});
    boxes.clear();
    split(balls, 0, static_cast<Index>(balls.size));
  }
  void split(Balls const& balls, Index begin, Index end) {
    Box box = around(balls, order[begin]);
    for (Index n = begin + 1; n < end; ++n) {
      Box const other = around(balls, order[n]);
      for (std::size_t k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], other.low[k]);
        box.high[k] = std::max(box.high[k], other.high[k]);
      }
    }
    box.begin = begin;
    box.end = end;
    box.right = 0;
    std::size_t const place = boxes.size();
    boxes.push_back(box);
    if (end - begin <= 4) return;
    std::size_t widest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (box.high[k] - box.low[k] > box.high[widest] - box.low[widest]) widest = k;
    Index const middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end, [&](Index a, Index b) {
      double const x = balls.c(widest, a), y = balls.c(widest, b);
      return x < y || (x == y && a < b);
    });
    split(balls, begin, middle);
    boxes[place].right = static_cast<Index>(boxes.size());
    split(balls, middle, end);
  }
  // The balls after i whose boxes meet that of i.
  std::vector<Index> const& after(Balls const& balls, Index i) {
    found.clear();
    Box const own = around(balls, i);
    Index stack[80];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
      Box const& box = boxes[stack[--depth]];
      bool apart = false;
      for (std::size_t k = 0; k < 3; ++k) apart = apart || box.high[k] < own.low[k] || own.high[k] < box.low[k];
      if (apart) continue;
      if (box.right != 0) {
        stack[depth++] = box.right;
        stack[depth++] = static_cast<Index>(&box - boxes.data()) + 1;
        continue;
      }
      for (Index n = box.begin; n < box.end; ++n)
        if (order[n] > i) found.push_back(order[n]);
    }
    std::sort(found.begin(), found.end());
    return found;
  }
};

// --------------------------------------------------------------------------------------------------------------- union

using Result = std::array<double, 19>;  // volume, surface, mass, centroid 3, inertia 6, principal 3, orientation 4

bool in_domain(double density, Balls const& balls) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(density > 0 && density <= largest) || balls.size == 0) return false;
  for (std::size_t i = 0; i < balls.size; ++i) {
    if (!(balls.r(i) > 0 && balls.r(i) <= largest)) return false;
    for (std::size_t k = 0; k < 3; ++k)
      if (!(std::abs(balls.c(k, i)) <= largest)) return false;
  }
  return true;
}

void find_facets(Workspace& work, Boxes& boxes, Balls const& balls, Factor const& scaled) {
  auto const n = static_cast<Index>(balls.size);
  work.facets.clear();
  if (n <= 32) {
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) add_pair(work, balls, scaled, i, j);
  } else {
    boxes.build(balls);
    for (Index i = 0; i < n; ++i)
      for (Index const j : boxes.after(balls, i)) add_pair(work, balls, scaled, i, j);
  }
  auto& facets = work.facets;
  facets.erase(
      std::remove_if(facets.begin(), facets.end(),
                     [&](Facet const& facet) { return work.bodies[facet.i].dropped || work.bodies[facet.j].dropped; }),
      facets.end());
  work.first_facet.assign(n + 1, 0);
  for (Facet& facet : facets) {
    ++work.first_facet[facet.i + 1];
    set_frame(facet);
    add_caps(work.bodies[facet.i], facet.h_i, facet.m);
    add_caps(work.bodies[facet.j], facet.h_j, -facet.m);
  }
  for (Index i = 0; i < n; ++i) work.first_facet[i + 1] += work.first_facet[i];
}

void find_lines(Workspace& work, Balls const& balls, Factor const& scaled) {
  work.lines.clear();
  work.cuts.clear();
  auto const& first = work.first_facet;
  auto const count = static_cast<Index>(work.facets.size());
  for (Index ij = 0; ij < count; ++ij) {
    Index ik = ij + 1, jk = first[work.facets[ij].j];
    Index const end_i = first[work.facets[ij].i + 1], end_j = first[work.facets[ij].j + 1];
    while (ik < end_i && jk < end_j) {
      Index const a = work.facets[ik].j, b = work.facets[jk].j;
      if (a == b) add_triple(work, balls, scaled, ij, ik, jk);
      if (a <= b) ++ik;
      if (b <= a) ++jk;
    }
  }
  // The cuts of each facet together.
  Index sum = 0;
  for (Facet& facet : work.facets) {
    facet.first_line = sum;
    sum += facet.lines;
    facet.lines = 0;
  }
  work.sorted.resize(work.cuts.size());
  for (Cut const& cut : work.cuts) {
    Facet& facet = work.facets[cut.facet];
    work.sorted[facet.first_line + facet.lines++] = cut;
  }
}

Result properties(double density, Balls const& balls) {
  Result result;
  if (!in_domain(density, balls)) {
    result.fill(std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  thread_local Workspace work;
  thread_local Boxes boxes;
  std::size_t const n = balls.size;
  std::size_t biggest = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (balls.r(i) > balls.r(biggest)) biggest = i;
  int const exponent = exponent_of(balls.r(biggest));
  Factor const scaled(-exponent);
  work.bodies.assign(n, Body{});
  for (std::size_t i = 0; i < n; ++i) {
    Body& body = work.bodies[i];
    body.r = scaled(balls.r(i));
    body.dropped = body.r < 0x1p-300;  // next to the biggest, nothing
    if (body.dropped) body.r = 0x1p-300;
    body.inverse_r = 1 / body.r;
    body.least_a = 2;
    body.turn_x = 1;
  }
  work.marks.clear();
  work.pencils = false;
  find_facets(work, boxes, balls, scaled);
  find_lines(work, balls, scaled);
  if (work.pencils) find_sites(work);
  for (Facet const& facet : work.facets)
    if (!facet.dead) add_facet(work, balls, scaled, facet);
  bool broken = false;
  for (Body& body : work.bodies) {
    if (body.site != 0) body.open = 0;
    broken = broken || body.open != 0;
  }
  if (broken) close_gaps(work);
  if (work.pencils) add_sites(work, balls, exponent);

  // Volume, surface and first moment; then the second moments about the centroid, from where the bodies are. In long
  // double, whose exponent range holds every product, in the clump's unit of length from the biggest ball.
  Wide const unit = std::ldexp(Wide(1), -exponent);
  auto const place = [&](std::size_t k, std::size_t i) {
    return (static_cast<Wide>(balls.c(k, i)) - balls.c(k, biggest)) * unit;
  };
  Wide volume = 0, surface = 0, mean[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    Body& body = work.bodies[i];
    if (body.dropped) continue;
    double const r_2 = body.r * body.r;
    if (body.site == 0) {
      body.surface = r_2 * solid_angle(body);
      body.volume += body.r * body.surface;
      for (std::size_t k = 0; k < 3; ++k) body.second[k] += r_2 * body.volume * (1.0 / 3);
    }
    body.volume *= 1.0 / 3;
    surface += body.surface;
    volume += body.volume;
    for (std::size_t k = 0; k < 3; ++k) {
      body.first[k] *= 0.25;
      mean[k] += body.volume * place(k, i) + body.first[k];
    }
    for (std::size_t k = 0; k < 6; ++k) body.second[k] *= 0.2;
  }
  for (Wide& each : mean) each /= volume;
  constexpr std::size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  for (std::size_t i = 0; i < n; ++i) {
    Body const& body = work.bodies[i];
    if (body.dropped) continue;
    Wide arm[3];
    for (std::size_t k = 0; k < 3; ++k) arm[k] = place(k, i) - mean[k];
    for (std::size_t k = 0; k < 6; ++k) {
      std::size_t const a = row[k], b = column[k];
      second[k] += body.second[k] + arm[a] * body.first[b] + arm[b] * body.first[a] + body.volume * arm[a] * arm[b];
    }
  }
  Wide const inertia[6] = {
      second[1] + second[2], second[0] + second[2], second[0] + second[1], -second[3], -second[4], -second[5]};
  int const size = std::ilogb(inertia[0] + inertia[1] + inertia[2]);
  std::array<double, 6> tensor;
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = static_cast<double>(std::ldexp(inertia[k], -size));
  Principal principal = diagonalised(tensor);
  make_canonical(principal);
  auto const q = quaternion(principal.axes);
  auto const in_units = [](Wide x, int e) { return static_cast<double>(std::ldexp(x, e)); };
  result[0] = in_units(volume, 3 * exponent);
  result[1] = in_units(surface, 2 * exponent);
  result[2] = in_units(density * volume, 3 * exponent);
  for (std::size_t k = 0; k < 3; ++k)
    result[3 + k] = static_cast<double>(balls.c(k, biggest) + std::ldexp(mean[k], exponent));
  for (std::size_t k = 0; k < 6; ++k) result[6 + k] = in_units(density * inertia[k], 5 * exponent);
  for (std::size_t k = 0; k < 3; ++k)
    result[12 + k] = in_units(density * static_cast<Wide>(principal.moments[k]), size + 5 * exponent);
  for (std::size_t k = 0; k < 4; ++k) result[15 + k] = q[k];
  // A clump of millions must not keep its memory for the next.
  if (n > (std::size_t{1} << 16)) work = {}, boxes = {};
  return result;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  static_assert(sizeof(Ball<double>) % sizeof(double) == 0);
  Balls balls{{nullptr, nullptr, nullptr}, nullptr, in.balls.size(), sizeof(Ball<double>) / sizeof(double)};
  if (!in.balls.empty()) {
    Ball<double> const& first = in.balls.front();
    for (std::size_t k = 0; k < 3; ++k) balls.centre[k] = first.centre.data() + k;
    balls.radius = &first.radius;
  }
  Result const r = properties(in.density, balls);
  Output<double> out;
  out.volume = r[0];
  out.surface_area = r[1];
  out.mass = r[2];
  out.centroid << r[3], r[4], r[5];
  out.inertia << r[6], r[7], r[8], r[9], r[10], r[11];
  out.principal << r[12], r[13], r[14];
  out.orientation << r[15], r[16], r[17], r[18];
  return out;
}

void evaluate(demeter::Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[1][row]), end = static_cast<std::size_t>(in[1][row + 1]);
    Balls const balls{{in[2] + first, in[3] + first, in[4] + first}, in[5] + first, end - first, 1};
    Result const result = properties(in[0][row], balls);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

}  // namespace demeter::clump_union_mass_properties::fast
