// What the checks of scenes share.
#pragma once

#include "simulations/scene_file.hpp"

namespace demeter::simulations {

/// What is wrong with the values of a scene in non-smooth dynamics.
std::optional<std::string> invalid_nonsmooth(SceneFile const& file);

/// 0.1, or "0.1" of what stands in quotes.
std::string as_written(Number const& x);

/// "body.points" of "body[1].points".
std::string without_indices(std::string_view key);

/// What is wrong with a body's name, which is added to those that there are.
std::optional<std::string> bad_name(std::string const& name, std::set<std::string>& names);

/// In 100 digits a shape, its body and its contacts take up to 20 kB: whether as many are too many.
std::optional<std::string> too_many(double shapes);

}  // namespace demeter::simulations
