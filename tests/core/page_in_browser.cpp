// The pages of a report in a browser without a screen, where there is one: at no width is anything cut, and no script
// fails.
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

namespace demeter {
namespace page_in_browser_test {

class PageInBrowser : public CommandTest {
 protected:
  static std::string browser() {
    for (std::string const name : {"chromium", "chromium-browser", "google-chrome"})
      for (std::string const place : {"/usr/bin/", "/usr/local/bin/"})
        if (fs::exists(place + name)) return place + name;
    return "";
  }
};

// Leaves in the page how wide its window is and how wide it would have to be, and what scripts failed with.
constexpr char const* probe = R"(<head><script>
addEventListener("error", event => document.documentElement.setAttribute("data-failed", event.message));
addEventListener("load", () => {
  const root = document.documentElement;
  root.setAttribute("data-width", root.clientWidth + " " + root.scrollWidth);
});
</script>)";

TEST_F(PageInBrowser, NothingIsCutAtAnyWidth) {
  if (browser().empty()) GTEST_SKIP() << "no Chromium on this machine";
  ASSERT_EQ(run("demeter report --kernel segment_distance,capsule_contact --count 20 --out site").code, 0);
  std::size_t pages = 0;
  std::vector<fs::path> found;
  for (auto const& each : fs::directory_iterator(folder / "site"))
    if (each.path().extension() == ".html") found.push_back(each.path());
  for (fs::path const& path : found) {
    if (path.stem().string().starts_with("mathematics-")) continue;  // text alone
    ++pages;
    std::string page = read_file(path);
    ASSERT_NE(page.find("<head>"), std::string::npos) << path;
    page.replace(page.find("<head>"), 6, probe);
    std::ofstream(folder / "site/probed.html") << page;
    for (int const width : {1440, 1000, 400}) {
      Ran const ran = run(browser() +
                          " --headless=new --no-sandbox --disable-gpu --user-data-dir=profile "
                          "--virtual-time-budget=4000 --window-size=" +
                          std::to_string(width) + ",900 --dump-dom 'file://" +
                          (folder / "site/probed.html").string() + "'");
      EXPECT_EQ(ran.code, 0) << ran.err;
      std::smatch widths;
      ASSERT_TRUE(std::regex_search(ran.out, widths, std::regex("data-width=\"([0-9]+) ([0-9]+)\""))) << path;
      EXPECT_LE(std::stoi(widths[2]), std::stoi(widths[1])) << path << " at " << width;
      EXPECT_FALSE(contains(ran.out, "data-failed=")) << path << " at " << width;
    }
  }
  EXPECT_GE(pages, 5u);
}

}  // namespace page_in_browser_test
}  // namespace demeter
