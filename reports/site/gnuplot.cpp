// Figures for a paper, drawn as PDF by gnuplot.
#include "base/files.hpp"
#include "check/threads.hpp"
#include "reports/site/html.hpp"
#include "reports/site/plots.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

extern char** environ;

namespace demeter::report {
namespace {

namespace fs = std::filesystem;

bool on_path(std::string_view program) {
  char const* const path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    std::size_t const colon = rest.find(':');
    std::string const candidate = fmt::format("{}/{}", rest.substr(0, colon), program);
    if (fs::is_regular_file(fs::path(candidate)) && access(candidate.c_str(), X_OK) == 0) return true;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return false;
}

/// Runs gnuplot in `folder` with its output in a log file. Returns its exit code, or nothing if gnuplot could not be
/// started, was ended by a signal, or ran longer than 60 s.
std::optional<int> run_gnuplot(fs::path const& folder, std::string const& script, std::string const& log) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::string program = "gnuplot", defaults = "-d", file = script;  // -d: ignores the user's initialisation file
  std::array<char*, 4> arguments{program.data(), defaults.data(), file.data(), nullptr};
  // The home folder is the folder in which gnuplot runs, so that gnuplot does not use fonts of the user.
  std::string home = "HOME=.";
  std::vector<char*> environment{home.data()};
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view const variable = *each; !variable.starts_with("HOME=") && !variable.starts_with("XDG_"))
      environment.push_back(*each);
  environment.push_back(nullptr);
  pid_t child = 0;
  int const failure = posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return std::nullopt;

  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int status = 0;
  while (true) {
    pid_t const ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return std::nullopt;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

/// Replaces the time of drawing in a PDF by a fixed time, so that equal figures have equal bytes. gnuplot has no option
/// for this time.
void forget_date(std::string& pdf) {
  for (std::string_view const key : {"/CreationDate (D:", "/ModDate (D:"}) {
    for (std::size_t at = pdf.find(key); at != std::string::npos; at = pdf.find(key, at + 1)) {
      static constexpr std::string_view moment = "19700101000000";
      if (at + key.size() + moment.size() > pdf.size()) break;
      pdf.replace(at + key.size(), moment.size(), moment);  // same length, so that the offsets in the file stay valid
    }
  }
}

/// A temporary subfolder for gnuplot's output, removed by the destructor.
class DrawingFolder {
 public:
  explicit DrawingFolder(fs::path const& within) {
    std::string pattern = (within / ".drawing-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~DrawingFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  DrawingFolder(DrawingFolder const&) = delete;
  DrawingFolder& operator=(DrawingFolder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

/// Removes temporary folders that killed runs have left: those older than one hour, longer than any drawing takes.
void sweep_drawings(fs::path const& folder) {
  std::error_code ignored;
  std::vector<fs::path> old;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().rfind(".drawing-", 0) != 0 || entry.is_symlink(ignored)) continue;
    if (fs::file_time_type::clock::now() - entry.last_write_time(ignored) > std::chrono::hours(1))
      old.push_back(entry.path());
  }
  for (auto const& each : old) fs::remove_all(each, ignored);
}

/// Draws one figure in `scratch` and moves the PDF to `folder`. Returns what went wrong.
std::optional<std::string> draw_one(Figure const& figure, fs::path const& folder, fs::path const& scratch) {
  std::string const script = figure.file + ".gp", data = figure.file + ".dat", log = figure.file + ".log",
                    pdf = figure.file + ".pdf";
  auto wrong = write_whole(scratch / script, figure.drawing.script(figure.file), Links::replaced);
  if (!wrong) wrong = write_whole(scratch / data, figure.drawing.data(), Links::replaced);
  if (wrong) return wrong;
  std::optional<int> const code = run_gnuplot(scratch, script, log);
  std::optional<std::string> result;
  auto text = code == 0 ? read_whole(scratch / pdf) : std::nullopt;
  // A file replaces the previous one only when it is complete. Symbolic links in `folder` are not followed.
  if (text && text->find("%%EOF", text->size() - std::min<std::size_t>(text->size(), 16)) != std::string::npos) {
    forget_date(*text);
    result = write_whole(folder / pdf, *text, Links::replaced);
  } else {
    std::string const said = shortened(read_whole(scratch / log).value_or(""), 200);
    result = fmt::format("figures/{} was not drawn: {}", pdf,
                         code ? fmt::format("gnuplot exited with {}: {}", *code, plot_field(said, 200))
                              : std::string("gnuplot did not start, was ended by a signal, or ran longer than 60 s"));
  }
  std::error_code ignored;
  for (auto const& name : {script, data, log, pdf}) fs::remove(scratch / name, ignored);
  return result;
}

}  // namespace

bool can_draw_paper() { return on_path("gnuplot"); }

std::optional<std::string> draw_paper(std::vector<Figure>& figures, fs::path const& folder) {
  auto const nothing = [&](std::string const& why) {
    for (Figure& figure : figures) figure.file.clear();
    return "figures are not drawn: " + why;
  };
  if (figures.empty()) return std::nullopt;
  if (!can_draw_paper()) return nothing("gnuplot is not installed (apt-get install gnuplot-nox)");
  sweep_drawings(folder);
  DrawingFolder const scratch(folder);
  if (scratch.path().empty()) return nothing(fmt::format("{}: {}", folder.string(), reason_of(errno)));
  std::vector<std::optional<std::string>> notes(figures.size());
  for_each_in_threads(std::max(1U, std::thread::hardware_concurrency()), figures.size(), nullptr,
                      [&](std::size_t i) { notes[i] = draw_one(figures[i], folder, scratch.path()); });
  std::optional<std::string> first;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!notes[i]) continue;
    figures[i].file.clear();
    if (!first) first = notes[i];
  }
  return first;
}

}  // namespace demeter::report
