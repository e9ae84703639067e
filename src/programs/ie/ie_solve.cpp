// SPDX-License-Identifier: BSD-3-Clause
// ie-solve: scattering and radiation by 3D integral equations.

#include "programs/programs.hpp"

#include "ie/model/surface_config.hpp"
#include "io/frequency.hpp"
#include "job/refinement.hpp"
#include "programs/ie/equations.hpp"
#include "run/run_app.hpp"

namespace {

void run_equation(const curlew::io::Config& config, curlew::run::Run& run) {
  const auto equation = curlew::ie::read_equation(config);
  if (equation == "volume" || equation == "film")
    if (const auto adaptive = curlew::io::adaptive_sweep(config, curlew::io::frequencies(config));
        adaptive && adaptive->is_stated)
      config.table("frequency")
          .error("adaptive_tolerance",
                 "is for surface equations: formulation.equation efie, mfie, cfie or auto");
  if (equation == "volume")
    curlew::programs::solve_volume_equation(config, run);
  else if (equation == "film")
    curlew::programs::solve_film_equation(config, run);
  else
    curlew::programs::solve_surface_equation(config, run);
}

}  // namespace

int curlew::programs::ie_solve(int argc, char** argv, const ProcessGroup* processes) {
  const curlew::run::AppInfo info{
      .name = "ie-solve",
      .summary = "3D surface and volume integral equations: RCS, currents, antenna impedance.",
      .example = "ie-solve configs/pec_sphere.toml --set formulation.equation=efie",
      .has_single_precision = true,
      .processes = processes};
  return curlew::run::run_app(info, argc, argv, run_equation);
}
