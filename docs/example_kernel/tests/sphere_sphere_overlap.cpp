#include "fast/sphere_sphere_overlap.hpp"
#include "oracles/sphere_sphere_overlap.hpp"
#include "reference/sphere_sphere_overlap.hpp"

#include <gtest/gtest.h>

namespace demeter::sphere_sphere_overlap {
namespace {

TEST(SphereSphereOverlap, AHandComputedPair) {
  // The distance of the centres (0, 0, 0) and (3, 4, 0) is 5.
  Input<double> const in{{{0, 0, 0}, 2}, {{3, 4, 0}, 4}};
  for (auto const& answer : {reference::evaluate(in), fast::evaluate(in)}) {
    EXPECT_EQ(answer.overlap, 1);
    EXPECT_EQ(answer.status, Status::overlapping);
  }
  Output<Enclosure> const truth = oracle::truth(in);
  EXPECT_EQ(truth.overlap.high + truth.overlap.low, 1);
  EXPECT_EQ(truth.status, Status::overlapping);
}

TEST(SphereSphereOverlap, TouchingIsDecidedExactly) {
  Input<double> in{{{0, 0, 0}, 2}, {{3, 4, 0}, 3}};
  EXPECT_EQ(oracle::truth(in).status, Status::touching);
  in.b.radius = std::nextafter(3, 4);
  EXPECT_EQ(oracle::truth(in).status, Status::overlapping);
}

}  // namespace
}  // namespace demeter::sphere_sphere_overlap
