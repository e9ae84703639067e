// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of S' on S by the processes of an MPI run: each knows all currents and makes the fields of one
// compact piece of the observers (ngim/share.hpp). Process 0 leads and gathers them.

#include <map>
#include <span>

#include "linalg/direct/mumps.hpp"
#include "truncation/radiation_map.hpp"

namespace curlew::truncation {

/// How many processes share a radiation integral that this one leads: 1 without MPI, and on a GPU, of which
/// the processes of a machine would wait for each other.
int processes_that_radiate(Device device);

/// As make_chosen_radiation, of all processes; on process 0. The map must end before the program.
/// @throws what goes wrong on any of them, here and in evaluations
RadiationMap make_shared_radiation(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers);

/// What the other processes do for the maps of process 0.
class RadiationServer {
 public:
  /// @returns false for steps of another kind
  bool take(const linalg::GroupStep& step);

 private:
  std::map<int, RadiationMap> maps_;  // by instance
};

}  // namespace curlew::truncation
