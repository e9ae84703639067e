// SPDX-License-Identifier: BSD-3-Clause
// The antenna matrix of the Sliced ELLR-T paper, generated. A box of 22 x 22 x 3 cubes of six tetrahedra each
// (Kuhn) has 8712 cells; without its walls and a patch of 272 edges and 173 faces it has the edges and
// faces that the block sizes of the paper's table 1 imply: 8091 edges, 2 x 16019 + 8091 = 40129,
// 3 x 8710 + 4 x 16019 + 8091 = 98297.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_set>

#include "base/error.hpp"
#include "bench/sparse_matrices.hpp"

namespace curlew::bench {
namespace {

using Point = std::array<int, 3>;
constexpr Point box = {22, 22, 3};
constexpr int dofs[3][3] = {{1, 1, 1}, {0, 2, 4}, {0, 0, 3}};  // of an edge, face, cell in each order

struct Entity {
  int kind;  // 0 edge, 1 face, 2 cell
  std::array<double, 3> centre;
};

bool on_wall(const std::vector<Point>& points) {
  for (int a = 0; a < 3; ++a) {
    for (const int wall : {0, box[a]}) {
      if (std::all_of(points.begin(), points.end(), [&](const Point& p) { return p[a] == wall; }))
        return true;
    }
  }
  return false;
}

std::array<double, 3> centre_of(const std::vector<Point>& points) {
  std::array<double, 3> c{};
  for (const Point& p : points) {
    for (int a = 0; a < 3; ++a) c[a] += double(p[a]) / points.size();
  }
  return c;
}

/// Entities with unknowns, and the ones that each cell touches.
struct EntityMesh {
  std::vector<Entity> entities;
  std::vector<std::vector<int>> cells;
};

/// Distance from the middle of the sheet z = 1, infinite for what does not lie in it.
double distance_in_sheet(const std::vector<Point>& points) {
  for (const Point& p : points) {
    if (p[2] != 1) return 1e30;
  }
  const auto c = centre_of(points);
  return std::hypot(c[0] - 11.1, c[1] - 10.9);
}

using Key = std::vector<Point>;

/// The `count` keys nearest to the middle of the sheet: the metal patch.
std::unordered_set<int> patch(const std::map<Key, int>& keys, std::size_t count) {
  std::vector<std::pair<double, int>> by_distance;
  for (const auto& [key, number] : keys) by_distance.emplace_back(distance_in_sheet(key), number);
  std::sort(by_distance.begin(), by_distance.end());
  std::unordered_set<int> out;
  for (std::size_t i = 0; i < count; ++i) out.insert(by_distance[i].second);
  return out;
}

std::vector<std::vector<Point>> kuhn_tetrahedra() {
  std::vector<std::vector<Point>> tetrahedra;
  for (int i = 0; i < box[0]; ++i) {
    for (int j = 0; j < box[1]; ++j) {
      for (int k = 0; k < box[2]; ++k) {
        std::array<int, 3> axes = {0, 1, 2};
        do {
          std::vector<Point> t = {{i, j, k}};
          for (const int axis : axes) {
            t.push_back(t.back());
            ++t.back()[axis];
          }
          tetrahedra.push_back(t);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return tetrahedra;
}

EntityMesh make_mesh() {
  const auto tetrahedra = kuhn_tetrahedra();
  std::map<Key, int> numbers[2];  // edges, faces inside
  std::vector<std::array<std::vector<int>, 2>> touched;
  for (const auto& t : tetrahedra) {
    touched.emplace_back();
    for (unsigned mask = 1; mask < 15; ++mask) {
      Key key;
      for (int v = 0; v < 4; ++v) {
        if ((mask >> v & 1u) != 0) key.push_back(t[v]);
      }
      const int kind = int(key.size()) - 2;
      if (kind < 0 || kind > 1 || on_wall(key)) continue;
      touched.back()[kind].push_back(numbers[kind].emplace(key, int(numbers[kind].size())).first->second);
    }
  }
  EntityMesh mesh;
  std::vector<int> entity_of[2];
  for (int kind = 0; kind < 2; ++kind) {
    const auto removed = patch(numbers[kind], numbers[kind].size() - (kind == 0 ? 8091 : 16019));
    entity_of[kind].assign(numbers[kind].size(), -1);
    std::vector<std::pair<std::array<double, 3>, int>> kept;
    for (const auto& [key, number] : numbers[kind]) {
      if (removed.count(number) == 0) kept.emplace_back(centre_of(key), number);
    }
    std::sort(kept.begin(), kept.end());  // along the box: neighbours in space are neighbours in number
    for (const auto& [centre, number] : kept) {
      entity_of[kind][number] = int(mesh.entities.size());
      mesh.entities.push_back({kind, centre});
    }
  }
  for (std::size_t c = 0; c < tetrahedra.size(); ++c) {
    std::vector<int> all;
    for (int kind = 0; kind < 2; ++kind) {
      for (const int number : touched[c][kind]) {
        if (entity_of[kind][number] >= 0) all.push_back(entity_of[kind][number]);
      }
    }
    if (c + 2 < tetrahedra.size()) {  // the last two cells carry no unknowns of their own
      all.push_back(int(mesh.entities.size()));
      mesh.entities.push_back({2, centre_of(tetrahedra[c])});
    }
    mesh.cells.push_back(all);
  }
  return mesh;
}

std::uint64_t mix(std::uint64_t v) {
  v = (v ^ (v >> 33)) * 0xff51afd7ed558ccdull;
  v = (v ^ (v >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return v ^ (v >> 33);
}

/// Couples of entities and the counts of entries that they bring to the blocks.
class Pattern {
 public:
  explicit Pattern(const EntityMesh& mesh) : mesh_(mesh), couples_(mesh.entities.size()) {
    for (const auto& cell : mesh.cells) {
      for (const int e : cell) couples_[e].insert(couples_[e].end(), cell.begin(), cell.end());
    }
    for (auto& list : couples_) tidy(list);
    for (auto& row : missing_) row = {};
  }

  /// Adds or removes couples until every block holds what the table says.
  void fit(const BlockTable& table, Index longest) {
    scale_ = longest / 267;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) missing_[a][b] = table.nnz[a][b];
    }
    for (std::size_t e = 0; e < couples_.size(); ++e) {
      for (const int f : couples_[e]) count(int(e), f, 1);
    }
    make_long_rows(longest);
    add_second_neighbours();
    remove_surplus();
    complete();
  }

  linalg::Csr<Complex> matrix(std::array<Index, 4>& offsets, double complex_share);

 private:
  static void tidy(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  /// Takes the entries of rows e in columns f off what is missing.
  void count(int e, int f, int sign) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        missing_[a][b] -= sign * dofs[mesh_.entities[e].kind][a] * dofs[mesh_.entities[f].kind][b];
      }
    }
  }
  /// True if the couple fits into what is missing (sign 1) or superfluous (sign -1) in every block.
  bool fits(int e, int f, int sign) const {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        const int d = dofs[mesh_.entities[e].kind][a] * dofs[mesh_.entities[f].kind][b] +
                      dofs[mesh_.entities[f].kind][a] * dofs[mesh_.entities[e].kind][b];
        if (d > 0 && sign * missing_[a][b] < d) return false;
      }
    }
    return true;
  }
  void add(int e, int f) {
    couples_[e].insert(std::lower_bound(couples_[e].begin(), couples_[e].end(), f), f);
    couples_[f].insert(std::lower_bound(couples_[f].begin(), couples_[f].end(), e), e);
    count(e, f, 1);
    count(f, e, 1);
  }
  void remove(int e, int f) {
    couples_[e].erase(std::lower_bound(couples_[e].begin(), couples_[e].end(), f));
    couples_[f].erase(std::lower_bound(couples_[f].begin(), couples_[f].end(), e));
    count(e, f, -1);
    count(f, e, -1);
  }
  bool has(int e, int f) const { return std::binary_search(couples_[e].begin(), couples_[e].end(), f); }
  /// Entities two couples away, in an order without pattern.
  std::vector<int> second_neighbours(int e) const {
    std::vector<int> out;
    for (const int f : couples_[e]) {
      for (const int g : couples_[f]) {
        if (g != e && !has(e, g)) out.push_back(g);
      }
    }
    tidy(out);
    std::sort(out.begin(), out.end(),
              [e](int f, int g) { return mix(f * 1000003ull + e) < mix(g * 1000003ull + e); });
    return out;
  }
  Index row_length(int e) const {
    Index sum = 0;
    for (const int f : couples_[e]) {
      for (int b = 0; b < 3; ++b) sum += dofs[mesh_.entities[f].kind][b];
    }
    return sum;
  }
  /// Some edges of an unstructured mesh have far more neighbours than any here: these get them.
  void make_long_rows(Index longest) {
    for (int e = 500; e < 8000; e += 1000) {
      for (const int f : second_neighbours(e)) {
        const Index more = mesh_.entities[f].kind == 1 ? 6 : 3;
        if (row_length(e) + more <= longest && row_length(f) + 3 <= longest) add(e, f);
      }
    }
  }
  /// Kind by kind, as many second neighbours as the block lacks in which the kind appears first.
  void add_second_neighbours() {
    if (missing_[2][2] < 100000) return;  // a few thousand are left to complete()
    std::vector<std::vector<int>> candidates;
    for (int e = 0; e < int(couples_.size()); ++e) {
      candidates.push_back(second_neighbours(e));
      std::erase_if(candidates.back(), [e](int f) { return f < e; });
    }
    const std::pair<int, int> kinds[] = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (const auto& [k, l] : kinds) {
      Offset available = 0;
      for (std::size_t e = 0; e < candidates.size(); ++e) {
        for (const int f : candidates[e]) available += is_kind(int(e), f, k, l);
      }
      const Offset each = dofs[k][k] * dofs[l][l] * (k == l ? 2 : 1);
      const double share = double(missing_[k][l]) / double(std::max<Offset>(each * available, 1));
      for (int e = 0; e < int(candidates.size()); ++e) {
        for (const int f : candidates[e]) {
          if (!is_kind(e, f, k, l) || double(mix(e * 77777ull + f) & 0xfffffu) > share * 0x100000) continue;
          if (missing_[k][l] < each || row_length(e) > 500 || row_length(f) > 500 || has(e, f)) continue;
          add(e, f);
        }
      }
    }
  }
  bool is_kind(int e, int f, int k, int l) const {
    const int a = mesh_.entities[e].kind, b = mesh_.entities[f].kind;
    return std::min(a, b) == k && std::max(a, b) == l;
  }
  void remove_surplus() {
    for (int e = int(couples_.size()) - 1; e >= 0; --e) {
      const auto list = couples_[e];
      for (const int f : list) {
        if (f < e && fits(e, f, -1)) remove(e, f);
      }
    }
  }
  void complete();

  const EntityMesh& mesh_;
  std::vector<std::vector<int>> couples_;
  std::array<std::array<Offset, 3>, 3> missing_;
  std::vector<std::pair<std::pair<int, int>, std::pair<int, int>>>
      odd_;  // (e, order), (f, order): single blocks
  std::vector<bool> odd_added_;
  Index scale_ = 1;  // of row lengths: 2 for the printed counts
};

/// What whole couples could not fit is made up by the entries of a couple in one pair of orders.
void Pattern::complete() {
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      for (int e = 700; missing_[a][b] != 0 && e < int(couples_.size()); ++e) {
        const bool adds = missing_[a][b] > 0;
        if (adds && row_length(e) > 200 * scale_) continue;
        Offset still =
            1 + std::abs(missing_[a][b]) / 6000;  // couples of this row: what is missing much is spread
        for (const int f : adds ? second_neighbours(e) : couples_[e]) {
          const int d = dofs[mesh_.entities[e].kind][a] * dofs[mesh_.entities[f].kind][b];
          const Offset change = a == b ? 2 * d : d;
          if (f == e || d == 0 || change > std::abs(missing_[a][b]) || (a == b && f > e)) continue;
          if (adds && row_length(f) > 200 * scale_) continue;
          odd_.push_back({{e, a}, {f, b}});
          odd_added_.push_back(adds);
          missing_[a][b] -= adds ? change : -change;
          if (a != b) missing_[b][a] = missing_[a][b];
          if (!adds || --still == 0) break;
        }
      }
      if (missing_[a][b] != 0) throw InputError("generated matrix: a block cannot hold what the table says");
    }
  }
}

/// A value that depends on the unordered pair alone.
Complex pair_value(std::uint64_t i, std::uint64_t j, bool is_complex) {
  const std::uint64_t h = mix(std::min(i, j) * 0x9e3779b97f4a7c15ull + std::max(i, j));
  const double re = double(h & 0xffffffu) / 0x800000 - 1, im = double(h >> 24 & 0xffffffu) / 0x800000 - 1;
  return {re + (i == j ? 30.0 : 0.0), is_complex ? im : 0.0};
}

linalg::Csr<Complex> Pattern::matrix(std::array<Index, 4>& offsets, double complex_share) {
  const int n = int(couples_.size());
  std::vector<std::array<Index, 3>> first(n);
  offsets[0] = 0;
  for (int a = 0; a < 3; ++a) {
    Index next = offsets[a];
    for (int e = 0; e < n; ++e) {
      first[e][a] = next;
      next += dofs[mesh_.entities[e].kind][a];
    }
    offsets[a + 1] = next;
  }
  std::map<Index, std::vector<std::pair<Index, bool>>> changes;  // by row: column, added or removed
  for (std::size_t k = 0; k < odd_.size(); ++k) {
    const auto [e, a] = odd_[k].first;
    const auto [f, b] = odd_[k].second;
    for (int i = 0; i < dofs[mesh_.entities[e].kind][a]; ++i) {
      for (int j = 0; j < dofs[mesh_.entities[f].kind][b]; ++j) {
        changes[first[e][a] + i].emplace_back(first[f][b] + j, odd_added_[k]);
        changes[first[f][b] + j].emplace_back(first[e][a] + i, odd_added_[k]);
      }
    }
  }
  const double border = box[0] * (1 - complex_share);
  linalg::Csr<Complex> m;
  m.num_rows = m.num_cols = offsets[3];
  for (int a = 0; a < 3; ++a) {
    for (int e = 0; e < n; ++e) {
      const Entity& entity = mesh_.entities[e];
      for (int i = 0; i < dofs[entity.kind][a]; ++i) {
        const Index row = first[e][a] + i;
        std::vector<std::pair<Index, bool>> columns;  // column, complex
        for (const int f : couples_[e]) {
          const bool is_complex = std::max(entity.centre[0], mesh_.entities[f].centre[0]) > border;
          for (int b = 0; b < 3; ++b) {
            for (int j = 0; j < dofs[mesh_.entities[f].kind][b]; ++j)
              columns.emplace_back(first[f][b] + j, is_complex);
          }
        }
        if (const auto change = changes.find(row); change != changes.end()) {
          for (const auto& [column, added] : change->second) {
            if (added)
              columns.emplace_back(column, false);
            else
              std::erase_if(columns, [c = column](const auto& p) { return p.first == c; });
          }
        }
        std::sort(columns.begin(), columns.end());
        for (const auto& [column, is_complex] : columns) {
          m.columns.push_back(column);
          m.values.push_back(pair_value(row, column, is_complex));
        }
        m.row_offsets.push_back(Offset(m.columns.size()));
      }
    }
  }
  return m;
}

}  // namespace

BlockTable antenna_table(bool printed) {
  BlockTable t{{8091, 40129, 98297},
               {{{218722, 681548, 1391158}, {681548, 1973198, 3895180}, {1391158, 3895180, 7569914}}}};
  if (!printed) {
    for (auto& row : t.nnz) {
      for (Offset& count : row) count /= 2;
    }
  } else {
    // A symmetric pattern with a full diagonal has n + 2 k entries; the printed doubles of two blocks do not.
    for (int a = 0; a < 3; ++a) t.nnz[a][a] += (t.nnz[a][a] - t.rows[a]) % 2;
  }
  return t;
}

AntennaMatrix antenna_matrix(bool printed, double complex_share) {
  const EntityMesh mesh = make_mesh();
  Pattern pattern(mesh);
  pattern.fit(antenna_table(printed), printed ? 534 : 267);
  AntennaMatrix out;
  out.a = pattern.matrix(out.offsets, complex_share);
  return out;
}

}  // namespace curlew::bench
