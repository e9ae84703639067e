// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [excitation] together with [[port]]: currents and plane waves inside a device whose ports are matched, and
// the waves that leave through them.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "fem/open/excitation.hpp"
#include "fem/open/radiating_surface.hpp"
#include "fem/report/maxwell_files.hpp"

namespace curlew::fem {

/// The sources of a config.
struct ReceivedSources {
  std::vector<Excitation> excitations;
  std::vector<std::string> entrance;  ///< surfaces through which waves enter
  bool has_waves() const;
};

/// Reads [excitation]; adds the surface through which waves enter to the mesh; call it before the space is
/// made. @throws InputError with file and line
ReceivedSources read_received(const io::Config& config, MaxwellSetup& setup);

/// The sources on a space.
class Receiver {
 public:
  /// @param sources, problem outlive this object
  Receiver(const ReceivedSources& sources, const DrivenProblem& problem);
  /// Right-hand sides [num_dofs, excitations]. @param frequency [Hz]
  std::vector<Complex> loads(double frequency) const;
  /// The total fields of the sources.
  void show(const DrivenSolution& solution, const std::function<void(const Shown&)>& take) const;

 private:
  const ReceivedSources& sources_;
  const DrivenProblem& problem_;
  std::optional<RadiatingSurface> surface_;  // through which waves enter
};

}  // namespace curlew::fem
