// What the union of balls is computed from and in.
//
// The union is cut into one body a ball: the ball cut down to its cell in the power diagram. Where two spheres i and j
// meet there is a facet, a disc in the plane that parts the two cells; balls that overlap both cut pieces off it.
//
//     from the side                             a facet with two cuts, from ball j
//
//      sphere i  |  sphere j                             .--- arc ---.
//        .----.  |  .----.                             .'             '.
//      .'      '.|.'      '.                          /    what is      \   the rim
//     /         /|\         \                        /       left        \   is the circle
//    |    i    | | |    j    |                      *                     *    * the ends of two lines
//    |    +-h_i|>|<|h_j-+    |                      |\                   /|
//     \         \|/         /                       | \ edge       edge / |
//      '.      .'|'.      .'                         \ \               / /  --> n, out of what is left
//        '----'  |  '----'                            '.\             /.'
//                |---> m                                '* --------- *
//
//   facet   the disc: radius rho, unit normal m from i to j, at h_i from the centre of i and h_j from that of j
//   line    where the planes of three balls i, j, k meet: x +- s t, whose two ends are where their three spheres meet
//   cut     a line seen on one of its three facets: y.n > q is another ball's, |y.d| < s is on the disc
//   edge    the part low <= y.d <= high of a cut that bounds what is left of the facet
//   arc     the part of the rim between two edges; it bounds the patches of spheres i and j
//   patch   what is left of a sphere: exposed, bounded by arcs
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

/// The site that a ball belongs to, see sites.hpp: named by the one ball that stands for all of its balls; or none.
struct Site {
  static constexpr Index none = ~Index{0};
  Index ball = none;

  bool exists() const { return ball != none; }
};

/// What is summed up for one ball, lengths in the clump's unit.
struct Body {
  double r, inverse_r;
  bool dropped;            // in another ball
  bool cut, exposed;       // has facets, has arcs
  double least_a;          // of the largest cap
  Vec largest;             // its axis
  double caps;             // sum of the caps' solid angles
  double turning;          // sum of (1 - a) dphi
  double turn_x, turn_y;   // product of the triangles' complex numbers, whose angles add up
  std::uint64_t unclosed;  // sum of the marks of arcs' ends less that of starts: 0 if the arcs close
  bool pencil;             // one of three balls whose planes nearly agree
  Site site;
  // Of the body about the ball's centre, or of the whole site about that of the ball that stands for it: surface, three
  // times volume, four times int x, five times int xx^T.
  double surface, volume, first[3], second[6];
};

/// Spheres i < j. Frame u, v, m right-handed.
struct Facet {
  Index i, j;
  double d, h_i, h_j, rho, rho_2;
  Vec between, m, u, v;
  bool dead;  // nothing of the facet is left
  Index first_line, lines;
};

/// x from the first centre.
struct Line {
  Index i, j, f_ij, f_ik;
  Vec x, t;
  double s;
};

/// Its ends are q n -+ s d, d = (-n_y, n_x).
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

struct RankedEdge {
  double rank;  // ascends from 0 to 4 with the angle of the edge's normal
  Index edge;
};

struct ArcEnd {
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
  std::vector<RankedEdge> in_order;  // the edges that are left, counter-clockwise
  std::vector<ArcEnd> arc_ends;
  bool pencils;  // some balls are in one
};

/// Numbers that nothing relates (splitmix64).
inline std::uint64_t mark_of(std::uint64_t number) {
  std::uint64_t z = number + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// From ball i to ball j.
inline Vec separation(Balls const& balls, Factor const& scaled, std::size_t i, std::size_t j) {
  return {scaled(balls.c(0, j) - balls.c(0, i)), scaled(balls.c(1, j) - balls.c(1, i)),
          scaled(balls.c(2, j) - balls.c(2, i))};
}

}  // namespace demeter::fast_union
