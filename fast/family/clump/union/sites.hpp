// Sites: groups of balls where three or more spheres nearly pass through one circle. Decisions about their arcs use 77
// digits.
#pragma once

#include "fast/family/clump/union/patch.hpp"
#include "fast/family/clump/union/real.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace demeter::fast_union {

/// A pencil is three balls whose planes nearly agree. Rounding then decides which plane bounds which facet. A wrong
/// decision changes whole facets, and the decisions for all these facets would have to be consistent. Therefore the
/// balls of pencils are processed in another way: together with the balls that overlap them, they form sites. Facets
/// separate a site from the other balls.
///
/// The volume and the moments of a site are sums over the patches of its spheres, by the recommended formula. The arcs
/// that bound a patch are decided in 77 digits, with radii enlarged by distinct factors 1 + delta_i, delta_i from 1e-20
/// to 2e-20. Nothing is then degenerate, and no decision is near rounding. (The decisions need twice the digits of
/// delta, because a tangency loses half of the digits, and about 30 more.)

using Wide = long double;

/// The part of a sphere that another ball covers: the directions n with n.m > a. Its circle is a m + rho (u cos + v
/// sin).
template <class Scalar>
struct Cap {
  Vec3<Scalar> m, u, v;
  Scalar a, rho;
};

/// A point of a circle, given by the cosine c and the sine s of its angle. `rank` is a number in [0, 4] that increases
/// with the angle.
template <class Scalar>
struct OnCircle {
  Scalar c, s, rank;
};
template <class Scalar>
struct Arc {
  OnCircle<Scalar> from, to;
};
inline OnCircle<Real> on_circle(Real const& c, Real const& s) {
  Real const x = c / (abs(c) + abs(s));
  return {c, s, s < 0 ? Real(3 + x) : Real(1 - x)};
}

inline Vec3<Wide> rounded(Vec3<Real> const& x) {
  return {static_cast<Wide>(x.x), static_cast<Wide>(x.y), static_cast<Wide>(x.z)};
}
inline Vec rounded(Vec3<Wide> const& x) {
  return {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
}
inline OnCircle<Wide> rounded(OnCircle<Real> const& x) {
  return {static_cast<Wide>(x.c), static_cast<Wide>(x.s), static_cast<Wide>(x.rank)};
}

struct PerturbedBall {
  Vec3<Real> centre;
  Real r;
};
/// Returns ball i with its enlarged radius, relative to the centre of `origin`, in the clump's unit of length.
inline PerturbedBall perturbed(Balls const& balls, int exponent, std::size_t origin, std::size_t i) {
  auto const place = [&](std::size_t k) -> Real {
    return ldexp(Real(Real(balls.c(k, i)) - Real(balls.c(k, origin))), -exponent);
  };
  double const share = 1 + 0x1p-53 * static_cast<double>(mark_of(i) >> 11), delta = 1e-20;
  return {{place(0), place(1), place(2)}, ldexp(Real(balls.r(i)), -exponent) * (1 + Real(delta * share))};
}

inline Cap<Real> cap_of(PerturbedBall const& ball, PerturbedBall const& other) {
  Vec3<Real> const between = other.centre - ball.centre;
  Real const square = dot(between, between), inverse_d = 1 / root(square);
  Cap<Real> cap;
  cap.m = inverse_d * between;
  cap.a = (square + (ball.r - other.r) * (ball.r + other.r)) * inverse_d / (2 * ball.r);
  cap.rho = root((1 - cap.a) * (1 + cap.a));
  // The frame u, v, m is computed as for a facet.
  Real const sign = cap.m.z < 0 ? -1 : 1, f = -1 / (sign + cap.m.z), b = cap.m.x * cap.m.y * f;
  cap.u = {1 + sign * cap.m.x * cap.m.x * f, sign * b, -sign * cap.m.x};
  cap.v = {b, sign + cap.m.y * cap.m.y * f, -cap.m.y};
  return cap;
}

/// Finds the arcs of the circle of caps[j] that no other cap covers.
inline void find_exposed(std::vector<Cap<Real>> const& caps, std::size_t j, std::vector<Arc<Real>>& covered,
                         std::vector<Arc<Wide>>& exposed) {
  covered.clear();
  exposed.clear();
  OnCircle<Real> const first{1, 0, 0}, last{1, 0, 4};
  Cap<Real> const& circle = caps[j];
  for (std::size_t k = 0; k < caps.size(); ++k) {
    if (k == j) continue;
    // Points with n.m_k > a_k are covered, that is rho |(x, y)| cos(phi - phi_k) > num.
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
    if (to.rank < from.rank) {
      covered.push_back({from, last});
      covered.push_back({first, to});
    } else {
      covered.push_back({from, to});
    }
  }
  std::sort(covered.begin(), covered.end(),
            [](Arc<Real> const& a, Arc<Real> const& b) { return a.from.rank < b.from.rank; });
  OnCircle<Real> reached = first;
  for (Arc<Real> const& arc : covered) {
    if (reached.rank < arc.from.rank) exposed.push_back({rounded(reached), rounded(arc.from)});
    if (reached.rank < arc.to.rank) reached = arc.to;
  }
  if (reached.rank < last.rank) exposed.push_back({rounded(reached), rounded(last)});
}

/// A symmetric matrix, in the order xx, yy, zz, xy, xz, yz.
using Symmetric = std::array<Wide, 6>;
/// Adds f (x y^T + y x^T) / 2.
inline void add_product(Symmetric& sum, Wide f, Vec3<Wide> const& x, Vec3<Wide> const& y) {
  sum[0] += f * (x.x * y.x);
  sum[1] += f * (x.y * y.y);
  sum[2] += f * (x.z * y.z);
  sum[3] += f / 2 * (x.x * y.y + x.y * y.x);
  sum[4] += f / 2 * (x.x * y.z + x.z * y.x);
  sum[5] += f / 2 * (x.y * y.z + x.z * y.y);
}
inline Vec3<Wide> operator*(Symmetric const& S, Vec3<Wide> const& x) {
  return {S[0] * x.x + S[3] * x.y + S[4] * x.z, S[3] * x.x + S[1] * x.y + S[5] * x.z,
          S[4] * x.x + S[5] * x.y + S[2] * x.z};
}

/// Integrals over the exposed directions n of a sphere with centre c: A = int dw, N = int n, Q = int nn^T, t = int nn^T
/// (n.c).
struct Patch {
  Wide A = 0;
  Vec3<Wide> N{0, 0, 0};
  Symmetric Q{}, t{};
};

inline void add_exposed(Body& body, Vec3<Wide> const& c, Cap<Wide> const& circle, Arc<Wide> const& arc, Patch& patch) {
  Vec3<Wide> const &m = circle.m, &u = circle.u, &v = circle.v;
  Wide const a = circle.a, rho = circle.rho;
  Wide const c1 = arc.from.c, s1 = arc.from.s, c2 = arc.to.c, s2 = arc.to.s, span = arc.to.rank - arc.from.rank;
  Wide theta = std::atan2(c1 * s2 - s1 * c2, c1 * c2 + s1 * s2);
  if (span > 1 && theta < 1) theta += 2 * wide_pi;  // a span of 1 is a quarter of a turn
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
  // int w, int ww^T and int ww^T (w.c) of w = u cos + v sin, in components of u and v.
  Wide const w_u = s2 - s1, w_v = c1 - c2, sc = s2 * c2 - s1 * c1;
  Wide const uu = (theta + sc) / 2, vv = (theta - sc) / 2, uv = (s2 * s2 - s1 * s1) / 2;
  Wide const cubes_c = (c2 * c2 * c2 - c1 * c1 * c1) / 3, cubes_s = (s2 * s2 * s2 - s1 * s1 * s1) / 3;
  Wide const uuu = w_u - cubes_s, uuv = -cubes_c, uvv = cubes_s, vvv = w_v + cubes_c;
  Wide const c_u = dot(c, u), c_v = dot(c, v), c_m = dot(c, m);
  Wide const uuc = c_u * uuu + c_v * uuv, uvc = c_u * uuv + c_v * uvv, vvc = c_u * uvv + c_v * vvv;
  Wide const uc = uu * c_u + uv * c_v, vc = uv * c_u + vv * c_v, wc = w_u * c_u + w_v * c_v;
  // n = a m + rho w. The conormal times the element of the arc is nu ds = (rho^2 m - a rho w) dphi.
  Wide const rho_2 = rho * rho, a_rho = a * rho, a_rho_2 = a * rho_2, along = rho_2 * c_m;
  patch.N = patch.N - Wide(rho_2 * theta / 2) * m + Wide(a_rho / 2) * (w_u * u + w_v * v);
  // Adds int n nu^T or int nn^T (nu.c), given by components in m, u, v.
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

inline Patch patch_of(Body& body, Vec3<Wide> const& c, std::vector<Cap<Real>> const& caps) {
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

/// Finds the sites: the connected groups of the balls of pencils and the balls that overlap them.
inline void find_sites(Workspace& work) {
  auto& bodies = work.bodies;
  for (Facet const& facet : work.facets)
    if (bodies[facet.i].pencil || bodies[facet.j].pencil)
      for (Index const ball : {facet.i, facet.j}) bodies[ball].site = {ball};
  auto const standing = [&](Index ball) {
    while (bodies[ball].site.ball != ball) ball = bodies[ball].site.ball;
    return ball;
  };
  for (Facet const& facet : work.facets)
    if (bodies[facet.i].site.exists() && bodies[facet.j].site.exists()) {
      Index const a = standing(facet.i), b = standing(facet.j);
      bodies[std::max(a, b)].site = {std::min(a, b)};
    }
  // The order is ascending. The ball that represents a body's site therefore comes first and already has its final
  // site.
  for (Body& body : bodies)
    if (body.site.exists()) body.site = bodies[body.site.ball].site;
}

/// Adds the contributions of the patches of sites to the balls that represent the sites.
inline void add_sites(Workspace& work, Balls const& balls, int exponent) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Facet const& facet : work.facets) {
    if (work.bodies[facet.i].site.exists()) pairs.emplace_back(facet.i, facet.j);
    if (work.bodies[facet.j].site.exists()) pairs.emplace_back(facet.j, facet.i);
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<Cap<Real>> caps;
  for (std::size_t k = 0; k < pairs.size();) {
    Index const i = pairs[k].first, stands = work.bodies[i].site.ball;
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

}  // namespace demeter::fast_union
