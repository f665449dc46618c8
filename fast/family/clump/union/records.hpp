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
  double r;
  bool dropped;       // in another ball
  bool cut, exposed;  // has facets, has arcs
  double least_a;     // of the largest cap
  Vec largest;        // its axis; by four with the next, as lanes read them
  double inverse_r;
  double caps;             // sum of the caps' solid angles
  double turning;          // sum of (1 - a) dphi
  double turn_x, turn_y;   // product of the triangles' complex numbers, whose angles add up
  std::uint64_t unclosed;  // sum of the marks of arcs' ends less that of starts: 0 if the arcs close
  bool pencil;             // one of three balls whose planes nearly agree, or of arcs that rounding tore
  Site site;
  // Of the body about the ball's centre, or of the whole site about that of the ball that stands for it: surface, three
  // times volume, four times int x, five times int xx^T.
  double surface, volume, first[3], second[6];
};

/// Spheres i < j. Frame u, v, m right-handed. By fours, as lanes read them.
struct Facet {
  Facet() {}  // not cleared: all is written

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
  bool dead;  // nothing of the facet is left
  Index first_cut, cuts;
};

/// A line seen on a facet. Its ends are q n -+ s d, d = (-n_y, n_x).
struct Cut {
  double n_x, n_y, q, more;
};

/// Where the planes of balls i < j < k meet, x from the centre of i; by fours, as lanes write them. It meets their
/// spheres if s_2 > 0.
struct Line {
  Line() {}  // nor this

  Vec x;
  double s;
  Vec t;
  double s_2;
  Cut on[3];  // facets ij, ik, jk
  Index ball[3], facet[3];

  // Squares of the area of the parallelogram of the vectors from i to j and k, and of the most that it could be.
  double area_2() const { return on[0].more; }
  double longest_2() const { return on[1].more; }
};

/// The facets of a Group beside each other, each in a lane: numbers `most` times, one slot for a cut or edge.
struct Slot {
  enum Field : std::size_t {
    n_x,
    n_y,
    q,
    s,
    end,  // of the cut; `end` names the end of the line that is above
    low,
    high,
    alive,  // of the edge; infinite where no other cut ends it: there it is on the rim
    low_x,
    low_y,
    high_x,
    high_y,  // where it ends
    rank,    // ascends from 0 to 4 with the angle of the edge's normal
    half,    // from 0 to 2 with half the angle that the line takes of the rim
    fields
  };
};
constexpr std::size_t most_lanes = 4;
struct Group {
  double* slots;  // [slot][field][lane]
  std::size_t most;
  double count[most_lanes], rho[most_lanes];
  double empty[most_lanes];    // 1: nothing is left
  double flat[6][most_lanes];  // area, x, y, xx, xy, yy of the triangles of the centre and the edges
};

/// An arc of a facet's circle, counter-clockwise about m, between ends of lines. By fours, as lanes read them.
struct RimArc {
  double from_x, from_y, to_x, to_y;
  double about;  // the angle, but for a radian
  double rho_2;
  double from_side, to_side;  // -1 or 1: which end of its line
  std::uint64_t from, to;     // names of the ends: twice the line, and 1 for the end above
  Index facet, i, j;
};

/// What an arc adds to its two balls and its facet. By fours, as lanes write them.
struct Share {
  double turning_i, re_i, im_i, area;
  double turning_j, re_j, im_j, x;
  double y, xx, xy, yy;
};

/// Area, first and second moments of what is left of a disc, in its plane about its centre. By fours, as
/// lanes read them.
struct Flat {
  double area, x, y, xx, xy, yy;
  double r_i_2, r_j_2;  // squares of its balls' radii, which go with it

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
  void add_sector(Share const& share) {
    area += share.area;
    x += share.x;
    y += share.y;
    xx += share.xx;
    xy += share.xy;
    yy += share.yy;
  }
};

/// Volume, first and second moments that a facet adds to its two balls, as far as `Body` sums them up. By fours, as
/// lanes write them.
struct Moments {
  double i[12], j[12];
};

/// What is computed side by side, at one level. All give the bits that the scalar form gives.
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
  int sign;  // +1 the end of an arc, -1 the start of one
};

/// So many balls are tried one with another: a tree of boxes finds the neighbours of 100 in a time ten times as long.
constexpr std::size_t several = 256;
/// Of so many the others are a bit each.
constexpr std::size_t few = 64;

struct Workspace {
  std::vector<Body> bodies;
  std::vector<Facet> facets;
  std::vector<Index> first_facet;          // of each ball as i; facets are sorted by i, then j
  std::vector<Index> facet_of;             // of few balls: that of balls i < j at i n + j, if there is one
  std::vector<std::uint64_t> beyond;       // of few balls: with which j > i there is one
  double places[4][several + most_lanes];  // of several balls: centres, and radii in the clump's unit
  std::vector<Line> lines;
  std::vector<Index> cuts;  // of each facet together: four times the line, and which of its facets
  std::vector<Index> met;   // lines that meet their spheres
  std::vector<double> slots, angles;
  std::vector<RankedEdge> in_order;  // the edges that are left, counter-clockwise
  std::vector<RimArc> arcs;
  std::vector<Share> shares;  // of the arcs
  std::size_t arcs_found;
  bool pencils;  // some balls are in one
  bool torn;     // rounding tore the arcs of some, which were in none
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
