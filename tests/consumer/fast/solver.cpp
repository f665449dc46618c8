#include <demeter/fast/capsule_mass_properties.hpp>
#include <demeter/fast/clump_force_torque.hpp>
#include <demeter/fast/segment_distance.hpp>

#include <cmath>
#include <cstdio>

int main() {
  namespace distance = demeter::segment_distance;
  distance::Input<double> pair;
  pair.p0 = {0, 0, 0};
  pair.p1 = {1, 0, 0};
  pair.q0 = {0.5, 1, -1};
  pair.q1 = {0.5, 1, 1};
  auto const closest = distance::fast::evaluate(pair);

  demeter::capsule_mass_properties::Input<double> const grain{0.5, 1, 1000};
  auto const properties = demeter::capsule_mass_properties::fast::evaluate(grain);

  demeter::clump_force_torque::Input<double> clump;
  clump.centre = {0, 0, 0};
  clump.members.resize(1);
  clump.members[0].position = {1, 0, 0};
  clump.members[0].force = {0, 2, 0};
  clump.members[0].torque = {0, 0, 1};
  auto const sum = demeter::clump_force_torque::fast::evaluate(clump);

  // The batch form must give the same bits at every level that this machine has.
  double const columns[12] = {0, 0, 0, 1, 0, 0, 0.5, 1, -1, 0.5, 1, 1};
  double results[3] = {};
  double const* in[12];
  double* out[3];
  for (int i = 0; i < 12; ++i) in[i] = &columns[i];
  for (int i = 0; i < 3; ++i) out[i] = &results[i];
  distance::fast::evaluate(demeter::best_level(), 1, in, out);

  std::printf("distance %g at %g, %g; volume %.17g; torque %g\n", closest.distance, closest.s, closest.t,
              properties.volume, sum.torque[2]);
  bool const right = closest.distance == 1 && closest.s == 0.5 && closest.t == 0.5 && results[0] == closest.distance &&
                     std::abs(properties.volume - 5 * M_PI / 12) < 1e-15 && sum.torque[2] == 3;
  return right ? 0 : 1;
}
