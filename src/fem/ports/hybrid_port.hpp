// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port of a guide of several media or with lossy walls: its modes are computed at every frequency.

#include <memory>

#include "fem/ports/face_modes.hpp"
#include "fem/ports/face_space.hpp"
#include "fem/ports/mode_history.hpp"
#include "fem/ports/port_walls.hpp"
#include "fem/ports/waveguide_port.hpp"

namespace curlew::fem {

struct HybridPort final : WaveguidePort {
  HybridPort(const PortModel& model, const PortFace& face, const WaveguideOptions& options,
             int num_conductors, std::vector<PortWall> walls, const NedelecSpace& space);

  bool follows_modes() const override { return true; }
  PortPtr restated(const PortModel& model) const override { return copy_restated(*this, model); }

 protected:
  PortSolution solve_modes(const PortContext& context, double frequency) const override;

 private:
  /// Modes at a frequency, numbered as at earlier frequencies. If the nearest of these is too far to identify
  /// the modes, an intermediate frequency is inserted.
  HybridModes followed_modes(const PortContext& context, double frequency, int halvings = 5) const;

  std::vector<PortWall> walls_;  ///< impedance and absorbing boundaries that the cross-section touches
  std::shared_ptr<const FaceSpace> space_;
  std::shared_ptr<ModeHistory> history_;  ///< the modes found so far (mode_history.hpp)
};

}  // namespace curlew::fem
