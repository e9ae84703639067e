// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/accelerated.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fields/far_field.hpp"
#include "io/ranges.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

void read_solver(const io::Config& config, AcceleratedConfig& c) {
  const io::Config t = config.table("solver");
  const auto method =
      t.choice_or("method", {"tfqmr", "gmres", "bicgstab", "bicgstabl", "cocg", "cocr", "direct"}, "tfqmr");
  const io::Config a = config.table("acceleration");
  const auto type = a.choice_or("type", {"none", "ngim", "auto"}, "auto");
  if (method == "direct" && type == "ngim")
    a.error("type", "\"ngim\" is for iterative solvers: method = \"tfqmr\", \"gmres\" or \"bicgstab\"");
  if (method == "direct" || type == "none") c.direct = true;
  if (type == "ngim") c.direct = false;
  c.options.acceleration_tolerance = a.positive_or("tolerance", 1e-3);
  a.require(c.options.acceleration_tolerance < 1, "tolerance", "tolerance must be less than 1");
  const double accuracy =
      a.positive_or("integration_accuracy", std::max(1e-3, c.options.acceleration_tolerance));
  try {
    c.integration = ie::integration_for(accuracy);
  } catch (const InputError& e) {
    a.error("integration_accuracy", e.what());
  }
  auto& k = c.options.krylov;
  if (method != "direct") k.method = linalg::krylov_method_from(method);
  k.tolerance = t.positive_or("tolerance", 1e-4);
  t.require(k.tolerance < 1, "tolerance", "tolerance must be less than 1");
  k.max_iterations = t.integer_in_or("max_iterations", 1, 1000000, 1000);
  k.restart = t.integer_in_or("restart", 1, 500, 100);
  k.shadow = t.choice_or("shadow", {"residual", "random"}, "residual") == "random" ? linalg::Shadow::random
                                                                                   : linalg::Shadow::residual;
  const auto preconditioner = t.choice_or("preconditioner", {"none", "jacobi", "charges"}, "jacobi");
  c.options.preconditioner = preconditioner == "none"     ? ie::Preconditioner::none
                             : preconditioner == "jacobi" ? ie::Preconditioner::jacobi
                                                          : ie::Preconditioner::charges;
  c.charge_steps = t.integer_in_or("preconditioner_steps", 1, 1000, c.charge_steps);
  c.options.accelerated = true, c.options.recycled_starts = 0;
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
  io::require_directions(pattern, c.theta_deg.size(), c.phi_deg.size());
  c.near_fields = io::read_near_fields(config, run::length_unit(config));
  return c;
}

}  // namespace curlew::programs
