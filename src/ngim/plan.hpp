// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Public interface of the module: potentials and gradients of N point sources at M observers in O(N) or O(N
// log N) operations, to a tolerance. Make a Plan from the points once, and apply it to any number of charge
// vectors. Source: Li, Chang and Lomakin, chapter 19 (nonuniform grid interpolation method);
// docs/theory/ngim.md.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/complex.hpp"
#include "base/device.hpp"
#include "base/timer.hpp"
#include "base/types.hpp"
#include "base/vec3.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace curlew::ngim {

class GridCache;

enum class Precision { single_precision, double_precision };

struct Options {
  double tolerance =
      1e-4;  ///< requested relative error, in both norms of measure_error; 1e-11 ... 1 (4e-6 in single)
  Precision precision = Precision::double_precision;
  Device device = Device::cpu;
  bool may_use_host = false;  ///< use the CPU, with a warning, if the device's memory is too small
  bool gradient = false;      ///< the tolerance also applies to gradients
  /// Sources are currents: Plan::apply uses groups of six vectors. The tolerance is then that of the
  /// potentials, of which fields are derivatives: measure the error of fields (truncation/ngim_radiation).
  bool currents = false;
  /// The points lie on surfaces, where boxes have few neighbours: a GPU then sums four charge vectors faster
  /// with smaller boxes. Results change only by rounding and errors within the tolerance.
  bool surface = false;
  Offset leaf_size = 0;  ///< most points of a box that is not divided; 0: chosen by the plan
  std::shared_ptr<GridCache> grids = nullptr;  ///< shared by plans of equal k and extent: faster set-up
  int gpus = 1;  ///< Device::cuda: number of devices (0, 1, ...) that share the sum (shared_solver.hpp)
};

/// The two norms of a potential's error, over sampled observers (section 19.5 prints the first).
struct MeasuredError {
  double l1 = 0;  ///< sum |u - u_direct| / sum |u_direct|
  double l2 = 0;  ///< root of the same ratio with squares
  Index samples = 0;
};

/// Parameters of a level, for logs and summaries.
struct LevelReport {
  int level;
  double side;  ///< of a box [m]
  Offset boxes;
  bool high_frequency;
  int order, rank;                        ///< low-frequency: Chebyshev order, skeleton
  int angular_segments, radial_segments;  ///< high-frequency
  double grid_error;                      ///< estimated relative error of the grid
};

class Plan {
 public:
  /// u(r_m) = sum_n exp(-jk|r_m - r_n|)/|r_m - r_n| Q_n; coincident pairs contribute nothing.
  /// @param sources   [n] points [m]
  /// @param observers [m] points [m]; nullopt: the sources are the observers
  /// @param k         wavenumber [1/m]: Re k >= 0, Im k <= 0 (loss under exp(+jwt)); 0 is the static kernel
  /// @throws InputError for coordinates that are not finite, k < 0 or growing waves, a tolerance the
  ///         precision cannot reach; ResourceError if memory or the device do not suffice
  Plan(std::span<const Vec3<double>> sources, std::optional<std::span<const Vec3<double>>> observers,
       Complex k, Options options);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  Offset num_sources() const;
  Offset num_observers() const;

  /// With Options::currents vectors come in groups of six: of the pairs (s, t) of green/surface_pair.hpp the
  /// components s_x, s_y, s_z, t_x, t_y, t_z; the result is sum_n K(r_m - r_n) s_n [1/m^3], three components,
  /// and sum_n K^T t_n. This needs a real k > 0 and has no gradients.
  /// @param charges   [num_vectors, n] row-major
  /// @param num_vectors charge vectors, evaluated four at a time, which costs much less than four times one
  /// @param potential [num_vectors, m], overwritten
  /// @param gradient [num_vectors, 3, m], overwritten; nullptr: not computed
  void apply(const Complex* charges, Index num_vectors, Complex* potential,
             Complex* gradient = nullptr) const;

  /// The same for arrays on the device of a plan with Device::cuda: nothing is copied to the host, and the
  /// call returns when its work is queued in the stream. For iterative solvers. Calls of one plan must follow
  /// each other on one stream or be separated by waits, since they share the plan's work arrays.
  /// @param charges   device pointer, [num_vectors, n] row-major; not checked for NaN
  /// @param potential device pointer, [num_vectors, m], overwritten
  /// @param gradient  device pointer, [num_vectors, 3, m], overwritten; nullptr leaves it out
  /// @param stream of the work; nullptr: default stream. Scalar: float or double, independent of the
  /// precision of the plan. With several devices the arrays are on device 0.
  /// @throws ResourceError if the plan is one for the CPU
  template <class Scalar>
  void apply_on_device(const complex<Scalar>* charges, Index num_vectors, complex<Scalar>* potential,
                       complex<Scalar>* gradient = nullptr, CUstream_st* stream = nullptr) const;

  /// Error of one potential (of charges) against direct sums in double precision at up to `samples`
  /// observers.
  MeasuredError measure_error(const Complex* charges, const Complex* potential, Index samples = 1000) const;
  /// The same of one gradient, [3, m], all three components together.
  MeasuredError measure_gradient_error(const Complex* charges, const Complex* gradient,
                                       Index samples = 1000) const;

  std::vector<LevelReport> levels() const;
  /// Seconds of set-up and of all evaluations so far, by stage.
  const std::vector<std::pair<std::string, double>>& stage_seconds() const;
  /// Milliseconds of each stage of one evaluation of num_vectors unit charge vectors (1, 4; 6 of currents) on
  /// the device, with gradients if requested, in sequence; empty on the CPU, for which stage_seconds has the
  /// stages.
  std::vector<std::pair<std::string, double>> time_device_stages(int num_vectors) const;
  Device device() const;
  bool single_precision() const;  ///< of the sums: requested, and sufficient for the tolerance

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::ngim
