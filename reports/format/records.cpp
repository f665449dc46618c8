#include "reports/format/records.hpp"

#include "reports/format/members.hpp"

namespace demeter::report {
namespace {

/// The names of the measures by which errors are divided.
std::vector<std::string_view> const measures{"relative", "scale", "optimality"};

}  // namespace

Members Field::members() {
  return {"field",
          "a number, list or record that goes into a kernel or comes out of it",
          {always("name", &Field::name, "its name, after those of the records it stands in"),
           always("shape", &Field::shape, "\"3 numbers\", \"list of records\""),
           always("unit", &Field::unit, "the unit of its numbers"), always("doc", &Field::doc, "what it is")}};
}

Members OutputBudget::members() {
  return {"budget",
          "what the contract allows an output to be wrong by",
          {always("output", &OutputBudget::output, "the field, or part of one"),
           one_of(measures, always("measure", &OutputBudget::measure, "what errors are divided by")),
           always("units", &OutputBudget::units, "the bound, in units of the measure")}};
}

Members Term::members() {
  return {"term",
          "a name and what it means",
          {always("name", &Term::name, "as in commands"), always("doc", &Term::doc, "in one sentence")}};
}

Members RegimeTerm::members() {
  return {"regime_term",
          "a part of the input space from which cases are drawn",
          {always("name", &RegimeTerm::name, "as in commands"), always("doc", &RegimeTerm::doc, "in one sentence"),
           one_of(profiles, if_any("profile", &RegimeTerm::profile, "to which it belongs")),
           if_any("recorded", &RegimeTerm::recorded, "so many cases and no more: they are written down, not drawn")}};
}

Members LawTerm::members() {
  return {"law_term",
          "a law of the kernel",
          {always("name", &LawTerm::name, "as in commands"), always("doc", &LawTerm::doc, "what must hold"),
           always("tolerance", &LawTerm::tolerance, "by how much it may fail to, in words"),
           always("uses", &LawTerm::uses, "the outputs that it looks at")}};
}

Members Example::members() {
  return {"example",
          "a case and what was answered",
          {always("id", &Example::id, "of the case in its regime"), if_any("regime", &Example::regime, "its regime"),
           if_any("input", &Example::input, "the case"), if_any("answer", &Example::answer, "of the subject"),
           if_any("truth", &Example::truth, "its digits that are certain; numbers are strings"),
           if_any("error", &Example::error, "in units of the measure"),
           if_any("command", &Example::command,
                  "shows the case again; where it is left out, the input and the subject's name make it")}};
}

Members MixedUp::members() {
  return {"mixed_up",
          "a label that was answered instead of another",
          {always("answer", &MixedUp::answer, "the label answered"), always("truth", &MixedUp::truth, "the right one"),
           always("cases", &MixedUp::cases, "failed by it")}};
}

Members SizeBin::members() {
  return {"size_bin",
          "cases of a profile that are larger than the size before and not larger than this",
          {always("profile", &SizeBin::profile, "\"everyday\" or \"degenerate\""),
           always("up_to", &SizeBin::up_to, "in metres: powers of two from 2^-20 to 2^6, and \"inf\""),
           always("judged", &SizeBin::judged, "cases, each once"),
           always("failed", &SizeBin::failed, "of them, in any output"),
           not_negative(always("max_error", &SizeBin::max_error, "of any output, each in its own measure"))}};
}

Members Accuracy::members() {
  return {
      "accuracy",
      "one subject, one regime, one output",
      {always("regime", &Accuracy::regime, "the regime"),
       always("output", &Accuracy::output, "the output"),
       one_of(measures, always("measure", &Accuracy::measure, "what errors are divided by")),
       not_negative(always("budget", &Accuracy::budget, "in units of the measure")),
       always("cases", &Accuracy::cases, "that were drawn"),
       always("judged", &Accuracy::judged, "that were answered and judged"),
       if_any("unsupported", &Accuracy::unsupported, "that the subject declined"),
       if_any("not_representable", &Accuracy::not_representable,
              "that leave the range of its numbers, or the kernel's domain once rounded to them"),
       if_any("not_asked", &Accuracy::not_asked, "since the subject had been given up by then"),
       if_any("missing", &Accuracy::missing, "that it was asked and did not answer"),
       if_any("malformed", &Accuracy::malformed, "whose answer could not be read"),
       if_any("crash", &Accuracy::crash, "that ended its process"),
       if_any("timeout", &Accuracy::timeout, "that took too long"),
       always("failed", &Accuracy::failed, "judged ones that exceed the budget"),
       if_any("not_a_number", &Accuracy::not_a_number, "failed ones whose answer is a NaN"),
       if_any("not_finite", &Accuracy::not_finite, "failed ones whose answer is an infinity"),
       if_any("labels", &Accuracy::labels, "failed ones of an output that is a label"),
       if_any("undecided", &Accuracy::undecided, "for which the truth is not known well enough"),
       if_any("refined", &Accuracy::refined, "that took more than the first enclosure of the truth"),
       if_any("known", &Accuracy::known, "failures that a baseline accepts, counted as nothing else"),
       not_negative(
           always("max_error", &Accuracy::max_error,
                  "of those judged, in units of the measure; six digits, as all errors here, unless these are on the "
                  "other side of "
                  "the budget")),
       not_negative(always("mean_error", &Accuracy::mean_error, "of those that are finite")),
       not_negative(always("median_error", &Accuracy::median_error,
                           "half of the errors are no larger, nor of a bound 0.1 % lower")),
       not_negative(always("p99_error", &Accuracy::p99_error, "the same of 99 %; of fewer than 100, the largest")),
       not_negative(
           always("max_relative", &Accuracy::max_relative, "the largest error relative to the truth, in units u")),
       if_any("model_distance", &Accuracy::model_distance,
              "how far the subject's model is from the recommended formula, in units of the measure; no error of its "
              "own"),
       if_any("model_cases", &Accuracy::model_cases, "cases in which that was looked at"),
       not_negative(
           if_any("max_condition", &Accuracy::max_condition, "the largest condition of a case, where there is one")),
       or_null("worst", &Accuracy::worst, "the case with the largest error, or without an answer")}};
}

Members Failure::members() {
  return {"failure",
          "a small case like the worst of a regime in which a budget failed",
          {inlined(&Failure::example), always("output", &Failure::output, "whose budget failed")}};
}

Members FailsAgain::members() {
  return {
      "fails_again",
      "a failure of an earlier check that fails again",
      {always("regime", &FailsAgain::regime, "its regime"), if_any("output", &FailsAgain::output, "whose budget fails"),
       if_any("law", &FailsAgain::law, "that is broken, if it is no budget"),
       if_any("call", &FailsAgain::call, "the way of calling, if it is neither"),
       always("input", &FailsAgain::input, "the case"),
       always("command", &FailsAgain::command, "shows the case again")}};
}

Members Retried::members() {
  return {"retried",
          "failures of earlier checks, tried first",
          {always("tried", &Retried::tried, "how many"), always("failing", &Retried::failing, "those still there")}};
}

Members Counterexample::members() {
  return {"counterexample",
          "the smallest case found that breaks a law",
          {always("inputs", &Counterexample::inputs, "the case, and the inputs that the law derives from it"),
           always("outputs", &Counterexample::outputs, "what was answered to each"),
           not_negative(always("violation", &Counterexample::violation, "in tolerances of the law")),
           if_any("salt", &Counterexample::salt, "of what the law draws"),
           if_any("command", &Counterexample::command,
                  "shows it again; where it is left out, the first input, the names of the subject and the law and the "
                  "salt make it")}};
}

Members LawRegime::members() {
  return {"law_regime",
          "a regime in which a law is broken",
          {always("regime", &LawRegime::regime, "the regime"),
           if_any("applicable", &LawRegime::applicable, "cases of it of which the law says something"),
           always("broken", &LawRegime::broken, "cases of it"),
           not_negative(always("worst", &LawRegime::worst, "in tolerances of the law"))}};
}

Members LawResult::members() {
  return {"law_result",
          "one subject, one law",
          {always("law", &LawResult::law, "the law"), always("cases", &LawResult::cases, "that were asked"),
           always("applicable", &LawResult::applicable, "of which the law says something"),
           if_any("deciding", &LawResult::deciding, "of these, in the profiles that decide"),
           always("broken", &LawResult::broken, "that break it"),
           if_any("known", &LawResult::known, "that break it and are accepted by a baseline"),
           if_any("by_formula", &LawResult::by_formula,
                  "in which the formula by which the subject is judged breaks it too, counted as nothing else"),
           not_negative(always("worst", &LawResult::worst, "in tolerances of the law")),
           always("regimes", &LawResult::regimes, "those in which it is broken"),
           or_null("counterexample", &LawResult::counterexample, "the smallest found")}};
}

Members CallFault::members() {
  return {"call_fault",
          "what a subject does wrong in one way of calling",
          {always("way", &CallFault::way, "again, batch, no_rows, unwanted or memory"),
           always("text", &CallFault::text, "what happens"),
           always("rows", &CallFault::rows, "cases of the smallest batch that was found to show it"),
           if_any("calls", &CallFault::calls, "so many calls for them, if it takes more than one"),
           or_null("row", &CallFault::row, "whose answer is otherwise, from 0"),
           if_any("inputs", &CallFault::inputs, "these cases, if they are few")}};
}

Members Calls::members() {
  return {"calls",
          "whether what a subject answers depends on how it is called",
          {always("cases", &Calls::cases, "that are answered alone"), always("calls", &Calls::calls, "that were made"),
           always("tried", &Calls::tried, "ways of calling"),
           if_any("not_tried", &Calls::not_tried, "for want of time, or since the cases alone are not answered"),
           if_any("known", &Calls::known, "ways in which a baseline accepts what is wrong"),
           always("faults", &Calls::faults, "what is wrong")}};
}

Members Contender::members() {
  return {"contender",
          "a subject, as far as one kernel is concerned",
          {always("name", &Contender::name, "of the subject"), always("doc", &Contender::doc, "what it computes with"),
           one_of({"pass", "undecided", "fail", "no answers", "not refuted"},
                  always("verdict", &Contender::verdict, "of the check")),
           if_any("not_a_verdict", &Contender::not_a_verdict,
                  "why a check without a failure is not a verdict: too few cases, or a part that was left out"),
           if_any("sentence", &Contender::sentence, "the verdict in digits, to be quoted"),
           if_any("tolerance", &Contender::tolerance, "that it was held to"),
           if_any("formula", &Contender::formula,
                  "by which it is judged, in growing precision, instead of the recommended one's certified truth"),
           if_any("model", &Contender::model, "the formula whose distance from the recommended one `accuracy` gives"),
           if_any("deciding", &Contender::deciding, "the profiles whose failures count"),
           if_any("binary32", &Contender::binary32, "it computes in float: its u is 2^-24"),
           always("accuracy", &Contender::accuracy, "by regime and output"),
           if_any("sizes", &Contender::sizes, "the results by profile and size"),
           always("failures", &Contender::failures, "one for each regime that fails"),
           if_any("recorded", &Contender::recorded, "failures of earlier checks"),
           always("laws", &Contender::laws, "by law"),
           if_any("calls", &Contender::calls, "of check: in every way of calling")}};
}

Members Timing::members() {
  return {
      "timing",
      "one subject or comparison routine, timed on one set of cases",
      {always("subject", &Timing::subject, "a subject or a comparison routine"),
       one_of({"subject", "baseline"},
              always("kind", &Timing::kind, "\"baseline\" is a comparison routine, which has no verdict")),
       one_of({"cache", "streaming", "workload"}, always("setting", &Timing::setting, "where the cases come from")),
       always("regime", &Timing::regime, "or the workload"), always("outputs", &Timing::outputs, "\"all\", or which"),
       above_zero(always("nanoseconds", &Timing::nanoseconds, "a case: the median of the samples")),
       above_zero(always("samples", &Timing::samples, "nanoseconds a case, in the order of time")),
       above_zero(if_any("reference_workload", &Timing::reference_workload,
                         "nanoseconds of the reference workload beside each sample")),
       always("count", &Timing::count, "cases in one run")}};
}

Members ScreenedOut::members() {
  return {
      "screened_out",
      "a subject that answers some of the cases wrongly",
      {always("subject", &ScreenedOut::subject, "the subject"),
       always("cases", &ScreenedOut::cases, "that it answers wrongly"),
       always("contender", &ScreenedOut::contender, "false: wrong so often that these cases are timed all the same")}};
}

Members NotTimed::members() {
  return {"not_timed",
          "a subject that crashed, hung or was stopped while it was timed",
          {always("subject", &NotTimed::subject, "the subject"), always("why", &NotTimed::why, "in one line")}};
}

Members Baseline::members() {
  return {"baseline",
          "a comparison routine: timed beside the subjects and not judged",
          {always("name", &Baseline::name, "as among the timings"), always("doc", &Baseline::doc, "what it is"),
           if_any("judged_as", &Baseline::judged_as, "the subject that computes the same, whose verdict holds for it"),
           if_any("leaves_out", &Baseline::leaves_out, "what the batch forms do and it does not")}};
}

Members Speed::members() {
  return {"speed",
          "timings of one kernel",
          {always("used", &Speed::used, "cases that every contender answers acceptably: those that are timed"),
           always("total", &Speed::total, "number of cases drawn"),
           always("reference_workload", &Speed::reference_workload, "version of the reference workload"),
           always("screened_out", &Speed::screened_out, "who answers some of the cases wrongly"),
           always("timings", &Speed::timings, "in the order of time, which is random"),
           if_any("baselines", &Speed::baselines, "the comparison routines among the timings"),
           always("not_timed", &Speed::not_timed, "who could not be")}};
}

Members ErratumValue::members() {
  return {
      "erratum_value",
      "a stated figure and the computed one",
      {always("formula", &ErratumValue::formula, "whose answer it is"),
       always("stated", &ErratumValue::stated, "in decimal, its last digit rounded"),
       always("computed", &ErratumValue::computed, "in 50 digits, then rounded to a double; empty if there is none"),
       always("agrees", &ErratumValue::agrees, "whether the one is the other, rounded")}};
}

Members ErratumFigure::members() {
  return {
      "erratum_figure",
      "a case that shows an erratum",
      {always("what", &ErratumFigure::what, "the case in words"),
       always("output", &ErratumFigure::output, "the output, or its component, that is compared"),
       always("input", &ErratumFigure::input, "the case"), always("values", &ErratumFigure::values, "one a formula")}};
}

Members Erratum::members() {
  return {"erratum",
          "what a source prints or a code does that is not what it should be",
          {always("where", &Erratum::where, "equation, or the word of the source"),
           always("documented", &Erratum::documented, "as printed"),
           always("implemented", &Erratum::implemented, "as codes have it"),
           always("recommended", &Erratum::recommended, "as it should be"),
           always("figures", &Erratum::figures, "by which it is seen")}};
}

Members LadderLine::members() {
  return {"ladder_line",
          "decimal digits that the reference loses",
          {always("regime", &LadderLine::regime, "the regime"), always("output", &LadderLine::output, "the output"),
           one_of(measures, always("measure", &LadderLine::measure, "what errors are divided by")),
           always("lost", &LadderLine::lost, "by arithmetic; \"nan\" where it holds no case")}};
}

Members Rung::members() {
  return {"rung",
          "an arithmetic of the precision ladder",
          {always("name", &Rung::name, "its name"), always("digits", &Rung::digits, "decimal, of its significand")}};
}

Members Ladder::members() {
  return {
      "ladder",
      "the precision ladder",
      {always("arithmetics", &Ladder::arithmetics, "the columns"), always("rows", &Ladder::rows, "output by output")}};
}

Members Mutant::members() {
  return {"mutant",
          "a deliberately wrong implementation and what found it",
          {always("name", &Mutant::name, "its name"), always("change", &Mutant::change, "what is wrong"),
           always("source", &Mutant::source, "where the defect comes from"),
           always("killed", &Mutant::killed, "whether the check found it"),
           always("cases", &Mutant::cases, "drawn in the search"), always("seconds", &Mutant::seconds, "of the search"),
           if_any("by", &Mutant::by, "what found it, where that is neither a law nor a budget"),
           if_any("regime", &Mutant::regime, "where it was found"), if_any("law", &Mutant::law, "that found it"),
           if_any("output", &Mutant::output, "whose budget found it"),
           if_any("size", &Mutant::size, "the error in units of the measure, or the violation in tolerances"),
           always("budget_exceeded", &Mutant::budget_exceeded, "whether the oracle alone finds it"),
           always("laws", &Mutant::laws, "that find it alone")}};
}

Members LawUse::members() {
  return {"law_use",
          "how much a law finds",
          {always("law", &LawUse::law, "the law"), always("mutants", &LawUse::mutants, "that break it"),
           always("implementations", &LawUse::implementations, "that break it")}};
}

Members Mutation::members() {
  return {"mutation",
          "the mutation score: whether the check notices what is wrong",
          {always("total", &Mutation::total, "mutants"), always("killed", &Mutation::killed, "found by the check"),
           always("killed_by_laws_alone", &Mutation::killed_by_laws, "found if there were no oracle"),
           always("killed_by_budgets_alone", &Mutation::killed_by_budgets, "found if there were no laws"),
           always("survey_cases", &Mutation::survey_cases, "a regime, that tell what either finds alone"),
           always("unmutated_passes", &Mutation::unmutated_passes, "the implementation without a defect"),
           if_any("unmutated_fails", &Mutation::unmutated_fails, "what it fails"),
           always("seconds", &Mutation::seconds, "of all searches"),
           always("each", &Mutation::mutants, "mutant by mutant"), always("laws", &Mutation::laws, "law by law")}};
}

Members Seconds::members() {
  return {"seconds",
          "where the time of a kernel went",
          {if_any("check", &Seconds::check, "most subjects"), if_any("few", &Seconds::few, "those that answer slowly"),
           if_any("ladder", &Seconds::ladder, "the precision ladder"), if_any("mutants", &Seconds::mutants, "mutants"),
           if_any("continuity", &Seconds::continuity, "continuity and passivity"),
           if_any("speed", &Seconds::speed, "timings")}};
}

Members CheckRun::members() {
  return {
      "check_run",
      "which program checked, and on what machine",
      {always("version", &CheckRun::version, "of demeter"), always("commit", &CheckRun::commit, "it was built from"),
       always("seed", &CheckRun::seed, "of the cases"), always("cpu", &CheckRun::cpu, "its model"),
       always("compiler", &CheckRun::compiler, "of demeter"), always("flags", &CheckRun::flags, "of the compiler"),
       always("levels", &CheckRun::levels, "instruction sets that the CPU has")}};
}

Members Quantity::members() {
  return {"quantity",
          "an output, or a part of one, that is watched along paths",
          {always("name", &Quantity::name, "the key of everything that is given by quantity"),
           always("unit", &Quantity::unit, "natural, along paths"),
           always("shown_unit", &Quantity::shown_unit, "of sizes of jumps: degrees for directions"),
           always("components", &Quantity::components, "numbers it has"),
           always("derived", &Quantity::derived, "whether it is made of others")}};
}

Members Family::members() {
  return {"family",
          "a family of smooth paths",
          {always("name", &Family::name, "its name"), always("doc", &Family::doc, "the motion"),
           always("loop", &Family::loop, "whether its paths end where they begin")}};
}

Members Side::members() {
  return {"side",
          "one side of a jump",
          {always("parameter", &Side::parameter, "of the path"), always("input", &Side::input, "the case there"),
           always("observed", &Side::observed, "by quantity: a number, an array, or null where it does not count")}};
}

Members Jump::members() {
  return {"jump",
          "a jump at one place of one path",
          {always("quantity", &Jump::quantity, "the one that led to it"),
           always("sizes", &Jump::sizes, "by quantity, in its shown unit"),
           always("certified", &Jump::certified, "in 80 digits: no rounding is involved"),
           always("width", &Jump::width, "of the part of the path across which it stands"),
           always("path", &Jump::path, "the path"), always("before", &Jump::before, "the place before it"),
           always("after", &Jump::after, "the place after it"), always("command", &Jump::command, "shows it again")}};
}

Members Transition::members() {
  return {"transition",
          "all jumps of one subject at one kind of transition",
          {always("transition", &Transition::transition, "what changes there; empty if it has no name"),
           always("found", &Transition::found, "how many"),
           always("largest", &Transition::largest, "by quantity, in its shown unit"),
           always("certified", &Transition::certified, "by quantity: whether the largest is"),
           always("examples", &Transition::examples, "small and readable")}};
}

Members Steepest::members() {
  return {
      "steepest",
      "the largest ratio of a change to the motion that made it",
      {always("ratio", &Steepest::ratio, "in natural units"),
       always("parameter", &Steepest::parameter, "where on the path"), if_any("path", &Steepest::path, "the path")}};
}

Members Steep::members() {
  return {"steep",
          "where a quantity changes like a power below 1 of the motion",
          {always("found", &Steep::found, "such places"), always("exponent", &Steep::exponent, "the least"),
           always("parameter", &Steep::parameter, "where on the path"), if_any("path", &Steep::path, "the path")}};
}

Members Kink::members() {
  return {"kink",
          "where the slope of a quantity changes at once",
          {always("found", &Kink::found, "such places"),
           always("turn", &Kink::turn, "the largest change of d(quantity)/d(motion)"),
           always("parameter", &Kink::parameter, "where on the path"), if_any("path", &Kink::path, "the path")}};
}

Members Work::members() {
  return {"work",
          "work of the contact force along one path",
          {always("work", &Work::work, "in the energy unit"), always("error", &Work::error, "of the quadrature"),
           always("stored", &Work::stored, "the largest energy stored on the way"),
           always("path", &Work::path, "the path")}};
}

Members Fall::members() {
  return {"fall",
          "an overlap that falls while the bodies approach",
          {always("overlap", &Fall::overlap, "by how much"), always("from", &Fall::from, "the first parameter"),
           always("to", &Fall::to, "the last parameter"), always("path", &Fall::path, "the path")}};
}

Members Passivity::members() {
  return {
      "passivity",
      "the energy that contact forces make",
      {always("loops", &Passivity::loops, "closed paths"),
       always("contacts", &Passivity::contacts, "from no contact to none"),
       always("monotone_paths", &Passivity::monotone_paths, "approaches"),
       or_null("loop", &Passivity::loop, "the largest |work| round a closed path"),
       or_null("gain", &Passivity::gain, "the largest work from no contact to none"),
       or_null("loss", &Passivity::loss, "the least"),
       not_negative(always("mean_relative_loop", &Passivity::mean_relative_loop, "mean of |work| over stored energy")),
       not_negative(always("mean_relative_contact", &Passivity::mean_relative_contact, "the same of contacts")),
       or_null("fall", &Passivity::fall, "the largest")}};
}

Members Watched::members() {
  return {
      "watched",
      "the continuity of one subject",
      {always("subject", &Watched::subject, "the subject"),
       always("recommended", &Watched::recommended, "whether it is what Demeter recommends"),
       always("jumps", &Watched::jumps, "whether any was found"), always("paths", &Watched::paths, "searched"),
       always("answers", &Watched::answers, "of the subject"),
       always("unanswered", &Watched::unanswered, "places without an answer"),
       always("bisections", &Watched::bisections, "down to adjacent parameters"),
       always("dismissed", &Watched::dismissed, "suspects that 80 digits showed to be rounding, or steep"),
       if_any("unexamined", &Watched::unexamined, "suspects that there was no time to look at in 80 digits"),
       always("seconds", &Watched::seconds, "of the search"),
       always("certifiable", &Watched::certifiable, "whether it can be followed in 80 digits"),
       always("residual", &Watched::residual, "by quantity: what bisection leaves without a jump"),
       always("steepest", &Watched::steepest, "by quantity"), always("steep", &Watched::steep, "by quantity"),
       always("kinks", &Watched::kinks, "by quantity"), always("transitions", &Watched::transitions, "where it jumps"),
       always("passivity", &Watched::passivity, "what its forces make of energy")}};
}

Members PlotLines::members() {
  return {"plot_lines",
          "what one subject does along a plotted path",
          {always("subject", &PlotLines::subject, "the subject"),
           other_keys(&PlotLines::lines, "by quantity: each component's value at each parameter")}};
}

Members Plot::members() {
  return {"plot",
          "a path with what every subject does along it",
          {always("transition", &Plot::transition, "the transition that it shows"),
           always("found_with", &Plot::found_with, "the subject that jumps there"),
           always("quantity", &Plot::quantity, "that jumps"), always("path", &Plot::path, "the path"),
           always("at", &Plot::at, "the parameter before the jump"),
           always("parameters", &Plot::parameters, "in ascending order"),
           always("subjects", &Plot::subjects, "those that answer")}};
}

Members Continuity::members() {
  return {
      "continuity",
      "answers along smooth motions: what jumps, and what energy contact forces make",
      {always("seed", &Continuity::seed, "of the paths"),
       always("paths", &Continuity::paths, "of the recommended formula"),
       always("other_paths", &Continuity::other_paths, "of every other one of Demeter's own"),
       always("excluded", &Continuity::excluded, "what no path goes through, and why"),
       if_any("energy_unit", &Continuity::energy_unit, "of contact kernels"),
       if_any("overlap", &Continuity::overlap, "the quantity that is the overlap, of contact kernels"),
       always("families", &Continuity::families, "of paths"),
       always("quantities", &Continuity::quantities, "that are watched"),
       always("subjects", &Continuity::subjects, "one by one"), always("plots", &Continuity::plots, "one a transition"),
       if_any("kernel", &Continuity::kernel, "where it stands alone")}};
}

Members SolverPoint::members() {
  return {"solver_point",
          "where a solver stands after some sweeps",
          {always("sweeps", &SolverPoint::sweeps, "over all contacts, from the start"),
           always("seconds", &SolverPoint::seconds, "of the processor"),
           always("residual", &SolverPoint::residual, "the natural residual over g dt, 0 at the solution alone")}};
}

Members SolverReached::members() {
  return {"solver_reached",
          "what a tolerance takes a solver",
          {always("tolerance", &SolverReached::tolerance, "of the solver's own residual, over g dt"),
           or_null("sweeps", &SolverReached::sweeps, "that it took; null: more than were asked"),
           or_null("seconds", &SolverReached::seconds, "of the processor"),
           or_null("residual", &SolverReached::residual, "the natural one where it ended, over g dt")}};
}

Members SolverCurve::members() {
  return {
      "solver_curve",
      "one solver on one problem",
      {one_of(solver_states, always("state", &SolverCurve::state, "of the scene, from which the problem is")),
       one_of({"cold", "warm"}, always("start", &SolverCurve::start, "without impulses, or with the step's before")),
       always("method", &SolverCurve::method, "the solver"),
       always("solves", &SolverCurve::solves,
              "whether it converges to the solution; if not, its own residual is "
              "that of feasibility"),
       always("contacts", &SolverCurve::contacts, "of the problem"),
       always("asked", &SolverCurve::asked, "sweeps, at most"),
       always("points", &SolverCurve::points, "in order of their sweeps"),
       always("reached", &SolverCurve::reached, "by tolerance")}};
}

Members SolverStudy::members() {
  return {"solver_study",
          "every solver on problems of many contacts",
          {always("kernel", &SolverStudy::kernel, "whose problem they solve"),
           always("scene", &SolverStudy::scene, "from which the problems are"),
           always("discs", &SolverStudy::discs, "in it"),
           if_any("recorded", &SolverStudy::recorded, "measured then and not in this run"),
           always("commit", &SolverStudy::commit, "of the program that measured"),
           always("created", &SolverStudy::created, "UTC"),
           always("cpu", &SolverStudy::cpu, "on one core of which it was measured"),
           always("level", &SolverStudy::level, "of its instruction sets, the one that was used"),
           always("command", &SolverStudy::command, "measures it again"),
           always("compared_with", &SolverStudy::compared_with, "the method that the others are compared with"),
           always("methods", &SolverStudy::methods, "what a sweep of each does"),
           always("curves", &SolverStudy::curves, "one by one")}};
}

Members Kernel::members() {
  return {"kernel",
          "a kernel and all that is known of it",
          {always("name", &Kernel::name, "as in commands"),
           always("summary", &Kernel::summary, "what it computes"),
           always("conventions", &Kernel::conventions, "signs, orders and units"),
           always("source", &Kernel::source, "where the formulas come from"),
           one_of({"bounded", "estimated"}, if_any("certainty", &Kernel::certainty, "of the truth's error")),
           if_any("not_bounded_because", &Kernel::not_bounded_because, "why it is estimated"),
           always("input", &Kernel::input, "its fields"),
           always("output", &Kernel::output, "its fields"),
           always("budgets", &Kernel::budgets, "of the contract"),
           always("formulas", &Kernel::formulas, "that run in any arithmetic"),
           always("implementations", &Kernel::implementations, "of Demeter, in binary64"),
           always("regimes", &Kernel::regimes, "from which cases are drawn"),
           if_any("workloads", &Kernel::workloads, "cases that are only timed"),
           always("laws", &Kernel::laws, "that hold for every input"),
           if_any("run", &Kernel::run, "of check: which program, where"),
           if_any("subjects", &Kernel::subjects, "that were checked"),
           if_any("cases_per_regime", &Kernel::cases_per_regime, "of report: the most that fitted the time"),
           if_any("errata", &Kernel::errata, "of report: of what others print"),
           if_any("ladder", &Kernel::ladder, "of report: the precision ladder"),
           if_any("mutants", &Kernel::mutation, "of report: the mutation score"),
           if_any("continuity", &Kernel::continuity, "of report, where the kernel has a laboratory"),
           if_any("seconds", &Kernel::seconds, "of report: where the time went"),
           if_any("speed", &Kernel::speed, "of report: timings"),
           if_any("no_longer_fails", &Kernel::no_longer_fails, "of check: lines of the baseline that hold now")}};
}

Members Subject::members() {
  return {"subject",
          "something that answers kernels",
          {always("name", &Subject::name, "as in commands"), always("doc", &Subject::doc, "what it is"),
           always("version", &Subject::version, "of other people's code"),
           always("ours", &Subject::ours, "whether it is Demeter's"),
           always("approximate", &Subject::approximate, "by intention: its error is what it costs")}};
}

Members MissingPeer::members() {
  return {
      "missing_peer",
      "a subject that this build does not have",
      {always("name", &MissingPeer::name, "of the subject"), always("why", &MissingPeer::why, "and what installs it")}};
}

Members Run::members() {
  return {"run",
          "which program measured, and how long",
          {always("version", &Run::version, "of demeter"), always("commit", &Run::commit, "it was built from"),
           always("seed", &Run::seed, "of all cases"), always("cases_per_regime", &Run::cases_per_regime, "at most"),
           always("full", &Run::full, "as with --full"), always("created", &Run::created, "UTC"),
           always("elapsed_seconds", &Run::elapsed_seconds, "in all"),
           if_any("time_limit_seconds", &Run::seconds, "to fit into, if there was a limit")}};
}

Members Machine::members() {
  return {
      "machine",
      "where it was measured",
      {always("cpu", &Machine::cpu, "its model"),
       if_any("processor", &Machine::processor, "family, model and stepping, which tell alike names apart"),
       always("cores", &Machine::cores, "that run threads"),
       if_any("clock_mhz", &Machine::clock_mhz, "as the system gave it at the beginning"),
       if_any("caches", &Machine::caches, "of the first core, the nearest first"),
       if_any("virtual_machine", &Machine::virtual_machine, "the hypervisor, if there is one"),
       if_any("load_before", &Machine::load_before, "processes that wanted a core in the minute before all"),
       if_any("load_before_timings", &Machine::load_before_timings, "the same before the first kernel was timed"),
       always("levels", &Machine::levels, "instruction sets that the CPU has"),
       always("level", &Machine::level, "the best of them"), always("compiler", &Machine::compiler, "of demeter"),
       always("flags", &Machine::flags, "of the compiler"), always("system", &Machine::system, "kernel of the system"),
       always("memory_gib", &Machine::memory_gib, "in all")}};
}

Members Results::members() {
  return {"results",
          "what demeter report measured: results.json.gz",
          {always("schema", &Results::schema, "version of this schema"),
           always("demeter", &Results::run, "which program, when"), always("machine", &Results::machine, "where"),
           always("subjects", &Results::subjects, "found on the machine"),
           always("missing_peers", &Results::missing_peers, "and not found"),
           always("kernels", &Results::kernels, "one by one"),
           if_any("solvers", &Results::solvers, "of problems of many contacts")}};
}

Members Listing::members() {
  return {"listing",
          "what demeter list --json prints",
          {always("kernels", &Listing::kernels, "described, not measured"),
           always("subjects", &Listing::subjects, "found on the machine"),
           always("missing_peers", &Listing::missing_peers, "and not found")}};
}

Members MutationOfKernel::members() {
  return {"mutation_of_kernel",
          "what demeter check --mutants --json prints of each kernel",
          {always("kernel", &MutationOfKernel::kernel, "its name"),
           always("mutants", &MutationOfKernel::mutation, "its mutation score")}};
}

Members LadderOfKernel::members() {
  return {"ladder_of_kernel",
          "what demeter check --ladder --json prints of each kernel",
          {always("kernel", &LadderOfKernel::kernel, "its name"),
           always("ladder", &LadderOfKernel::ladder, "its precision ladder")}};
}

Members ErrataOfKernel::members() {
  return {"errata_of_kernel",
          "what demeter errata --json prints of each kernel",
          {always("kernel", &ErrataOfKernel::kernel, "its name"),
           always("errata", &ErrataOfKernel::errata, "of what others print")}};
}

}  // namespace demeter::report
