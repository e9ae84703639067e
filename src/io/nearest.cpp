// SPDX-License-Identifier: BSD-3-Clause
#include "io/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <string_view>
#include <utility>

namespace curlew::io {
namespace {

/// Words of HFSS, CST, Palace and NEC, in small letters without signs between, for ours.
constexpr std::pair<std::string_view, std::string_view> words_of_others[] = {
    {"permittivity", "epsilon_r"},
    {"relativepermittivity", "epsilon_r"},
    {"dk", "epsilon_r"},
    {"permeability", "mu_r"},
    {"relativepermeability", "mu_r"},
    {"tand", "loss_tangent"},
    {"tandelta", "loss_tangent"},
    {"losstan", "loss_tangent"},
    {"df", "loss_tangent"},
    {"bulkconductivity", "conductivity"},
    {"perfecte", "pec"},
    {"electric", "pec"},
    {"metal", "pec"},
    {"perfecth", "pmc"},
    {"magnetic", "pmc"},
    {"radiation", "absorbing"},
    {"open", "absorbing"},
    {"finiteconductivity", "impedance"},
    {"wave", "waveguide"},
    {"waveport", "waveguide"},
    {"lumpedport", "lumped"},
    {"iterative", "gmres"},
    {"eigenmode", "eigen"},
    {"mlfma", "ngim"},
    {"fmm", "ngim"},
    {"mom", "efie"},
    {"vertical", "theta"},
    {"horizontal", "phi"},
    {"square", "rectangle"},
    {"step", "points"},
    {"voltage", "amplitude"},
};

std::string bare(const std::string& word) {
  std::string out;
  for (const unsigned char c : word)
    if (std::isalnum(c)) out += char(std::tolower(c));
  return out;
}

}  // namespace

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
  for (const auto& [theirs, ours] : words_of_others)
    if (theirs == bare(word) && std::ranges::find(words, ours) != words.end()) return std::string(ours);
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
