// What a fast header may declare beside evaluate(), with what holds for one that does not.
#pragma once

namespace demeter {

/// Every fast header defines `inline constexpr FastHooks<Contract> hooks{...}` and names the members it fills in, so
/// that a misspelt one does not compile.
template <class Contract>
struct FastHooks {
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;

  /// Every output is the double nearest to the truth: the implementation `correctly_rounded`.
  Output (*correctly_rounded)(Input const&) noexcept = nullptr;
};

}  // namespace demeter
