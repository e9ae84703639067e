// SPDX-License-Identifier: BSD-3-Clause
// ie-solve: scattering and radiation by 3D integral equations.

#include "ie_surface.hpp"
#include "run/run_app.hpp"

namespace {

void solve(const curlew::io::Config& config, curlew::run::Run& run) {
  config.table("formulation").choice("equation", {"efie", "mfie", "cfie"});
  curlew::apps::solve_surface_equation(config, run);
}

}  // namespace

int main(int argc, char** argv) {
  const curlew::run::AppInfo info{
      .name = "ie-solve",
      .summary = "3D surface and volume integral equations: RCS, currents, antenna impedance.",
      .example = "ie-solve configs/pec_sphere.toml --set formulation.equation=efie"};
  return curlew::run::run_app(info, argc, argv, solve);
}
