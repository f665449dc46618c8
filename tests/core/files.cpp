// Tests the functions that write files (files.hpp), run threads (threads.hpp) and check the floating-point environment
// (ground.hpp).
#include "base/files.hpp"
#include "base/ground.hpp"
#include "check/threads.hpp"
#include "tests/core/command.hpp"
#include "tests/core/sanitized.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <cfenv>
#include <csignal>
#include <numeric>
#include <set>

namespace demeter {
namespace files_test {

class Files : public FolderTest {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }
  void put(std::string const& name, std::string const& text) const { std::ofstream(folder / name) << text; }
  std::string get(std::string const& name) const { return read_file(folder / name); }
};

TEST_F(Files, ReplacedFilesKeepTheirPermissionsAndLeaveNoDraft) {
  EXPECT_EQ(write_whole(folder / "new", "one"), std::nullopt);
  EXPECT_EQ(get("new"), "one");
  ASSERT_EQ(::chmod((folder / "new").c_str(), 0640), 0);
  EXPECT_EQ(write_whole(folder / "new", ""), std::nullopt);
  EXPECT_EQ(get("new"), "");
  struct stat status {};
  ASSERT_EQ(::stat((folder / "new").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(names(), std::vector<std::string>{"new"}) << "no draft is left";
}

TEST_F(Files, DifferentNamesOfOneFileAreRecognisedAsTheSameFile) {
  put("file", "text");
  put("other", "text");
  fs::create_directory(folder / "deep");
  fs::create_symlink("file", folder / "soft");
  fs::create_symlink("../file", folder / "deep/soft");
  fs::create_hard_link(folder / "file", folder / "hard");
  fs::create_symlink("none", folder / "dangling");
  for (char const* name : {"file", "./file", "deep/../file", "soft", "hard", "deep/soft"})
    EXPECT_TRUE(is_same_file(folder / name, folder / "file")) << name;
  EXPECT_TRUE(is_same_file(folder / "none", folder / "dangling"));
  EXPECT_TRUE(is_same_file(folder / "none", folder / "deep/../none"));
  EXPECT_FALSE(is_same_file(folder / "none", folder / "deep/none"));
  EXPECT_FALSE(is_same_file(folder / "file", folder / "other"));
  EXPECT_FALSE(is_same_file(folder, folder)) << "folders are no files";
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null")) << "nothing is lost in them";
  int const open = ::open((folder / "file").c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_TRUE(is_same_file(folder / "hard", open));
  EXPECT_FALSE(is_same_file(folder / "other", open));
  EXPECT_FALSE(is_same_file("/proc/self/fd/" + std::to_string(open), open)) << "written into, not replaced";
  ::close(open);
}

TEST_F(Files, OnlyEmptyFilesAndFilesOfDemeterMayBeReplaced) {
  put("empty", "");
  put("ours", "<?xml version=\"1.0\"?>\n<!-- " + std::string(output_mark) + " -->\n");
  put("late", std::string(5000, ' ') + std::string(output_mark));
  put("theirs", "mine");
  fs::create_symlink("ours", folder / "link");
  for (char const* name : {"empty", "ours", "link"}) EXPECT_TRUE(is_replaceable(folder / name)) << name;
  for (char const* name : {"late", "theirs", "none", "."}) EXPECT_FALSE(is_replaceable(folder / name)) << name;
}

TEST_F(Files, AFailedWriteKeepsTheOldFile) {
  put("old", "before");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit const none{16, before.rlim_max};
  auto const ignored = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  auto const whole = write_whole(folder / "old", std::string(100, 'x'));
  auto const added = append_whole(folder / "old", std::string(100, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, ignored);
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(*whole, (folder / "old").string() + ": File too large");
  EXPECT_TRUE(added.has_value());
  EXPECT_EQ(get("old"), "before");
  EXPECT_EQ(names(), std::vector<std::string>{"old"});
}

TEST_F(Files, UnwritableFilesAreReportedBeforeWriting) {
  put("file", "x");
  fs::create_directory(folder / "folder");
  for (std::string const name : {"none/x", "folder", "file/x", "", "folder/"})
    for (auto const& wrong : {write_whole(name.empty() ? fs::path() : folder / name, "text"),
                              cannot_write(name.empty() ? fs::path() : folder / name)}) {
      ASSERT_TRUE(wrong.has_value()) << name;
      EXPECT_NE(wrong->find(": "), std::string::npos) << *wrong;
    }
  EXPECT_NE(write_whole("/dev/full", "text"), std::nullopt);
  EXPECT_EQ(write_whole("/dev/null", "text"), std::nullopt);
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode)) << "a device is written into, not replaced";
  EXPECT_EQ(cannot_write(folder / "file"), std::nullopt);
  EXPECT_EQ(cannot_write(folder / "new"), std::nullopt);
  EXPECT_EQ(get("file"), "x");
  EXPECT_EQ(names(), (std::vector<std::string>{"file", "folder"}));
}

TEST_F(Files, LinksOfTheUserAreFollowedAndLinksInFoldersOfDemeterAreReplaced) {
  put("real", "before");
  fs::create_symlink("real", folder / "link");
  fs::create_symlink("fresh", folder / "dangling");
  EXPECT_EQ(write_whole(folder / "link", "after"), std::nullopt);
  EXPECT_EQ(write_whole(folder / "dangling", "made"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(get("real"), "after");
  EXPECT_EQ(get("fresh"), "made");
  EXPECT_EQ(write_whole(folder / "link", "own", Links::replaced), std::nullopt);
  EXPECT_FALSE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(get("real"), "after");
  fs::create_symlink("loop", folder / "loop");
  EXPECT_NE(write_whole(folder / "loop", "x"), std::nullopt);
  fs::create_directory(folder / "outside");
  fs::create_symlink("outside", folder / "part");
  EXPECT_NE(make_folder(folder / "part", Links::replaced), std::nullopt);
  EXPECT_EQ(make_folder(folder / "part"), std::nullopt);
  EXPECT_EQ(make_folder(folder / "a/b/c/"), std::nullopt);
  EXPECT_NE(append_whole(folder / "dangling", "x"), std::nullopt) << "nor is what grows";
}

TEST_F(Files, OnlyRegularFilesWithinTheSizeLimitAreRead) {
  put("text", std::string(200'000, 'x'));
  EXPECT_EQ(read_whole(folder / "text"), std::string(200'000, 'x'));
  EXPECT_EQ(read_whole(folder / "text", 100), std::nullopt);
  EXPECT_EQ(read_whole("/dev/zero"), std::nullopt);
  EXPECT_EQ(read_whole(folder), std::nullopt);
  EXPECT_EQ(read_whole(folder / "none"), std::nullopt);
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_whole(folder / "pipe"), std::nullopt);
}

TEST_F(Files, SixConcurrentWritersLoseNothing) {
  put("count", "0");
  for_each_in_threads(6, 60, nullptr, [&](std::size_t) {
    FolderLock const lock(folder);
    EXPECT_EQ(lock.error(), std::nullopt);
    EXPECT_EQ(write_whole(folder / "count", std::to_string(std::stoi(*read_whole(folder / "count")) + 1)),
              std::nullopt);
  });
  EXPECT_EQ(get("count"), "60");
  FolderLock const one(folder), other(folder, std::chrono::seconds(0));
  EXPECT_EQ(one.error(), std::nullopt);
  EXPECT_NE(other.error(), std::nullopt);
}

TEST(Threads, AnExceptionInOneThreadIsThrownAndStopsTheOthers) {
  for (unsigned const jobs : {1U, 2U, 7U}) {
    std::atomic<int> done = 0;
    EXPECT_THROW(for_each_in_threads(jobs, 1'000'000, nullptr,
                                     [&](std::size_t i) {
                                       if (i == 10) throw std::runtime_error("ten");
                                       ++done;
                                     }),
                 std::runtime_error);
    EXPECT_LT(done, 1'000'000) << "the others have stopped";
  }
}

TEST(Ground, AChangedRoundingModeIsReportedInEveryThread) {
  EXPECT_EQ(unsound_arithmetic(), std::nullopt);
  for (int const rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(rounding);
    auto const wrong = unsound_arithmetic();
    std::fesetround(FE_TONEAREST);
    EXPECT_NE(wrong, std::nullopt) << rounding;
    std::atomic<bool> altered = false;
    EXPECT_THROW(in_threads(2,
                            [&] {
                              if (!altered.exchange(true)) std::fesetround(rounding);
                            }),
                 UnsoundArithmetic);
    std::fesetround(FE_TONEAREST);
  }
  EXPECT_NO_THROW(in_threads(3, [] {}));
}

}  // namespace files_test
}  // namespace demeter
