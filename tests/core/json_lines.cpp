#include "kernels/json_lines.hpp"

#include "reference/spec/clump_force_torque.hpp"
#include "reference/spec/segment_distance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <unistd.h>
#include <bit>
#include <cstdio>
#include <thread>

namespace demeter {
namespace json_lines_test {

/// A line reader with its tables. Its buffer has other text after each line.
struct Session {
  Kernel const& kernel;
  LineReader reader{kernel};
  Table cases{kernel.input}, outputs{kernel.output};
  Line line;

  explicit Session(std::string_view name) : kernel(*find_kernel(name)) {}

  std::optional<std::string> read(std::string_view text) {
    std::string buffer(text);
    while (buffer.size() < text.size() + LineReader::padding()) buffer += "\n{\"id\":1,\"x\":[";
    return reader.read(std::string_view(buffer).substr(0, text.size()), &cases, &outputs, line);
  }
  /// Reads a segment_distance input in which p0[0] is `token`. Returns the number that was read.
  std::optional<double> number(std::string const& token) {
    auto const wrong = read("{\"input\":{\"p0\":[" + token + ",0,0],\"p1\":[1,0,0],\"q0\":[0,1,0],\"q1\":[1,1,0]}}");
    if (wrong) return std::nullopt;
    return cases.columns[0].back();
  }
};

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

std::string const segment_line =
    R"({"id":7,"kernel":"segment_distance","regime":"typical","input":{"p0":[0,0,0],"p1":[1,0,0],)"
    R"("q0":[0,1,0],"q1":[1,1,1e-9]})";

TEST(LineReader, ReadsInputAndOutputOfALine) {
  Session session("segment_distance");
  EXPECT_FALSE(session.read(segment_line + R"(,"output":{"distance":1.0,"t":0.5,"s":0.25}})"));
  EXPECT_EQ(session.line.id, 7u);
  EXPECT_EQ(session.line.regime, "typical");
  EXPECT_TRUE(session.line.has_input);
  EXPECT_EQ(session.line.answer, Line::Answer::output);
  auto const in = load<segment_distance::Input<double>>(session.cases, 0);
  EXPECT_EQ(in.p1, Vector3<double>(1, 0, 0));
  EXPECT_EQ(in.q1, Vector3<double>(1, 1, 1e-9));
  auto const out = load<segment_distance::Output<double>>(session.outputs, 0);
  EXPECT_TRUE(out.distance == 1 && out.s == 0.25 && out.t == 0.5) << "keys in any order";
  EXPECT_FALSE(session.read("{}"));
  EXPECT_FALSE(session.line.id || session.line.has_input);
  EXPECT_EQ(session.line.answer, Line::Answer::none);
  EXPECT_EQ(session.cases.rows, 1u);
}

TEST(LineReader, UnsupportedAndErrorAreRead) {
  Session session("segment_distance");
  EXPECT_FALSE(session.read(R"({"id":7,"unsupported":"degenerate segment"})"));
  EXPECT_EQ(session.line.answer, Line::Answer::unsupported);
  EXPECT_EQ(session.line.message, "degenerate segment");
  EXPECT_FALSE(session.read(R"({"error":"radius: \"-1\"\n\u00e9 \ud83d\ude00 \u0007"})"));
  EXPECT_EQ(session.line.answer, Line::Answer::error);
  EXPECT_EQ(session.line.message, "radius: \"-1\"\n\xc3\xa9 \xf0\x9f\x98\x80 \x07");
  EXPECT_FALSE(session.line.id) << "nothing is left of the line before";
}

TEST(LineReader, PlainNumbersAreRead) {
  Session session("segment_distance");
  EXPECT_EQ(session.number("1"), 1);
  EXPECT_EQ(session.number("-2.5e-3"), -2.5e-3);
  EXPECT_EQ(session.number("1E+5"), 1e5);
  EXPECT_EQ(session.number("0.1"), 0.1);
  EXPECT_EQ(session.number("123456789012345678901234567890"), 123456789012345678901234567890.0);
  EXPECT_EQ(session.number("5e-324"), 0x1p-1074);
  EXPECT_EQ(session.number("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(bits(*session.number("-0")), bits(-0.0)) << "-0 stays -0";
  EXPECT_EQ(bits(*session.number("-0.0")), bits(-0.0));
  EXPECT_EQ(bits(*session.number("0")), bits(0.0));
  EXPECT_EQ(session.number("1e-400"), 0) << "underflow rounds as usual";
  EXPECT_EQ(session.number("2.4703282292062327e-324"), 0) << "just below half the least subnormal";
  EXPECT_EQ(session.number("2.4703282292062328e-324"), 0x1p-1074);
  EXPECT_EQ(session.number(" 3 "), 3);
}

TEST(LineReader, TextsThatAreNotNumbersAreRefused) {
  Session session("segment_distance");
  for (char const* token : {"1e400", "-1e400", "1.7976931348623159e308",
                            "01",    "1.",     ".5",
                            "+1",    "1e",     "1e+",
                            "0x10",  "NaN",    "Infinity",
                            "nan",   "true",   "null",
                            "{}",    "[1]",    "--1",
                            "1-",    "1 2",    "1_0",
                            "-",     "1e5.0"})
    EXPECT_FALSE(session.number(token)) << token;
  for (char const* text : {"",         " 1",     "1 ",    "0x",      "0x1p",    "0xg", "0x1p+2000", "-0x1p+2000",
                           "0x-1p0",   "0xinf",  "0xnan", "-0x-1p0", "--0x1p0", "Inf", "NAN",       "+inf",
                           "infinity", "nan(1)", "3/0",   "1e10000", "one",     "0b1", "1.0f",      "1\\u0000"})
    EXPECT_FALSE(session.number('"' + std::string(text) + '"')) << text;
  auto const wrong = session.read(R"({"input":{"p0":[1e400,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,0]}})");
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->find("input.p0[0]: 1e400 is beyond binary64"), std::string::npos) << *wrong;
  EXPECT_EQ(session.cases.rows, 0u);
}

TEST(LineReader, HexfloatStringsAreRead) {
  Session session("segment_distance");
  EXPECT_EQ(session.number(R"("0x1.8p+3")"), 12);
  EXPECT_EQ(session.number(R"("-0X1.8P-1")"), -0.75);
  EXPECT_EQ(session.number(R"("+0x10")"), 16);
  EXPECT_EQ(session.number(R"("0x.8p0")"), 0.5);
  EXPECT_EQ(session.number(R"("0x0.0000000000001p-1022")"), 0x1p-1074);
  EXPECT_EQ(session.number(R"("0x1.fffffffffffffp+1023")"), std::numeric_limits<double>::max());
  EXPECT_EQ(bits(*session.number(R"("-0x0p0")")), bits(-0.0));
  EXPECT_EQ(session.number(R"("0x1p-1080")"), 0);
  EXPECT_EQ(session.number(R"("0x1.00000000000008p0")"), 1) << "a tie, to even";
  EXPECT_EQ(session.number(R"("0x1.000000000000081p0")"), 1 + 0x1p-52);
}

TEST(LineReader, NamedNumbersAreRead) {
  Session session("segment_distance");
  EXPECT_TRUE(std::isnan(*session.number(R"("nan")")));
  EXPECT_FALSE(is_not_computed(*session.number(R"("nan")"))) << "a computed NaN";
  EXPECT_EQ(session.number(R"("inf")"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(session.number(R"("-inf")"), -std::numeric_limits<double>::infinity());
}

TEST(LineReader, ExactTextsAreKeptIfNoDoubleIsEqual) {
  Session session("segment_distance");
  auto const exact = [&](std::string const& text) -> std::string {
    EXPECT_TRUE(session.number('"' + text + '"')) << text;
    auto const found = session.cases.exact.find({0, session.cases.columns[0].size() - 1});
    return found == session.cases.exact.end() ? "" : found->second;
  };
  EXPECT_EQ(exact("0.1"), "0.1");
  EXPECT_EQ(session.cases.columns[0].back(), 0.1);
  EXPECT_EQ(exact("3/5"), "3/5");
  EXPECT_EQ(session.cases.columns[0].back(), 0.6);
  EXPECT_EQ(exact("1e400"), "1e400");
  EXPECT_TRUE(std::isinf(session.cases.columns[0].back()));
  EXPECT_EQ(exact("1e-400"), "1e-400");
  EXPECT_EQ(session.cases.columns[0].back(), 0);
  EXPECT_EQ(exact("-1e-400"), "-1e-400");
  EXPECT_EQ(bits(session.cases.columns[0].back()), bits(-0.0));
  EXPECT_EQ(exact("0.5"), "");
  EXPECT_EQ(exact("-7/4"), "");
  EXPECT_EQ(session.cases.columns[0].back(), -1.75);
  EXPECT_EQ(bits((exact("-0"), session.cases.columns[0].back())), bits(-0.0));
}

TEST(LineReader, OutputsMayBeLeftOut) {
  Session session("segment_distance");
  EXPECT_FALSE(session.read(R"({"id":0,"output":{"s":0.5}})"));
  EXPECT_FALSE(session.read(R"({"id":1,"output":{}})"));
  EXPECT_EQ(session.outputs.rows, 2u);
  EXPECT_TRUE(is_not_computed(session.outputs.columns[0][0]));
  EXPECT_EQ(session.outputs.columns[1][0], 0.5);
  for (auto const& column : session.outputs.columns) EXPECT_TRUE(is_not_computed(column[1]));
  Session clump("clump_force_torque");
  EXPECT_FALSE(clump.read(R"({"output":{"torque":[1,2,3]}})"));
  EXPECT_TRUE(is_not_computed(clump.outputs.columns[0][0]) && is_not_computed(clump.outputs.columns[2][0]));
  EXPECT_EQ(clump.outputs.columns[4][0], 2);
}

TEST(LineReader, UnknownTopLevelKeysAreIgnored) {
  Session session("segment_distance");
  EXPECT_FALSE(
      session.read(R"({"expected":{"p0":[1,{"id":3},[[]]]},"flags":["a"],"source":null,"id":5,"comment":"\"}"})"));
  EXPECT_EQ(session.line.id, 5u);
  EXPECT_FALSE(session.line.has_input);
}

/// A malformed line, and a part of the message that it must give.
struct Wrong {
  char const* line;
  char const* message;
};

void expect_errors(Session& session, std::vector<Wrong> const& all) {
  ASSERT_FALSE(session.cases.rows == 0) << "tables with something in them tell more";
  session.cases.exact[{0, 0}] = "1/3";
  Table const cases = session.cases, outputs = session.outputs;
  auto const same = [](Table const& a, Table const& b) {
    if (a.rows != b.rows || a.exact != b.exact || a.columns.size() != b.columns.size()) return false;
    for (std::size_t i = 0; i < a.columns.size(); ++i) {
      if (a.columns[i].size() != b.columns[i].size()) return false;
      for (std::size_t k = 0; k < a.columns[i].size(); ++k)
        if (bits(a.columns[i][k]) != bits(b.columns[i][k])) return false;
    }
    return true;
  };
  for (Wrong const& each : all) {
    auto const wrong = session.read(each.line);
    ASSERT_TRUE(wrong) << each.line;
    EXPECT_NE(wrong->find(each.message), std::string::npos) << each.line << "\n  says: " << *wrong;
    EXPECT_EQ(wrong->find('\n'), std::string::npos) << "one line: " << *wrong;
    EXPECT_TRUE(same(session.cases, cases) && same(session.outputs, outputs)) << each.line;
  }
}

TEST(LineReader, MalformedLinesAreReported) {
  Session session("segment_distance");
  ASSERT_FALSE(session.read(segment_line + R"(,"output":{"distance":1.0}})"));
  expect_errors(
      session,
      {
          {"", "not JSON"},
          {"   ", "not JSON"},
          {"[]", "expected a JSON object"},
          {"3", "expected a JSON object"},
          {"\"x\"", "expected a JSON object"},
          {"garbage", ""},
          {"{", "not JSON"},
          {"{\"id\":1", "not JSON"},
          {"{\"id\":1,}", "not JSON"},
          {"{\"id\" 1}", "not JSON"},
          {"{'id':1}", "not JSON"},
          {"{\"id\":1} x", "not JSON"},
          {"{\"id\":1}{\"id\":2}", "not JSON"},
          {"{\"id\":1}]", "not JSON"},
          {"{\"regime\":\"unended}", "not JSON"},
          {"{\"regime\":\"\xff\"}", "not JSON"},
          {"{\"regime\":\"\x01\"}", "not JSON"},
          {R"({"regime":"\x"})", ""},
          {R"({"id":-1})", "id: expected a non-negative integer"},
          {R"({"id":"7"})", "id: expected a non-negative integer"},
          {R"({"id":1.5})", "id: expected a non-negative integer"},
          {R"({"id":18446744073709551616})", "id: expected a non-negative integer"},
          {R"({"kernel":"capsule_contact"})", "kernel: \"capsule_contact\", expected \"segment_distance\""},
          {R"({"kernel":7})", "kernel: expected a string"},
          {R"({"regime":7})", "regime: expected a string"},
          {R"({"unsupported":7})", "unsupported: expected a string"},
          {R"({"error":{}})", "error: expected a string"},
          {R"({"output":[]})", "output: expected an object"},
          {R"({"output":null})", "output: expected an object"},
          {R"({"input":7})", "input: expected an object"},
          {R"({"output":{"distance":1},"unsupported":"x"})", "more than one of output, unsupported, error"},
          {R"({"error":"x","error":"y"})", "more than one of output, unsupported, error"},
          {R"({"output":{"distance":1},"output":{"distance":1}})", "more than one of"},
          {R"({"id":1,"id":2})", "key \"id\" given twice"},
          {R"({"kernel":"segment_distance","id":1,"kernel":"segment_distance"})", "key \"kernel\" given twice"},
          {R"({"note":1,"note":1})", "key \"note\" given twice"},
      });
}

TEST(LineReader, ErrorsInInputOrOutputNameTheField) {
  Session session("segment_distance");
  ASSERT_FALSE(session.read(segment_line + R"(,"output":{"distance":1.0}})"));
  expect_errors(
      session, {
                   {R"({"input":{"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0]}})", "input: missing key \"q1\""},
                   {R"({"input":{}})", "input: missing key \"p0\""},
                   {R"({"input":{"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[0,0,0],"r":1}})",
                    "input: unknown key \"r\"; expected p0"},
                   {R"({"input":{"p0":[0,0,0],"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,1]}})",
                    "input: key \"p0\" given twice"},
                   {R"({"input":{"p0":[0,0,0],"p\u0030":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,1]}})",
                    "key \"p0\" given twice"},
                   {R"({"input":{"p0":[0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,1]}})",
                    "input.p0: expected an array of 3 numbers, got 2"},
                   {R"({"input":{"p0":[0,0,0,0],"p1":[1,0,0]}})", "input.p0: expected an array of 3 numbers, got more"},
                   {R"({"input":{"p0":[],"p1":[1,0,0]}})", "input.p0: expected an array of 3 numbers, got 0"},
                   {R"({"input":{"p0":3}})", "input.p0: expected an array of 3 numbers"},
                   {R"({"input":{"p0":null}})", "input.p0: expected an array of 3 numbers"},
                   {R"({"input":{"p0":[0,"x",0]}})", "input.p0[1]: \"x\" is not a number"},
                   {R"({"input":{"p0":[0,0,[1]]}})", "input.p0[2]: expected a number"},
                   {R"({"input":{"p0":[0,0,null]}})", "input.p0[2]: expected a number"},
                   {R"({"input":{"p0":[0,0,"1/3"],"p1":[0,"1/7",true]}})", "input.p1[2]: expected a number"},
                   {R"({"input":{"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,1]},"input":{}})",
                    "key \"input\" given twice"},
                   {R"({"input":{"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,1]},"output":{"d":1}})",
                    "output: unknown key \"d\""},
                   {R"({"output":{"distance":1,"distance":2}})", "output: key \"distance\" given twice"},
                   {R"({"output":{"distance":[1]}})", "output.distance: expected a number"},
                   {R"({"output":{"s":1e999}})", "output.s: 1e999 is beyond binary64"},
                   {R"({"output":{"s":"0.1"},"input":{"p0":[0,0,"0.1"]}})", "input: missing key"},
               });
}

TEST(LineReader, MessagesContainNoControlCharacters) {
  Session session("segment_distance");
  auto const message = [&](std::string const& kernel) {
    auto const wrong = session.read("{\"kernel\":\"" + kernel + "\"}");
    EXPECT_TRUE(wrong);
    return wrong.value_or("");
  };
  EXPECT_EQ(message("a\x7f"), "kernel: \"a?\", expected \"segment_distance\"");
  EXPECT_EQ(message("\\u0000\\u001b[2J"), "kernel: \"??[2J\", expected \"segment_distance\"");
  EXPECT_EQ(message("\xc2\x9b[2J\xc2\xa9"), "kernel: \"?[2J\xc2\xa9\", expected \"segment_distance\"") << "C1 too";
  std::string const x(39, 'x');
  EXPECT_EQ(message(x + "\xc3\xa9"), "kernel: \"" + x + "... (40 characters)\", expected \"segment_distance\"")
      << "no half character";
  EXPECT_EQ(message(x + "x"), "kernel: \"" + x + "x\", expected \"segment_distance\"");
}

TEST(JsonDepth, CountsBracketsOutsideStrings) {
  EXPECT_EQ(json_depth(""), 0u);
  EXPECT_EQ(json_depth("1"), 0u);
  EXPECT_EQ(json_depth(R"({"a":[{"b":1}],"c":[[]]})"), 3u);
  EXPECT_EQ(json_depth(R"(["[[[[", "\"[[[", "\\", []])"), 2u);
  EXPECT_EQ(json_depth("]]]][["), 2u);
}

TEST(LineReader, ErrorsInListsNameTheElement) {
  Session session("clump_force_torque");
  std::string const part = R"({"position":[1,2,3],"force":[4,5,6],"torque":[7,8,9]})";
  ASSERT_FALSE(session.read(R"({"input":{"centre":[0,0,0],"members":[)" + part + "," + part + "]}}"));
  std::vector<std::string> const lines{
      R"({"input":{"centre":[0,0,0],"members":[)" + part +
          R"(,{"position":[1,2,3],"force":[4,"a",6],"torque":[7,8,9]}]}})",
      R"({"input":{"centre":[0,0,0],"members":[)" + part + R"(,{"position":[1,2,3],"torque":[7,8,9]}]}})",
      R"({"input":{"centre":[0,0,0],"members":[)" + part + "," + part + R"(,7]}})",
      R"({"input":{"centre":[0,0,0],"members":{}}})",
      R"({"input":{"centre":[0,0,0],"members":[)" + part + R"(],"mass":1}})",
  };
  expect_errors(session, {{lines[0].c_str(), "input.members[1].force[1]: \"a\" is not a number"},
                          {lines[1].c_str(), "input.members[1]: missing key \"force\""},
                          {lines[2].c_str(), "input.members[2]: expected an object"},
                          {lines[3].c_str(), "input.members: expected an array"},
                          {lines[4].c_str(), "input: unknown key \"mass\""}});
  EXPECT_FALSE(session.read(R"({"input":{"centre":[0,0,0],"members":[]}})"))
      << "an empty list is the domain's business";
  EXPECT_EQ(load<clump_force_torque::Input<double>>(session.cases, 1).members.size(), 0u);
  EXPECT_FALSE(session.read(R"({"input":{"members":[)" + part + R"(],"centre":["1/3",0,0]}})"));
  EXPECT_EQ(load<clump_force_torque::Input<double>>(session.cases, 2).members.size(), 1u);
}

TEST(LineReader, TheLargestIdIsReadAndTablesMayBeNull) {
  Session session("segment_distance");
  EXPECT_FALSE(session.read(R"({"id":18446744073709551615})"));
  EXPECT_EQ(session.line.id, std::numeric_limits<std::uint64_t>::max());
  std::string text = segment_line + R"(,"output":{"distance":1}})";
  text.append(LineReader::padding(), ' ');
  EXPECT_FALSE(session.reader.read(std::string_view(text).substr(0, text.size() - LineReader::padding()), nullptr,
                                   nullptr, session.line));
  EXPECT_TRUE(session.line.has_input);
  EXPECT_EQ(session.line.answer, Line::Answer::output);
}

TEST(LineReader, ACarriageReturnAtTheEndIsIgnored) {
  Session session("segment_distance");
  EXPECT_FALSE(session.read(segment_line + R"(,"output":{"distance":1}})" + "\r"));
  EXPECT_EQ(session.outputs.columns[0][0], 1);
}

// -------------------------------------------------------------------------------------------------------------- lines

/// Writes `bytes` into a pipe, in pieces of `piece` bytes. Returns the lines that a LineSource reads from the pipe.
std::vector<std::string> lines_of(std::string const& bytes, std::size_t piece) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      std::size_t const size = std::min(piece, bytes.size() - at);
      std::size_t done = 0;
      while (done < size) {
        ssize_t const put = ::write(ends[1], bytes.data() + at + done, size - done);
        if (put <= 0) break;
        done += static_cast<std::size_t>(put);
      }
    }
    ::close(ends[1]);
  });
  std::FILE* const stream = ::fdopen(ends[0], "r");
  std::vector<std::string> lines;
  {
    LineSource source(stream);
    for (;;) {
      auto const& block = source.next_block();
      if (block.empty()) break;
      for (auto const& line : block) lines.emplace_back(line);
    }
    EXPECT_TRUE(source.next_block().empty()) << "and stays at the end";
    EXPECT_FALSE(source.failed());
  }
  writer.join();
  std::fclose(stream);
  return lines;
}

TEST(LineSource, SplitsAtNewlinesIfBytesArriveInPiecesOfAnySize) {
  using Lines = std::vector<std::string>;
  for (auto const piece : std::initializer_list<std::size_t>{1, 2, 3, 7, 1000}) {
    EXPECT_EQ(lines_of("", piece), Lines{});
    EXPECT_EQ(lines_of("a\n", piece), Lines{"a"});
    EXPECT_EQ(lines_of("a", piece), Lines{"a"}) << "a last line without newline";
    EXPECT_EQ(lines_of("a\nbc\n\nd", piece), (Lines{"a", "bc", "", "d"}));
    EXPECT_EQ(lines_of("\n\n", piece), (Lines{"", ""}));
    EXPECT_EQ(lines_of("a\r\nb\r\n", piece), (Lines{"a\r", "b\r"}));
  }
}

TEST(LineSource, ReadsManyAndVeryLongLines) {
  std::string bytes;
  std::vector<std::string> expected;
  for (int i = 0; i < 20'000; ++i) {
    expected.push_back("{\"id\":" + std::to_string(i) + ",\"comment\":\"" +
                       std::string(static_cast<std::size_t>(i % 97), 'x') + "\"}");
    bytes += expected.back() + "\n";
  }
  expected.push_back(std::string(3'000'000, 'y'));
  bytes += expected.back() + "\n";
  expected.push_back("last");
  bytes += expected.back();
  EXPECT_EQ(lines_of(bytes, 100'000), expected);
}

TEST(LineSource, ALineOfAMegabyteIsReadAsOneCase) {
  Session session("clump_force_torque");
  std::string text = R"({"id":1,"input":{"centre":[0,0,0],"members":[)";
  for (int i = 0; i < 20'000; ++i)
    text += (i == 0 ? "" : ",") + std::string(R"({"position":[)") + std::to_string(i) +
            R"(,2,3],"force":[4,5,6],"torque":["0x1p0",8,9]})";
  text += "]}}";
  ASSERT_GT(text.size(), 1'000'000u);
  auto const lines = lines_of(text, 1 << 16);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_FALSE(session.read(lines[0]));
  auto const in = load<clump_force_torque::Input<double>>(session.cases, 0);
  ASSERT_EQ(in.members.size(), 20'000u);
  EXPECT_EQ(in.members.back().position[0], 19'999);
}

TEST(LineSource, ReportsAReadError) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::FILE* const stream = ::fdopen(ends[1], "w");  // this end of the pipe cannot be read
  LineSource source(stream);
  EXPECT_TRUE(source.next_block().empty());
  EXPECT_TRUE(source.failed());
  std::fclose(stream);
  ::close(ends[0]);
}

// ------------------------------------------------------------------------------------------------------------ writing

std::string written(Schema const& schema, Table const& table, std::size_t row) {
  Buffer buffer;
  write_record(schema, table, row, buffer);
  return fmt::to_string(buffer);
}

TEST(WriteRecord, ReadingAWrittenCaseOfAnyKernelGivesTheSameBits) {
  for (Kernel const& kernel : kernels()) {
    Table cases(kernel.input);
    for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)
      for (std::uint64_t id = 0; id < 20; ++id) kernel.generate(regime, 11, id, cases);
    Session session(kernel.name);
    for (std::size_t row = 0; row < cases.rows; ++row) {
      std::string const text = written(kernel.input, cases, row);
      auto const wrong = session.read("{\"input\":" + text + "}");
      ASSERT_FALSE(wrong) << *wrong << ": " << text;
    }
    ASSERT_EQ(session.cases.columns.size(), cases.columns.size());
    for (std::size_t i = 0; i < cases.columns.size(); ++i) {
      ASSERT_EQ(session.cases.columns[i].size(), cases.columns[i].size());
      for (std::size_t k = 0; k < cases.columns[i].size(); ++k)
        ASSERT_EQ(bits(session.cases.columns[i][k]), bits(cases.columns[i][k]));
    }
  }
}

TEST(WriteRecord, SpecialNumbersExactTextsAndMissingOutputsAreWritten) {
  Kernel const& kernel = *find_kernel("segment_distance");
  Table outputs(kernel.output);
  outputs.columns = {{std::numeric_limits<double>::infinity(), not_computed()},
                     {-std::numeric_limits<double>::infinity(), -0.0},
                     {std::numeric_limits<double>::quiet_NaN(), 0.1}};
  outputs.rows = 2;
  EXPECT_EQ(written(kernel.output, outputs, 0), R"({"distance":"inf","s":"-inf","t":"nan"})");
  outputs.exact[{2, 1}] = "1/10";
  EXPECT_EQ(written(kernel.output, outputs, 1), R"({"s":-0.0,"t":"1/10"})");
  outputs.columns[1][1] = outputs.columns[2][1] = not_computed();
  outputs.exact.clear();
  EXPECT_EQ(written(kernel.output, outputs, 1), "{}");
}

TEST(WriteRecord, CellsOfTextAreWrittenAsNumbersOrAsStrings) {
  Kernel const& kernel = *find_kernel("segment_distance");
  TextTable text;
  text.columns = {{"1.25", "nan"}, {"", "-inf"}, {"3e-7", "0"}};
  text.rows = 2;
  auto const write = [&](std::size_t row, bool quoted) {
    Buffer buffer;
    write_record(kernel.output, text, row, quoted, buffer);
    return fmt::to_string(buffer);
  };
  EXPECT_EQ(write(0, false), R"({"distance":1.25,"t":3e-7})");
  EXPECT_EQ(write(0, true), R"({"distance":"1.25","t":"3e-7"})");
  EXPECT_EQ(write(1, false), R"({"distance":"nan","s":"-inf","t":0})");
}

RC_GTEST_PROP(WriteString, AnyTextReadsBack, ()) {
  // A random text: UTF-8 of code points below 0x800, including control characters and quotes.
  std::string text;
  for (std::uint32_t point :
       *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(1, 0x800))) {
    if (point < 0x80) {
      text += static_cast<char>(point);
    } else {
      text += static_cast<char>(0xc0 | point >> 6);
      text += static_cast<char>(0x80 | (point & 0x3f));
    }
  }
  Buffer buffer;
  write_string(text, buffer);
  std::string const quoted = fmt::to_string(buffer);
  RC_ASSERT(quoted.find('\n') == std::string::npos);
  static Session session("segment_distance");
  RC_ASSERT(!session.read("{\"unsupported\":" + quoted + "}"));
  RC_ASSERT(session.line.message == text);
}

TEST(WriteString, SpecialCharactersAreEscaped) {
  Buffer buffer;
  write_string("a\"b\\c\nd\te\x01/\xc3\xa9", buffer);
  EXPECT_EQ(fmt::to_string(buffer), "\"a\\\"b\\\\c\\nd\\u0009e\\u0001/\xc3\xa9\"");
}

TEST(ReadCase, ReadsARecordOrAWholeLine) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Table cases(kernel.input);
  EXPECT_FALSE(read_case(kernel, R"({"radius":1,"shaft":2,"density":3})", cases));
  EXPECT_FALSE(read_case(kernel, R"({"id":4,"input":{"radius":4,"shaft":5,"density":6}})", cases));
  EXPECT_EQ(cases.rows, 2u);
  EXPECT_EQ(cases.columns[1], (std::vector<double>{2, 5}));
  for (char const* text :
       {R"({"radius":1,"shaft":2})", R"({"input":{"radius":1}})", "{}", "", "x", R"({"radius":"a"})"}) {
    EXPECT_TRUE(read_case(kernel, text, cases)) << text;
    EXPECT_EQ(cases.rows, 2u);
    EXPECT_EQ(cases.columns[0].size(), 2u);
  }
  auto const wrong = read_case(kernel, R"({"input":{"radius":1,"shaft":"x","density":1}})", cases);
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->find("input.shaft"), std::string::npos) << *wrong;
}

}  // namespace json_lines_test
}  // namespace demeter
