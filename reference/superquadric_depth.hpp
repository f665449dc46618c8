// Reference: penetration depth of two superquadrics.
#pragma once

#include "reference/core/binary128.hpp"
#include "reference/family/superquadric/touch.hpp"
#include "reference/spec/superquadric_depth.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <vector>

namespace demeter::superquadric_depth::reference {

using namespace superquadric::reference;

/// Two bodies with the largest semi-axis as the unit of length, the centre of i as the origin, and j at d.
template <power_scalar Scalar>
struct Pair {
  Scalar unit;
  Body<Scalar> i, j;
  Vector3<Scalar> d;

  explicit Pair(Input<Scalar> const& in) : i(body<Scalar>(in.i)), j(body<Scalar>(in.j)) {
    unit = i.shape.semi_axes.maxCoeff();
    if (unit < j.shape.semi_axes.maxCoeff()) unit = j.shape.semi_axes.maxCoeff();
    d = (in.j.position - in.i.position) / unit;
    i.centre = j.centre = Vector3<Scalar>::Zero();
    i.shape.semi_axes /= unit;
    j.shape.semi_axes /= unit;
  }

  /// Returns psi(u) = h_i(u) + h_j(u) - u.d. Its minimum over all unit vectors u is the depth.
  Scalar psi(Vector3<Scalar> const& u) const {
    return support<Scalar>(i.shape, i.R.transpose() * u) + support<Scalar>(j.shape, j.R.transpose() * u) - u.dot(d);
  }
  /// Returns the vector from d to a point of the surface of the Minkowski sum of the bodies, {x + z}. At this point, u
  /// is the outward normal. The vector is the gradient of psi. Therefore psi(u) = u.gap(u), and psi(v) >= v.gap(u) for
  /// every v.
  Vector3<Scalar> gap(Vector3<Scalar> const& u) const {
    Vector3<Scalar> const x = i.R * support_point<Scalar>(i.shape, i.R.transpose() * u),
                          z = j.R * support_point<Scalar>(j.shape, j.R.transpose() * u);
    return x + z - d;
  }
};

// ------------------------------------------------------------------------------------ local minimum from one direction

/// A point y on the surface of the Minkowski sum, with three normals: u from both bodies, of_i from body i and of_j
/// from body j. `touching` is the point where i and the moved j touch. `off` is the distance of d from the line through
/// y along u.
template <class Scalar>
struct Foot {
  Vector3<Scalar> y, touching, u, of_i, of_j;
  Scalar off;
};

/// Returns the local minimum of the distance from d to the surface of the Minkowski sum, near y. The gauge of this sum
/// at y is the growth distance of i and of j moved to y. Each step goes to the point nearest to d on the tangent plane.
/// If the paraboloid with the curvatures of the surface has a nearest point, the step goes to this point instead.
template <power_scalar Scalar>
Foot<Scalar> foot(Pair<Scalar> const& pair, Vector3<Scalar> y, std::optional<Vector3<Scalar>> touching) {
  Scalar const zero(0), most(1024);
  Body<Scalar> j = pair.j;
  Foot<Scalar> best;
  Vector3<Scalar> from = y, step = y;
  Scalar nearest(0);
  bool first = true;
  int idle = 0;
  for (int iteration = 0; iteration < 300 && idle < 3; ++iteration) {
    j.centre = y;
    Meeting<Scalar> const at = touch<Scalar>(pair.i, j, touching ? *touching : between<Scalar>(pair.i, j));
    Scalar const sigma = at.sigma();
    Foot<Scalar> const now{y / sigma, at.x / sigma, -at.normal(), at.i.g / at.weight_i, -at.j.g / at.weight_j, zero};
    Vector3<Scalar> const gap = now.y - pair.d;
    Scalar const psi = now.u.dot(gap), distance = gap.norm();
    Vector3<Scalar> const aside = gap - psi * now.u;
    Scalar const off = aside.norm();
    // If the distances are equal to within rounding, `off` decides.
    bool const nearer = distance < nearest, farther = nearest < nearest + (distance - nearest) / most;
    bool const good =
        first || (nearer && nearest - (nearest - distance) / most < nearest) || (!farther && off < best.off);
    if (!good) {
      step /= Scalar(4);
      y = from + step;
      idle += farther ? 0 : 1;
      if (!(from.norm() < from.norm() + step.norm())) break;
      continue;
    }
    best = now;
    best.off = off;
    if (first || nearer) nearest = distance;
    first = false;
    if (!(zero < off)) break;
    // The radii of curvature of the two surfaces add. Therefore the curvatures combine like parallel resistances.
    Index least = 0;
    for (Index k = 1; k < 3; ++k)
      if (magnitude<Scalar>(now.u[k]) < magnitude<Scalar>(now.u[least])) least = k;
    Vector3<Scalar> e1 = now.u.cross(Vector3<Scalar>(Vector3<Scalar>::Unit(least)));
    e1 /= e1.norm();
    Vector3<Scalar> const e2 = now.u.cross(e1);
    using Matrix2 = Matrix<Scalar, 2, 2>;
    auto const tangential = [&](Slope<Scalar> const& of, Scalar const& weight) {
      Vector3<Scalar> const h1 = of.H * e1, h2 = of.H * e2;
      Matrix2 S{e1.dot(h1), e1.dot(h2), e2.dot(h1), e2.dot(h2)};
      return Matrix2(sigma / weight * S);
    };
    auto const determinant = [](Matrix2 const& M) -> Scalar { return M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0); };
    auto const adjugate = [](Matrix2 const& M) -> Matrix2 { return {M(1, 1), -M(0, 1), -M(1, 0), M(0, 0)}; };
    Matrix2 const A = tangential(at.i, at.weight_i), B = tangential(at.j, at.weight_j), sum = A + B;
    Scalar const a = e1.dot(aside), b = e2.dot(aside), of_sum = determinant(sum);
    step = -aside;
    Scalar const bent_i = A(0, 0) + A(1, 1), bent_j = B(0, 0) + B(1, 1), bent = bent_i + bent_j;
    if (zero < bent) {
      // If both surfaces are flat in one direction, only the other direction remains.
      Matrix2 const together =
          zero < of_sum ? Matrix2(A * adjugate(sum) * B / of_sum) : Matrix2(bent_i / bent * (bent_j / bent) * sum);
      Matrix2 const M = Matrix2::Identity() - psi * together;
      Scalar const of_M = determinant(M);
      if (zero < of_M && zero < M(0, 0) + M(1, 1)) {
        Matrix2 const inverse = adjugate(M) / of_M;
        Scalar const t1 = inverse(0, 0) * a + inverse(0, 1) * b, t2 = inverse(1, 0) * a + inverse(1, 1) * b;
        Vector3<Scalar> const newton = -(t1 * e1 + t2 * e2);
        if (newton.norm() < now.y.norm() + nearest) step = newton;
      }
    }
    from = now.y;
    touching = now.touching;
    y = from + step;
  }
  return best;
}

// ------------------------------------------------------------------------------------------ search over all directions

/// A triangle of directions. `gaps` are the vectors `gap` at its corners, and `psi` is the value at its middle. psi(v)
/// >= v.gap(u) gives the lower bound.
struct Triangle {
  std::array<Vector3<double>, 3> corners, gaps;
  double bound, psi;
  Vector3<double> middle;
  bool operator<(Triangle const& other) const { return other.bound < bound; }
};

inline Triangle triangle(Pair<double> const& pair, std::array<Vector3<double>, 3> const& corners,
                         std::array<Vector3<double>, 3> const& gaps) {
  Triangle result{corners, gaps, 0, 0, (corners[0] + corners[1] + corners[2]).normalized()};
  Vector3<double> const own = pair.gap(result.middle);
  result.psi = own.dot(result.middle);
  Vector3<double> const all[] = {
      gaps[0], gaps[1], gaps[2], own, (gaps[0] + gaps[1]) / 2, (gaps[1] + gaps[2]) / 2, (gaps[2] + gaps[0]) / 2};
  double most = -1e300;
  for (Vector3<double> const& gap : all)
    most = std::max(most, std::min({gap.dot(corners[0]), gap.dot(corners[1]), gap.dot(corners[2])}));
  result.bound = most;
  return result;
}

/// Finds all local minima that may be the smallest. A triangle is divided until its bound excludes it or until it is
/// narrow. A narrow triangle starts a local search. If this search ends at another place, the triangle is not decided
/// and is divided further.
inline void search(Pair<double> const& pair, std::vector<Foot<double>>& feet) {
  constexpr double narrow = 0.015, narrowest = 1e-4;
  constexpr int most_triangles = 20000;
  constexpr std::size_t most_feet = 100;
  std::priority_queue<Triangle> open;
  double least = 1e300;
  for (Foot<double> const& each : feet) least = std::min(least, pair.psi(each.u));
  auto const add = [&](std::array<Vector3<double>, 3> const& corners, std::array<Vector3<double>, 3> const& gaps) {
    Triangle const next = triangle(pair, corners, gaps);
    if (next.bound < least) open.push(next);
  };
  for (int octant = 0; octant < 8; ++octant) {
    std::array<Vector3<double>, 3> corners, gaps;
    for (int k = 0; k < 3; ++k) {
      auto const at = static_cast<std::size_t>(k);
      corners[at] = ((octant >> k & 1) != 0 ? -1.0 : 1.0) * Vector3<double>::Unit(k);
      gaps[at] = pair.gap(corners[at]);
    }
    add(corners, gaps);
  }
  for (int count = 0; !open.empty() && open.top().bound < least && count < most_triangles; ++count) {
    Triangle const next = open.top();
    open.pop();
    double const size = (next.corners[0] - next.corners[1]).norm();
    auto const known = [&] {
      return std::any_of(feet.begin(), feet.end(),
                         [&](Foot<double> const& each) { return (each.u - next.middle).norm() < 2 * size; });
    };
    if (size < narrow) {
      if (!known() && feet.size() < most_feet) {
        feet.push_back(foot<double>(pair, pair.d + next.psi * next.middle, std::nullopt));
        least = std::min(least, pair.psi(feet.back().u));
      }
      if (known() || size < narrowest) continue;
    }
    std::array<Vector3<double>, 6> at, gaps;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = next.corners[k];
      gaps[k] = next.gaps[k];
      at[3 + k] = (next.corners[k] + next.corners[(k + 1) % 3]).normalized();
      gaps[3 + k] = pair.gap(at[3 + k]);
    }
    for (std::array<std::size_t, 3> const& k : {std::array<std::size_t, 3>{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      add({at[k[0]], at[k[1]], at[k[2]]}, {gaps[k[0]], gaps[k[1]], gaps[k[2]]});
  }
}

template <power_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Pair<Scalar> const pair(in);
  // The search runs in double for every scalar. The minima that are equal to the best minimum up to rounding are then
  // computed again in the scalar.
  Pair<double> const rough(cast<Input<double>>(in));
  std::vector<Foot<double>> feet;
  if (!rough.d.isZero()) feet.push_back(foot<double>(rough, rough.d, std::nullopt));
  // If d is outside the Minkowski sum, there is only one local minimum.
  if (feet.empty() || !(rough.psi(feet[0].u) < 0)) search(rough, feet);
  double least = rough.psi(feet[0].u);
  for (Foot<double> const& each : feet) least = std::min(least, rough.psi(each.u));
  constexpr double rounding = 1e-9, same = 1e-6;
  std::optional<Output<Scalar>> best;
  std::vector<Vector3<double>> done;
  for (Foot<double> const& each : feet) {
    bool const known = std::any_of(done.begin(), done.end(),
                                   [&](Vector3<double> const& other) { return (other - each.u).norm() < same; });
    if (known || !(rough.psi(each.u) < least + rounding * (each.y.norm() + rough.d.norm()))) continue;
    done.push_back(each.u);
    auto const at = foot<Scalar>(pair, each.y.template cast<Scalar>(), each.touching.template cast<Scalar>());
    // The three normals differ by rounding. On a face, an error of the normal changes psi by this error times the width
    // of the face.
    for (Vector3<Scalar> const& u : {at.u, at.of_i, at.of_j}) {
      Scalar const depth = pair.unit * pair.psi(u);
      if (!best || depth < best->depth) best = Output<Scalar>{depth, u};
    }
  }
  return *best;
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<float> evaluate(Input<float> const&);
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
extern template Output<Binary128> evaluate(Input<Binary128> const&);
extern template Foot<float> foot(Pair<float> const&, Vector3<float>, std::optional<Vector3<float>>);
extern template Foot<double> foot(Pair<double> const&, Vector3<double>, std::optional<Vector3<double>>);
extern template Foot<long double> foot(Pair<long double> const&, Vector3<long double>,
                                       std::optional<Vector3<long double>>);
extern template Foot<Multiprecision> foot(Pair<Multiprecision> const&, Vector3<Multiprecision>,
                                          std::optional<Vector3<Multiprecision>>);
extern template Foot<Binary128> foot(Pair<Binary128> const&, Vector3<Binary128>, std::optional<Vector3<Binary128>>);

}  // namespace demeter::superquadric_depth::reference
