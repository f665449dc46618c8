// Mutants of disc_segment_contact. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/disc_segment_contact.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace demeter::disc_segment_contact::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"radius_forgotten", "the distance of the centre without the radius", "a missing term"},
    {"diameter", "the radius is subtracted twice", "a factor applied twice"},
    {"infinite_line", "the line instead of the segment", "the documented formula without its range"},
    {"open_at_p0", "the segment is extended beyond p0", "a missing clamp"},
    {"open_at_p1", "the segment is extended beyond p1", "a missing clamp"},
    {"ray_backwards", "beyond p1 the distance is measured from p0", "the wrong end"},
    {"absent_beyond_ends", "a disc beyond an end is not present", "the documented range without the disks at the ends"},
    {"printed_disk_range", "a foot more than r beyond an end is not present", "the documented range of the disks"},
    {"alert_along", "a foot more than the alert distance beyond an end is not present",
     "the range of the disks without the radius"},
    {"along_over_length", "the foot is inside if s.t/|t| is between 0 and 1", "a length that is assumed to be 1"},
    {"along_not_divided", "the foot is inside if s.t is between 0 and 1", "a length that is assumed to be 1"},
    {"shortened", "the segment is shortened by half a radius at both ends", "a wrong margin"},
    {"lengthened", "the segment is lengthened by half a radius at both ends", "a wrong margin"},
    {"farther_end", "beyond an end the distance is measured from the other end", "a wrong index"},
    {"nearest_end_alone", "only the distance of the nearer end", "vertices without edges"},
    {"p0_beyond_p1", "before p0 the distance is measured from p1", "the wrong end"},
    {"ends_exchanged", "end0 and end1 are exchanged", "a wrong index"},
    {"always_interior", "the feature is always interior", "an output that is never set"},
    {"never_interior", "the feature is always the nearer end", "a label of another meaning"},
    {"middle_divides", "the feature is end0 up to a tenth of the length from end 0", "a label with a margin"},
    {"interior_within_radius", "the feature is interior up to a radius beyond the ends", "a label with a margin"},
    {"end_within_radius", "the feature is end0 where the disc covers end 0", "a label of another meaning"},
    {"x_alone", "the foot is computed from x only", "a missing term"},
    {"manhattan_at_ends", "|x| + |y| instead of the distance from an end", "another norm"},
    {"squared_at_ends", "the square of the distance from an end", "a missing root"},
    {"area_for_distance", "the product is not divided by the length", "a missing division"},
    {"half_area", "the area of the triangle instead of the parallelogram", "a wrong factor"},
    {"signed_distance", "the distance is negative to the right of the segment",
     "a signed distance instead of a distance"},
    {"one_sided_normal", "the normal always points to the left of the segment", "a boundary with one side"},
    {"clamped", "an overlap gives a gap of 0", "max(0, d) in the wrong place"},
    {"size_of_gap", "|d| instead of d", "sign of a result"},
    {"right_of_segment", "the perpendicular points to the other side", "a wrong sign"},
    {"along_segment", "the direction of the segment instead of its perpendicular", "exchanged indices"},
    {"normal_swapped", "x and y of the normal are exchanged", "exchanged indices"},
    {"normal_not_divided", "s - s_t t is not normalised", "the documented formula"},
    {"normal_of_line_at_ends", "beyond the ends the normal is the perpendicular of the segment",
     "one normal per segment"},
    {"normal_from_p0", "the normal points from p0 to the centre", "the wrong point"},
    {"normal_from_middle", "the normal points from the middle of the segment to the centre", "the wrong point"},
    {"normal_over_radius", "divided by the radius instead of the distance", "right only for touching discs"},
    {"normal_by_difference", "s - s_t t is computed in double near the line", "cancellation"},
    {"normal_on_the_segment", "a centre on the segment has the normal to the left", "a direction instead of null"},
    {"near_line_null", "centres within 1e-6 radii of the segment have no normal", "a threshold"},
    {"near_line_up", "centres within 1e-9 radii of the segment have the normal (0, 1)", "a threshold"},
    {"null_when_apart", "a disc that does not overlap has no normal", "an early exit"},
    {"null_when_absent", "a disc beyond the alert distance has no normal", "an early exit"},
    {"short_is_a_point", "a segment shorter than a micrometre is treated as the point p0", "absolute thresholds"},
    {"from_p0_in_double", "the distance is always computed from p0, in double",
     "cancellation at the far end of a long segment"},
    {"implicit_line", "the line is a x + b y + c in double", "cancellation far from the origin"},
    {"side_in_double", "the side of the line by a product in double", "an orientation that is not exact"},
    {"always_present", "every pair is reported as present", "a missing test"},
    {"never_present", "no pair is reported as present", "a missing test"},
    {"present_by_overlap", "only overlapping pairs are present", "a missing term"},
    {"present_by_centre", "the alert distance is compared with the distance of the centre", "the wrong distance"},
    {"present_within_micrometre", "pairs up to a micrometre beyond the alert distance are present",
     "absolute thresholds"},
    {"alert_twice", "the alert distance is doubled", "a factor applied twice"},
    {"alert_from_its_double", "nothing is present if the alert distance exceeds a quarter of the radius",
     "a limit on the wrong side"},
    {"alert_added_to_gap", "the gap is measured from a disc grown by the alert distance", "an extra term"},
    {"absolute_epsilon", "a gap below 1e-10 m counts as 0", "absolute thresholds"},
    {"touching_is_zero", "a gap below 1e-6 radii counts as 0", "a threshold"},
    {"fast_root", "the distance has an error of 1e-7", "an approximate root"},
    {"nearly_present", "pairs up to 1e-9 radii beyond the alert distance are present",
     "a tolerance around a threshold"},
    {"nearly_absent", "pairs up to 1e-11 radii below the alert distance are absent", "a tolerance around a threshold"},
    {"nearly_touching", "a gap below 1e-11 radii counts as 0", "a tolerance around a threshold"},
    {"nearly_an_end", "the feature is end0 up to 1e-9 radii from end 0", "a tolerance around a threshold"},
    {"nearly_interior", "the feature is interior up to 1e-11 radii beyond end 1", "a tolerance around a threshold"},
};
using Chosen = Choice<defects>;

/// A sum of long doubles without rounding (Shewchuk). The sum is stored as parts that do not overlap, in ascending
/// order of magnitude.
class Sum {
 public:
  void add(Real x) {
    for (std::size_t i = 0; i < count_; ++i) {
      Real const sum = x + parts_[i], part = sum - x;
      parts_[i] = (x - (sum - part)) + (parts_[i] - part);
      x = sum;
    }
    parts_[count_++] = x;
  }
  void add_product(Real x, Real y) {
    Real const product = x * y;
    add(product);
    add(std::fma(x, y, -product));
  }
  /// Returns the sum, correct except for the last bits of a long double. It is 0 only if the exact sum is 0.
  Real value() const {
    Real sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += parts_[i];
    return sum;
  }

 private:
  std::array<Real, 12> parts_{};
  std::size_t count_ = 0;
};

/// Returns the cross product t x (c - p0). It is an exact sum of six products of coordinates, because rounding would
/// hide the side of a centre near the line.
inline Real exact_area(Case const& in) {
  Real const cx = in.centre[0], cy = in.centre[1], ax = in.p0[0], ay = in.p0[1], bx = in.p1[0], by = in.p1[1];
  Sum area;
  area.add_product(bx, cy);
  area.add_product(-bx, ay);
  area.add_product(-ax, cy);
  area.add_product(-by, cx);
  area.add_product(by, ax);
  area.add_product(ay, cx);
  return area.value();
}

inline Present label(bool yes) { return yes ? Present::yes : Present::no; }
inline Present present_of(Present right, Real gap, Real across, Case const& in, Chosen const with) {
  if (with("always_present")) return Present::yes;
  if (with("never_present")) return Present::no;
  if (with("present_by_overlap")) return label(gap < 0);
  if (with("present_by_centre")) return label(across < in.alert);
  if (with("present_within_micrometre")) return label(gap < in.alert + 1e-6L);
  if (with("nearly_present")) return label(gap < in.alert + 1e-9L * in.radius);
  if (with("nearly_absent")) return label(gap < in.alert - 1e-11L * in.radius);
  if (with("alert_twice")) return label(gap < 2 * static_cast<Real>(in.alert));
  if (with("alert_from_its_double")) return label(gap < in.alert && in.alert < 0.25L * in.radius);
  return right;
}

inline Answer evaluate(Case const& in, Chosen const with) {
  auto const rounded = [](Real x) { return static_cast<Real>(static_cast<double>(x)); };
  Real cx = in.centre[0], cy = in.centre[1], ax = in.p0[0], ay = in.p0[1], bx = in.p1[0], by = in.p1[1], r = in.radius;
  Real const tx = bx - ax, ty = by - ay, length = std::hypot(tx, ty);
  Real const sx = cx - ax, sy = cy - ay, qx = cx - bx, qy = cy - by;
  Real const from0 = std::hypot(sx, sy), from1 = std::hypot(qx, qy);

  // The position of the foot, measured from p0 and from p1 along the segment.
  Real after0 = (sx * tx + sy * ty) / length, after1 = (qx * tx + qy * ty) / length;
  if (with("along_over_length")) after1 = after0 - 1;
  if (with("along_not_divided")) after1 = after0 * length - 1;
  if (with("shortened")) after0 -= r / 2, after1 += r / 2;
  if (with("lengthened")) after0 += r / 2, after1 -= r / 2;
  if (with("farther_end")) std::swap(after0, after1), after0 = -after0, after1 = -after1;
  if (with("x_alone")) after0 = sx * tx, after1 = qx * tx;
  Feature feature = !(after0 > 0) ? Feature::end0 : !(after1 < 0) ? Feature::end1 : Feature::interior;
  if (with("infinite_line")) feature = Feature::interior;
  if (with("open_at_p0") && feature == Feature::end0) feature = Feature::interior;
  if (with("open_at_p1") && feature == Feature::end1) feature = Feature::interior;
  if (with("ray_backwards") && feature != Feature::interior) feature = Feature::end0;
  if (with("nearest_end_alone")) feature = from1 < from0 ? Feature::end1 : Feature::end0;
  if (with("p0_beyond_p1") && feature == Feature::end0) feature = Feature::end1;
  if (with("short_is_a_point") && length < 1e-6L) feature = Feature::end0;

  bool const inside = feature == Feature::interior, second = feature == Feature::end1 || (inside && from1 < from0);
  Real wx = second ? qx : sx, wy = second ? qy : sy;
  if (with("from_p0_in_double") && inside) wx = rounded(sx), wy = rounded(sy);
  Real area = tx * wy - ty * wx;
  if (with("from_p0_in_double") && inside) area = rounded(rounded(tx) * wy) - rounded(rounded(ty) * wx);
  if (with("side_in_double")) area = rounded(rounded(tx) * rounded(sy)) - rounded(rounded(ty) * rounded(sx));
  if (with("implicit_line"))
    area = rounded(rounded(tx * cy) - rounded(ty * cx)) - rounded(rounded(bx * ay) - rounded(by * ax));
  bool const exactly = !with("side_in_double") && !with("from_p0_in_double") && !with("implicit_line");
  if (exactly && std::fabs(area) <= 0x1p-58L * (std::fabs(tx * wy) + std::fabs(ty * wx))) area = exact_area(in);

  Real distance = inside ? std::fabs(area) / length : std::hypot(wx, wy);
  if (with("manhattan_at_ends") && !inside) distance = std::fabs(wx) + std::fabs(wy);
  if (with("squared_at_ends") && !inside) distance = wx * wx + wy * wy;
  if (with("area_for_distance") && inside) distance = std::fabs(area);
  if (with("half_area")) distance = inside ? distance / 2 : distance;
  if (with("signed_distance") && inside) distance = area / length;
  if (with("fast_root")) distance *= 1 + 1e-7L;
  if (with("radius_forgotten")) r = 0;
  if (with("diameter")) r *= 2;
  Real gap = distance - r;
  r = in.radius;
  if (with("clamped")) gap = std::max(gap, Real(0));
  if (with("size_of_gap")) gap = std::fabs(gap);
  if (with("absolute_epsilon") && std::fabs(gap) < 1e-10L) gap = 0;
  if (with("nearly_touching") && std::fabs(gap) < 1e-11L * r) gap = 0;
  if (with("touching_is_zero") && std::fabs(gap) < 1e-6L * r) gap = 0;
  Real const shown = with("alert_added_to_gap") ? gap - in.alert : gap;
  Answer out{static_cast<double>(shown), std::nullopt, feature, gap < in.alert ? Present::yes : Present::no};

  Real const across = inside ? std::fabs(area) / length : std::hypot(wx, wy);
  bool null = inside ? area == 0 : !(wx != 0 || wy != 0);
  if (with("near_line_null") && across < 1e-6L * r) null = true;
  if (with("null_when_apart") && gap > 0) null = true;
  if (with("null_when_absent") && !(gap < in.alert)) null = true;
  Real const to_left = area < 0 ? -1 : 1;
  if (!null) {
    Real nx = inside ? -ty / length * to_left : wx / across, ny = inside ? tx / length * to_left : wy / across;
    if (with("one_sided_normal") && inside) nx = -ty / length, ny = tx / length;
    if (with("right_of_segment") && inside) nx = -nx, ny = -ny;
    if (with("along_segment") && inside) nx = tx / length, ny = ty / length;
    if (with("normal_swapped")) std::swap(nx, ny);
    if (with("normal_not_divided")) nx *= across, ny *= across;
    if (with("normal_of_line_at_ends") && !inside) nx = -ty / length * to_left, ny = tx / length * to_left;
    if (with("normal_from_p0")) nx = sx / from0, ny = sy / from0;
    if (with("normal_from_middle")) {
      Real const mx = sx + qx, my = sy + qy, m = std::hypot(mx, my);
      if (m > 0) nx = mx / m, ny = my / m;
    }
    if (with("normal_over_radius")) nx *= across / r, ny *= across / r;
    if (with("normal_by_difference") && inside) {
      Real const share = rounded((sx * tx + sy * ty) / (length * length));
      Real const dx = rounded(sx - rounded(share * tx)), dy = rounded(sy - rounded(share * ty)), d = std::hypot(dx, dy);
      if (d > 0) nx = dx / d, ny = dy / d;
    }
    if (with("near_line_up") && across < 1e-9L * r) nx = 0, ny = 1;
    out.normal = Vector2<double>(static_cast<double>(nx), static_cast<double>(ny));
  } else if (with("normal_on_the_segment")) {
    out.normal = Vector2<double>(static_cast<double>(-ty / length), static_cast<double>(tx / length));
  }

  if (with("ends_exchanged") && !inside) out.feature = feature == Feature::end0 ? Feature::end1 : Feature::end0;
  if (with("always_interior")) out.feature = Feature::interior;
  if (with("never_interior")) out.feature = from1 < from0 ? Feature::end1 : Feature::end0;
  if (with("middle_divides") && inside && after0 < length / 10) out.feature = Feature::end0;
  if (with("nearly_an_end") && inside && after0 < 1e-9L * r) out.feature = Feature::end0;
  if (with("nearly_interior") && second && after1 < 1e-11L * r) out.feature = Feature::interior;
  if (with("interior_within_radius") && after0 > -r && after1 < r) out.feature = Feature::interior;
  if (with("end_within_radius") && from0 < r) out.feature = Feature::end0;
  if (with("absent_beyond_ends") && !inside) out.present = Present::no;
  if (with("printed_disk_range") && (after0 < -r || after1 > r)) out.present = Present::no;
  if (with("alert_along")) out.present = label(gap < in.alert && after0 >= -in.alert && after1 <= in.alert);
  out.present = present_of(out.present, gap, across, in, with);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline void branch_of_the_vector(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    bool const inside = right(in[i - i % 4]).feature == Feature::interior;
    out[i] = evaluate(in[i], inside ? Chosen("infinite_line") : Chosen());
  }
}
inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"branch_of_the_vector", "if the feature of the first of four cases is interior, all four are interior",
       "one branch for a whole SIMD vector", branch_of_the_vector},
  };
  Distortions const distortions{.read_as_float = "centre radius p0",
                                .shared_by_four = "alert",
                                .as_float = "gap normal",
                                .negated = "gap normal",
                                .just_over = "gap normal"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::disc_segment_contact::mutants
