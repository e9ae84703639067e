// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port of a guide of one medium: its modes' fields do not depend on frequency.

#include "fem/ports/waveguide_mode.hpp"
#include "fem/ports/waveguide_port.hpp"

namespace curlew::fem {

struct HomogeneousPort final : WaveguidePort {
  using WaveguidePort::WaveguidePort;

  std::optional<double> cutoff_frequency(std::size_t mode, const Material& medium) const override;
  PortPtr restated(const PortModel& model) const override { return copy_restated(*this, model); }

  /// Modes of a rectangle or circle with metallic walls. @throws InputError if the mesh is too coarse for
  /// them
  void set_closed_form(const std::vector<WaveguideMode>& found, const NedelecSpace& space);
  /// Modes by finite elements on the face. @throws InputError as above, or if magnetic walls divide the face
  void set_numeric(const WaveguideOptions& options, const NedelecSpace& space);

 protected:
  PortSolution solve_modes(const PortContext& context, double frequency) const override;
};

}  // namespace curlew::fem
