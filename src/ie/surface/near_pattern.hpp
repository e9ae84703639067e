// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Near pairs of triangles, and the positions of their entries in the sparse near matrix.

#include "ie/operator/near_list.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

enum class NearPairs {
  sharing_edges,  ///< a triangle with itself and its neighbours: the diagonal is complete, other entries are
                  ///< not
  near,           ///< touching and adjacent
  medium          ///< near and medium
};

/// Range of pairs, in longest edges.
double reach_of(const Accuracy& accuracy, NearPairs pairs);

/// Pairs of a region. Numbers are positions in Region::triangles. @throws ResourceError if they do not fit
/// @param rows [functions] from points_of_share: triangles without one of these have no pairs; empty: all
NearList near_pairs(const System& system, int region, NearPairs pairs, const std::vector<char>& rows = {});

/// Sorts by row and column, and adds entries of the same position.
void add_up(std::vector<Entry>& entries);

/// Gram terms and the loads of ports (port_loads), each position once, unsorted.
std::vector<Entry> local_entries(const System& system, const std::vector<Entry>& loads);

/// Rows of a sparse matrix without its values; columns ascend.
struct NearPattern {
  std::vector<Offset> row_offsets;  ///< [unknowns + 1]
  std::vector<Index> columns;
};
/// Entries between all unknowns on the near triangles of every region, and the local ones.
/// @param lists [regions] of near_pairs @param rows [functions] other rows are empty; empty: all
NearPattern near_pattern(const System& system, const std::vector<NearList>& lists,
                         const std::vector<Entry>& local, const std::vector<char>& rows = {});

}  // namespace curlew::ie
