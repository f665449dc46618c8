// The Mann-Whitney U test: do the values of one sample tend to be larger than those of another?
#pragma once

#include <cstddef>
#include <span>

namespace demeter::bench {

struct MannWhitney {
  double u = 0;  ///< number of pairs in which the value of `larger` is greater; a tie counts 1/2
  double p = 1;  ///< probability of this U or a greater one if both samples have the same distribution
  /// True if p comes from the permutation distribution of these ranks, ties included. False if p comes from a normal
  /// approximation with corrections for ties and continuity.
  bool exact = false;
};

/// Runs a one-sided test: a small `p` means that the values of `larger` tend to be greater than those of `smaller`. `p`
/// is exact for at most `most_exact` values in total (with more than 60, the counts would lose digits). If a sample is
/// empty or all values are equal, p = 1. NaN is not allowed.
MannWhitney mann_whitney(std::span<double const> larger, std::span<double const> smaller, std::size_t most_exact = 60);

/// Returns the smallest `p` that samples of these sizes can give. It belongs to samples without ties in which every
/// value of `larger` is above every value of `smaller`.
double least_p(std::size_t larger, std::size_t smaller);

}  // namespace demeter::bench
