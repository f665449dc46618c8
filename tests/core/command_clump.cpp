// Tests `demeter clump` as a user runs it: files of balls as input; mass properties, pictures and messages as output.
#include "kernels/kernel.hpp"
#include "tests/core/command.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace demeter {
namespace command_clump_test {

using Json = nlohmann::ordered_json;

constexpr double pi = 3.14159265358979323846;

class CommandClump : public CommandTest {
 protected:
  /// Returns the JSON that `demeter clump` prints for a file with this text.
  Json answer(std::string const& text, std::string const& options = "") const {
    put("balls", text);
    Ran const ran = holds("demeter clump balls --json " + options);
    return Json::parse(ran.out, nullptr, false);
  }
  /// Expects that the command refuses a file with this text, with exit code 3 and this reason.
  void refuses(std::string const& text, std::string const& reason) const {
    put("balls", text);
    fails(3, "demeter clump balls", "demeter clump: balls: " + reason);
  }
};

// ------------------------------------------------------------------------------------------------------------- reading

TEST_F(CommandClump, ReadsTheFormatsOfOtherCodes) {
  Json const expected = answer("0 0 0 0.5\n1 2 3 0.25\n");
  EXPECT_EQ(expected["balls"], 2);
  for (std::string const text :
       {"# a multisphere file\n0 0 0 .5\n1 2 3 .25 # the second\n", "; comment\n\n  0\t0 0 5e-1  \r\n+1 2 3 0.25\r\n",
        "% comment\n0 0 0 0.5\n1 2 3 0.25", "0,0,0,0.5\n1,2,3,0.25\n", "x,y,z,radius\n0,0,0,0.5\n1,2,3,0.25\n",
        "\xef\xbb\xbfradius, z ,y,x\n0.5,0,0,0\n0.25,3,2,1\n", "id,cx,cy,cz,r\n7,0,0,0,0.5\na,1,2,3,0.25\n",
        "\"Points:0\",\"Points:1\",\"Points:2\",\"Radius\"\n0,0,0,0.5\n1,2,3,0.25\n",
        "x y z diameter\n0 0 0 1\n1 2 3 0.5\n", "pos_x [m],pos_y [m],pos_z [m],R [m]\n0,0,0,0.5\n1,2,3,0.25\n",
        "centre_x,Center-Y,position.z,rad\n0,0,0,0.5\n1,2,3,0.25\n"}) {
    EXPECT_EQ(answer(text).dump(), expected.dump()) << text;
  }
  put("balls", "0 0 0 0.5\n1 2 3 0.25\n");
  EXPECT_TRUE(contains(holds("demeter clump - < balls").out, "standard input: 2 balls"));
}

TEST_F(CommandClump, ReportsErrorsInAFileWithTheLine) {
  refuses("", "no balls");
  refuses("# nothing\n\n", "no balls");
  refuses("x,y,z,radius\n", "no balls");
  refuses("0 0 0 1\n0 0 1 -0.5\n", "line 2: ball 1: radius: -0.5, expected > 0");
  refuses("0 0 0 0\n", "line 1: ball 0: radius: 0, expected > 0");
  refuses("# one\n0 0 0 1\n0 0 1x 1\n", "line 3: ball 1: z: \"1x\", expected a number");
  refuses("0 nan 0 1\n", "line 1: ball 0: y: nan, expected a finite number");
  refuses("0 0 0 inf\n", "line 1: ball 0: radius: inf, expected a finite number");
  refuses("1e999 0 0 1\n", "line 1: ball 0: x: 1e999, out of the range of a double");
  refuses("0 0 0 1\n0 0 1\n", "line 2: ball 1: 3 values, expected 4");
  refuses("0 0 0 1 2\n", "line 1: ball 0: 5 values, expected 4: x y z radius");
  refuses("0,0,,1\n", "line 1: ball 0: z: \"\", expected a number");
  refuses("x,y,radius\n0,0,1\n", "line 1: no column for z");
  refuses("x,y,z\n0,0,1\n", "line 1: no column for radius");
  refuses("x,y,z,r,radius\n0,0,0,1,1\n", "line 1: column \"radius\": a second radius");
  refuses("x,y,z,r,diameter\n0,0,0,1,1\n", "line 1: column \"diameter\": a second radius");
  refuses("one,two\n0,0\n", "line 1: ball 0: 2 values, expected 4");
  refuses("a b e f\n", "line 1: ball 0: x: \"a\", expected a number");
  refuses(std::string("0 0 \0 1\n", 8), "line 1: ball 0: z");
  refuses("0 0 \xe9 1\n", "line 1: ball 0: z: \"?\", expected a number");
  refuses("0 0 \xc3\xa9 1\n", "line 1: ball 0: z: \"\xc3\xa9\", expected a number");
  refuses("0 0 " + std::string(500, 'z') + " 1\n",
          "line 1: ball 0: z: \"" + std::string(100, 'z') + "... (500 characters)\", expected");
  put("balls", "0 0 0 1e-10\n");
  fails(3, "demeter clump balls --scale 1e-320", "line 1: ball 0: radius: 1e-10 times 1e-320, below the least double");
  put("balls", "0 0 1e300 1\n");
  fails(3, "demeter clump balls --scale 1e10", "line 1: ball 0: z: 1e+300 times 10000000000, out of range");
}

TEST_F(CommandClump, ReportsWrongOptions) {
  if (find_kernel("clump_grid_mass_properties") == nullptr) GTEST_SKIP() << "the kernel is not in this build";
  put("balls", "0 0 0 1\n0 0 1000000 1\n");
  fails(2, "demeter clump", "file is required");
  fails(2, "demeter clump none", "none: No such file or directory");
  fails(2, "demeter clump .", "Is a directory");
  fails(2, "demeter clump balls --density 0", "expected a number above 0");
  fails(2, "demeter clump balls --scale -1", "expected a number above 0");
  fails(2, "demeter clump balls --cells 0", "expected a whole number from 1");
  fails(2, "demeter clump balls --cells 5 --method woo", "unknown method \"woo\"; expected centres, ");
  fails(2, "demeter clump balls --cells 5", "expected at most 2^30 cells in the box");
  fails(2, "demeter clump balls --picture clump.png", "expected a name that ends in .svg or .html");
  fails(2, "demeter clump balls --picture none/clump.svg", "none/clump.svg: No such file or directory");
  fails(2, "demeter clump balls --json --as-case", "excludes");
}

// --------------------------------------------------------------------------------------------------------------
// answers

TEST_F(CommandClump, PrintsTheUnionAndTheSum) {
  // Two balls of radius 1 with centres at a distance of 1 share a lens of volume 5 pi/12. The sum of the balls counts
  // the lens twice.
  Json const found = answer("0 0 0 1\n0 0 1 1\n", "--density 2");
  EXPECT_NEAR(found["union"]["volume"].get<double>(), 27 * pi / 12, 1e-13);
  EXPECT_NEAR(found["union"]["mass"].get<double>(), 27 * pi / 6, 1e-13);
  EXPECT_NEAR(found["union"]["surface_area"].get<double>(), 6 * pi, 1e-13);
  EXPECT_NEAR(found["union"]["centroid"][2].get<double>(), 0.5, 1e-15);
  EXPECT_NEAR(found["sum_of_balls"]["mass"].get<double>(), 16 * pi / 3, 1e-13);
  EXPECT_FALSE(found.contains("grid"));
  EXPECT_FALSE(found.contains("reference"));
  std::string const text = holds("demeter clump balls --density 2").out;
  for (char const* const part : {"2 balls, 0 given twice, 0 inside another, all connected", "volume [m^3]",
                                 "7.068583470577", "8.377580409572", "+18.5 %", "moment 3 [kg m^2]", "axis 1"})
    EXPECT_TRUE(contains(text, part)) << part << " in\n" << text;
}

TEST_F(CommandClump, OptionScaleMultipliesLengths) {
  Json const metres = answer("0 0 0 0.001\n0 0 0.0015 0.001\n", "--density 2000"),
             millimetres = answer("0 0 0 1\n0 0 1.5 1\n", "--density 2000 --scale 0.001");
  double const a = metres["union"]["volume"], b = millimetres["union"]["volume"];
  EXPECT_NEAR(b / a, 1, 1e-14);
}

TEST_F(CommandClump, CountsDuplicateBallsContainedBallsAndParts) {
  Json const found = answer(
      "0 0 0 1\n0 0 0 1\n-0 0 0 1\n"  // the same ball three times
      "0.2 0 0 0.5\n"                 // inside the first ball
      "0 0.5 0 0.5\n"                 // inside the first ball, touching it
      "0 0 2 1\n"                     // touches the first ball from outside
      "10 0 0 0.001\n"                // separate
      "10 0 0.0015 0.001\n10 0 5 3\n");
  EXPECT_EQ(found["balls"], 9);
  EXPECT_EQ(found["duplicates"], 2);
  EXPECT_EQ(found["contained"], 2);
  EXPECT_EQ(found["parts"], 3);
  EXPECT_EQ(found["largest_part"], 4);
}

TEST_F(CommandClump, ComparesWithAGrid) {
  if (find_kernel("clump_grid_mass_properties") == nullptr) GTEST_SKIP() << "the kernel is not in this build";
  Json const found = answer("0 0 0 1\n", "--cells 5 --method centres_with_self_inertia");
  double const exact = found["union"]["inertia"][0], sampled = found["grid"]["inertia"][0];
  EXPECT_NEAR(sampled / exact - 1, 0.1092, 1e-4) << "the corner of the grid is in the centre of the ball";
  EXPECT_TRUE(contains(holds("demeter clump balls --cells 5").out, "centres, 5 cells"));
}

TEST_F(CommandClump, PrintsTheReferenceAndTheBallsAsACase) {
  put("balls", "0 0 0 1\n0 0 1 1\n");
  Json const found = Json::parse(holds("demeter clump balls --json --digits 30").out);
  EXPECT_EQ(found["reference"]["volume"].get<std::string>().substr(0, 16), "7.06858347057703");
  std::string const pipe = "demeter clump balls --as-case | demeter evaluate clump_union_mass_properties";
  Json const evaluated = Json::parse(holds(pipe + " --implementation fast").out);
  EXPECT_EQ(evaluated["output"].dump(), found["union"].dump());
  EXPECT_TRUE(contains(holds("demeter clump balls --digits 30").out, "reference, 30 digits"));
}

TEST_F(CommandClump, DrawsAPicture) {
  put("a<b>&\".txt", "0 0 0 1\n0 0 1 0.5\n0 0 0 0.5\n");
  holds("demeter clump 'a<b>&\".txt' --picture clump.svg");
  std::string const svg = get("clump.svg");
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  EXPECT_TRUE(contains(svg, "</svg>"));
  EXPECT_FALSE(contains(svg, "a<b>"));
  auto const count = [&](std::string const& part) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<circle "), 6u) << "two balls that show from three sides";
  EXPECT_EQ(count("<line "), 9u);
  EXPECT_FALSE(contains(svg, "nan"));
  holds("demeter clump 'a<b>&\".txt' --picture clump.html");
  EXPECT_EQ(get("clump.html").rfind("<!DOCTYPE html>", 0), 0u);
}

TEST_F(CommandClump, DrawsHugeTinyAndDistantClumps) {
  for (char const* const balls : {"1e20 1e20 1e20 1\n", "7 9 0 6e-320\n", "0 0 0 5e-324\n0 0 5e-324 5e-324\n",
                                  "1.7976931348623157e308 0 0 1e308\n-1.7976931348623157e308 0 0 1e308\n"}) {
    put("balls", balls);
    holds("demeter clump balls --picture clump.svg");
    std::string const svg = get("clump.svg");
    EXPECT_TRUE(contains(svg, "<circle ")) << balls;
    for (char const* const no_number : {"\"nan", "\"-nan", "\"inf", "\"-inf"})
      EXPECT_FALSE(contains(svg, no_number)) << balls << svg;
  }
}

TEST_F(CommandClump, ReadsAMillionBalls_long) {
  std::string text = "x,y,z,r\n";
  std::size_t const side = 100, count = side * side * side;
  text.reserve(30 * count);
  for (std::size_t i = 0; i < count; ++i)
    text += std::to_string(i % side) + ".125," + std::to_string(i / side % side) + ".5," +
            std::to_string(i / side / side) + ".25,0.4\n";
  put("many", text);
  Ran const ran = holds("demeter clump many --json --picture many.svg");
  Json const found = Json::parse(ran.out);
  RecordProperty("seconds", std::to_string(ran.processor_seconds));
  EXPECT_EQ(found["balls"], count);
  EXPECT_EQ(found["parts"], count);
  double const volume = found["union"]["volume"];
  EXPECT_NEAR(volume / (static_cast<double>(count) * 4 * pi / 3 * 0.064), 1, 1e-12);
  EXPECT_LT(get("many.svg").size(), 10u << 20) << "only the largest are drawn";
  EXPECT_LT(ran.processor_seconds, 120);
}

}  // namespace command_clump_test
}  // namespace demeter
