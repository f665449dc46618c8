// Subjects from outside: a shared library with the C interface of subjects/demeter_subject.h ("lib:PATH"), a program
// that answers JSON lines ("pipe:COMMAND"), recorded answers ("file:PATH").
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/columns.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace demeter {

/// What a user may say of a subject beside its name.
struct SubjectOptions {
  std::optional<std::chrono::milliseconds> time;  ///< for a chunk of cases; Limits' if not given
  std::optional<std::size_t> memory;              ///< bytes, 0: not limited; Limits' if not given
  bool binary32 = false;
  std::size_t timeouts = 6;  ///< after so many it is hurried, and after ten times as many asked no more

  bool operator==(SubjectOptions const&) const = default;
  Limits limits() const;
};

/// The subject, or what is wrong.
struct Opened {
  std::optional<Subject> subject;
  std::string wrong;
};

/// Whether `what` has the form of a subject from outside.
bool is_outside(std::string_view what);
/// Whether the subject is from outside: a library, a program behind a pipe, or recorded answers.
bool is_outside(Subject const& subject);

/// The same subject for a command that is run in another folder: paths of libraries and files are absolute, and a
/// program that has a word which is a file of this folder is run here.
std::string from_anywhere(std::string_view what);

/// Opens "lib:PATH", "pipe:COMMAND" or "file:PATH" for the kernels `among`, which must outlive the subject.
Opened open_outside(std::string_view what, SubjectOptions const& options, std::span<Kernel const> among = kernels());

/// A shared library is looked at in a child process and only ever loaded in one. If it crashes or hangs on loading, so
/// is its answer to every case.
Opened open_library(std::string const& path, SubjectOptions const& options, std::span<Kernel const> among);

/// The function of a library for a kernel, to be called in a child process only: its first call loads the library.
/// Empty for what is no open library that answers the kernel.
ColumnFunction library_function(Subject const& subject, Kernel const& kernel);

/// The program is run with `/bin/sh -c` and is started when first asked. See pipe.cpp for how it is spoken to.
Opened open_pipe(std::string const& command, SubjectOptions const& options, std::span<Kernel const> among);

/// Reads the file. An answer is looked up by its input, bit for bit.
Opened open_recorded(std::string const& path, SubjectOptions const& options, std::span<Kernel const> among);

/// The kernel with one regime, "recorded", that has the `count` cases of a file with recorded answers, in their order:
/// what a check of recorded answers is made on. Null if `what` does not name an open file that answers the kernel.
Kernel const* recorded_kernel(Kernel const& kernel, Subject const& subject, std::uint64_t& count);

/// `cases` with every number rounded to binary32. What is beyond its range becomes infinite.
Table rounded_to_binary32(Schema const& input, Table const& cases);

/// `cases` as a subject in binary32 is judged at them: rounded, but for those that leave the kernel's domain by it
/// (they are not representable).
Table judged_in_binary32(Kernel const& kernel, Table const& cases);

/// Whether row `row` is the same in binary32.
bool is_binary32(Kernel const& kernel, Table const& cases, std::size_t row);

}  // namespace demeter
