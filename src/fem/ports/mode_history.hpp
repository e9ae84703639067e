// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes that are found anew at every frequency keep their numbers and their axes: each continues the mode of
// a frequency nearby whose field it has, and modes of equal γ, of which any combination is a mode, are taken
// in the combination that does. At the first frequency they are numbered by falling γ'' and turned by
// functionals of the face (direction_functionals), which do not depend on its mesh.

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

/// Orthogonal matrix Q [modes, modes] such that of the modes e Q the first feels all of the first functional
/// that any of them feels, and so on, each on its positive side.
/// @param felt [functionals, modes] values of the functionals at the modes
Eigen::MatrixXd rotation_by_axes(const Eigen::MatrixXcd& felt);

/// Orthogonal matrix Q [modes, modes] such that modes e Q are as near as can be to as many earlier ones.
/// @param overlaps [earlier, modes] fᵀe, as many rows as columns or more
Eigen::MatrixXd rotation_to_earlier(const Eigen::MatrixXcd& overlaps);

/// For every earlier mode (row) the column that continues it, then all other columns, ascending.
/// @param[out] least the smallest |overlap| of an earlier mode and the one that continues it
std::vector<Eigen::Index> continued_order(const Eigen::MatrixXcd& overlaps, double* least);

}  // namespace curlew::fem
