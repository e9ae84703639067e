// SPDX-License-Identifier: BSD-3-Clause
#include "run/mesh_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/temporary_folder.hpp"
#include "io/frequency.hpp"
#include "lint/lint.hpp"
#include "material/permittivity.hpp"
#include "mesh/check.hpp"
#include "mesh/finished.hpp"
#include "mesh/length_unit.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/surround.hpp"
#include "run/converted_file.hpp"
#include "run/finished_mesh.hpp"
#include "run/run_state.hpp"

namespace curlew::run {
namespace {

namespace fs = std::filesystem;

bool is_mesh_file(const std::string& path) {
  return fs::path(path).extension() == ".h5";
}

/// The command line of em-mesh: with the geometry it determines the mesh.
using Arguments = std::vector<std::string>;

void add(Arguments& arguments, const char* option, const std::string& value) {
  arguments.emplace_back(option);
  arguments.push_back(value);
}

/// Shortest text that reads back as the same number.
std::string text(double value) {
  return fmt::format("{}", value);
}

/// The frequency of sizes in wavelengths.
double measuring_frequency(const io::Config& config) {
  const auto highest = io::highest_frequency(config);
  const auto mesh = config.table("mesh");
  mesh.require(highest.has_value(), "wavelength_fraction",
               "needs [frequency] or analysis.target, or give size instead");
  mesh.require(*highest > 0, "wavelength_fraction", "0 Hz has no wavelength: give size instead");
  return *highest;
}

/// sqrt(|eps_r mu_r|) by the largest entries of the tensors. For dispersion models the static value is used.
/// The refractive index; for a fluid, the speed of light over that of sound: wavelengths are then those of
/// sound.
double refractive_index(const io::Config& material) {
  if (material.has("speed_of_sound"))
    return speed_of_light / std::abs(material.get<Complex>("speed_of_sound"));
  const auto largest = [&](const char* key) {
    double size = 0;
    if (!material.has(key)) return 1.0;
    for (const Complex entry : material.get<io::Tensor3>(key)) size = std::max(size, std::abs(entry));
    return size;
  };
  return std::sqrt(largest("epsilon_r") * largest("mu_r"));
}

void add_wavelengths(const io::Config& config, bool is_mesh, double fraction, Arguments& arguments) {
  add(arguments, "--wavelength-fraction", text(fraction));
  add(arguments, "--frequency", text(measuring_frequency(config)));
  if (is_mesh) return;
  for (const io::Config& material : material::media_of_volumes(config)) {
    const double index = refractive_index(material);
    if (!(index > 0)) continue;
    for (const auto& region : material.get<std::vector<std::string>>("region")) {
      material.require(!region.empty(), "region", "region must not be empty");
      if (region != mesh::Surround{}.volume)
        add(arguments, "--index", fmt::format("{}={}", region, text(index)));
    }
  }
}

/// Greatest size [m] of cells by wavelength_fraction, for em-mesh; 0: not given.
double size_by_wavelength(const io::Config& config) {
  const io::Config table = config.table("mesh");
  table.require(!(table.has("size") && table.has("wavelength_fraction")), "size",
                "give size or wavelength_fraction, not both");
  if (!table.has("wavelength_fraction")) return 0;
  double fastest = 1;
  for (const io::Config& material : material::media_of_volumes(config)) {
    const double index = refractive_index(material);
    if (index > 0) fastest = std::max(fastest, 1 / index);
  }
  return table.positive("wavelength_fraction") * fastest * speed_of_light / measuring_frequency(config);
}

/// Default of the greatest cells in wavelengths: the start of adaptive runs; Gmsh's default depends only on
/// the size of the geometry. Sizes in the geometry stay upper limits.
constexpr double default_fraction = 0.25;

bool has_wavelength(const io::Config& config) {
  return is_geometry(config) && io::highest_frequency(config).value_or(0) > 0;
}

Arguments size_arguments(const io::Config& config, bool is_mesh) {
  const io::Config table = config.table("mesh");
  Arguments arguments;
  table.require(!(table.has("size") && table.has("wavelength_fraction")), "size",
                "give size or wavelength_fraction, not both");
  if (table.has("size")) add(arguments, "--size", text(table.positive("size")));
  if (table.has("wavelength_fraction"))
    add_wavelengths(config, is_mesh, table.positive("wavelength_fraction"), arguments);
  else if (!table.has("size") && has_wavelength(config))
    add_wavelengths(config, is_mesh, default_fraction, arguments);
  return arguments;
}

void add_time_limit(const io::Config& table, Arguments& arguments) {
  if (table.has("time_limit")) add(arguments, "--time-limit", text(table.positive("time_limit")));
}

Arguments conversion_arguments(const io::Config& config, mesh::MeshUse use) {
  const io::Config table = config.table("mesh");
  Arguments arguments = size_arguments(config, false);
  if (use == mesh::MeshUse::surfaces) arguments.emplace_back("--surfaces");
  if (!table.has("unit"))
    table.error("unit", fmt::format("unit is missing: geometry has no unit of its own, give one of {}",
                                    mesh::length_units));
  const auto unit = table.get<std::string>("unit");
  try {
    mesh::metres_per_unit(unit);
  } catch (const InputError& e) {
    table.error("unit", e.what());
  }
  add(arguments, "--unit", unit);
  if (table.has("order")) add(arguments, "--order", std::to_string(table.integer_in("order", 1, 2)));
  if (table.has("mirror"))
    for (const auto& axis : table.get<std::vector<std::string>>("mirror")) {
      table.require(axis == "x" || axis == "y" || axis == "z", "mirror",
                    fmt::format("mirror \"{}\" must be \"x\", \"y\" or \"z\"", axis));
      add(arguments, "--mirror", axis);
    }
  add_time_limit(table, arguments);
  const io::Config parameters = table.table("parameters");
  for (const std::string& name : parameters.keys())
    add(arguments, "--set-number", fmt::format("{}={}", name, text(parameters.get<double>(name))));
  return arguments;
}

/// Runs a step without access to configs; its errors get the position of the `file` key.
template <class Step>
auto placed(const io::Config& table, Step step) {
  try {
    return step();
  } catch (const InputError& e) {
    table.error("file", e.what());
  }
}

/// Reads the mesh made by em-mesh, and its note.
mesh::Mesh read_made(const std::string& path, Run& run) {
  auto mesh = mesh::read_mesh(path);
  if (const auto remark = mesh::read_mesh_origin(path).remark(); !remark.empty())
    run.warn(fmt::format("mesh: {}", remark));
  return mesh;
}

mesh::Mesh convert_or_reuse(const io::Config& config, const std::string& geometry, Arguments arguments,
                            const Arguments& surround, mesh::MeshUse use, Run& run) {
  mesh::Mesh result;
  arguments.insert(arguments.end(), surround.begin(), surround.end());
  with_converted(
      config.table("mesh"), geometry, std::move(arguments), run,
      [&](const std::string& path) { result = read_made(path, run); },
      needed_regions(config, use, !surround.empty()));
  return result;
}

mesh::Mesh read_ready(const io::Config& table, const std::string& path, Run& run) {
  run.depends_on(path);
  return placed(table, [&] { return read_made(path, run); });
}

mesh::Mesh load(const io::Config& config, const std::string& path, const Arguments& surround,
                mesh::MeshUse use, Run& run) {
  const io::Config table = config.table("mesh");
  // Around a body there are new cells, to which these keys apply.
  if (mesh::is_finished_mesh(path) && !is_mesh_file(path) && surround.empty())
    for (const char* key : {"size", "wavelength_fraction"})
      table.require(!table.has(key), key, fmt::format("{} is a finished mesh: {} has no effect", path, key));
  if (!is_mesh_file(path))
    return convert_or_reuse(config, path, conversion_arguments(config, use), surround, use, run);
  const auto origin = placed(table, [&] { return mesh::read_mesh_origin(path); });
  check_finished_mesh(table, path, origin, surround.empty() ? size_by_wavelength(config) : 0,
                      !surround.empty(), run);
  if (surround.empty()) return read_ready(table, path, run);
  Arguments arguments = size_arguments(config, true);
  if (table.has("unit")) add(arguments, "--unit", table.get<std::string>("unit"));
  add_time_limit(table, arguments);
  return convert_or_reuse(config, path, std::move(arguments), surround, use, run);
}

mesh::Mesh checked(mesh::Mesh mesh, const io::Config& table, mesh::MeshUse use, Run& run) {
  mesh.name = table.get<std::string>("file");
  placed(table, [&] { mesh::check_mesh(mesh, use); });
  run.size("cells", mesh.num_cells());
  if (use == mesh::MeshUse::surfaces) run.size("triangles", mesh.num_triangles());
  run.size("nodes", long(mesh.nodes.size()));
  log::info("mesh: {}: {} cells, {} nodes, geometry order {}", mesh.name, mesh.num_cells(), mesh.nodes.size(),
            mesh.geometry_order);
  return mesh;
}

}  // namespace

mesh::Mesh load_mesh(const io::Config& config, Run& run, mesh::MeshUse use,
                     const std::vector<std::string>& surround) {
  const io::Config table = config.table("mesh");
  const auto stated = table.get<std::string>("file");
  const std::string path = table.resolve_path(stated);
  std::error_code fault;
  table.require(fs::is_regular_file(path, fault), "file", fmt::format("{}: no such file", path));

  if (mesh::is_finished_mesh(path)) run.state().source_of_sizes = "in what made " + stated;
  auto timer = run.stage("mesh");
  mesh::Mesh result = checked(load(config, path, surround, use, run), table, use, run);
  for (const auto& text : lint::likely_mistakes(config, run.state().info->name, &result)) run.warn(text);
  return result;
}

mesh::Mesh remesh(const io::Config& config, Run& run, const std::string& size_field, mesh::MeshUse use,
                  const std::vector<std::string>& surround) {
  const io::Config table = config.table("mesh");
  Arguments arguments = conversion_arguments(config, use);
  add(arguments, "--size-field", size_field);
  arguments.insert(arguments.end(), surround.begin(), surround.end());
  auto timer = run.stage("mesh");
  mesh::Mesh result;
  with_converted(
      table, table.resolve_path(table.get<std::string>("file")), std::move(arguments), run,
      [&](const std::string& path) { result = read_made(path, run); }, {}, false);
  return checked(std::move(result), table, use, run);
}

std::vector<mesh::Velocity> surface_velocities(const io::Config& config, Run& run, const mesh::Mesh& mesh,
                                               const std::vector<std::string>& numbers) {
  if (numbers.empty()) return {};
  const io::Config table = config.table("mesh");
  const TemporaryFolder folder("moved");
  const std::string of = folder.path() + "/moved.h5";
  mesh::write_mesh(mesh, of, run.provenance());
  Arguments arguments = conversion_arguments(config, mesh::MeshUse::volumes);
  for (const std::string& number : numbers) add(arguments, "--velocity", number);
  add(arguments, "--of", of);
  std::vector<mesh::Velocity> velocities;
  with_converted(
      table, table.resolve_path(table.get<std::string>("file")), std::move(arguments), run,
      [&](const std::string& path) { velocities = mesh::read_velocities(path); }, {}, false);
  return velocities;
}

bool is_geometry(const io::Config& config) {
  return !mesh::is_finished_mesh(config.table("mesh").get<std::string>("file"));
}

bool has_stated_size(const io::Config& config) {
  const auto table = config.table("mesh");
  return !is_geometry(config) || table.has("size") || table.has("wavelength_fraction");
}

std::string source_of_sizes(Run& run) {
  const std::string& source = run.state().source_of_sizes;
  return source.empty() ? keys_of_sizes : source;
}

double length_unit(const io::Config& config) {
  const auto table = config.table("mesh");
  return table.has("unit") ? mesh::metres_per_unit(table.get<std::string>("unit")) : 1.0;
}

}  // namespace curlew::run
