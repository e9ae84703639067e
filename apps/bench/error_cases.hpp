// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems with known answers, solved with their error bars: is the true error within the bar, and how wide
// is the bar?

#include <functional>
#include <string>
#include <vector>

namespace curlew::bench {

/// One printed quantity: its distance from the exact value and its bar, both absolute or both relative.
struct BarredResult {
  std::string quantity;
  double error, bar;
};

struct ErrorCase {
  std::string name;
  int order;
  bool quick;  ///< one of the few that a test runs
  std::function<std::vector<BarredResult>()> solve;
};

/// S of a rectangular guide with a dielectric slab, against transmission-line theory.
std::vector<ErrorCase> guide_cases();
/// S of a guide with an iris, thick and thin, against mode matching.
std::vector<ErrorCase> iris_cases();
/// S of steps of a guide's width against mode matching; of H-plane tees and bends against their modes; of
/// very lossy blocks in a guide against transmission-line theory.
std::vector<ErrorCase> step_cases();
std::vector<ErrorCase> tee_cases();
std::vector<ErrorCase> block_cases();
/// S of periodic cells with a slab at oblique incidence, against Airy's sums.
std::vector<ErrorCase> cell_cases();
/// S of parallel plates with a slab between lumped ports, against chain matrices.
std::vector<ErrorCase> lumped_cases();
/// S of a parallel-plate line with a lossy slab and of a coaxial line, the same.
std::vector<ErrorCase> line_cases();
/// Resonances of a box and of a sphere, straight and curved, against closed forms.
std::vector<ErrorCase> cavity_cases();
/// Far fields of metal and dielectric spheres, straight and curved, against Mie's series.
std::vector<ErrorCase> sphere_cases();
/// Spheres by surface equations, against Mie's series; a strip dipole and a plate against their limit.
std::vector<ErrorCase> surface_cases();
/// Dielectric balls by the volume equation, against Mie's series.
std::vector<ErrorCase> volume_cases();
/// Circular cylinders by mom2d, against their series.
std::vector<ErrorCase> contour_cases();

}  // namespace curlew::bench
