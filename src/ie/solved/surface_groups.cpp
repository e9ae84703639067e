// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/surface_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "ie/surface/surface_equation.hpp"
#include "job/kept.hpp"

namespace curlew::ie {
namespace {

std::vector<Index> begins_of(const SurfaceConfig& c, const System& system) {
  const SurfaceEquation equation(system);
  const auto count = Index(c.waves.size());
  const auto division = c.solver.uses_device() ? choose_division(equation, c.solver, count) : GpuDivision{};
  return divide_groups(division, count, c.largest_group(system.num_unknowns()));
}

/// The config with some of its waves only.
SurfaceConfig part_of(const SurfaceConfig& c, std::span<const Index> waves) {
  SurfaceConfig part = c;
  part.waves.clear();
  for (const Index w : waves) part.waves.push_back(c.waves[std::size_t(w)]);
  return part;
}

constexpr auto most_printed = Index(results::ScatteringReport::most_rows);

/// Copies the values of the waves of a part to their positions among all waves.
template <class T>
void place(std::span<const Index> waves, std::size_t count, const std::vector<T>& values, std::size_t total,
           std::vector<T>& all) {
  if (count == 0) return;
  const std::size_t each = values.size() / count;
  all.resize(total * each);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(values.begin() + Offset(i * each), each, all.begin() + Offset(std::size_t(waves[i]) * each));
}

/// @param waves ascending: those whose cross-sections are printed come first @param total of all parts
void place(std::span<const Index> waves, const WaveResults& part, std::size_t total, WaveResults& all) {
  all.far.count = Index(total);
  place(waves, waves.size(), part.far.e_theta, total, all.far.e_theta);
  place(waves, waves.size(), part.far.e_phi, total, all.far.e_phi);
  const std::size_t printed = std::min(total, std::size_t(most_printed)), own = part.sections.size();
  place(waves, own, part.back, printed, all.back);
  place(waves, own, part.forward, printed, all.forward);
  place(waves, own, part.sections, printed, all.sections);
}

/// The device holds the operator and what it keeps: where it has no room for the sums of far fields, too, the
/// host makes them.
WaveResults results_beside(const SurfaceConfig& part, const System& system, const Complex* x,
                           std::size_t printed, Device device) {
  if (device == Device::cuda) {
    try {
      return wave_results(part, system, x, printed, device);
    } catch (const ResourceError& e) {
      log::info("cross-sections on the CPU: {}", e.what());
    }
  }
  return wave_results(part, system, x, printed, Device::cpu);
}

}  // namespace

bool can_drop_currents(const SurfaceConfig& c, const System& system) {
  const bool is_wanted =
      c.solution || c.fields || !c.near_fields.empty() || !c.ports.empty() || !c.dipoles.empty();
  if (is_wanted || c.solver.direct || c.solver.processes != nullptr) return false;
  if (c.group > 0) return true;
  constexpr double much = 1 << 30, share = 0.5;  // bytes; fraction of free memory
  const double bytes = 16.0 * double(system.num_unknowns()) * double(c.waves.size());
  const bool are_independent = rank_of(system, c) >= double(c.waves.size());
  return (bytes > much && are_independent) || bytes > share * double(available_memory());
}

Index held_at_once(const SurfaceConfig& all, const MirroredWaves& mirrored, const System& system) {
  if (!can_drop_currents(all, system)) return num_right_hand_sides(all);
  const auto c = mirrored.solved_part(all);
  const auto begins = begins_of(c, system);
  Index largest = 0;
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) largest = std::max(largest, begins[g + 1] - begins[g]);
  const auto devices =
      c.solver.uses_device() ? choose_division(SurfaceEquation(system), c.solver, begins.back()).gpus : 1;
  Index with_images = 0;  // of one group at a time
  if (mirrored.has_images())
    for (std::size_t g = 0; g + 1 < begins.size(); ++g)
      with_images = std::max(with_images, Index(mirrored.waves_of(begins[g], begins[g + 1]).size()));
  return std::min(begins.back(), largest * Index(devices)) + with_images;
}

WaveResults solve_in_groups(const SurfaceConfig& c, const MirroredWaves& mirrored,
                            const SurfaceSolution& begun, const KeptGroups& kept, const std::string& advice,
                            run::Run& run) {
  const System& system = begun.system;
  const auto begins = begins_of(mirrored.solved_part(c), system);
  const std::size_t count = begins.size() - 1;
  log::info("waves are solved in {} groups, whose currents are not stored", count);
  const auto numbers_of = [&](std::size_t g) {
    return std::span(mirrored.solved())
        .subspan(std::size_t(begins[g]), std::size_t(begins[g + 1] - begins[g]));
  };
  const auto waves_of = [&](std::size_t g) { return mirrored.waves_of(begins[g], begins[g + 1]); };
  const auto printed_of = [&](std::size_t g) {
    const auto waves = waves_of(g);
    return std::size_t(std::lower_bound(waves.begin(), waves.end(), most_printed) - waves.begin());
  };
  std::vector<GroupReport> reports(count);
  std::vector<WaveResults> results(count);
  std::vector<std::vector<Complex>> x(count);  // of the groups being solved
  std::vector<std::size_t> open;
  SolutionGroups groups;
  groups.total = begins.back();
  for (std::size_t g = 0; g < count; ++g) {
    auto known = kept.find_results(g, numbers_of(g));
    results[g] = unsolved_results(c, waves_of(g).size(), printed_of(g));
    if (known && job::fill(known->arrays, arrays_of(results[g])))
      reports[g] = std::move(known->report);
    else
      open.push_back(g), groups.sizes.push_back(Index(numbers_of(g).size()));
  }
  groups.begin = [&](std::size_t i) {
    const std::size_t g = open[i];
    SurfaceSolution part(begun.frequency, begun.owner);
    set_right_hand_sides(part_of(c, numbers_of(g)), part);
    x[g] = std::move(part.x);
    return x[g].data();
  };
  groups.end = [&](std::size_t i, const GroupReport& report) {
    const std::size_t g = open[i];
    reports[g] = report;
    const auto currents = mirrored.currents_of(begins[g], begins[g + 1], std::exchange(x[g], {}));
    results[g] =
        results_beside(part_of(c, waves_of(g)), system, currents.data(), printed_of(g), run.device());
    if (report.converged())
      job::with_views(arrays_of(results[g]), [&](run::SolvedViews& views) {
        kept.keep_results(g, numbers_of(g), std::move(views), report);
      });
  };
  auto report = solve_groups(SurfaceEquation(system), c.solver, groups);
  report.set_groups(reports);
  state_solve(report, c.solver, begun.frequency, begins.back(), advice, run);
  WaveResults out;
  for (std::size_t g = 0; g < count; ++g) place(waves_of(g), results[g], c.waves.size(), out);
  return out;
}

WaveResults wave_results(const SurfaceConfig& c, const System& system, const Complex* x, std::size_t printed,
                         Device device) {
  const FarFields fields(system, device);
  WaveResults results{wave_pattern(c, c.monostatic, fields, x), {}, {}, {}};
  const auto first = printed_waves(c, printed);
  if (!first.empty()) add_sections(c, fields, x, cross_sections(system, fields, x, first), results);
  return results;
}

WaveResults unsolved_results(const SurfaceConfig& c, std::size_t waves, std::size_t printed) {
  const std::size_t rows = waves * (c.monostatic ? 1 : c.pattern().size());
  const auto fields = std::vector<Complex>(rows);
  const auto sections = std::vector<double>(printed);
  return {{Index(waves), fields, fields}, sections, sections, std::vector<CrossSections>(printed)};
}

job::Arrays arrays_of(WaveResults& r) {
  static_assert(sizeof(CrossSections) == 3 * sizeof(double));
  return {{"e_theta", std::span(r.far.e_theta)},
          {"e_phi", std::span(r.far.e_phi)},
          {"back", std::span(r.back)},
          {"forward", std::span(r.forward)},
          {"sections", std::span(reinterpret_cast<double*>(r.sections.data()), 3 * r.sections.size())}};
}

}  // namespace curlew::ie
