// Tests demeter continuity through a shell, as a user runs it.
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace demeter {
namespace continuity_command_test {

using Json = nlohmann::ordered_json;

class ContinuityCommand : public CommandTest {};

TEST_F(ContinuityCommand, ThePrintedCommandShowsTheJumpAgain_long) {
  Ran const search = run("demeter continuity capsule_contact --subject documented --paths 400 --json");
  EXPECT_EQ(search.code, 1) << search.err;
  EXPECT_TRUE(contains(search.err, "documented@double jumps in capsule_contact")) << search.err;
  Json const found = Json::parse(search.out);
  int examples = 0;
  for (auto const& transition : found[0]["subjects"][0]["transitions"]) {
    for (auto const& example : transition["examples"]) {
      ++examples;
      Ran const again = run(example["command"].get<std::string>());
      EXPECT_EQ(again.code, 1) << example["command"];
      EXPECT_TRUE(contains(again.out, "on this path")) << again.out;
      EXPECT_TRUE(contains(again.out, transition["transition"].get<std::string>())) << again.out;
      EXPECT_TRUE(contains(again.out, "confirmed")) << again.out;
      Ran const clean = run(example["command"].get<std::string>() + " --subject reference");
      EXPECT_TRUE(contains(clean.out, "reference: no jump on this path")) << clean.out;
    }
  }
  EXPECT_GE(examples, 2);
}

TEST_F(ContinuityCommand, TheSameSeedPrintsTheSameText_long) {
  std::string const line =
      "demeter continuity capsule_contact --subject geometric --paths 300 --seed 7 | sed 's/[0-9.]* s)$//'";
  Ran const once = run(line), again = run(line);
  EXPECT_NE(once.out, "");
  EXPECT_EQ(once.out, again.out);
}

TEST_F(ContinuityCommand, JumpsOfOtherFormulasDoNotFailTheCommand_long) {
  Ran const overview = run("demeter continuity wall_capsule_contact --paths 400");
  EXPECT_EQ(overview.code, 0) << overview.err;
  EXPECT_TRUE(contains(overview.out, "reference has no jump")) << overview.out;
}

TEST_F(ContinuityCommand, ErrorsAreReportedInOneLine) {
  std::string const start = "demeter continuity capsule_contact --subject woo ";
  std::string const path =
      R"('{"centre1":[0,0,0],"half1":[1,0,0],"radius1":RADIUS,"centre2":[1,0,0.6],"half2":[1,0,0],"radius2":0.5,)"
      R"("pivot":[0,0,0],"motion":{"translation":[1,0,0],"turn":[0,0,0]},"across":{"translation":[0,0,0],"turn":[0,0,0]}}')";
  auto const with_radius = [&](std::string const& radius) {
    std::string text = path;
    return text.replace(text.find("RADIUS"), 6, radius);
  };
  struct Wrong {
    std::string line;
    int code;
    std::string reason;
  };
  run("demeter generate capsule_contact --count 1 | demeter evaluate capsule_contact >answers.jsonl");
  for (auto const& [line, code, reason] : {
           Wrong{start + "--path '{\"centre1\":[0,0]}'", 3, "centre1"},
           Wrong{start + "--path 'nonsense'", 3, "--path"},
           Wrong{start + "--path " + with_radius("-1"), 3, "radius1: expected > 0"},
           Wrong{start + "--path " + with_radius("\"nan\""), 3, "expected a finite number"},
           Wrong{"demeter continuity capsule_contact --path " + with_radius("0.5"), 2, "--subject"},
           Wrong{start + "--family nonsense", 2,
                 "unknown family \"nonsense\" of capsule_contact; expected translations"},
           Wrong{"demeter continuity segment_distance", 2, "declares no paths"},
           Wrong{"demeter continuity nonsense", 2, "unknown kernel"},
           Wrong{"demeter continuity capsule_contact --subject nonsense", 2, "unknown subject"},
           Wrong{"demeter continuity capsule_contact --subject file:answers.jsonl", 2, "recorded answers"},
           Wrong{start + "--paths 0", 2, "whole number"},
       }) {
    Ran const ran = run(line);
    EXPECT_EQ(ran.code, code) << line << "\n" << ran.err;
    EXPECT_TRUE(contains(ran.err, reason)) << line << "\n" << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(ran.out, "") << line;
  }
}

}  // namespace continuity_command_test
}  // namespace demeter
