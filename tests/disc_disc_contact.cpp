#include "fast/disc_disc_contact.hpp"
#include "oracles/disc_disc_contact.hpp"
#include "reference/core/multiprecision.hpp"
#include "reference/disc_disc_contact.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

namespace demeter::disc_disc_contact {
namespace {

using Case = Input<double>;
using Answer = Output<double>;
using Vector = Vector2<double>;

Answer in_50_digits(Case const& in) {
  return testing_kernels::in_digits<Contract, reference::evaluate<Multiprecision>>(in, 50);
}

TEST(DiscDiscContact, CentresOnA345TriangleGiveTheKnownGapAndNormal) {
  Case in{{4, 5}, 1, {1, 1}, 2, 2.5};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in), in_50_digits(in)}) {
    EXPECT_EQ(out.gap, 2);
    ASSERT_TRUE(out.normal);
    EXPECT_NEAR((*out.normal - Vector(0.6, 0.8)).norm(), 0, 0x1p-52);  // the fast form multiplies 3 and 4 by the
                                                                       // rounded 1/5
    EXPECT_EQ(out.present, Present::yes);
  }
  in.alert = 2;  // the gap is not below the alert distance
  EXPECT_EQ(fast::evaluate(in).present, Present::no);
  EXPECT_EQ(oracle::truth(in).present, Present::no);
  in.radius_j = 0;
  EXPECT_EQ(fast::evaluate(in).gap, 4);
}

TEST(DiscDiscContact, EqualCentresHaveNoNormal) {
  Case const in{{3, 4}, 1, {3, 4}, 2, 0};
  for (Answer const& out : {fast::evaluate(in), reference::evaluate(in)}) {
    EXPECT_EQ(out.gap, -3);
    EXPECT_FALSE(out.normal);
    EXPECT_EQ(out.present, Present::yes);
  }
  Case const nearly{{3, std::nextafter(4, 5)}, 1, {3, 4}, 2, 0};
  EXPECT_EQ(*fast::evaluate(nearly).normal, Vector(0, 1));
}

TEST(DiscDiscContact, DomainErrorsNameTheField) {
  Case const good{{0, 0}, 1, {3, 0}, 0, 0};
  EXPECT_FALSE(Contract::domain_error(good));
  auto const named = [&](auto const& change) { return testing_kernels::field_refused<Contract>(good, change); };
  EXPECT_EQ(named([](Case& in) { in.radius_i = 0; }), "radius_i");
  EXPECT_EQ(named([](Case& in) { in.radius_j = -1; }), "radius_j");
  EXPECT_EQ(named([](Case& in) { in.alert = -1; }), "alert");
  EXPECT_EQ(named([](Case& in) { in.centre_i[1] = 1e101; }), "centre_i[1]");
}

}  // namespace
}  // namespace demeter::disc_disc_contact
