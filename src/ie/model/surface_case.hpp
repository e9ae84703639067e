// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Surfaces of a config: impedances and media as functions of frequency, and the equation. Read once, without
// mesh or frequency.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ie/surface/choose_equation.hpp"
#include "ie/surface/system.hpp"
#include "io/place.hpp"
#include "material/medium.hpp"
#include "mesh/mesh.hpp"

namespace curlew::ie {

/// A [[boundary]]. Without a wall it is a conductor.
struct SurfaceWall {
  std::vector<std::string> regions;
  std::function<Complex(double)> impedance;  ///< [ohm] by frequency [Hz]
  io::Place place;                           ///< of the regions
};

/// A [[material]] and the surfaces around it.
struct SurfaceMedium {
  std::vector<std::string> regions;
  material::Medium medium;
  io::Place place;
};

/// Equation, testing and the data that the choice between equations needs.
struct SurfaceFormulation {
  double alpha = 0.5;
  bool automatic = false;
  Equation equation = Equation::cfie;
  MagneticTesting testing = MagneticTesting::rwg;
  double highest_frequency = 0;  ///< [Hz]
  bool has_ports = false, stores_matrix = true;
};

struct SurfaceCase {
  std::vector<SurfaceWall> walls;
  std::vector<SurfaceMedium> media;
  std::vector<std::string> port_regions;  ///< strips of lumped ports
  SurfaceFormulation formulation;
  io::Place boundaries;  ///< of the list of [[boundary]]
};

/// @throws InputError with file and line
SurfaceCase read_surface_case(const io::Config& config);

/// The surfaces of one mesh at any frequency: names are looked up, surfaces taken out of the mesh and the
/// equation chosen once.
class SurfaceProblems {
 public:
  /// @throws InputError with file and line: unknown surfaces, surfaces without boundary or material, ...
  SurfaceProblems(std::shared_ptr<const SurfaceCase> stated, const mesh::Mesh& mesh);

  Problem at(double frequency) const;
  /// What belongs to the mesh alone is made once. Threads may call it at the same time.
  std::shared_ptr<const System> system_at(double frequency, const Accuracy& accuracy = {}) const;
  const SurfaceMesh& mesh() const { return mesh_; }
  /// The equation that "auto" chose for all frequencies, by the highest; empty if the config sets one.
  const std::optional<EquationChoice>& chosen() const { return chosen_; }

 private:
  struct Wall {
    Boundary boundary;
    const SurfaceWall* stated;  // for surfaces with an impedance
  };
  std::size_t find(const std::string& name) const;
  void add(const std::string& name, Wall wall);
  void add_walls(const mesh::Mesh& mesh);
  void add_media(const mesh::Mesh& mesh);
  void add_ports(const mesh::Mesh& mesh);
  void require_all(const mesh::Mesh& mesh) const;

  std::shared_ptr<const SurfaceCase> case_;
  std::vector<std::string> names_;  // by surface tag of the mesh
  std::vector<Wall> walls_;         // the same
  std::vector<int> num_bodies_;     // number of bodies that each surface bounds
  std::vector<std::vector<int>> surfaces_of_media_;
  SurfaceMesh mesh_;
  std::optional<EquationChoice> chosen_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const System> first_;  // of system_at
};

}  // namespace curlew::ie
