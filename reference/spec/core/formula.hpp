// A formula as others print or implement it: a name, what it is, and a scalar-generic evaluation.
#pragma once

#include <string_view>

namespace demeter {

/// `evaluate` is a generic lambda `[]<class Scalar>(Input<Scalar> const&) -> Output<Scalar>`.
template <class Evaluate>
struct Formula {
  std::string_view name;
  std::string_view doc;
  Evaluate evaluate;
};
template <class Evaluate>
Formula(std::string_view, std::string_view, Evaluate) -> Formula<Evaluate>;

}  // namespace demeter
