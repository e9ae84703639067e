// SPDX-License-Identifier: BSD-3-Clause
#include "bench/antenna_pattern.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace curlew::bench {

CouplePattern::CouplePattern(const EntityMesh& mesh) : mesh_(mesh), couples_(mesh.entities.size()) {
  for (const auto& cell : mesh.cells) {
    for (const int e : cell) couples_[e].insert(couples_[e].end(), cell.begin(), cell.end());
  }
  for (auto& list : couples_) tidy(list);
  for (auto& row : missing_) row = {};
}

void CouplePattern::fit(const BlockTable& table, Index longest) {
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

void CouplePattern::count(int e, int f, int sign) {
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      missing_[a][b] -=
          sign * antenna_dofs[mesh_.entities[e].kind][a] * antenna_dofs[mesh_.entities[f].kind][b];
    }
  }
}

bool CouplePattern::fits(int e, int f, int sign) const {
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      const int d = antenna_dofs[mesh_.entities[e].kind][a] * antenna_dofs[mesh_.entities[f].kind][b] +
                    antenna_dofs[mesh_.entities[f].kind][a] * antenna_dofs[mesh_.entities[e].kind][b];
      if (d > 0 && sign * missing_[a][b] < d) return false;
    }
  }
  return true;
}

void CouplePattern::add(int e, int f) {
  couples_[e].insert(std::lower_bound(couples_[e].begin(), couples_[e].end(), f), f);
  couples_[f].insert(std::lower_bound(couples_[f].begin(), couples_[f].end(), e), e);
  count(e, f, 1);
  count(f, e, 1);
}

void CouplePattern::remove(int e, int f) {
  couples_[e].erase(std::lower_bound(couples_[e].begin(), couples_[e].end(), f));
  couples_[f].erase(std::lower_bound(couples_[f].begin(), couples_[f].end(), e));
  count(e, f, -1);
  count(f, e, -1);
}

std::vector<int> CouplePattern::second_neighbours(int e) const {
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

Index CouplePattern::row_length(int e) const {
  Index sum = 0;
  for (const int f : couples_[e]) {
    for (int b = 0; b < 3; ++b) sum += antenna_dofs[mesh_.entities[f].kind][b];
  }
  return sum;
}

void CouplePattern::make_long_rows(Index longest) {
  for (int e = 500; e < 8000; e += 1000) {
    for (const int f : second_neighbours(e)) {
      const Index more = mesh_.entities[f].kind == 1 ? 6 : 3;
      if (row_length(e) + more <= longest && row_length(f) + 3 <= longest) add(e, f);
    }
  }
}

void CouplePattern::add_second_neighbours() {
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
    const Offset each = antenna_dofs[k][k] * antenna_dofs[l][l] * (k == l ? 2 : 1);
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

void CouplePattern::remove_surplus() {
  for (int e = int(couples_.size()) - 1; e >= 0; --e) {
    const auto list = couples_[e];
    for (const int f : list) {
      if (f < e && fits(e, f, -1)) remove(e, f);
    }
  }
}

/// The remaining counts are met by entries of a coupling in one pair of orders.
void CouplePattern::complete() {
  for (int a = 0; a < 3; ++a) {
    for (int b = a; b < 3; ++b) {
      for (int e = 700; missing_[a][b] != 0 && e < int(couples_.size()); ++e) {
        const bool adds = missing_[a][b] > 0;
        if (adds && row_length(e) > 200 * scale_) continue;
        Offset still =
            1 + std::abs(missing_[a][b]) / 6000;  // couplings of this row: large deficits are distributed
        for (const int f : adds ? second_neighbours(e) : couples_[e]) {
          const int d = antenna_dofs[mesh_.entities[e].kind][a] * antenna_dofs[mesh_.entities[f].kind][b];
          const Offset change = a == b ? 2 * d : d;
          if (f == e || d == 0 || change > std::abs(missing_[a][b]) || (a == b && f > e)) continue;
          if (adds && row_length(f) > 200 * scale_) continue;
          singles_.push_back({e, a, f, b, adds});
          missing_[a][b] -= adds ? change : -change;
          if (a != b) missing_[b][a] = missing_[a][b];
          if (!adds || --still == 0) break;
        }
      }
      if (missing_[a][b] != 0) throw InputError("generated matrix: a block is too small for its count");
    }
  }
}

}  // namespace curlew::bench
