// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One sum on one or several CUDA devices of a machine. Each computes the fields of its piece of the observers
// and the grids of its piece of the boxes; grids are copied to the others while the near field is summed.
// Compiled with CUDA only.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ngim/device_solver.hpp"

namespace curlew::ngim {

/// Input of a sum.
struct SumProblem {
  std::span<const Vec3<double>> sources;                   ///< [m]
  std::optional<std::span<const Vec3<double>>> observers;  ///< nullopt: the sources
  Complex k;                                               ///< [1/m]
  Accuracy accuracy;
  bool single_precision;  ///< requested; may be smaller than reachable with T
  Offset leaf_size = 0;
};

template <class T>
class SharedSolver {
 public:
  /// Boxes are divided if all devices have the same tree, that is if the observers are among the sources.
  /// Else each device computes all grids. @param devices arrays are on the first; a device may be repeated.
  /// @throws as Plan
  SharedSolver(const SumProblem& problem, const std::vector<int>& devices);
  ~SharedSolver();

  /// As DeviceSolver::apply, for arrays and a stream of the first device, whatever device is current.
  template <class U>
  void apply(const complex<U>* charges, Index num_vectors, complex<U>* potential, complex<U>* gradient,
             CUstream_st* stream = nullptr) const;
  void apply_host(const Complex* charges, Index num_vectors, Complex* potential, Complex* gradient) const;

  int most_together() const;
  const Scheme& scheme() const;      ///< of the first device
  bool divides_boxes() const;        ///< else each device computes all grids
  std::size_t device_bytes() const;  ///< of all devices
  Offset near_pairs() const;         ///< summed directly, over all devices
  /// DeviceSolver::time_stages of the first device.
  std::vector<std::pair<std::string, double>> time_stages(const complex<T>* charges, int num_vectors,
                                                          bool gradient) const;

 private:
  struct Part;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace curlew::ngim
