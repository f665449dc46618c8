#include "oracles/superquadric_shape.hpp"

#include "oracles/family/superquadric/gauge.hpp"

namespace demeter::superquadric_shape::oracle {

namespace family = superquadric::oracle;

/// The curvatures on the surface, with m = n - 1:
///   H_m = M / (2 |g|^3), where M is a sum of terms >= 0
///   K = m1 m2 r^(2 n1 - 4) z^(n1 - 2) (s t)^(n2 - 2) / ((abc)^2 |g|^4)
struct Curvatures {
  Interval mean, gaussian;
};
Curvatures curvatures(family::Shape const& shape, family::Gauge const& at, family::IntervalVector const& g) {
  Interval const one = Interval::exactly(1, at.N.precision()), two = Interval::exactly(2, at.N.precision());
  Interval const m1 = shape.n1 - one, m2 = shape.n2 - one;
  Interval const a = square(shape.semi_axes[0]), b = square(shape.semi_axes[1]), c = square(shape.semi_axes[2]);
  auto const& [N, r, z, s, t] = at;
  Interval const beside = m1 * z.two_less, above = m2 * square(z.one_less);
  Interval const across_x = beside * square(s.one_less) + above * s.two_less * t.whole;
  Interval const across_y = beside * square(t.one_less) + above * t.two_less * s.whole;
  Interval const within = m2 * square(r.one_less) * s.two_less * t.two_less / (a * b);
  Interval const sum = r.two_less * (within + (across_x / a + across_y / b) / c);
  Interval const length_2 = square(g[0]) + square(g[1]) + square(g[2]);
  Interval const product = m1 * m2 * square(r.two_less) * z.two_less * s.two_less * t.two_less;
  return {sum / (two * length_2 * square_root(length_2)), product / (a * b * c * square(length_2))};
}

Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  family::Shape const shape = family::exactly(in.semi_axes, in.n1, in.n2, bits);
  family::IntervalVector const point = family::exactly(in.point, bits);
  family::Gauge const at = family::gauge(shape, point);
  family::IntervalVector const g = family::gradient(shape, at, point);
  Output<Interval> out;
  out.value = power(at.N, shape.n1) - Interval::exactly(1, bits);
  out.gauge = at.N;
  for (std::size_t k = 0; k < 3; ++k) out.gradient[static_cast<Index>(k)] = g[k];
  if (in.point[0] == 0 && in.point[1] == 0 && in.n1 == 2 && in.n2 > 2) return out;
  family::IntervalTensor const H = family::hessian(shape, at, point);
  out.hessian.emplace();
  for (std::size_t k = 0; k < 6; ++k) (*out.hessian)[static_cast<Index>(k)] = H[k];
  Curvatures const bent = curvatures(shape, at, g);
  out.mean_curvature = bent.mean;
  out.gaussian_curvature = bent.gaussian;
  return out;
}

/// Returns an enclosure. A number beyond the range of long double is replaced by a smaller number that is still beyond
/// the range of double.
Enclosure enclosure_in_range(Interval const& x) {
  constexpr mpfr_exp_t beyond = 16000;
  bool const huge = mpfr_sgn(x.low()) > 0 && mpfr_get_exp(x.low()) > beyond;
  return huge ? Enclosure{0x1p16000L, 0, 0x1p15000L} : enclosure_of(x);
}

Output<Enclosure> truth(Input<double> const& in) {
  Output<Interval> const of = refined_truth(in, 128);
  Output<Enclosure> out;
  out.value = enclosure_in_range(of.value);
  out.gauge = enclosure_of(of.gauge);
  for (Index k = 0; k < 3; ++k) out.gradient[k] = enclosure_of(of.gradient[k]);
  if (of.hessian) {
    out.hessian.emplace();
    for (Index k = 0; k < 6; ++k) (*out.hessian)[k] = enclosure_of((*of.hessian)[k]);
    out.mean_curvature = enclosure_of(*of.mean_curvature);
    out.gaussian_curvature = enclosure_of(*of.gaussian_curvature);
  }
  return out;
}

Output<long double> scale(Input<double> const& in, Output<Enclosure> const& truth) {
  long double const n = static_cast<long double>(in.n1) + in.n2, part = Contract::least_part;
  Vector3<long double> const a = in.semi_axes.cast<long double>();
  long double const most = a.maxCoeff(), least = a.minCoeff();
  Output<long double> size;
  size.value = 1 + in.n1 * (truth.value.high + 1);
  size.gauge = truth.gauge.high;
  for (Index k = 0; k < 3; ++k) size.gradient[k] = n * (std::fabs(truth.gradient[k].high) + part / a[k]);
  if (truth.hessian) {
    static constexpr Index of[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    auto const root = [&](Index k) { return std::sqrt((*truth.hessian)[k].high); };
    size.hessian.emplace();
    for (Index k = 0; k < 6; ++k) {
      auto const [i, j] = of[k];
      (*size.hessian)[k] = n * (root(i) * root(j) + part / (truth.gauge.high * a[i] * a[j]));
    }
    long double const middle = a.prod() / most / least, ratio = most / least;
    size.mean_curvature = n * (truth.mean_curvature->high + part * ratio * ratio * ratio / least);
    size.gaussian_curvature =
        n * (truth.gaussian_curvature->high + part * (most / middle) * (most / middle) / (least * least));
  }
  return size;
}

}  // namespace demeter::superquadric_shape::oracle
