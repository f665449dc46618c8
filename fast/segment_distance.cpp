#include "fast/segment_distance.hpp"

#include <cstddef>

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/capsule/segments/blocks.hpp"
#include "fast/family/capsule/segments/formula.hpp"
#include "fast/family/capsule/segments/one_pair.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::segment_distance::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  Expectation expect;
  auto const solve_rows = [&expect](Columns<12, 3> const& columns, std::size_t rows) HWY_ATTR {
    Block block{};
    for (std::size_t k = 0; k < 12; ++k) block.in[k] = columns.in(k);
    block.distance = columns.out(0);
    block.s = columns.out(1);
    block.t = columns.out(2);
    block.rows = rows;
    solve_block(block, expect);
  };
  for_whole_vectors<12, 3>(n, in, out, block_rows, solve_rows);
}

#endif

#if HWY_TARGET == HWY_AVX2

Output<double> evaluate_one(Input<double> const& in) noexcept {
  auto const number = [&in](std::size_t k) HWY_ATTR {
    double const* const ends[] = {in.p0.data(), in.p1.data(), in.q0.data(), in.q1.data()};
    return ends[k / 3] + k % 3;
  };
  Output<double> answer;
  auto const left = solve_one<false>(both_ends(number), answer.distance, answer.s, answer.t);
  if (HWY_LIKELY(left == Left::answered)) return answer;
  return left == Left::hard ? solve_hard_at(number) : solve_out_of_range<true>(number, nullptr);
}

/// Answers rows one at a time. After a row out of range, the next row is first treated as out of range too. This
/// changes no bit. global_scale takes 43 ns instead of 65, and mixed_scale 90 ns instead of 100.
void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  bool out_of_range = false;
  for (std::size_t row = 0; row < n; ++row) {
    auto const number = [in, row](std::size_t k) HWY_ATTR { return in[k] + row; };
    // Three variables, not a record: g++ would keep a record in memory, and rows would take 10 % longer.
    double distance, s, t;
    auto const left =
        HWY_UNLIKELY(out_of_range) ? Left::out_of_range : solve_one<false>(both_ends(number), distance, s, t);
    if (HWY_UNLIKELY(left == Left::hard)) {
      // Inlined here, because the compiler then computes common terms once: `touching` takes 65.5 ns instead of 66.5
      // with a call.
      solve_hard_one(both_ends(number), distance, s, t);
    } else if (HWY_UNLIKELY(left == Left::out_of_range)) {
      auto const answer = solve_out_of_range<false>(number, &out_of_range);
      distance = answer.distance;
      s = answer.s;
      t = answer.t;
    }
    if (out[0] != nullptr) out[0][row] = distance;
    if (out[1] != nullptr) out[1][row] = s;
    if (out[2] != nullptr) out[2][row] = t;
  }
}

#endif

#if HWY_ONCE

template <class Number>
struct Answer {
  Number distance;
  Parameters<Number> at;
};

HWY_INLINE Answer<double> solve_hard_row(Ends<double> const& ends, Differences<double> const& of_ends,
                                         Products<double> const& of) {
  auto const rough = solve_cross(of_ends, of);
  auto const refined = refine(ends, rough);
  return {refined_length(refined.connection, rough.extent), refined.at};
}

HWY_INLINE Answer<double> solve_row(Ends<double> const& ends, Differences<double> const& of_ends,
                                    Products<double> const& of) {
  auto const equations = gram(of);
  auto const at = solve_gram(of, equations);
  auto const connection = connect(ends, at);
  if (sound(of.extent, equations.soundness, connection)) return {length(connection), at};
  return solve_hard_row(ends, of_ends, of);
}

HWY_INLINE Answer<double> answer_out_of_range(Ends<double> const& ends) {
  auto const of = largest_coordinates(ends);
  auto const factor = unit_factor(maximum(of.p, of.q));
  auto const unit_ends = scaled(ends, factor);
  auto const of_ends = differences(unit_ends);
  Answer<double> answer = solve_row(unit_ends, of_ends, products(of_ends));
  answer.distance = unscaled(answer.distance, factor);
  return answer;
}

HWY_INLINE Answer<double> answer_row(Ends<double> const& ends) {
  auto const of_ends = differences(ends);
  auto const of = products(of_ends);
  if (HWY_UNLIKELY(!in_range(of.extent))) return answer_out_of_range(ends);
  return solve_row(ends, of_ends, of);
}

HWY_INLINE Ends<double> ends_of(Input<double> const& in) {
  auto const triple = [](Vector3<double> const& a) { return Triple<double>{a[0], a[1], a[2]}; };
  return {triple(in.p0), triple(in.p1), triple(in.q0), triple(in.q1)};
}

HWY_INLINE Output<double> output_of(Answer<double> const& answer) {
  return {answer.distance, answer.at.s, answer.at.t};
}

Output<double> evaluate_one(Input<double> const& in) noexcept { return output_of(answer_row(ends_of(in))); }

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  solve_rows<Ends, answer_row>(n, in, out);
}

#endif

}  // namespace demeter::segment_distance::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::segment_distance::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::call_one<Input<double>, Output<double>, HWY_NAMESPACE::evaluate_one, N_AVX2::evaluate_one>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  static auto* const rows = available(Level::avx2) ? N_AVX2::evaluate_rows : HWY_NAMESPACE::evaluate_rows;
  fast_core::Forms const forms{rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::segment_distance::fast

#endif
