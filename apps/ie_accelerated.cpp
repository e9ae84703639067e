// SPDX-License-Identifier: BSD-3-Clause
#include "ie_accelerated.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "fields/far_field.hpp"
#include "ie/volume/dispersion.hpp"
#include "io/ranges.hpp"
#include "run/mesh_input.hpp"

namespace curlew::apps {
namespace {

/// What one dispersive model adds to the permittivity.
std::function<Complex(double)> read_pole(const io::Config& t) {
  const std::string type = t.choice("type", {"drude", "lorentz", "debye"});
  if (type == "drude") {
    const double plasma = t.positive("plasma_frequency"), collisions = t.positive("collision_frequency");
    return [=](double f) { return ie::drude_permittivity(f, 0, plasma, collisions); };
  }
  const double delta = t.positive("delta_epsilon");
  if (type == "lorentz") {
    const double resonance = t.positive("resonance_frequency"), damping = t.positive("linewidth");
    return [=](double f) { return ie::lorentz_permittivity(f, 0, delta, resonance, damping); };
  }
  const double time = t.positive("relaxation_time");
  return [=](double f) { return ie::debye_permittivity(f, 0, delta, time); };
}

void read_solver(const io::Config& config, AcceleratedConfig& c) {
  const io::Config t = config.table("solver");
  const auto method =
      t.choice_or("method", {"tfqmr", "gmres", "bicgstab", "bicgstabl", "cocg", "cocr", "direct"}, "tfqmr");
  const io::Config a = config.table("acceleration");
  const auto type = a.choice_or("type", {"none", "ngim", "auto"}, "auto");
  if (method == "direct" && type == "ngim")
    a.error("type", "\"ngim\" is for iterative solvers: method = \"tfqmr\", \"gmres\" or \"bicgstab\"");
  if (method == "direct" || type == "none") c.method = ie::Method::dense;
  if (type == "ngim") c.method = ie::Method::accelerated;
  c.options.acceleration.tolerance = a.positive_or("tolerance", 1e-3);
  const double accuracy =
      a.positive_or("integration_accuracy", std::max(1e-3, c.options.acceleration.tolerance));
  try {
    c.options.acceleration.integration = ie::integration_for(accuracy);
  } catch (const InputError& e) {
    a.error("integration_accuracy", e.what());
  }
  auto& k = c.options.krylov;
  if (method != "direct") k.method = linalg::krylov_method_from(method);
  k.tolerance = t.positive_or("tolerance", 1e-4);
  k.max_iterations = t.integer_in_or("max_iterations", 1, 1000000, 1000);
  k.restart = t.integer_in_or("restart", 1, 500, 100);
  k.shadow = t.choice_or("shadow", {"residual", "random"}, "residual") == "random" ? linalg::Shadow::random
                                                                                   : linalg::Shadow::residual;
  const auto preconditioner = t.choice_or("preconditioner", {"none", "jacobi", "charges"}, "jacobi");
  c.options.preconditioner = preconditioner == "none"     ? ie::Preconditioner::none
                             : preconditioner == "jacobi" ? ie::Preconditioner::jacobi
                                                          : ie::Preconditioner::charges;
  c.options.charge_steps = t.integer_in_or("preconditioner_steps", 1, 1000, c.options.charge_steps);
}

std::vector<double> angles(const io::Config& table, std::string_view key, std::vector<double> fallback) {
  if (table.has(key)) return io::linear_range(table, key);
  const double last = fallback.back(), count = double(fallback.size());
  table.get_or<std::vector<double>>(key, {fallback.front(), last, count});
  return fallback;
}

}  // namespace

AcceleratedConfig read_accelerated_config(const io::Config& config, run::Run& run) {
  AcceleratedConfig c;
  config.get_or<std::string>("title", "");
  c.frequencies = io::frequency_list(config.table("frequency"));
  const auto excitation = config.table("excitation");
  excitation.choice_or("type", {"plane_wave"}, "plane_wave");
  c.waves = read_waves(excitation);
  read_solver(config, c);
  c.options.device = run.device();
  const io::Config output = config.table("output");
  c.fields = output.get_or<bool>("fields", true);
  const io::Config pattern = output.table("far_field");
  c.theta_deg = angles(pattern, "theta", io::linspace(0, 180, 181));
  c.phi_deg = angles(pattern, "phi", {0.0});
  c.near_fields = io::read_near_fields(config, run::length_unit(config));
  return c;
}

Permittivity read_permittivity(const io::Config& t) {
  if (t.get_or<Complex>("mu_r", 1.0) != 1.0) t.error("mu_r", "this equation is for dielectrics: mu_r = 1");
  std::vector<Permittivity> poles;
  for (const auto& pole : t.tables("model")) poles.push_back(read_pole(pole));
  const auto epsilon = poles.empty() ? t.get<Complex>("epsilon_r") : t.get_or<Complex>("epsilon_r", 1.0);
  const double tangent = t.get_or<double>("loss_tangent", 0),
               conductivity = t.get_or<double>("conductivity", 0);
  if (tangent < 0) t.error("loss_tangent", "loss_tangent must not be negative");
  if (conductivity < 0) t.error("conductivity", "conductivity must not be negative");
  return [=](double f) {
    Complex sum =
        epsilon - Complex(0, tangent * epsilon.real() + conductivity / (2 * pi * f * vacuum_permittivity));
    for (const auto& pole : poles) sum += pole(f);
    return sum;
  };
}

}  // namespace curlew::apps
