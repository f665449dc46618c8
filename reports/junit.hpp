// JUnit XML in the form that GitLab, Jenkins and GitHub Actions read.
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
  std::string message;  ///< the reason why the case did not pass, in one line
  std::string detail;   ///< further information: the case, the command
};

struct Suite {
  std::string name;   ///< "segment_distance x fast@avx2"
  std::string group;  ///< class name of the cases: "segment_distance.fast@avx2"
  std::vector<Case> cases;
};

/// Returns a text for use between tags or in quotes. Markup becomes entities. Bytes that XML 1.0 does not allow
/// (control characters, invalid UTF-8, surrogates, U+FFFE) become U+FFFD.
std::string escaped(std::string_view text);

std::string xml(std::vector<Suite> const& suites);

/// Writes the suites into a file. Returns an error "PATH: ...", or nothing.
std::optional<std::string> write(std::string const& path, std::vector<Suite> const& suites);

/// Returns one check as a suite. It has one case per regime and output, per law and per call pattern. Other cases
/// report recorded failures and problems of the whole check. An undecided case is an error, unless `allow_undecided` is
/// true.
Suite suite(Kernel const& kernel, Subject const& subject, SubjectCheck const& check, CheckOptions const& options,
            bool allow_undecided);

}  // namespace demeter::junit
