// SPDX-License-Identifier: BSD-3-Clause
// fem-assemble: the finite element system of a config as system.h5 and, if requested, as MatrixMarket text.

#include "programs/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fem/driven/driven_options.hpp"
#include "fem/model/split_surfaces.hpp"
#include "fem/output/system_file.hpp"
#include "fem/system/boundary_conditions.hpp"
#include "fem/system/system_matrix.hpp"
#include "io/csv.hpp"
#include "io/frequency.hpp"
#include "io/provenance.hpp"
#include "linalg/matrix_market.hpp"
#include "linalg/sparse/pattern.hpp"
#include "programs/fem/analyses.hpp"
#include "run/mesh_input.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

/// A driven problem's system: the first mode of every port is matched exactly, the excited ones drive.
fem::System driven_system(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                          const fem::DrivenOptions& options, double frequency) {
  fem::DrivenProblem problem(mesh, topology, model, options);
  fem::System system;
  system.a = problem.create_matrix();
  problem.assemble(frequency, system.a, fem::PortReference::first_mode);
  system.block_offsets = problem.block_offsets();
  const auto states = problem.mode_states(frequency);
  const auto loads = problem.loads(frequency);
  const auto n = std::size_t(problem.num_unknowns());
  for (std::size_t i = 0; i < problem.all_modes().size(); ++i) {
    if (problem.all_modes()[i].mode > 0) continue;
    for (std::size_t d = 0; d < n; ++d)
      system.rhs.push_back(2.0 * states[i].admittance * states[i].feed.incident * loads[i * n + d]);
    ++system.num_rhs;
  }
  return system;
}

/// A problem without ports: K - k0² M and the boundary terms.
fem::System portless_system(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                            double frequency) {
  const auto space =
      fem::make_space(mesh, topology, model.order, fem::pec_triangles(model, mesh), model.cell_orders);
  const fem::SystemMatrix terms(space, model);
  fem::require_first_order(model, "a system without sources");
  fem::System system;
  system.a = terms.create();
  terms.assemble(frequency, {}, system.a);
  system.block_offsets = space.block_offsets;
  return system;
}

void print_blocks(const fem::System& system, run::Run& run) {
  run.table("blocks of the matrix, by the orders that add their rows and columns",
            {"block", "rows", "columns", "nonzeros", "per row", "longest row"});
  for (const auto& b : fem::block_table(system))
    run.row({b.name, fmt::format("{}", b.rows), fmt::format("{}", b.columns), fmt::format("{}", b.nnz),
             fmt::format("{:.1f}", double(b.nnz) / std::max<Index>(b.rows, 1)),
             fmt::format("{}", b.longest_row)});
  run.row({"A", fmt::format("{}", system.a.num_rows), fmt::format("{}", system.a.num_cols),
           fmt::format("{}", system.a.nnz()),
           fmt::format("{:.1f}", double(system.a.nnz()) / system.a.num_rows), ""});
}

/// Statistics of the matrix, and pattern.csv: number of entries in each tile of a grid over it.
void tell_pattern(const linalg::Csr<Complex>& a, run::Run& run) {
  const auto f = linalg::pattern_figures(a);
  run.table("pattern", {"bandwidth", "density", "entries per row", "standard deviation", "longest row"});
  run.row({fmt::format("{}", f.bandwidth), fmt::format("{:.3g} %", 100 * f.density),
           fmt::format("{:.3f}", f.per_row), fmt::format("{:.3f}", f.deviation),
           fmt::format("{}", f.longest_row)});
  run.size("bandwidth", f.bandwidth);
  constexpr Index side = 200;
  io::CsvWriter csv(run.output("pattern.csv"), io::provenance_lines(run.provenance()),
                    {"row", "column", "entries"});
  for (const auto& tile : linalg::pattern_picture(a, side))
    csv.row({int(tile.row), int(tile.column), long(tile.entries)});
  csv.close();
}

std::optional<fem::System> assemble_maxwell(const io::Config& config, run::Run& run) {
  const double frequency = io::frequencies(config)[0];
  const auto options = fem::read_driven_options(config);
  mesh::Mesh mesh = run::load_mesh(config, run);
  fem::grow_layers(config, mesh);
  fem::split_surfaces(config, mesh);
  auto periodicity = fem::read_periodicity(config, mesh);
  const mesh::Topology topology = mesh::build_topology(mesh);
  const fem::Model model = fem::read_model(config, mesh, topology, {}, std::move(periodicity));
  config.allow({"accuracy", "analysis", "output", "symmetry"});
  config.check_unknown_keys();
  if (model.ports.empty() && !model.periodicity.empty())
    config.error("periodic", "periodic faces without a [[port]] are for eigenproblems of fem-solve");
  if (run.dry_run()) return std::nullopt;
  const bool more_modes = std::any_of(model.ports.begin(), model.ports.end(),
                                      [](const auto& p) { return p.kind->has_dense_term(); });
  if (more_modes)
    run.warn(
        "system.h5 terminates every port by a sheet with the admittance of its first mode, since the exact "
        "terms "
        "are dense: it is the system of fem-solve if all ports are waveguide or Floquet ports with modes = 1 "
        "and "
        "absorbed_modes = 0");
  const auto timer = run.stage("assembly");
  fem::System system = model.ports.empty() ? portless_system(mesh, topology, model, frequency)
                                           : driven_system(mesh, topology, model, options, frequency);
  system.frequency = frequency;
  return system;
}

void assemble(const io::Config& config, run::Run& run) {
  config.table("frequency")
      .allow({"adaptive_tolerance", "max_solutions"});  // how fem-solve continues from one
  const auto assembled = io::has_sound(config)      ? programs::assemble_acoustics(config, run)
                         : config.has("excitation") ? programs::assemble_open(config, run)
                                                    : assemble_maxwell(config, run);
  if (!assembled) return;
  const fem::System& system = *assembled;
  run.size("unknowns", system.a.num_rows);
  run.size("nonzeros", long(system.a.nnz()));
  print_blocks(system, run);
  tell_pattern(system.a, run);
  if (run.flag("info")) return;
  const auto timer = run.stage("writing");
  fem::write_system(run.output("system.h5"), system, run.provenance());
  if (run.flag("matrix-market"))
    linalg::write_matrix_market(run.output("system.mtx"), system.a, "fem-assemble");
}

}  // namespace

int curlew::programs::fem_assemble(int argc, char** argv) {
  run::AppInfo info{.name = "fem-assemble",
                    .summary = "Finite element system of a config, at its first frequency, as system.h5.",
                    .example = "fem-assemble configs/iris.toml --output results/iris-system"};
  info.options = {{"--matrix-market", "write system.mtx as well"},
                  {"--info", "print the blocks and the pattern, write pattern.csv but no system"}};
  return run::run_app(info, argc, argv, assemble);
}
