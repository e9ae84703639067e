// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The patterns of farfield.csv in the formats that other programs import: FEKO .ffe and CST .ffs.

#include <span>
#include <string>

#include "io/config.hpp"
#include "io/far_field_files.hpp"
#include "io/provenance.hpp"

namespace curlew::io {

/// Further files in addition to farfield.csv.
struct PatternFormats {
  bool ffe = false;  ///< FEKO far field, all ports and frequencies in one file
  bool ffs = false;  ///< CST far-field source, a file per port
};

/// `formats` of [output]: "ffe", "ffs", "touchstone2". @throws InputError for another word
std::vector<std::string> read_formats(const Config& output);

/// Those of patterns. @throws InputError as read_formats
PatternFormats read_pattern_formats(const Config& config);

/// Blocks, each of one port and frequency: E r exp(jkr) [V], peak, gains in dBi; theta varies fastest.
/// @param rows consecutive blocks, each a full grid of theta and phi in any order
/// @throws InputError if a block is no grid
std::string feko_pattern(std::span<const FarFieldRow> rows, const Provenance& provenance);

/// CST version 3.0: powers [W] of every frequency (of peak fields, from gain and field in the direction of
/// greatest gain), then E r exp(jkr) [V], peak; theta varies fastest.
/// @param rows of one port
/// @throws InputError if a block is no grid
std::string cst_pattern(std::span<const FarFieldRow> rows, const Provenance& provenance);

}  // namespace curlew::io
