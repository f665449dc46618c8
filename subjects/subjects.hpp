// Every subject this build can reach, and how a name finds one.
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/peers.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// The methods of subjects/methods/. Generated.
std::vector<Subject> approximate_methods();

/// Our own implementations (fast at every level of this CPU, variants, printed formulas in double), approximate
/// methods, then the peers that are libraries, which are loaded for it. Programs are found by name, and listed by
/// found_programs().
std::vector<Subject const*> const& subjects();

/// The same, and the programs that are installed.
std::vector<Subject const*> const& subjects_and_programs();

/// The subject `what` names: a full name ("fast@avx2", "bullet"), a formula alone, which means its usual arithmetic
/// ("documented" double; "fast" each kernel's best level on this CPU, see `subject_for`), or one from outside
/// ("lib:PATH", "pipe:COMMAND", "file:PATH"). A word that names a program and a formula is the program, installed or
/// not; the formula is "liggghts@double". Null if there is none.
Subject const* find_subject(std::string_view what);

/// The same with limits, and with the reason. A subject once found stays, and is found again for the same arguments.
Found find_subject(std::string_view what, SubjectOptions const& options);

/// The subject as it answers the kernel, or null if it does not: of "fast" the level that the kernel has ("fast@avx2").
Subject const* subject_for(Kernel const& kernel, Subject const& subject);
/// Why that is null, in one line.
std::string why_not(Kernel const& kernel, Subject const& subject);

/// A subject and a kernel that the subject answers, with its answering looked up once. All must outlive this.
struct Asked {
  Asked(Subject const& subject_, Kernel const& kernel_)
      : subject(subject_), kernel(kernel_), answering(*subject_.find(kernel_.name)) {}

  Subject const& subject;
  Kernel const& kernel;
  Answering const& answering;
};

/// Whether the subject answers the kernel by a formula of our own for one case, with which the harness itself goes
/// through the rows: what is answered to a case depends on nothing else.
bool is_formula_of_ours(Subject const& subject, std::string_view kernel);

/// Those of `among` that answer the kernel.
std::vector<Subject const*> subjects_answering(Kernel const& kernel, std::vector<Subject const*> const& among);
/// All in this build that do.
std::vector<Subject const*> subjects_answering(Kernel const& kernel);

/// "fast, documented, ... " for a message.
std::string subject_names();

/// Answers all cases of a kernel that the subject answers: in this process if the subject is ours, otherwise in
/// children with limits. A subject that is not ours and says that it has answered without any output, or with a list of
/// another length than the kernel says, has given a malformed answer. One that answers in binary32 is given rounded
/// inputs; those that leave binary32's range or the kernel's domain by it are not representable.
void answer(Subject const& subject, Kernel const& kernel, Table const& cases, Answers& answers);

/// Why a program that is asked over a pipe cannot be checked at all: it ends before its first answer, whatever it is
/// asked first, and without a case too; with its last words. Nothing if it answers one of a few cases of these
/// kernels in any way, takes its time, or is no such program.
std::optional<std::string> cannot_start(Subject const& subject, std::vector<Kernel const*> const& kernels);

/// Answers table after table as `answer` does, but a subject that is not ours in one child that stays: for a search by
/// many small tables. For one thread.
class Interview {
 public:
  /// Both must outlive it.
  Interview(Subject const& subject, Kernel const& kernel);
  void operator()(Table const& cases, Answers& answers);

 private:
  Asked asked_;
  std::unique_ptr<IsolatedAnswers> child_;
};

}  // namespace demeter
