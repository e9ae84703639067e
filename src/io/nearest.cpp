// SPDX-License-Identifier: BSD-3-Clause
#include "io/nearest.hpp"

#include <algorithm>
#include <limits>

namespace curlew::io {

int edit_distance(const std::string& a, const std::string& b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> d((a.size() + 1) * width);
  for (std::size_t i = 0; i <= a.size(); ++i) d[i * width] = int(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substituted = d[(i - 1) * width + j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      int best = std::min({d[(i - 1) * width + j] + 1, d[i * width + j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, d[(i - 2) * width + j - 2] + 1);
      }
      d[i * width + j] = best;
    }
  }
  return d.back();
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& words) {
  std::string nearest;
  int least = std::numeric_limits<int>::max();
  for (const auto& candidate : words) {
    if (const int distance = edit_distance(word, candidate); distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace curlew::io
