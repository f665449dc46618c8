// The choices of which a force law is composed. Each code makes one choice of each kind. docs/mathematics/forces.md
// explains the formulas. The first value of each choice is the recommended one.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

namespace demeter::contact_force {

/// The normal along which the normal velocity is measured: the mean of the normals now and a step ago, or the normal
/// now.
enum class NormalVelocity : unsigned char { mean, current };
constexpr std::array<std::string_view, 2> labels(NormalVelocity) { return {"mean", "current"}; }

/// The plane on which the velocity is projected: first the plane of the mean normal and then that of the current
/// normal, or one of the two planes. woo: measured in axes that rotate with the contact.
enum class Slip : unsigned char { both, current, mean, woo };
constexpr std::array<std::string_view, 4> labels(Slip) { return {"both", "current", "mean", "woo"}; }

/// How the tangential spring follows the rotation of the contact.
enum class Transport : unsigned char { exact, old_normal, woo, project, restore, none };
constexpr std::array<std::string_view, 6> labels(Transport) {
  return {"exact", "old-normal", "woo", "project", "project+restore", "none"};
}

/// How the tangential spring of a Hertzian contact follows a change of the stiffness. rescaled: keeps the force if the
/// contact becomes stiffer. total: keeps the spring. increment: keeps the force. shortened: becomes shorter if the
/// contact becomes softer.
enum class Memory : unsigned char { rescaled, total, increment, shortened };
constexpr std::array<std::string_view, 4> labels(Memory) { return {"rescaled", "total", "increment", "shortened"}; }

/// The quantity that Coulomb's limit shortens.
enum class Limit : unsigned char { spring_then_sum, sum, sum_without_memory, spring_damped_if_stuck, spring };
constexpr std::array<std::string_view, 5> labels(Limit) {
  return {"spring-then-sum", "sum", "sum-without-memory", "spring-damped-if-stuck", "spring"};
}

/// Returns true if the limit shortens the sum of spring and damping, and never the spring alone.
constexpr bool shortens_only_sum(Limit limit) { return limit == Limit::sum || limit == Limit::sum_without_memory; }

/// Whether the spring of a new contact moves in its first step, and whether tangential damping acts in this step.
enum class FirstStep : unsigned char { slips_and_damps, damps, slips, rests };
constexpr std::array<std::string_view, 4> labels(FirstStep) { return {"slip+damp", "damp", "slip", "rest"}; }

constexpr bool slips(FirstStep first) { return first == FirstStep::slips_and_damps || first == FirstStep::slips; }
constexpr bool damps(FirstStep first) { return first == FirstStep::slips_and_damps || first == FirstStep::damps; }
/// Returns the same first step with a spring that does not move.
constexpr FirstStep without_slip(FirstStep first) { return damps(first) ? FirstStep::damps : FirstStep::rests; }

/// Whether the normal force may pull. given: as the input `tension` says. cut: never. allowed: always.
enum class Pull : unsigned char { given, cut, allowed };
constexpr std::array<std::string_view, 3> labels(Pull) { return {"given", "cut", "allowed"}; }

/// The power of overlap / radius that multiplies the damping coefficients of a Hertzian contact: 1/4, 0, 1/2 or 1.
enum class Damping : unsigned char { tsuji, constant, viscoelastic, overlap };
constexpr std::array<std::string_view, 4> labels(Damping) { return {"tsuji", "constant", "viscoelastic", "overlap"}; }

/// One value of each choice. The defaults are the recommended law.
struct Choices {
  NormalVelocity normal_velocity = NormalVelocity::mean;
  Slip slip = Slip::both;
  Transport transport = Transport::exact;
  Memory memory = Memory::rescaled;
  Limit limit = Limit::spring_then_sum;
  FirstStep first_step = FirstStep::slips_and_damps;
  Pull tension = Pull::given;
  Damping damping = Damping::tsuji;

  static constexpr auto members() {
    return std::tuple{&Choices::normal_velocity, &Choices::slip,       &Choices::transport, &Choices::memory,
                      &Choices::limit,           &Choices::first_step, &Choices::tension,   &Choices::damping};
  }
  friend constexpr bool operator==(Choices const&, Choices const&) = default;
};

/// The laws of textbooks and codes. A law bears the name and the version of the code whose recorded runs it repeats.
namespace laws {

inline constexpr Choices demeter{};
inline constexpr Choices textbook{.normal_velocity = NormalVelocity::current,
                                  .slip = Slip::current,
                                  .transport = Transport::project,
                                  .memory = Memory::total,
                                  .tension = Pull::cut};
inline constexpr Choices luding{.normal_velocity = NormalVelocity::current,
                                .slip = Slip::current,
                                .transport = Transport::restore,
                                .memory = Memory::total,
                                .limit = Limit::sum};
inline constexpr Choices woo{.slip = Slip::woo, .transport = Transport::woo};
inline constexpr Choices yade{.normal_velocity = NormalVelocity::current,
                              .slip = Slip::current,
                              .transport = Transport::old_normal,
                              .memory = Memory::increment,
                              .limit = Limit::spring_damped_if_stuck,
                              .tension = Pull::cut};
inline constexpr Choices lammps_hooke{.normal_velocity = NormalVelocity::current,
                                      .slip = Slip::current,
                                      .transport = Transport::project,
                                      .memory = Memory::total,
                                      .limit = Limit::sum,
                                      .tension = Pull::allowed,
                                      .damping = Damping::constant};
inline constexpr Choices lammps_hertz = [] {
  Choices by = lammps_hooke;
  by.damping = Damping::viscoelastic;
  return by;
}();
inline constexpr Choices liggghts{.normal_velocity = NormalVelocity::current,
                                  .slip = Slip::current,
                                  .transport = Transport::project,
                                  .memory = Memory::total,
                                  .limit = Limit::spring_damped_if_stuck,
                                  .tension = Pull::allowed};

}  // namespace laws

}  // namespace demeter::contact_force
