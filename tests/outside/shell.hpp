// Lines of shell whose printed text the tests of subjects from outside look at.
#pragma once

#include "tests/core/command.hpp"

namespace demeter {

class OutsideCommand : public CommandTest {
 protected:
  /// A line of shell; what it prints is in `out` and `err`.
  int run(std::string const& line) {
    Ran const ran = CommandTest::run(line);
    out = ran.out;
    err = ran.err;
    return ran.code;
  }

  std::string out, err;
};

}  // namespace demeter
