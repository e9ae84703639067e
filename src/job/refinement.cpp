// SPDX-License-Identifier: BSD-3-Clause
#include "job/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/log.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "job/family.hpp"
#include "job/pass_loop.hpp"
#include "mesh/bisect.hpp"
#include "mesh/refined_sizes.hpp"
#include "mesh/size_field.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::job {
namespace {

/// Largest ratio of the unknowns of successive passes if orders rise, which may happen in all smooth cells at
/// once.
constexpr double growth_with_orders = 3;

/// Orders of a mesh's elements, from those that the field has at the same positions.
std::vector<std::int8_t> orders_on(const mesh::Mesh& mesh, const mesh::SizeField& field) {
  if (field.orders.empty()) return {};
  const mesh::SizeAt order_at({field.mesh, {field.orders.begin(), field.orders.end()}});
  std::vector<std::int8_t> orders(std::size_t(mesh.num_cells()));
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < orders.size(); ++c) {
    Vec3<double> middle{};
    for (int i = 0; i < 4; ++i) middle += 0.25 * mesh.nodes[std::size_t(mesh.cell(Index(c))[i])];
    orders[c] = std::int8_t(std::lround(order_at(middle)));
  }
  return orders;
}

/// Fraction of the errors that may remain in the next pass; 0 without an estimate.
double wanted_share(const Row& row, double tolerance) {
  constexpr double margin = 0.7;
  const double estimate = row.estimate().value_or(0);
  return estimate > 0 ? margin * tolerance / estimate : 0;
}

/// Ratio of unknowns to those of the last mesh, for an error that falls with their power 5/4.
double growth_for(double wanted, double most) {
  constexpr double least = 1.3;
  return wanted > 0 ? std::clamp(std::pow(wanted, -0.8), least, most) : most;
}

/// Whether thin cells were made at rims.
bool has_layers(const mesh::Pass& pass) {
  return std::ranges::any_of(pass.parts, [](int parts) { return parts > 1; });
}

/// Cells of order 2 that may get order 3: those with a smooth field, if nearly all of the error comes from
/// them. Else errors at edges dominate, where order 3 needs more unknowns for the same error; but two layers
/// at rims, which keep order 2, leave it to the smooth cells around them.
std::vector<char> cells_that_may_rise(const mesh::Pass& pass, int layers) {
  const double least_share = layers > 1 && has_layers(pass) ? 0.3 : 0.9;
  std::vector<char> may(pass.errors.size());
  double smooth = 0, all = 0;
  for (std::size_t c = 0; c < may.size(); ++c) {
    const bool is_smooth = !pass.at_sharp_edge[c] && pass.third[c] < mesh::smooth_decay * pass.second[c];
    const double of_shape = pass.of_shape.empty() ? 0 : pass.of_shape[c];
    may[c] = is_smooth && pass.orders[c] == 2 && of_shape <= 0.5 * pass.errors[c];
    all += pass.errors[c] - of_shape;
    if (is_smooth) smooth += pass.errors[c] - of_shape;
  }
  log::info("{:.2f} of the estimated error belongs to smooth fields", all > 0 ? smooth / all : 1);
  if (smooth < least_share * all) std::fill(may.begin(), may.end(), 0);
  return may;
}

/// Errors that determine which elements are refined: per part, since refinement costs the same for each.
std::vector<double> errors_of_parts(const mesh::Pass& pass) {
  std::vector<double> errors = pass.errors;
  for (std::size_t c = 0; c < pass.parts.size(); ++c) errors[c] /= pass.parts[c];
  return errors;
}

/// Meshes of a geometry, or of triangles.
class RefinedMesh : public Refined {
 public:
  RefinedMesh(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
              const SolvePass& solve, CountElements count, run::Run& run)
      : refinement_(refinement),
        config_(config),
        first_(std::move(first)),
        solve_(solve),
        count_(std::move(count)),
        run_(run),
        family_(run, run::is_geometry(config), first_),
        // Cells around a body get the sizes asked for, without a limit; on surfaces bars would miss errors.
        widening_(run::is_geometry(config) && refinement.use == mesh::MeshUse::volumes &&
                          refinement.surround.empty()
                      ? mesh::Widening::yes
                      : mesh::Widening::no) {}

  bool is_handed() const override { return family_.is_handed(); }
  void begin() override {
    family_.begin();
    if (!is_handed()) return;
    io::AtomicFile place(kept_path(run_));
    auto file = io::H5File::create(place.part());
    const mesh::SizeField sizes = family_.sizes();
    mesh::write_size_field(sizes, file);
    file.close();
    place.commit();
    first_ = mesh_of_sizes(refinement_, config_, kept_path(run_), run_);
    first_.element_orders = orders_on(first_, sizes);
  }
  mesh::Pass solve(const std::vector<Row>& rows) override {
    mesh::Mesh next = rows.empty() ? first_ : next_mesh(rows);
    const auto stage = run_.stage("passes");
    mesh::Pass pass = solve_(next, rows);
    if (!pass.elements) pass.elements = mesh::num_elements(next, refinement_.use);
    if (!rows.empty()) family_.made(field_);
    mesh_ = std::move(next);
    return pass;
  }
  void choose(mesh::Pass& pass, const Row& row) override;
  void write(io::H5File& file) const override { mesh::write_size_field(field_, file); }
  void read(const std::string& path) override;
  std::string checksum() const override;

  /// The mesh of the last pass, or the first one; its sizes are shared with the family.
  mesh::Mesh take(const std::vector<Row>& rows) {
    if (rows.empty()) return std::move(first_);
    family_.hand_on(rows.front().estimate().has_value());
    return std::move(mesh_);
  }

 private:
  mesh::Mesh next_mesh(const std::vector<Row>& rows);
  mesh::Mesh mesh_within(const std::vector<Row>& rows);

  const Refinement& refinement_;
  const io::Config& config_;
  mesh::Mesh first_, mesh_;
  const SolvePass& solve_;
  CountElements count_;
  run::Run& run_;
  Family family_;
  mesh::Widening widening_;
  mesh::SizeField field_;  // for the next mesh
};

void RefinedMesh::read(const std::string& path) {
  field_ = mesh::read_size_field(path);
  mesh_ = field_.mesh;
}

std::string RefinedMesh::checksum() const {
  std::string sums;
  const auto add = [&](const auto& values) {
    const auto* bytes = reinterpret_cast<const char*>(values.data());
    sums += " " + run::hash_text({bytes, values.size() * sizeof(values[0])});
  };
  add(field_.sizes), add(field_.mesh.nodes), add(field_.mesh.cells), add(field_.mesh.triangles);
  add(field_.orders), add(field_.mesh.element_orders);
  for (const auto* regions : {&field_.mesh.volumes, &field_.mesh.surfaces})
    for (const mesh::Region& region : *regions) sums += " " + region.name, add(region.entities);
  return sums + fmt::format(" {} {}", field_.mesh.geometry_order, int(field_.use));
}

/// A mesh of the geometry with the stored sizes. Gmsh makes up to 1.5 times the cells expected from sizes,
/// and layers add more: sizes grow until at most max_unknowns are expected. Depends only on the last pass and
/// the stored sizes, so that --resume makes the same mesh.
mesh::Mesh RefinedMesh::mesh_within(const std::vector<Row>& rows) {
  constexpr double margin = 1.02;  // ratio of unknowns per cell to those of a coarser mesh, at most
  constexpr int most_tries = 30;   // the geometry may set the size of cells
  const Row& last = rows.back();
  const double cells = field_.mesh.element_orders.empty() ? double(last.cells) : count_(field_.mesh);
  double before = std::numeric_limits<double>::infinity();
  for (int tries = 1;; ++tries) {
    mesh::Mesh mesh = mesh_of_sizes(refinement_, config_, kept_path(run_), run_);
    mesh.element_orders = orders_on(mesh, field_);
    const double unknowns = margin * double(last.unknowns) * count_(mesh) / cells;
    if (unknowns <= double(refinement_.max_unknowns) || tries == most_tries) return mesh;
    log::info("about {:.0f} unknowns would exceed max_unknowns: cells are made larger", unknowns);
    const int dimension = refinement_.use == mesh::MeshUse::volumes ? 3 : 2;
    const double scale = margin * std::pow(unknowns / double(refinement_.max_unknowns), 1.0 / dimension);
    for (double& size : field_.sizes) size *= scale;
    if (unknowns >= before) field_.orders.clear();  // cells do not become larger
    before = unknowns;
    keep(rows, false, *this, run_);
  }
}

/// The mesh with the stored sizes and orders: of the geometry, or without one of the triangles.
mesh::Mesh RefinedMesh::next_mesh(const std::vector<Row>& rows) {
  if (run::is_geometry(config_)) {
    if (field_.orders.empty() || !mesh::keeps_mesh(field_)) return mesh_within(rows);
    mesh::Mesh mesh = field_.mesh;  // only orders rise
    mesh.element_orders = field_.orders;
    return mesh;
  }
  mesh::Mesh mesh = mesh::bisected(field_);
  run_.size("triangles", mesh.num_triangles());
  run_.size("nodes", long(mesh.nodes.size()));
  return mesh;
}

void RefinedMesh::choose(mesh::Pass& pass, const Row& row) {
  const double room = double(refinement_.max_unknowns) / double(row.unknowns);  // relative to this pass
  const auto elements = std::size_t(mesh::num_elements(mesh_, refinement_.use));
  pass.errors.resize(elements);  // without the layers that the config grows
  std::vector<char> is_free;
  if (!pass.orders.empty() && refinement_.max_order == 3) {
    pass.orders.resize(elements);
    is_free = cells_that_may_rise(pass, refinement_.edge_layers);
  }
  const bool rises = std::find(is_free.begin(), is_free.end(), 1) != is_free.end();
  const bool has_risen =
      !is_free.empty() && std::find(pass.orders.begin(), pass.orders.end(), 3) != pass.orders.end();
  if (!rises && !has_risen) {
    field_ = {
        mesh_,
        mesh::refined_sizes(mesh_, errors_of_parts(pass), std::min(growth, room), refinement_.use, widening_),
        refinement_.use};
    return;
  }
  const auto& given = mesh_.element_orders;
  for (std::size_t c = 0; c < given.size(); ++c)
    if (given[c] == 3 && pass.orders[c] == 3) is_free[c] = 1;  // may fall to order 2 again
  const double wanted = wanted_share(row, refinement_.tolerance);
  auto next = mesh::refined_sizes_and_orders(
      mesh_, pass.errors, pass.orders, is_free,
      std::min(growth_for(wanted, rises ? growth_with_orders : growth), room), room, std::min(wanted, 0.5),
      rises || !given.empty() ? widening_ : mesh::Widening::no);
  log::info("{} of {} cells have order 3", std::count(pass.orders.begin(), pass.orders.end(), 3), elements);
  for (std::size_t c = 0; c < elements; ++c)  // those of [space], which it gives again
    if (pass.orders[c] == 3 && (given.empty() || given[c] != 3)) next.orders[c] = 2;
  if (std::ranges::count(next.orders, 3) == 0) next.orders.clear();
  field_ = {mesh_, std::move(next.sizes), refinement_.use, std::move(next.orders)};
}

}  // namespace

std::vector<Complex> last_values(const std::vector<Row>& before) {
  std::vector<Complex> values;
  if (!before.empty())
    for (const auto& q : before.back().quantities) values.push_back(q.value);
  return values;
}

mesh::Mesh refine(const Refinement& refinement, const io::Config& config, mesh::Mesh first,
                  const SolvePass& solve, run::Run& run, const CountElements& count_parts) {
  if (!run::is_geometry(config) && !first.cells.empty())
    config.table("mesh").error(
        "file", "[refinement] needs a geometry (.geo, .step, .brep), or a mesh of triangles without cells");
  RefinedMesh meshes(
      refinement, config, std::move(first), solve,
      count_parts ? count_parts
                  : [&](const mesh::Mesh& of) { return mesh::elements_of_order_two(of, refinement.use); },
      run);
  return meshes.take(refine(refinement, meshes, run));
}

bool begins_passes(const std::optional<Refinement>& refinement, run::Run& run, const char* which) {
  if (!refinement || !run.dry_run()) return refinement.has_value();
  run.line(fmt::format(
      "{}: up to {} passes until {} is reached, max_unknowns = {} or time_limit = {:g} s; a dry run is of "
      "the {}",
      refinement->is_by_default ? "no mesh size is given" : "[refinement]", refinement->max_passes,
      refinement->tolerance, refinement->max_unknowns, refinement->time_limit, which));
  return false;
}

std::optional<mesh::Mesh> last_mesh(run::Run& run) {
  if (!run.resume() || !std::filesystem::exists(kept_path(run))) return std::nullopt;
  return mesh::read_size_field(kept_path(run)).mesh;
}

}  // namespace curlew::job
