// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which pairs of triangles are near, and where their entries stand in the sparse near matrix.

#include "ie/operator/near_list.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

enum class NearPairs {
  sharing_edges,  ///< a triangle with itself and its neighbours: the diagonal is right, the rest only begun
  near,           ///< touching and adjacent
  medium          ///< near and medium
};

/// How far pairs reach, in longest edges.
double reach_of(const Accuracy& accuracy, NearPairs pairs);

/// Pairs of a region. Numbers are positions in Region::triangles. @throws ResourceError if they do not fit
/// @param rows [functions] as points_of_share gives them: triangles without one of these have no pairs;
/// empty: all
NearList near_pairs(const System& system, int region, NearPairs pairs, const std::vector<char>& rows = {});

/// Sorts by row and column, and adds what stands at one place.
void add_up(std::vector<Entry>& entries);

/// Gram terms and the loads of ports (port_loads), no place twice, in no order.
std::vector<Entry> local_entries(const System& system, const std::vector<Entry>& loads);

/// Rows of a sparse matrix without its values; columns ascend.
struct NearPattern {
  std::vector<Offset> row_offsets;  ///< [unknowns + 1]
  std::vector<Index> columns;
};
/// Entries between all unknowns on the near triangles of every region, and the local ones.
/// @param lists [regions] of near_pairs @param rows [functions] the others' rows are empty; empty: all
NearPattern near_pattern(const System& system, const std::vector<NearList>& lists,
                         const std::vector<Entry>& local, const std::vector<char>& rows = {});

}  // namespace curlew::ie
