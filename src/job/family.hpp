// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Adaptive meshes over a parameter sweep: the other points start from the element sizes of the first one.

#include <optional>
#include <string>

#include "job/refinement.hpp"
#include "mesh/size_field.hpp"

namespace curlew::job {

/// A mesh of the geometry with the sizes in a file. @param path as mesh::write_size_field writes it
mesh::Mesh mesh_of_sizes(const Refinement& refinement, const io::Config& config, const std::string& path,
                         run::Run& run);

/// Element sizes that points of a sweep share. Points of the same geometry then have the same mesh, and
/// results do not jump from point to point by more than their error bars.
class Family {
 public:
  /// @param is_geometry the mesh is made from a geometry; a finished mesh is subdivided and has no sizes to
  /// share
  /// @param first mesh of this point without any sizes
  Family(run::Run& run, bool is_geometry, const mesh::Mesh& first);
  bool is_handed() const { return is_handed_; }
  /// The shared sizes, scaled with the bounding box of this geometry, so that fine regions follow the parts
  /// that move. @throws InputError for another file
  mesh::SizeField sizes() const;
  /// Deletes the sizes of an earlier sweep.
  void begin() const;
  /// Records the sizes that a mesh was made with.
  void made(const mesh::SizeField& sizes);
  /// @param has_estimates a single mesh has an error estimate. If only the change between two meshes gives
  /// one, the previous sizes are shared, so that other points end with the same mesh as this one
  void hand_on(bool has_estimates) const;

 private:
  /// [m] least and greatest coordinates of this point's first mesh
  Vec3<double> low_{}, high_{};
  std::string path_;
  bool hands_on_, is_handed_;
  std::optional<mesh::SizeField> last_, before_;
};

}  // namespace curlew::job
