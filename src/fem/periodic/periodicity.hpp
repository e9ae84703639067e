// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Periodic structures of a config: pairs of translated faces and the phase between them, E(r + d) = E(r)
// exp(-j k.d) (Bloch; Floquet), under exp(+jwt).

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "mesh/translated_faces.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct Model;
struct NedelecSpace;

struct PeriodicPair {
  std::vector<std::string> primary, secondary;  ///< named surfaces, the second is the first moved by d
  mesh::TranslatedFaces faces;
  std::optional<double> phase;  ///< [rad] k.d if given; else computed from the Bloch vector
};

struct Periodicity {
  std::vector<PeriodicPair> pairs;
  /// Unit vector towards the source of the wave: k = -k_medium times it at every frequency.
  std::optional<Vec3<double>> arrival;
  /// Direction of E_t of TM(0,0) at normal incidence: that of increasing theta.
  Vec3<double> theta_direction{1, 0, 0};
  Vec3<double> wave_vector{};    ///< [rad/m], if there is no `arrival`
  double highest_frequency = 0;  ///< [Hz] of the config, for the propagating Floquet modes; 0: unknown

  bool empty() const { return pairs.empty(); }
  /// k.d of every pair [rad]. @param k wavenumber of the incident wave's medium [rad/m]
  std::vector<double> phases(double k) const;
  /// True if exp(-j k.d) is real for all pairs at all frequencies: 0 or 180 degrees.
  bool is_real() const;
};

/// Reads the pairs of [[periodic]] and the vector of [bloch], and numbers nodes equally on all pairs; call it
/// before the topology is made. @throws InputError with file and line; if faces do not match, with the cure
/// in the .geo file
Periodicity read_periodicity(const io::Config& config, mesh::Mesh& mesh);

/// k.d of every pair at a frequency [Hz]; k is that of the medium behind the first Floquet port, of vacuum
/// without one.
std::vector<double> bloch_phases(const Model& model, const NedelecSpace& space, double frequency);

/// Translations that span the lattice, and reciprocal vectors b_i in their span with b_i.d_j = 2 pi (i = j).
struct Lattice {
  std::vector<std::size_t> pairs;          ///< the first independent ones, at most three
  std::vector<Vec3<double>> translations;  ///< [m]
  std::vector<Vec3<double>> reciprocals;   ///< [rad/m]

  /// The part of the wave vector in the lattice's span, from k.d of all pairs [rad].
  Vec3<double> wave_vector(const std::vector<double>& phases) const;
};
Lattice lattice_of(const Periodicity& periodicity);

/// Smallest length of k + G [rad/m] over reciprocal lattice vectors G, from phases k.d [rad]: no mode of the
/// cell has an angular frequency below c times it divided by the largest index (empty lattice and the min-max
/// principle).
double shortest_wave_vector(const Periodicity& periodicity, const std::vector<double>& phases);

}  // namespace curlew::fem
