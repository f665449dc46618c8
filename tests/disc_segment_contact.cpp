#include "fast/disc_segment_contact.hpp"
#include "fast/disc_disc_contact.hpp"
#include "oracles/disc_segment_contact.hpp"
#include "properties/disc_segment_contact.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/core/rational.hpp"
#include "reference/disc_disc_contact.hpp"
#include "reference/disc_segment_contact.hpp"
#include "reference/nscd_contact_update.hpp"
#include "reference/printed/disc_segment_contact.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::disc_segment_contact {
namespace {

/// A rational number with a square root, for exact cases. If a root is not rational, the test fails.
struct Exact {
  Rational value = 0;

  Exact() = default;
  Exact(Rational const& x) : value(x) {}  // NOLINT: implicit, as for numbers
  Exact(int x) : value(x) {}              // NOLINT
  friend Exact operator+(Exact const& a, Exact const& b) { return Rational(a.value + b.value); }
  friend Exact operator-(Exact const& a, Exact const& b) { return Rational(a.value - b.value); }
  friend Exact operator*(Exact const& a, Exact const& b) { return Rational(a.value * b.value); }
  friend Exact operator/(Exact const& a, Exact const& b) { return Rational(a.value / b.value); }
  friend Exact operator-(Exact const& a) { return Rational(-a.value); }
  friend bool operator<(Exact const& a, Exact const& b) { return a.value < b.value; }
  friend bool operator==(Exact const& a, Exact const& b) { return a.value == b.value; }
  friend Exact sqrt(Exact const& x) {
    using Integer = boost::multiprecision::number<boost::multiprecision::gmp_int, boost::multiprecision::et_off>;
    Integer const top = boost::multiprecision::sqrt(Integer(numerator(x.value))),
                  bottom = boost::multiprecision::sqrt(Integer(denominator(x.value)));
    Rational const root = Rational(top) / Rational(bottom);
    EXPECT_EQ(root * root, x.value) << "no rational root of " << x.value;
    return root;
  }
  friend std::ostream& operator<<(std::ostream& out, Exact const& x) { return out << x.value; }
};

}  // namespace
}  // namespace demeter::disc_segment_contact

namespace demeter::disc_segment_contact {
namespace {

using testing_kernels::cases;
using testing_kernels::text;
using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector2<double>;

constexpr std::uint64_t seed = 19;
constexpr testing_kernels::Tested<Contract, oracle::hooks> tested{properties::regimes, properties::laws, oracle::truth,
                                                                  seed};

Answer in_50_digits(Case const& in) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, 50);
}

TEST(DiscSegmentContact, ASlantedSegmentGivesTheKnownGapAndNormal) {
  // The segment has the direction (4, 3). The foot is its middle, and the centre is 5/2 to the left of the segment.
  Case in{{0.5, 3.5}, 1, {0, 0}, {4, 3}, 2};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_50_digits(in)}) {
    EXPECT_EQ(out.gap, 1.5);
    ASSERT_TRUE(out.normal);
    EXPECT_NEAR((*out.normal - Vector(-0.6, 0.8)).norm(), 0, 0x1p-52);
    EXPECT_EQ(out.feature, Feature::interior);
    EXPECT_EQ(out.present, Present::yes);
  }
  in.alert = 1.5;  // the gap is not below the alert distance
  EXPECT_EQ(fast::evaluate(in).present, Present::no);
  EXPECT_EQ(oracle::truth(in).present, Present::no);
}

TEST(DiscSegmentContact, AFootAtAnEndIsNotInterior) {
  struct Known {
    Vector centre;
    double gap;
    Vector normal;
    Feature feature;
  };
  for (auto const& [centre, gap, normal, feature] :
       {Known{{0, 2}, 1, {0, 1}, Feature::end0}, Known{{4, -2}, 1, {0, -1}, Feature::end1},
        Known{{-3, 4}, 4, {-0.6, 0.8}, Feature::end0}, Known{{7, 4}, 4, {0.6, 0.8}, Feature::end1},
        Known{{0x1p-300, 2}, 1, {0, 1}, Feature::interior}, Known{{1, -2}, 1, {0, -1}, Feature::interior}}) {
    Case const in{centre, 1, {0, 0}, {4, 0}, 0};
    for (Answer const& out : {fast::evaluate(in), reference::evaluate(in)}) {
      EXPECT_EQ(out.gap, gap) << text(in);
      ASSERT_TRUE(out.normal);
      EXPECT_NEAR((*out.normal - normal).norm(), 0, 0x1p-52) << text(in);
      EXPECT_EQ(out.feature, feature) << text(in);
    }
  }
}

TEST(DiscSegmentContact, ACentreOnTheSegmentHasNoNormal) {
  for (Vector const& centre : {Vector(0, 0), Vector(2, 1.5), Vector(4, 3)}) {
    Case const in{centre, 1, {0, 0}, {4, 3}, 0};
    for (Answer const& out : {fast::evaluate(in), reference::evaluate(in)}) {
      EXPECT_EQ(out.gap, -1);
      EXPECT_FALSE(out.normal);
      EXPECT_EQ(out.present, Present::yes);
    }
  }
  Case const nearly{{2, std::nextafter(1.5, 2)}, 1, {0, 0}, {4, 3}, 0};
  EXPECT_NEAR((*fast::evaluate(nearly).normal - Vector(-0.6, 0.8)).norm(), 0, 0x1p-52);
  // This centre is on the line of the segment, but beyond its end.
  EXPECT_NEAR((*fast::evaluate({{8, 6}, 1, {0, 0}, {4, 3}, 0}).normal - Vector(0.8, 0.6)).norm(), 0, 0x1p-52);
}

/// The centres are near a point of the line, in steps of an ulp. There, products in double can give the wrong side.
TEST(DiscSegmentContact, NormalsPointToTheExactSideOfTheLine) {
  std::size_t wrong_in_double = 0, on_the_line = 0;
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 64; ++k) {
      Case const in{{0.5 + i * 0x1p-53, 0.5 + k * 0x1p-53}, 1, {-12, -12}, {24, 24}, 0};
      Answer const out = fast::evaluate(in);
      ASSERT_EQ(out.feature, Feature::interior);
      EXPECT_EQ(out.normal.has_value(), i != k) << text(in);
      EXPECT_EQ(out.normal && (*out.normal)[1] > 0, k > i) << text(in);
      on_the_line += i == k ? 1 : 0;
      // These coordinates are not exact decimals, because 0.1 is not a double. The products must be computed exactly.
      Case const shifted{{0.5 + i * 0x1p-53, 0.5 + k * 0x1p-53}, 1, {-12.1, -12.3}, {24.2, 24.4}, 0};
      Rational const x(-12.1), y(-12.3);
      Rational const area = (Rational(24.2) - x) * (Rational(shifted.centre[1]) - y) -
                            (Rational(24.4) - y) * (Rational(shifted.centre[0]) - x);
      Answer const other = fast::evaluate(shifted);
      ASSERT_TRUE(other.normal);
      EXPECT_EQ((*other.normal)[1] > 0, area > 0) << text(shifted);
      double const plain = (24 - -12.) * (in.centre[1] - -12) - (24 - -12.) * (in.centre[0] - -12);
      wrong_in_double += (plain > 0) != (k > i) ? 1 : 0;
    }
  EXPECT_EQ(on_the_line, 64u);
  EXPECT_GT(wrong_in_double, 64u);
}

TEST(DiscSegmentContact, BeyondAnEndTheContactEqualsTheContactWithAPoint) {
  std::size_t seen = 0;
  tested.for_each_case(cases(500), [&](Case const& in) {
    Answer const out = fast::evaluate(in);
    if (out.feature == Feature::interior) return;
    ++seen;
    auto const point = disc_disc_contact::fast::evaluate(
        {in.centre, in.radius, out.feature == Feature::end0 ? in.p0 : in.p1, 0, in.alert});
    EXPECT_EQ(out.gap, point.gap) << text(in);
    EXPECT_EQ(out.normal, point.normal) << text(in);
    EXPECT_EQ(out.present == Present::yes, point.present == disc_disc_contact::Present::yes) << text(in);
  });
  EXPECT_GT(seen, 2 * cases(500));
}

/// A disc of radius 1 at (0, 1) on a flat floor of two segments that meet at x = l. The disc moves along x.
struct Joint {
  Input<Exact> behind, ahead;
  disc_disc_contact::Input<Exact> disk;  ///< the common end of the segments, as a disc of radius 0

  explicit Joint(Rational const& l) {
    Exact const alert = Rational(1, 2);
    behind = {{0, 1}, 1, {-4, 0}, {l, 0}, alert};
    ahead = {{0, 1}, 1, {l, 0}, {5, 0}, alert};
    disk = {{0, 1}, 1, {l, 0}, 0, alert};
  }
};
/// Returns the contact update for a disc with velocity (speed, 0) and a wall at rest.
nscd_contact_update::Output<Rational> updated(Vector2<Exact> const& normal, Exact const& gap, Rational const& speed,
                                              Rational const& dt) {
  Rational const zero(0), infinite_mass("1" + std::string(200, '0'));
  return nscd_contact_update::reference::evaluate<Rational>(
      {Rational(1), infinite_mass, {speed, zero}, {zero, zero}, {normal[0].value, normal[1].value}, gap.value, dt});
}

TEST(DiscSegmentContact, AnEndOnAFlatFloorCausesAGhostCollisionOfTheExactSize) {
  Joint const joint(Rational(3, 4));
  auto const behind = reference::evaluate(joint.behind), ahead = reference::evaluate(joint.ahead);
  auto const disk = disc_disc_contact::reference::evaluate(joint.disk);
  EXPECT_EQ(behind.feature, Feature::interior);
  EXPECT_EQ(behind.gap, Exact(0));
  EXPECT_EQ(*behind.normal, (Vector2<Exact>(0, 1)));
  EXPECT_EQ(disk.gap, Exact(Rational(1, 4)));
  EXPECT_EQ(*disk.normal, (Vector2<Exact>(Rational(-3, 5), Rational(4, 5))));
  EXPECT_EQ(disk.present, disc_disc_contact::Present::yes);
  // The contact with the segment ahead equals the contact with the end disc. Its feature is the end.
  EXPECT_EQ(ahead.feature, Feature::end0);
  EXPECT_EQ(ahead.gap, disk.gap);
  EXPECT_EQ(*ahead.normal, *disk.normal);
  EXPECT_EQ(ahead.present, Present::yes);
  // In the printed formulas, the segment ahead has no contact, but its end disc has one.
  EXPECT_EQ(printed::documented(joint.ahead).present, Present::no);
  EXPECT_EQ(printed::documented_disks(joint.ahead).present, Present::yes);
  EXPECT_EQ(printed::documented_disks(joint.ahead).gap, disk.gap);

  Rational const one(1), half(1, 2), zero(0);
  auto const on_floor = updated(*behind.normal, behind.gap, one, half);
  EXPECT_EQ(on_floor.correction, zero);
  auto const by_disk = updated(*disk.normal, disk.gap, one, half);
  EXPECT_EQ(by_disk.correction, Rational(1, 10));
  EXPECT_EQ(by_disk.velocity_i, (Vector2<Rational>(Rational(47, 50), Rational(2, 25))));
  // The end disc changes the velocity if u dt > d (d + r)/l, with the speed u, the gap d, r = 1 and l = 3/4.
  Rational const limit(5, 12), d = disk.gap.value;
  EXPECT_EQ(limit, d * (d + 1) / Rational(3, 4));
  EXPECT_EQ(updated(*disk.normal, disk.gap, limit / half, half).correction, zero);
  EXPECT_GT(updated(*disk.normal, disk.gap, limit / half + Rational(1, 1000000), half).correction, zero);
}

TEST(DiscSegmentContact, EndsAtAJointAreOneContact) {
  // Above the joint, three contacts are present: with each of the two segments (also in the printed formula), and with
  // the end disc.
  Joint const joint(Rational(0));
  auto const behind = reference::evaluate(joint.behind), ahead = reference::evaluate(joint.ahead);
  auto const disk = disc_disc_contact::reference::evaluate(joint.disk);
  EXPECT_EQ(behind.feature, Feature::end1);
  EXPECT_EQ(ahead.feature, Feature::end0);
  EXPECT_EQ(printed::documented(joint.behind).present, Present::yes);
  EXPECT_EQ(printed::documented(joint.ahead).present, Present::yes);
  for (auto const& [gap, normal] : {std::pair{behind.gap, *behind.normal}, std::pair{ahead.gap, *ahead.normal},
                                    std::pair{disk.gap, *disk.normal}}) {
    EXPECT_EQ(gap, Exact(0));
    EXPECT_EQ(normal, (Vector2<Exact>(0, 1)));
  }
}

/// The printed formula ignores the alert distance in the range of its end discs.
TEST(DiscSegmentContact, PrintedEndDiscsMissContactsWithinTheAlertDistance) {
  auto const at = [](Exact const& x) { return Input<Exact>{{x, 0}, 1, {0, 0}, {1, 0}, Rational(1, 2)}; };
  for (Rational const& x : {Rational(-5, 4), Rational(-149, 100), Rational(9, 4)}) {
    EXPECT_EQ(reference::evaluate(at(x)).present, Present::yes);
    EXPECT_EQ(printed::documented_disks(at(x)).present, Present::no);
  }
  EXPECT_EQ(printed::documented_disks(at(-1)).present, Present::yes);
  EXPECT_EQ(reference::evaluate(at(Rational(-3, 2))).present, Present::no);
}

TEST(DiscSegmentContact, ThePrintedNormalIsNotNormalised) {
  Input<Exact> const in{{Rational(1, 2), Rational(-3, 4)}, 1, {0, 0}, {1, 0}, 0};
  EXPECT_EQ(*printed::documented(in).normal, (Vector2<Exact>(0, Rational(-3, 4))));
  EXPECT_EQ(*reference::evaluate(in).normal, (Vector2<Exact>(0, -1)));
  EXPECT_EQ(printed::documented(in).gap, reference::evaluate(in).gap);
}

/// The error of a wrong feature is the distance of the foot from the place where the feature would be right. The error
/// of a wrong `present` is the difference of gap and alert distance. A label that is not answered has no error.
TEST(DiscSegmentContact, TheErrorOfAWrongLabelIsTheDistanceToTheCaseWhereItIsRight) {
  Case const in{{3, 2}, 1, {0, 0}, {4, 0}, 0.25};
  Output<Enclosure> const truth = oracle::truth(in);
  Answer answer = fast::evaluate(in);
  auto const wrong_by = [&] {
    Enclosure const is = oracle::excess(in, truth, answer);
    Enclosure const again = enclosure_of(oracle::refined_excess(in, oracle::refined_truth(in, 256), answer));
    EXPECT_EQ(again.high, is.high);
    return static_cast<double>(is.high + is.low);
  };
  EXPECT_EQ(wrong_by(), 0);
  answer.feature = Feature::end0;
  EXPECT_EQ(wrong_by(), 3);
  answer.feature = Feature::end1;
  EXPECT_EQ(wrong_by(), 1);
  answer.present = Present::yes;
  EXPECT_EQ(wrong_by(), 1);
  answer.feature = no_label<Feature>();
  EXPECT_EQ(wrong_by(), 0.75);
  answer.present = no_label<Present>();
  EXPECT_EQ(wrong_by(), 0);
  // If the foot is at an end, both labels are right.
  Case const tie{{4, 2}, 1, {0, 0}, {4, 0}, 0.25};
  answer = fast::evaluate(tie);
  EXPECT_EQ(answer.feature, Feature::end1);
  answer.feature = Feature::interior;
  EXPECT_EQ(oracle::excess(tie, oracle::truth(tie), answer).high, 0);
  answer.feature = Feature::end0;
  EXPECT_EQ(oracle::excess(tie, oracle::truth(tie), answer).high, 4);
}

TEST(DiscSegmentContact, AWrongLabelDoesNotFailTheOtherLabel) {
  Case const in{{3, 2}, 1, {0, 0}, {4, 0}, 0.25};
  auto const failed = [&](Answer const& answer) {
    auto const all = testing_kernels::judged<Contract, oracle::hooks>(in, oracle::truth(in), answer);
    std::string names;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].verdict == Verdict::fail) names += std::string(Contract::budgets[k].output) + " ";
    return names;
  };
  Answer const right = fast::evaluate(in);
  EXPECT_EQ(failed(right), "");
  Answer wrong = right;
  wrong.feature = Feature::end0;
  EXPECT_EQ(failed(wrong), "feature ");
  wrong.present = Present::yes;
  EXPECT_EQ(failed(wrong), "feature present ");
  wrong.feature = right.feature;
  EXPECT_EQ(failed(wrong), "present ");
}

TEST(DiscSegmentContact, DomainErrorsNameTheField) {
  Case const good{{0, 0}, 1, {3, 0}, {0, 3}, 0};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.radius = 0; }), "radius");
  EXPECT_EQ(named([](Case& in) { in.alert = -1; }), "alert");
  EXPECT_EQ(named([](Case& in) { in.centre[1] = 1e101; }), "centre[1]");
  EXPECT_EQ(named([](Case& in) { in.p0[0] = 1e-101; }), "p0[0]");
  EXPECT_EQ(named([](Case& in) { in.p1[1] = -1e101; }), "p1[1]");
  EXPECT_EQ(named([](Case& in) { in.p1 = in.p0; }), "p1");
  EXPECT_EQ(named([](Case& in) { in.p1[0] = std::nextafter(3, 4), in.p1[1] = 0; }), "");
}

}  // namespace
}  // namespace demeter::disc_segment_contact
