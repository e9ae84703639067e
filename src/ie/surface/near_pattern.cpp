// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/near_pattern.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ie {
namespace {

bool share_edge(const Triangle& a, const Triangle& b) {
  int common = 0;
  for (const Index i : a) common += std::find(b.begin(), b.end(), i) != b.end();
  return common >= 2;
}

/// [regions][triangles of the mesh] position in Region::triangles, or -1
std::vector<std::vector<Index>> positions(const System& system) {
  std::vector<std::vector<Index>> out;
  for (const Region& region : system.scene().regions) {
    out.emplace_back(std::size_t(system.mesh().num_triangles()), -1);
    for (Index i = 0; i < Index(region.triangles.size()); ++i) out.back()[region.triangles[i]] = i;
  }
  return out;
}

/// Columns of the rows of one function: appends them, sorted.
class RowColumns {
 public:
  RowColumns(const System& system, const std::vector<NearList>& lists)
      : system_(system), lists_(lists), positions_(positions(system)) {}

  void append(Index function, std::vector<Index>& out) const {
    const auto first = out.size();
    for (std::size_t r = 0; r < lists_.size(); ++r) append_near(r, function, out);
    std::sort(out.begin() + Offset(first), out.end());
    out.erase(std::unique(out.begin() + Offset(first), out.end()), out.end());
  }

 private:
  /// Appends unknowns on triangles near a function's triangle.
  void append_near(std::size_t region, Index function, std::vector<Index>& out) const {
    const NearList& list = lists_[region];
    thread_local std::vector<Index> near, before;
    near.clear();
    system_.space().for_each_part(function, [&](const FunctionPart& part) {
      const Index position = positions_[region][part.triangle];
      if (position < 0) return;
      const Index* all = list.columns.data();
      before.swap(near);
      near.clear();
      std::set_union(before.begin(), before.end(), all + list.offsets[position],
                     all + list.offsets[position + 1], std::back_inserter(near));
    });
    for (const Index position : near) append_unknowns(region, position, out);
  }
  void append_unknowns(std::size_t region, Index position, std::vector<Index>& out) const {
    const Index source = system_.scene().regions[region].triangles[position];
    const RwgSpace& space = system_.space();
    for (Index b = space.begin(source); b < space.begin(source + 1); ++b) {
      const Index g = space.locals()[b].function;
      out.push_back(g);
      if (system_.magnetic_unknown(g) >= 0) out.push_back(system_.magnetic_unknown(g));
    }
  }
  const System& system_;
  const std::vector<NearList>& lists_;
  std::vector<std::vector<Index>> positions_;
};

/// Rows of functions [first, last), one after another.
struct Chunk {
  std::vector<Index> columns;
  std::vector<Offset> ends;
};

Chunk make_chunk(const RowColumns& columns, const std::vector<char>& rows,
                 const std::vector<std::vector<Index>>& extra, Index first, Index last) {
  Chunk chunk;
  for (Index f = first; f < last; ++f) {
    if (!rows.empty() && rows[f] == 0) {
      chunk.ends.push_back(Offset(chunk.columns.size()));
      continue;
    }
    const auto begin = Offset(chunk.columns.size());
    columns.append(f, chunk.columns);
    if (!extra.empty() && !extra[f].empty()) {  // loads couple edges that need not be near
      chunk.columns.insert(chunk.columns.end(), extra[f].begin(), extra[f].end());
      std::sort(chunk.columns.begin() + begin, chunk.columns.end());
      chunk.columns.erase(std::unique(chunk.columns.begin() + begin, chunk.columns.end()),
                          chunk.columns.end());
    }
    chunk.ends.push_back(Offset(chunk.columns.size()));
  }
  return chunk;
}

/// Columns by electric row of local entries that are not near pairs.
std::vector<std::vector<Index>> far_columns(const System& system, const std::vector<Entry>& local) {
  std::vector<std::vector<Index>> out;
  const RwgSpace& space = system.space();
  for (const Entry& e : local) {
    if (e.row >= system.num_electric() || e.column >= system.num_electric()) continue;
    bool is_near = false;  // a triangle in common
    space.for_each_part(e.row, [&](const FunctionPart& a) {
      space.for_each_part(e.column,
                          [&](const FunctionPart& b) { is_near = is_near || a.triangle == b.triangle; });
    });
    if (is_near) continue;
    if (out.empty()) out.resize(std::size_t(space.size()));
    out[e.row].push_back(e.column);
  }
  return out;
}

bool has_row(const RwgSpace& space, Index triangle, const std::vector<char>& rows) {
  for (Index a = space.begin(triangle); a < space.begin(triangle + 1); ++a)
    if (rows[space.locals()[a].function] != 0) return true;
  return false;
}

/// Empties the rows of a list that are not kept.
template <class Keep>
void keep_rows(NearList& list, const Keep& keep) {
  Offset to = 0;
  for (std::size_t row = 0, from = 0; row + 1 < list.offsets.size(); ++row) {
    const auto end = std::size_t(list.offsets[row + 1]);
    list.offsets[row] = to;
    if (keep(Index(row)))
      for (; from < end; ++from) list.columns[std::size_t(to++)] = list.columns[from];
    from = end;
  }
  list.offsets.back() = to;
  list.columns.resize(std::size_t(to));
}

}  // namespace

void add_up(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  std::size_t last = 0;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].row == entries[last].row && entries[i].column == entries[last].column)
      entries[last].value += entries[i].value;
    else
      entries[++last] = entries[i];
  }
  if (!entries.empty()) entries.resize(last + 1);
}

double reach_of(const Accuracy& a, NearPairs pairs) {
  // Touching triangles are always near: the distance of their centroids is at most 4/3 of the longest edge.
  return pairs == NearPairs::medium ? a.medium : std::max(a.near, 4.0 / 3);
}

NearList near_pairs(const System& system, int region, NearPairs pairs, const std::vector<char>& rows) {
  const auto& triangles = system.scene().regions[region].triangles;
  const auto& integrals = system.integrals(region);
  const PairView view = integrals.view();
  std::vector<Ball> balls(triangles.size());
#pragma omp parallel for
  for (std::size_t i = 0; i < balls.size(); ++i)
    balls[i] = {view.centroids[triangles[i]], view.longest[triangles[i]]};
  auto list = find_near_pairs(
      balls, reach_of(integrals.accuracy(), pairs),
      [&](Index t, Index s) {
        if (pairs == NearPairs::sharing_edges)
          return share_edge(system.mesh().triangles[triangles[t]], system.mesh().triangles[triangles[s]]);
        const auto kind = view.kind(triangles[t], triangles[s]);
        return kind != PairKind::far && (kind != PairKind::medium || pairs == NearPairs::medium);
      },
      ReachUnit::larger_radius);
  if (!rows.empty()) keep_rows(list, [&](Index t) { return has_row(system.space(), triangles[t], rows); });
  return list;
}

std::vector<Entry> local_entries(const System& system, const std::vector<Entry>& loads) {
  std::vector<Entry> out;
#pragma omp parallel
  {
    std::vector<Entry> own, row;
#pragma omp for schedule(static) nowait
    for (Index f = 0; f < system.num_electric(); ++f) {
      row.clear();
      system.space().for_each_part(f, [&](const FunctionPart& part) { system.add_gram(part.triangle, row); });
      std::erase_if(row, [&](const Entry& e) { return e.row != f && e.row != system.magnetic_unknown(f); });
      add_up(row);
      own.insert(own.end(), row.begin(), row.end());
    }
#pragma omp critical
    out.insert(out.end(), own.begin(), own.end());
  }
  if (loads.empty()) return out;
  out.insert(out.end(), loads.begin(), loads.end());
  add_up(out);
  return out;
}

NearPattern near_pattern(const System& system, const std::vector<NearList>& lists,
                         const std::vector<Entry>& local, const std::vector<char>& rows) {
  const RowColumns columns(system, lists);
  const auto extra = far_columns(system, local);
  const Index num_functions = system.num_electric(), length = 4096,
              num_chunks = (num_functions + length - 1) / length;
  std::vector<Chunk> chunks(static_cast<std::size_t>(num_chunks));
  NearPattern pattern;
  pattern.row_offsets.assign(std::size_t(system.num_unknowns()) + 1, 0);
  const auto rows_of = [&](Index f, auto&& visit) {
    visit(f);
    if (system.magnetic_unknown(f) >= 0) visit(system.magnetic_unknown(f));
  };
#pragma omp parallel for schedule(dynamic)
  for (Index c = 0; c < num_chunks; ++c) {
    const Index first = c * length, last = std::min(first + length, num_functions);
    chunks[c] = make_chunk(columns, rows, extra, first, last);
    for (Index f = first; f < last; ++f) {
      const Offset begin = f > first ? chunks[c].ends[f - first - 1] : 0;
      rows_of(f, [&](Index row) { pattern.row_offsets[row + 1] = chunks[c].ends[f - first] - begin; });
    }
  }
  check_interrupt();
  std::partial_sum(pattern.row_offsets.begin(), pattern.row_offsets.end(), pattern.row_offsets.begin());
  require_memory(std::size_t(pattern.row_offsets.back()) * sizeof(Index), "near pattern");
  pattern.columns.resize(std::size_t(pattern.row_offsets.back()));
#pragma omp parallel for schedule(dynamic)
  for (Index c = 0; c < num_chunks; ++c) {
    for (Index f = c * length; f < std::min((c + 1) * length, num_functions); ++f) {
      const Index i = f - c * length;
      const auto *begin = chunks[c].columns.data() + (i > 0 ? chunks[c].ends[i - 1] : 0),
                 *end = chunks[c].columns.data() + chunks[c].ends[i];
      rows_of(f,
              [&](Index row) { std::copy(begin, end, pattern.columns.data() + pattern.row_offsets[row]); });
    }
    chunks[c] = {};
  }
  return pattern;
}

}  // namespace curlew::ie
