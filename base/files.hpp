// Safe reading and writing of files. A file is written as a whole or not at all.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

/// How to handle a symbolic link at the path of a file.
enum class Links {
  followed,  ///< the user gave the path: write the file that the link points to
  replaced,  ///< the path is in a folder that Demeter made: replace the link, touch nothing outside the folder
};

/// Writes the text to a draft in the same folder and renames the draft. A reader finds the old file or the new file,
/// never a part. A failure (full disk, signal, loss of power) leaves the old file intact. Each draft has its own name,
/// so that parallel runs do not mix. A special file (terminal, pipe) is written into directly. Returns "PATH: reason"
/// on failure, or nothing.
std::optional<std::string> write_whole(std::filesystem::path const& path, std::string_view text,
                                       Links links = Links::followed);

/// Returns why `write_whole` would fail, or nothing. Changes nothing on the disk. Call this before long work. It cannot
/// foresee every failure.
std::optional<std::string> cannot_write(std::filesystem::path const& path);

/// Text near the beginning of every file that Demeter writes, if the format of the file has a place for it.
inline constexpr std::string_view output_mark = "Written by Demeter";

/// Returns whether Demeter may replace a file: it is a regular file that is empty or has `output_mark` in its first 4
/// KiB. Follows links.
bool is_replaceable(std::filesystem::path const& path);

/// Returns whether two paths name one regular file, or will do so once the file is written. Resolves links, hard links
/// and different spellings of the folder.
bool is_same_file(std::filesystem::path const& one, std::filesystem::path const& other);
/// Returns whether a path names the regular file behind an open descriptor. Always false for a path below /proc, such
/// as /dev/stdout.
bool is_same_file(std::filesystem::path const& path, int descriptor);

/// Appends `text` to a file, which is created if necessary. The text is on the disk when this returns. A failed write
/// is undone. Returns "PATH: reason" on failure, or nothing.
std::optional<std::string> append_whole(std::filesystem::path const& path, std::string_view text);

/// Creates a folder and its parents. With Links::replaced, a link at this path is an error. Returns "PATH: reason" on
/// failure, or nothing.
std::optional<std::string> make_folder(std::filesystem::path const& folder, Links links = Links::followed);

/// Removes drafts that killed processes left in a folder.
void sweep_drafts(std::filesystem::path const& folder);

/// Returns why no file can be created in an existing folder, or nothing.
std::optional<std::string> cannot_write_into(std::filesystem::path const& folder);

/// Returns the text of a regular file of at most `most` bytes, or nothing if it cannot be read.
std::optional<std::string> read_whole(std::filesystem::path const& path, std::size_t most = std::size_t{1} << 30);

/// While this object lives, no other FolderLock, in this or another program, can lock the folder. Use it while you read
/// a file, change it and write it again. It creates no lock file.
class FolderLock {
 public:
  /// Waits for the lock for at most `patience`. On failure `error()` has the reason.
  explicit FolderLock(std::filesystem::path const& folder, std::chrono::seconds patience = std::chrono::minutes(10));
  ~FolderLock();
  FolderLock(FolderLock const&) = delete;
  FolderLock& operator=(FolderLock const&) = delete;
  std::optional<std::string> const& error() const { return error_; }

 private:
  int file_ = -1;
  std::optional<std::string> error_;
};

/// Opens a file for reading. The file may be a pipe that another program writes. For a pipe, waits until a program has
/// written to it or `stop` is set, for at most five seconds (then ETIMEDOUT). A folder is an error (EISDIR). Returns a
/// file descriptor, or -1 with errno set.
int open_to_read(std::filesystem::path const& path, std::atomic<bool> const& stop);

/// Returns the description of an errno.
std::string reason_of(int error);

}  // namespace demeter
