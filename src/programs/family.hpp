// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Points of a sweep that are refined: the first hands on the sizes of its mesh.

#include <optional>
#include <string>

#include "mesh/size_field.hpp"
#include "programs/refinement.hpp"

namespace curlew::programs {

/// A mesh of the geometry with the sizes in a file. @param path as mesh::write_size_field writes it
mesh::Mesh mesh_of_sizes(const Refinement& refinement, const io::Config& config, const std::string& path,
                         run::Run& run);

/// What a point hands on or is handed: the sizes that a mesh was made with. Points of the same geometry then
/// have the same mesh, and their results do not jump by more than their bars.
class Family {
 public:
  /// @param is_geometry else there are no sizes to hand on: finished meshes are cut
  /// @param first mesh of this point without any sizes
  Family(run::Run& run, bool is_geometry, const mesh::Mesh& first);
  bool is_handed() const { return is_handed_; }
  /// What was handed on, stretched with the box of the geometry: a rim that moves with its end stays fine,
  /// and nothing else becomes so. @throws InputError for another file
  mesh::SizeField sizes() const;
  /// Forgets what an earlier sweep has handed on.
  void begin() const;
  /// A mesh was made with these sizes.
  void made(const mesh::SizeField& sizes);
  /// @param has_estimates a single mesh has. Else only a change between two tells how good they are: sizes of
  /// the last but one are handed on, so that other points end where this one has
  void hand_on(bool has_estimates) const;

 private:
  /// [m] least and greatest coordinates of this point's first mesh
  Vec3<double> low_{}, high_{};
  std::string path_;
  bool hands_on_, is_handed_;
  std::optional<mesh::SizeField> last_, before_;
};

}  // namespace curlew::programs
