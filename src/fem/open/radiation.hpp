// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far fields of finite element solutions: [output] far_field, rows for rcs.csv and farfield.csv, powers.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/open/equivalent_currents.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/known_field.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/open/symmetry.hpp"
#include "fields/far_field.hpp"
#include "fields/radiation.hpp"
#include "io/far_field_files.hpp"
#include "io/pattern_files.hpp"

namespace curlew::fem {

struct FarFieldRequest {
  std::vector<double> theta_deg, phi_deg;  ///< all pairs are computed
  std::vector<std::string> surface;        ///< regions; empty: the inner face of layers, or all absorbing
                                           ///< boundaries
  Symmetry symmetry;
  io::PatternFormats formats;  ///< of further pattern files
};

/// [output] far_field = { theta = [start, stop, points], phi = [..], surface = ".." } without its symmetry;
/// empty without far_field.
/// @throws InputError with file and line
std::optional<FarFieldRequest> read_far_field(const io::Config& config, const mesh::Mesh& mesh);

/// Names the surface if the request does not; may add one to mesh and topology, so call it before the space
/// is made.
/// @throws InputError if there is neither a layer nor an absorbing boundary
void choose_surface(FarFieldRequest& request, const Model& model, mesh::Mesh& mesh, mesh::Topology& topology);

/// Radiation of one right-hand side.
struct Radiation {
  std::vector<fields::Direction> directions;
  std::vector<Complex> e_theta, e_phi;  ///< [directions] E r exp(jkr) [V]
  double radiated = 0;                  ///< through the surface [W], of the whole structure
  /// Power in the far field [W]; differs from `radiated` if the truncation reflects. Empty if it would take
  /// long.
  std::optional<double> far_power{};
};

class RadiationCalculator {
 public:
  /// @param device that sums far fields
  RadiationCalculator(const NedelecSpace& space, const Model& model, FarFieldRequest request,
                      Device device = Device::cpu);
  const FarFieldRequest& request() const { return request_; }
  /// @param x [num_dofs, count], column-major
  /// @param incident field that radiates too: currents are those of the sum
  std::vector<Radiation> compute(const Complex* x, Index count, double frequency,
                                 const IncidentField& known = nullptr) const;
  /// E and curl E of one right-hand side outside of the surface; zero behind a ground plane.
  fields::NearFields near_fields(const Complex* x, std::span<const Vec3<double>> points,
                                 double frequency) const;
  /// For every point, whether the surface with its images encloses it; on the surface accurate to a fraction
  /// of its triangles' size.
  std::vector<bool> encloses(std::span<const Vec3<double>> points) const;

 private:
  /// @throws InputError if the side from which currents are computed is not vacuum
  fields::SurfaceCurrents currents(const Complex* x, Index count, double frequency) const;

  const NedelecSpace& space_;
  const Model& model_;
  FarFieldRequest request_;
  RadiatingSurface surface_;
  EquivalentCurrents currents_;
  Device device_;
};

}  // namespace curlew::fem
