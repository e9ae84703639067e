// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters in their final form: the same values, with the same references, in every table, summary and
// file.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/ports/port.hpp"
#include "fem/ports/port_solution.hpp"

namespace curlew::fem {

/// One frequency.
struct NetworkPoint {
  double frequency = 0;             ///< [Hz]
  double solved_at = 0;             ///< [Hz] the same, except for the limit at 0 Hz
  std::vector<ModeState> modes;     ///< reported modes of all ports
  Eigen::MatrixXcd modal;           ///< S of power waves, every mode normalised to its own impedance
  Eigen::MatrixXcd s;               ///< S of power waves normalised to `references`
  std::vector<Complex> references;  ///< [modes] [ohm]; a mode's own impedance if none is requested
};

class PortNetwork {
 public:
  /// @param ports outlive the network
  /// @param modes the reported ones, in the order of S
  /// @param reference [ohm] for lumped ports and modes between conductors that no port's reference_impedance
  /// names
  PortNetwork(const std::vector<PortPtr>& ports, std::vector<ModePlace> modes,
              std::optional<Complex> reference);

  /// @param modes states of the reported modes @param modal S normalised to the modes' own impedances @throws
  /// InputError naming the port if S must be renormalised and a mode has no impedance
  void add(double frequency, std::vector<ModeState> modes, Eigen::MatrixXcd modal);

  /// Adds the limit at 0 Hz from a frequency [Hz] close to it: S is made real, and modes have γ = 0.
  void add_limit(double frequency, std::vector<ModeState> modes, const Eigen::MatrixXcd& modal);

  const std::vector<PortPtr>& ports() const { return ports_; }
  const std::vector<ModePlace>& modes() const { return modes_; }
  const std::vector<NetworkPoint>& points() const { return points_; }
  std::size_t size() const { return modes_.size(); }
  const Port& port(std::size_t i) const { return *ports_[std::size_t(modes_[i].port)]; }
  std::string label(std::size_t i) const { return mode_label(ports_, modes_[i]); }
  /// "50 ohm", "50 + 10j ohm", or "its own impedance" of a guide's mode.
  std::string reference_text(std::size_t i) const;
  /// A real reference of each mode, constant over frequency, if they are such: the form of Touchstone 2.0.
  std::optional<std::vector<double>> constant_references() const;
  /// The one real reference of all modes at all frequencies, if there is one: the form of Touchstone 1.1.
  std::optional<double> common_reference() const;
  /// Input impedance of a lumped port with all others matched to their own impedances [ohm].
  Complex input_impedance(const NetworkPoint& point, std::size_t i) const;

 private:
  /// Requested reference impedance of a mode [ohm], 0 for its own impedance.
  Complex asked(std::size_t i, const ModeState& mode) const;

  const std::vector<PortPtr>& ports_;
  std::vector<ModePlace> modes_;
  std::optional<Complex> reference_;
  std::vector<NetworkPoint> points_;
};

}  // namespace curlew::fem
