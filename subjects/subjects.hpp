// All subjects of this build, and how they are found by name.
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/peers.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// Returns the methods of subjects/methods/. The build generates this function.
std::vector<Subject> approximate_methods();

/// Returns our own implementations (fast at every level of this CPU, variants, printed formulas in double), approximate
/// methods, and the peers that are libraries. Loads the libraries. Programs are not included: see found_programs().
std::vector<Subject const*> const& subjects();

/// Returns the subjects of subjects() and the installed programs.
std::vector<Subject const*> const& subjects_and_programs();

/// Returns the subject that a name means, or null. The name is one of
/// - a full name: "fast@avx2", "bullet"
/// - a formula in its usual arithmetic: "documented" means "documented@double". "fast" means the highest level of each
///   kernel on this CPU (see `subject_for`).
/// - a subject from outside: "lib:PATH", "pipe:COMMAND", "file:PATH"
/// If a program and a formula have the same name, as "liggghts", the name means the program, installed or not. The
/// formula is then "liggghts@double".
Subject const* find_subject(std::string_view what);

/// Returns a subject with these options, or why it is not available. Calls with equal arguments return the same object.
Found find_subject(std::string_view what, SubjectOptions const& options);

/// Returns the subject that answers the kernel, or null if `subject` does not answer it. For "fast" this is a level,
/// such as "fast@avx2"; for other subjects it is `subject`.
Subject const* subject_for(Kernel const& kernel, Subject const& subject);
/// Returns why subject_for() returns null, in one line.
std::string why_not(Kernel const& kernel, Subject const& subject);

/// References to a subject, a kernel that it answers, and the subject's functions for this kernel. All must outlive
/// this object.
struct Asked {
  Asked(Subject const& subject_, Kernel const& kernel_)
      : subject(subject_), kernel(kernel_), answering(*subject_.find(kernel_.name)) {}

  Subject const& subject;
  Kernel const& kernel;
  Answering const& answering;
};

/// Returns true if the subject answers the kernel by a formula of our own that handles one case at a time. Then an
/// answer depends on its case only.
bool is_formula_of_ours(Subject const& subject, std::string_view kernel);

/// Returns the subjects among `among` that answer the kernel.
std::vector<Subject const*> subjects_answering(Kernel const& kernel, std::vector<Subject const*> const& among);
/// Returns all subjects of this build that answer the kernel.
std::vector<Subject const*> subjects_answering(Kernel const& kernel);

/// Returns the names of all subjects for a message: "fast, documented, ...".
std::string subject_names();

/// Answers all cases with a subject: in this process if the subject is ours, otherwise in child processes with limits.
/// An answer of a foreign subject without any output, or with a list of wrong length, is malformed. A subject in
/// binary32 gets rounded inputs. Cases that leave the range of binary32 or the kernel's domain by rounding are not
/// representable.
void answer(Subject const& subject, Kernel const& kernel, Table const& cases, Answers& answers);

/// Returns why a program behind a pipe cannot be checked, or nothing. A program cannot be checked if it ends before its
/// first answer, both with each of a few cases of these kernels and without a case. The reason contains its last
/// message.
std::optional<std::string> cannot_start(Subject const& subject, std::vector<Kernel const*> const& kernels);

/// Answers several tables like `answer`, but keeps one child process for a subject that is not ours. Use it for
/// searches with many small tables, and in one thread only.
class Interview {
 public:
  /// The subject and the kernel must outlive this object.
  Interview(Subject const& subject, Kernel const& kernel);
  void operator()(Table const& cases, Answers& answers);

 private:
  Asked asked_;
  std::unique_ptr<IsolatedAnswers> child_;
};

}  // namespace demeter
