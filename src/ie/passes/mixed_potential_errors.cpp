// SPDX-License-Identifier: BSD-3-Clause
#include "ie/passes/mixed_potential_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "ie/passes/errors.hpp"
#include "ie/report/wave_output.hpp"
#include "results/pattern_bars.hpp"

namespace curlew::ie {
namespace {

/// A solution's far fields and the bounds of their errors.
struct Estimated {
  fields::Quantities q;                        ///< wave_quantities
  std::vector<fields::PatternError> bounds{};  ///< [waves]
  std::vector<std::vector<double>> shares{};   ///< [waves, cells or triangles]

  double sum_of_bounds() const {
    double sum = 0;
    for (const auto& bound : bounds) sum += bound.field.front();
    return sum;
  }
};

Estimated see(const MixedPotentialConfig& c, const MixedPotentialProblem& problem,
              const MixedPotentialSolution& s) {
  Estimated seen{wave_quantities(c, false, far_fields(s), s.x.data())};
  const std::size_t m = directions_in(seen.q, c.waves.size());
  for (std::size_t w = 0; w < c.waves.size(); ++w) {
    auto error = problem.error(s, w);
    seen.bounds.push_back(fields::uniform_error(seen.q, w * (2 * m + 1), m, bound_safety * error.elements,
                                                fields::shape_safety * error.shape));
    seen.shares.push_back(std::move(error.shares));
  }
  return seen;
}

/// The bounds, or where they are narrower the estimates by the changes of passes. @param changes empty: none
std::vector<fields::PatternError> narrower(const Estimated& seen, const fields::Changes& changes) {
  auto errors = seen.bounds;
  if (changes.by_order.empty()) return errors;
  const auto by_change = wave_errors(seen.q, changes, errors.size());
  for (std::size_t w = 0; w < errors.size(); ++w) errors[w] = fields::narrower(errors[w], by_change[w]);
  return errors;
}

/// Bars of the powers over that of the wave [m²]: twice the relative bar of the field for scattering and for
/// absorption, and for extinction (optical theorem) the sum of both.
void add_section_bars(double frequency, const std::string& label, const CrossSections& sections,
                      const fields::PatternError& error, results::ErrorReport& report) {
  const double scattering = 2 * error.relative * sections.scattering,
               absorption = 2 * error.relative * sections.absorption;
  const auto add = [&](const char* name, double value, double bar) {
    if (value != 0) results::add_cross_section_bar(frequency, label, name, value, bar, error, report);
  };
  add("scattering", sections.scattering, scattering);
  add("absorption", sections.absorption, absorption);
  add("extinction", sections.extinction, scattering + absorption);
}

/// Meshes of passes and what their solutions say.
class Passes {
 public:
  Passes(const MixedPotentialConfig& c, const ProblemOn& on, run::Run& run)
      : case_(c), on_(on), run_(run), frequencies_(job::looked_at(*c.refinement, c.frequencies)) {}

  mesh::Pass solve(const mesh::Mesh& mesh, const std::vector<job::Row>& before) {
    if (!before.empty() && looks_.empty())
      if (const auto last = job::last_mesh(run_)) solve_on(*last);
    return solve_on(mesh);
  }
  FarFieldChanges changes() const {
    FarFieldChanges changes;
    for (const auto& [frequency, look] : looks_) changes.emplace(frequency, look.changes);
    return changes;
  }

 private:
  struct Look {
    Estimated seen;
    fields::Changes left{};     ///< remaining error after this pass
    fields::Changes changes{};  ///< the greater of that and of the previous pass's
  };

  mesh::Pass solve_on(const mesh::Mesh& mesh) {
    const auto problem = on_(mesh);
    const auto before = std::exchange(looks_, {});
    mesh::Pass pass;
    for (const double f : frequencies_) {
      const auto s = solved(*problem, f, pass);
      Look look{see(case_, *problem, s)};
      if (const auto last = before.find(f); last != before.end()) {
        look.left = fields::left_after(look.seen.q, last->second.seen.q,
                                       last->second.seen.sum_of_bounds() / look.seen.sum_of_bounds());
        look.changes = fields::greater(look.left, last->second.left);
      }
      add(look, s, pass);
      looks_.emplace(f, std::move(look));
    }
    return pass;
  }

  MixedPotentialSolution solved(const MixedPotentialProblem& problem, double frequency,
                                mesh::Pass& pass) const {
    auto s = problem.make(frequency);
    const auto options = options_for(s, case_);
    const auto waves = Index(case_.waves.size());
    pass.unknowns = s.system.num_unknowns();
    pass.bytes = std::max(pass.bytes, cost_of(equation_of(s, case_), options, waves, run_).host);
    set_right_hand_sides(s, case_);
    solve_finer(equation_of(s, case_), options, s.x, waves);
    return s;
  }

  void add(const Look& look, const MixedPotentialSolution& s, mesh::Pass& pass) const {
    auto found = cross_sections(case_, false, narrower(look.seen, look.changes), least_section(s.k));
    pass.errors.resize(look.seen.shares.front().size());
    for (std::size_t w = 0; w < found.size(); ++w) {
      found[w].name += fmt::format(" {:.6g} GHz", 1e-9 * s.frequency);
      const double weight = 1 / std::sqrt(std::max(std::abs(found[w].value), found[w].least));
      for (std::size_t i = 0; i < pass.errors.size(); ++i) pass.errors[i] += weight * look.seen.shares[w][i];
    }
    std::ranges::move(found, std::back_inserter(pass.quantities));
  }

  const MixedPotentialConfig& case_;
  const ProblemOn& on_;
  run::Run& run_;
  std::vector<double> frequencies_;
  std::map<double, Look> looks_;  // of the last pass, by frequency [Hz]
};

}  // namespace

MixedPotentialErrors::MixedPotentialErrors(const MixedPotentialConfig& c,
                                           const MixedPotentialProblem& problem,
                                           const FarFieldChanges& passes, run::Run& run)
    : ErrorSink(c.accuracy, c.frequencies.size(), run, smaller_elements),
      case_(c),
      problem_(problem),
      passes_(passes) {
  is_wanted_ = !report_.is_off();
}

/// It costs almost nothing: at all frequencies, unless one is requested.
void MixedPotentialErrors::add(std::size_t number, double frequency, const MixedPotentialSolution& s) {
  if (report_.one_frequency() || !is_wanted()) return ErrorSink::add(number, frequency, s);
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(frequency, s); });
}

void MixedPotentialErrors::close() {
  report_.one_frequency() ? ErrorSink::close() : report_.close(how());
}

std::string MixedPotentialErrors::how() const {
  return passes_.empty() ? "from jumps between elements" : "from the last passes and jumps between elements";
}

void MixedPotentialErrors::estimate(double frequency, const MixedPotentialSolution& s) {
  const auto known = passes_.find(frequency);
  const auto errors =
      narrower(see(case_, problem_, s), known == passes_.end() ? fields::Changes() : known->second);
  add_wave_bars(case_, false, frequency, errors, report_);
  const auto sections = sections_of(case_, problem_, far_fields(s), s);
  for (std::size_t w = 0; w < sections.size(); ++w)
    add_section_bars(frequency, case_.waves[w].label(), sections[w], errors[w], report_);
}

RefinedBodies refine_bodies(const io::Config& document, const MixedPotentialConfig& c, const ProblemOn& on,
                            mesh::Mesh first, run::Run& run) {
  Passes passes(c, on, run);
  auto mesh = job::refine(
      *c.refinement, document, std::move(first),
      [&](const mesh::Mesh& of, const auto& before) { return passes.solve(of, before); }, run);
  return {std::move(mesh), passes.changes()};
}

}  // namespace curlew::ie
