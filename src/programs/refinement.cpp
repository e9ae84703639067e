// SPDX-License-Identifier: BSD-3-Clause
#include "programs/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "io/ranges.hpp"
#include "mesh/bisect.hpp"
#include "mesh/refined_sizes.hpp"
#include "mesh/size_field.hpp"
#include "run/failure.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::programs {
namespace {

namespace fs = std::filesystem;

/// Cells of a pass over those of the one before: all passes together then cost about twice the last one.
constexpr double growth = 2;
/// Less is not worth a pass.
constexpr double least_growth = 1.2;

std::string kept_path(run::Run& run) {
  return (fs::path(run.output_path()) / "refinement.h5").string();
}

/// What the table says of a pass, and what the next one is compared with.
struct Row {
  long cells = 0, unknowns = 0;
  std::vector<Pass::Quantity> quantities;
  std::vector<double> changes;  ///< of each quantity, as the tolerance counts; empty in the first pass

  std::optional<double> change() const {
    if (changes.empty()) return std::nullopt;
    return *std::max_element(changes.begin(), changes.end());
  }
  std::optional<double> estimate() const {
    std::optional<double> greatest;
    for (const auto& q : quantities)
      if (q.estimate) greatest = std::max(greatest.value_or(0), *q.estimate);
    return greatest;
  }
};

std::vector<Complex> values_of(const Row& row) {
  std::vector<Complex> values;
  for (const auto& q : row.quantities) values.push_back(q.value);
  return values;
}

/// The passes done, and the mesh that the next one is made from.
struct Passes {
  std::vector<Row> rows;
  mesh::SizeField field;
  bool done = false;
};

void add(Passes& passes, long cells, const Pass& pass, Target target) {
  Row row{cells, pass.unknowns, pass.quantities, {}};
  if (!passes.rows.empty()) {
    const auto& last = passes.rows.back().quantities;
    if (last.size() != row.quantities.size())
      throw NumericalError("refinement: another mesh has other results");
    for (std::size_t i = 0; i < last.size(); ++i) {
      const Complex value = row.quantities[i].value;
      row.changes.push_back(
          std::abs(value - last[i].value) /
          (target == Target::scattering ? 1 : std::max(std::abs(value), row.quantities[i].least)));
    }
  }
  passes.rows.push_back(std::move(row));
}

/// What refinement.h5 says of the passes, as arrays.
struct Kept {
  std::vector<std::int64_t> sizes;  ///< cells and unknowns of each pass (pass, 2)
  std::vector<Complex> values;      ///< (pass, quantity)
  std::vector<double> estimates;    ///< -1 for none (pass, quantity)
  std::vector<double> least;        ///< sizes that are rounding (pass, quantity)
  std::vector<std::string> names;   ///< of the quantities
};

Kept kept_of(const Passes& passes) {
  Kept kept;
  for (const Row& row : passes.rows) {
    kept.sizes.insert(kept.sizes.end(), {row.cells, row.unknowns});
    for (const auto& q : row.quantities) {
      kept.values.push_back(q.value), kept.estimates.push_back(q.estimate.value_or(-1));
      kept.least.push_back(q.least);
      if (&row == &passes.rows.front()) kept.names.push_back(q.name);
    }
  }
  return kept;
}

/// Of what the next mesh and the changes are made from.
std::string checksum(const Kept& kept, const mesh::SizeField& field, bool done) {
  std::string sums = done ? "done" : "open";
  const auto add = [&](const auto& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    sums += " " + run::hash_text({bytes, values.size() * sizeof(values[0])});
  };
  add(kept.sizes), add(kept.values), add(kept.estimates), add(kept.least);
  add(field.sizes), add(field.mesh.nodes), add(field.mesh.cells), add(field.mesh.triangles);
  for (const auto& name : kept.names) sums += " " + name;
  return run::hash_text(sums);
}

void keep(const Passes& passes, run::Run& run) {
  io::AtomicFile place(kept_path(run));
  auto file = io::H5File::create(place.part());
  const Kept kept = kept_of(passes);
  file.set_attribute("inputs", run::identity_of(run));
  file.set_attribute("done", std::int64_t(passes.done));
  file.set_attribute("checksum", checksum(kept, passes.field, passes.done));
  mesh::write_size_field(passes.field, file);
  const std::uint64_t count = passes.rows.size(), each = kept.names.size();
  file.write("sizes", kept.sizes, {"1", "cells and unknowns of each pass (pass, 2)"}, {count, 2});
  file.write("values", kept.values, {"1", "quantities of each pass (pass, quantity)"}, {count, each});
  file.write("estimates", kept.estimates, {"1", "their estimated errors, -1 for none (pass, quantity)"},
             {count, each});
  file.write("least", kept.least, {"1", "sizes that are rounding (pass, quantity)"}, {count, each});
  std::string names;
  for (const auto& name : kept.names) names += name + "\n";
  file.write_string("names", names, "of the quantities, one on a line");
  file.close();
  place.commit();
}

/// @throws InputError if it is not what keep wrote
std::optional<Passes> read_kept(run::Run& run, Target target) {
  const std::string path = kept_path(run);
  const auto file = io::H5File::open(path);
  if (file.string_attribute("inputs") != run::identity_of(run)) return std::nullopt;
  Passes passes{{}, mesh::read_size_field(path), file.number_attribute("done") != 0};
  Kept kept{file.read<std::int64_t>("sizes"),
            file.read<Complex>("values"),
            file.read<double>("estimates"),
            file.read<double>("least"),
            {}};
  std::istringstream lines(file.read_string("names"));
  for (std::string name; std::getline(lines, name);) kept.names.push_back(name);
  const std::size_t count = kept.sizes.size() / 2, each = kept.names.size();
  if (count == 0 || each == 0 || kept.values.size() != count * each ||
      kept.estimates.size() != count * each || kept.least.size() != count * each ||
      file.string_attribute("checksum") != checksum(kept, passes.field, passes.done))
    throw InputError(path + ": its values have changed since they were written");
  for (std::size_t p = 0; p < count; ++p) {
    Pass pass;
    pass.unknowns = long(kept.sizes[2 * p + 1]);
    for (std::size_t i = 0; i < each; ++i) {
      const double estimate = kept.estimates[p * each + i];
      pass.quantities.push_back({kept.names[i], kept.values[p * each + i],
                                 estimate < 0 ? std::nullopt : std::optional(estimate),
                                 kept.least[p * each + i]});
    }
    add(passes, long(kept.sizes[2 * p]), pass, target);
  }
  log::info("{} passes were done before: {}", passes.rows.size(), path);
  return passes;
}

/// What an interrupted run has kept; nothing of a file that is damaged.
std::optional<Passes> find(run::Run& run, Target target) {
  if (!run.resume() || !fs::exists(kept_path(run))) return std::nullopt;
  try {
    return read_kept(run, target);
  } catch (const InputError& e) {
    log::warn("{}: the passes begin again", e.what());
    return std::nullopt;
  }
}

/// The mesh that kept sizes ask for: of the geometry, where there is none of the triangles.
mesh::Mesh next_mesh(const Refinement& refinement, const io::Config& config, const mesh::SizeField& field,
                     run::Run& run) {
  if (run::is_geometry(config)) return run::remesh(config, run, kept_path(run), refinement.use);
  mesh::Mesh mesh = mesh::bisected(field);
  run.size("triangles", mesh.num_triangles());
  run.size("nodes", long(mesh.nodes.size()));
  return mesh;
}

std::string shown(const std::optional<double>& number) {
  return number ? fmt::format("{:.2e}", *number) : "-";
}

/// passes.csv, the table and the summary.
void write_passes(const std::vector<Row>& rows, run::Run& run) {
  io::CsvWriter csv(
      run.output("passes.csv"), io::provenance_lines(run.provenance()),
      {"pass", "cells", "unknowns", "quantity", "re_value", "im_value", "change", "estimated_error"});
  run.table("adaptive passes",
            {"pass", "cells", "unknowns", rows[0].quantities[0].name, "change", "estimated error"});
  const auto cell = [](const std::optional<double>& number) {
    return number ? io::Cell(*number) : io::Cell("");
  };
  for (std::size_t p = 0; p < rows.size(); ++p) {
    const Row& row = rows[p];
    for (std::size_t i = 0; i < row.quantities.size(); ++i) {
      const auto& q = row.quantities[i];
      csv.row({long(p + 1), row.cells, row.unknowns, q.name, q.value.real(), q.value.imag(),
               cell(row.changes.empty() ? std::nullopt : std::optional(row.changes[i])), cell(q.estimate)});
    }
    const Complex first = row.quantities[0].value;
    run.row({fmt::format("{}", p + 1), fmt::format("{}", row.cells), fmt::format("{}", row.unknowns),
             first.imag() == 0 ? fmt::format("{:.9g}", first.real())
                               : fmt::format("{:.5f} {:+.5f}j", first.real(), first.imag()),
             shown(row.change()), shown(row.estimate())});
  }
  csv.close();
}

void state_vanishing(const Row& row, run::Run& run) {
  for (const auto& q : row.quantities)
    if (std::abs(q.value) < q.least)
      run.warn(fmt::format(
          "refinement: {} is {:.1e}, less than the {:.1e} that rounding leaves: it vanishes, and no mesh "
          "makes it more accurate",
          q.name, std::abs(q.value), q.least));
}

bool is_below(const std::optional<double>& number, double tolerance) {
  return number && *number < tolerance;
}

/// By change and estimate; without an estimate by two changes.
bool has_converged(const std::vector<Row>& rows, double tolerance) {
  if (!is_below(rows.back().change(), tolerance)) return false;
  return rows.back().estimate() ? is_below(rows.back().estimate(), tolerance)
                                : is_below(rows[rows.size() - 2].change(), tolerance);
}

Target target_of(const std::string& word) {
  return word == "rcs"         ? Target::rcs
         : word == "gain"      ? Target::gain
         : word == "impedance" ? Target::impedance
         : word == "frequency" ? Target::frequency
                               : Target::scattering;
}

Target read_target(const io::Config& table, RefinedProblem problem, bool has_ports) {
  if (problem == RefinedProblem::truncated)
    return target_of(table.choice_or("target", {"S", "impedance", "rcs", "gain"}, "S"));
  if (problem == RefinedProblem::surfaces)
    return target_of(
        table.choice_or("target", {"rcs", "impedance", "gain"}, has_ports ? "impedance" : "rcs"));
  const bool are_modes = problem == RefinedProblem::modes;
  const auto word = table.choice_or("target", {"S", "impedance", "frequency"}, are_modes ? "frequency" : "S");
  table.require((word == "frequency") == are_modes, "target",
                are_modes ? "modes have target = \"frequency\""
                          : "target = \"frequency\" is for [analysis] type = \"eigen\": take \"S\" or "
                            "\"impedance\"");
  return target_of(word);
}

}  // namespace

std::optional<Refinement> read_refinement(const io::Config& config, RefinedProblem problem) {
  if (!config.has("refinement")) return std::nullopt;
  const io::Config table = config.table("refinement");
  Refinement refinement;
  refinement.tolerance = table.positive("tolerance");
  table.require(refinement.tolerance < 1, "tolerance", "tolerance must be less than 1");
  const bool are_modes = problem == RefinedProblem::modes;
  if (problem == RefinedProblem::surfaces) refinement.use = mesh::MeshUse::surfaces;
  refinement.target = read_target(table, problem, config.has("port"));
  refinement.strict = table.get_or("strict", false);
  refinement.max_passes = table.integer_in_or("max_passes", 2, 100, refinement.max_passes);
  refinement.max_unknowns =
      table.integer_in_or("max_unknowns", 1000, 2'000'000'000, int(refinement.max_unknowns));
  if (!are_modes) {
    refinement.frequencies = table.has("frequencies")
                                 ? io::frequency_list(table, "frequencies")
                                 : std::vector{io::frequency_list(config.table("frequency")).back()};
  }
  if (!run::is_geometry(config) && problem != RefinedProblem::surfaces)
    config.table("mesh").error("file", "[refinement] needs a geometry (.geo, .step, .brep) to mesh again");
  if (config.has("periodic") && problem != RefinedProblem::driven)
    config.error("refinement", "meshes of [[periodic]] faces are refined for S alone, of ports in fem-solve");
  return refinement;
}

mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run) {
  Passes passes;
  mesh::Mesh mesh = std::move(first);
  if (auto kept = find(run, refinement.target)) {
    passes = std::move(*kept);
    mesh = passes.done ? passes.field.mesh : next_mesh(refinement, config, passes.field, run);
  } else {
    forget_refinement(run);
  }
  std::string why;
  while (!passes.done) {
    Pass pass;
    {
      const auto timer = run.stage("passes");
      pass = solve(mesh, passes.rows.empty() ? std::vector<Complex>{} : values_of(passes.rows.back()));
    }
    const Index elements = mesh::num_elements(mesh, refinement.use);
    add(passes, elements, pass, refinement.target);
    const Row& row = passes.rows.back();
    log::info("pass {}: {} cells, {} unknowns, change {}, estimated error {}", passes.rows.size(), row.cells,
              row.unknowns, shown(row.change()), shown(row.estimate()));
    const double room = double(refinement.max_unknowns) / double(row.unknowns);
    if (has_converged(passes.rows, refinement.tolerance))
      passes.done = true;
    else if (int(passes.rows.size()) == refinement.max_passes)
      passes.done = true, why = fmt::format("max_passes = {}", refinement.max_passes);
    else if (room < least_growth)
      passes.done = true, why = fmt::format("max_unknowns = {}", refinement.max_unknowns);
    pass.errors.resize(std::size_t(elements));  // without the layers that the config grows
    passes.field = {mesh, mesh::refined_sizes(mesh, pass.errors, std::min(growth, room), refinement.use),
                    refinement.use};
    keep(passes, run);
    if (!passes.done) mesh = next_mesh(refinement, config, passes.field, run);
  }
  write_passes(passes.rows, run);
  const Row& last = passes.rows.back();
  state_vanishing(last, run);
  run::Value& results = run.results()["refinement"];
  results["passes"] = passes.rows.size();
  results["converged"] = has_converged(passes.rows, refinement.tolerance);
  if (const auto change = last.change()) results["change"] = *change;
  if (const auto estimate = last.estimate()) results["estimated_error"] = *estimate;
  if (has_converged(passes.rows, refinement.tolerance)) return mesh;
  const auto text =
      fmt::format("refinement: change {} and estimated error {} after {} passes, {} asked: raise {}",
                  shown(last.change()), shown(last.estimate()), passes.rows.size(), refinement.tolerance,
                  why.empty() ? "max_passes or max_unknowns" : why);
  refinement.strict ? run::fail_after_writing(run, text) : run.warn(text);
  return mesh;
}

void state_first_mesh(const std::optional<Refinement>& refinement, run::Run& run) {
  if (!refinement || !run.dry_run()) return;
  run.line(fmt::format(
      "[refinement]: sizes, memory and time are those of the first mesh; passes end at max_unknowns = {}",
      refinement->max_unknowns));
}

void forget_refinement(run::Run& run) {
  std::error_code ignored;
  fs::remove(kept_path(run), ignored);
}

}  // namespace curlew::programs
