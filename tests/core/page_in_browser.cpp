// Tests the pages of a report in a headless browser, if one is installed. No page may be cut at any width, and no
// script may fail.
#include "tests/core/command.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace demeter {
namespace page_in_browser_test {

class PageInBrowser_browser : public CommandTest {};

// A script for the tested page. It sends three values to the enclosing page: the width of the tested page, the width
// that it needs, and the errors of its scripts.
constexpr char const* probe = R"(<head><script>
addEventListener("error", event => parent.postMessage(["failed", event.message], "*"));
addEventListener("load", () => {
  const root = document.documentElement;
  parent.postMessage(["width", root.clientWidth + " " + root.scrollWidth], "*");
});
</script>)";

// A frame can be narrower than the window of a browser. All frames are in one page, because a browser starts slowly.
constexpr char const* frames = R"(<script>
addEventListener("message", event => {
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === event.source) frame.setAttribute("data-" + event.data[0], event.data[1]);
});
</script>
)";

TEST_F(PageInBrowser_browser, NoTextIsCutAtAnyWidth) {
  if (browser().empty()) GTEST_SKIP() << "no Chromium on this machine";
  ASSERT_EQ(run("demeter report --kernel segment_distance,capsule_contact --count 20 --time 6 --out site").code, 0);
  std::vector<fs::path> pages;
  for (auto const& each : fs::directory_iterator(folder / "site"))
    if (each.path().extension() == ".html") pages.push_back(each.path());
  EXPECT_GE(pages.size(), 5u);
  auto const frame_of = [](fs::path const& path, int width) {
    return fmt::format("<iframe id=\"{}-{}\"", path.stem().string(), width);
  };
  constexpr std::array widths{1440, 1000, 400};
  std::string framed = frames;
  for (fs::path const& path : pages) {
    std::string page = read_file(path);
    ASSERT_NE(page.find("<head>"), std::string::npos) << path;
    page.replace(page.find("<head>"), 6, probe);
    std::string const probed = path.stem().string() + ".probed.html";
    std::ofstream(folder / "site" / probed) << page;
    for (int const width : widths)
      framed += fmt::format("{} src=\"{}\" style=\"border: 0; height: 900px; width: {}px\"></iframe>\n",
                            frame_of(path, width), probed, width);
  }
  std::ofstream(folder / "site/framed.html") << framed;
  Ran const ran = run(browser() +
                      " --headless=new --no-sandbox --disable-gpu --user-data-dir=profile "
                      "--virtual-time-budget=4000 --window-size=1600,1000 --dump-dom 'file://" +
                      (folder / "site/framed.html").string() + "'");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (fs::path const& path : pages) {
    for (int const width : widths) {
      std::size_t const at = ran.out.find(frame_of(path, width));
      ASSERT_NE(at, std::string::npos) << ran.out;
      std::string const frame = ran.out.substr(at, ran.out.find('>', at) - at);
      std::smatch found;
      ASSERT_TRUE(std::regex_search(frame, found, std::regex("data-width=\"([0-9]+) ([0-9]+)\""))) << frame;
      EXPECT_GE(std::stoi(found[1]), width - 20) << frame << ": a scroll bar takes some";
      EXPECT_LE(std::stoi(found[1]), width) << frame;
      EXPECT_LE(std::stoi(found[2]), std::stoi(found[1])) << frame;
      EXPECT_FALSE(contains(frame, "data-failed=")) << frame;
    }
  }
}

}  // namespace page_in_browser_test
}  // namespace demeter
