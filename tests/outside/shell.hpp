// Provides a test class that runs shell commands and stores their output, for the tests of external subjects.
#pragma once

#include "tests/core/command.hpp"

namespace demeter {

class OutsideCommand : public CommandTest {
 protected:
  /// Runs a line of shell. Stores its output in `out` and `err`, and returns the exit code.
  int run(std::string const& line) {
    Ran const ran = CommandTest::run(line);
    out = ran.out;
    err = ran.err;
    return ran.code;
  }

  std::string out, err;
};

}  // namespace demeter
