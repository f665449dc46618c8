// Every file that the program writes is written here: whole or not at all.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// What a link in the place of a file is.
enum class Links {
  followed,  ///< the user named it: the file that it points at is written
  replaced,  ///< it stands in a folder that was made: nothing outside of that folder is touched
};

/// Writes a file beside its place first and renames it: a reader finds the old one or the new one, and what goes wrong
/// (a full disk, a signal, the loss of power) costs the new one only. The draft has a name of its own, so that two
/// runs at once do not mix. What is no regular file (a terminal, a pipe) is written into. Returns "PATH: reason", or
/// nothing.
std::optional<std::string> write_whole(std::filesystem::path const& path, std::string_view text,
                                       Links links = Links::followed);

/// Why `write_whole` would fail, as far as that can be known before: to be asked before long work. Leaves everything as
/// it is.
std::optional<std::string> cannot_write(std::filesystem::path const& path);

/// Text near the beginning of every file that Demeter writes, if the format of the file has a place for it.
inline constexpr std::string_view output_mark = "Written by Demeter";

/// Whether replacing a file loses nothing of anybody else: it is a regular file that is empty or has `output_mark` in
/// its first 4 KiB. Links are followed.
bool is_replaceable(std::filesystem::path const& path);

/// Whether two paths name one regular file, or would once it is written: links, hard links and other spellings of its
/// folder count.
bool is_same_file(std::filesystem::path const& one, std::filesystem::path const& other);
/// Whether a path names the regular file behind an open descriptor. A path below /proc, such as /dev/stdout, does not.
bool is_same_file(std::filesystem::path const& path, int descriptor);

/// Adds `text` to the end of a file that may not be there yet. It is on the disk when this returns; of a write that
/// fails nothing stays. Returns "PATH: reason", or nothing.
std::optional<std::string> append_whole(std::filesystem::path const& path, std::string_view text);

/// Makes a folder and those above it. With Links::replaced a link in its place is refused. Returns "PATH: reason", or
/// nothing.
std::optional<std::string> make_folder(std::filesystem::path const& folder, Links links = Links::followed);

/// Removes what `write_whole` left in a folder when its process was killed between the two names of a file.
void sweep_drafts(std::filesystem::path const& folder);

/// Why nothing can be written into a folder that is there, or nothing.
std::optional<std::string> cannot_write_into(std::filesystem::path const& folder);

/// The text of a regular file of at most `most` bytes; nothing if there is none or it cannot be read.
std::optional<std::string> read_whole(std::filesystem::path const& path, std::size_t most = std::size_t{1} << 30);

/// Others that ask for the same folder's wait, in this program or another, as long as this lives: for reading a file
/// and writing it anew. Leaves no file behind.
class FolderLock {
 public:
  /// What went wrong is in `error()`: another has it for longer than this, for one.
  explicit FolderLock(std::filesystem::path const& folder, std::chrono::seconds patience = std::chrono::minutes(10));
  ~FolderLock();
  FolderLock(FolderLock const&) = delete;
  FolderLock& operator=(FolderLock const&) = delete;
  std::optional<std::string> const& error() const { return error_; }

 private:
  int file_ = -1;
  std::optional<std::string> error_;
};

/// Opens a file that another wrote, to read it: a file descriptor, or -1 with errno set. A pipe is waited for until
/// somebody writes to it, for five seconds at most (ETIMEDOUT), or until the caller is told to stop; a folder is
/// refused (EISDIR).
int open_to_read(std::filesystem::path const& path, std::atomic<bool> const& stop);

/// What an errno means, in words.
std::string reason_of(int error);

}  // namespace demeter
