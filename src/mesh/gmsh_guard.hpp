// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Gmsh runs for long on some geometries, crashes on others, throws texts from threads of its own, and a
// script may end the process. Within the scope of a guard each of these ends em-mesh with a message and its
// status.

#include <memory>
#include <string>

namespace curlew::mesh {

/// [s] On some geometries (tips of curved surfaces in OpenCASCADE) Gmsh never ends.
inline constexpr double usual_time_limit = 1800;

/// One at a time. Ctrl-C ends at once meanwhile, since Gmsh looks for no flag.
class GmshGuard {
 public:
  /// @param geometry file, for messages @param time_limit [s]
  GmshGuard(const std::string& geometry, double time_limit);
  ~GmshGuard();
  GmshGuard(const GmshGuard&) = delete;
  GmshGuard& operator=(const GmshGuard&) = delete;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace curlew::mesh
