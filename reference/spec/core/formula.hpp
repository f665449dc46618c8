// A formula as others print or implement it: a name, what it is, and a scalar-generic evaluation.
#pragma once

#include <string_view>
#include <vector>

namespace demeter {

/// `evaluate` is a generic lambda `[]<class Scalar>(Input<Scalar> const&) -> Output<Scalar>`. Outputs that its source
/// does not have are named in `leaves_out`: whatever `evaluate` puts there, nobody sees it.
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
