// Defects of lists that show at one length, or beyond one: a tail, a block, a buffer or a counter that others do not
// meet.
#pragma once

#include "kernels/mutant.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace demeter {

/// A length of a list, or all beyond it.
struct ListLength {
  std::size_t count;
  bool beyond;

  constexpr bool has(std::size_t members) const { return beyond ? members > count : members == count; }
};

/// Between and beside the widths of blocks, and what a byte and a buffer hold.
inline constexpr std::array<ListLength, 9> telling_lengths{{{17, false},
                                                            {24, false},
                                                            {33, false},
                                                            {64, false},
                                                            {100, false},
                                                            {128, false},
                                                            {129, false},
                                                            {256, true},
                                                            {1000, true}}};

/// `last_dropped(case)` of lists of one of `telling_lengths`, and of others what is right.
template <auto right, auto members, auto last_dropped, std::size_t at, class Case, class Answer>
void last_dropped_at(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = telling_lengths[at].has((in[i].*members).size()) ? last_dropped(in[i]) : right(in[i]);
}

/// The answer to the case without the last of its members.
template <auto right, auto members, class Case>
auto without_the_last(Case const& in) {
  Case fewer = in;
  (fewer.*members).pop_back();
  return right(fewer);
}

/// The offsets of the lists are read inclusively: the first member of the next case's list counts too.
template <auto right, auto members, class Case, class Answer>
void one_of_the_next(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    Case more = in[i];
    if (i + 1 < in.size()) (more.*members).push_back((in[i + 1].*members).front());
    out[i] = right(more);
  }
}

/// The mutants of a kernel, and those that drop the last member at one of the first `count` of `telling_lengths`: kept
/// for good, as there is one list a kernel.
template <auto right, auto members, auto last_dropped, std::size_t count = telling_lengths.size(), class Defect,
          class Case, class Answer, std::size_t n>
std::span<Mutant<Defect, Case, Answer> const> with_lengths(Mutant<Defect, Case, Answer> const (&others)[n]) {
  static std::array<std::array<std::string, 2>, telling_lengths.size()> const texts = [] {
    std::array<std::array<std::string, 2>, telling_lengths.size()> each;
    for (std::size_t i = 0; i < each.size(); ++i) {
      std::string const number = std::to_string(telling_lengths[i].count);
      bool const beyond = telling_lengths[i].beyond;
      each[i] = {(beyond ? "last_dropped_beyond_" : "last_dropped_of_") + number,
                 "the last member is dropped where there are " + (beyond ? "more than " + number : number)};
    }
    return each;
  }();
  static auto const all = [&]<std::size_t... at>(std::index_sequence<at...>) {
    std::vector<Mutant<Defect, Case, Answer>> each(others, others + n);
    (each.push_back({texts[at][0],
                     texts[at][1],
                     "a block, a buffer or a counter that other lengths do not meet",
                     Defect::none,
                     last_dropped_at<right, members, last_dropped, at, Case, Answer>,
                     {},
                     "lengths"}),
     ...);
    return each;
  }
  (std::make_index_sequence<count>());
  return all;
}

/// The same where the last member is dropped and nothing else.
template <auto right, auto members, class Defect, class Case, class Answer, std::size_t n>
std::span<Mutant<Defect, Case, Answer> const> with_lengths(Mutant<Defect, Case, Answer> const (&others)[n]) {
  return with_lengths<right, members, without_the_last<right, members, Case>>(others);
}

}  // namespace demeter
