// Records and buffers of the union of balls.
//
// The union is divided into one body per ball: the ball cut down to its cell in the power diagram. Where two spheres i
// and j meet there is a facet, a disc in the plane between the two cells. Balls that overlap both spheres cut pieces
// off the facet.
//
//     from the side                             a facet with two cuts, from ball j
//
//      sphere i  |  sphere j                             .--- arc ---.
//        .----.  |  .----.                             .'             '.
//      .'      '.|.'      '.                          /   remaining     \   the rim
//     /         /|\         \                        /       part        \   is the circle
//    |    i    | | |    j    |                      *                     *    * the ends of two lines
//    |    +-h_i|>|<|h_j-+    |                      |\                   /|
//     \         \|/         /                       | \ edge       edge / |
//      '.      .'|'.      .'                         \ \               / /  --> n, out of the remaining part
//        '----'  |  '----'                            '.\             /.'
//                |---> m                                '* --------- *
//
//   facet   the disc: radius rho, unit normal m from i to j, at h_i from the centre of i and h_j from the centre of j
//   line    where the planes of three balls i, j, k meet: x +- s t; the three spheres meet at its two ends
//   cut     a line on one of its three facets; y from the centre: y.n > q is outside the body, |y.d| < s is on the disc
//   edge    the part low <= y.d <= high of a cut that bounds the remaining part of the facet
//   arc     the part of the rim between two edges; it bounds the patches of spheres i and j
//   patch   the remaining part of a sphere: exposed, bounded by arcs
//   cap     the part of a sphere that one other ball covers; h_i is negative if this is more than half of the sphere
#pragma once

#include "fast/core/double2.hpp"
#include "fast/family/clump/union/vectors.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace demeter::fast_union {

using namespace demeter::fast_core;

using Index = std::uint32_t;

struct Balls {
  double const* centre[3];
  double const* radius;
  std::size_t size, stride;

  double c(std::size_t axis, std::size_t i) const { return centre[axis][i * stride]; }
  double r(std::size_t i) const { return radius[i * stride]; }
};

/// The site of a ball, or none (see sites.hpp). A site is identified by one of its balls, which represents the site.
struct Site {
  static constexpr Index none = ~Index{0};
  Index ball = none;

  bool exists() const { return ball != none; }
};

/// The sums of one ball. Lengths are in the clump's unit.
struct Body {
  double r;
  bool dropped;       // inside another ball, or negligibly small
  bool cut, exposed;  // cut: the ball has facets; exposed: its sphere has arcs
  double least_a;     // a = h/r of the largest cap
  Vec largest;        // axis of the largest cap; stored before inverse_r, because the four numbers are loaded together
  double inverse_r;
  double caps;             // sum of the solid angles of the caps
  double turning;          // sum over the arcs of (1 - a) dphi: a = h/r of the cap, dphi is the angle of the arc
  double turn_x, turn_y;   // a product of complex numbers, one for each triangle (see turn_by); their angles add up
  std::uint64_t unclosed;  // sum of mark_of() of the arc ends, minus the sum for the arc starts: 0 if the arcs are
                           // closed
  bool pencil;             // the ball is in a pencil (see sites.hpp), or rounding left large gaps between its arcs
  Site site;
  // Sums over the body, about the centre of the ball: surface, three times volume, four times int x, five times int
  // xx^T. For a site: sums over the whole site, about the centre of the ball that represents it.
  double surface, volume, first[3], second[6];
};

/// The facet of spheres i < j. The frame u, v, m is right-handed. Members are in groups of four, for load_four().
struct Facet {
  Facet() {}  // members are not cleared, because all are written later

  Vec m;
  double h_i;
  Vec between;
  double d;
  Vec u;
  double rho;
  Vec v;
  double h_j;
  double rho_2;
  Index i, j;
  bool dead;  // nothing of the facet remains
  Index first_cut, cuts;
};

/// A line on a facet, in the coordinates of u and v. Its ends are q n -+ s d, d = (-n_y, n_x).
struct Cut {
  double n_x, n_y, q, more;
};

/// The line where the planes of balls i < j < k meet; x is relative to the centre of i. The line meets the spheres if
/// s_2 > 0. Members are in groups of four, for store_four().
struct Line {
  Line() {}  // members are not cleared, because all are written later

  Vec x;
  double s;
  Vec t;
  double s_2;
  Cut on[3];  // facets ij, ik, jk
  Index ball[3], facet[3];

  // area_2(): squared area of the parallelogram of the vectors from i to j and from i to k. longest_2(): the largest
  // area_2() for vectors of these lengths. Both are stored in the unused members of the cuts.
  double area_2() const { return on[0].more; }
  double longest_2() const { return on[1].more; }
};

/// The fields of a slot. A Group has `most` slots. Lane n of slot k contains the k-th cut of the n-th facet of the
/// group, and the edge on this cut.
struct Slot {
  enum Field : std::size_t {
    n_x,
    n_y,
    q,
    s,
    end,  // n_x to `end`: the cut; `end` is the name of the line's upper end (see RimArc)
    low,
    high,
    alive,  // fields of the edge; low or high is infinite if no other cut ends the edge: it then ends on the rim
    low_x,
    low_y,
    high_x,
    high_y,  // low_x to high_y: the coordinates of the two ends of the edge
    rank,    // increases from 0 to 4 with the angle of the edge's normal
    half,    // increases from 0 to 2 with half the angle of the rim that the line cuts off
    fields
  };
};
constexpr std::size_t most_lanes = 4;
struct Group {
  double* slots;  // [slot][field][lane]
  std::size_t most;
  double count[most_lanes], rho[most_lanes];
  double empty[most_lanes];    // 1 if nothing of the facet remains
  double flat[6][most_lanes];  // area, x, y, xx, xy, yy: moments of the triangles that connect the centre with the
                               // edges
};

/// An arc of the circle of a facet, from the end of one line to the end of another, counter-clockwise about the normal
/// m of the facet. The fields of the struct are in groups of four, because load_four() loads four at a time.
struct RimArc {
  double from_x, from_y, to_x, to_y;
  double about;  // the approximate angle of the arc; the error is at most one radian
  double rho_2;
  double from_side, to_side;  // -1: the lower end of its line, 1: the upper end
  std::uint64_t from, to;     // names of the two ends: twice the index of the line, plus 1 for the upper end of the
                              // line
  Index facet, i, j;
};

/// The contributions of an arc to its two balls and its facet. Members are in groups of four, for store_four().
struct Share {
  double turning_i, re_i, im_i, area;
  double turning_j, re_j, im_j, x;
  double y, xx, xy, yy;
};

/// Area, first and second moments of the remaining part of a disc, in its plane about its centre. Members are in groups
/// of four, for load_four().
struct Flat {
  double area, x, y, xx, xy, yy;
  double r_i_2, r_j_2;  // squared radii of the two balls; stored here because they are loaded together with the moments

  // Adds the triangle of the centre and the points p, q.
  void add_triangle(double twice_area, double px, double py, double qx, double qy) {
    double const sx = px + qx, sy = py + qy;
    area += 0.5 * twice_area;
    x += twice_area * sx * (1.0 / 6);
    y += twice_area * sy * (1.0 / 6);
    xx += twice_area * (sx * sx + px * px + qx * qx) * (1.0 / 24);
    xy += twice_area * (sx * sy + px * py + qx * qy) * (1.0 / 24);
    yy += twice_area * (sy * sy + py * py + qy * qy) * (1.0 / 24);
  }
  void add_sector(Share const& share) {
    area += share.area;
    x += share.x;
    y += share.y;
    xx += share.xx;
    xy += share.xy;
    yy += share.yy;
  }
};

/// Volume, first and second moments that a facet adds to its two balls, multiplied by the same factors as in `Body`.
/// Members are in groups of four, for store_four().
struct Moments {
  double i[12], j[12];
};

/// The functions of one level that process several pairs, triples, facets or arcs at once. All levels give the bits of
/// the scalar form.
struct SideBySide {
  std::size_t width;
  std::uint64_t (*overlapping)(double const* const places[4], Factor const& scaled, std::size_t i, std::size_t first,
                               std::size_t n);
  void (*measure_facets)(Facet* facets, std::size_t n);
  void (*find)(Facet const* facets, Line* lines, std::size_t n);
  void (*meet)(Group& group);
  void (*measure_arcs)(Body const* bodies, Facet const* facets, Line const* lines, RimArc const* arcs, Share* shares,
                       std::size_t n);
  void (*measure_moments)(Facet const* const* facets, Flat const* flats, Moments* moments, std::size_t n);
  void (*angles)(double const* y, double const* x, double* angle, std::size_t n);
};

struct RankedEdge {
  double rank;
  Index slot;
};

struct ArcEnd {
  Index ball;
  std::uint64_t end;
  int sign;  // +1: the end of an arc, -1: the start of an arc
};

/// Up to this number of balls, every pair is tested. For 100 balls, a tree of boxes takes ten times as long.
constexpr std::size_t several = 256;
/// Up to this number of balls, the neighbours of a ball are stored as bits of one word.
constexpr std::size_t few = 64;

struct Workspace {
  std::vector<Body> bodies;
  std::vector<Facet> facets;
  std::vector<Index> first_facet;          // index of the first facet of each ball i; facets are sorted by i, then j
  std::vector<Index> facet_of;             // for at most `few` balls: the facet of balls i < j is at i n + j
  std::vector<std::uint64_t> beyond;       // for at most `few` balls: one bit for each ball j > i that has a facet with
                                           // i
  double places[4][several + most_lanes];  // for at most `several` balls: centres, and radii in the clump's unit
  std::vector<Line> lines;
  std::vector<Index> cuts;  // the cuts, grouped by facet; a cut is stored as 4 times the index of its line plus its
                            // index in Line::on
  std::vector<Index> met;   // indices of the lines that meet their spheres
  std::vector<double> slots, angles;
  std::vector<RankedEdge> in_order;  // the remaining edges of one facet, counter-clockwise
  std::vector<RimArc> arcs;
  std::vector<Share> shares;  // contributions of the arcs
  std::size_t arcs_found;
  bool pencils;  // some balls are in a pencil
  bool torn;     // rounding left large gaps between the arcs of some balls that were in no pencil
};

/// Returns a pseudo-random number that depends only on the argument (splitmix64).
inline std::uint64_t mark_of(std::uint64_t number) {
  std::uint64_t z = number + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Returns the vector from the centre of ball i to the centre of ball j.
inline Vec separation(Balls const& balls, Factor const& scaled, std::size_t i, std::size_t j) {
  return {scaled(balls.c(0, j) - balls.c(0, i)), scaled(balls.c(1, j) - balls.c(1, i)),
          scaled(balls.c(2, j) - balls.c(2, i))};
}

}  // namespace demeter::fast_union
