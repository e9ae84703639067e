// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_groups.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "ie/operator/process_group.hpp"
#include "ie/surface/surface_equation.hpp"
#include "programs/ie/surface_solve.hpp"

namespace curlew::programs {
namespace {

std::vector<Index> begins_of(const SurfaceConfig& c, const ie::System& system) {
  const ie::SurfaceEquation equation(system);
  const auto count = Index(c.waves.size());
  const auto division =
      c.solver.uses_device() ? ie::choose_division(equation, c.solver, count) : ie::GpuDivision{};
  return ie::divide_groups(division, count, c.largest_group(system.num_unknowns()));
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

run::SolvedViews views_of(const run::SolvedArrays& arrays) {
  return {arrays.begin(), arrays.end()};
}

/// The device stores the operator and search directions: if the sums of far fields do not fit there, too, the
/// host computes them.
WaveResults results_of(const SurfaceConfig& part, const ie::System& system, const Complex* x,
                       std::size_t printed, SurfaceFiles& files, Device device) {
  if (device == Device::cuda) {
    try {
      return files.results_of(part, system, x, printed, device);
    } catch (const ResourceError& e) {
      log::info("cross-sections on the CPU: {}", e.what());
    }
  }
  return files.results_of(part, system, x, printed, Device::cpu);
}

}  // namespace

bool can_drop_currents(const SurfaceConfig& c, const ie::System& system) {
  const bool is_wanted =
      c.solution || c.fields || !c.near_fields.empty() || !c.ports.empty() || !c.dipoles.empty();
  if (is_wanted || c.solver.direct || ie::process_group() != nullptr) return false;
  if (c.group > 0) return true;
  constexpr double much = 1 << 30, share = 0.5;  // bytes; fraction of free memory
  const double bytes = 16.0 * double(system.num_unknowns()) * double(c.waves.size());
  const bool are_independent = rank_of(system, c) >= double(c.waves.size());
  return (bytes > much && are_independent) || bytes > share * double(available_memory());
}

Index held_at_once(const SurfaceConfig& all, const MirroredWaves& mirrored, const ie::System& system) {
  if (!can_drop_currents(all, system)) return num_right_hand_sides(all);
  const auto c = mirrored.solved_part(all);
  const auto begins = begins_of(c, system);
  Index largest = 0;
  for (std::size_t g = 0; g + 1 < begins.size(); ++g) largest = std::max(largest, begins[g + 1] - begins[g]);
  const auto devices = c.solver.uses_device()
                           ? ie::choose_division(ie::SurfaceEquation(system), c.solver, begins.back()).gpus
                           : 1;
  Index with_images = 0;  // of one group at a time
  if (mirrored.has_images())
    for (std::size_t g = 0; g + 1 < begins.size(); ++g)
      with_images = std::max(with_images, Index(mirrored.waves_of(begins[g], begins[g + 1]).size()));
  return std::min(begins.back(), largest * Index(devices)) + with_images;
}

WaveResults solve_in_groups(const SurfaceConfig& c, const MirroredWaves& mirrored, const ie::System& system,
                            double frequency, const KeptGroups& kept, SurfaceFiles& files,
                            const std::string& advice, run::Run& run) {
  const auto begins = begins_of(mirrored.solved_part(c), system);
  const std::size_t count = begins.size() - 1;
  log::info("waves are solved in {} groups, whose currents are not kept", count);
  const auto numbers_of = [&](std::size_t g) {
    return std::span(mirrored.solved())
        .subspan(std::size_t(begins[g]), std::size_t(begins[g + 1] - begins[g]));
  };
  const auto waves_of = [&](std::size_t g) { return mirrored.waves_of(begins[g], begins[g + 1]); };
  std::vector<ie::GroupReport> reports(count);
  std::vector<WaveResults> results(count);
  std::vector<std::vector<Complex>> x(count);  // of the groups in work
  std::vector<std::size_t> open;
  ie::SolutionGroups groups;
  groups.total = begins.back();
  for (std::size_t g = 0; g < count; ++g) {
    auto known = kept.find_results(g, numbers_of(g));
    auto made = known ? results_in(known->arrays, waves_of(g).size()) : std::nullopt;
    if (made)
      reports[g] = std::move(known->report), results[g] = std::move(*made);
    else
      open.push_back(g), groups.sizes.push_back(Index(numbers_of(g).size()));
  }
  groups.begin = [&](std::size_t i) {
    const std::size_t g = open[i];
    SurfaceSolution part{frequency, system, {}, {}, {}, {}, 0};
    set_right_hand_sides(part_of(c, numbers_of(g)), part);
    x[g] = std::move(part.x);
    return x[g].data();
  };
  groups.end = [&](std::size_t i, const ie::GroupReport& report) {
    const std::size_t g = open[i];
    reports[g] = report;
    const auto waves = waves_of(g);
    const auto printed = std::lower_bound(waves.begin(), waves.end(), most_printed) - waves.begin();
    const auto currents = mirrored.currents_of(begins[g], begins[g + 1], std::exchange(x[g], {}));
    results[g] =
        results_of(part_of(c, waves), system, currents.data(), std::size_t(printed), files, run.device());
    const auto arrays = arrays_of(results[g]);
    if (report.converged()) kept.keep_results(g, numbers_of(g), views_of(arrays), report);
  };
  auto report = ie::solve_groups(ie::SurfaceEquation(system), c.solver, groups);
  report.set_groups(reports);
  state_solve(report, c.solver, frequency, begins.back(), advice, run);
  WaveResults out;
  for (std::size_t g = 0; g < count; ++g) place(waves_of(g), results[g], c.waves.size(), out);
  return out;
}

run::SolvedArrays arrays_of(const WaveResults& r) {
  run::SolvedArrays arrays{{"e_theta", r.far.e_theta}, {"e_phi", r.far.e_phi}};
  for (std::size_t w = 0; w < r.sections.size(); ++w) {
    arrays["ends"].emplace_back(r.back[w], r.forward[w]);
    arrays["sections"].emplace_back(r.sections[w].scattering, r.sections[w].absorption);
    arrays["extinction"].emplace_back(r.sections[w].extinction);
  }
  return arrays;
}

std::optional<WaveResults> results_in(const run::SolvedArrays& arrays, std::size_t waves) {
  const auto of = [&](const char* name) {
    const auto found = arrays.find(name);
    return found == arrays.end() ? std::vector<Complex>() : found->second;
  };
  WaveResults out{{Index(waves), of("e_theta"), of("e_phi")}, {}, {}, {}};
  const auto ends = of("ends"), sections = of("sections"), extinction = of("extinction");
  const bool is_whole = !out.far.e_theta.empty() && out.far.e_theta.size() % waves == 0 &&
                        out.far.e_phi.size() == out.far.e_theta.size() && ends.size() <= waves &&
                        sections.size() == ends.size() && extinction.size() == ends.size();
  if (!is_whole) return std::nullopt;
  for (std::size_t w = 0; w < ends.size(); ++w) {
    out.back.push_back(ends[w].real()), out.forward.push_back(ends[w].imag());
    out.sections.push_back({sections[w].real(), sections[w].imag(), extinction[w].real()});
  }
  return out;
}

}  // namespace curlew::programs
