// Computes the part of each facet that remains between its lines, and the arcs of its rim.
#pragma once

#include "fast/family/clump/union/patch.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace demeter::fast_union {

/// Returns the direction of a line's end from the centre of one of its three balls.
inline Vec direction(Workspace const& work, std::uint64_t end, Index ball) {
  Line const& line = work.lines[end >> 1];
  Vec const p = line.x + ((end & 1) != 0 ? line.s : -line.s) * line.t;
  // Reads the centre of the ball from a table. Any of the three balls is equally likely: a branch would often be
  // mispredicted.
  static constexpr Vec nowhere{0, 0, 0};
  Vec const* const centres[3] = {&nowhere, &work.facets[line.facet[0]].between, &work.facets[line.facet[1]].between};
  std::size_t const which =
      static_cast<std::size_t>(ball == line.ball[1]) + 2 * static_cast<std::size_t>(ball == line.ball[2]);
  return work.bodies[ball].inverse_r * (p - *centres[which]);
}

/// Adds the contributions of an arc to the two patches that it bounds.
inline void add_arc(Workspace& work, RimArc const& arc, Share const& share) {
  Body &i = work.bodies[arc.i], &j = work.bodies[arc.j];
  i.turning += share.turning_i;
  j.turning += share.turning_j;
  i.exposed = j.exposed = true;
  std::uint64_t const marks = mark_of(arc.to) - mark_of(arc.from);
  i.unclosed += marks;
  j.unclosed -= marks;
  turn_by(i, share.re_i, share.im_i);
  turn_by(j, share.re_j, share.im_j);
}

/// Adds the moments of the remaining part of a facet to its two balls.
inline void add_moments(Workspace& work, Balls const& balls, Factor const& scaled, Facet const& facet,
                        Flat const& flat) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
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
  // Adds the integrals of x.m, (x.m) x and (x.m) xx^T over the facet to the site. x is relative to the centre of the
  // ball that represents the site.
  auto const flow_into = [&](Index ball, double h, Vec const& m) {
    Index const stands = work.bodies[ball].site.ball;
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
  if (!i.site.exists())
    add_to(i, facet.h_i, facet.m);
  else
    flow_into(facet.i, facet.h_i, facet.m);
  if (!j.site.exists())
    add_to(j, facet.h_j, -facet.m);
  else
    flow_into(facet.j, facet.h_j, -facet.m);
}

inline void add_disc(Workspace& work, Balls const& balls, Factor const& scaled, Facet const& facet) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
  Flat flat{};
  flat.area = pi * facet.rho_2;
  flat.xx = flat.yy = 0.25 * pi * facet.rho_2 * facet.rho_2;
  i.turning += 2 * pi * (1 - facet.h_i * i.inverse_r);
  j.turning += 2 * pi * (1 - facet.h_j * j.inverse_r);
  i.exposed = j.exposed = true;
  add_moments(work, balls, scaled, facet, flat);
}

/// Limit for the gap between the ends of arcs, in units of the radius. Arcs with a larger gap count as torn.
///
/// Suppose that two lines of a facet agree except for rounding, and that a third line crosses both at an angle of about
/// the square root of a rounding error. The decisions about which lines end each other may then be inconsistent. As a
/// result, an arc ends inside the disc, or the arcs of a sphere are not closed paths. This happened in one of 100000
/// lattices of touching and overlapping balls. In 3e6 clumps of all regimes, gaps after consistent decisions are at
/// most 1e-7 of the radius, and gaps of torn arcs are a tenth of the radius or more.
constexpr double wide_gap = 1e-5;

inline void tear(Workspace& work, Index ball) { work.bodies[ball].pencil = work.pencils = work.torn = true; }

/// Up to `most` facets that are processed together.
struct Block {
  static constexpr std::size_t most = 64;
  Index facet[most];
  std::size_t size;
  Group group;  // the facets of one vector, one per lane
  Flat flats[most];
  bool left[most];
  std::size_t first_arc[most + 1];
};

/// Sorts the facets by their number of cuts. This is done at every level. (At the scalar level, where facets are
/// processed one by one, loops of equal length are also faster.)
inline void sort_by_cuts(Workspace const& work, Block& block) {
  constexpr Index many = 31;
  std::size_t first[many + 2] = {};
  Index unsorted[Block::most], key[Block::most];
  for (std::size_t n = 0; n < block.size; ++n) {
    unsorted[n] = block.facet[n];
    key[n] = std::min(work.facets[unsorted[n]].cuts, many);
    ++first[key[n] + 1];
  }
  for (std::size_t k = 0; k <= many; ++k) first[k + 1] += first[k];
  for (std::size_t n = 0; n < block.size; ++n) block.facet[first[key[n]]++] = unsorted[n];
}

/// Copies the cuts of the facets from index n on into the lanes of the group.
inline void fill_group(Workspace& work, Block& block, std::size_t n, std::size_t width) {
  Group& group = block.group;
  std::size_t const step = Slot::fields * width;
  group.most = 0;
  for (std::size_t lane = 0; lane < width; ++lane)
    group.most = std::max<std::size_t>(group.most, work.facets[block.facet[std::min(n + lane, block.size - 1)]].cuts);
  if (work.slots.size() < group.most * step) work.slots.resize(group.most * step);
  group.slots = work.slots.data();
  for (std::size_t lane = 0; lane < width; ++lane) {
    // Unused lanes repeat the last facet. Their results are ignored.
    Facet const& facet = work.facets[block.facet[std::min(n + lane, block.size - 1)]];
    group.count[lane] = facet.cuts;
    group.rho[lane] = facet.rho;
    double* slot = group.slots + lane;
    for (Index k = facet.first_cut; k < facet.first_cut + facet.cuts; ++k, slot += step) {
      Index const named = work.cuts[k], which = named & 3;
      Line const& line = work.lines[named >> 2];
      Cut const& cut = line.on[which];
      slot[Slot::n_x * width] = cut.n_x;
      slot[Slot::n_y * width] = cut.n_y;
      slot[Slot::q * width] = cut.q;
      slot[Slot::s * width] = line.s;
      // On facet ik the line has the opposite direction.
      slot[Slot::end * width] = std::bit_cast<double>(std::uint64_t{named >> 2} << 1 | (which == 1 ? 0 : 1));
    }
    for (std::size_t k = facet.cuts; k < group.most; ++k, slot += step)
      for (Slot::Field const field : {Slot::n_x, Slot::n_y, Slot::q, Slot::s}) slot[field * width] = 0;
  }
}

/// Sorts the edges by rank. Uses insertion sort for at most 16 edges. A facet mostly has four edges, and among packed
/// balls never more than ten.
inline void sort_edges(RankedEdge* edges, std::size_t n) {
  if (n > 16) {
    std::sort(edges, edges + n, [](RankedEdge const& a, RankedEdge const& b) { return a.rank < b.rank; });
    return;
  }
  for (std::size_t i = 1; i < n; ++i) {
    RankedEdge const edge = edges[i];
    std::size_t k = i;
    for (; k > 0 && edge.rank < edges[k - 1].rank; --k) edges[k] = edges[k - 1];
    edges[k] = edge;
  }
}

/// Goes around the edges of a facet. Between two successive edges there is a corner or an arc. Arcs are appended to
/// work.arcs.
inline void go_around(Workspace& work, Block& block, std::size_t n, std::size_t width) {
  Index const named = block.facet[n];
  Facet const& facet = work.facets[named];
  Group const& group = block.group;
  std::size_t const lane = n % width, step = Slot::fields * width, cuts = facet.cuts;
  double const* const slots = group.slots + lane;
  constexpr double endless = std::numeric_limits<double>::infinity();
  block.left[n] = false;
  if (group.empty[lane] != 0) return;
  auto const alive = [&](std::size_t k) { return slots[k * step + Slot::alive * width] != 0; };
  auto const rank = [&](std::size_t k) { return slots[k * step + Slot::rank * width]; };
  auto& in_order = work.in_order;
  if (in_order.size() < cuts + 1) in_order.resize(cuts + 1);
  RankedEdge* const order = in_order.data();
  std::size_t edges = 0;
  for (std::size_t k = 0; k < cuts; ++k) {
    order[edges] = {rank(k), static_cast<Index>(k)};
    edges += alive(k);
  }
  if (edges == 3) {
    // Three edges around a circle are either in order or in reverse order. The first edge does not matter.
    double const a = order[0].rank, b = order[1].rank, c = order[2].rank;
    std::size_t const second = (a < b) + (b < c) + (c < a) == 2 ? 1 : 2;
    RankedEdge const middle = order[second], last = order[3 - second];
    order[1] = middle;
    order[2] = last;
  } else if (edges > 3) {
    sort_edges(order, edges);
  }
  if (edges == 0) return;
  block.left[n] = true;
  Flat flat = {group.flat[0][lane],
               group.flat[1][lane],
               group.flat[2][lane],
               group.flat[3][lane],
               group.flat[4][lane],
               group.flat[5][lane],
               0,
               0};
  order[edges] = order[0];
  for (std::size_t k = 0; k < edges; ++k) {
    double const *const edge = slots + order[k].slot * step, *const next = slots + order[k + 1].slot * step;
    auto const of = [&](double const* slot, Slot::Field field) { return slot[field * width]; };
    double const from_x = of(edge, Slot::high_x), from_y = of(edge, Slot::high_y);
    double const to_x = of(next, Slot::low_x), to_y = of(next, Slot::low_y);
    double const gap_x = to_x - from_x, gap_y = to_y - from_y, gap_2 = gap_x * gap_x + gap_y * gap_y;
    bool const on_rim = of(edge, Slot::high) == endless && of(next, Slot::low) == -endless;
    if (!on_rim && gap_2 < 1e-12 * facet.rho_2) {
      // A corner. If rounding removed a line between the two edges, the corner has a small gap. A triangle fills the
      // gap. A gap of the size of a rounding error is ignored, because the position of the corner is not more accurate.
      // (If the gap is large, an arc lies between the ends of the edges. Both ends are then on the rim except for
      // rounding.)
      if (gap_2 > 1e-28 * facet.rho_2) flat.add_triangle(from_x * to_y - from_y * to_x, from_x, from_y, to_x, to_y);
      continue;
    }
    if (!on_rim) {
      auto const within = [&](double x, double y) { return x * x + y * y < (1 - wide_gap) * facet.rho_2; };
      if (within(from_x, from_y) || within(to_x, to_y)) {
        tear(work, facet.i);
        tear(work, facet.j);
      }
    }
    double const ahead = order[k + 1].rank - order[k].rank, turn = ahead > 0 ? ahead : ahead + 4;
    auto const from = std::bit_cast<std::uint64_t>(of(edge, Slot::end)),
               to = std::bit_cast<std::uint64_t>(of(next, Slot::end)) ^ 1;
    constexpr double side[2] = {-1, 1};
    RimArc& arc = work.arcs[work.arcs_found++];
    arc.from_x = from_x;
    arc.from_y = from_y;
    arc.to_x = to_x;
    arc.to_y = to_y;
    arc.about = (turn - of(edge, Slot::half) - of(next, Slot::half)) * (pi / 2);
    arc.rho_2 = facet.rho_2;
    arc.from_side = side[from & 1];
    arc.to_side = side[to & 1];
    arc.from = from;
    arc.to = to;
    arc.facet = named;
    arc.i = facet.i;
    arc.j = facet.j;
  }
  block.flats[n] = flat;
}

inline void add_block(Workspace& work, SideBySide const& forms, Balls const& balls, Factor const& scaled,
                      Block& block) {
  if (block.size == 0) return;
  std::size_t const width = forms.width, before = work.arcs_found;
  sort_by_cuts(work, block);
  std::size_t edges = 0;
  for (std::size_t n = 0; n < block.size; ++n) edges += work.facets[block.facet[n]].cuts;
  if (work.arcs.size() < before + edges + 1) work.arcs.resize(std::max(before + edges + 1, 2 * work.arcs.size()));
  // Groups are processed one after the other in the same memory. All groups of 20 packed balls together would fill the
  // first-level cache.
  for (std::size_t n = 0; n < block.size; n += width) {
    fill_group(work, block, n, width);
    forms.meet(block.group);
    for (std::size_t k = n; k < std::min(n + width, block.size); ++k) {
      block.first_arc[k] = work.arcs_found;
      go_around(work, block, k, width);
    }
  }
  block.first_arc[block.size] = work.arcs_found;
  std::size_t const arcs = work.arcs_found - before;
  if (work.shares.size() < arcs) work.shares.resize(arcs);
  forms.measure_arcs(work.bodies.data(), work.facets.data(), work.lines.data(), work.arcs.data() + before,
                     work.shares.data(), arcs);
  for (std::size_t n = 0; n < block.size; ++n) {
    if (!block.left[n]) continue;
    Flat& flat = block.flats[n];
    for (std::size_t k = block.first_arc[n]; k < block.first_arc[n + 1]; ++k) {
      Share const& share = work.shares[k - before];
      flat.add_sector(share);
      add_arc(work, work.arcs[k], share);
    }
  }
  Facet const* facets[Block::most];
  std::size_t left = 0;
  for (std::size_t n = 0; n < block.size; ++n) {
    if (!block.left[n]) continue;
    Facet const& facet = work.facets[block.facet[n]];
    Body const &i = work.bodies[facet.i], &j = work.bodies[facet.j];
    if (i.site.exists() || j.site.exists()) {
      add_moments(work, balls, scaled, facet, block.flats[n]);
      continue;
    }
    block.flats[left] = block.flats[n];
    block.flats[left].r_i_2 = i.r * i.r;
    block.flats[left].r_j_2 = j.r * j.r;
    facets[left++] = &facet;
  }
  auto const add = [](Body& body, double const(&moments)[12]) {
    body.volume += moments[0];
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k) body.first[k] += moments[1 + k];
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) body.second[k] += moments[4 + k];
  };
  constexpr std::size_t some = 16;
  Moments moments[some];
  for (std::size_t first = 0; first < left; first += some) {
    std::size_t const count = std::min(some, left - first);
    forms.measure_moments(facets + first, block.flats + first, moments, count);
    for (std::size_t k = 0; k < count; ++k) {
      add(work.bodies[facets[first + k]->i], moments[k].i);
      add(work.bodies[facets[first + k]->j], moments[k].j);
    }
  }
  block.size = 0;
}

/// Adds the moments of the remaining parts of all facets to their balls.
inline void add_facets(Workspace& work, SideBySide const& forms, Balls const& balls, Factor const& scaled) {
  Block block;  // about 16 kB
  block.size = 0;
  for (Index n = 0; n < work.facets.size(); ++n) {
    Facet const& facet = work.facets[n];
    if (facet.dead) continue;
    // A facet between two balls of sites lies inside one site and is not needed.
    if (work.bodies[facet.i].site.exists() && work.bodies[facet.j].site.exists()) continue;
    if (facet.cuts == 0) {
      add_disc(work, balls, scaled, facet);
      continue;
    }
    block.facet[block.size++] = n;
    if (block.size == Block::most) add_block(work, forms, balls, scaled, block);
  }
  add_block(work, forms, balls, scaled, block);
}

/// Closes the gaps in the arcs of spheres. Where four or more spheres nearly meet, rounded decisions may leave gaps
/// between the arcs of a sphere. The length of a gap is at most about the square root of a rounding error. A gap runs
/// along circles that nearly coincide there. Chords are therefore accurate enough to close the gaps.
inline void close_gaps(Workspace& work) {
  std::vector<ArcEnd> arc_ends;
  for (std::size_t k = 0; k < work.arcs_found; ++k) {
    RimArc const& arc = work.arcs[k];
    Index const i = arc.i, j = arc.j;
    std::uint64_t const start = arc.from, end = arc.to;
    if (work.bodies[i].unclosed != 0) {
      arc_ends.push_back({i, end, 1});
      arc_ends.push_back({i, start, -1});
    }
    if (work.bodies[j].unclosed != 0) {
      arc_ends.push_back({j, start, 1});
      arc_ends.push_back({j, end, -1});
    }
  }
  std::sort(arc_ends.begin(), arc_ends.end(), [](ArcEnd const& a, ArcEnd const& b) {
    return a.ball != b.ball ? a.ball < b.ball : a.end != b.end ? a.end < b.end : a.sign < b.sign;
  });
  std::vector<ArcEnd> ends, starts;
  for (std::size_t k = 0; k < arc_ends.size();) {
    Index const ball = arc_ends[k].ball;
    ends.clear();
    starts.clear();
    while (k < arc_ends.size() && arc_ends[k].ball == ball) {
      std::uint64_t const end = arc_ends[k].end;
      int sum = 0;
      for (; k < arc_ends.size() && arc_ends[k].ball == ball && arc_ends[k].end == end; ++k) sum += arc_ends[k].sign;
      for (; sum > 0; --sum) ends.push_back({ball, end, 1});
      for (; sum < 0; ++sum) starts.push_back({ball, end, -1});
    }
    for (ArcEnd const& end : ends) {
      if (starts.empty()) break;
      Vec const p = direction(work, end.end, ball);
      std::size_t nearest = 0;
      double least = std::numeric_limits<double>::infinity();
      Vec to = p;
      for (std::size_t s = 0; s < starts.size(); ++s) {
        Vec const q = direction(work, starts[s].end, ball), step = q - p;
        if (dot(step, step) < least) least = dot(step, step), nearest = s, to = q;
      }
      if (!(least < wide_gap * wide_gap)) tear(work, ball);
      add_chord(work.bodies[ball], p, to);
      starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(nearest));
    }
  }
}

/// Resets the bodies to the state before the facets were added.
inline void forget_patches(Workspace& work) {
  for (Body& body : work.bodies) {
    body.exposed = false;
    body.turning = body.turn_y = 0;
    body.turn_x = 1;
    body.unclosed = 0;
    body.site = {};
    body.surface = body.volume = 0;
    std::fill_n(body.first, 3, 0.0);
    std::fill_n(body.second, 6, 0.0);
  }
}

}  // namespace demeter::fast_union
