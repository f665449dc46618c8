// Helpers for tests that run the command. Each test has its own folder. The helpers run shell lines in this folder,
// with the command on the PATH, and return the output.
#pragma once

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/places.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace demeter {

namespace fs = std::filesystem;

/// A valid input line of capsule_mass_properties.
inline constexpr char const* good_capsule = R"({"id":1,"input":{"radius":0.5,"shaft":1,"density":1000}})";

inline std::string read_file(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Returns the first line that begins with `start`, without leading spaces; "" if there is none.
inline std::string line_after(std::string const& text, std::string const& start) {
  for (auto& line : lines_of(text)) {
    line.erase(0, line.find_first_not_of(' '));
    if (line.rfind(start, 0) == 0) return line;
  }
  return "";
}

/// Returns the path of a browser that has a headless mode, or nothing.
inline std::string browser() {
  for (std::string const name : {"chromium", "chromium-browser", "google-chrome"})
    for (std::string const folder : {"/usr/bin/", "/usr/local/bin/"})
      if (fs::exists(folder + name)) return folder + name;
  return "";
}

/// A folder for one test. The destructor removes it.
class Folder {
 public:
  Folder() {
    auto pattern = (fs::temp_directory_path() / "demeter-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    fs::permissions(path_, fs::perms::owner_all, ignored);  // a test may have changed the permissions
    fs::remove_all(path_, ignored);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

struct Ran {
  int code = -1;  ///< exit code; 128 plus the number of the signal if a signal ended the line
  std::string out, err;
  long peak_kilobytes = 0;       ///< peak memory of the largest process of the line
  double processor_seconds = 0;  ///< processor time of all processes together
};

/// A test with its own folder.
class FolderTest : public testing::Test {
  Folder own_;

 protected:
  fs::path const folder = own_.path();
};

/// A test with its own folder that runs the command: the build folder is on the PATH of the shell.
class CommandTest : public FolderTest {
 protected:
  void put(std::string const& name, std::string const& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  std::string get(std::string const& name) const { return read_file(folder / name); }

  /// Starts a shell line with `input` on standard input. Call `finish` before the next line is started.
  pid_t start(std::string const& line, std::string const& input = "") const {
    put(".stdin", input);
    std::string const script = "cd '" + folder.string() + "' && PATH='" +
                               fs::path(DEMETER_COMMAND).parent_path().string() + "':\"$PATH\" && { " + line +
                               "\n} <.stdin >.stdout 2>.stderr";
    char const* const arguments[] = {"bash", "-c", script.c_str(), nullptr};
    pid_t child = 0;
    EXPECT_EQ(posix_spawn(&child, "/bin/bash", nullptr, nullptr, const_cast<char* const*>(arguments), environ), 0);
    return child;
  }
  Ran finish(pid_t child) const {
    int status = 0;
    rusage usage{};
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), get(".stdout"), get(".stderr"),
            usage.ru_maxrss,
            static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)};
  }
  Ran run(std::string const& line, std::string const& input = "") const { return finish(start(line, input)); }

  /// Waits until `seen()` is true. Fails if the child ends earlier. There is no time limit, because a machine may be
  /// busy.
  template <class Seen>
  void wait_until(pid_t child, Seen const& seen) const {
    while (!seen()) {
      siginfo_t ended{};
      ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT), 0);
      ASSERT_EQ(ended.si_pid, 0) << "it ended before: " << get(".stderr");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  /// Waits until the child is the command and has installed its handler of the signal. (Before, the child is the
  /// shell.)
  void wait_until_it_handles(int signal, pid_t child) const {
    wait_until(child, [&] {
      std::string const status = read_file("/proc/" + std::to_string(child) + "/status");
      std::string const caught = line_after(status, "SigCgt:");
      return line_after(status, "Name:") == "Name:\tdemeter" && !caught.empty() &&
             (std::stoull(caught.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
    });
  }
  /// Waits until a check with `--failures failures` has recorded a failure, and therefore has judged cases.
  void wait_until_it_has_failed(fs::path const& failures, pid_t child) const {
    wait_until(child, [&] {
      std::error_code error;
      for (auto const& file : fs::recursive_directory_iterator(failures, error))
        if (file.path().extension() == ".jsonl") return true;
      return false;
    });
  }

  /// Returns the text without the progress lines "  9 %  10 s  what", which appear on slow machines.
  static std::string without_progress(std::string const& said) {
    return std::regex_replace(said, std::regex(" *[0-9]+ %  [0-9]+ s  [^\n]*\n"), "");
  }

  /// Expects that the line exits with 0 and prints nothing except progress on standard error.
  Ran holds(std::string const& line, std::string const& input = "") const {
    Ran ran = run(line, input);
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.err;
    EXPECT_EQ(without_progress(ran.err), "") << line;
    return ran;
  }
  /// Expects that the line exits with this code and prints one line on standard error that contains `reason`.
  Ran fails(int code, std::string const& line, std::string const& reason, std::string const& input = "") const {
    Ran ran = run(line, input);
    ran.err = without_progress(ran.err);
    EXPECT_EQ(ran.code, code) << line << "\n" << ran.err;
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << line << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << line << "\n" << ran.err;
    EXPECT_TRUE(contains(ran.err, reason)) << line << "\nexpected \"" << reason << "\" in: " << ran.err;
    return ran;
  }
};

}  // namespace demeter
