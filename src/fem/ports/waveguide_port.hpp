// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A port at the end of a guide: modes of rectangles and circles of one medium with metallic walls are in
// closed form (γ without wall losses), those of all other faces by finite elements.

#include <array>
#include <optional>
#include <vector>

#include "fem/ports/port.hpp"

namespace curlew::fem {

struct WaveguideOptions {
  int modes = 1;           ///< that appear in S
  int absorbed_modes = 4;  ///< further modes, terminated exactly but not reported
  bool numeric = false;    ///< find modes by finite elements even if a closed form exists
  ImpedanceDefinition impedance = ImpedanceDefinition::automatic;
  /// [m] from the first to the second point, in the face: the voltage of power_voltage
  std::optional<std::array<Vec3<double>, 2>> voltage_line{};
  std::optional<Vec3<double>> polarization{};  ///< mean field of the first of modes with equal cut-offs
};

PortKindPtr waveguide_port(const WaveguideOptions& options);

/// Voltage and current at unit amplitude of a mode of power Y/2; 0 if undefined.
struct LineQuantities {
  Complex voltage, current;
};

/// Base of waveguide ports of one and of several media: impedances by definition.
struct WaveguidePort : Port {
  WaveguidePort(const PortModel& model, const PortFace& face, const WaveguideOptions& options,
                int num_conductors, const NedelecSpace& space);

  /// @throws InputError also for a mode between conductors of finite impedance: there `automatic` gives the
  /// wave impedance, which is not that of a line, and S would refer to another line
  void require_impedance(std::size_t mode, const ModeState& state) const override;

 protected:
  /// Power-current 2P/I², power-voltage V²/2P or wave impedance 1/Y of the whole structure, of which the port
  /// may be a part; 0 without such a voltage or current. Its phase is that of the power, so that V I*/2
  /// equals the power (Marks and Williams 1992, J. Res. NIST 97(5), a general waveguide circuit theory,
  /// section 3.3).
  void set_impedance(Complex y, LineQuantities line, ModeState& state) const;
  /// The voltage of mode m along the user's line, if there is one. @param shapes [modes, dofs] ∫ W·e dS
  template <class T>
  Complex voltage_of(const std::vector<T>& shapes, std::size_t m, Complex otherwise) const {
    if (voltage_.empty()) return otherwise;
    Complex sum = 0;
    for (std::size_t d = 0; d < dofs.size(); ++d) sum += voltage_[d] * shapes[m * dofs.size() + d];
    return sum;
  }

 private:
  ImpedanceDefinition impedance_;
  /// Conductors of the cross-section, perfect ones and impedance walls, each a connected set of edges.
  int num_conductors_;
  /// For a voltage line: V = voltage · ∫ W·e dS [dofs]; empty without.
  std::vector<double> voltage_;
  /// Factor of V along the voltage line: 2 for each electric plane of symmetry at which the line ends.
  double voltage_factor_ = 1;
};

}  // namespace curlew::fem
