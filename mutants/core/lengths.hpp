// Defects that occur only for lists of one length, or for all lengths above a limit. Real code may have such defects in
// the rest of a loop, in a block, in a buffer or in a counter that other lengths do not use.
#pragma once

#include "kernels/mutant.hpp"

#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter {

/// A mutant that drops the last member of some lists. These are the lists with `count` members or, if `beyond` is true,
/// the lists with more than `count` members.
struct ListLength {
  std::size_t count;
  bool beyond;
  std::string_view name, change;

  constexpr bool has(std::size_t members) const { return beyond ? members > count : members == count; }
};

/// The lengths: multiples of a block width, lengths between and just above such multiples, and lengths above the limits
/// of a byte (256) and of a buffer (1000).
inline constexpr ListLength telling_lengths[] = {
    {17, false, "last_dropped_of_17", "the last member is dropped where there are 17"},
    {24, false, "last_dropped_of_24", "the last member is dropped where there are 24"},
    {33, false, "last_dropped_of_33", "the last member is dropped where there are 33"},
    {64, false, "last_dropped_of_64", "the last member is dropped where there are 64"},
    {100, false, "last_dropped_of_100", "the last member is dropped where there are 100"},
    {128, false, "last_dropped_of_128", "the last member is dropped where there are 128"},
    {129, false, "last_dropped_of_129", "the last member is dropped where there are 129"},
    {256, true, "last_dropped_beyond_256", "the last member is dropped where there are more than 256"},
    {1000, true, "last_dropped_beyond_1000", "the last member is dropped where there are more than 1000"},
};

/// Answers with `last_dropped(case)` if the list has the length telling_lengths[at], otherwise with `right(case)`.
template <auto right, auto members, auto last_dropped, std::size_t at, class Case, class Answer>
void last_dropped_at(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = telling_lengths[at].has((in[i].*members).size()) ? last_dropped(in[i]) : right(in[i]);
}

/// Returns the answer to the case without its last member.
template <auto right, auto members, class Case>
auto without_the_last(Case const& in) {
  Case fewer = in;
  (fewer.*members).pop_back();
  return right(fewer);
}

/// Answers as if the end offset of a list were inclusive: the first member of the next case's list counts too.
template <auto right, auto members, class Case, class Answer>
void one_of_the_next(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    Case more = in[i];
    if (i + 1 < in.size()) (more.*members).push_back((in[i + 1].*members).front());
    out[i] = right(more);
  }
}

/// Returns one mutant for each of the first `count` elements of `telling_lengths`. It answers `last_dropped(case)` to a
/// list of this length, and `right(case)` to other lists.
template <auto right, auto members, auto last_dropped, std::size_t count = std::size(telling_lengths), class Case,
          class Answer>
std::vector<BatchDefect<Case, Answer>> dropped_at_lengths(Answer (*)(Case const&)) {
  std::vector<BatchDefect<Case, Answer>> each;
  [&]<std::size_t... at>(std::index_sequence<at...>) {
    (each.push_back({telling_lengths[at].name, telling_lengths[at].change,
                     "a block, a buffer or a counter that other lengths do not meet",
                     last_dropped_at<right, members, last_dropped, at, Case, Answer>, "lengths"}),
     ...);
  }
  (std::make_index_sequence<count>());
  return each;
}

/// Overload for mutants that answer the case without the last member of its list.
template <auto right, auto members, class Case, class Answer>
std::vector<BatchDefect<Case, Answer>> dropped_at_lengths(Answer (*base)(Case const&)) {
  return dropped_at_lengths<right, members, without_the_last<right, members, Case>>(base);
}

}  // namespace demeter
