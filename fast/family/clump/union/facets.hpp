// What is left of a facet between its lines, and the arcs of its rim.
#pragma once

#include "fast/family/clump/union/patch.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace demeter::fast_union {

/// An end of a line as a direction from the centre of one of its three balls.
inline Vec direction(Workspace const& work, std::uint64_t end, Index ball) {
  Line const& line = work.lines[end >> 1];
  Vec p = line.x + ((end & 1) != 0 ? line.s : -line.s) * line.t;
  if (ball != line.i) p = p - work.facets[ball == line.j ? line.f_ij : line.f_ik].between;
  return work.bodies[ball].inverse_r * p;
}

/// An arc of a facet's circle, counter-clockwise about m, between ends of lines.
inline void add_arc(Workspace& work, Facet const& facet, Edge const& leaves, Edge const& arrives, double extent) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
  double const a_i = facet.h_i * i.inverse_r, a_j = facet.h_j * j.inverse_r;
  std::uint64_t const start = 2 * static_cast<std::uint64_t>(leaves.line) + (leaves.sense > 0 ? 1 : 0),
                      end = 2 * static_cast<std::uint64_t>(arrives.line) + (arrives.sense > 0 ? 0 : 1);
  i.turning += (1 - a_i) * extent;
  j.turning += (1 - a_j) * extent;
  i.exposed = j.exposed = true;
  i.unclosed += mark_of(end) - mark_of(start);
  j.unclosed += mark_of(start) - mark_of(end);
  work.arc_ends.push_back({facet.i, end, 1});
  work.arc_ends.push_back({facet.i, start, -1});
  work.arc_ends.push_back({facet.j, start, 1});
  work.arc_ends.push_back({facet.j, end, -1});
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

/// Area, first and second moments of what is left of a disc, in its plane about its centre.
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

/// minsd and maxsd: one instruction each. If either operand is NaN the result is b.
inline double minsd(double a, double b) { return a < b ? a : b; }
inline double maxsd(double a, double b) { return a > b ? a : b; }

/// Lets two cuts of a facet bound each other; true if nothing of the facet is left. With one decision a pair:
///
///   a or b excluded before      nothing happens
///   nearly one line             the one that takes less is excluded; both, if they face each other without a gap
///   crossing on the disc        each ends at the crossing: its end there is no longer on the rim
///   no crossing on the disc     whichever lies wholly beyond the other is excluded; both: nothing is left
///
/// No branches but for lines that are nearly one: which case it is is as good as random, and a wrong guess of the
/// processor costs more than all of this. (A heap of 20 balls that overlap nine others each takes a tenth less.)
inline bool meet(Edge& a, Edge& b, double rho) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double only_if[2] = {infinity, 0};  // added to a bound: no bound unless the condition holds
  double const cosine = a.n_x * b.n_x + a.n_y * b.n_y, sine = a.n_x * b.n_y - a.n_y * b.n_x;
  double const beyond_a = b.q - a.q * cosine, beyond_b = a.q - b.q * cosine, reach = a.s * std::abs(sine);
  bool const in_play = a.alive & b.alive, crossing = std::abs(beyond_a) < reach;
  // Where lines that cross part by less than rounding, they are one: what is between them is no area. (With 8e-16 a
  // wedge between opposite lines was left in one of 200000 cubes whose eight spheres meet in the middle.)
  bool const one_line = (reach < 2.5e-15 * rho) | ((std::abs(sine) < 1e-7) & !crossing);
  if (in_play & one_line) {
    if (cosine > 0)
      (a.q > b.q ? a : b).alive = false;
    else if (!(a.q + b.q > 0))
      a.alive = b.alive = false;
    return !a.alive && !b.alive;
  }
  // The crossing, the same point on both, ends a above and b below, or a below and b above.
  double const at_a = beyond_a / sine, at_b = minsd(maxsd(at_a * cosine - a.q * sine, -b.s), b.s);
  bool const a_above = in_play & crossing & (sine > 0), a_below = in_play & crossing & !(sine > 0);
  a.high = minsd(at_a + only_if[a_above], a.high);
  b.low = maxsd(at_b - only_if[a_above], b.low);
  a.low = maxsd(at_a - only_if[a_below], a.low);
  b.high = minsd(at_b + only_if[a_below], b.high);
  a.high_on_rim &= !a_above;
  b.low_on_rim &= !a_above;
  a.low_on_rim &= !a_below;
  b.high_on_rim &= !a_below;
  bool const apart = in_play & !crossing;
  bool const a_excluded = apart & (beyond_a < 0), b_excluded = apart & (beyond_b < 0);
  a.alive &= !a_excluded;
  b.alive &= !b_excluded;
  return a_excluded & b_excluded;
}

/// What is left of a facet, given to its two balls.
inline void add_facet(Workspace& work, Balls const& balls, Factor const& scaled, Facet const& facet) {
  Body &i = work.bodies[facet.i], &j = work.bodies[facet.j];
  if (i.site.exists() && j.site.exists()) return;  // between two sites there is no facet: within one
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
    // Skip edges already excluded by another. If two edges exclude each other the facet is empty: return at once,
    // because a third edge that survived only by rounding would otherwise be treated as bounding the whole disc. The
    // line that takes most of the disc comes first.
    for (std::size_t k = 1; k < edges.size(); ++k)
      if (edges[k].q < edges[0].q) std::swap(edges[0], edges[k]);
    for (std::size_t a = 0; a < edges.size(); ++a)
      for (std::size_t b = a + 1; b < edges.size(); ++b)
        if (meet(edges[a], edges[b], facet.rho)) return;
    auto& in_order = work.in_order;
    in_order.clear();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      Edge const& edge = edges[k];
      if (!edge.alive || !(edge.low < edge.high)) continue;
      double const x = edge.n_x / (std::abs(edge.n_x) + std::abs(edge.n_y));
      in_order.push_back({edge.n_y < 0 ? 3 + x : 1 - x, static_cast<Index>(k)});
    }
    if (in_order.empty()) return;
    std::sort(in_order.begin(), in_order.end(),
              [](RankedEdge const& a, RankedEdge const& b) { return a.rank < b.rank; });
    for (std::size_t k = 0; k < in_order.size(); ++k) {
      RankedEdge const &this_one = in_order[k], &next_one = in_order[k + 1 < in_order.size() ? k + 1 : 0];
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
      if (in_order.size() > 1) {
        // atan2 cannot tell an angle near 0 from one near 2 pi; the edges are sorted by angle, so the gap between
        // neighbours in the order decides.
        double const about = (next_one.rank - this_one.rank + (k + 1 < in_order.size() ? 0 : 4)) * (pi / 2);
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

/// Where rounding decided on four spheres or more that nearly meet so that a sphere's arcs do not close, the gaps,
/// which are as short as the square root of rounding, run along circles that nearly agree there: their chords close
/// them.
inline void close_gaps(Workspace& work) {
  auto& arc_ends = work.arc_ends;
  arc_ends.erase(std::remove_if(arc_ends.begin(), arc_ends.end(),
                                [&](ArcEnd const& arc_end) { return work.bodies[arc_end.ball].unclosed == 0; }),
                 arc_ends.end());
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
      add_chord(work.bodies[ball], p, to);
      starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(nearest));
    }
  }
}

}  // namespace demeter::fast_union
