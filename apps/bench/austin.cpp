// SPDX-License-Identifier: BSD-3-Clause
// em-bench austin: conducting spheres of problem I-A of the Austin RCS benchmarks, 19.2 m in diameter at 10
// MHz times powers of two, by the CFIE: time, memory and the benchmark's own measure of the error beside its
// published rows. The wave comes from theta 90, phi 0; bistatic cut at theta 90, VV and HH, 3601 angles.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "bench/austin_published.hpp"
#include "bench/cases.hpp"
#include "icosphere.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/choose_accuracy.hpp"
#include "ie/surface/surface_equation.hpp"
#include "mie.hpp"

namespace curlew::bench {
namespace {

constexpr double radius = 9.6;
constexpr int num_angles = 3601;
constexpr double dynamic_range = 80;  // [dB] below the greatest value, where the benchmark cuts off
constexpr Index dense_limit = 6000;   // as ie-solve has it

/// The facets' volume is that of the sphere. @param edges per wavelength
ie::Problem sphere_at(double frequency, long edges) {
  const int n = std::max(8, int(std::lround(1.1 * double(edges) * radius * frequency / speed_of_light)));
  auto soup = mesh::icosphere(n, radius);
  ie::Problem p;
  const auto made = [&] {
    return ie::make_surface_mesh("sphere", soup.nodes, soup.triangles,
                                 std::vector<int>(soup.triangles.size(), 0), {"sphere"});
  };
  p.mesh = made();
  const double scale = std::cbrt(4 * pi / 3 * std::pow(radius, 3) / p.mesh.pieces.front().volume);
  for (auto& node : soup.nodes) node = scale * node;
  p.mesh = made();
  p.surfaces.emplace_back();
  p.frequency = frequency;
  p.equation = ie::Equation::cfie;
  return p;
}

std::vector<fields::Direction> cut() {
  std::vector<fields::Direction> out;
  for (int i = 0; i < num_angles; ++i) out.push_back({pi / 2, 2 * pi * i / (num_angles - 1)});
  return out;
}

/// The series in the benchmark's axes: the angle from the direction of travel is 180 degrees - phi; V is
/// across the plane of the cut, H in it. @return [dBsm]
double exact(const test::Mie& mie, double phi, bool vertical) {
  const double from_travel = std::abs(pi - phi);
  return test::dbsm(vertical ? mie.rcs(from_travel, pi / 2).phi : mie.rcs(from_travel, 0).theta);
}

/// Mean of |ours - series| over the angles [dB], both cut off `dynamic_range` below the greatest value.
double mean_error(const Complex* field, const test::Mie& mie, bool vertical) {
  std::vector<double> series;
  for (const auto& d : cut()) series.push_back(exact(mie, d.phi, vertical));
  const double least = *std::max_element(series.begin(), series.end()) - dynamic_range;
  double sum = 0;
  for (std::size_t i = 0; i < series.size(); ++i)
    sum += std::abs(std::max(test::dbsm(4 * pi * std::norm(field[i])), least) - std::max(series[i], least));
  return sum / double(series.size());
}

ie::SolveOptions options_for(Index unknowns, Device device) {
  ie::SolveOptions o;
  o.direct = unknowns <= dense_limit, o.accelerated = !o.direct;
  o.acceleration_tolerance = 1e-3;
  o.preconditioner = ie::Preconditioner::jacobi;
  o.krylov = {
      .method = linalg::KrylovMethod::gmres, .tolerance = 1e-3, .max_iterations = 300, .restart = 100};
  o.device = device, o.gpus = std::max(1, num_devices());
  return o;
}

void solve_row(const AustinRow& published, long edges, Device device, Report& report) {
  Timer whole;
  auto owned = std::make_unique<const ie::System>(sphere_at(published.megahertz * 1e6, edges));
  const auto solver = options_for(owned->num_unknowns(), device);
  const auto accuracy = ie::choose_accuracy(*owned, solver, device_info().free_memory);
  if (accuracy.medium < owned->integrals(0).accuracy().medium) {
    report.note(fmt::format("{:g} MHz: near pairs up to {:g} edges, so that they fit the GPU",
                            published.megahertz, accuracy.medium));
    owned = std::make_unique<const ie::System>(owned->problem(), accuracy);
  }
  const ie::System& system = *owned;
  const std::array<ie::PlaneWave, 2> waves{{{pi / 2, 0, 0}, {pi / 2, 0, pi / 2}}};  // V, H
  std::vector<Complex> x;
  for (const auto& wave : waves) {
    const auto b = ie::right_hand_side(system, wave);
    x.insert(x.end(), b.begin(), b.end());
  }
  const double set_up = whole.seconds();
  const auto solved = ie::solve(ie::SurfaceEquation(system), solver, x, 2);
  log::info("{:g} MHz: {} unknowns, set-up {:.1f} s, {} iterations {:.1f} s", published.megahertz,
            system.num_unknowns(), set_up + solved.fill_seconds, solved.iterations, solved.solve_seconds);
  Timer results;
  const ie::FarFields fields(system, device);
  const auto far = fields.pattern(x.data(), 2, cut());
  const test::Mie mie(test::conducting_sphere(radius), system.scene().regions[0].k.real());
  const double error_vv = mean_error(far.e_theta.data(), mie, true),
               error_hh = mean_error(far.e_phi.data() + num_angles, mie, false);
  log::info("VV {:.3f} dB, HH {:.3f} dB; far fields {:.1f} s", error_vv, error_hh, results.seconds());
  const auto sections = ie::cross_sections(system, fields, x.data(), waves);
  const double seconds = results.seconds();
  const double total = whole.seconds();
  report.row({fmt::format("{:g} MHz, {:.2f} wavelengths", published.megahertz,
                          2 * radius * published.megahertz * 1e6 / speed_of_light),
              long(system.num_unknowns()), set_up + solved.fill_seconds, solved.solve_seconds,
              fmt::format("{}", solved.iterations), seconds, total, 1e-9 * double(peak_memory()),
              1e-9 * double(solved.bytes), error_vv, error_hh, sections[0].imbalance(), solved.gpus,
              published.error_vv, published.error_hh,
              fmt::format("{:g} ({})", published.efficient_seconds, published.efficient_processes),
              fmt::format("{:g} ({})", published.fast_seconds, published.fast_processes)});
  if (!solved.converged) report.note("the iteration did not converge");
}

}  // namespace

void austin(const Options& options, Report& report) {
  const double most = options.device == Device::cuda ? 640 : 40;  // without --case
  bool begun = false;
  for (const AustinRow& row : austin_rows) {
    if (options.case_name.empty() ? row.megahertz > most
                                  : options.case_name != fmt::format("{:g}", row.megahertz))
      continue;
    if (!begun)
      report.table(
          "Conducting sphere of 19.2 m, both polarisations, CFIE to 1e-3, compared with the published AIM",
          {"case", "unknowns", "set-up s", "solution s", "iterations", "results s", "total s", "host GB",
           "operator GB", "VV dB", "HH dB", "imbalance", "GPUs", "published VV dB", "published HH dB",
           "published s (processes)", "published fast s (processes)"});
    begun = true;
    check_interrupt();
    solve_row(row, options.size > 0 ? options.size : 10, options.device, report);
  }
}

}  // namespace curlew::bench
