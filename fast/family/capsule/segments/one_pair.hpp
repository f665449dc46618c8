// Distance of one pair of segments, with one segment per lane of a vector of two doubles.
//
// Compiled only for the target AVX2, like fast/core/two.hpp.
#if HWY_TARGET == HWY_AVX2 && !defined(DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_ONE_PAIR)
#define DEMETER_FAST_FAMILY_CAPSULE_SEGMENTS_ONE_PAIR

#include "fast/core/two.hpp"
#include "fast/family/capsule/segments/formula.hpp"
#include "reference/spec/segment_distance.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

/// The two segments side by side: (p0, q0) and (p1, q1).
struct BothEnds {
  two::TwoTriples from, to;
};

/// Loads both segments. `number(k)` is the address of input k.
template <class Load>
HWY_INLINE BothEnds both_ends(Load number) {
  auto const pair = [number](std::size_t i, std::size_t k) HWY_ATTR { return two::load(number(i), number(k)); };
  return {{pair(0, 6), pair(1, 7), pair(2, 8)}, {pair(3, 9), pair(4, 10), pair(5, 11)}};
}

/// Returns the ends in the unit of length of factor_out_of_range(). If the row is `surely` out of range, uses
/// unit_factor() without a check.
template <bool surely>
HWY_INLINE BothEnds normalised(BothEnds const& ends, double& factor) {
  using namespace two;
  auto const of_both = maximum(largest(ends.from), largest(ends.to));
  auto const coordinate = maximum(of_both, swapped(of_both));
  auto const smaller = minimum(of_both, swapped(of_both));
  if (!surely &&
      HWY_UNLIKELY(least_coordinate < first(coordinate) && first(coordinate - smaller) < farthest_coordinates)) {
    auto const shafts = ends.to - ends.from;
    auto const w = swapped(ends.from) - ends.from;
    auto const squares = dot(shafts, shafts);
    auto const extent = first((squares + swapped(squares)) + dot(w, w));
    if (extent < largest_extent && least_extent < extent) {
      factor = 1;
      return ends;
    }
  }
  // A select instead of a branch: in the regime global_scale this condition is random, and a branch would often be
  // mispredicted.
  auto const times = hn::IfThenElse(coordinate < in_both(least_huge), in_both(1.0), in_both(0x1p248));
  auto const factors = times * twice_inverse(power_of_two(maximum(coordinate, in_both(0x1p-1021))));
  factor = first(factors);
  return {factors * ends.from, factors * ends.to};
}

struct Connected {
  two::TwoTriples v, error;  ///< v and error: only the first lane is used
};

/// Returns the result of connect() at (s, t) in the first lane. In the second lane the two segments are exchanged.
HWY_INLINE Connected connected(BothEnds const& ends, two::Two at) {
  using namespace two;
  auto const points = fma(at, ends.to, subtract_product(ends.from, at, ends.from));  // P, Q
  auto const others = swapped(points);
  Connected result;
  result.v = others - points;
  result.error = (others - result.v) - points;
  return result;
}

/// Returns the result of length() for the first lane. `squared` is v.v.
HWY_INLINE two::Two length_of(Connected const& connection, two::Two squared) {
  using namespace two;
  auto const& [v, error] = connection;
  auto const xxyy = fma(v.y, v.y, v.x * v.x);
  auto const root = sqrt(squared);
  auto const slope = dot(v, error);
  auto const zz_error = fma(v.z, v.z, xxyy - squared);
  auto const before_root = (slope + slope) + zz_error;
  auto const excess = subtract_product(squared, root, root) + before_root;
  return fma(excess, half_inverse(root), root);
}

/// This is zero_unless() for a vector of two doubles.
HWY_INLINE two::Two kept(hn::Mask<two::Tag> mask, two::Two a) { return hn::IfThenElseZero(mask, a); }

/// Solves one pair with the same bits as solve_cross() and refine(), in 190 operations instead of 330. The two cross
/// products N = A x B and w x B are one cross product of two lanes, and N.N and (w x B).N are one dot product. Rows of
/// `touching` take 64 ns instead of 80 with single doubles, rows of `parallel` 40 instead of 48.
///
/// A mask instead of a branch sets very small lengths to 0. For segments that touch, the distance is 0 or a few ulps at
/// random, and a branch would often be mispredicted.
HWY_INLINE void solve_hard_one(BothEnds const& ends, double& distance, double& s, double& t) {
  using namespace two;
  auto const zero = in_both(0.0);
  auto const one = in_both(1.0);
  auto const shafts = ends.to - ends.from;        // A, B
  auto const w = swapped(ends.from) - ends.from;  // w, -w
  auto const squares = dot(shafts, shafts);       // AA, BB
  auto const shadows = dot(shafts, w);            // Aw, -Bw
  auto const AB = dot(shafts, swapped(shafts));
  auto const other_squares = swapped(squares);
  auto const extent = (squares + other_squares) + dot(w, w);

  auto const B = TwoTriples{twice_second(shafts.x), twice_second(shafts.y), twice_second(shafts.z)};
  auto const products =
      cross({both_firsts(shafts.x, w.x), both_firsts(shafts.y, w.y), both_firsts(shafts.z, w.z)}, B);  // N, w x B
  TwoTriples const N = {twice_first(products.x), twice_first(products.y), twice_first(products.z)};
  auto const of_N = dot(products, N);  // NN, (w x B).N
  auto const NN = twice_first(of_N);
  auto const full_NN = squares * other_squares;
  auto const least = in_both(0x1p-200);
  auto const inverses = kept(least * extent < squares, one / squares);
  auto const inverse_NN = one / NN;
  auto const best_s = kept(least * full_NN < NN, twice_second(of_N) * inverse_NN);
  auto const s_of_lines = clamp(best_s, zero, one);
  auto const then_t = clamp(fma(AB, s_of_lines, shadows) * inverses, zero, one);
  auto const then_s = clamp(fma(AB, twice_second(then_t), shadows) * inverses, zero, one);
  auto at = first_second(then_s, then_t);
  auto connection = connected(ends, at);
  auto squared = dot(connection.v, connection.v);
  if (!(first(in_both(0x1p-70) * extent) < first(squared))) {
    auto const low = zero - at;
    auto const high = one - at;
    auto const slopes = dot(shafts, connection.v);  // Av, -Bv: the second lane of connection.v is minus the first lane
    auto const numerator = fma(slopes, other_squares, AB * swapped(slopes));
    auto const small_inverse_NN = kept(in_both(0x1p-40) * full_NN < NN, inverse_NN);
    auto const best_ds = clamp(numerator * small_inverse_NN, low, high);
    auto const dt = clamp(fma(AB, twice_first(best_ds), slopes) * inverses, low, high);
    auto const ds = clamp(fma(AB, twice_second(dt), slopes) * inverses, low, high);
    auto const by = first_second(ds, dt);
    // The first lane is dt B + error - ds A. The second lane is not used: it has the opposite sign, and its
    // subtractions are in another order.
    auto const shift = subtract_product(fma(swapped(by), swapped(shafts), connection.error), by, shafts);
    auto const near = connection.v;
    connection.v = {near.x + shift.x, near.y + shift.y, near.z + shift.z};
    auto const rest = near - connection.v;
    connection.error = {rest.x + shift.x, rest.y + shift.y, rest.z + shift.z};
    at = at + by;
    squared = dot(connection.v, connection.v);
  }
  s = first(at);
  t = first(swapped(at));
  distance = first(kept(in_both(0x1p-180) * extent < squared, length_of(connection, squared)));
}

/// State of a pair after solve_one: answered, Gram equations not sound, or out of range.
enum class Left { answered, hard, out_of_range };

/// Solves one pair by the Gram equations with the same bits as solve_easy: 110 operations instead of 230, with two
/// divisions instead of three. At least 97 % of `typical`, `crossing` and `lattice` are answered here.
///
/// The check is the same as in sound(): the error of d from these equations, (u |w|)^2 / (d sin^2), is below 0.1 u S if
/// d sin^2 > 2^-43 sqrt(extent). Here both sides of sound() are divided by 2^86. This changes no significant bit,
/// because only numbers far below the extent (at least 2^-140) underflow. Pairs that cannot be sound for any d return
/// before d is computed. Exactly parallel rows then take 38 ns. They would take 48 ns with only the last check, and 43
/// ns with the form for one double.
///
/// The code computes -B.w instead of B.w. A zero may then have the other sign, but the next clamp turns -0 into 0.
template <bool normalised>
HWY_INLINE Left solve_one(BothEnds const& ends, double& distance, double& s, double& t) {
  using namespace two;
  auto const zero = in_both(0.0);
  auto const one = in_both(1.0);
  auto const shafts = ends.to - ends.from;        // A, B
  auto const w = swapped(ends.from) - ends.from;  // w, -w
  auto const squares = dot(shafts, shafts);       // AA, BB
  auto shadows = dot(shafts, w);                  // Aw, -Bw
  auto const AB = dot(shafts, swapped(shafts));
  auto const other_squares = swapped(squares);
  auto const extent = (squares + other_squares) + dot(w, w);
  // Without this line g++ computes the shadows after the branches and keeps their operands in memory. Rows would take
  // 10 % longer.
  asm("" : "+x"(shadows.raw));
  auto const scaled_extent = first(in_both(0x1p-86) * extent);
  if (!normalised && HWY_UNLIKELY(!(scaled_extent < 0x1p14 && 0x1p-226 < scaled_extent))) return Left::out_of_range;

  auto const inverses = one / squares;
  auto const determinant = subtract_product(squares * other_squares, AB, AB);
  auto const sine = (determinant * inverses) * swapped(inverses);
  auto const soundness = sine * sine;
  // The condition of may_be_sound().
  if (HWY_UNLIKELY(!(0x1p-88 < first(soundness)))) return Left::hard;

  auto const numerator = fma(shadows, other_squares, AB * swapped(shadows));
  auto const s_of_lines = clamp(numerator / determinant, zero, one);
  auto const then_t = clamp(fma(AB, twice_first(s_of_lines), shadows) * inverses, zero, one);
  auto const then_s = clamp(fma(AB, twice_second(then_t), shadows) * inverses, zero, one);
  auto const at = first_second(then_s, then_t);
  auto const connection = connected(ends, at);
  auto const squared = dot(connection.v, connection.v);

  if (HWY_UNLIKELY(!(scaled_extent < first(minimum(minimum(squares, other_squares), soundness * squared)))))
    return Left::hard;

  distance = first(length_of(connection, squared));
  s = first(at);
  t = first(twice_second(at));
  return Left::answered;
}

template <class Load>
HWY_NOINLINE Output<double> solve_hard_at(Load number) {
  Output<double> answer;
  solve_hard_one(both_ends(number), answer.distance, answer.s, answer.t);
  return answer;
}

template <bool surely, class Load>
HWY_NOINLINE Output<double> solve_out_of_range(Load number, bool* out_of_range) {
  Output<double> answer;
  double factor = 1;
  auto const ends = normalised<surely>(both_ends(number), factor);
  if (solve_one<true>(ends, answer.distance, answer.s, answer.t) != Left::answered)
    solve_hard_one(ends, answer.distance, answer.s, answer.t);
  // The inverse of a power of two, without a division.
  answer.distance *= std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(factor));
  if (out_of_range != nullptr) *out_of_range = factor != 1;
  return answer;
}

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
