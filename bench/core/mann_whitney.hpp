// The Mann-Whitney U test: whether the values of one sample tend to be larger than those of another.
#pragma once

#include <span>

namespace demeter::bench {

struct MannWhitney {
  double u = 0;        ///< pairs in which the value of `larger` is the greater; ties count a half
  double p = 1;        ///< the chance of such a U or a greater one if both samples come from one distribution
  bool exact = false;  ///< by the permutation distribution of these very ranks, ties included; otherwise by a normal
                       ///< approximation with corrections for ties and continuity
};

/// One-sided: small `p` says that the values of `larger` tend to be greater than those of `smaller`. Exact up to 60
/// values together. No values on a side, or all of them equal: p = 1. NaN is not allowed.
MannWhitney mann_whitney(std::span<double const> larger, std::span<double const> smaller);

/// The least `p` that samples of these sizes can give (all values apart, every one of `larger` above every one of
/// `smaller`).
double least_p(std::size_t larger, std::size_t smaller);

}  // namespace demeter::bench
