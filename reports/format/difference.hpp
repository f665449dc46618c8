// By what an answer differs from the truth, in the numbers of the one and the other.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// The component of an output in which an answer is the farthest from the truth.
struct Difference {
  std::string where;          ///< "ixx", "normal y", "members[3] mass"
  std::string answer, truth;  ///< as few digits as tell them apart, at least three
  bool is_number = false;     ///< not a label, a missing part, NaN or infinite
  double relative = 0;        ///< of an output that is one number, of the truth's sign: (answer - truth) / truth
};

/// `answer` and `truth` are an output of an example's records. Nothing if they agree, or if the truth is not unique.
std::optional<Difference> difference(std::string_view output, Json const& answer, Json const& truth);

/// "2.6 instead of 0.639", "218 instead of 151 (+45 %)".
std::string difference_text(Difference const& difference);

/// "+45 %", "3.1 times as much"; empty for less than a thousandth, where the numbers say more.
std::string relative_text(Difference const& difference);

/// What is wrong with an answer, in one line: "distance 2.6 instead of 0.639". Of answers that are not unique by how
/// much they miss the best; `u` is that of the subject's numbers.
std::string what_is_wrong(Kernel const& kernel, Failure const& failure, double u);

}  // namespace demeter::report
