// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of S' on S by the processes of an MPI run: each has all currents and computes the fields of one
// compact piece of the observers (ngim/share.hpp). Process 0 gathers them.

#include <map>
#include <span>

#include "base/process_group.hpp"
#include "truncation/radiation_map.hpp"

namespace curlew::truncation {

/// Number of processes that share a radiation integral led by this one: 1 without MPI, and on a GPU, which
/// processes of a machine would use in sequence.
int processes_that_radiate(Device device, const ProcessGroup* processes);

/// As make_chosen_radiation, shared by all processes; called on process 0. The map must be destroyed before
/// the program ends. @throws errors of any process, here and in evaluations
RadiationMap make_shared_radiation(const ProcessGroup& processes, const RadiationChoice& choice,
                                   const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers);

/// The part of the other processes in the maps of process 0.
class RadiationServer {
 public:
  /// @returns false for steps of another kind
  bool take(const ProcessGroup& processes, const GroupStep& step);

 private:
  std::map<int, RadiationMap> maps_;  // by instance
};

}  // namespace curlew::truncation
