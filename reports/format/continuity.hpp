// Searches and measures the continuity of a kernel's subjects, and describes it as records for the command and the
// report.
#pragma once

#include "check/continuity.hpp"
#include "check/passivity.hpp"
#include "reports/format/describe.hpp"

#include <string>
#include <vector>

namespace demeter {

struct SurveyOptions {
  std::uint64_t seed = 1;
  std::uint64_t paths = 120'000;  ///< number of paths of the recommended formula, the subject that is searched most
  std::uint64_t others = 3'000;   ///< number of paths of each other subject of Demeter
  std::uint64_t outside = 240;    ///< number of paths of each subject of other projects; such a subject runs in a
                                  ///< separate process
  std::optional<std::size_t> family;
  double seconds = 0;  ///< time for all subjects together, in seconds; no further paths are drawn after this time; 0:
                       ///< no limit
  bool passivity = true;
  std::function<void(double done, std::string const& what)> progress;
  unsigned jobs = 1;  ///< number of subjects that run in parallel
  std::atomic<bool> const* stop = nullptr;
};

/// The results of one subject.
struct Surveyed {
  Subject const* subject;
  Continuity continuity;
  Passivity passivity;
};

/// Returns true if the subject is the kernel's recommended formula: the reference in binary64, or the fast form.
bool is_recommended(Subject const& subject);

/// Returns the default subjects of a survey: the reference, the fast form at the best level of this CPU, the printed
/// formulas in binary64 and the peers that answer.
std::vector<Subject const*> surveyed_subjects(Kernel const& kernel);

std::vector<Surveyed> survey(Kernel const& kernel, Laboratory const& laboratory,
                             std::vector<Subject const*> const& subjects, SurveyOptions const& options);

/// Returns the command `demeter continuity ...` for one path, quoted for a shell.
std::string continuity_command(Laboratory const& laboratory, Table const& path, std::size_t row,
                               Subject const& subject);
/// Returns the shortest name that --subject accepts, for example `woo` for "woo@double".
std::string short_name(Subject const& subject);

/// Return a size and its unit for display. Angles are in degrees, and everything else is unchanged.
double shown(Quantity const& quantity, double size);
std::string_view shown_unit(Quantity const& quantity);

report::Watched describe(Kernel const& kernel, Laboratory const& laboratory, Surveyed const& surveyed);

/// Returns everything that a survey found. For each transition, the record contains a path for a plot and the
/// observations of every subject along this path.
report::Continuity describe(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
                            SurveyOptions const& options);

}  // namespace demeter
