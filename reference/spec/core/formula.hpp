// A formula from a source or another code: a name, a description, and an evaluation for any scalar.
#pragma once

#include <string_view>
#include <vector>

namespace demeter {

/// `evaluate` is a generic lambda `[]<class Scalar>(Input<Scalar> const&) -> Output<Scalar>`. `leaves_out` names the
/// outputs that the source does not define; the harness ignores the values that `evaluate` writes there.
template <class Evaluate>
struct Formula {
  std::string_view name;
  std::string_view doc;
  Evaluate evaluate;
  std::vector<std::string_view> leaves_out = {};
};
template <class Evaluate>
Formula(std::string_view, std::string_view, Evaluate) -> Formula<Evaluate>;
template <class Evaluate>
Formula(std::string_view, std::string_view, Evaluate, std::vector<std::string_view>) -> Formula<Evaluate>;

}  // namespace demeter
