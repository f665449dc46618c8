// The pages of a report in a browser without a screen, where there is one: at no width is anything cut, and no script
// fails.
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

namespace demeter {
namespace page_in_browser_test {

class PageInBrowser : public CommandTest {};

// Tells the page around it how wide it is and how wide it would have to be, and what scripts failed with.
constexpr char const* probe = R"(<head><script>
addEventListener("error", event => parent.postMessage(["failed", event.message], "*"));
addEventListener("load", () => {
  const root = document.documentElement;
  parent.postMessage(["width", root.clientWidth + " " + root.scrollWidth], "*");
});
</script>)";

// A browser's own window has a least width; a frame has none.
constexpr char const* frame = R"(<script>
addEventListener("message", event => document.documentElement.setAttribute("data-" + event.data[0], event.data[1]));
</script><iframe src="probed.html" style="border: 0; height: 900px; width: )";

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
      std::ofstream(folder / "site/framed.html") << frame << width << "px\"></iframe>";
      Ran const ran = run(browser() +
                          " --headless=new --no-sandbox --disable-gpu --user-data-dir=profile "
                          "--virtual-time-budget=4000 --window-size=1600,1000 --dump-dom 'file://" +
                          (folder / "site/framed.html").string() + "'");
      EXPECT_EQ(ran.code, 0) << ran.err;
      std::smatch widths;
      ASSERT_TRUE(std::regex_search(ran.out, widths, std::regex("data-width=\"([0-9]+) ([0-9]+)\""))) << path;
      EXPECT_GE(std::stoi(widths[1]), width - 20) << "a scroll bar takes some";
      EXPECT_LE(std::stoi(widths[2]), std::stoi(widths[1])) << path << " at " << width;
      EXPECT_FALSE(contains(ran.out, "data-failed=")) << path << " at " << width;
    }
  }
  EXPECT_GE(pages, 5u);
}

}  // namespace page_in_browser_test
}  // namespace demeter
