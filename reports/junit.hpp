// JUnit XML, as GitLab, Jenkins and GitHub actions read it.
#pragma once

#include "base/files.hpp"
#include "check/check.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::junit {

struct Case {
  enum class Outcome { passed, failed, error, skipped };
  std::string name;
  Outcome outcome = Outcome::passed;
  std::string message;  ///< one line: why it is no pass
  std::string detail;   ///< what a reader wants next: the case, the command
};

struct Suite {
  std::string name;   ///< "segment_distance x fast@avx2"
  std::string group;  ///< the cases' class name: "segment_distance.fast@avx2"
  std::vector<Case> cases;
};

/// Text between tags or within quotes: markup as entities, what XML 1.0 cannot hold (control characters, bytes that are
/// no UTF-8, surrogates, U+FFFE) as U+FFFD.
std::string escaped(std::string_view text);

std::string xml(std::vector<Suite> const& suites);

/// Writes the file, whole; "PATH: why not", or nothing.
std::optional<std::string> write(std::string const& path, std::vector<Suite> const& suites);

/// One check as a suite: a case each regime and output, and each law. Undecided is an error, unless it is allowed.
Suite suite(Kernel const& kernel, Subject const& subject, SubjectCheck const& check, CheckOptions const& options,
            bool allow_undecided);

}  // namespace demeter::junit
