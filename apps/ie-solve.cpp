// SPDX-License-Identifier: BSD-3-Clause
// ie-solve: scattering and radiation by 3D integral equations.

#include "ie_films.hpp"
#include "ie_surface.hpp"
#include "ie_volume.hpp"
#include "run/run_app.hpp"

namespace {

void solve(const curlew::io::Config& config, curlew::run::Run& run) {
  const auto equation =
      config.table("formulation").choice("equation", {"efie", "mfie", "cfie", "film", "volume"});
  if (equation == "volume")
    curlew::apps::solve_volume_equation(config, run);
  else if (equation == "film")
    curlew::apps::solve_film_equation(config, run);
  else
    curlew::apps::solve_surface_equation(config, run);
}

}  // namespace

int main(int argc, char** argv) {
  const curlew::run::AppInfo info{
      .name = "ie-solve",
      .summary = "3D surface and volume integral equations: RCS, currents, antenna impedance.",
      .example = "ie-solve configs/pec_sphere.toml --set formulation.equation=efie",
      .has_single_precision = true};
  return curlew::run::run_app(info, argc, argv, solve);
}
