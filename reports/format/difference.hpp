// The difference between an answer and the truth, as two numbers.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// The component of an output where the answer is farthest from the truth.
struct Difference {
  std::string where;          ///< name of the component: "ixx", "normal y", "members[3] mass"
  std::string answer, truth;  ///< the two values as text, with the fewest digits that distinguish them, at least three
  bool is_number = false;     ///< false for a label, a missing value, NaN or infinity
  double relative = 0;        ///< (answer - truth) / truth; 0 if the output is not a single number, or if the signs
                              ///< differ
};

/// Returns the difference of an output. `answer` and `truth` come from the records of an example. Returns nothing if
/// they are equal, or if the truth is not unique.
std::optional<Difference> difference(std::string_view output, Json const& answer, Json const& truth);

/// Returns the difference as text: "distance 2.6 instead of 0.639", "ixx 218 instead of 151 (+45 %)".
std::string difference_text(Difference const& difference);

/// Returns the relative difference as text: "+45 %", "3.1 times as much". Returns an empty text below 0.1 %, because
/// the two numbers then show the difference better.
std::string relative_text(Difference const& difference);

/// Returns what is wrong with an answer, in one line: "distance 2.6 instead of 0.639". If the truth is not unique,
/// returns the distance from the optimum. `u` is the rounding unit of the subject's numbers.
std::string what_is_wrong(Kernel const& kernel, Failure const& failure, double u);

}  // namespace demeter::report
