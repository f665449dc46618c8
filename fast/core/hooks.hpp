// Optional functions that a fast header may declare beside evaluate(), with their defaults.
#pragma once

namespace demeter {

/// The optional functions of a fast kernel. Every fast header defines `inline constexpr FastHooks<Contract>
/// hooks{...}`. It sets the members by name: a misspelt name does not compile.
template <class Contract>
struct FastHooks {
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;

  /// Returns every output as the double nearest to the true value. Demeter reports this function as the implementation
  /// `correctly_rounded`.
  Output (*correctly_rounded)(Input const&) noexcept = nullptr;
};

}  // namespace demeter
