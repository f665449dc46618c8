#include "fast/clump_grid_mass_properties.hpp"
