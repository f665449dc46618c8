#include "base/files.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

namespace demeter {
namespace {

namespace fs = std::filesystem;

/// Owns a file descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Returns false if the close failed: some file systems report a full disk only here.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

std::string file_failure(fs::path const& path, int error) { return path.string() + ": " + reason_of(error); }

/// Writes all of `text`. Returns false with errno set on failure. Gives up when the file accepts nothing for a minute.
bool put_all(int file, std::string_view text) {
  while (!text.empty()) {
    ssize_t const written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd waiting{file, POLLOUT, 0};
      if (::poll(&waiting, 1, 60'000) != 0) continue;
      errno = ETIMEDOUT;
    }
    if (written < 0) return false;
    if (written == 0) {
      errno = ENOSPC;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Syncs a file to the disk. Returns false on an error. It is not an error if the file system cannot sync (EINVAL,
/// EROFS, ENOTSUP).
bool kept_on_disk(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP; }

/// Returns a file name for a draft. No other draft has this name. The name is short even if the name of the final file
/// is long.
std::string draft_name() {
  static std::atomic<unsigned> count = 0;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return fmt::format(".demeter-{}-{:x}-{}.part", ::getpid(), now.tv_nsec, ++count);
}

/// Returns whether a file is a draft whose process does not exist any more.
bool is_abandoned_draft(fs::path const& path) {
  constexpr std::string_view begin = ".demeter-";
  std::string const name = path.filename().string();
  if (!name.starts_with(begin) || !name.ends_with(".part")) return false;
  long const process = std::strtol(name.c_str() + begin.size(), nullptr, 10);
  return process > 0 && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

fs::path folder_of_file(fs::path const& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// The path of a file after links have been followed. A file is `special` if it is a pipe, a terminal or a device. A
/// special file is written into and never replaced.
struct FilePlace {
  fs::path path;
  bool there = false, special = false;
  mode_t mode = 0;
};

/// Finds where a file must be written. Returns 0 or an errno.
int find_place(fs::path const& path, Links links, FilePlace& place) {
  place.path = path;
  if (path.empty()) return ENOENT;
  struct stat status {};
  for (int followed = 0;; ++followed) {
    if (::lstat(place.path.c_str(), &status) != 0) {
      if (errno != ENOENT) return errno;
      return place.path.filename().empty() ? EISDIR : 0;  // the file will be created
    }
    if (!S_ISLNK(status.st_mode) || links == Links::replaced) break;
    if (followed == 40) return ELOOP;
    std::error_code error;
    auto const to = fs::read_symlink(place.path, error), folder = fs::canonical(folder_of_file(place.path), error);
    if (error) return error.value();
    // A file behind /dev/stdout or /dev/fd/63 has no name, so it cannot be replaced by a rename.
    if ((folder / "").string().rfind("/proc/", 0) == 0) {
      if (::stat(place.path.c_str(), &status) != 0) return errno;
      if (S_ISDIR(status.st_mode)) return EISDIR;
      place.there = place.special = true;
      return 0;
    }
    place.path = to.is_absolute() ? to : place.path.parent_path() / to;
  }
  place.there = true;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  place.special = !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode);
  if (place.special && links == Links::replaced) return EEXIST;
  if (S_ISREG(status.st_mode)) {
    place.mode = status.st_mode & 07777;
    if (::access(place.path.c_str(), W_OK) != 0) return errno;
  }
  return 0;
}

/// Returns 0 if files can be created in a folder, otherwise an errno.
int write_error_in(fs::path const& folder) {
  int number = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);
  if (number < 0 && errno != EACCES && errno != ENOENT && errno != EROFS && errno != ENOTDIR) {
    fs::path const draft = folder / draft_name();
    number = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int const error = errno;
    if (number >= 0) ::unlink(draft.c_str());
    errno = error;
  }
  Descriptor const file(number);
  return file.is_open() ? 0 : errno;
}

/// Opens a special file for writing. For a pipe, waits up to five seconds for a reader. Then fails with ENXIO.
int open_special(fs::path const& path) {
  auto const until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (;;) {
    int const file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 || errno != ENXIO || std::chrono::steady_clock::now() > until) return file;
    ::poll(nullptr, 0, 20);
  }
}

/// Syncs a folder, so that a new name survives a loss of power. Errors are ignored: not every folder can be synced.
void sync_names(fs::path const& folder) {
  Descriptor const made(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (made.is_open()) ::fsync(made.number());
}

/// Writes a draft in the folder of the file, then renames it to the final name. Returns 0 or an errno.
int write_beside(FilePlace const& place, std::string_view text) {
  fs::path const folder = folder_of_file(place.path), draft = folder / draft_name();
  bool named = false;
  auto const give_up = [&](int error) {
    if (named) ::unlink(draft.c_str());
    return error;
  };
  // With O_TMPFILE the draft has no name while it is incomplete: a killed process leaves no partial file behind.
  int number = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (number < 0) {
    if (errno == EACCES || errno == ENOENT || errno == ENOSPC || errno == EDQUOT || errno == EMFILE || errno == ENFILE)
      return errno;
    number = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (number < 0) return errno;
    named = true;
  }
  Descriptor file(number);
  if (!put_all(file.number(), text)) return give_up(errno);
  if (place.mode != 0) ::fchmod(file.number(), place.mode);
  if (!kept_on_disk(file.number())) return give_up(errno);
  if (!named) {
    std::string const self = fmt::format("/proc/self/fd/{}", file.number());
    // If the final name does not exist yet, the file is linked to this name directly. No draft name is then needed. A
    // killed process could leave a file with a draft name behind.
    bool const placed =
        place.mode == 0 && ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, place.path.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (placed) {
      if (!file.close()) return errno;
      sync_names(folder);
      return 0;
    }
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, draft.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      named = true;
    } else {  // linkat failed, for example because /proc is missing
      Descriptor again(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
      if (!again.is_open()) return errno;
      named = true;
      if (!put_all(again.number(), text)) return give_up(errno);
      if (place.mode != 0) ::fchmod(again.number(), place.mode);
      if (!kept_on_disk(again.number()) || !again.close()) return give_up(errno);
    }
  }
  if (!file.close()) return give_up(errno);
  if (::rename(draft.c_str(), place.path.c_str()) != 0) return give_up(errno);
  sync_names(folder);
  return 0;
}

/// Makes a write beyond the file size limit return an error instead of ending the program by SIGXFSZ.
void ignore_file_limit() {
  struct sigaction now {};
  if (::sigaction(SIGXFSZ, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace

std::string reason_of(int error) {
  if (error == ENXIO) return "no program reads from this pipe";
  if (error == ETIMEDOUT) return "no program uses the other end of this pipe";
  return std::strerror(error);
}

std::optional<std::string> write_whole(fs::path const& path, std::string_view text, Links links) {
  ignore_file_limit();
  FilePlace place;
  if (int const error = find_place(path, links, place); error != 0) return file_failure(path, error);
  if (!place.special) {
    int const error = write_beside(place, text);
    return error == 0 ? std::nullopt : std::optional(file_failure(path, error));
  }
  Descriptor file(open_special(place.path));
  if (!file.is_open() || !put_all(file.number(), text) || !file.close()) return file_failure(path, errno);
  return std::nullopt;
}

std::optional<std::string> cannot_write(fs::path const& path) {
  FilePlace place;
  if (int const error = find_place(path, Links::followed, place); error != 0) return file_failure(path, error);
  if (!place.special) {
    int const error = write_error_in(folder_of_file(place.path));
    return error == 0 ? std::nullopt : std::optional(file_failure(path, error));
  }
  // A pipe is not opened as a test: its reader would see the end of the pipe when we close it.
  if (::access(place.path.c_str(), W_OK) != 0) return file_failure(path, errno);
  return std::nullopt;
}

bool is_replaceable(fs::path const& path) {
  constexpr std::size_t looked_at = 4096;
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::string head(looked_at, '\0');
  ssize_t const got = ::pread(file.number(), head.data(), head.size(), 0);
  if (got < 0) return false;
  head.resize(static_cast<std::size_t>(got));
  return head.empty() || head.find(output_mark) != std::string::npos;
}

namespace {

bool is_same(struct stat const& one, struct stat const& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

bool is_same_file(fs::path const& one, fs::path const& other) {
  FilePlace a, b;
  if (find_place(one, Links::followed, a) == EISDIR || find_place(other, Links::followed, b) == EISDIR) return false;
  if (a.special || b.special) return false;
  struct stat of_a {
  }, of_b{};
  if (::stat(a.path.c_str(), &of_a) == 0 && ::stat(b.path.c_str(), &of_b) == 0) return is_same(of_a, of_b);
  std::error_code error;
  auto const whole = [&error](fs::path const& path) {
    return fs::weakly_canonical(folder_of_file(path), error) / path.filename();
  };
  return !a.path.empty() && whole(a.path) == whole(b.path);
}

bool is_same_file(fs::path const& path, int descriptor) {
  FilePlace place;
  struct stat named {
  }, open{};
  return find_place(path, Links::followed, place) == 0 && place.there && !place.special &&
         ::stat(place.path.c_str(), &named) == 0 && ::fstat(descriptor, &open) == 0 && S_ISREG(open.st_mode) &&
         is_same(named, open);
}

std::optional<std::string> append_whole(fs::path const& path, std::string_view text) {
  ignore_file_limit();
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  struct stat before {};
  if (!file.is_open() || ::fstat(file.number(), &before) != 0) return file_failure(path, errno);
  if (!S_ISREG(before.st_mode)) return path.string() + ": expected a regular file";
  if (put_all(file.number(), text) && kept_on_disk(file.number())) {
    if (!file.close()) return file_failure(path, errno);
    return std::nullopt;
  }
  int const error = errno;
  [[maybe_unused]] int const cut = ::ftruncate(file.number(), before.st_size);
  return file_failure(path, error);
}

std::optional<std::string> make_folder(fs::path const& folder, Links links) {
  std::error_code error;
  fs::path whole = folder;
  if (whole.filename().empty() && whole.has_parent_path()) whole = whole.parent_path();  // "made/"
  if (links == Links::replaced && fs::is_symlink(fs::symlink_status(whole, error)))
    return folder.string() + ": got a link, expected a folder";
  fs::create_directories(whole, error);
  if (error) return folder.string() + ": " + error.message();
  if (!fs::is_directory(whole, error)) return folder.string() + ": not a folder";
  return std::nullopt;
}

void sweep_drafts(fs::path const& folder) {
  std::error_code error;
  std::vector<fs::path> abandoned;
  for (auto each = fs::directory_iterator(folder, error); !error && each != fs::directory_iterator();
       each.increment(error))
    if (is_abandoned_draft(each->path())) abandoned.push_back(each->path());
  for (fs::path const& path : abandoned) fs::remove(path, error);
}

std::optional<std::string> cannot_write_into(fs::path const& folder) {
  int const error = write_error_in(folder);
  return error == 0 ? std::nullopt : std::optional(file_failure(folder, error));
}

int open_to_read(fs::path const& path, std::atomic<bool> const& stop) {
  int const file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return file;
  auto const refuse = [file](int error) {
    ::close(file);
    errno = error;
    return -1;
  };
  struct stat status {};
  if (::fstat(file, &status) != 0) return refuse(errno);
  if (S_ISDIR(status.st_mode)) return refuse(EISDIR);
  if (S_ISFIFO(status.st_mode)) {
    pollfd waiting{file, POLLIN, 0};
    constexpr int tenths_of_a_second = 50;
    int waited = 0;
    while (waited < tenths_of_a_second && !stop && ::poll(&waiting, 1, 100) == 0) ++waited;
    if (waited >= tenths_of_a_second) return refuse(ETIMEDOUT);
  }
  int const flags = ::fcntl(file, F_GETFL);
  ::fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
  return file;
}

std::optional<std::string> read_whole(fs::path const& path, std::size_t most) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  std::string text;
  auto const known = static_cast<std::size_t>(status.st_size);
  if (known > most) return std::nullopt;
  for (std::size_t size = 0;;) {
    // The buffer has room for the size that fstat reported and at least one byte more, to detect the end. It grows if
    // the file is larger than reported: a file in /proc reports size 0.
    text.resize(std::max(known + 1, size + (std::size_t{1} << 16)));
    ssize_t const got = ::read(file.number(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    size += static_cast<std::size_t>(got);
    if (size > most) return std::nullopt;
    if (got > 0) continue;
    text.resize(size);
    return text;
  }
}

FolderLock::FolderLock(fs::path const& folder, std::chrono::seconds patience) {
  auto const until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (file_ < 0) file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file_ < 0) {
      error_ = file_failure(folder, errno);
      return;
    }
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) {
      // The previous owner of the lock may have replaced the folder: check that the locked folder still has this path.
      struct stat locked {
      }, there{};
      if (::fstat(file_, &locked) == 0 && ::stat(folder.c_str(), &there) == 0 && is_same(locked, there)) return;
      ::close(std::exchange(file_, -1));
    } else if (errno != EWOULDBLOCK && errno != EINTR) {
      error_ = file_failure(folder, errno);
      return;
    }
    if (std::chrono::steady_clock::now() > until) {
      error_ = folder.string() + ": another run is writing to this folder";
      return;
    }
    ::poll(nullptr, 0, 5);
  }
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace demeter
