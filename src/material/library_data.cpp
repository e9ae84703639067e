// SPDX-License-Identifier: BSD-3-Clause
// Values of the library of materials, each with its source.
#include "material/library.hpp"

namespace curlew::material {
namespace {

// n and k at room temperature. Source: P. B. Johnson and R. W. Christy (1972), Optical constants of the noble
// metals, Phys. Rev. B 6, 4370-4379, table I, as in the refractiveindex.info database (CC0 1.0).
constexpr OpticalRow gold[] = {
    {0.1879, 1.28, 1.188}, {0.1916, 1.32, 1.203}, {0.1953, 1.34, 1.226}, {0.1993, 1.33, 1.251},
    {0.2033, 1.33, 1.277}, {0.2073, 1.30, 1.304}, {0.2119, 1.30, 1.350}, {0.2164, 1.30, 1.387},
    {0.2214, 1.30, 1.427}, {0.2262, 1.31, 1.460}, {0.2313, 1.30, 1.497}, {0.2371, 1.32, 1.536},
    {0.2426, 1.32, 1.577}, {0.2490, 1.33, 1.631}, {0.2551, 1.33, 1.688}, {0.2616, 1.35, 1.749},
    {0.2689, 1.38, 1.803}, {0.2761, 1.43, 1.847}, {0.2844, 1.47, 1.869}, {0.2924, 1.49, 1.878},
    {0.3009, 1.53, 1.889}, {0.3107, 1.53, 1.893}, {0.3204, 1.54, 1.898}, {0.3315, 1.48, 1.883},
    {0.3425, 1.48, 1.871}, {0.3542, 1.50, 1.866}, {0.3679, 1.48, 1.895}, {0.3815, 1.46, 1.933},
    {0.3974, 1.47, 1.952}, {0.4133, 1.46, 1.958}, {0.4305, 1.45, 1.948}, {0.4509, 1.38, 1.914},
    {0.4714, 1.31, 1.849}, {0.4959, 1.04, 1.833}, {0.5209, 0.62, 2.081}, {0.5486, 0.43, 2.455},
    {0.5821, 0.29, 2.863}, {0.6168, 0.21, 3.272}, {0.6595, 0.14, 3.697}, {0.7045, 0.13, 4.103},
    {0.7560, 0.14, 4.542}, {0.8211, 0.16, 5.083}, {0.8920, 0.17, 5.663}, {0.9840, 0.22, 6.350},
    {1.0880, 0.27, 7.150}, {1.2160, 0.35, 8.145}, {1.3930, 0.43, 9.519}, {1.6100, 0.56, 11.21},
    {1.9370, 0.92, 13.78}};
constexpr OpticalRow silver[] = {
    {0.1879, 1.07, 1.212}, {0.1916, 1.10, 1.232}, {0.1953, 1.12, 1.255}, {0.1993, 1.14, 1.277},
    {0.2033, 1.15, 1.296}, {0.2073, 1.18, 1.312}, {0.2119, 1.20, 1.325}, {0.2164, 1.22, 1.336},
    {0.2214, 1.25, 1.342}, {0.2262, 1.26, 1.344}, {0.2313, 1.28, 1.357}, {0.2371, 1.28, 1.367},
    {0.2426, 1.30, 1.378}, {0.2490, 1.31, 1.389}, {0.2551, 1.33, 1.393}, {0.2616, 1.35, 1.387},
    {0.2689, 1.38, 1.372}, {0.2761, 1.41, 1.331}, {0.2844, 1.41, 1.264}, {0.2924, 1.39, 1.161},
    {0.3009, 1.34, 0.964}, {0.3107, 1.13, 0.616}, {0.3204, 0.81, 0.392}, {0.3315, 0.17, 0.829},
    {0.3425, 0.14, 1.142}, {0.3542, 0.10, 1.419}, {0.3679, 0.07, 1.657}, {0.3815, 0.05, 1.864},
    {0.3974, 0.05, 2.070}, {0.4133, 0.05, 2.275}, {0.4305, 0.04, 2.462}, {0.4509, 0.04, 2.657},
    {0.4714, 0.05, 2.869}, {0.4959, 0.05, 3.093}, {0.5209, 0.05, 3.324}, {0.5486, 0.06, 3.586},
    {0.5821, 0.05, 3.858}, {0.6168, 0.06, 4.152}, {0.6595, 0.05, 4.483}, {0.7045, 0.04, 4.838},
    {0.7560, 0.03, 5.242}, {0.8211, 0.04, 5.727}, {0.8920, 0.04, 6.312}, {0.9840, 0.04, 6.992},
    {1.0880, 0.04, 7.795}, {1.2160, 0.09, 8.828}, {1.3930, 0.13, 10.10}, {1.6100, 0.15, 11.85},
    {1.9370, 0.24, 14.08}};

constexpr std::string_view pozar_metals =
    "Pozar, Microwave Engineering, 4th ed. (2012), app. F; 20 degrees C";
constexpr std::string_view pozar = "Pozar, Microwave Engineering, 4th ed. (2012), app. G";
constexpr std::string_view ro4000 =
    "Rogers, RO4000 series data sheet: design permittivity, loss tangent at 10 GHz";
constexpr std::string_view ro3000 =
    "Rogers, RO3000 series data sheet: design permittivity, loss tangent at 10 GHz";
constexpr std::string_view rogers =
    "Rogers, product selector guide: design permittivity, loss tangent at 10 GHz";
constexpr std::string_view johnson =
    "Johnson and Christy, Phys. Rev. B 6, 4370 (1972), table I; room temperature";

using Kind = LibraryEntry::Kind;

/// To 1 THz: above it the relaxation of the electrons (some 10 fs) changes the conductivity.
constexpr LibraryEntry metal(std::string_view name, std::string_view aliases, double conductivity,
                             std::string_view source = pozar_metals) {
  LibraryEntry entry{.name = name, .aliases = aliases, .kind = Kind::conductor, .source = source};
  entry.conductivity = conductivity;
  entry.high = 1e12;
  return entry;
}

constexpr LibraryEntry dielectric(std::string_view name, std::string_view aliases, double epsilon_r,
                                  double loss_tangent, double frequency, std::string_view source) {
  LibraryEntry entry{.name = name, .aliases = aliases, .kind = Kind::dielectric, .source = source};
  entry.epsilon_r = epsilon_r;
  entry.loss_tangent = loss_tangent;
  entry.frequency = frequency;
  return entry;
}

/// Debye fit of measurements at 1.1 to 57 GHz and of the static value.
constexpr LibraryEntry water() {
  LibraryEntry entry{.name = "water",
                     .aliases = "pure water",
                     .kind = Kind::debye,
                     .source = "Kaatze, J. Chem. Eng. Data 34, 371 (1989); pure, 25 degrees C, to 57 GHz"};
  entry.epsilon_r = 5.2;
  entry.delta_epsilon = 78.36 - 5.2;
  entry.relaxation_time = 8.27e-12;
  entry.high = 57e9;
  return entry;
}

constexpr LibraryEntry optical(std::string_view name, std::string_view aliases,
                               std::span<const OpticalRow> rows) {
  LibraryEntry entry{.name = name, .aliases = aliases, .kind = Kind::optical, .source = johnson};
  entry.rows = rows;
  entry.low = 299792458e6 / rows.back().wavelength_um;
  entry.high = 299792458e6 / rows.front().wavelength_um;
  return entry;
}

constexpr LibraryEntry entries[] = {
    metal("silver", "Ag", 6.173e7),
    metal("copper", "Cu", 5.813e7),
    metal("annealed copper", "copper IACS", 5.8e7, "IEC 60028 (1925): 100 % IACS; 20 degrees C"),
    metal("gold", "Au", 4.098e7),
    metal("chromium", "Cr", 3.846e7),
    metal("aluminium", "aluminum | Al", 3.816e7),
    metal("brass", "", 2.564e7),
    metal("tungsten", "W", 1.825e7),
    metal("bronze", "", 1.0e7),
    metal("platinum", "Pt", 9.52e6),
    metal("solder", "", 7.0e6),
    metal("stainless steel", "", 1.1e6),
    optical("gold (optical)", "gold Johnson Christy", gold),
    optical("silver (optical)", "silver Johnson Christy", silver),
    dielectric("vacuum", "", 1, 0, 0, "by definition"),
    dielectric("FR4", "FR-4", 4.4, 0.02, 1e9,
               "typical glass epoxy; boards have 4.2 to 4.8: use the data sheet of your board"),
    dielectric("Rogers RO4003C", "RO4003C | RO4003", 3.55, 0.0027, 10e9, ro4000),
    dielectric("Rogers RO4350B", "RO4350B | RO4350", 3.66, 0.0037, 10e9, ro4000),
    dielectric("Rogers RO3003", "RO3003", 3.00, 0.0010, 10e9, ro3000),
    dielectric("RT/duroid 5870", "Rogers 5870", 2.33, 0.0012, 10e9, rogers),
    dielectric("RT/duroid 5880", "Rogers 5880", 2.20, 0.0009, 10e9, rogers),
    dielectric("RT/duroid 6002", "Rogers 6002", 2.94, 0.0012, 10e9, rogers),
    dielectric("RT/duroid 6010LM", "RT/duroid 6010 | Rogers 6010LM", 10.7, 0.0023, 10e9, rogers),
    dielectric("TMM 3", "Rogers TMM3", 3.45, 0.0020, 10e9, rogers),
    dielectric("TMM 4", "Rogers TMM4", 4.70, 0.0020, 10e9, rogers),
    dielectric("TMM 6", "Rogers TMM6", 6.3, 0.0023, 10e9, rogers),
    dielectric("TMM 10", "Rogers TMM10", 9.8, 0.0022, 10e9, rogers),
    dielectric("TMM 10i", "Rogers TMM10i", 9.9, 0.0020, 10e9, rogers),
    dielectric("PTFE", "Teflon", 2.08, 0.0004, 10e9, pozar),
    dielectric("polyethylene", "PE", 2.25, 0.0004, 10e9, pozar),
    dielectric("polystyrene", "PS", 2.54, 0.00033, 10e9, pozar),
    dielectric("Rexolite", "Rexolite 1422", 2.54, 0.00048, 3e9, pozar),
    dielectric("alumina 99.5 %", "alumina | Al2O3", 9.8, 0.0003, 10e9,
               "Pozar, Microwave Engineering, 4th ed. (2012), app. G: 9.5 to 10"),
    dielectric("fused silica", "fused quartz | SiO2", 3.78, 0.0001, 10e9, pozar),
    dielectric("silicon", "Si", 11.9, 0.004, 10e9, pozar),
    dielectric("gallium arsenide", "GaAs", 13.0, 0.006, 10e9, pozar),
    water(),
};

}  // namespace

std::span<const LibraryEntry> library() {
  return entries;
}

}  // namespace curlew::material
