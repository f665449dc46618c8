#include <demeter/fast/segment_distance.hpp>

extern "C" double module_distance(double const* coordinates) {
  demeter::segment_distance::Input<double> pair;
  for (int i = 0; i < 3; ++i) {
    pair.p0[i] = coordinates[i];
    pair.p1[i] = coordinates[3 + i];
    pair.q0[i] = coordinates[6 + i];
    pair.q1[i] = coordinates[9 + i];
  }
  return demeter::segment_distance::fast::evaluate(pair).distance;
}
