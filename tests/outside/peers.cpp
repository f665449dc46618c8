// Tests peers, which are modules that are loaded on demand. Also tests the messages about modules that cannot be
// loaded.
#include "subjects/peers.hpp"
#include "tests/outside/shell.hpp"
#include "tests/places.hpp"

namespace demeter {
namespace peers_test {

std::string const libraries = DEMETER_OUTSIDE_LIBRARIES;

class PeerModules : public OutsideCommand {
 protected:
  void SetUp() override {
    OutsideCommand::SetUp();
    for (auto const& each : peers::all())
      if (each.left_out.empty() && peer.empty()) peer = each.name;
    if (peer.empty()) GTEST_SKIP() << "no peer in this build";
    fs::create_directory(folder / "first");
    module = "demeter_peer_" + peer + ".so";
  }
  /// Returns a command that searches modules first in the folder `first`, then among the modules of this build.
  std::string with_first(std::string const& command) { return "LD_LIBRARY_PATH=first " + command; }
  /// Expects that each command that needs the peer reports `why` in one line, and that other commands do not.
  void is_missing(std::string const& why) {
    EXPECT_EQ(run(with_first("demeter check segment_distance --count 10 --subject " + peer)), 2) << out;
    EXPECT_EQ(out, "");
    EXPECT_EQ(err, "demeter check: --subject " + peer + ": " + why + "\n");
    EXPECT_EQ(run(with_first("demeter list")), 0) << err;
    EXPECT_EQ(line_after(out, peer), peer + ": " + why);
    EXPECT_EQ(run(with_first("demeter check segment_distance --count 300 --subject fast")), 0) << err;
    EXPECT_FALSE(contains(out + err, peer)) << out << err;
  }

  std::string peer, module;
};

TEST_F(PeerModules, AFileThatIsNotALibraryIsReportedAsMissing) {
  std::ofstream(folder / "first" / module) << std::string(100, 'x');
  is_missing("first/" + module + ": invalid ELF header");
}

TEST_F(PeerModules, ALibraryThatIsNotAnAdapterIsReportedAsMissing) {
  fs::copy_file(libraries + "/adapter_c.so", folder / "first" / module);
  is_missing(module + ": not an adapter of a peer");
}

TEST_F(PeerModules, APeerOfAnotherBuildIsNotCalled) {
  fs::copy_file(libraries + "/another_peer.so", folder / "first" / module);
  is_missing(module + ": built for another build of demeter");
}

TEST_F(PeerModules, EveryPeerOfThisBuildIsLoadedOnlyOnce) {
  for (auto const& each : peers::all()) {
    auto const found = find_peer(each.name);
    ASSERT_EQ(found.subject != nullptr, each.left_out.empty()) << found.wrong;
    EXPECT_EQ(find_peer(each.name).subject, found.subject);
    if (found.subject == nullptr) continue;
    EXPECT_EQ(found.subject->name, each.name);
    EXPECT_FALSE(found.subject->ours() || found.subject->version.empty() || found.subject->answers.empty());
  }
  EXPECT_EQ(find_peer("no such peer").subject, nullptr);
  EXPECT_EQ(find_peer("no such peer").wrong, "");
}

}  // namespace peers_test
}  // namespace demeter
