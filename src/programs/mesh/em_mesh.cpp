// SPDX-License-Identifier: BSD-3-Clause
// em-mesh: meshes a geometry, and reports on a mesh. The only program that links Gmsh (GPL).

#include "io/number_text.hpp"
#include "programs/programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iterator>
#include <map>
#include <new>
#include <string_view>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "mesh/check.hpp"
#include "mesh/finished.hpp"
#include "mesh/geo_parameters.hpp"
#include "mesh/gmsh_fill.hpp"
#include "mesh/gmsh_import.hpp"
#include "mesh/gmsh_velocity.hpp"
#include "mesh/inverted_cells.hpp"
#include "mesh/length_unit.hpp"
#include "mesh/mesh_file.hpp"
#include "mesh/mesh_vtk.hpp"
#include "mesh/mirror.hpp"
#include "mesh/node_velocity.hpp"
#include "mesh/quality.hpp"
#include "mesh/surround.hpp"
#include "programs/mesh/confine.hpp"
#include "programs/mesh/recorded_files.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

/// `name=value` of a repeated option; split at the last '=', as region names may contain one.
std::map<std::string, double> named_numbers(const run::Run& run, const std::string& option) {
  std::map<std::string, double> result;
  for (const std::string& text : run.option_list(option)) {
    const auto at = text.rfind('=');
    const bool is_named = at != std::string::npos && at > 0;
    const auto value = is_named ? io::number_of(text.substr(at + 1)) : std::nullopt;
    if (!value || !std::isfinite(*value))
      throw InputError(fmt::format("--{} {}: must be name=number", option, text));
    result[text.substr(0, at)] = *value;
  }
  return result;
}

std::optional<double> positive_option(const run::Run& run, const std::string& option) {
  const auto value = run.number_option(option);
  if (value && !(*value > 0)) throw InputError(fmt::format("--{} {}: must be positive", option, *value));
  return value;
}

/// Refractive indices of regions: for sizes by wavelength and for the check in the report.
struct Waves {
  std::optional<double> frequency;      ///< [Hz]
  std::map<std::string, double> index;  ///< refractive index of regions, 1 where not given
  double index_of(const std::string& region) const { return index.contains(region) ? index.at(region) : 1.0; }
};

Waves read_waves(const run::Run& run) {
  Waves waves{positive_option(run, "frequency"), named_numbers(run, "index")};
  for (const auto& [region, index] : waves.index)
    if (!(index > 0)) throw InputError(fmt::format("--index {}={}: must be positive", region, index));
  return waves;
}

/// For handlers of signals: it neither allocates nor formats. There is no file to remove then.
[[noreturn]] void end(std::string_view line, int status) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  _exit(status);
}

/// A handler for the time that Gmsh takes, which looks for no flag.
extern "C" void end_at_once(int) {
  end("em-mesh: interrupted\n", exit_interrupted);
}

/// Seconds after which Gmsh is stopped: on some geometries (tips of curved surfaces in OpenCASCADE) it never
/// ends.
constexpr double usual_time_limit = 1800;

std::string time_limit_line;  ///< message of end_at_limit: a handler may not format

extern "C" void end_at_limit(int) {
  end(time_limit_line, exit_numerical);
}

/// Ends the program when Gmsh takes longer than this, for the life of a scope.
class TimeLimit {
 public:
  TimeLimit(const std::string& geometry, double seconds) {
    time_limit_line = fmt::format(
        "em-mesh: {}: Gmsh did not finish within {} s: give another size, change the geometry (for tips of "
        "curved surfaces see meshes/revolved.geo), or raise --time-limit\n",
        geometry, seconds);
    std::signal(SIGALRM, end_at_limit);
    set(seconds);
  }
  ~TimeLimit() {
    set(0);
    std::signal(SIGALRM, SIG_DFL);
  }
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

 private:
  static void set(double seconds) {
    const double whole = std::floor(std::min(seconds, 1e9));
    const itimerval timer{{0, 0}, {time_t(whole), suseconds_t((std::min(seconds, 1e9) - whole) * 1e6)}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizer_catches = true;
#else
constexpr bool sanitizer_catches = false;
#endif

std::string crash_line;  ///< message of end_at_crash

extern "C" void end_at_crash(int) {
  end(crash_line, exit_input);
}

/// Gmsh crashes on some texts that are no geometry, as by `Merge "FILE"`: within the scope that is an input
/// error. Sanitizers have other handlers.
class CrashGuard {
 public:
  explicit CrashGuard(const std::string& geometry) {
    if (sanitizer_catches) return;
    crash_line =
        fmt::format("em-mesh: {}: Gmsh crashes on this geometry, or on a file that it includes\n", geometry);
    struct sigaction action {};
    action.sa_handler = end_at_crash;
    action.sa_flags = SA_ONSTACK;  // possibly a stack overflow
    const stack_t apart{stack_.data(), 0, stack_.size()};
    sigaltstack(&apart, &stack_before_);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
  }
  ~CrashGuard() {
    if (sanitizer_catches) return;
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
    sigaltstack(&stack_before_, nullptr);
  }
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  static constexpr std::array signals{SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  std::array<struct sigaction, 5> before_{};
  std::array<char, 1 << 16> stack_{};
  stack_t stack_before_{};
};

std::string unit_option(const run::Run& run) {
  if (const auto unit = run.option("unit")) return *unit;
  throw InputError(
      fmt::format("--unit is needed: the unit of the numbers in {} ({})", run.input(), mesh::length_units));
}

std::vector<mesh::RegionNeed> read_needs(const run::Run& run) {
  std::vector<mesh::RegionNeed> needs;
  for (const std::string& text : run.option_list("need")) {
    const std::string kind = text.substr(0, text.find('='));
    if (text.find('=') == std::string::npos || (kind != "volume" && kind != "surface" && kind != "region"))
      throw InputError(fmt::format("--need {}: must be volume=NAME, surface=NAME or region=NAME", text));
    needs.push_back({kind, text.substr(kind.size() + 1)});
  }
  return needs;
}

mesh::ImportOptions import_options(const run::Run& run, const Waves& waves) {
  const std::string unit = unit_option(run);
  mesh::ImportOptions options{.unit = unit,
                              .size = positive_option(run, "size"),
                              .parameters = named_numbers(run, "set-number"),
                              .needs = read_needs(run),
                              .for_surfaces = run.flag("surfaces")};
  if (const auto field = run.option("size-field")) options.size_field = *field;
  if (const auto order = run.number_option("order")) {
    if (*order != 1 && *order != 2)
      throw InputError(fmt::format("--order {}: 1 (straight) or 2 (curved)", *order));
    options.order = int(*order);
  }
  if (const auto fraction = positive_option(run, "wavelength-fraction")) {
    if (options.size) throw InputError("--size and --wavelength-fraction exclude each other");
    if (!waves.frequency) throw InputError("--wavelength-fraction needs --frequency");
    const double size = *fraction * speed_of_light / *waves.frequency;
    options.size = size / mesh::metres_per_unit(unit);
    for (const auto& [region, index] : waves.index) options.region_sizes[region] = size / index;
    // A medium slower than the vacuum has smaller cells than `size`, a faster one greater ones.
    for (const auto& [region, index] : waves.index)
      options.size = std::max(*options.size, options.region_sizes[region] / mesh::metres_per_unit(unit));
  }
  return options;
}

/// The body of a mesh with cells around it, for open problems.
mesh::Mesh surrounded(const mesh::Mesh& body, const run::Run& run, const Waves& waves) {
  mesh::Surround options{.body = run.option_list("body"),
                         .hollow = run.option_list("hollow"),
                         .distance = *positive_option(run, "surround"),
                         .gap = positive_option(run, "gap").value_or(0)};
  const auto fraction = positive_option(run, "wavelength-fraction");
  if (const auto size = positive_option(run, "size"))
    options.size = *size * mesh::metres_per_unit(run.option("unit").value_or("m"));
  else if (fraction && waves.frequency)
    options.size = *fraction * speed_of_light / *waves.frequency;
  return mesh::surround(body, options, mesh::gmsh_filler(run.input(), run.option("size-field").value_or("")));
}

/// The axes of --mirror, each once.
std::vector<int> mirror_axes(const run::Run& run) {
  std::vector<int> axes;
  for (const std::string& text : run.option_list("mirror")) {
    if (text != "x" && text != "y" && text != "z")
      throw InputError(fmt::format("--mirror {}: must be x, y or z", text));
    const int axis = text[0] - 'x';
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw InputError(fmt::format("--mirror {}: is there twice", text));
    axes.push_back(axis);
  }
  return axes;
}

[[noreturn]] void end_for_lack_of_memory() {
  end("em-mesh: Gmsh needs more memory than is free: choose a greater size\n", exit_resource);
}

/// Gmsh throws texts, some of them from its own threads, where they cannot be caught.
[[noreturn]] void end_with_message() {
  std::string message = "ended with an error without a message";
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::string& text) {
    message = text;
  } catch (const std::bad_alloc&) {
    end_for_lack_of_memory();
  } catch (const std::exception& e) {
    message = e.what();
  } catch (...) {
  }
  end("em-mesh: Gmsh: " + message + "\n", exit_input);
}

bool gmsh_is_at_work = false;

/// `Exit;` in a script ends the process with status 0, as if a mesh had been made.
void refuse_exit() {
  if (!gmsh_is_at_work) return;
  end("em-mesh: the geometry ends Gmsh (Exit; in a .geo) before there is a mesh: remove that line\n",
      exit_input);
}

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
  programs::confine(folders_of(output_files(run)));
}

/// Runs what Gmsh does.
template <class Step>
auto in_gmsh(run::Run& run, const char* stage, Step step) {
  auto timer = run.stage(stage);
  confine_geometry(run);
  const TimeLimit limit(run.input(), positive_option(run, "time-limit").value_or(usual_time_limit));
  const CrashGuard guard(run.input());
  const programs::FileRecord record;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) std::signal(signal, end_at_once);
  const auto usual = std::set_terminate(end_with_message);
  static const int registered = std::atexit(refuse_exit);
  static_cast<void>(registered);
  gmsh_is_at_work = true;
  auto result = [&] {
    try {
      return step();
    } catch (...) {
      gmsh_is_at_work = false;
      throw;
    }
  }();
  gmsh_is_at_work = false;
  std::set_terminate(usual);
  install_interrupt_handler();
  return result;
}

std::string metres(double length) {
  return fmt::format("{:.4g}", length);
}

void print_report(const mesh::Mesh& mesh, const Waves& waves, run::Run& run) {
  const auto report = mesh::report_quality(mesh);
  std::vector<std::string> columns{"volume",     "cells",     "volume_m3",  "min_edge_m",  "mean_edge_m",
                                   "max_edge_m", "min_shape", "mean_shape", "min_jacobian"};
  if (waves.frequency) columns.push_back("max_edge_wavelengths");
  run.table("volumes", columns);
  for (const auto& v : report.volumes) {
    std::vector<std::string> row{v.name,
                                 fmt::format("{}", v.cells),
                                 fmt::format("{:.6g}", v.volume),
                                 metres(v.min_edge),
                                 metres(v.mean_edge),
                                 metres(v.max_edge),
                                 fmt::format("{:.3f}", v.min_shape),
                                 fmt::format("{:.3f}", v.mean_shape),
                                 fmt::format("{:.3f}", v.min_jacobian)};
    if (waves.frequency) {
      const double edge = mesh::edge_in_wavelengths(v, *waves.frequency, waves.index_of(v.name));
      row.push_back(fmt::format("{:.3f}", edge));
      if (edge > 0.5)
        run.warn(
            fmt::format("region \"{}\": edges up to {:.2g} wavelengths: no element resolves a wave with less "
                        "than two cells",
                        v.name, edge));
    }
    run.row(row);
    if (v.min_shape < 0.002)
      run.warn(fmt::format("region \"{}\": flat cells (shape {:.2g}): the matrix is badly conditioned",
                           v.name, v.min_shape));
  }
  run.table("surfaces", {"surface", "triangles", "area_m2"});
  for (const auto& s : report.surfaces)
    run.row({s.name, fmt::format("{}", s.triangles), fmt::format("{:.6g}", s.area)});
  run.line(fmt::format(
      "{} cells, {} nodes, geometry order {}, from ({:.4g}, {:.4g}, {:.4g}) to ({:.4g}, {:.4g}, {:.4g}) m",
      mesh.num_cells(), mesh.nodes.size(), mesh.geometry_order, report.lo.x, report.lo.y, report.lo.z,
      report.hi.x, report.hi.y, report.hi.z));
  if (report.coincident_nodes > 0)
    run.warn(
        fmt::format("{} nodes lie on others: volumes touch without sharing their mesh (Coherence or "
                    "BooleanFragments missing?)",
                    report.coincident_nodes));
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

void print_curves(const std::vector<mesh::PhysicalCurve>& curves, run::Run& run) {
  run.table("curves", {"curve", "closed", "parts", "length_m"});
  for (const auto& curve : curves) {
    double length = 0;
    for (const auto& section : curve.sections) {
      constexpr int steps = 1000;
      for (int i = 0; i < steps; ++i)
        length += norm(evaluate(section, (i + 1.0) / steps) - evaluate(section, double(i) / steps));
    }
    run.row({curve.name, curve.closed ? "yes" : "no", fmt::format("{}", curve.sections.size()),
             fmt::format("{:.6g}", length)});
  }
}

void convert_or_show_curves(bool is_converted, run::Run& run) {
  for (const char* option : {"size", "wavelength-fraction", "order", "vtkhdf"})
    if (run.option(option)) throw InputError(fmt::format("--{}: is for meshes, not for curves", option));
  const auto curves = is_converted ? mesh::read_curves(run.input()) : in_gmsh(run, "following curves", [&] {
    return mesh::import_curves(run.input(),
                               {.unit = unit_option(run), .parameters = named_numbers(run, "set-number")});
  });
  print_curves(curves, run);
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
        run.input(), {.unit = unit_option(run), .parameters = named_numbers(run, "set-number")}, numbers,
        mesh);
  });
  mesh::write_velocities(velocities, run.output_file());
}

void convert_or_show(run::Run& run) {
  for (const auto& file : output_files(run)) io::require_replaceable(file);
  const auto axes = mirror_axes(run);
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
  const Waves waves = read_waves(run);
  mesh::ImportOptions options;
  if (!is_mesh) options = import_options(run, waves);
  auto [mesh, off_surface] =
      is_mesh ? mesh::Imported{mesh::read_mesh(run.input()), mesh::read_mesh_origin(run.input()).off_surface}
              : in_gmsh(run, "meshing", [&] { return mesh::import_geometry(run.input(), options); });
  for (const int axis : axes) mesh = mesh::mirrored(std::move(mesh), axis);
  if (is_surrounded) mesh = in_gmsh(run, "surrounding", [&] { return surrounded(mesh, run, waves); });
  if (is_surrounded && !run.option("order")) {
    auto flat = mesh::flatten_few(std::move(mesh));
    off_surface = std::max(off_surface, flat.farthest);
    mesh = mesh::straight_where_folded(std::move(flat.mesh));
  }
  const bool on_surfaces = mesh.cells.empty() || options.for_surfaces;
  mesh::check_mesh(mesh, on_surfaces ? mesh::MeshUse::surfaces : mesh::MeshUse::volumes);
  print_report(mesh, waves, run);
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
