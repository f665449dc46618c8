// The list of kernels in CMakeLists.txt as tables. The build writes the list as files with a macro per name.
#include "kernels/kernel.hpp"
#include "kernels/laboratory.hpp"
#include "kernels/mutant.hpp"
#include "kernels/vectors.hpp"
#include "subjects/subjects.hpp"

#include <algorithm>
#include <iterator>

namespace demeter {

#define DEMETER_KERNEL(name)     \
  Kernel make_kernel_##name();   \
  Mutants make_mutants_##name(); \
  std::string_view vectors_text_##name();
#include "kernels.inc"
#undef DEMETER_KERNEL

#define DEMETER_FAST_ALONE(name) \
  Kernel make_kernel_##name();   \
  std::string_view vectors_text_##name();
#include "fast_alone.inc"
#undef DEMETER_FAST_ALONE

#define DEMETER_LABORATORY(name) Laboratory make_laboratory_##name();
#include "laboratories.inc"
#undef DEMETER_LABORATORY

#define DEMETER_METHODS(name)     \
  namespace name {                \
  std::vector<Subject> methods(); \
  }
#include "methods.inc"
#undef DEMETER_METHODS

std::span<Kernel const> kernels() {
  static std::vector<Kernel> const all = [] {
    std::vector<Kernel> made{
#define DEMETER_KERNEL(name) make_kernel_##name(),
#include "kernels.inc"
#undef DEMETER_KERNEL
    };
    for (auto& kernel : made) add_vectors_regime(kernel);
    return made;
  }();
  return all;
}

std::span<Kernel const> batch_kernels() {
  static std::vector<Kernel> const all = [] {
    std::vector<Kernel> made(kernels().begin(), kernels().end());
    std::vector<Kernel> others{
#define DEMETER_FAST_ALONE(name) make_kernel_##name(),
#include "fast_alone.inc"
#undef DEMETER_FAST_ALONE
    };
    for (auto& kernel : others) add_vectors_regime(kernel);
    std::ranges::move(others, std::back_inserter(made));
    return made;
  }();
  return all;
}

std::span<Mutants const> mutants() {
  static std::vector<Mutants> const all{
#define DEMETER_KERNEL(name) make_mutants_##name(),
#include "kernels.inc"
#undef DEMETER_KERNEL
  };
  return all;
}

std::span<Laboratory const> laboratories() {
  static std::vector<Laboratory> const all{
#define DEMETER_LABORATORY(name) make_laboratory_##name(),
#include "laboratories.inc"
#undef DEMETER_LABORATORY
  };
  return all;
}

std::vector<Subject> approximate_methods() {
  std::vector<Subject> all;
#define DEMETER_METHODS(name) std::ranges::move(name::methods(), std::back_inserter(all));
#include "methods.inc"
#undef DEMETER_METHODS
  return all;
}

std::vector<detail::VectorSource> const& detail::vector_sources() {
  static std::vector<VectorSource> const all{
#define DEMETER_KERNEL(name) {#name, vectors_text_##name()},
#define DEMETER_FAST_ALONE DEMETER_KERNEL
#include "fast_alone.inc"
#include "kernels.inc"
#undef DEMETER_FAST_ALONE
#undef DEMETER_KERNEL
  };
  return all;
}

}  // namespace demeter
