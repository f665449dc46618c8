#include "reports/format/records.hpp"

#include "reports/format/members.hpp"

namespace demeter::report {
namespace {

/// The names of the measures that errors are relative to.
std::vector<std::string_view> const measures{"relative", "scale", "optimality"};

}  // namespace

Members Field::members() {
  return {"field",
          "a number, list or record in the input or output of a kernel",
          {always("name", &Field::name, "name, after the names of the records that contain it"),
           always("shape", &Field::shape, "for example \"3 numbers\", \"list of records\""),
           always("unit", &Field::unit, "unit of its numbers"), always("doc", &Field::doc, "description")}};
}

Members OutputBudget::members() {
  return {"budget",
          "largest error that the contract allows for an output",
          {always("output", &OutputBudget::output, "the field, or a part of it"),
           one_of(measures, always("measure", &OutputBudget::measure, "quantity by which errors are divided")),
           always("units", &OutputBudget::units, "the bound, in units of the measure")}};
}

Members FormulaTerm::members() {
  return {"formula_term",
          "a formula",
          {always("name", &FormulaTerm::name, "as in commands"), always("doc", &FormulaTerm::doc, "in one sentence"),
           if_any("kind", &FormulaTerm::kind,
                  "equal, model, searched model or mistake: the relation to the recommended formula")}};
}

Members Term::members() {
  return {
      "term",
      "a name and its meaning",
      {always("name", &Term::name, "name used in commands"), always("doc", &Term::doc, "description in one sentence")}};
}

Members RegimeTerm::members() {
  return {"regime_term",
          "a regime: a part of the input space from which cases are drawn",
          {always("name", &RegimeTerm::name, "name used in commands"),
           always("doc", &RegimeTerm::doc, "description in one sentence"),
           one_of(profiles, if_any("profile", &RegimeTerm::profile, "profile of the regime")),
           if_any("recorded", &RegimeTerm::recorded, "number of cases, if they are recorded and not drawn")}};
}

Members LawTerm::members() {
  return {"law_term",
          "a law of the kernel",
          {always("name", &LawTerm::name, "name used in commands"),
           always("doc", &LawTerm::doc, "the property that must hold"),
           always("tolerance", &LawTerm::tolerance, "the tolerance, in words"),
           always("uses", &LawTerm::uses, "outputs that the law examines")}};
}

Members Example::members() {
  return {
      "example",
      "a case and the answer to it",
      {always("id", &Example::id, "id of the case in its regime"),
       if_any("regime", &Example::regime, "regime of the case"), if_any("input", &Example::input, "the case"),
       if_any("answer", &Example::answer, "answer of the subject"),
       if_any("truth", &Example::truth, "certain digits of the truth; numbers are strings"),
       if_any("error", &Example::error, "error in units of the measure"),
       if_any("command", &Example::command,
              "command that shows the case again; if missing, it follows from the input and the name of the subject")}};
}

Members MixedUp::members() {
  return {
      "mixed_up",
      "a wrong label",
      {always("answer", &MixedUp::answer, "the answered label"), always("truth", &MixedUp::truth, "the right label"),
       always("cases", &MixedUp::cases, "number of cases with this pair of labels")}};
}

Members SizeBin::members() {
  return {"size_bin",
          "cases of a profile whose size is at most up_to and above that of the bin before",
          {always("profile", &SizeBin::profile, "\"everyday\" or \"degenerate\""),
           always("up_to", &SizeBin::up_to, "largest size in metres: powers of two from 2^-20 to 2^6, and \"inf\""),
           always("judged", &SizeBin::judged, "judged cases; each case counts once"),
           always("failed", &SizeBin::failed, "cases that failed in any output"),
           not_negative(
               always("max_error", &SizeBin::max_error, "largest error of all outputs, each in its own measure"))}};
}

Members Accuracy::members() {
  return {
      "accuracy",
      "results of one subject in one regime and one output",
      {always("regime", &Accuracy::regime, "the regime"),
       always("output", &Accuracy::output, "the output"),
       one_of(measures, always("measure", &Accuracy::measure, "quantity by which errors are divided")),
       not_negative(always("budget", &Accuracy::budget, "the bound, in units of the measure")),
       always("cases", &Accuracy::cases, "cases that were drawn"),
       always("judged", &Accuracy::judged, "cases that were answered and judged"),
       if_any("unsupported", &Accuracy::unsupported, "cases that the subject declined"),
       if_any("not_representable", &Accuracy::not_representable,
              "cases outside the range of the subject's number format, or outside the domain after rounding to it"),
       if_any("not_asked", &Accuracy::not_asked, "cases that were not asked, because the subject had been given up"),
       if_any("missing", &Accuracy::missing, "cases without an answer"),
       if_any("malformed", &Accuracy::malformed, "cases with an unreadable answer"),
       if_any("crash", &Accuracy::crash, "cases that ended the process of the subject"),
       if_any("timeout", &Accuracy::timeout, "cases that exceeded the time limit"),
       always("failed", &Accuracy::failed, "judged cases that exceed the budget"),
       if_any("not_a_number", &Accuracy::not_a_number, "failed cases whose answer is NaN"),
       if_any("not_finite", &Accuracy::not_finite, "failed cases whose answer is infinite"),
       if_any("labels", &Accuracy::labels, "failed cases of an output that is a label"),
       if_any("undecided", &Accuracy::undecided, "cases whose truth is not known well enough for a verdict"),
       if_any("refined", &Accuracy::refined, "cases that needed more than the first enclosure of the truth"),
       if_any("known", &Accuracy::known, "failures that a baseline accepts; they count nowhere else"),
       not_negative(always("max_error", &Accuracy::max_error,
                           "largest error of the judged cases, in units of the measure, rounded to six digits like all "
                           "errors here (more digits if rounding would cross the budget)")),
       not_negative(always("mean_error", &Accuracy::mean_error, "mean of the finite errors")),
       not_negative(always("median_error", &Accuracy::median_error,
                           "half of the errors are at most this large, with a resolution of 0.1 %")),
       not_negative(always("p99_error", &Accuracy::p99_error,
                           "99 % of the errors are at most this large; with fewer than 100 errors, the largest")),
       not_negative(always("max_relative", &Accuracy::max_relative, "largest error relative to the truth, in units u")),
       if_any("model_distance", &Accuracy::model_distance,
              "distance of the subject's model from the recommended formula, in units of the measure; not an error of "
              "the subject"),
       if_any("model_cases", &Accuracy::model_cases, "cases for which the model distance was computed"),
       not_negative(if_any("max_condition", &Accuracy::max_condition,
                           "largest condition number of a case, if the kernel has one")),
       or_null("worst", &Accuracy::worst, "the case with the largest error, or without an answer")}};
}

Members Failure::members() {
  return {"failure",
          "a small case similar to the worst case of a regime in which a budget failed",
          {inlined(&Failure::example), always("output", &Failure::output, "output whose budget failed")}};
}

Members FailsAgain::members() {
  return {
      "fails_again",
      "a failure of an earlier check that fails again",
      {always("regime", &FailsAgain::regime, "regime of the case"),
       if_any("output", &FailsAgain::output, "output whose budget fails"),
       if_any("law", &FailsAgain::law, "law that is broken, if the failure is not of a budget"),
       if_any("call", &FailsAgain::call, "call pattern that fails, if the failure is neither of a budget nor of a law"),
       always("input", &FailsAgain::input, "the case"),
       always("command", &FailsAgain::command, "command that shows the case again")}};
}

Members Retried::members() {
  return {"retried",
          "failures of earlier checks, tried first",
          {always("tried", &Retried::tried, "number of tried failures"),
           always("failing", &Retried::failing, "failures that still fail")}};
}

Members Counterexample::members() {
  return {"counterexample",
          "the smallest case found that breaks a law",
          {always("inputs", &Counterexample::inputs, "the case, and the inputs that the law derives from it"),
           always("outputs", &Counterexample::outputs, "the answers to these inputs"),
           not_negative(always("violation", &Counterexample::violation, "violation in tolerances of the law")),
           if_any("salt", &Counterexample::salt, "salt of the random numbers of the law"),
           if_any("command", &Counterexample::command,
                  "command that shows the case again; if missing, it follows from the first input, the names of "
                  "subject and law and the salt")}};
}

Members LawRegime::members() {
  return {"law_regime",
          "a regime in which a law is broken",
          {always("regime", &LawRegime::regime, "the regime"),
           if_any("applicable", &LawRegime::applicable, "cases to which the law applies"),
           always("broken", &LawRegime::broken, "cases that break the law"),
           not_negative(always("worst", &LawRegime::worst, "worst violation in tolerances of the law"))}};
}

Members LawResult::members() {
  return {"law_result",
          "results of one subject with one law",
          {always("law", &LawResult::law, "the law"), always("cases", &LawResult::cases, "cases that were asked"),
           always("applicable", &LawResult::applicable, "cases to which the law applies"),
           if_any("deciding", &LawResult::deciding, "applicable cases in the profiles that decide"),
           always("broken", &LawResult::broken, "cases that break the law"),
           if_any("known", &LawResult::known, "cases that break the law and are accepted by a baseline"),
           if_any("by_formula", &LawResult::by_formula,
                  "cases in which the formula that judges the subject breaks the law too; they count nowhere else"),
           not_negative(always("worst", &LawResult::worst, "worst violation in tolerances of the law")),
           always("regimes", &LawResult::regimes, "regimes in which the law is broken"),
           or_null("counterexample", &LawResult::counterexample, "the smallest counterexample found")}};
}

Members CallFault::members() {
  return {"call_fault",
          "a failure of a subject with one call pattern",
          {always("way", &CallFault::way, "again, batch, no_rows, unwanted, memory or alignment"),
           always("text", &CallFault::text, "description of the failure"),
           always("rows", &CallFault::rows, "cases of the smallest batch found that shows the failure"),
           if_any("calls", &CallFault::calls, "number of calls that shows the failure, if more than one"),
           or_null("row", &CallFault::row, "row with the different answer, counted from 0"),
           if_any("inputs", &CallFault::inputs, "the cases, if they are few")}};
}

Members Calls::members() {
  return {"calls",
          "whether the answers of a subject depend on the call pattern",
          {always("cases", &Calls::cases, "cases that are answered alone"),
           always("calls", &Calls::calls, "calls that were made"),
           always("tried", &Calls::tried, "call patterns that were tried"),
           if_any("not_tried", &Calls::not_tried,
                  "call patterns that were not tried, because there was no time or no case alone is answered"),
           if_any("known", &Calls::known, "call patterns whose failures a baseline accepts"),
           always("faults", &Calls::faults, "the failures")}};
}

Members DeclaredTerm::members() {
  return {"declared",
          "an approximation that the authors of a code declare; its errors are not counted as defects",
          {always("what", &DeclaredTerm::what, "the approximation"),
           always("outputs", &DeclaredTerm::outputs, "the outputs that it concerns"),
           always("source", &DeclaredTerm::source, "where the authors say so")}};
}

Members OpenChoiceTerm::members() {
  return {"open_choice",
          "a choice of a force law that the answers do not determine",
          {always("choice", &OpenChoiceTerm::choice, "name of the choice"),
           always("values", &OpenChoiceTerm::values, "the values that fit all answers")}};
}

Members IdentifiedTerm::members() {
  return {
      "identified",
      "the formula that the answers of a subject show",
      {always("formula", &IdentifiedTerm::formula, "the formula that agrees in most cases"),
       always("kind", &IdentifiedTerm::kind, "equal, model or mistake"),
       always("judged_by", &IdentifiedTerm::judged_by, "the formula by which the subject is judged"),
       always("agree", &IdentifiedTerm::agree, "cases in which the formula agrees"),
       always("answered", &IdentifiedTerm::answered, "cases that the subject answered"),
       always("fits", &IdentifiedTerm::fits, "true: it agrees in at least 95 % of the answered cases"),
       if_any("open", &IdentifiedTerm::open, "choices that the answers do not determine"),
       if_any("telling", &IdentifiedTerm::telling, "command for a case that would determine one of these choices")}};
}

Members Contender::members() {
  return {
      "contender",
      "results of a subject for one kernel",
      {always("name", &Contender::name, "name of the subject"), always("doc", &Contender::doc, "method of the subject"),
       one_of({"pass", "undecided", "fail", "no answers", "not refuted"},
              always("verdict", &Contender::verdict, "verdict of the check")),
       if_any("not_a_verdict", &Contender::not_a_verdict,
              "reason why a check without a failure is not a pass: too few cases, or parts that were not tried"),
       if_any("sentence", &Contender::sentence, "the verdict as a sentence with digits, for citation"),
       if_any("tolerance", &Contender::tolerance, "tolerance of the check"),
       if_any("formula", &Contender::formula,
              "formula by which the subject is judged, in increasing precision, instead of the certified truth of the "
              "recommended formula"),
       if_any("model", &Contender::model, "formula whose distance from the recommended formula `accuracy` contains"),
       if_any("deciding", &Contender::deciding, "profiles whose failures count"),
       if_any("settings", &Contender::settings, "settings of the subject that influence the answer"),
       if_any("declared", &Contender::declared, "approximations that the authors of the code declare"),
       if_any("binary32", &Contender::binary32, "the subject computes in float: its u is 2^-24"),
       always("accuracy", &Contender::accuracy, "results by regime and output"),
       if_any("sizes", &Contender::sizes,
              "results by profile and size, for a subject that fails in regimes that decide"),
       always("failures", &Contender::failures, "one small failing case per regime that fails"),
       if_any("recorded", &Contender::recorded, "failures of earlier checks"),
       always("laws", &Contender::laws, "results by law"),
       if_any("calls", &Contender::calls, "results of call patterns, from check"),
       if_any("identified", &Contender::identified,
              "the formula that the answers show, for laws composed of choices")}};
}

Members Timing::members() {
  return {"timing",
          "timing of one subject or comparison routine on one set of cases",
          {always("subject", &Timing::subject, "the subject or comparison routine"),
           one_of({"subject", "baseline"},
                  always("kind", &Timing::kind, "\"baseline\" is a comparison routine, which has no verdict")),
           one_of({"cache", "streaming", "workload"},
                  always("setting", &Timing::setting, "place from which the cases are read")),
           always("regime", &Timing::regime, "the regime or the workload"),
           always("outputs", &Timing::outputs, "\"all\", or the computed outputs"),
           above_zero(always("nanoseconds", &Timing::nanoseconds, "nanoseconds per case: the median of the samples")),
           above_zero(always("samples", &Timing::samples, "nanoseconds per case, in the order of measurement")),
           above_zero(if_any("reference_workload", &Timing::reference_workload,
                             "nanoseconds of the reference workload beside each sample")),
           always("count", &Timing::count, "cases per run"),
           one_of({"batch", "single"}, if_any("call", &Timing::call, "whether a call answers all cases or one case"))}};
}

Members ScreenedOut::members() {
  return {"screened_out",
          "a subject that answers some of the timed cases wrongly",
          {always("subject", &ScreenedOut::subject, "the subject"),
           always("cases", &ScreenedOut::cases, "number of wrong answers"),
           always("contender", &ScreenedOut::contender,
                  "false: the subject is wrong so often that these cases are timed nevertheless")}};
}

Members NotTimed::members() {
  return {"not_timed",
          "a subject that crashed, hung or was stopped during timing",
          {always("subject", &NotTimed::subject, "the subject"), always("why", &NotTimed::why, "reason in one line")}};
}

Members Baseline::members() {
  return {"baseline",
          "a comparison routine: timed beside the subjects and not judged",
          {always("name", &Baseline::name, "name as in the timings"), always("doc", &Baseline::doc, "description"),
           if_any("judged_as", &Baseline::judged_as,
                  "subject with the same computation, whose verdict applies to the routine"),
           if_any("leaves_out", &Baseline::leaves_out, "parts of the batch forms that the routine leaves out")}};
}

Members Speed::members() {
  return {"speed",
          "timings of one kernel",
          {always("used", &Speed::used, "timed cases: those that every contender answers acceptably"),
           always("total", &Speed::total, "number of cases drawn"),
           always("reference_workload", &Speed::reference_workload, "version of the reference workload"),
           always("screened_out", &Speed::screened_out, "subjects that answer some of the cases wrongly"),
           always("timings", &Speed::timings, "timings in the order of measurement, which is random"),
           if_any("baselines", &Speed::baselines, "comparison routines among the timings"),
           always("not_timed", &Speed::not_timed, "subjects that could not be timed")}};
}

Members ErratumValue::members() {
  return {"erratum_value",
          "a stated figure and the computed figure",
          {always("formula", &ErratumValue::formula, "formula that gives the computed figure"),
           always("stated", &ErratumValue::stated, "stated figure, a decimal whose last digit is rounded"),
           always("computed", &ErratumValue::computed,
                  "figure computed in 50 digits and rounded to a double; empty if there is none"),
           always("agrees", &ErratumValue::agrees, "whether the computed figure, rounded, equals the stated figure")}};
}

Members ErratumFigure::members() {
  return {"erratum_figure",
          "a case that shows an erratum",
          {always("what", &ErratumFigure::what, "description of the case"),
           always("output", &ErratumFigure::output, "the output, or its component, that is compared"),
           always("input", &ErratumFigure::input, "the case"),
           always("values", &ErratumFigure::values, "one value per formula")}};
}

Members PublishedCode::members() {
  return {"published_code",
          "a code of other authors",
          {always("name", &PublishedCode::name, "name, version and place"),
           if_any("address", &PublishedCode::address, "address of the source or the documentation")}};
}

Members Erratum::members() {
  return {"erratum",
          "a mistake in a source or in a code",
          {always("where", &Erratum::where, "equation, or the word of the source"),
           always("documented", &Erratum::documented, "printed form"),
           always("implemented", &Erratum::implemented, "form in codes"),
           if_any("codes", &Erratum::codes, "codes that have this form"),
           always("recommended", &Erratum::recommended, "correct form"),
           always("figures", &Erratum::figures, "cases that show the erratum")}};
}

Members LadderLine::members() {
  return {"ladder_line",
          "decimal digits that the reference loses",
          {always("regime", &LadderLine::regime, "the regime"), always("output", &LadderLine::output, "the output"),
           one_of(measures, always("measure", &LadderLine::measure, "quantity by which errors are divided")),
           always("lost", &LadderLine::lost, "lost digits by arithmetic; \"nan\" if no case fits the arithmetic")}};
}

Members Rung::members() {
  return {"rung",
          "an arithmetic of the precision ladder",
          {always("name", &Rung::name, "name of the arithmetic"),
           always("digits", &Rung::digits, "decimal digits of its significand")}};
}

Members Ladder::members() {
  return {"ladder",
          "the precision ladder",
          {always("arithmetics", &Ladder::arithmetics, "columns of the ladder"),
           always("rows", &Ladder::rows, "rows of the ladder, by output")}};
}

Members Mutant::members() {
  return {"mutant",
          "a deliberately wrong implementation and the part of the check that found it",
          {always("name", &Mutant::name, "name of the mutant"), always("change", &Mutant::change, "the defect"),
           always("source", &Mutant::source, "origin of the defect"),
           always("killed", &Mutant::killed, "whether the check found the defect"),
           always("cases", &Mutant::cases, "cases drawn in the search"),
           always("seconds", &Mutant::seconds, "seconds of the search"),
           if_any("by", &Mutant::by, "part of the check that found it, if neither a law nor a budget"),
           if_any("regime", &Mutant::regime, "regime in which it was found"),
           if_any("law", &Mutant::law, "law that found it"),
           if_any("output", &Mutant::output, "output whose budget found it"),
           if_any("size", &Mutant::size, "error in units of the measure, or violation in tolerances"),
           always("budget_exceeded", &Mutant::budget_exceeded, "whether the oracle alone finds it"),
           always("laws", &Mutant::laws, "laws that find it alone")}};
}

Members LawUse::members() {
  return {"law_use",
          "number of defects that a law finds",
          {always("law", &LawUse::law, "the law"), always("mutants", &LawUse::mutants, "mutants that break the law"),
           always("implementations", &LawUse::implementations, "implementations that break the law")}};
}

Members Mutation::members() {
  return {
      "mutation",
      "the mutation score: share of defects that the check finds",
      {always("total", &Mutation::total, "number of mutants"),
       always("killed", &Mutation::killed, "mutants found by the check"),
       always("killed_by_laws_alone", &Mutation::killed_by_laws, "mutants found without an oracle"),
       always("killed_by_budgets_alone", &Mutation::killed_by_budgets, "mutants found without laws"),
       always("survey_cases", &Mutation::survey_cases, "cases per regime for the numbers of each part alone"),
       always("unmutated_passes", &Mutation::unmutated_passes, "whether the implementation without a defect passes"),
       if_any("unmutated_fails", &Mutation::unmutated_fails, "failure of the implementation without a defect"),
       always("seconds", &Mutation::seconds, "seconds of all searches"),
       always("each", &Mutation::mutants, "all mutants"), always("laws", &Mutation::laws, "results by law")}};
}

Members Seconds::members() {
  return {"seconds",
          "seconds used for a kernel",
          {if_any("check", &Seconds::check, "checks of most subjects"),
           if_any("few", &Seconds::few, "checks of slow subjects"),
           if_any("ladder", &Seconds::ladder, "the precision ladder"), if_any("mutants", &Seconds::mutants, "mutants"),
           if_any("continuity", &Seconds::continuity, "continuity and passivity"),
           if_any("speed", &Seconds::speed, "timings")}};
}

Members CheckRun::members() {
  return {"check_run",
          "the program and the machine of the check",
          {always("version", &CheckRun::version, "version of Demeter"),
           always("commit", &CheckRun::commit, "commit of the build"),
           always("seed", &CheckRun::seed, "seed of the cases"), always("cpu", &CheckRun::cpu, "model of the CPU"),
           always("compiler", &CheckRun::compiler, "compiler of Demeter"),
           always("flags", &CheckRun::flags, "flags of the compiler"),
           always("levels", &CheckRun::levels, "instruction sets of the CPU")}};
}

Members Quantity::members() {
  return {"quantity",
          "an output, or a part of an output, that is examined along paths",
          {always("name", &Quantity::name, "key of all values by quantity"),
           always("unit", &Quantity::unit, "natural unit along paths"),
           always("shown_unit", &Quantity::shown_unit, "unit of sizes of jumps: degrees for directions"),
           always("components", &Quantity::components, "number of components"),
           always("derived", &Quantity::derived, "whether it is computed from other quantities")}};
}

Members Family::members() {
  return {"family",
          "a family of smooth paths",
          {always("name", &Family::name, "name of the family"), always("doc", &Family::doc, "the motion"),
           always("loop", &Family::loop, "whether the paths end where they begin")}};
}

Members Side::members() {
  return {"side",
          "one side of a jump",
          {always("parameter", &Side::parameter, "parameter of the path"),
           always("input", &Side::input, "the case at this parameter"),
           always("observed", &Side::observed,
                  "values by quantity: a number, an array, or null if the quantity is not compared there")}};
}

Members Jump::members() {
  return {
      "jump",
      "a jump at one place of one path",
      {always("quantity", &Jump::quantity, "quantity in which the jump was found"),
       always("sizes", &Jump::sizes, "sizes by quantity, in the shown unit"),
       always("certified", &Jump::certified, "whether 80 digits show the jump, so that it is not a rounding effect"),
       always("width", &Jump::width, "width of the interval of the path that contains the jump"),
       always("path", &Jump::path, "the path"), always("before", &Jump::before, "place before the jump"),
       always("after", &Jump::after, "place after the jump"),
       always("command", &Jump::command, "command that shows the jump again")}};
}

Members Transition::members() {
  return {"transition",
          "all jumps of one subject at one kind of transition",
          {always("transition", &Transition::transition, "name of the change at the jump; empty if it has no name"),
           always("found", &Transition::found, "number of jumps"),
           always("largest", &Transition::largest, "largest jump by quantity, in the shown unit"),
           always("certified", &Transition::certified, "by quantity: whether the largest jump is certified"),
           always("examples", &Transition::examples, "small and readable examples")}};
}

Members Steepest::members() {
  return {
      "steepest",
      "largest ratio of a change to the motion that caused it",
      {always("ratio", &Steepest::ratio, "ratio in natural units"),
       always("parameter", &Steepest::parameter, "place on the path"), if_any("path", &Steepest::path, "the path")}};
}

Members Steep::members() {
  return {"steep",
          "places where a quantity changes like a power below 1 of the motion",
          {always("found", &Steep::found, "number of such places"),
           always("exponent", &Steep::exponent, "smallest exponent"),
           always("parameter", &Steep::parameter, "place on the path"), if_any("path", &Steep::path, "the path")}};
}

Members Kink::members() {
  return {"kink",
          "places where the slope of a quantity jumps",
          {always("found", &Kink::found, "number of such places"),
           always("turn", &Kink::turn, "largest change of d(quantity)/d(motion)"),
           always("parameter", &Kink::parameter, "place on the path"), if_any("path", &Kink::path, "the path")}};
}

Members Work::members() {
  return {
      "work",
      "work of the contact force along one path",
      {always("work", &Work::work, "work in the energy unit"), always("error", &Work::error, "error of the quadrature"),
       always("stored", &Work::stored, "largest stored energy on the path"), always("path", &Work::path, "the path")}};
}

Members Fall::members() {
  return {"fall",
          "an overlap that decreases while the bodies approach",
          {always("overlap", &Fall::overlap, "amount of the decrease"), always("from", &Fall::from, "first parameter"),
           always("to", &Fall::to, "last parameter"), always("path", &Fall::path, "the path")}};
}

Members Passivity::members() {
  return {"passivity",
          "energy that contact forces create",
          {always("loops", &Passivity::loops, "number of closed paths"),
           always("contacts", &Passivity::contacts, "number of paths from no contact to no contact"),
           always("monotone_paths", &Passivity::monotone_paths, "number of paths on which the bodies approach"),
           or_null("loop", &Passivity::loop, "largest |work| along a closed path"),
           or_null("gain", &Passivity::gain, "largest work from no contact to no contact"),
           or_null("loss", &Passivity::loss, "least work from no contact to no contact"),
           not_negative(always("mean_relative_loop", &Passivity::mean_relative_loop,
                               "mean of |work| over stored energy, for closed paths")),
           not_negative(always("mean_relative_contact", &Passivity::mean_relative_contact,
                               "mean of |work| over stored energy, from no contact to no contact")),
           or_null("fall", &Passivity::fall, "largest decrease of an overlap")}};
}

Members Watched::members() {
  return {
      "watched",
      "continuity of one subject",
      {always("subject", &Watched::subject, "the subject"),
       always("recommended", &Watched::recommended, "whether Demeter recommends the subject"),
       always("jumps", &Watched::jumps, "whether a jump was found"),
       always("paths", &Watched::paths, "number of searched paths"),
       always("answers", &Watched::answers, "number of answers of the subject"),
       always("unanswered", &Watched::unanswered, "number of places without an answer"),
       always("bisections", &Watched::bisections, "number of bisections to adjacent parameters"),
       always("dismissed", &Watched::dismissed,
              "suspected jumps that 80 digits showed to be rounding or steep changes"),
       if_any("unexamined", &Watched::unexamined, "suspected jumps that were not examined in 80 digits (time limit)"),
       always("seconds", &Watched::seconds, "seconds of the search"),
       always("certifiable", &Watched::certifiable, "whether the subject can be evaluated in 80 digits"),
       always("residual", &Watched::residual, "by quantity: change that remains after bisection without a jump"),
       always("steepest", &Watched::steepest, "steepest change by quantity"),
       always("steep", &Watched::steep, "steep places by quantity"),
       always("kinks", &Watched::kinks, "kinks by quantity"),
       always("transitions", &Watched::transitions, "transitions with jumps"),
       always("passivity", &Watched::passivity, "energy created by the forces")}};
}

Members PlotLines::members() {
  return {"plot_lines",
          "answers of one subject along a plotted path",
          {always("subject", &PlotLines::subject, "the subject"),
           other_keys(&PlotLines::lines, "by quantity: value of each component at each parameter")}};
}

Members Plot::members() {
  return {"plot",
          "a path with the answers of every subject along it",
          {always("transition", &Plot::transition, "transition that the plot shows"),
           always("found_with", &Plot::found_with, "subject that jumps there"),
           always("quantity", &Plot::quantity, "quantity that jumps"), always("path", &Plot::path, "the path"),
           always("at", &Plot::at, "parameter before the jump"),
           always("parameters", &Plot::parameters, "parameters in ascending order"),
           always("subjects", &Plot::subjects, "subjects that answer")}};
}

Members Continuity::members() {
  return {"continuity",
          "answers along smooth motions: jumps, and energy that contact forces create",
          {always("seed", &Continuity::seed, "seed of the paths"),
           always("paths", &Continuity::paths, "paths of the recommended formula"),
           always("other_paths", &Continuity::other_paths, "paths of each other implementation of Demeter"),
           always("excluded", &Continuity::excluded, "places that no path crosses, and the reason"),
           if_any("energy_unit", &Continuity::energy_unit, "unit of energy, for contact kernels"),
           if_any("overlap", &Continuity::overlap, "quantity that is the overlap, for contact kernels"),
           always("families", &Continuity::families, "families of paths"),
           always("quantities", &Continuity::quantities, "examined quantities"),
           always("subjects", &Continuity::subjects, "results by subject"),
           always("plots", &Continuity::plots, "one plot per transition"),
           if_any("kernel", &Continuity::kernel, "the kernel, if this is not part of the results of a kernel")}};
}

Members SolverPoint::members() {
  return {"solver_point",
          "state of a solver after some sweeps",
          {always("sweeps", &SolverPoint::sweeps, "sweeps over all contacts since the start"),
           always("seconds", &SolverPoint::seconds, "processor time in seconds"),
           always("residual", &SolverPoint::residual, "natural residual over g dt, which is 0 only at the solution")}};
}

Members SolverReached::members() {
  return {"solver_reached",
          "cost of a tolerance for a solver",
          {always("tolerance", &SolverReached::tolerance, "tolerance of the solver's own residual, over g dt"),
           or_null("sweeps", &SolverReached::sweeps, "sweeps used; null: more than the allowed number"),
           or_null("seconds", &SolverReached::seconds, "processor time in seconds"),
           or_null("residual", &SolverReached::residual, "natural residual at the end, over g dt")}};
}

Members SolverCurve::members() {
  return {"solver_curve",
          "one solver on one problem",
          {one_of(solver_states,
                  always("state", &SolverCurve::state, "state of the scene from which the problem is taken")),
           one_of({"cold", "warm"},
                  always("start", &SolverCurve::start, "without impulses, or with those of the step before")),
           always("method", &SolverCurve::method, "the solver"),
           always("solves", &SolverCurve::solves,
                  "whether it converges to the solution; if not, its residual measures only the constraints"),
           always("contacts", &SolverCurve::contacts, "contacts of the problem"),
           always("asked", &SolverCurve::asked, "allowed number of sweeps"),
           always("points", &SolverCurve::points, "points in the order of their sweeps"),
           always("reached", &SolverCurve::reached, "cost by tolerance")}};
}

Members SolverStudy::members() {
  return {"solver_study",
          "all solvers on problems with many contacts",
          {always("kernel", &SolverStudy::kernel, "kernel whose problem they solve"),
           always("scene", &SolverStudy::scene, "scene from which the problems are taken"),
           always("discs", &SolverStudy::discs, "number of discs in the scene"),
           if_any("recorded", &SolverStudy::recorded, "date of an earlier measurement, if not measured in this run"),
           always("commit", &SolverStudy::commit, "commit of the program that measured"),
           always("created", &SolverStudy::created, "date and time in UTC"),
           always("cpu", &SolverStudy::cpu, "CPU of the measurement, on one core"),
           always("level", &SolverStudy::level, "instruction set that was used"),
           always("command", &SolverStudy::command, "command that measures again"),
           always("compared_with", &SolverStudy::compared_with, "method with which the others are compared"),
           always("methods", &SolverStudy::methods, "description of a sweep of each method"),
           always("curves", &SolverStudy::curves, "all curves")}};
}

Members Kernel::members() {
  return {
      "kernel",
      "a kernel with its description and results",
      {always("name", &Kernel::name, "name used in commands"),
       always("summary", &Kernel::summary, "what the kernel computes"),
       always("conventions", &Kernel::conventions, "signs, orders and units"),
       always("source", &Kernel::source, "source of the formulas"),
       one_of({"bounded", "estimated"},
              if_any("certainty", &Kernel::certainty, "kind of bound of the error of the truth")),
       if_any("not_bounded_because", &Kernel::not_bounded_because, "reason why the error is estimated"),
       always("input", &Kernel::input, "fields of the input"),
       always("output", &Kernel::output, "fields of the output"),
       always("budgets", &Kernel::budgets, "budgets of the contract"),
       always("formulas", &Kernel::formulas, "formulas that run in any arithmetic"),
       always("implementations", &Kernel::implementations, "Demeter's implementations in binary64"),
       always("regimes", &Kernel::regimes, "regimes from which cases are drawn"),
       if_any("workloads", &Kernel::workloads, "sets of cases that are only timed"),
       always("laws", &Kernel::laws, "laws that hold for every input"),
       if_any("run", &Kernel::run, "from check: program and machine"),
       if_any("subjects", &Kernel::subjects, "checked subjects"),
       if_any("cases_per_regime", &Kernel::cases_per_regime,
              "from report: the largest number of cases that fitted into the time"),
       if_any("errata", &Kernel::errata, "from report: errata of sources"),
       if_any("ladder", &Kernel::ladder, "from report: the precision ladder"),
       if_any("mutants", &Kernel::mutation, "from report: the mutation score"),
       if_any("continuity", &Kernel::continuity, "from report, if the kernel has a laboratory"),
       if_any("seconds", &Kernel::seconds, "from report: time used for each part"),
       if_any("speed", &Kernel::speed, "from report: timings"),
       if_any("no_longer_fails", &Kernel::no_longer_fails, "from check: lines of the baseline that no longer fail")}};
}

Members Subject::members() {
  return {"subject",
          "an implementation of kernels",
          {always("name", &Subject::name, "name used in commands"), always("doc", &Subject::doc, "description"),
           always("version", &Subject::version, "version of the code of other authors"),
           always("ours", &Subject::ours, "whether it is part of Demeter"),
           always("approximate", &Subject::approximate, "whether it is approximate by intention"),
           if_any("home", &Subject::home, "address of the home page of a code of other authors")}};
}

Members MissingPeer::members() {
  return {"missing_peer",
          "a peer that this build does not have",
          {always("name", &MissingPeer::name, "name of the subject"),
           always("why", &MissingPeer::why, "reason, and what installs it")}};
}

Members Run::members() {
  return {
      "run",
      "the program that measured, and its time",
      {always("version", &Run::version, "version of Demeter"), always("commit", &Run::commit, "commit of the build"),
       always("seed", &Run::seed, "seed of all cases"),
       always("cases_per_regime", &Run::cases_per_regime, "largest number of cases per regime"),
       always("full", &Run::full, "whether --full was given"), always("created", &Run::created, "date and time in UTC"),
       always("elapsed_seconds", &Run::elapsed_seconds, "total seconds"),
       if_any("time_limit_seconds", &Run::seconds, "time limit in seconds, if there was one")}};
}

Members Machine::members() {
  return {
      "machine",
      "the machine of the measurement",
      {always("cpu", &Machine::cpu, "model of the CPU"),
       if_any("processor", &Machine::processor, "family, model and stepping, which distinguish CPUs of the same name"),
       always("cores", &Machine::cores, "cores that run threads"),
       if_any("clock_mhz", &Machine::clock_mhz, "clock that the system reported at the start"),
       if_any("caches", &Machine::caches, "caches of the first core, the nearest first"),
       if_any("virtual_machine", &Machine::virtual_machine, "the hypervisor, if there is one"),
       if_any("load_before", &Machine::load_before, "processes that wanted a core in the minute before the start"),
       if_any("load_before_timings", &Machine::load_before_timings,
              "processes that wanted a core in the minute before the first timing"),
       always("levels", &Machine::levels, "instruction sets of the CPU"),
       always("level", &Machine::level, "best instruction set"),
       always("compiler", &Machine::compiler, "compiler of Demeter"),
       always("flags", &Machine::flags, "flags of the compiler"),
       always("system", &Machine::system, "kernel of the operating system"),
       always("memory_gib", &Machine::memory_gib, "total memory in GiB")}};
}

Members Results::members() {
  return {"results",
          "results of demeter report: results.json.gz",
          {always("schema", &Results::schema, "version of this schema"),
           always("demeter", &Results::run, "the program and the date"),
           always("machine", &Results::machine, "the machine"),
           always("subjects", &Results::subjects, "subjects found on the machine"),
           always("missing_peers", &Results::missing_peers, "peers not found on the machine"),
           always("kernels", &Results::kernels, "all kernels"),
           if_any("solvers", &Results::solvers, "solvers on problems with many contacts")}};
}

Members Listing::members() {
  return {"listing",
          "output of demeter list --json",
          {always("kernels", &Listing::kernels, "descriptions of the kernels, without results"),
           always("subjects", &Listing::subjects, "subjects found on the machine"),
           always("missing_peers", &Listing::missing_peers, "peers not found on the machine")}};
}

Members MutationOfKernel::members() {
  return {"mutation_of_kernel",
          "output of demeter check --mutants --json for each kernel",
          {always("kernel", &MutationOfKernel::kernel, "name of the kernel"),
           always("mutants", &MutationOfKernel::mutation, "its mutation score")}};
}

Members LadderOfKernel::members() {
  return {"ladder_of_kernel",
          "output of demeter check --ladder --json for each kernel",
          {always("kernel", &LadderOfKernel::kernel, "name of the kernel"),
           always("ladder", &LadderOfKernel::ladder, "its precision ladder")}};
}

Members ErrataOfKernel::members() {
  return {"errata_of_kernel",
          "output of demeter errata --json for each kernel",
          {always("kernel", &ErrataOfKernel::kernel, "name of the kernel"),
           always("errata", &ErrataOfKernel::errata, "errata of sources")}};
}

}  // namespace demeter::report
