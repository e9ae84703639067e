// SPDX-License-Identifier: BSD-3-Clause
// em-mesh: meshes a geometry, and reports on a mesh. The only program that links Gmsh (GPL).

#include "programs/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "mesh/check.hpp"
#include "mesh/confine.hpp"
#include "mesh/finished.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/gmsh_fill.hpp"
#include "mesh/gmsh_guard.hpp"
#include "mesh/gmsh_import.hpp"
#include "mesh/gmsh_velocity.hpp"
#include "mesh/inverted_cells.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/mesh_vtk.hpp"
#include "mesh/mirror.hpp"
#include "mesh/node_velocity.hpp"
#include "programs/mesh/options.hpp"
#include "programs/mesh/recorded_files.hpp"
#include "programs/mesh/report.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

/// The files that this run writes.
std::vector<std::string> output_files(const run::Run& run) {
  std::vector<std::string> files{run.output_path(), run.option("vtkhdf").value_or("")};
  std::erase(files, "");
  return files;
}

std::vector<std::string> folders_of(std::vector<std::string> files) {
  for (auto& file : files) file = std::filesystem::absolute(file).parent_path().string();
  return files;
}

/// Geometries are untrusted.
void confine_geometry(const run::Run& run) {
  static bool is_confined = false;
  if (is_confined || run.flag("trust")) return;
  is_confined = true;
  if (std::filesystem::is_regular_file(run.input()) && mesh::geo_runs_commands(run.input()))
    throw InputError(fmt::format(
        "{}: starts other programs (SystemCall, OnelabRun): if you trust it, mesh it by em-mesh --trust",
        run.input()));
  mesh::confine(folders_of(output_files(run)));
}

/// Runs what Gmsh does.
template <class Step>
auto in_gmsh(run::Run& run, const char* stage, Step step) {
  auto timer = run.stage(stage);
  confine_geometry(run);
  const mesh::GmshGuard guard(run.input(),
                              programs::positive_option(run, "time-limit").value_or(mesh::usual_time_limit));
  const programs::FileRecord record;
  return step();
}

void write_files(const mesh::Mesh& mesh, const mesh::MeshOrigin& origin, run::Run& run) {
  if (!run.output_path().empty()) mesh::write_mesh(mesh, run.output_file(), run.provenance(), origin);
  if (const auto name = run.option("vtkhdf")) {
    io::remove_stale_parts_of(*name);
    io::AtomicFile file(*name);
    mesh::write_mesh_vtk(mesh, file.part(), run.provenance());
    file.commit();
  }
}

void convert_or_show_curves(bool is_converted, run::Run& run) {
  for (const char* option : {"size", "wavelength-fraction", "order", "vtkhdf"})
    if (run.option(option)) throw InputError(fmt::format("--{}: is for meshes, not for curves", option));
  const auto curves = is_converted ? mesh::read_curves(run.input()) : in_gmsh(run, "following curves", [&] {
    return mesh::import_curves(run.input(), {.unit = programs::unit_option(run),
                                             .parameters = programs::named_numbers(run, "set-number")});
  });
  programs::print_curves(curves, run);
  if (!run.output_path().empty())
    mesh::write_curves(curves, run.output_file(), run.provenance(), programs::recorded_files());
}

/// Velocities of a mesh with respect to parameters of the geometry, for derivatives.
void write_velocities(const std::vector<std::string>& numbers, run::Run& run) {
  const auto path = run.option("of");
  if (!path || run.output_path().empty())
    throw InputError("--velocity: needs --of MESH.h5 and --output FILE.h5");
  const auto mesh = mesh::read_mesh(*path);
  const auto velocities = in_gmsh(run, "following surfaces", [&] {
    return mesh::surface_velocities(
        run.input(),
        {.unit = programs::unit_option(run), .parameters = programs::named_numbers(run, "set-number")},
        numbers, mesh);
  });
  mesh::write_velocities(velocities, run.output_file());
}

void convert_or_show(run::Run& run) {
  for (const auto& file : output_files(run)) io::require_replaceable(file);
  if (const std::filesystem::path output = run.output_path(); output.extension() == ".msh")
    throw InputError(
        fmt::format("{}: em-mesh writes HDF5: name the file {}.h5", output.string(), output.stem().string()));
  const auto axes = programs::mirror_axes(run);
  if (const auto numbers = run.option_list("velocity"); !numbers.empty()) {
    if (!axes.empty()) throw InputError("--velocity: is for meshes without --mirror");
    return write_velocities(numbers, run);
  }
  const bool is_mesh = std::filesystem::path(run.input()).extension() == ".h5";
  const bool asks = run.flag("info") || run.flag("vtkhdf");
  const bool is_surrounded = run.option("surround").has_value();
  for (const char* option : {"gap", "body", "hollow"})
    if (!is_surrounded && run.option(option))
      throw InputError(fmt::format("--{}: belongs to --surround", option));
  if (mesh::is_finished_mesh(run.input()) && !is_surrounded)
    for (const char* option : {"size", "wavelength-fraction"})
      if (run.option(option))
        throw InputError(
            fmt::format("--{}: {} is a finished mesh: the option has no effect", option, run.input()));
  if (is_mesh && !is_surrounded && !run.output_path().empty())
    throw InputError(run.input() + ": is a mesh already: nothing to convert (--info shows it)");
  if (run.output_path().empty() && !asks)
    throw InputError(
        "--output FILE.h5 is needed, the file of the mesh (or --info, to print information only)");
  const bool are_curves = is_mesh && mesh::is_curve_file(run.input());
  if (are_curves || run.flag("curves")) return convert_or_show_curves(are_curves, run);
  const programs::Waves waves = programs::read_waves(run);
  mesh::ImportOptions options;
  if (!is_mesh) options = programs::import_options(run, waves);
  auto [mesh, off_surface] =
      is_mesh ? mesh::Imported{mesh::read_mesh(run.input()), mesh::read_mesh_origin(run.input()).off_surface}
              : in_gmsh(run, "meshing", [&] { return mesh::import_geometry(run.input(), options); });
  for (const int axis : axes) mesh = mesh::mirrored(std::move(mesh), axis);
  if (is_surrounded)
    mesh = in_gmsh(run, "surrounding", [&] {
      return mesh::surround(mesh, programs::surround_options(run, waves),
                            mesh::gmsh_filler(run.input(), run.option("size-field").value_or("")));
    });
  if (is_surrounded && !run.option("order")) {
    auto flat = mesh::flatten_few(std::move(mesh));
    off_surface = std::max(off_surface, flat.farthest);
    mesh = mesh::straight_where_folded(std::move(flat.mesh));
  }
  const bool on_surfaces = mesh.cells.empty() || options.for_surfaces;
  mesh::check_mesh(mesh, on_surfaces ? mesh::MeshUse::surfaces : mesh::MeshUse::volumes);
  programs::print_report(mesh, waves, run);
  const mesh::MeshOrigin origin{
      .unit = options.unit,
      .size = options.size,
      .parameters = options.parameters,
      .mirror = fmt::format("{}", fmt::join(run.option_list("mirror"), "")),
      .off_surface = mesh.geometry_order == 2 ? off_surface : 0,
      .read_files = programs::recorded_files(),
  };
  if (const auto remark = origin.remark(); !remark.empty()) run.warn(remark);
  write_files(mesh, origin, run);
}

const run::AppInfo info{
    .name = "em-mesh",
    .summary =
        "Meshes a geometry (.geo, .step, .brep) or converts a mesh (.msh, .stl, .ply, .bdf, .nas, .unv, "
        ".mesh) to "
        "mesh.h5; shows what is in a mesh.",
    .example =
        "em-mesh meshes/iris.geo --unit mm --wavelength-fraction 0.1 --frequency 12e9 --set-number gap=8 -o "
        "iris.h5",
    .options =
        {{"--info", "print regions, quality and sizes; --output is then optional"},
         {"--unit", "unit of the numbers in the file and of --size: m, cm, mm, um, nm, km, inch, ft, mil",
          true, "UNIT"},
         {"--size", "greatest cell size, in the unit", true, "SIZE"},
         {"--wavelength-fraction", "greatest cell size in wavelengths of each region", true, "SHARE"},
         {"--frequency", "frequency in Hz for --wavelength-fraction and for the check of sizes in the report",
          true, "HZ"},
         {"--index", "refractive index of a region, 1 where not given; repeatable", true, "REGION=N"},
         {"--order",
          "1: straight cells; 2: cells of second order that follow curved surfaces (default where "
          "there are some)",
          true, "1|2"},
         {"--set-number", "value of a DefineConstant of the .geo; repeatable", true, "NAME=VALUE"},
         {"--size-field", "file of sizes on cells or triangles of an earlier mesh, as adaptive runs write it",
          true, "FILE.h5"},
         {"--mirror",
          "x, y or z: the geometry is one half of a body, and the mesh its half and the mirror image in that "
          "coordinate plane; repeatable",
          true, "AXIS"},
         {"--need", "region that must be there, looked for before meshing; repeatable", true,
          "volume|surface|region=NAME"},
         {"--surfaces",
          "for surface integral equations: volumes only name the surfaces around them, and folded curved "
          "cells are not repaired"},
         {"--velocity", "write how the nodes of a mesh move with this DefineConstant; with --of; repeatable",
          true, "NAME"},
         {"--of", "the mesh of --velocity", true, "MESH.h5"},
         {"--surround",
          "metres: keep the body and add cells up to a convex surface \"S\" at this distance "
          "from \"S_prime\", the body's surface",
          true, "METRES"},
         {"--gap", "metres: let \"S_prime\" be a convex surface at this distance from the body", true,
          "METRES"},
         {"--body", "region of the body: a volume or a closed surface; repeatable; else all volumes", true,
          "NAME"},
         {"--hollow", "volume of metal: its cells are removed, its surface gets the name; repeatable", true,
          "NAME"},
         {"--time-limit", "time limit of Gmsh in seconds, 1800 by default", true, "SECONDS"},
         {"--trust", "allow the .geo to start other programs and write files, which is refused otherwise"},
         {"--curves", "write the physical curves in the plane z = 0, exactly, and no mesh: for mom2d"},
         {"--vtkhdf", "also write the mesh for ParaView", true, "FILE"},
         {"--view",
          "show regions in a browser, by `curlew view` of the Python package; --output is the page"}},
    .output_file = true,
    .input_name = "GEOMETRY|MESH.h5"};

/// Replaces this program by `curlew view`, which calls em-mesh. @throws ResourceError if it is not installed
[[noreturn]] void view(int argc, char** argv) {
  std::vector<char*> arguments;
  for (const char* word : {"curlew", "view"}) arguments.push_back(const_cast<char*>(word));
  std::copy_if(argv + 1, argv + argc, std::back_inserter(arguments),
               [](const char* argument) { return std::string_view(argument) != "--view"; });
  arguments.push_back(nullptr);
  execvp("curlew", arguments.data());
  throw ResourceError("--view: there is no command curlew: pip install 'curlew-em[plot]'");
}

}  // namespace

int curlew::programs::em_mesh(int argc, char** argv) {
  return run::run_app(info, argc, argv, [=](const io::Config&, run::Run& run) {
    if (run.flag("view")) view(argc, argv);
    convert_or_show(run);
  });
}
