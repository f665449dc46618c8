// Defects of batches: a tail that fills no vector, and what a vector's first case decides for all of it.
#pragma once

#include "kernels/mutant.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace demeter {

/// The last cases of a batch are done as the last full vector again, shifted by one too many.
template <auto right, class Case, class Answer>
void tail_shifted(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = std::max<std::size_t>(in.size() / 4 * 4, 1); i < in.size(); ++i) out[i] = right(in[i - 1]);
}

/// The last cases of a batch that fill no vector get the answer of the case before them.
template <auto right, class Case, class Answer>
void tail_left_alone(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = i < in.size() / 4 * 4 || i == 0 ? right(in[i]) : out[i - 1];
}

/// A field of the first of four cases is that of all four.
template <auto right, auto field, class Case, class Answer>
void field_of_the_first(std::span<Case const> in, std::span<Answer> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    Case each = in[i];
    each.*field = in[i / 4 * 4].*field;
    out[i] = right(each);
  }
}

}  // namespace demeter
