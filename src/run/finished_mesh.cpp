// SPDX-License-Identifier: BSD-3-Clause
#include "run/finished_mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "mesh/length_unit.hpp"

namespace curlew::run {
namespace {

/// Compares keys with those recorded in the file.
class Agreement {
 public:
  explicit Agreement(std::string path) : path_(std::move(path)) {}

  /// @param made the file's value, empty if unknown
  void compare(const io::Config& table, const std::string& key, const std::string& stated,
               const std::string& made) {
    if (made.empty())
      table.error(
          key,
          fmt::format(
              "{} is a finished mesh, whose {} is not known (given: {}): leave it out, or mesh the geometry",
              path_, key, stated));
    if (stated != made)
      table.error(key,
                  fmt::format("{} = {}, but {} is a finished mesh with {} = {}: leave it out, or mesh the "
                              "geometry",
                              key, stated, path_, key, made));
    agreed_.push_back(key);
  }
  /// @param stated [m] @param made [unit]; empty if unknown
  void compare_fraction(const io::Config& table, double stated, const mesh::MeshOrigin& made) {
    constexpr const char* key = "wavelength_fraction";
    constexpr double rounding = 1.01;  // of typed sizes
    if (!made.size || made.unit.empty())
      return compare(table, key, fmt::format("cells of {:.4g} m", stated), "");
    const double found = *made.size * mesh::metres_per_unit(made.unit);
    if (found > rounding * stated)
      table.error(key,
                  fmt::format("{} asks for cells of {:.4g} m, but {} is a finished mesh with size = {} {}: "
                              "leave it out, or mesh the geometry",
                              key, stated, path_, *made.size, made.unit));
    agreed_.emplace_back(found * rounding < stated ? "wavelength_fraction or finer" : key);
  }
  void warn(Run& run) const {
    if (!agreed_.empty())
      run.warn(fmt::format("{} is a finished mesh with the same {}: the key has no effect", path_,
                           fmt::join(agreed_, ", ")));
  }

 private:
  std::string path_;
  std::vector<std::string> agreed_;
};

}  // namespace

void check_finished_mesh(const io::Config& table, const std::string& path, const mesh::MeshOrigin& made,
                         double by_wavelength, bool makes_cells, Run& run) {
  const io::Config parameters = table.table("parameters");
  const auto text = [](double value) { return fmt::format("{}", value); };
  Agreement agreement(path);
  if (table.has("unit")) agreement.compare(table, "unit", table.get<std::string>("unit"), made.unit);
  if (table.has("order"))
    agreement.compare(table, "order", std::to_string(table.integer_in("order", 1, 2)),
                      std::to_string(made.geometry_order));
  if (table.has("size") && !makes_cells)
    agreement.compare(table, "size", text(table.positive("size")), made.size ? text(*made.size) : "");
  if (by_wavelength > 0 && !makes_cells) agreement.compare_fraction(table, by_wavelength, made);
  for (const std::string& name : parameters.keys()) {
    const auto known = made.parameters.find(name);
    agreement.compare(parameters, name, text(parameters.get<double>(name)),
                      known == made.parameters.end() ? "" : text(known->second));
  }
  if (table.has("mirror")) {
    const auto axes = table.get<std::vector<std::string>>("mirror");
    agreement.compare(table, "mirror", fmt::format("{}", fmt::join(axes, "")), made.mirror);
  }
  agreement.warn(run);
  if (table.has("time_limit") && table.positive("time_limit") > 0 && !makes_cells)
    run.warn(fmt::format("{} is a finished mesh: time_limit has no effect", path));
}

}  // namespace curlew::run
