// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// S-parameters and port constants as files.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "io/provenance.hpp"

namespace curlew::fem {

/// A solved problem as its S-parameters see it: of finite elements alone, or truncated by its own radiation.
class PortedProblem {
 public:
  PortedProblem(const DrivenProblem& problem)  // NOLINT: any driven problem is one
      : PortedProblem(problem.model(), problem.space(), problem.ports(), problem.modes(),
                      problem.has_symmetric_scattering(), problem.model().is_lossless()) {}
  /// @param modes rows and columns of S
  /// @param has_symmetric_scattering S = Sᵀ @param is_lossless what goes in at the ports comes out there
  PortedProblem(const Model& model, const NedelecSpace& space, const std::vector<ModalPort>& ports,
                const std::vector<ModePlace>& modes, bool has_symmetric_scattering, bool is_lossless)
      : model_(model),
        space_(space),
        ports_(ports),
        modes_(modes),
        has_symmetric_scattering_(has_symmetric_scattering),
        is_lossless_(is_lossless) {}

  const Model& model() const { return model_; }
  const NedelecSpace& space() const { return space_; }
  const std::vector<ModalPort>& ports() const { return ports_; }
  const std::vector<ModePlace>& modes() const { return modes_; }
  bool has_symmetric_scattering() const { return has_symmetric_scattering_; }
  bool is_lossless() const { return is_lossless_; }

 private:
  const Model& model_;
  const NedelecSpace& space_;
  const std::vector<ModalPort>& ports_;
  const std::vector<ModePlace>& modes_;
  bool has_symmetric_scattering_, is_lossless_;
};

/// NAME.sNp: power waves, every mode a port of the file, each normalised to itself; comment lines name them.
/// @param solutions one per frequency; their x is not read
/// @param reference_impedance [ohm] renormalises from the modes' impedances; without it each keeps its own
/// @throws InputError if a mode has no impedance to renormalise from
void write_s_parameters(const std::string& path, const PortedProblem& problem,
                        const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance,
                        std::optional<double> reference_impedance = {});

/// ports.csv: γ, cut-off and impedances of every mode at every frequency.
void write_port_table(const std::string& path, const PortedProblem& problem,
                      const std::vector<DrivenSolution>& solutions, const io::Provenance& provenance);

/// "port1 TE10": how tables and comments name a mode.
std::string mode_label(const PortedProblem& problem, const ModePlace& place);

}  // namespace curlew::fem
