// The choices of force laws, with their formulas and sources, and the laws of textbooks and codes.
#pragma once

#include "reference/contact_force.hpp"
#include "reference/spec/core/choices.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

#include <algorithm>

namespace demeter::contact_force {
namespace printed {

inline constexpr std::string_view manual_of_lammps = "LAMMPS 29 Sep 2021, pair_style gran/*/history, by running it",
                                  runs_of_lammps_granular = "LAMMPS 29 Sep 2021, pair_style granular, by running it",
                                  runs_of_liggghts = "LIGGGHTS-PUBLIC 3.8.0, by running it",
                                  runs_of_yade = "YADE 2023.02a, by running it",
                                  ours = "docs/mathematics/forces.md#contact_force",
                                  luding_2008 = "Luding 2008, Cohesive, frictional powders: contact models for tension";

/// Returns the values of a choice: the names are the labels of the enumeration, and `about` has the rest.
template <class Enumeration>
std::vector<ChoiceValue> values_of(Enumeration, std::vector<ChoiceValue> about) {
  auto const names = labels(Enumeration{});
  for (std::size_t i = 0; i < about.size(); ++i) about[i].name = names.at(i);
  return about;
}

inline std::vector<FormulaChoice> choices_of_motion() {
  return {
      {"normal_velocity", "the normal along which the normal velocity is measured",
       values_of(NormalVelocity{},
                 {{"", "vn = v.m, m = (n + b) / |n + b|",
                   "The velocity is known half a step ago, and so is the mean normal m.", ours},
                  {"", "vn = v.n",
                   "The normal velocity is measured along the present normal n; breaks the laws damping and ledger.",
                   manual_of_lammps}})},
      {"slip", "the plane on which the velocity is projected to move the spring",
       values_of(
           Slip{},
           {{"", "w = P(n) P(m) v", "The slip is across both normals.", ours},
            {"", "w = P(n) v", "The slip is across the present normal n; breaks the laws moved and stick.",
             manual_of_lammps},
            {"", "w = P(m) v",
             "The slip is across the mean normal m, so the spring leaves the present plane; breaks the laws tangent, "
             "moved, coulomb, damping, stick and status.",
             ours},
            {"", "w = T(P(b) (v + v x r / 2)), r = b x n + angle n",
             "The slip is measured in the axes of the half step and turned with them; only with transport=woo; "
             "breaks the laws tangent, rigid, twist, first_step, moved, coulomb, damping, elastic, stick and status.",
             "Woo, L6Geom, by running it"}})},
      {"transport", "how the spring follows the rotation of the contact",
       values_of(
           Transport{},
           {{"", "s' = R(n, angle) (P(b) s - (P(b) s).n / (1 + n.b) (n + b))",
             "The spring rotates with the normal and then about the new normal by the whole angle.", ours},
            {"", "t = s - s x (b x n), s' = t - t x (angle b)",
             "The spring is rotated by cross products, and the twist is about the old normal b; "
             "breaks the laws tangent, rigid, twist, bend, moved, loading, coulomb, damping, elastic, stick and "
             "status.",
             runs_of_yade},
            {"", "s' = T(P(b) s): T rotates about r = b x n + angle n by asin |r|",
             "The force is kept in axes of the contact that rotate to first order; only with slip=woo; "
             "breaks the laws tangent, rigid, twist, first_step, moved, coulomb, damping, elastic, stick and status.",
             "Woo, L6Geom, by running it"},
            {"", "s' = P(n) s",
             "The spring is projected on the new plane and becomes shorter; breaks the laws rigid, twist, bend and "
             "moved.",
             manual_of_lammps},
            {"", "s' = |s| P(n) s / |P(n) s|",
             "The spring is projected on the new plane and gets its length back; "
             "breaks the laws rigid, twist, bend, moved and loading.",
             luding_2008},
            {"", "s' = s",
             "The spring stays in the global frame; a mistake as soon as the normal rotates: "
             "breaks the laws tangent, rigid, twist, bend, moved, loading, coulomb, damping, elastic, stick and "
             "status.",
             ours, FormulaKind::mistake}})},
      {"memory", "how the spring of a Hertzian contact follows a change of stiffness; law hertz only",
       values_of(
           Memory{},
           {{"", "s' = min(1, kt_before / kt) s",
             "The force stays while the contact becomes stiffer, and the spring stays while it becomes softer.",
             "Thornton, Cummins, Cleary 2013; LAMMPS, mindlin_rescale/force"},
            {"", "s' = s",
             "The force is the present stiffness times the whole spring, so loading creates energy; breaks the laws "
             "moved, ledger, dissipation and loading.",
             runs_of_liggghts},
            {"", "s' = kt_before / kt s",
             "The force stays, so unloading creates energy; breaks the laws moved, ledger, dissipation and loading.",
             runs_of_yade},
            {"", "s' = min(1, kt / kt_before) s",
             "The spring becomes shorter while the contact becomes softer; breaks the laws moved, ledger, dissipation "
             "and loading.",
             runs_of_lammps_granular}})},
  };
}

inline std::vector<FormulaChoice> choices_of_forces() {
  return {
      {"limit", "what Coulomb's limit L = friction |N| shortens",
       values_of(
           Limit{},
           {{"", "s' = min(1, L / |kt s|) s, T = kt s' + ct w, T' = min(1, L / |T|) T",
             "First the spring is shortened, then the sum with the damping; damping is never stored.", ours},
            {"", "T = kt s + ct w, T' = min(1, L / |T|) T, s' = (T' - ct w) / kt",
             "The sum is shortened, and the spring gets what is left after the damping; breaks the law not_stored.",
             manual_of_lammps},
            {"", "T = kt s + ct w, T' = min(1, L / |T|) T, s' = T' / kt",
             "The sum is shortened, and the spring forgets that a part of it was damping; breaks the law not_stored.",
             ours},
            {"", "s' = min(1, L / |kt s|) s, T = kt s' + ct w if s' = s, otherwise kt s'",
             "Only the spring is shortened, and damping acts only while the contact sticks; breaks the law coulomb.",
             runs_of_liggghts},
            {"", "s' = min(1, L / |kt s|) s, T = kt s'",
             "Only the spring acts, without tangential damping; breaks the law stick.", runs_of_yade}})},
      {"first_step", "what a new contact does in its first step",
       values_of(
           FirstStep{},
           {{"", "s' = dt w, T = kt s' + ct w", "The spring moves and damping acts.", ours},
            {"", "s' = 0, T = ct w", "The spring does not move, damping acts; breaks the law moved.", ours},
            {"", "s' = dt w, T = kt s'", "The spring moves, without tangential damping; breaks the law stick.", ours},
            {"", "s' = 0, T = 0", "Neither the spring nor tangential damping acts; breaks the laws moved and stick.",
             ours}})},
      {"tension", "whether damping may make the bodies attract each other",
       values_of(Pull{},
                 {{"", "as the input tension says", "The input decides.", ours},
                  {"", "N = max(0, N)",
                   "The normal force never pulls, whatever the input says; breaks the law damping.", runs_of_yade},
                  {"", "N as computed",
                   "The normal force may pull, whatever the input says; breaks the laws no_tension and damping.",
                   manual_of_lammps}})},
      {"damping", "the factor of both damping coefficients; law hertz only",
       values_of(Damping{},
                 {{"", "c (overlap / radius)^(1/4)", "The restitution does not depend on the speed.",
                   "Tsuji, Tanaka, Ishida 1992"},
                  {"", "c", "The damping does not depend on the overlap; breaks the laws damping and stick.",
                   "LAMMPS 29 Sep 2021, gran/hooke/history, by running it", FormulaKind::model, "lammps-hooke"},
                  {"", "c (overlap / radius)^(1/2)",
                   "The damping is proportional to the contact radius; breaks the laws damping and stick.",
                   "LAMMPS 29 Sep 2021, gran/hertz/history, by running it", FormulaKind::model, "lammps-hertz"},
                  {"", "c overlap / radius",
                   "The damping is proportional to the overlap; breaks the laws damping and stick.", ours}})},
  };
}

/// Returns why a combination has no meaning, or "".
inline std::string without_meaning(std::size_t code) {
  auto const by = choices_of<Choices>(code);
  if (by.slip == Slip::woo && by.transport != Transport::woo) return "slip=woo needs transport=woo";
  if (by.transport == Transport::woo && by.slip != Slip::woo) return "transport=woo needs slip=woo";
  if (by.limit == Limit::spring && by.first_step == FirstStep::damps)
    return "limit=spring has no tangential damping, so first_step=damp has no meaning";
  if (by.limit == Limit::spring && by.first_step == FirstStep::slips)
    return "limit=spring has no tangential damping, so first_step=slip has no meaning";
  return "";
}

/// Returns the outputs that a combination does not define. Only the recommended rules for rotation and friction have an
/// energy ledger.
inline std::vector<std::string_view> leaves_out(std::size_t code) {
  auto const by = choices_of<Choices>(code);
  if (shortens_only_sum(by.limit)) return {"stored", "dissipated"};
  bool const ledger = by.transport == Transport::exact && by.slip == Slip::both && by.limit == Limit::spring_then_sum &&
                      by.first_step == FirstStep::slips_and_damps;
  return ledger ? std::vector<std::string_view>{} : std::vector<std::string_view>{"dissipated"};
}

inline std::vector<NamedCombination> combinations() {
  return {
      {"demeter", "the recommended law", code_of(laws::demeter)},
      {"textbook",
       "spring, dashpot and friction on the present normal: project, cut the spring, cut the sum, no tension",
       code_of(laws::textbook)},
      {"luding", "the spring is projected, keeps its length, and shares Coulomb's limit with the damping; Luding 2008",
       code_of(laws::luding)},
      {"woo", "the spring is kept in axes of the contact that rotate to first order; Woo", code_of(laws::woo)},
      {"yade-2023.02", "YADE 2023.02a: CundallStrack (without damping), ViscElPhys and MindlinPhys",
       code_of(laws::yade)},
      {"lammps-hooke-history", "LAMMPS 29 Sep 2021: pair_style gran/hooke/history", code_of(laws::lammps_hooke)},
      {"lammps-hertz-history", "LAMMPS 29 Sep 2021: pair_style gran/hertz/history", code_of(laws::lammps_hertz)},
      {"liggghts-hertz-history", "LIGGGHTS-PUBLIC 3.8.0: hertz and hooke with tangential history",
       code_of(laws::liggghts)},
  };
}

/// A law as a formula for any scalar.
struct Law {
  Choices by;

  template <class Scalar>
  Output<Scalar> operator()(Input<Scalar> const& in) const {
    return reference::evaluate<Scalar>(in, by);
  }
};

inline auto formulas() {
  auto const named = combinations();
  auto const law = [&](std::size_t at) {
    return Formula{named[at].name, named[at].doc, FormulaKind::model, Law{choices_of<Choices>(named[at].code)},
                   leaves_out(named[at].code)};
  };
  return std::array{law(1), law(2), law(3), law(4), law(5), law(6), law(7)};
}

inline std::vector<Erratum> errata() {
  // Figures for a spring of length 1 in a Hertzian contact of unit stiffness. The overlap grows from 1 to 4, or falls
  // from 4 to 1.
  return {
      Erratum{
          .where = "tangential force of a Hertzian contact during loading",
          .documented = "the present stiffness times the spring",
          .implemented = "the energy of a sheared contact grows, although the shear does not change",
          .codes = {published::lammps, published::liggghts},
          .recommended = "the force stays, and the spring becomes shorter",
          .figures =
              {{.what = "the overlap grows from 1 to 4 radii; stored energy: 25.6 of the normal spring, and the rest "
                        "of the tangential spring, into which 0.5 was put",
                .input =
                    R"({"law":"hertz","normal_stiffness":2,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-4,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0,"spring":[1,0,0]})",
                .column = "stored",
                .values = {{"memory=total", "26.6"}, {"reference", "25.85"}}}}},
      Erratum{
          .where = "tangential force of a Hertzian contact during unloading",
          .documented = "the change of force is the present stiffness times the change of the spring",
          .implemented = "the softer contact keeps the force of the stiffer contact, so its energy grows",
          .codes = {published::yade},
          .recommended = "the spring stays, and the force becomes smaller",
          .figures =
              {{.what = "the overlap falls from 4 radii to 1 radius; stored energy: 0.8 of the normal spring, and the "
                        "rest of the tangential spring, which stored 1 before",
                .input =
                    R"({"law":"hertz","normal_stiffness":2,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-4,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0,"spring":[1,0,0]})",
                .column = "stored",
                .values = {{"memory=increment", "2.8"}, {"reference", "1.3"}}}}},
      Erratum{
          .where = "tangential spring of a contact that rotates",
          .implemented = "LAMMPS projects the spring on the new plane, YADE rotates it by cross products, and Woo uses "
                         "the sine of an angle where the angle is needed",
          .codes = {published::lammps, published::yade, published::woo},
          .recommended = "rotate the spring with the normal, and then about the normal by the whole angle",
          .figures =
              {{.what = "a spring of 1 along x; the contact rotates by 0.1 about the normal: component along x",
                .input =
                    R"({"law":"linear","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0.1,"spring":[1,0,0]})",
                .column = "spring[0]",
                .values = {{"lammps-hooke-history", "1"},
                           {"yade-2023.02", "1"},
                           {"woo", "0.994987"},
                           {"reference", "0.995004"}}},
               {.what = "the same spring: component along y",
                .input =
                    R"({"law":"linear","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":0,"friction":1000,"tension":"cut","radius":1,"dt":1,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[0,0,0],"twist":0.1,"spring":[1,0,0]})",
                .column = "spring[1]",
                .values = {{"lammps-hooke-history", "0"},
                           {"yade-2023.02", "0.1"},
                           {"woo", "0.1"},
                           {"reference", "0.0998334"}}}}},
      Erratum{
          .where = "viscous tangential force at the Coulomb limit",
          .documented = "the sum of the spring force and the damping force is cut to the limit",
          .implemented =
              "the spring gets the difference, also a negative one: fast sliding stretches it against the motion",
          .codes = {published::lammps},
          .recommended =
              "Cut the spring force alone. The damping force gets the rest of the limit, and is never stored.",
          .figures =
              {{.what = "no spring force, a limit of 0.1 and a damping force of 1",
                .input =
                    R"({"law":"dashpot","normal_stiffness":1,"tangential_stiffness":1,"normal_damping":0,"tangential_damping":1,"friction":0.1,"tension":"cut","radius":1,"dt":0.001,"uN":-1,"uN_before":-1,"normal":[0,0,1],"normal_before":[0,0,1],"velocity":[1,0,0],"twist":0,"spring":[0,0,0]})",
                .column = "spring[0]",
                .values = {{"lammps-hooke-history", "-0.9"}, {"reference", "0.001"}}}}},
  };
}

}  // namespace printed

/// Returns the choices of which the laws of this kernel are composed.
inline Composition composition(Contract) {
  Composition all{printed::choices_of_motion(), printed::combinations(), printed::without_meaning, printed::leaves_out};
  std::ranges::move(printed::choices_of_forces(), std::back_inserter(all.choices));
  return all;
}

}  // namespace demeter::contact_force
