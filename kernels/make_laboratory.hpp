// Makes a `Laboratory` from a kernel's own declarations. Included by one generated translation unit per kernel, and by
// tests that declare their own laboratory.
#pragma once

#include "kernels/laboratory.hpp"
#include "kernels/random.hpp"
#include "reference/core/scalars.hpp"

#include <array>
#include <cmath>

namespace demeter {

/// A family of paths as a kernel declares it.
template <class Path>
struct Family {
  std::string_view name;
  std::string_view doc;
  Path (*draw)(Random&);
  bool loop = false;
};

/// The observation of one answer: numbers in natural units, and for each quantity whether it counts (see
/// `Laboratory::observe`).
template <class Scalar, std::size_t Numbers, std::size_t Quantities>
struct Observation {
  std::array<Scalar, Numbers> numbers;
  std::array<bool, Quantities> counts;
};

/// Declarations for a laboratory without contacts. The laboratory uses them by `using namespace without_contacts`.
namespace without_contacts {

inline constexpr std::size_t overlap = no_overlap;
inline constexpr std::string_view energy_unit = "";

struct NothingComputed {
  template <class Output>
  operator Output() const {
    return nothing_computed<Output>();
  }
};
inline NothingComputed no_contact() { return {}; }
template <class Input>
std::array<double, 0> gaps(Input const&) {
  return {};
}
template <class Path, class Input, class Output>
double power(Path const&, double, Input const&, Output const&) {
  return 0;
}
inline double stored(std::span<double const>) { return 0; }

}  // namespace without_contacts

namespace detail {

/// Returns true if a code that reports only contacts has reported "no contact". The observation is then known: there is
/// no force.
inline bool says_no_contact(Answers const& answers, std::size_t row) {
  if (answers.status[row] != Status::unsupported) return false;
  auto const message = answers.message.find(row);
  return message != answers.message.end() && message->second.find("no contact") != std::string::npos;
}

/// Adds the functions that draw, check, simplify and follow a path.
template <class Parts>
void add_paths(Laboratory& laboratory) {
  using Path = typename Parts::template Path<double>;
  using Contract = typename Parts::Contract;
  using Input = typename Parts::Contract::template Input<double>;

  laboratory.draw = [](std::size_t family, std::uint64_t seed, std::uint64_t id, Table& paths) {
    Random random(seed, family + 0x10000, id);
    append(paths, Parts::families()[family].draw(random));
  };
  laboratory.path_error = [](Table const& paths, std::size_t row) -> std::optional<DomainError> {
    auto const path = load<Path>(paths, row);
    for (double const t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      Input const in = Parts::at(path, t);
      Table inputs(schema_of<Input>());
      append(inputs, in);
      for (auto const& column : inputs.columns)
        for (double const value : column)
          if (!std::isfinite(value)) return DomainError{"path", "finite inputs all along"};
      if (auto wrong = Contract::domain_error(in)) return wrong;
    }
    return std::nullopt;
  };
  laboratory.within_search = [](Table const& paths, std::size_t row) {
    return Parts::within_search(load<Path>(paths, row));
  };
  laboratory.simpler = [](Table const& paths, std::size_t row, Table& candidates) {
    for (auto const& each : Parts::simpler(load<Path>(paths, row))) append(candidates, each);
  };
  laboratory.at = [](Table const& paths, std::span<Place const> places, Table& inputs) {
    Path path;
    std::size_t loaded = static_cast<std::size_t>(-1);
    for (Place const& place : places) {
      if (place.path != loaded) load(path, paths, loaded = place.path);
      append(inputs, Parts::at(path, place.parameter));
    }
  };
}

/// Adds the functions that observe the answers along a path.
template <class Parts>
void add_observations(Laboratory& laboratory) {
  using Path = typename Parts::template Path<double>;
  using Input = typename Parts::Contract::template Input<double>;
  using Output = typename Parts::Contract::template Output<double>;
  constexpr std::size_t quantity_count = Parts::quantities.size();

  laboratory.observe = [numbers = laboratory.numbers](Table const& inputs, Answers const& answers,
                                                      std::span<double> observations) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    Input in;
    Output out;
    for (std::size_t row = 0; row < inputs.rows; ++row) {
      auto const to = observations.subspan(row * numbers, numbers);
      load(in, inputs, row);
      if (answers.status[row] == Status::answered) {
        load(out, answers.output, row);
      } else if (says_no_contact(answers, row)) {
        out = Parts::no_contact();
      } else {
        std::fill(to.begin(), to.end(), nothing);
        continue;
      }
      auto const observed = Parts::observe(in, out);
      for (std::size_t k = 0; k < quantity_count; ++k) {
        auto const& quantity = Parts::quantities[k];
        for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i)
          to[i] = observed.counts[k] ? observed.numbers[i] : nothing;
      }
    }
  };
  laboratory.states = [](Table const& inputs, std::span<std::uint32_t> states) {
    Input in;
    for (std::size_t row = 0; row < inputs.rows; ++row) {
      load(in, inputs, row);
      states[row] = Parts::state(in);
    }
  };
  laboratory.rounding = [](Table const& inputs, std::size_t row, std::span<double> bounds) {
    auto const all = Parts::rounding(load<Input>(inputs, row));
    std::copy(all.begin(), all.end(), bounds.begin());
  };
  laboratory.motion = [](Table const& inputs, std::size_t before, std::size_t after) {
    return Parts::motion(load<Input>(inputs, before), load<Input>(inputs, after));
  };
  laboratory.gaps = [](Table const& inputs, std::size_t row, std::vector<double>& gaps) {
    auto const all = Parts::gaps(load<Input>(inputs, row));
    gaps.assign(all.begin(), all.end());
  };
  laboratory.transition = [](Table const& inputs, std::size_t before, std::size_t after) {
    return Parts::transition(load<Input>(inputs, before), load<Input>(inputs, after));
  };
  laboratory.power = [](Table const& paths, Place const& place, Table const& inputs, Answers const& answers,
                        std::size_t row) {
    if (says_no_contact(answers, row)) return 0.0;
    if (answers.status[row] != Status::answered) return std::numeric_limits<double>::quiet_NaN();
    return Parts::power(load<Path>(paths, place.path), place.parameter, load<Input>(inputs, row),
                        load<Output>(answers.output, row));
  };
  laboratory.stored = [](std::span<double const> observation) { return Parts::stored(observation); };
}

/// Adds the path and the observations in multiprecision.
template <class Parts>
void add_exact_observations(Laboratory& laboratory) {
  using Contract = typename Parts::Contract;

  using Scalar = Multiprecision;
  using ExactPath = typename Parts::template Path<Scalar>;
  using ExactInput = typename Contract::template Input<Scalar>;
  using ExactOutput = typename Contract::template Output<Scalar>;
  laboratory.at_exactly = [](Table const& paths, std::size_t row, Scalar const& parameter, BasicTable<Scalar>& inputs) {
    append(inputs, Parts::at(load<ExactPath>(paths, row), parameter));
  };
  laboratory.observe_exactly = [](BasicTable<Scalar> const& inputs, BasicTable<Scalar> const& outputs,
                                  std::size_t row) {
    auto const observed = Parts::observe(load<ExactInput>(inputs, row), load<ExactOutput>(outputs, row));
    return ExactObservation{std::vector<Scalar>(observed.numbers.begin(), observed.numbers.end()),
                            std::vector<bool>(observed.counts.begin(), observed.counts.end())};
  };
  laboratory.transition_exactly = [](BasicTable<Scalar> const& inputs, std::size_t before, std::size_t after) {
    return Parts::transition(load<ExactInput>(inputs, before), load<ExactInput>(inputs, after));
  };
}

}  // namespace detail

/// Returns the laboratory. `Parts` bundles the definitions in properties/continuity/<kernel>.hpp with the kernel's
/// contract and formulas (see kernels/generated/kernel_continuity.cpp.in).
template <class Parts>
Laboratory make_laboratory() {
  using Contract = typename Parts::Contract;

  Laboratory laboratory;
  laboratory.kernel = Contract::name;
  laboratory.path = schema_of<typename Parts::template Path<double>>();
  for (auto const& family : Parts::families())
    laboratory.families.push_back({std::string(family.name), std::string(family.doc), family.loop});
  laboratory.quantities.assign(Parts::quantities.begin(), Parts::quantities.end());
  laboratory.numbers = laboratory.quantities.back().first + laboratory.quantities.back().count;
  laboratory.excluded = Parts::excluded;
  laboratory.overlap = Parts::overlap;
  laboratory.energy_unit = Parts::energy_unit;
  detail::add_paths<Parts>(laboratory);
  detail::add_observations<Parts>(laboratory);
  detail::add_exact_observations<Parts>(laboratory);
  return laboratory;
}

}  // namespace demeter
