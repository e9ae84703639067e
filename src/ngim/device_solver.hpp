// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stages of one evaluation on a CUDA device, in one precision: static, low- and mixed-frequency levels
// that have skeleton grids. Compiled with CUDA only.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/complex.hpp"
#include "ngim/scheme.hpp"

namespace curlew::ngim {

template <class T>
class DeviceSolver {
 public:
  /// Copies points, lists and matrices to the device.
  /// @throws ResourceError if they do not fit; InputError if the scheme has high-frequency levels
  explicit DeviceSolver(const Scheme& scheme);
  ~DeviceSolver();

  /// Fields of one charge vector. Device pointers, the caller's order of points, units of the unit cube:
  /// the caller divides the potential by the side of the cube, the gradient by its square.
  /// @param charges   [n]
  /// @param potential [m], overwritten
  /// @param gradient  [3, m], overwritten; nullptr leaves it out
  void apply(const complex<T>* charges, complex<T>* potential, complex<T>* gradient) const;
  /// The same with host arrays of n or m doubles, scaled to the caller's units.
  void apply_host(const Complex* charges, Complex* potential, Complex* gradient) const;

  std::size_t device_bytes() const;
  Offset near_pairs() const;
  /// Milliseconds of each stage of one evaluation, timed one after the other with events.
  std::vector<std::pair<std::string, double>> time_stages(const complex<T>* charges,
                                                          complex<T>* potential) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Pairs per second of a plain all-pairs sum of n points with the same arithmetic as the near field: its
/// ceiling.
template <class T>
double all_pairs_rate(Offset n, double k);

}  // namespace curlew::ngim
