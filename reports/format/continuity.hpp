// The continuity of a kernel's subjects as data: searched, measured and described for the command and the report.
#pragma once

#include "check/continuity.hpp"
#include "check/passivity.hpp"
#include "reports/format/describe.hpp"

#include <string>
#include <vector>

namespace demeter {

struct SurveyOptions {
  std::uint64_t seed = 1;
  std::uint64_t paths = 120'000;  ///< of the recommended formula
  std::uint64_t others = 3'000;   ///< of every other one of Demeter's own
  std::uint64_t outside = 240;    ///< of other people's code, which answers in processes of its own
  std::optional<std::size_t> family;
  double seconds = 0;  ///< after which no further paths are drawn, all subjects together; 0: no limit
  bool passivity = true;
  std::function<void(double done, std::string const& what)> progress;
  unsigned jobs = 1;  ///< subjects at a time
  std::atomic<bool> const* stop = nullptr;
};

/// What was found of one subject.
struct Surveyed {
  Subject const* subject;
  Continuity continuity;
  Passivity passivity;
};

/// Whether the subject is the kernel's recommended formula: the reference in binary64, or the fast form.
bool is_recommended(Subject const& subject);

/// Those that a survey is about if none is named: the reference, the fast form at the best level of this CPU, the
/// printed formulas in binary64 and the peers that answer.
std::vector<Subject const*> surveyed_subjects(Kernel const& kernel);

std::vector<Surveyed> survey(Kernel const& kernel, Laboratory const& laboratory,
                             std::vector<Subject const*> const& subjects, SurveyOptions const& options);

/// `demeter continuity ...` for one path, as a shell takes it.
std::string continuity_command(Laboratory const& laboratory, Table const& path, std::size_t row,
                               Subject const& subject);
/// `woo` for "woo@double": as short as --subject takes it.
std::string short_name(Subject const& subject);

/// Angles in degrees, everything else as it is.
double shown(Quantity const& quantity, double size);
std::string_view shown_unit(Quantity const& quantity);

report::Watched describe(Kernel const& kernel, Laboratory const& laboratory, Surveyed const& surveyed);

/// Everything a survey found, with what each subject does along one path a transition, for plots.
report::Continuity describe(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
                            SurveyOptions const& options);

}  // namespace demeter
