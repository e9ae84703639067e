// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes that are computed at every frequency keep their numbers and orientation: each continues the mode with
// the same field at a nearby frequency, and modes of equal γ, of which any combination is a mode, are
// combined to do so. At the first frequency they are numbered by falling γ'' and oriented by functionals of
// the face (direction_functionals), which do not depend on its mesh.

#include <Eigen/Core>
#include <map>
#include <mutex>
#include <vector>

#include "base/types.hpp"

namespace curlew::fem {

/// Biorthogonal functionals of the reported modes at a frequency: fᵀe = 1 of the mode itself, 0 of all
/// others.
struct HistoryEntry {
  Eigen::MatrixXcd loads;  ///< [dofs, reported]
};

class ModeHistory {
 public:
  /// @param functionals [functionals, dofs]
  ModeHistory(const std::vector<double>& functionals, std::size_t num_dofs);

  const Eigen::MatrixXd& functionals() const { return functionals_; }  ///< [dofs, functionals]
  /// The entry at the frequency nearest to this one [Hz], and that frequency; null if there is none.
  const HistoryEntry* nearest(double frequency, double* at) const;
  void add(double frequency, HistoryEntry entry);

 private:
  Eigen::MatrixXd functionals_;
  std::map<double, HistoryEntry> entries_;
  mutable std::mutex mutex_;
};

/// Orthogonal matrix Q [modes, modes] such that among the modes e Q only the first has a value of the first
/// functional, and so on, with positive values. @param felt [functionals, modes] values of the functionals at
/// the modes
Eigen::MatrixXd rotation_by_axes(const Eigen::MatrixXcd& felt);

/// Orthogonal matrix Q [modes, modes] such that modes e Q are as close as possible to as many earlier ones.
/// @param overlaps [earlier, modes] fᵀe, as many rows as columns or more
Eigen::MatrixXd rotation_to_earlier(const Eigen::MatrixXcd& overlaps);

/// For every earlier mode (row) the column that continues it, then all other columns, ascending.
/// @param[out] least the smallest |overlap| of an earlier mode and the one that continues it
std::vector<Eigen::Index> continued_order(const Eigen::MatrixXcd& overlaps, double* least);

}  // namespace curlew::fem
