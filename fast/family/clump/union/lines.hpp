// The facets in which spheres meet two by two, and the lines in which they meet three by three.
#pragma once

#include "fast/family/clump/union/neighbours.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace demeter::fast_union {

/// One of the two balls in the other, one facet, or nothing.
inline void add_pair(Workspace& work, Balls const& balls, Factor const& scaled, Index i, Index j) {
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

/// u and v beside m (Duff et al. 2017).
inline void set_frame(Facet& facet) {
  Vec const& m = facet.m;
  double const sign = std::copysign(1.0, m.z), a = -1 / (sign + m.z), b = m.x * m.y * a;
  facet.u = {1 + sign * m.x * m.x * a, sign * b, -sign * m.x};
  facet.v = {b, sign + m.y * m.y * a, -m.y};
}

inline void add_caps(Body& body, double h, Vec const& m) {
  double const a = h * body.inverse_r;
  body.cut = true;
  body.caps += 2 * pi * (1 - a);
  if (a < body.least_a) {
    body.least_a = a;
    body.largest = m;
  }
}

/// Three planes that are turned against each other by less than this and apart by less than this times their discs'
/// radii make a pencil, which is left to a site. With 1e-5, rounding about others cost up to 6e-14; with this, 3e-15.
constexpr double nearly = 1e-3;

inline void find_pencil(Workspace& work, Facet const& ij, Facet const& ik, Facet const& jk) {
  double const h_ik = dot(ij.m, ik.m) > 0 ? ik.h_i : -ik.h_i;
  if (!(std::abs(ij.h_i - h_ik) < nearly * std::min({ij.rho, ik.rho, jk.rho}))) return;
  work.bodies[ij.i].pencil = work.bodies[ij.j].pencil = work.bodies[ik.j].pencil = true;
  work.pencils = true;
}

/// Signed distances of three balls' line from the centres of their discs, each away from the two balls of the disc,
/// times the parallelogram's area; and the unit normal of the plane of the centres. For centres nearly on one line,
/// where plain double would leave of them nothing.
struct Thin {
  double area;
  Vec t;
  double q_ij, q_ik, q_jk;
};
inline Thin thin_triple(Balls const& balls, Factor const& scaled, Workspace const& work, Facet const& ij,
                        Facet const& ik) {
  std::size_t const i = ij.i, j = ij.j, k = ik.j;
  auto const component = [&](std::size_t axis, std::size_t to) {
    Double2 const exact = exact_difference(balls.c(axis, to), balls.c(axis, i));
    return Double2{scaled(exact.high), scaled(exact.low)};
  };
  std::array<Double2, 3> e, f;
  for (std::size_t axis = 0; axis < 3; ++axis) e[axis] = component(axis, j), f[axis] = component(axis, k);
  auto const inner = [](std::array<Double2, 3> const& x, std::array<Double2, 3> const& y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  };
  auto const power = [&](Double2 const& square, Index one, Index other) {
    Double2 const sum = exact_sum(work.bodies[one].r, work.bodies[other].r),
                  step = exact_difference(work.bodies[one].r, work.bodies[other].r);
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

inline void add_cut(Workspace& work, Index facet, Vec const& n, double q, double s, Index line, int sense) {
  Facet const& on = work.facets[facet];
  double const x = dot(n, on.u), y = dot(n, on.v);
  work.cuts.push_back({x, y, q, s, facet, line, sense});
  ++work.facets[facet].lines;
}

inline void add_triple(Workspace& work, Balls const& balls, Factor const& scaled, Index f_ij, Index f_ik, Index f_jk) {
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

// More than this of many balls about one place takes gigabytes, and of thousands of them more than any machine has. Of
// a million balls that lie as grains do each has some ten facets and some thirty lines.
inline std::size_t most_facets(std::size_t balls) { return std::max(std::size_t{1} << 22, 32 * balls); }
inline std::size_t most_lines(std::size_t balls) { return std::max(std::size_t{1} << 23, 64 * balls); }

/// False if there are too many.
inline bool find_facets(Workspace& work, Boxes& boxes, Balls const& balls, Factor const& scaled) {
  auto const n = static_cast<Index>(balls.size);
  std::size_t const most = most_facets(balls.size);
  work.facets.clear();
  if (n <= 32) {
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) add_pair(work, balls, scaled, i, j);
  } else {
    boxes.build(balls);
    for (Index i = 0; i < n; ++i) {
      for (Index const j : boxes.after(balls, i)) add_pair(work, balls, scaled, i, j);
      if (work.facets.size() > most) return false;
    }
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
  return true;
}

/// False if there are too many.
inline bool find_lines(Workspace& work, Balls const& balls, Factor const& scaled) {
  std::size_t const most = most_lines(balls.size);
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
    if (work.lines.size() > most) return false;
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
  return true;
}

}  // namespace demeter::fast_union
