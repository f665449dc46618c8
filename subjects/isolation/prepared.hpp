// Answers of libraries whose input differs from the input of the kernel: for example, a pose and a length instead of
// end points.
#pragma once

#include "kernels/subject.hpp"

#include <type_traits>

namespace demeter {

/// Works like `answer_with`, but converts the input separately. `prepare(input)` returns the input in the library's
/// form, and `call(native, output)` answers. A timed run prepares all cases in advance, so that only the library is
/// timed.
template <class Contract, class Prepare, class Call>
Answering answer_prepared(std::string doc, Prepare prepare, Call call) {
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;
  using Native = std::remove_cvref_t<std::invoke_result_t<Prepare const&, Input const&>>;
  Answering result = answer_with<Contract>(
      std::move(doc), [prepare, call](Input const& input, Output& output) { return call(prepare(input), output); });
  result.timed = [prepare, call](Table const& cases) -> std::function<void()> {
    auto natives = std::make_shared<std::vector<Native>>();
    natives->reserve(cases.rows);
    for (std::size_t row = 0; row < cases.rows; ++row) natives->push_back(prepare(load<Input>(cases, row)));
    auto outputs = std::make_shared<std::vector<Output>>(cases.rows, nothing_computed<Output>());
    return timed_pass(natives, outputs, call);
  };
  return result;
}

}  // namespace demeter
