// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/received.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/open/total_scattered_source.hpp"
#include "fem/setup/cut_ports.hpp"

namespace curlew::fem {
bool ReceivedSources::has_waves() const {
  return std::any_of(excitations.begin(), excitations.end(), [](const auto& e) { return e.wave; });
}

ReceivedSources read_received(const io::Config& config, MaxwellSetup& setup) {
  ReceivedSources sources{read_excitations(config, setup.mesh), {}};
  auto& excitations = sources.excitations;
  check_excitations(config, excitations, setup.model, setup.mesh);
  if (sources.has_waves() && !setup.symmetry.planes.empty())
    config.error("symmetry", "plane waves with [[port]] tables need the full body: leave out [[symmetry]]");
  if (!excitations.empty()) require_stated_planes(config, setup);
  apply_symmetry(config, setup.symmetry, setup.mesh, excitations);
  for (const auto& e : excitations)
    if (e.formulation == Formulation::scattered)
      config.error("excitation",
                   "formulation = \"scattered\" is for problems without [[port]]: take \"total\"");
  if (excitations.empty()) return sources;
  if (!setup.model.periodicity.empty())
    config.error("excitation",
                 "the incident wave of [[periodic]] faces is a [[port]] with type = \"floquet\"");
  if (!sources.has_waves()) return sources;
  FarFieldRequest request;
  choose_surface(request, setup.model, setup.mesh, setup.topology);
  sources.entrance = request.surface;
  return sources;
}

Receiver::Receiver(const ReceivedSources& sources, const DrivenProblem& problem)
    : sources_(sources), problem_(problem) {
  if (sources.has_waves())
    surface_ = make_radiating_surface(problem.space(), problem.model(), sources.entrance);
}

std::vector<Complex> Receiver::loads(double frequency) const {
  const auto& space = problem_.space();
  std::vector<Complex> all;
  for (const auto& e : sources_.excitations) {
    std::vector<Complex> b(std::size_t(space.num_dofs()));
    if (e.wave) {
      b = wave_load(space, *surface_, incident_field(e, wavenumber(frequency)), wavenumber(frequency));
    } else {
      add_current_load(space, e, b.data());
      for (Complex& value : b) value *= Complex(0, -2 * pi * frequency * vacuum_permeability);
    }
    all.insert(all.end(), b.begin(), b.end());
  }
  return all;
}

void Receiver::show(const DrivenSolution& solution, const std::function<void(const Shown&)>& take) const {
  const double k0 = wavenumber(solution.frequency);
  const auto n = std::size_t(problem_.space().num_dofs());
  for (std::size_t i = 0; i < sources_.excitations.size(); ++i) {
    const auto& e = sources_.excitations[i];
    std::vector<Complex> x(&solution.source_x[i * n], &solution.source_x[i * n] + n);
    Shown shown{.label = e.label, .suffix = fmt::format("_source{}", i + 1), .in_fields = false};
    if (e.wave) {
      shown.beyond = incident_field(e, k0);
      const auto trace = wave_trace(problem_.space(), *surface_, shown.beyond);
      for (std::size_t d = 0; d < n; ++d) x[d] += trace[d];
      shown.wave = &e;
      // The scattered field is the total one without the wave.
      shown.far_known = [wave = shown.beyond](Vec3<double> at) {
        return KnownField{-wave(at).e, -wave(at).curl};
      };
    }
    shown.x = x.data();
    take(shown);
  }
}

}  // namespace curlew::fem
