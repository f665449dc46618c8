// Tests JUnit XML: it must be well formed for any names and messages, and must have the elements that readers of JUnit
// need.
#include "reports/junit.hpp"

#include "subjects/subjects.hpp"
#include "tests/core/command.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace demeter::junit {
namespace junit_test {

/// Returns a description of an error in an XML text, or "". Checks four rules: tags are balanced and nested, attributes
/// are quoted, no markup is outside of tags, and no character is one that XML forbids.
std::string ill_formed(std::string const& xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  if (xml.rfind("<?xml", 0) == 0) at = xml.find("?>") + 2;
  if (xml.find("<!--", at) == at + 1) at = xml.find("-->", at) + 3;
  bool rooted = false;
  while (at < xml.size()) {
    char const c = xml[at];
    if (static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t' && c != '\r') return "control character";
    if (c == '&') {
      auto const end = xml.find(';', at);
      std::string const entity = xml.substr(at, end - at);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot" && entity != "&#13")
        return "entity " + entity;
      at = end + 1;
    } else if (c == '<') {
      auto const end = xml.find('>', at);
      if (end == std::string::npos) return "open tag";
      std::string tag = xml.substr(at + 1, end - at - 1);
      std::string const name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /", 1) - (tag[0] == '/' ? 1 : 0));
      if (tag[0] == '/') {
        if (open.empty() || open.back() != tag.substr(1)) return "closed " + tag;
        open.pop_back();
      } else {
        if (open.empty() && std::exchange(rooted, true)) return "two roots";
        if (std::count(tag.begin(), tag.end(), '"') % 2 != 0 || tag.find('<') != std::string::npos) return "tag " + tag;
        if (tag.back() != '/') open.push_back(name);
      }
      at = end + 1;
    } else {
      if (open.empty() && c != '\n') return "text outside the root";
      ++at;
    }
  }
  return open.empty() ? "" : "unclosed " + open.back();
}

/// The rules of JUnit files as an XML schema. xmllint applies the schema if it is installed.
constexpr char const* schema = R"(<?xml version="1.0"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <xs:attributeGroup name="counts">
  <xs:attribute name="name" type="xs:string" use="required"/>
  <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
 </xs:attributeGroup>
 <xs:complexType name="reason"><xs:simpleContent><xs:extension base="xs:string">
   <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="xs:string" use="required"/>
 </xs:extension></xs:simpleContent></xs:complexType>
 <xs:element name="testsuites"><xs:complexType>
  <xs:sequence><xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
   <xs:sequence><xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
    <xs:choice minOccurs="0">
     <xs:element name="failure" type="reason"/><xs:element name="error" type="reason"/>
     <xs:element name="skipped"><xs:complexType><xs:attribute name="message" type="xs:string"/></xs:complexType></xs:element>
     <xs:element name="system-out" type="xs:string"/>
    </xs:choice>
    <xs:attribute name="name" type="xs:string" use="required"/>
    <xs:attribute name="classname" type="xs:string" use="required"/>
   </xs:complexType></xs:element></xs:sequence>
   <xs:attributeGroup ref="counts"/>
  </xs:complexType></xs:element></xs:sequence>
  <xs:attributeGroup ref="counts"/>
 </xs:complexType></xs:element>
</xs:schema>)";

void expect_valid(std::string const& xml) {
  EXPECT_EQ(ill_formed(xml), "") << xml;
  if (std::system("command -v xmllint >/dev/null 2>&1") != 0) return;
  Folder const own;
  fs::path const folder = own.path();
  std::ofstream(folder / "junit.xsd") << schema;
  std::ofstream(folder / "junit.xml") << xml;
  std::string const line = "cd '" + folder.string() + "' && xmllint --noout --schema junit.xsd junit.xml >said 2>&1";
  bool const valid = std::system(line.c_str()) == 0;
  EXPECT_TRUE(valid) << read_file(folder / "said") << xml;
}

TEST(JUnit, EscapesMarkupAndCharactersForbiddenInXml) {
  EXPECT_EQ(escaped("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'");
  EXPECT_EQ(escaped("tab\tline\nreturn\r"), "tab\tline\nreturn&#13;");
  EXPECT_EQ(escaped("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  std::string const replaced = "\xEF\xBF\xBD";
  for (std::string const& bad : {std::string(1, '\0'), std::string("\x01"), std::string("\x1B"), std::string("\x80"),
                                 std::string("\xFF"), std::string("\xC3"), std::string("\xEF\xBF\xBE")})
    EXPECT_EQ(escaped("a" + bad + "b"), "a" + replaced + "b") << testing::PrintToString(bad);
  EXPECT_EQ(escaped("\xC0\x80"), replaced + replaced);                 // overlong
  EXPECT_EQ(escaped("\xED\xA0\x80"), replaced);                        // a surrogate
  EXPECT_EQ(escaped("\xE0\x80\x80"), replaced + replaced + replaced);  // overlong: replaced byte by byte
  EXPECT_EQ(escaped("\xF5\x80\x80\x80").substr(0, 3), replaced);       // a code point beyond U+10FFFF
}

TEST(JUnit, FilesAreValidForAnyText) {
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
  for (std::string const& text : {every_byte, std::string("]]>\"<!--&#x0;"), std::string("\n\n"), std::string()}) {
    std::vector<Case> cases;
    for (auto const outcome :
         {Case::Outcome::passed, Case::Outcome::failed, Case::Outcome::error, Case::Outcome::skipped})
      cases.push_back({text, outcome, text, text});
    expect_valid(xml({{text, text, cases}, {text, text, {}}}));
  }
  expect_valid(xml({}));
}

TEST(JUnit, CountsOutcomes) {
  std::string const text = xml({{"s",
                                 "g",
                                 {{"a", Case::Outcome::failed, "why", "more"},
                                  {"b", Case::Outcome::error, "open", ""},
                                  {"c", Case::Outcome::passed, "", ""},
                                  {"d", Case::Outcome::skipped, "cannot", ""}}}});
  EXPECT_NE(text.find("<testsuites name=\"demeter\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">"),
            std::string::npos);
  EXPECT_NE(text.find("<failure type=\"fail\" message=\"why\">why\nmore</failure>"), std::string::npos);
  EXPECT_NE(text.find("<error type=\"undecided\" message=\"open\">"), std::string::npos);
  EXPECT_NE(text.find("<testcase classname=\"g\" name=\"c\"/>"), std::string::npos);
}

TEST(JUnit, HasACasePerResultOfACheck) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Subject const& documented = *find_subject("documented");
  CheckOptions options;
  options.cases = 300;
  options.law_cases = 30;
  auto const checked = check(kernel, {&documented}, options).front();
  ASSERT_FALSE(checked.passed());
  Suite const made = suite(kernel, documented, checked, options, false);
  EXPECT_EQ(made.name, "capsule_mass_properties x documented@double");
  std::size_t cells = 0, failed = 0, laws = 0;
  for (auto const& cell : checked.accuracy) {
    if (cell.judged == 0) continue;
    ++cells;
    if (cell.failed > 0) ++failed;
  }
  for (auto const& law : checked.laws) {
    if (law.applicable > 0) ++laws;
    if (law.broken > 0) ++failed;
  }
  EXPECT_EQ(made.cases.size(), cells + laws);
  EXPECT_GT(failed, 0u);
  for (auto const& each : made.cases) {
    if (each.outcome != Case::Outcome::failed) continue;
    --failed;
    EXPECT_NE(each.message, "");
    EXPECT_EQ(each.message.find('\n'), std::string::npos);
    EXPECT_NE(each.detail.find("demeter explain capsule_mass_properties '{"), std::string::npos) << each.name;
  }
  EXPECT_EQ(failed, 0u);
  expect_valid(xml({made}));

  // An undecided case is an error, unless the caller accepts undecided cases.
  SubjectCheck open = checked;
  open.laws.clear();
  open.accuracy.resize(1);
  open.accuracy[0].failed = 0;
  open.accuracy[0].undecided = 2;
  EXPECT_EQ(suite(kernel, documented, open, options, false).cases[0].outcome, Case::Outcome::error);
  EXPECT_EQ(suite(kernel, documented, open, options, true).cases[0].outcome, Case::Outcome::passed);
}

TEST(JUnit, TestingWhetherAFileIsWritableDoesNotChangeIt) {
  Folder const own;
  fs::path const folder = own.path();
  EXPECT_NE(cannot_write((folder / "none" / "x.xml").string()), std::nullopt);
  EXPECT_NE(cannot_write(folder.string()), std::nullopt);
  EXPECT_EQ(cannot_write((folder / "new.xml").string()), std::nullopt);
  EXPECT_FALSE(fs::exists(folder / "new.xml"));
  std::ofstream(folder / "old.xml") << "kept";
  EXPECT_EQ(cannot_write((folder / "old.xml").string()), std::nullopt);
  EXPECT_EQ(fs::file_size(folder / "old.xml"), 4u);
  EXPECT_EQ(write((folder / "old.xml").string(), {}), std::nullopt);
  EXPECT_GT(fs::file_size(folder / "old.xml"), 50u);
}

}  // namespace junit_test
}  // namespace demeter::junit
