// SPDX-License-Identifier: BSD-3-Clause
#include "mom2d/run/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "job/pass_loop.hpp"
#include "mom2d/resolution.hpp"

namespace curlew::mom2d {
namespace {

using Solver = job::SampledProblem<Solution>;

/// Far-field amplitudes below which those of 10^4 nodes, each with a rounding error, cannot be distinguished
/// from zero.
constexpr double least_amplitude = 1e-12;

/// Cuts of echo widths at one frequency, each with its maximum.
class Cuts {
 public:
  /// @param changes of the amplitudes; empty in the first pass
  Cuts(const Mom2dCase& c, double frequency, const Solution& s, const fields::Quantities& amplitudes,
       fields::Changes changes)
      : frequency_(frequency),
        k_(s.problem.wavenumber),
        directions_(c.angles_deg.size()),
        is_first_(changes.by_order.empty()) {
    changes.by_order.resize(amplitudes.size());
    for (std::size_t w = 0; w < c.incidence_deg.size(); ++w)
      errors_.push_back(wave_error(c, s, w, amplitudes, changes));
  }
  /// Largest bistatic width of a wave in the directions of the config.
  mesh::Pass::Quantity bistatic(std::size_t w) const {
    const double greatest = std::max(fields::greatest_of(errors_[w], directions_), least_amplitude);
    return quantity(fmt::format("width{}", w + 1), greatest,
                    fields::bar_of_square(errors_[w], directions_, greatest));
  }
  /// Backscattering of all waves.
  mesh::Pass::Quantity monostatic() const {
    fields::PatternError back;
    for (const auto& error : errors_)
      back.strength.push_back(error.strength[directions_]), back.field.push_back(error.field[directions_]);
    const double greatest = std::max(fields::greatest_of(back, errors_.size()), least_amplitude);
    return quantity("monostatic", greatest, fields::bar_of_square(back, errors_.size(), greatest));
  }

 private:
  mesh::Pass::Quantity quantity(const std::string& name, double greatest, double bar) const {
    return {fmt::format("{} {:.6g} GHz", name, 1e-9 * frequency_), greatest * greatest / (4 * k_),
            is_first_ ? std::nullopt : std::optional(bar), least_amplitude * least_amplitude / (4 * k_)};
  }

  double frequency_, k_;
  std::size_t directions_;
  bool is_first_;
  std::vector<fields::PatternError> errors_;
};

class ContourPasses : public job::Refined {
 public:
  ContourPasses(Mom2dCase& c, Solver& problem, run::Run& run) : case_(c), problem_(problem), run_(run) {}

  mesh::Pass solve(const std::vector<job::Row>& rows) override {
    const auto stage = run_.stage("passes");
    if (!rows.empty() && seen_.empty()) solve_on(int(rows.size()) - 1);  // of a run that is resumed
    return solve_on(int(rows.size()));
  }

  /// A field inside that does not fall with the cells is that of a resonance.
  std::string obstacle() const override {
    if (inside_ <= most_inside || inside_ < 0.5 * inside_before_) return {};
    return "more cells do not help at an interior resonance: use formulation.equation = \"cfie\"";
  }

  RefinedContours take() {
    RefinedContours refined{{}, std::move(solutions_)};
    for (auto& [frequency, seen] : seen_)
      if (!seen.changes.by_order.empty()) refined.bars.emplace(frequency, std::move(seen.changes));
    return refined;
  }

 private:
  struct Seen {
    fields::Quantities amplitudes;
    fields::Changes changes;  ///< of the error after this pass; none for the first pass
    double unresolved;
  };
  using Use = std::function<void(double frequency, Solution s)>;

  mesh::Pass solve_on(int halvings) {
    case_.halvings = halvings;
    mesh::Pass pass;
    std::map<double, Seen> seen;
    std::map<double, Solution> solutions;
    inside_before_ = std::exchange(inside_, 0);
    each_solution([&](double f, Solution s) {
      inside_ = std::max(inside_, field_inside(s));
      pass.unknowns = std::max(pass.unknowns, long(s.system.size));
      pass.elements = std::max(pass.elements.value_or(0), long(s.nodes.panels.size()));
      Seen now{amplitudes_of(case_, s), {}, unresolved(s)};
      if (const auto last = seen_.find(f); last != seen_.end()) {
        now.changes = fields::left_after(now.amplitudes, last->second.amplitudes, job::growth);
        // Between full solutions of a sweep its model is most of the change, which halving does not reduce.
        const bool is_full = !s.report.method.empty();
        const double left = is_full ? left_by_halving(s, now.unresolved, last->second.unresolved) : 1;
        for (Complex& change : now.changes.by_order) change *= left;
      }
      if (!case_.deepens()) now.changes.least_ratio = least_ratio(s.problem);
      const Cuts cuts(case_, f, s, now.amplitudes, now.changes);
      for (std::size_t w = 0; w < s.phi.size(); ++w) pass.quantities.push_back(cuts.bistatic(w));
      if (case_.monostatic) pass.quantities.push_back(cuts.monostatic());
      seen.emplace(f, std::move(now));
      // All together take at most the memory of the matrix.
      if (2 * frequencies().size() * s.phi.size() <= std::size_t(s.system.size))
        solutions.emplace(f, std::move(s));
    });
    // Passes may agree on the wrong currents of a resonance.
    if (inside_ > most_inside)
      for (auto& quantity : pass.quantities)
        if (quantity.estimate) quantity.estimate = std::max(*quantity.estimate, inside_);
    pass.bytes = linalg::plan_dense(pass.unknowns, int(case_.incidence_deg.size()), case_.precision,
                                    run_.device(), case_.limits, linalg::EntriesMade::where_factored)
                     .host_bytes;
    seen_ = std::move(seen), solutions_ = std::move(solutions);
    return pass;
  }

  /// Frequencies set in [refinement], else the full band.
  const std::vector<double>& frequencies() const {
    const auto& stated = case_.refinement->frequencies;
    return stated.empty() ? case_.frequencies : stated;
  }

  /// At each frequency, with an adaptive sweep found between full solutions at a few.
  void each_solution(const Use& use) {
    const auto& at = frequencies();
    job::Sampled<Solution> sampled(problem_, at, [&](std::size_t i) {
      check_interrupt();
      return std::make_shared<Solution>(problem_.solve(at[i]));
    });
    if (case_.adaptive && &at == &case_.frequencies)
      sampled.between().sample(case_.adaptive->tolerance, std::size_t(case_.adaptive->max_solutions));
    for (std::size_t i = 0; i < at.size(); ++i) use(at[i], std::move(*sampled.at(i)));
  }

  Mom2dCase& case_;
  Solver& problem_;
  run::Run& run_;
  std::map<double, Seen> seen_;  // of the last pass, by frequency [Hz]
  std::map<double, Solution> solutions_;
  static constexpr double unknown = std::numeric_limits<double>::infinity();
  double inside_ = unknown, inside_before_ = unknown;  ///< of the last two passes
};

}  // namespace

RefinedContours refine_contours(Mom2dCase& c, Solver& problem, run::Run& run) {
  ContourPasses passes(c, problem, run);
  const auto rows = job::refine(*c.refinement, passes, run);
  c.halvings = rows.empty() ? std::nullopt : std::optional(int(rows.size()) - 1);
  return passes.take();
}

}  // namespace curlew::mom2d
