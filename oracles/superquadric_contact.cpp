#include "oracles/superquadric_contact.hpp"

#include "oracles/family/superquadric/boxes.hpp"
#include "oracles/family/superquadric/solution.hpp"

#include <Eigen/LU>

namespace demeter::superquadric_contact::oracle {

using namespace superquadric::oracle;
using Jacobian = Eigen::Matrix<long double, 4, 4>;  // derivatives with respect to x, y, z, lambda

/// Returns the Jacobian of (lambda g_i + (1 - lambda) g_j, N_i - N_j).
Jacobian jacobian(Approximate::At const& at, long double lambda) {
  Jacobian J = Jacobian::Zero();
  for (Index k = 0; k < 3; ++k) {
    for (Index l = 0; l < 3; ++l) J(k, l) = lambda * at.i.H(k, l) + (1 - lambda) * at.j.H(k, l);
    J(k, 3) = J(3, k) = at.i.g[k] - at.j.g[k];
  }
  return J;
}

/// Returns the distance from x, which is inside the body, to the surface along a unit vector, in long double.
long double exit_of(Superquadric<double> const& body, Wide const& x, Wide const& direction) {
  WideGauge at = wide_gauge(body, x);
  long double t = (1 - at.N) / at.g.dot(direction);
  for (int iteration = 0; iteration < 200; ++iteration) {
    at = wide_gauge(body, Wide(x + t * direction));
    long double const change = (at.N - 1) / at.g.dot(direction);
    if (!(change > 0x1p-60L * t)) break;
    t -= change;
  }
  return t;
}

// ---------------------------------------------------------------------------------------------------------- enclosures

/// Returns the interval [x - radius, x + radius].
Interval around(Interval const& x, Interval const& radius) { return hull(x - radius, x + radius); }
bool inside(Interval const& x, Interval const& of) {
  return mpfr_less_p(of.low(), x.low()) != 0 && mpfr_less_p(x.high(), of.high()) != 0;
}

/// The solution of the equations: x relative to the centre of i, and lambda.
struct Solution {
  std::array<Interval, 4> unknowns;
  IntervalVector x() const { return {unknowns[0], unknowns[1], unknowns[2]}; }
};

struct Contact {
  Interval sigma;
  bool unique = false;  ///< if true, the following members are set
  IntervalVector point, normal;
  Interval b, n, phi;
  Status status;
};

struct Certified {
  Placed i, j;
  IntervalVector d;
  mpfr_prec_t bits;

  Certified(Input<double> const& in, mpfr_prec_t precision)
      : i(in.i, in.i.position, precision), j(in.j, in.i.position, precision), d(j.centre), bits(precision) {}

  Interval exactly(long double x) const { return Interval::exactly(x, bits); }

  static std::array<Interval, 4> equations(Slope const& at_i, Slope const& at_j, Interval const& lambda) {
    Interval const rest = Interval::exactly(1, lambda.precision()) - lambda;
    std::array<Interval, 4> F;
    for (std::size_t k = 0; k < 3; ++k) F[k] = lambda * at_i.g[k] + rest * at_j.g[k];
    F[3] = at_i.N - at_j.N;
    return F;
  }

  /// Returns -C F in intervals; C is any matrix.
  std::array<Interval, 4> times(Jacobian const& C, std::array<Interval, 4> const& F) const {
    std::array<Interval, 4> result;
    for (std::size_t k = 0; k < 4; ++k) {
      result[k] = exactly(0);
      for (std::size_t l = 0; l < 4; ++l)
        result[k] = result[k] - exactly(C(static_cast<Index>(k), static_cast<Index>(l))) * F[l];
    }
    return result;
  }

  /// A state of Newton's method. `correction` is the next step, -C F.
  struct Iterate {
    Solution now;
    Jacobian C;
    std::array<Interval, 4> correction;
    Slope at_i, at_j;
  };

  /// Runs Newton's method. It starts from the solution in long double. Returns the last iterate that reduced the
  /// correction. The equations use all bits. The Jacobian is in long double.
  Iterate refined(Approximate const& pair, Approximate::At at) const {
    Iterate result;
    Solution next;
    for (std::size_t k = 0; k < 3; ++k) next.unknowns[k] = exactly(at.x[static_cast<Index>(k)]);
    next.unknowns[3] = exactly(at.lambda());
    long double before = std::numeric_limits<long double>::infinity();
    for (int iteration = 0; iteration < 60; ++iteration) {
      Iterate trial;
      trial.now = next;
      trial.C = jacobian(at, number(next.unknowns[3])).partialPivLu().inverse();
      if (!trial.C.allFinite()) return iteration == 0 ? trial : result;
      trial.at_i = slope(i, next.x(), Second::without);
      trial.at_j = slope(j, next.x(), Second::without);
      trial.correction = times(trial.C, equations(trial.at_i, trial.at_j, next.unknowns[3]));
      long double size = 0, whole = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        size = std::max(size, std::fabs(number(trial.correction[k])));
        whole = std::max(whole, std::fabs(number(next.unknowns[k])));
      }
      if (!(size < before)) break;
      before = size;
      result = trial;
      if (size <= std::ldexp(whole, -static_cast<int>(bits) + 24)) break;
      for (std::size_t k = 0; k < 4; ++k) next.unknowns[k] = middle(next.unknowns[k] + trial.correction[k]);
      at = pair.at(Wide(number(next.unknowns[0]), number(next.unknowns[1]), number(next.unknowns[2])));
    }
    return result;
  }

  /// Krawczyk's test: if K(X) = x - C F(x) + (1 - C J(X)) (X - x) is inside X, then X contains exactly one root, and
  /// the root is also in K(X). If the test succeeds, returns true. `of` then contains K(X), and the gauges and
  /// gradients over the box X.
  bool enclose(Iterate& of) const {
    if (!of.C.allFinite()) return false;
    for (int attempt = 0; attempt < 3; ++attempt) {
      std::array<Interval, 4> radius;
      Solution box = of.now;
      // A coordinate near 0 gets a box as large as the boxes of the others. Otherwise the root might be outside the
      // box.
      Interval whole = magnitude(of.now.unknowns[0]);
      for (std::size_t k = 1; k < 3; ++k) whole = maximum(whole, magnitude(of.now.unknowns[k]));
      for (std::size_t k = 0; k < 4; ++k) {
        Interval const size = scaled(magnitude(of.correction[k]), 1 + 8 * attempt) +
                              scaled(k < 3 ? whole : of.now.unknowns[3], -static_cast<int>(bits) + 8 + 8 * attempt);
        radius[k] = hull(size, -size);
        box.unknowns[k] = of.now.unknowns[k] + radius[k];
      }
      Slope const at_i = slope(i, box.x(), Second::with), at_j = slope(j, box.x(), Second::with);
      Interval const lambda = box.unknowns[3], rest = exactly(1) - lambda;
      std::array<std::array<Interval, 4>, 4> J;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) J[k][l] = lambda * at_i.H[k][l] + rest * at_j.H[k][l];
        J[k][3] = J[3][k] = at_i.g[k] - at_j.g[k];
      }
      J[3][3] = exactly(0);
      bool proved = certainly_less(exactly(0), lambda) && certainly_less(lambda, exactly(1));
      Solution result = of.now;
      for (std::size_t k = 0; k < 4; ++k) {
        Interval sum = of.correction[k];
        for (std::size_t l = 0; l < 4; ++l) {
          Interval entry = exactly(k == l ? 1 : 0);
          for (std::size_t m = 0; m < 4; ++m)
            entry = entry - exactly(of.C(static_cast<Index>(k), static_cast<Index>(m))) * J[m][l];
          sum = sum + entry * radius[l];
        }
        proved = proved && !sum.is_anything() && inside(sum, radius[k]);
        result.unknowns[k] = of.now.unknowns[k] + sum;
      }
      if (proved) {
        of.now = result;
        of.at_i = at_i;
        of.at_j = at_j;
        return true;
      }
    }
    return false;
  }

  /// Returns an interval for sigma. The lower bound is u.d / (h_i(u) + h_j(u)), from a plane perpendicular to u. The
  /// upper bound is the larger gauge at any point.
  Interval sigma_between(IntervalVector const& u, Interval const& N_i, Interval const& N_j) const {
    Interval const low = dot(u, d) / (support(i, u) + support(j, u)), high = maximum(N_i, N_j);
    Interval result(bits);
    mpfr_set(&result.get()->left, low.low(), MPFR_RNDD);
    mpfr_set(&result.get()->right, high.high(), MPFR_RNDU);
    return result;
  }

  /// Returns the distance from x to the surface along a unit vector. Newton's method in intervals starts from `guess`.
  Interval exit(Placed const& body, IntervalVector const& x, IntervalVector const& direction, long double guess) const {
    Interval const one = exactly(1);
    Interval t = exactly(guess);
    Interval change;
    for (int iteration = 0; iteration < 8; ++iteration) {
      Slope const at = slope(body, x + t * direction, Second::without);
      change = (one - at.N) / dot(at.g, direction);
      long double const size = std::fabs(number(change));
      t = middle(t + change);
      if (size <= std::ldexp(std::fabs(number(t)), -static_cast<int>(bits) / 2)) break;
    }
    Slope const at = slope(body, x + t * direction, Second::without);
    for (int attempt = 0; attempt < 4; ++attempt) {
      Interval const size =
          scaled(magnitude(change) + magnitude((at.N - one) / dot(at.g, direction)), 1 + 8 * attempt) +
          scaled(magnitude(t), -static_cast<int>(bits) + 4);
      Interval const radius = hull(size, -size);
      Slope const over = slope(body, x + (t + radius) * direction, Second::without);
      Interval const root = (one - at.N) / dot(over.g, direction);
      if (!root.is_anything() && inside(root, radius)) return t + root;
    }
    return Interval::anything();
  }
};

/// Returns (1 - N^n) / (n N^(n-1)), the first-order depth of a point at which the gauge is N.
Interval depth(Interval const& N, Interval const& n) {
  Interval const one = Interval::exactly(1, N.precision());
  if (mpfr_sgn(N.low()) <= 0) return Interval::anything();
  return (one / power(N, n - one) - N) / n;
}

bool concentric(Input<double> const& in) { return in.i.position == in.j.position; }

Contact contact(Input<double> const& in, mpfr_prec_t bits) {
  Approximate const pair(in.i, in.j);
  Certified const at(in, bits);
  Approximate::At const start = solution(pair);
  Certified::Iterate solved = at.refined(pair, start);
  auto const width = [](Interval const& y) {
    Interval result(y.precision());
    mpfr_sub(&result.get()->left, y.high(), y.low(), MPFR_RNDU);
    return mpfr_nan_p(result.low()) != 0 ? std::numeric_limits<long double>::infinity()
                                         : mpfr_get_ld(result.low(), MPFR_RNDU);
  };
  Contact result;
  Interval const one = at.exactly(1);
  auto const plane = [](IntervalVector const& g) { return IntervalVector{middle(g[0]), middle(g[1]), middle(g[2])}; };
  // At the solution both gradients are normal to the separating plane. At another point, the gradient of the body with
  // the flatter surface is the better normal.
  auto const consider = [&](Slope const& at_i, Slope const& at_j, bool of_i, bool of_j) {
    if (of_i) {
      Interval const found = at.sigma_between(plane(at_i.g), at_i.N, at_j.N);
      if (width(found) < width(result.sigma)) result.sigma = found;
    }
    if (of_j) {
      Interval const found = at.sigma_between(at.exactly(-1) * plane(at_j.g), at_i.N, at_j.N);
      if (width(found) < width(result.sigma)) result.sigma = found;
    }
  };
  result.sigma = Interval::anything();
  Slope const first_i = solved.at_i, first_j = solved.at_j;
  result.unique = at.enclose(solved);
  consider(first_i, first_j, true, !result.unique);
  if (!result.unique) {
    IntervalVector const x{at.exactly(start.x[0]), at.exactly(start.x[1]), at.exactly(start.x[2])};
    consider(slope(at.i, x, Second::without), slope(at.j, x, Second::without), true, true);
  }
  result.status = certainly_less(result.sigma, one)                        ? Status::intersect
                  : certainly_less(one, growth_of_boxes(in.i, in.j, bits)) ? Status::far
                  : number(result.sigma) < 1                               ? Status::intersect
                                                                           : Status::close;
  if (!result.unique) return result;
  IntervalVector const enclosed = solved.now.x();
  result.point = demeter::superquadric::oracle::exactly(in.i.position, bits) + enclosed;
  Interval const weight_i = length(solved.at_i.g), weight_j = length(solved.at_j.g);
  result.normal = (-(one / weight_i)) * solved.at_i.g;
  result.n = (one - result.sigma) * (one / weight_i + one / weight_j);
  result.phi = depth(result.sigma, at.i.shape.n1) / weight_i + depth(result.sigma, at.j.shape.n1) / weight_j;
  if (certainly_at_most(one, result.sigma)) {
    result.b = at.exactly(0);
    return result;
  }
  IntervalVector const back = at.exactly(-1) * result.normal;
  Wide const from(number(enclosed[0]), number(enclosed[1]), number(enclosed[2])),
      along(number(result.normal[0]), number(result.normal[1]), number(result.normal[2]));
  result.b = at.exit(at.i, enclosed, back, exit_of(pair.i, from, Wide(-along))) +
             at.exit(at.j, enclosed, result.normal, exit_of(pair.j, Wide(from - pair.d), along));
  // Here the enclosure of sigma may contain 1. The bodies may then be separated, with overlap 0.
  if (!certainly_less(result.sigma, one)) result.b = hull(at.exactly(0), result.b);
  return result;
}

/// Returns an enclosure. A number beyond the range of long double is replaced by the largest power of two.
Enclosure enclosed(Interval const& x) {
  constexpr long double most = 0x1p16380L;
  if (mpfi_bounded_p(x.get()) != 0 && certainly_less(Interval::exactly(most), x)) return {most, 0, 0};
  return enclosure_of(x);
}

template <class Bound, class Convert>
Output<Bound> output(Input<double> const& in, mpfr_prec_t bits, Convert const& convert) {
  Output<Bound> out;
  if (concentric(in)) {
    out.sigma = convert(Interval::exactly(0, bits));
    for (Index k = 0; k < 3; ++k) out.point[k] = convert(Interval::exactly(in.i.position[k], bits));
    out.status = Status::concentric;
    return out;
  }
  Contact const of = contact(in, bits);
  auto const if_unique = [&](Interval const& x) { return convert(of.unique ? x : Interval::anything()); };
  out.sigma = convert(of.sigma);
  out.normal.emplace();
  for (std::size_t k = 0; k < 3; ++k) {
    out.point[static_cast<Index>(k)] = if_unique(of.point[k]);
    (*out.normal)[static_cast<Index>(k)] = if_unique(of.normal[k]);
  }
  out.overlap_b = if_unique(of.b);
  out.overlap_n = if_unique(of.n);
  out.overlap_phi = if_unique(of.phi);
  out.status = of.status;
  return out;
}

Output<Enclosure> truth(Input<double> const& in) { return output<Enclosure>(in, 128, enclosed); }
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return output<Interval>(in, bits, [](Interval const& x) { return x; });
}

// --------------------------------------------------------------------------------------------------------------- hooks

/// Returns the amount by which sigma or the growth distance of the boxes is on the wrong side of 1 for the answered
/// status.
Interval excess_of(Input<double> const& in, Interval const& sigma, Status answered, mpfr_prec_t bits) {
  Interval const zero = Interval::exactly(0, bits), one = Interval::exactly(1, bits);
  Interval const never = Interval::exactly(std::numeric_limits<long double>::max(), bits);
  if (concentric(in)) return answered == Status::concentric ? zero : never;
  auto const box = [&] { return growth_of_boxes(in.i, in.j, bits); };
  switch (answered) {
    case Status::far:
      return maximum(zero, one - box());
    case Status::close:
      return maximum(zero, maximum(box() - one, one - sigma));
    case Status::intersect:
      return maximum(zero, sigma - one);
    case Status::concentric:
    case Status::degenerate:
      break;
  }
  return never;
}
Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  Interval const middle = Interval::exactly(truth.sigma.high, 192) + Interval::exactly(truth.sigma.low, 192),
                 radius = Interval::exactly(truth.sigma.radius, 192);
  return enclosure_of(excess_of(in, around(middle, radius), answer.status, 192));
}
Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  return excess_of(in, truth.sigma, answer.status, truth.sigma.precision());
}

Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth) {
  Output<long double> size = Contract::scale(in);
  if (!truth.normal) {
    size.normal.reset();
    size.overlap_b.reset();
    size.overlap_n.reset();
    size.overlap_phi.reset();
    return size;
  }
  if (std::isinf(truth.point[0].radius)) return size;
  Wide const point(truth.point[0].high, truth.point[1].high, truth.point[2].high);
  Conditioning const of = conditioning(in, point);
  // Some formulas do not compute sigma. The larger gauge at the point is then used instead, because it is equally good
  // as a measure.
  auto const gauge = [&](Superquadric<double> const& body) {
    return superquadric::conditioning::wide_gauge(body, point).N;
  };
  bool const known = std::isfinite(truth.sigma.high) && std::isfinite(truth.sigma.radius);
  long double const sigma = known ? truth.sigma.high : std::max(gauge(in.i), gauge(in.j)),
                    nan = std::numeric_limits<long double>::quiet_NaN();
  bool const judged = of.condition <= Contract::worst_condition;
  long double const normal = 1 + of.condition, turned = 1 + of.turning,
                    where = of.curvature + of.reach * (1 + of.mixing) + point.cwiseAbs().maxCoeff();
  size.normal = Wide::Constant(judged ? normal + of.turning : nan);
  size.point = Wide::Constant(judged ? where : nan);
  long double const across = std::fabs(1 - sigma) / sigma * of.reach * turned;
  size.overlap_n = (1 + sigma) * (of.height_i + of.height_j) + across;
  auto const steep = [&](double n, long double height) {
    long double const less = std::pow(sigma, 1 - static_cast<long double>(n));
    if (!(less < 0x1p1000L))
      return nan;  // the centre of a body is so deep in the other body that the scale exceeds
                   // the range of a double
    return ((n - 1) * less + sigma) / n * height + std::fabs(less - sigma) / n * of.reach / sigma * turned;
  };
  size.overlap_phi = steep(in.i.n1, of.height_i) + steep(in.j.n1, of.height_j);
  size.overlap_b = *size.overlap_n;
  return size;
}

}  // namespace demeter::superquadric_contact::oracle
