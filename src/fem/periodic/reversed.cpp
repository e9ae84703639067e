// SPDX-License-Identifier: BSD-3-Clause
#include "fem/periodic/reversed.hpp"

#include "base/constants.hpp"
#include "fem/periodic/floquet_modes.hpp"

namespace curlew::fem {

Periodicity reversed(const Periodicity& periodicity) {
  Periodicity there = periodicity;
  for (PeriodicPair& pair : there.pairs)
    if (pair.phase) pair.phase = -*pair.phase;
  there.wave_vector = -there.wave_vector;
  if (there.arrival) {  // it stays on its side of the cell: phases know the part along the translations alone
    const Lattice lattice = lattice_of(there);
    for (std::size_t i = 0; i < lattice.translations.size(); ++i)
      *there.arrival -= (dot(*periodicity.arrival, lattice.translations[i]) / pi) * lattice.reciprocals[i];
  }
  return there;
}

std::string reversed_wave(const std::string& name) {
  const auto open = name.find('('), comma = name.find(',');
  if (open == std::string::npos || comma == std::string::npos) return name;
  FloquetMode mode{name.substr(0, open) == "TE" ? ModeFamily::te : ModeFamily::tm,
                   -std::stoi(name.substr(open + 1)), -std::stoi(name.substr(comma + 1))};
  return mode.name();
}

}  // namespace curlew::fem
