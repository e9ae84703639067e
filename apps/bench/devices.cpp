// SPDX-License-Identifier: BSD-3-Clause
// em-bench multilevel --case devices: configs of the tree by fem-solve, GMRES with the multilevel
// preconditioner beside the direct solver. The program runs as a user starts it, one frequency.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "bench/cases.hpp"

namespace curlew::bench {
namespace {

struct DeviceRun {
  const char* label;
  const char* config;
  const char* frequency;  ///< [Hz]
  const char* options;
};
constexpr DeviceRun devices[] = {
    {"wr90", "wr90", "1e10", ""},
    {"slab", "slab", "1e10", ""},
    {"coax", "coax", "1e10", ""},
    {"microstrip", "microstrip", "2e8", ""},
    {"iris", "iris", "1e10", ""},
    {"filter", "filter", "1e10", ""},
    {"puck", "puck", "1.16e10", "--set mesh.wavelength_fraction=0.2"},
    {"puck, halved", "puck", "1.16e10", ""},
    {"perforated_plate", "perforated_plate", "1.3e10", ""},
    {"perforated_plate, 60 degrees", "perforated_plate", "1.1e10", "--set bloch.theta=60"},
    {"guide_probe", "guide_probe", "1e10", ""},
    {"tee", "tee", "1e10", ""},
    {"stub_filter", "stub_filter", "8e9", ""},
    {"slotted_plate", "slotted_plate", "1e10",
     "--set mesh.parameters.size_slot=0.2 --set mesh.parameters.size_far=8 --set mesh.parameters.growth=1.5"},
    {"patch_fr4", "patch_fr4", "2.45e9", ""},
    {"patch_in_air", "patch_in_air", "1e9", ""},
    {"lumped_dipole", "lumped_dipole", "3e8", ""},
    {"dra", "dra", "5.22e9", ""},
    {"sphere_in_layer, plane wave", "sphere_in_layer", "71569177", ""},
    {"slotted_sheet, plane wave", "slotted_sheet", "1e10", "--set mesh.parameters.growth=1.2"},
    {"horn_in_air, short", "horn_in_air", "8.75e9",
     "--set mesh.size=6 --set mesh.parameters.length=100 --set mesh.parameters.width=70 --set "
     "mesh.parameters.height=55"},
    {"horn_in_air", "horn_in_air", "8.75e9", ""}};

std::string in_quotes(const std::filesystem::path& path) {
  return fmt::format("'{}'", path.string());
}

struct Ended {
  nlohmann::json summary;
  long factorised = 0;  ///< unknowns on the coarse level, from the log; 0: direct
};

/// N of the line "multilevel: N of M unknowns are factorised".
long factorised_in(const std::filesystem::path& log) {
  std::ifstream file(log);
  const std::string word = "multilevel: ";
  long found = 0;
  for (std::string line; std::getline(file, line);)
    if (const auto at = line.find(word); at != std::string::npos && line.ends_with("factorised"))
      found = std::stol(line.substr(at + word.size()));
  return found;
}

/// @throws NumericalError if the run fails
Ended solve_device(const DeviceRun& d, int order, const std::string& method, Device device) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("curlew-bench-{}", d.config);
  const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fem-solve";
  const auto config = std::filesystem::path(CURLEW_SOURCE_DIR) / "configs" / fmt::format("{}.toml", d.config);
  const std::string command = fmt::format(
      "{} {} --quiet --device {} --threads {} --output {} --set space.order={} --set frequency.values=[{}] "
      "--set output.fields=false --set accuracy.estimate=off --set solver.tolerance=1e-8 "
      "--set solver.max_iterations=200 --set solver.method={} {} > /dev/null",
      in_quotes(program), in_quotes(config), device == Device::cuda ? "cuda" : "cpu", num_threads(),
      in_quotes(folder), order, d.frequency, method, d.options);
  if (std::system(command.c_str()) != 0) throw NumericalError("failed: " + command);
  return {nlohmann::json::parse(std::ifstream(folder / "summary.json")), factorised_in(folder / "run.log")};
}

/// Seconds of all stages of the linear solver.
double solver_seconds(const nlohmann::json& summary) {
  const auto& solver = summary.at("solver");
  return summary.at("stages").value("analysis", 0.0) + solver.value("factorisation_seconds", 0.0) +
         solver.value("substitution_seconds", 0.0);
}

void measure_device(const DeviceRun& d, int order, Device device, Report& report) {
  const auto [levels, factorised] = solve_device(d, order, "gmres", device);
  const auto direct = solve_device(d, order, "direct", device).summary;
  const auto& solver = levels.at("solver");
  const double unknowns = levels.at("sizes").at("unknowns");
  report.row({fmt::format("{}, order {}", d.label, order), unknowns, double(factorised) / unknowns,
              solver.at("history").size(), solver.at("iterations"),
              solver.value("factorisation_seconds", 0.0), solver.value("substitution_seconds", 0.0),
              solver_seconds(levels), solver_seconds(direct)});
}

}  // namespace

std::vector<std::string> device_configs() {
  std::vector<std::string> names;
  for (const DeviceRun& d : devices)
    if (names.empty() || names.back() != d.config) names.emplace_back(d.config);
  return names;
}

bool multilevel_devices(const Options& options, Report& report) {
  const auto is_asked = [&](const DeviceRun& d) {
    return options.case_name == "devices" || options.case_name == d.config;
  };
  if (std::ranges::none_of(devices, is_asked)) return false;
  report.table(fmt::format("solution of device models to 1e-8 at one frequency, {} threads", num_threads()),
               {"device", "unknowns", "factorised share", "iterations of the slowest", "of all", "set-up s",
                "solve s", "gmres in all s", "direct in all s"});
  for (const DeviceRun& d : devices) {
    if (!is_asked(d)) continue;
    for (const int order : {2, 3}) {
      try {
        measure_device(d, order, options.device, report);
      } catch (const Error& error) {
        report.note(fmt::format("{}, order {}: {}", d.label, order, error.what()));
      }
    }
  }
  return true;
}

}  // namespace curlew::bench
