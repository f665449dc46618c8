#include "fast/capsule_contact.hpp"

#include <cstddef>

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_contact.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/capsule/contact/blocks.hpp"
#include "fast/family/capsule/contact/formula.hpp"
#include "fast/family/capsule/contact/one_pair.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_contact::fast::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  // True if the previous block had rows out of range. The next block is then solved by solve_normalised() at once. The
  // results do not depend on this choice.
  bool out_of_range = false;
  auto const solve_rows = [&](Columns<columns_in, columns_out> const& columns, std::size_t rows) HWY_ATTR {
    Block block;
    for (std::size_t k = 0; k < columns_in; ++k) block.in[k] = columns.in(k);
    for (std::size_t k = 0; k < 3; ++k) block.centre1[k] = columns.in(k);
    for (std::size_t k = 0; k < columns_out; ++k) block.out[k] = columns.out(k);
    block.units = nullptr;
    block.rows = rows;
    block.from_memory = n > rows_in_cache;
    if (HWY_UNLIKELY(out_of_range) || !solve<false>(block)) out_of_range = solve_normalised(block);
  };
  for_whole_vectors<columns_in, columns_out>(n, in, out, block_rows, solve_rows);
}

#endif

#if HWY_TARGET == HWY_AVX2

Output<double> evaluate_one(Input<double> const& in) noexcept {
  auto const number = [&in](std::size_t k) HWY_ATTR {
    double const* const vectors[] = {in.centre1.data(), in.half1.data(), in.centre2.data(), in.half2.data()};
    if (k == 6) return &in.radius1;
    if (k == 13) return &in.radius2;
    std::size_t const i = k < 6 ? k : k - 1;
    return vectors[i / 3] + i % 3;
  };
  return solve_any(number);
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    auto const number = [in, row](std::size_t k) HWY_ATTR { return in[k] + row; };
    auto const answer = solve_any(number);
    auto const put_one = [out, row](std::size_t k, double x) HWY_ATTR {
      if (out[k] != nullptr) out[k][row] = x;
    };
    put_one(0, answer.uN);
    for (std::size_t i = 0; i < 3; ++i) put_one(1 + i, answer.normal[static_cast<Index>(i)]);
    for (std::size_t i = 0; i < 3; ++i) put_one(4 + i, answer.point[static_cast<Index>(i)]);
    put_one(7, static_cast<double>(answer.status));
  }
}

#endif

#if HWY_ONCE

template <class Number>
struct Answer {
  Number uN;
  Triple<Number> normal, point;
  Number status;
};

HWY_INLINE Answer<double> answer_row(Capsules<double> const& in) {
  auto pair = pair_of(in);
  auto extent = extent_of(pair);
  Scale<double> scale = {1, 1, 1};
  if (!in_range(extent)) {
    scale = scale_of(in);
    pair = scaled_pair(in, scale);
    extent = extent_of(pair);
  }
  auto const of = shadows_of(pair, extent);
  auto gap = gap_of(pair, of, extent);
  if (sensitive(of, gap, extent)) gap.depth2 = exact_depth2(pair, scaled_error(in, scale), closest(of));
  auto const at = centre(of, gap.depth2);
  change_unit(gap, scale.unit);
  Answer<double> answer;
  answer.uN = gap.uN;
  answer.status = gap.status;
  answer.normal = normal_of(pair, at, gap.status);
  answer.point = fma(0.5 * scale.unit, twice_to_point(pair, at, answer.normal), in.centre1);
  return answer;
}

HWY_INLINE Capsules<double> capsules_of(Input<double> const& in) {
  auto const triple = [](Vector3<double> const& a) { return Triple<double>{a[0], a[1], a[2]}; };
  return {triple(in.centre1), triple(in.half1), in.radius1, triple(in.centre2), triple(in.half2), in.radius2};
}

HWY_INLINE Output<double> output_of(Answer<double> const& answer) {
  return {answer.uN,
          {answer.normal.x, answer.normal.y, answer.normal.z},
          {answer.point.x, answer.point.y, answer.point.z},
          static_cast<Status>(static_cast<int>(answer.status))};
}

Output<double> evaluate_one(Input<double> const& in) noexcept { return output_of(answer_row(capsules_of(in))); }

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  solve_rows<Capsules, answer_row>(n, in, out);
}

#endif

}  // namespace demeter::capsule_contact::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::capsule_contact::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::call_one<Input<double>, Output<double>, HWY_NAMESPACE::evaluate_one, N_AVX2::evaluate_one>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  static auto* const rows = available(Level::avx2) ? N_AVX2::evaluate_rows : HWY_NAMESPACE::evaluate_rows;
  fast_core::Forms const forms{rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::capsule_contact::fast

#endif
