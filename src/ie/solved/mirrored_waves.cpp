// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/mirrored_waves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/log.hpp"

namespace curlew::ie {

MirroredWaves::MirroredWaves(const SurfaceConfig& c, const System& system) {
  if (c.waves.size() > 1 && c.ports.empty()) planes_ = find_mirror_planes(system);
  if (planes_.empty()) {
    for (std::size_t w = 0; w < c.waves.size(); ++w) waves_.push_back({w});
  } else {
    std::vector<green::ArrivingWave> waves;
    for (const auto& wave : c.waves) waves.push_back(wave.wave);
    waves_ = pair_waves(waves, planes_, system.scene().regions[0].k.real());
  }
  place_.assign(waves_.size(), -1);
  for (std::size_t w = 0; w < waves_.size(); ++w)
    if (waves_[w].from == w) place_[w] = Index(solved_.size()), solved_.push_back(Index(w));
}

SurfaceConfig MirroredWaves::solved_part(const SurfaceConfig& c) const {
  SurfaceConfig part = c;
  part.waves.clear();
  for (const Index w : solved_) part.waves.push_back(c.waves[std::size_t(w)]);
  return part;
}

void MirroredWaves::state(run::Run& run) const {
  if (!has_images()) return;
  std::vector<std::string> names;
  for (const auto& plane : planes_)
    names.push_back(fmt::format("{} = {:.6g}", char('x' + plane.axis), plane.position));
  const std::string list = fmt::format("{}", fmt::join(names, ", "));
  log::info("plane{} of symmetry {}: {} of {} waves are solved", names.size() > 1 ? "s" : "", list,
            solved_.size(), waves_.size());
  run.results()["mirror_planes"] = list;
  run.results()["solved_waves"] = solved_.size();
}

void MirroredWaves::expand(SurfaceSolution& s) const {
  if (!has_images()) return;
  const auto n = std::size_t(s.system.num_unknowns());
  const std::size_t others = std::size_t(s.count) - solved_.size();
  s.x.resize(n * (waves_.size() + others));
  const auto move = [&](std::size_t from, std::size_t to) {
    if (from != to) std::copy_n(s.x.begin() + Offset(from * n), n, s.x.begin() + Offset(to * n));
  };
  // Backwards, since none moves to a lower index.
  for (std::size_t i = others; i-- > 0;) move(solved_.size() + i, waves_.size() + i);
  for (std::size_t i = solved_.size(); i-- > 0;) move(i, std::size_t(solved_[i]));
  for (std::size_t w = 0; w < waves_.size(); ++w)
    if (waves_[w].from != w)
      mirror_currents(waves_[w], planes_, {&s.x[waves_[w].from * n], n}, {&s.x[w * n], n});
  s.count = Index(waves_.size() + others);
}

std::vector<Index> MirroredWaves::waves_of(Index first, Index last) const {
  std::vector<Index> out;
  for (std::size_t w = 0; w < waves_.size(); ++w) {
    const Index at = place_[waves_[w].from];
    if (at >= first && at < last) out.push_back(Index(w));
  }
  return out;
}

std::vector<Complex> MirroredWaves::currents_of(Index first, Index last, std::vector<Complex> x) const {
  if (!has_images()) return x;
  const auto numbers = waves_of(first, last);
  const std::size_t n = x.size() / std::size_t(last - first);
  std::vector<Complex> all(numbers.size() * n);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& wave = waves_[std::size_t(numbers[i])];
    mirror_currents(wave, planes_, {&x[std::size_t(place_[wave.from] - first) * n], n}, {&all[i * n], n});
  }
  return all;
}

}  // namespace curlew::ie
