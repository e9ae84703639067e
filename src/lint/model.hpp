// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Input of the rules: a config, and its mesh once there is one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/config.hpp"
#include "mesh/mesh.hpp"

namespace curlew::lint {

struct Model {
  io::Config config;  ///< a copy, so that reading it does not mark keys of the program's config as read
  std::string program;
  const mesh::Mesh* mesh = nullptr;  ///< null before meshing

  std::vector<double> frequencies =
      {};            ///< [Hz] ascending, without 0; for eigenproblems the target; may be empty
  double speed = 0;  ///< wave speed of the background [m/s]: of light, or of sound

  double wavelength_min() const { return speed / frequencies.back(); }
  double wavelength_max() const { return speed / frequencies.front(); }
  bool is_sound() const;
  /// [m] of one unit of the config's coordinates
  double unit() const;
};

/// @throws InputError for keys that the program will refuse
Model make_model(const io::Config& config, const std::string& program, const mesh::Mesh* mesh);

/// A number or [re, im]; empty if the key is missing or a tensor.
std::optional<Complex> scalar(const io::Config& table, std::string_view key);
std::optional<double> number(const io::Config& table, std::string_view key);
/// A number or a list; empty without the key.
std::vector<double> numbers_at(const io::Config& table, std::string_view key);
std::string text_or(const io::Config& table, std::string_view key, const std::string& fallback);
/// The names at `region`; empty without that key.
std::vector<std::string> region_names(const io::Config& table, std::string_view key = "region");

/// Least and greatest coordinates.
struct Extent {
  Vec3<double> low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  void add(Vec3<double> p);
  bool is_empty() const { return !(low.x <= high.x); }
  double longest() const;
  double diagonal() const { return norm(high - low); }
};

/// Nodes of a named volume or surface, each once, ascending; empty if the mesh has no such name.
std::vector<Index> nodes_of(const mesh::Mesh& mesh, const std::vector<mesh::Region>& regions,
                            const std::vector<std::string>& names);
Extent extent_of(const mesh::Mesh& mesh, const std::vector<Index>& nodes);
Extent extent_of(const mesh::Mesh& mesh);
/// The least distance between two sets of nodes; for large sets only a sample is compared, with an error of
/// some percent.
double distance(const mesh::Mesh& mesh, const std::vector<Index>& a, const std::vector<Index>& b);

}  // namespace curlew::lint
