// SPDX-License-Identifier: BSD-3-Clause
#include "programs/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/timer.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "mesh/bisect.hpp"
#include "mesh/refined_sizes.hpp"
#include "mesh/size_field.hpp"
#include "programs/family.hpp"
#include "run/failure.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::programs {
namespace {

namespace fs = std::filesystem;

/// Cells of a pass over those of the one before: all passes together then cost about twice the last one.
constexpr double growth = 2;
/// The same where orders rise: all smooth cells may at once.
constexpr double growth_with_orders = 3;
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
  std::vector<std::int8_t>
      orders;  ///< [cells of the field] of the next mesh's elements; empty: as [space] says
  bool done = false;
};

std::vector<std::int64_t> as_numbers(const std::vector<std::int8_t>& orders) {
  return {orders.begin(), orders.end()};
}

void add(Passes& passes, long cells, const Pass& pass, Target target) {
  Row row{cells, pass.unknowns, pass.quantities, {}};
  if (!passes.rows.empty()) {
    const auto& last = passes.rows.back().quantities;
    if (last.size() != row.quantities.size())
      throw NumericalError("refinement: this mesh has another number of results than the last one");
    for (std::size_t i = 0; i < last.size(); ++i) {
      const Complex value = row.quantities[i].value;
      row.changes.push_back(
          std::abs(value - last[i].value) /
          (target == Target::scattering
               ? 1
               : std::max({std::abs(value), row.quantities[i].least, row.quantities[i].scale})));
    }
  }
  passes.rows.push_back(std::move(row));
}

/// What refinement.h5 says of the passes, as arrays.
struct Kept {
  std::vector<std::int64_t> sizes;    ///< cells and unknowns of each pass (pass, 2)
  std::vector<Complex> values;        ///< (pass, quantity)
  std::vector<double> estimates;      ///< -1 for none (pass, quantity)
  std::vector<Complex> extrapolated;  ///< the values where there is none (pass, quantity)
  std::vector<double> least;          ///< sizes that are rounding (pass, quantity)
  std::vector<double> scales;         ///< that changes count against (pass, quantity)
  std::vector<std::string> names;     ///< of the quantities
};

Kept kept_of(const Passes& passes) {
  Kept kept;
  for (const Row& row : passes.rows) {
    kept.sizes.insert(kept.sizes.end(), {row.cells, row.unknowns});
    for (const auto& q : row.quantities) {
      kept.values.push_back(q.value), kept.estimates.push_back(q.estimate.value_or(-1));
      kept.least.push_back(q.least), kept.scales.push_back(q.scale),
          kept.extrapolated.push_back(q.extrapolated.value_or(q.value));
      if (&row == &passes.rows.front()) kept.names.push_back(q.name);
    }
  }
  return kept;
}

/// Of what the next mesh and the changes are made from.
std::string checksum(const Kept& kept, const Passes& passes) {
  const mesh::SizeField& field = passes.field;
  std::string sums = passes.done ? "done" : "open";
  const auto add = [&](const auto& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    sums += " " + run::hash_text({bytes, values.size() * sizeof(values[0])});
  };
  add(kept.sizes), add(kept.values), add(kept.estimates), add(kept.least), add(kept.scales),
      add(kept.extrapolated);
  add(field.sizes), add(field.mesh.nodes), add(field.mesh.cells), add(field.mesh.triangles);
  add(passes.orders);
  for (const auto* regions : {&field.mesh.volumes, &field.mesh.surfaces})
    for (const mesh::Region& region : *regions) sums += " " + region.name, add(region.entities);
  sums += fmt::format(" {} {}", field.mesh.geometry_order, int(field.use));
  for (const auto& name : kept.names) sums += " " + name;
  return run::hash_text(sums);
}

void keep(const Passes& passes, run::Run& run) {
  io::AtomicFile place(kept_path(run));
  auto file = io::H5File::create(place.part());
  const Kept kept = kept_of(passes);
  file.set_attribute("inputs", run::identity_of(run));
  file.set_attribute("done", std::int64_t(passes.done));
  file.set_attribute("checksum", checksum(kept, passes));
  mesh::write_size_field(passes.field, file);
  file.write("cell_order", as_numbers(passes.orders),
             {"1", "orders of the next elements, none: as [space] says"});
  const std::uint64_t count = passes.rows.size(), each = kept.names.size();
  file.write("sizes", kept.sizes, {"1", "cells and unknowns of each pass (pass, 2)"}, {count, 2});
  file.write("values", kept.values, {"1", "quantities of each pass (pass, quantity)"}, {count, each});
  file.write("estimates", kept.estimates, {"1", "their estimated errors, -1 for none (pass, quantity)"},
             {count, each});
  file.write("extrapolated", kept.extrapolated, {"1", "values with estimated changes (pass, quantity)"},
             {count, each});
  file.write("scales", kept.scales, {"1", "that changes count against (pass, quantity)"}, {count, each});
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
  Passes passes{{}, mesh::read_size_field(path), {}, file.number_attribute("done") != 0};
  for (const auto order : file.read<std::int64_t>("cell_order")) passes.orders.push_back(std::int8_t(order));
  if (!passes.orders.empty() && passes.orders.size() != std::size_t(passes.field.mesh.num_cells()))
    throw InputError(path + ": its orders are not those of its cells");
  Kept kept{file.read<std::int64_t>("sizes"),
            file.read<Complex>("values"),
            file.read<double>("estimates"),
            file.read<Complex>("extrapolated"),
            file.read<double>("least"),
            file.read<double>("scales"),
            {}};
  std::istringstream lines(file.read_string("names"));
  for (std::string name; std::getline(lines, name);) kept.names.push_back(name);
  const std::size_t count = kept.sizes.size() / 2, each = kept.names.size();
  if (count == 0 || each == 0 || kept.values.size() != count * each ||
      kept.estimates.size() != count * each || kept.least.size() != count * each ||
      kept.scales.size() != count * each || kept.extrapolated.size() != count * each ||
      file.string_attribute("checksum") != checksum(kept, passes))
    throw InputError(path + ": its values have changed since they were written");
  for (std::size_t p = 0; p < count; ++p) {
    Pass pass;
    pass.unknowns = long(kept.sizes[2 * p + 1]);
    for (std::size_t i = 0; i < each; ++i) {
      const double estimate = kept.estimates[p * each + i];
      const Complex value = kept.values[p * each + i], extrapolated = kept.extrapolated[p * each + i];
      pass.quantities.push_back({kept.names[i], value, estimate < 0 ? std::nullopt : std::optional(estimate),
                                 kept.least[p * each + i],
                                 extrapolated == value ? std::nullopt : std::optional(extrapolated),
                                 kept.scales[p * each + i]});
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

/// Orders of a mesh's elements: those of the last one's where they are.
std::vector<std::int8_t> orders_on(const mesh::Mesh& mesh, const Passes& passes) {
  if (passes.orders.empty()) return {};
  const mesh::SizeAt order_at({passes.field.mesh, {passes.orders.begin(), passes.orders.end()}});
  std::vector<std::int8_t> orders(std::size_t(mesh.num_cells()));
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < orders.size(); ++c) {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(Index(c))[i])];
    orders[c] = std::int8_t(std::lround(order_at(middle)));
  }
  return orders;
}

/// A mesh of the geometry with the kept sizes. Gmsh makes up to 1.5 times the cells that sizes ask for,
/// layers more: they grow until no more than max_unknowns are to be expected. A function of the last pass and
/// the kept sizes alone, so that --resume finds the same mesh.
mesh::Mesh mesh_within(const Refinement& refinement, const io::Config& config, Passes& passes,
                       const CountElements& count, run::Run& run) {
  constexpr double margin = 1.02;  // cells of a finer mesh have up to so many times the unknowns
  const Row& last = passes.rows.back();
  while (true) {
    mesh::Mesh mesh = mesh_of_sizes(refinement, config, kept_path(run), run);
    if (!passes.orders.empty()) return mesh;  // orders have their own unknowns
    const double unknowns = margin * double(last.unknowns) * double(count(mesh)) / double(last.cells);
    if (unknowns <= double(refinement.max_unknowns)) return mesh;
    log::info("about {:.0f} unknowns would exceed max_unknowns: cells are made larger", unknowns);
    const int dimension = refinement.use == mesh::MeshUse::volumes ? 3 : 2;
    const double scale = margin * std::pow(unknowns / double(refinement.max_unknowns), 1.0 / dimension);
    for (double& size : passes.field.sizes) size *= scale;
    keep(passes, run);
  }
}

/// The mesh that kept sizes and orders ask for: of the geometry, where there is none of the triangles.
mesh::Mesh next_mesh(const Refinement& refinement, const io::Config& config, Passes& passes,
                     const CountElements& count, run::Run& run) {
  if (run::is_geometry(config)) {
    if (!passes.orders.empty() && mesh::keeps_mesh(passes.field)) {  // orders rise alone
      mesh::Mesh mesh = passes.field.mesh;
      mesh.element_orders = passes.orders;
      return mesh;
    }
    mesh::Mesh mesh = mesh_within(refinement, config, passes, count, run);
    mesh.element_orders = orders_on(mesh, passes);
    return mesh;
  }
  mesh::Mesh mesh = mesh::bisected(passes.field);
  run.size("triangles", mesh.num_triangles());
  run.size("nodes", long(mesh.nodes.size()));
  return mesh;
}

std::string shown(const std::optional<double>& number) {
  return number ? fmt::format("{:.2e}", *number) : "-";
}

/// passes.csv, the table and the summary.
void write_passes(const std::vector<Row>& rows, run::Run& run) {
  io::CsvWriter csv(run.output("passes.csv"), io::provenance_lines(run.provenance()),
                    {"pass", "cells", "unknowns", "quantity", "re_value", "im_value", "change",
                     "estimated_error", "re_extrapolated", "im_extrapolated"});
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
               cell(row.changes.empty() ? std::nullopt : std::optional(row.changes[i])), cell(q.estimate),
               q.extrapolated ? io::Cell(q.extrapolated->real()) : io::Cell(""),
               q.extrapolated ? io::Cell(q.extrapolated->imag()) : io::Cell("")});
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
      run.warn(
          fmt::format("refinement: {} is {:.1e}, below the rounding error of {:.1e}: it is taken as zero, "
                      "and no mesh makes it more accurate",
                      q.name, std::abs(q.value), q.least));
}

bool is_below(const std::optional<double>& number, double tolerance) {
  return number && *number < tolerance;
}

/// True if the orders of elements rose on the mesh of the pass before, whose bars cover the changes: they
/// then are what that pass said of its own error.
bool was_foreseen(const Row& before, const Row& last) {
  if (last.cells != before.cells || last.unknowns <= before.unknowns) return false;
  for (std::size_t i = 0; i < last.changes.size(); ++i)
    if (last.changes[i] > before.quantities[i].estimate.value_or(before.estimate().value_or(0))) return false;
  return true;
}

/// By change and estimate; without an estimate by two changes. The first mesh counts where its sizes were
/// handed on by one that has converged.
bool has_converged(const std::vector<Row>& rows, double tolerance, bool was_handed) {
  if (rows.size() < 2) return was_handed && is_below(rows.back().estimate(), tolerance);
  const Row &last = rows.back(), &before = rows[rows.size() - 2];
  if (!is_below(last.change(), tolerance) && !was_foreseen(before, last)) return false;
  return is_below(last.estimate() ? last.estimate() : before.change(), tolerance);
}

/// What ends the passes before they have converged, and how to continue; empty: nothing does.
std::string ceiling(const Refinement& refinement, const std::vector<Row>& rows, std::size_t bytes,
                    double seconds) {
  // Factors have the power 4/3 of the unknowns (CheckPrice), and the time of all passes doubles with the
  // next.
  const double next_bytes = double(bytes) * std::pow(growth, 4.0 / 3);
  if (int(rows.size()) == refinement.max_passes)
    return fmt::format("raise max_passes = {}", refinement.max_passes);
  if (double(refinement.max_unknowns) < least_growth * double(rows.back().unknowns))
    return fmt::format("raise max_unknowns = {}", refinement.max_unknowns);
  if (growth * seconds > refinement.time_limit)
    return fmt::format("raise time_limit = {:g} s", refinement.time_limit);
  if (next_bytes > double(available_memory()))
    return fmt::format("the next pass takes about {:.2g} GiB, and {:.2g} GiB are free",
                       gib(std::size_t(next_bytes)), gib(available_memory()));
  return {};
}

/// Does what a pass takes. By default its faults are a ceiling. @param[out] why @returns whether it is done
bool attempt(const Refinement& refinement, std::string& why, const std::function<void()>& pass) {
  if (!refinement.is_by_default) return pass(), true;
  try {
    pass();
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& e) {
    why = e.what();
  }
  return false;
}

/// Of the errors, what the next pass may leave; 0 without an estimate.
double wanted_share(const Row& row, double tolerance) {
  constexpr double margin = 0.7;
  const double estimate = row.estimate().value_or(0);
  return estimate > 0 ? margin * tolerance / estimate : 0;
}

/// Unknowns over those of the last mesh, for an error that falls with a power of 5/4 of them.
double growth_for(double wanted, double most) {
  constexpr double least = 1.3;
  return wanted > 0 ? std::clamp(std::pow(wanted, -0.8), least, most) : most;
}

/// Cells of order 2 that may rise: those with a smooth field, where nearly all of the error comes from them.
/// Else edges decide, at which order 3 takes more unknowns for the same error.
std::vector<char> cells_that_may_rise(const Pass& pass) {
  constexpr double least_share = 0.9;
  std::vector<char> may(pass.errors.size());
  double smooth = 0, all = 0;
  for (std::size_t c = 0; c < may.size(); ++c) {
    const bool is_smooth = !pass.at_sharp_edge[c] && pass.third[c] < mesh::smooth_decay * pass.second[c];
    may[c] = is_smooth && pass.orders[c] == 2;
    all += pass.errors[c];
    if (is_smooth) smooth += pass.errors[c] - (pass.of_shape.empty() ? 0 : pass.of_shape[c]);
  }
  log::info("{:.2f} of the estimated error belongs to smooth fields", all > 0 ? smooth / all : 1);
  if (smooth < least_share * all) std::fill(may.begin(), may.end(), 0);
  return may;
}

/// Errors as they decide which elements are cut: of each part, as a cut takes as many for each.
std::vector<double> errors_of_parts(const Pass& pass) {
  std::vector<double> errors = pass.errors;
  for (std::size_t c = 0; c < pass.parts.size(); ++c) errors[c] /= pass.parts[c];
  return errors;
}

/// Sizes and orders of the next mesh; of one that is the last, its own orders.
/// @param room unknowns that there may be over those of this pass
void choose_next(const Refinement& refinement, const mesh::Mesh& mesh, Pass& pass, double room,
                 Passes& passes) {
  const auto elements = std::size_t(mesh::num_elements(mesh, refinement.use));
  pass.errors.resize(elements);  // without the layers that the config grows
  passes.orders.clear();
  std::vector<char> may_rise;
  if (!pass.orders.empty() && refinement.max_order == 3) {
    pass.orders.resize(elements);
    may_rise = cells_that_may_rise(pass);
  }
  const bool rises = std::find(may_rise.begin(), may_rise.end(), 1) != may_rise.end();
  const bool has_risen =
      !may_rise.empty() && std::find(pass.orders.begin(), pass.orders.end(), 3) != pass.orders.end();
  if (!rises && !has_risen) {
    passes.field = {mesh,
                    mesh::refined_sizes(mesh, errors_of_parts(pass), std::min(growth, room), refinement.use),
                    refinement.use};
    if (passes.done) passes.orders = mesh.element_orders;
    return;
  }
  const double wanted = wanted_share(passes.rows.back(), refinement.tolerance);
  auto next = mesh::refined_sizes_and_orders(
      mesh, pass.errors, pass.orders, may_rise,
      std::min(growth_for(wanted, rises ? growth_with_orders : growth), room), std::min(wanted, 0.5));
  passes.field = {mesh, std::move(next.sizes), refinement.use};
  log::info("{} of {} cells have order 3", std::count(pass.orders.begin(), pass.orders.end(), 3), elements);
  passes.orders = passes.done ? mesh.element_orders : std::move(next.orders);
}

}  // namespace

mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run, const CountElements& count_parts) {
  const CountElements count = count_parts ? count_parts : [&](const mesh::Mesh& of) {
    return long(mesh::num_elements(of, refinement.use));
  };
  Passes passes;
  Family family(run, run::is_geometry(config));
  mesh::Mesh mesh = std::move(first);
  if (auto kept = find(run, refinement.target)) {
    passes = std::move(*kept);
    mesh = passes.field.mesh;
    if (passes.done) mesh.element_orders = passes.orders;
  } else {
    std::error_code ignored;
    fs::remove(kept_path(run), ignored);
    family.begin();
    if (family.is_handed()) mesh = mesh_of_sizes(refinement, config, family.path(), run);
  }
  run.state().needless.push_back(kept_path(run));
  std::string why;
  const Timer timer;
  mesh::Mesh next = mesh;
  while (!passes.done) {
    Pass pass;
    const bool could = attempt(refinement, why, [&] {
      if (!passes.rows.empty()) next = next_mesh(refinement, config, passes, count, run);
      const auto stage = run.stage("passes");
      pass = solve(next, passes.rows.empty() ? std::vector<Complex>{} : values_of(passes.rows.back()));
    });
    if (!could) break;
    if (!passes.rows.empty()) family.made(passes.field);
    mesh = next;
    add(passes, pass.elements.value_or(mesh::num_elements(mesh, refinement.use)), pass, refinement.target);
    const Row& row = passes.rows.back();
    log::info("pass {}: {} cells, {} unknowns, change {}, estimated error {}", passes.rows.size(), row.cells,
              row.unknowns, shown(row.change()), shown(row.estimate()));
    const double room = double(refinement.max_unknowns) / double(row.unknowns);
    if (has_converged(passes.rows, refinement.tolerance, family.is_handed()))
      passes.done = true;
    else if (why = ceiling(refinement, passes.rows, pass.bytes, timer.seconds()); !why.empty())
      passes.done = true;
    choose_next(refinement, mesh, pass, room, passes);
    keep(passes, run);
  }
  if (passes.rows.empty()) {
    state_one_mesh(why, run);
    return mesh;
  }
  write_passes(passes.rows, run);
  const Row& last = passes.rows.back();
  family.hand_on(last.estimate().has_value());
  state_vanishing(last, run);
  run::Value& results = run.results()["refinement"];
  results["passes"] = passes.rows.size();
  results["converged"] = has_converged(passes.rows, refinement.tolerance, family.is_handed());
  if (const auto change = last.change()) results["change"] = *change;
  if (const auto estimate = last.estimate()) results["estimated_error"] = *estimate;
  for (const auto& q : last.quantities)
    if (q.extrapolated)
      results["extrapolated"].push_back(
          run::Value{{"quantity", q.name}, {"value", q.value}, {"with_estimated_change", *q.extrapolated}});
  if (has_converged(passes.rows, refinement.tolerance, family.is_handed())) return mesh;
  const auto text =
      fmt::format("refinement: change {} and estimated error {} after {} passes, {} asked: {}",
                  shown(last.change()), shown(last.estimate()), passes.rows.size(), refinement.tolerance,
                  why.empty() ? "raise max_passes, max_unknowns or time_limit" : why);
  refinement.strict ? run::fail_after_writing(run, text) : run.warn(text);
  return mesh;
}

void state_first_mesh(const std::optional<Refinement>& refinement, run::Run& run) {
  if (!refinement || !run.dry_run()) return;
  run.line(fmt::format(
      "{}: sizes, memory and time are those of the first mesh; up to {} passes follow, until {} is reached, "
      "max_unknowns = {} or time_limit = {:g} s",
      refinement->is_by_default ? "no mesh size is given" : "[refinement]", refinement->max_passes,
      refinement->tolerance, refinement->max_unknowns, refinement->time_limit));
}

std::optional<mesh::Mesh> last_mesh(run::Run& run) {
  if (!run.resume() || !fs::exists(kept_path(run))) return std::nullopt;
  return mesh::read_size_field(kept_path(run)).mesh;
}

}  // namespace curlew::programs
