// A mutant: an implementation with one deliberate defect, which the check must find. This file contains the
// declarations for a kernel's file in mutants/, and the form that the harness uses.
#pragma once

#include "kernels/distortions.hpp"
#include "kernels/subject.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// A defect in the implementation that answers one case. The implementation asks for it by name: `if
/// (with("sign_of_gap")) gap = -gap;`.
struct Defect {
  std::string_view name;
  std::string_view change;  ///< what is wrong, and what would be correct
  std::string_view source;  ///< where the defect was seen, or the class of defects that it represents
  /// If the defect stays within the tolerance of plain code in double: the reason.
  std::string_view within_double = {};
  /// The regime that contains all cases in which the defect appears, if these cases are few. This regime is examined
  /// first. A survey of few cases may miss such a defect.
  std::string_view shows_in = {};
};

/// Returns two lists of defects as one.
template <std::size_t n, std::size_t m>
constexpr std::array<Defect, n + m> joined(Defect const (&some)[n], Defect const (&others)[m]) {
  std::array<Defect, n + m> all;
  std::copy_n(others, m, std::copy_n(some, n, all.begin()));
  return all;
}

/// One defect of a list, or none. The index of a name is found at compile time. The choice is a run-time argument, so
/// that an implementation is compiled once for all its mutants.
template <auto const& list>
class Choice {
 public:
  constexpr Choice() = default;
  consteval Choice(char const* name) : place_(0) {
    // A name that is not on the list does not compile: reading beyond the end is not a constant expression.
    for (Defect const* each = std::data(list); each->name != name; ++each) ++place_;
  }
  static constexpr Choice at(int place) {
    Choice choice;
    choice.place_ = place;
    return choice;
  }

  constexpr bool operator()(Choice wanted) const { return place_ == wanted.place_; }
  /// Returns the distance from `first` on the list. It is negative if this defect comes before `first`.
  constexpr int places_after(Choice first) const { return place_ - first.place_; }

 private:
  int place_ = -1;
};

/// A defect that appears only in a batch: an answer depends on other rows, on blocks of rows or on their order.
/// `answer` answers all cases of the batch.
template <class Input, class Output>
struct BatchDefect {
  std::string_view name, change, source;
  void (*answer)(std::span<Input const>, std::span<Output>);
  std::string_view shows_in = {};
};

/// Answers a batch row by row: the correct starting point that batch defects modify.
template <auto right, class Input, class Output>
void answer_each(std::span<Input const> in, std::span<Output> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = right(in[i]);
}

/// The mutants of one kernel as subjects.
struct Mutants {
  struct Each {
    std::string name, change, source;
    Subject subject;
    std::string within_double = {};
    std::string shows_in = {};
  };
  std::string kernel;
  Subject right;  ///< without a defect: must pass the checks that the mutants must fail
  std::vector<Each> each;

  void add(Answering answering, Defect const& defect);
};

/// Returns the mutants of every kernel of the list in CMakeLists.txt, in its order. Generated.
std::span<Mutants const> mutants();

inline Mutants const* find_mutants(std::string_view kernel) {
  for (auto const& set : mutants())
    if (set.kernel == kernel) return &set;
  return nullptr;
}

/// Returns the mutants of a list of defects. `answering(place)` answers one case with the defect at this index, or
/// without a defect at -1.
Mutants make_mutants(std::string_view kernel, std::span<Defect const> defects,
                     std::function<Answering(int place)> const& answering);

/// Returns the mutants of a kernel: `evaluate(case, with)` with each defect of its list, the batch defects, and the
/// distortions.
template <class Contract, auto const& list, class Input = typename Contract::template Input<double>,
          class Output = typename Contract::template Output<double>>
Mutants make_mutants(Output (*evaluate)(Input const&, Choice<list>), Distortions const& distortions,
                     std::vector<BatchDefect<Input, Output>> const& batches = {},
                     std::vector<BatchDefect<Input, Output>> const& more_batches = {}) {
  Mutants result = make_mutants(Contract::name, list, [evaluate](int place) {
    return answer_with<Contract>("", [evaluate, with = Choice<list>::at(place)](Input const& in, Output& out) {
      out = evaluate(in, with);
      return static_cast<char const*>(nullptr);
    });
  });
  for (auto const* some : {&batches, &more_batches})
    for (auto const& batch : *some) {
      Answering answering;
      answering.kernel = Contract::name;
      answering.answer = [answer = batch.answer](Table const& cases, Answers& answers) {
        std::vector<Input> in;
        for (std::size_t row = 0; row < cases.rows; ++row) in.push_back(load<Input>(cases, row));
        std::vector<Output> out(in.size(), nothing_computed<Output>());
        answer(in, out);
        for (Output const& each : out) append(answers.output, each);
        answers.status.assign(in.size(), Status::answered);
      };
      result.add(std::move(answering), {batch.name, batch.change, batch.source, {}, batch.shows_in});
    }
  auto const scale = [](Table const& cases, std::size_t row, BasicTable<long double>& into) {
    append(into, Contract::scale(load<Input>(cases, row)));
  };
  for (Distorted& each : distorted(result.right.answers.front(), schema_of<Input>(), schema_of<Output>(),
                                   Contract::budgets, scale, distortions))
    result.add(std::move(each.answering), {each.name, each.change, each.source, each.within_double});
  return result;
}

}  // namespace demeter
