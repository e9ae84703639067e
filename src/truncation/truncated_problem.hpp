// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// An open problem at one frequency: finite elements inside S, the field of the currents on S' as condition on
// S, iterated until both agree. Follows Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "base/timer.hpp"
#include "fem/open/equivalent_currents.hpp"
#include "fem/open/excitation.hpp"
#include "fields/far_field.hpp"
#include "green/plane_wave.hpp"
#include "truncation/iteration.hpp"
#include "truncation/open_system.hpp"
#include "truncation/radiation_map.hpp"
#include "truncation/surfaces.hpp"

namespace curlew::truncation {

/// Excitation of one right-hand side: a sum of plane waves, or 1 W incident in a mode of a port (half of it
/// in each half of a symmetric problem), or dipoles and currents inside S'.
struct Excitation {
  std::vector<green::PlaneWave> waves{};
  int mode = -1;  ///< reported mode, from 0
  std::optional<fem::Excitation> source{};
};

struct TruncationOptions {
  SurfaceNames names;
  IterationOptions iteration;
  fem::CurrentRule currents = fem::CurrentRule::flux;  ///< on both surfaces
  int source_degree = 0;        ///< of the rule on S'; 0: chosen by distance and triangle size
  Device device = Device::cpu;  ///< of the radiation operator
  RadiationMethod radiation = RadiationMethod::automatic;
  linalg::SystemOptions solver;  ///< of the systems inside S
};

struct TruncationResult {
  IterationReport iteration;
  double solver_residual = 0;        ///< largest of the sparse solves, relative to their part of the result
  long solver_steps = 0;             ///< total of a Krylov method inside S
  std::vector<Complex> interface;    ///< [size, count] the load on S, to continue from
  std::vector<Complex> x;            ///< [num_dofs, count] total field
  std::vector<double> source_power;  ///< [count] of dipoles and currents as in OpenSolution [W], else 0
  fields::SurfaceCurrents inner;     ///< on S', with images
  fields::SurfaceCurrents outer;     ///< on S, with images: of the same field
};

class TruncatedProblem {
 public:
  /// @param model its boundaries on the symmetry planes determine whether these are PEC or PMC
  /// @throws InputError for surfaces that cannot truncate, or conditions between them (see surfaces.hpp)
  TruncatedProblem(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                   TruncationOptions options);
  ~TruncatedProblem();
  /// On processes other than 0: takes part in the systems of such a problem of process 0 until the program
  /// ends. @returns false, and does nothing, on process 0
  static bool serve(const mesh::Mesh& mesh, const mesh::Topology& topology, const fem::Model& model,
                    const TruncationOptions& options);

  const OpenSystem& system() const;
  OpenSystem& system();
  const Surfaces& surfaces() const;
  const fields::SurfacePoints& inner_points() const;  ///< S' with images
  const fields::SurfacePoints& outer_points() const;  ///< S with images
  Offset num_observers() const;                       ///< points on S
  Index interface_size() const;
  /// k and impedance of the medium between S' and S at a frequency [Hz].
  /// @throws InputError if it is not one isotropic, lossless material there
  fields::Exterior exterior(double frequency) const;

  /// @param start interface values to continue from, [size, count]; ignored if of another size
  /// @throws NumericalError if the iteration diverges; InputError if a source is outside of S' or touches it
  TruncationResult solve(double frequency, const std::vector<Excitation>& excitations,
                         const std::vector<Complex>& start = {}, const IterationObserver& observer = {});
  /// Seconds by stage, over all solves.
  const Stages& stages() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Relative difference of two far fields: the largest over right-hand sides of ||a - b|| / ||a||, over
/// directions and components.
double mismatch(const fields::FarField& a, const fields::FarField& b);

}  // namespace curlew::truncation
