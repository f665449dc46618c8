// Subjects from outside: a shared library with the C interface of subjects/demeter_subject.h ("lib:PATH"), a program
// that answers JSON lines ("pipe:COMMAND"), or recorded answers ("file:PATH").
#pragma once

#include "kernels/kernel.hpp"
#include "subjects/columns.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace demeter {

/// Options of a subject that a user may give in addition to its name.
struct SubjectOptions {
  std::optional<std::chrono::milliseconds> time;  ///< time limit per chunk of cases; default: as in Limits
  std::optional<std::size_t> memory;              ///< memory limit in bytes, 0: none; default: as in Limits
  bool binary32 = false;
  std::size_t timeouts = 6;  ///< after this number of timeouts the time limit is shorter; after ten times this number
                             ///< the subject is not asked any more

  bool operator==(SubjectOptions const&) const = default;
  Limits limits() const;
};

/// A subject, or the reason why it cannot be opened.
struct Opened {
  std::optional<Subject> subject;
  std::string wrong;
};

/// Returns true if `what` has the form of a subject from outside.
bool is_outside(std::string_view what);
/// Returns true if the subject is from outside: a library, a program behind a pipe, or recorded answers.
bool is_outside(Subject const& subject);

/// Returns a name of the same subject that works in other folders. Makes the paths of libraries and files absolute. If
/// a word of a program's command is a file in the current folder, or begins with ./ or ../, the new command changes to
/// the current folder first.
std::string from_anywhere(std::string_view what);

/// Opens "lib:PATH", "pipe:COMMAND" or "file:PATH" for the kernels `among`, which must outlive the subject.
Opened open_outside(std::string_view what, SubjectOptions const& options, std::span<Kernel const> among = kernels());

/// Opens a shared library, which is loaded only in child processes. If it crashes or hangs while loading, opening
/// fails.
Opened open_library(std::string const& path, SubjectOptions const& options, std::span<Kernel const> among);

/// Returns the function of a library for a kernel, or an empty function if the subject is not a library that answers
/// the kernel. Call the function only in a child process: its first call loads the library.
ColumnFunction library_function(Subject const& subject, Kernel const& kernel);

/// Opens a program, which is run with `/bin/sh -c` and started when it is first asked. See pipe.cpp for the protocol.
Opened open_pipe(std::string const& command, SubjectOptions const& options, std::span<Kernel const> among);

/// Opens a file with recorded answers. The answer to a case is the one whose input has the same bits.
Opened open_recorded(std::string const& path, SubjectOptions const& options, std::span<Kernel const> among);

/// Returns a kernel for the check of recorded answers: a copy of `kernel` with one regime, "recorded". This regime has
/// the cases of the file, in their order. Sets `count` to the number of cases. Returns null if `subject` is not an open
/// file that answers the kernel.
Kernel const* recorded_kernel(Kernel const& kernel, Subject const& subject, std::uint64_t& count);

/// Returns `cases` with every number rounded to binary32. Numbers beyond the range of binary32 become infinite.
Table rounded_to_binary32(Schema const& input, Table const& cases);

/// Returns the cases at which a subject in binary32 is judged. The cases are rounded, except cases that rounding moves
/// out of the kernel's domain: these are not representable.
Table judged_in_binary32(Kernel const& kernel, Table const& cases);

/// Returns true if the numbers of a row are binary32 numbers.
bool is_binary32(Kernel const& kernel, Table const& cases, std::size_t row);

}  // namespace demeter
