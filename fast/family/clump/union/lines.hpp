// The facets in which two spheres meet, and the lines in which the planes of three spheres meet.
#pragma once

#include "fast/family/clump/union/neighbours.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace demeter::fast_union {

/// Adds a pair that may overlap. It is input for `measure_facets`: the radii are stored in members that are not used
/// yet.
inline void add_pair(Workspace& work, Balls const& balls, Factor const& scaled, Index i, Index j) {
  Facet& facet = work.facets.emplace_back();
  facet.between = separation(balls, scaled, i, j);
  facet.d = work.bodies[i].r;
  facet.h_j = work.bodies[j].r;
  facet.i = i;
  facet.j = j;
}

/// Returns true if the pair has a facet. If one ball is inside the other, marks it as dropped.
inline bool is_facet(Workspace& work, Facet& facet, bool& dropped) {
  Body &a = work.bodies[facet.i], &b = work.bodies[facet.j];
  double const sum = a.r + b.r, step = a.r - b.r, d = facet.d;
  bool const cut = std::abs(step) < d, apart = !(sum - d > 0) | !(facet.rho_2 > 0);
  if (!cut && dot(facet.between, facet.between) < sum * sum) (step < 0 ? a : b).dropped = dropped = true;
  facet.dead = false;
  facet.first_cut = facet.cuts = 0;
  return cut & !apart;
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

/// Limit for a pencil. Three planes are a pencil if their angles are below this limit, and their distances are below
/// this limit times the radii of their discs. The balls of a pencil are processed as a site (sites.hpp). With a limit
/// of 1e-5, rounding errors of the other triples reached 6e-14. With 1e-3 they reach 3e-15.
constexpr double nearly = 1e-3;

inline void find_pencil(Workspace& work, Facet const& ij, Facet const& ik, Facet const& jk) {
  double const h_ik = dot(ij.m, ik.m) > 0 ? ik.h_i : -ik.h_i;
  if (!(std::abs(ij.h_i - h_ik) < nearly * std::min({ij.rho, ik.rho, jk.rho}))) return;
  work.bodies[ij.i].pencil = work.bodies[ij.j].pencil = work.bodies[ik.j].pencil = true;
  work.pencils = true;
}

/// The line in which the planes of three balls meet, if the centres of the balls are nearly collinear. Plain double
/// precision would leave no correct digits there.
///
/// area: area of the parallelogram of the centres. t: unit normal of the plane of the centres. q: signed distances of
/// the line from the centres of the three discs, times the area. A distance is positive towards the third ball. q_jk is
/// also multiplied by the distance of the centres j and k, because only its sign is used.
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
  Double2 const gg = ee + ff - (ef + ef), eg = ee - ef;  // gg: the square of the vector from j to k. eg: its product
                                                         // with the vector from j to i.
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

/// Computes the line of three balls whose centres are nearly collinear. Returns false if their planes are parallel.
inline bool find_thin(Workspace& work, Balls const& balls, Factor const& scaled, Line& line) {
  Facet &ij = work.facets[line.facet[0]], &ik = work.facets[line.facet[1]], &jk = work.facets[line.facet[2]];
  Thin const thin = thin_triple(balls, scaled, work, ij, ik);
  if (!(thin.area > 0x1p-90 * (ij.d * ik.d))) {
    // The planes are parallel. Either the cell of the middle ball contains a part of the line of centres, or it is
    // empty. One decision applies to all three facets.
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
    return false;
  }
  Vec const& t = thin.t;
  double const q = thin.q_ij / thin.area;
  Vec const n_ij = cross(t, ij.m), n_ik = cross(ik.m, t), n_jk = cross(t, jk.m);
  Vec const x = ij.h_i * ij.m + q * n_ij;
  line.x = x;
  line.t = t;
  line.s_2 = (ij.rho - q) * (ij.rho + q);
  line.s = std::sqrt(line.s_2);
  line.on[0] = {dot(n_ij, ij.u), dot(n_ij, ij.v), q, line.area_2()};
  line.on[1] = {dot(n_ik, ik.u), dot(n_ik, ik.v), dot(x, n_ik), line.longest_2()};
  line.on[2] = {dot(n_jk, jk.u), dot(n_jk, jk.v), dot(x - ij.between, n_jk), 0};
  return true;
}

/// Returns true if the line meets the spheres. If not, marks the facets that other balls cover completely as dead.
inline bool settle(Workspace& work, Balls const& balls, Factor const& scaled, Line& line) {
  Facet &ij = work.facets[line.facet[0]], &ik = work.facets[line.facet[1]], &jk = work.facets[line.facet[2]];
  if (ij.dead && ik.dead && jk.dead) return false;
  if (!(line.area_2() > nearly * nearly * line.longest_2())) {
    find_pencil(work, ij, ik, jk);
    if (!(line.area_2() > 1e-10 * line.longest_2()) && !find_thin(work, balls, scaled, line)) return false;
  }
  // There is no branch here. Among packed balls, half of the lines meet their spheres, at random: a branch would often
  // be mispredicted.
  bool const meets = line.s_2 > 0;
  ij.dead |= !meets & (line.on[0].q < 0);
  ik.dead |= !meets & (line.on[1].q < 0);
  jk.dead |= !meets & (line.on[2].q < 0);
  ij.cuts += meets;
  ik.cuts += meets;
  jk.cuts += meets;
  return meets;
}

// Limits for many balls around one place. More facets or lines would take gigabytes. Thousands of balls would take more
// memory than any machine has. In a packing of a million grains, each ball has about ten facets and thirty lines.
inline std::size_t most_facets(std::size_t balls) { return std::max(std::size_t{1} << 22, 32 * balls); }
inline std::size_t most_lines(std::size_t balls) {
  return std::min(std::max(std::size_t{1} << 23, 64 * balls), std::size_t{1} << 29);
}

/// Finds all facets. Returns false if there are too many facets.
inline bool find_facets(Workspace& work, SideBySide const& forms, Boxes& boxes, Balls const& balls,
                        Factor const& scaled) {
  auto const n = static_cast<Index>(balls.size);
  std::size_t const most = most_facets(balls.size);
  auto& facets = work.facets;
  facets.clear();
  bool dropped = false;
  // Removes the pairs from `first` on that have no facet.
  auto const sift = [&](std::size_t first) {
    forms.measure_facets(facets.data() + first, facets.size() - first);
    std::size_t kept = first;
    for (std::size_t k = first; k < facets.size(); ++k) {
      if (!is_facet(work, facets[k], dropped)) continue;
      if (kept != k) facets[kept] = facets[k];
      ++kept;
    }
    facets.resize(kept);
  };
  if (n <= several) {
    double const* places[4];
    for (std::size_t k = 0; k < 4; ++k) {
      for (Index i = 0; i < n; ++i) work.places[k][i] = k < 3 ? balls.c(k, i) : work.bodies[i].r;
      places[k] = work.places[k];
    }
    for (Index i = 0; i + 1 < n; ++i)
      for (Index first = i - i % 64; first < n; first += 64) {
        std::uint64_t bits = forms.overlapping(places, scaled, i, first, n);
        if (first <= i) bits &= ~std::uint64_t{1} << i % 64;
        for (; bits != 0; bits &= bits - 1)
          add_pair(work, balls, scaled, i, first + static_cast<Index>(std::countr_zero(bits)));
      }
    sift(0);
  } else {
    boxes.build(balls);
    for (Index i = 0; i < n; ++i) {
      std::size_t const before = facets.size();
      for (Index const j : boxes.after(balls, i)) {
        Vec const e = separation(balls, scaled, i, j);
        double const sum = work.bodies[i].r + work.bodies[j].r;
        if (dot(e, e) < sum * sum) add_pair(work, balls, scaled, i, j);
      }
      sift(before);
      if (facets.size() > most) return false;
    }
  }
  if (dropped)
    facets.erase(std::remove_if(
                     facets.begin(), facets.end(),
                     [&](Facet const& facet) { return work.bodies[facet.i].dropped || work.bodies[facet.j].dropped; }),
                 facets.end());
  work.first_facet.assign(n + 1, 0);
  for (Facet& facet : facets) {
    ++work.first_facet[facet.i + 1];
    add_caps(work.bodies[facet.i], facet.h_i, facet.m);
    add_caps(work.bodies[facet.j], facet.h_j, -facet.m);
  }
  for (Index i = 0; i < n; ++i) work.first_facet[i + 1] += work.first_facet[i];
  return true;
}

/// Calls add(ij, ik, jk) for every three facets of three balls. Stops and returns false if `add` returns false.
template <class Add>
bool for_each_triple(Workspace& work, std::size_t n, Add const& add) {
  auto const count = static_cast<Index>(work.facets.size());
  if (n <= few) {
    // Uses bit masks. Among packed balls, walking through two lists side by side would mispredict a branch at each
    // step.
    work.facet_of.resize(n * n);
    work.beyond.assign(n, 0);
    for (Index f = 0; f < count; ++f) {
      Facet const& facet = work.facets[f];
      work.facet_of[facet.i * n + facet.j] = f;
      work.beyond[facet.i] |= std::uint64_t{1} << facet.j;
    }
    for (Index ij = 0; ij < count; ++ij) {
      Index const i = work.facets[ij].i, j = work.facets[ij].j;
      for (std::uint64_t bits = work.beyond[i] & work.beyond[j]; bits != 0; bits &= bits - 1) {
        auto const k = static_cast<std::size_t>(std::countr_zero(bits));
        if (!add(ij, work.facet_of[i * n + k], work.facet_of[j * n + k])) return false;
      }
    }
    return true;
  }
  auto const& first = work.first_facet;
  for (Index ij = 0; ij < count; ++ij) {
    Index ik = ij + 1, jk = first[work.facets[ij].j];
    Index const end_i = first[work.facets[ij].i + 1], end_j = first[work.facets[ij].j + 1];
    while (ik < end_i && jk < end_j) {
      Index const a = work.facets[ik].j, b = work.facets[jk].j;
      if (a == b && !add(ij, ik, jk)) return false;
      if (a <= b) ++ik;
      if (b <= a) ++jk;
    }
  }
  return true;
}

/// Finds all lines that meet their spheres. Returns false if there are too many lines.
inline bool find_lines(Workspace& work, SideBySide const& forms, Balls const& balls, Factor const& scaled) {
  constexpr std::size_t block = 1024;
  std::size_t const most = most_lines(balls.size);
  auto& lines = work.lines;
  auto& met = work.met;
  std::size_t found = 0, listed = 0;  // found: number of lines that meet their spheres; listed: number of lines in the
                                      // current block
  // Lines are found one block at a time. If there are several blocks, lines that meet no sphere are overwritten.
  auto const settle_all = [&](bool move) {
    forms.find(work.facets.data(), lines.data() + found, listed);
    if (met.size() < found + listed) met.resize(found + block);
    std::size_t const end = found + listed;
    for (std::size_t k = found; k < end; ++k) {
      bool const meets = settle(work, balls, scaled, lines[k]);
      if (move) lines[found] = lines[k];
      met[found] = static_cast<Index>(move ? found : k);
      found += meets;
    }
    listed = 0;
    return found <= most;
  };
  bool const all = for_each_triple(work, balls.size, [&](Index ij, Index ik, Index jk) {
    if (listed == 0 && lines.size() < found + block) lines.resize(found + block);
    Line& line = lines[found + listed];
    line.ball[0] = work.facets[ij].i;
    line.ball[1] = work.facets[ij].j;
    line.ball[2] = work.facets[ik].j;
    line.facet[0] = ij;
    line.facet[1] = ik;
    line.facet[2] = jk;
    return ++listed < block || settle_all(true);
  });
  if (!all || (listed > 0 && !settle_all(found > 0))) return false;
  // Groups the cuts by facet. Cuts of dead facets are counted too, although they are not needed.
  Index sum = 0;
  for (Facet& facet : work.facets) {
    facet.first_cut = sum;
    sum += facet.cuts;
    facet.cuts = 0;
  }
  work.cuts.resize(sum);
  for (std::size_t k = 0; k < found; ++k)
#pragma GCC unroll 3
    for (Index which = 0; which < 3; ++which) {
      Facet& facet = work.facets[lines[met[k]].facet[which]];
      work.cuts[facet.first_cut + facet.cuts++] = 4 * met[k] + which;
    }
  return true;
}

}  // namespace demeter::fast_union
