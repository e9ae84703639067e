// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Materials by name: material = "copper" in a [[material]] or [[boundary]] is replaced by the keys of that
// material.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "io/config.hpp"

namespace curlew::material {

/// n and k over the wavelength in vacuum [um], ascending.
struct OpticalRow {
  double wavelength_um, n, k;
};

struct LibraryEntry {
  enum class Kind {
    dielectric,  ///< epsilon_r and loss_tangent
    debye,       ///< epsilon_r at high frequency and one Debye pole
    conductor,   ///< conductivity
    optical      ///< table of n and k
  };
  std::string_view name;
  std::string_view aliases;  ///< with " | " between; case, blanks and punctuation are ignored
  Kind kind;
  double epsilon_r = 1;
  double loss_tangent = 0;
  double conductivity = 0;     ///< [S/m]
  double delta_epsilon = 0;    ///< of the Debye pole
  double relaxation_time = 0;  ///< [s]
  std::span<const OpticalRow> rows{};
  double frequency = 0;  ///< [Hz] at which the values were measured; 0: see low and high
  double low = 0,
         high = 0;  ///< [Hz] range outside of which they are refused; high = 0: a warning beyond a decade
  std::string_view source;
};

/// All materials, metals first.
std::span<const LibraryEntry> library();

/// @return null if unknown
const LibraryEntry* find_material(std::string_view name);

/// The entry that `material` of a table names. @throws InputError, with the nearest names, if there is none
const LibraryEntry& require_material(const io::Config& table);

/// Replaces `material` in every [[material]] and [[boundary]] by the keys of that material that the table
/// does not set. @param program whose keys are used @throws InputError for an unknown name (with the
/// nearest), a material that is not possible there, and frequencies of the config outside of its range
void apply_library(const io::Config& config, const std::string& program);

/// Output of --materials: name, values, range, source; as text or JSON.
std::string materials_as_text();
std::string materials_as_json();

/// Frequencies [Hz], ascending, and permittivities (n - jk)² of an entry with rows.
struct OpticalTable {
  std::vector<double> frequencies;
  std::vector<Complex> permittivities;
};
OpticalTable optical_table(const LibraryEntry& entry);

/// "library:" of `table = "library:gold (optical)"`, as in resolved.toml.
inline constexpr std::string_view library_prefix = "library:";

}  // namespace curlew::material
