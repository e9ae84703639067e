// SPDX-License-Identifier: BSD-3-Clause
#include "io/pattern_files.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <vector>

#include "base/constants.hpp"
#include "base/error.hpp"

namespace curlew::io {

namespace {

/// The rows of one port and frequency, in the order of other programs.
struct Block {
  std::vector<FarFieldRow> rows;  ///< theta varies fastest
  std::size_t num_theta, num_phi;
};

Block sorted_block(std::span<const FarFieldRow> rows) {
  std::set<double> theta, phi;
  for (const auto& r : rows) theta.insert(r.theta_deg), phi.insert(r.phi_deg);
  if (theta.size() * phi.size() != rows.size())
    throw InputError(fmt::format("far field of {}: {} directions do not form a grid of {} theta and {} phi",
                                 rows[0].port, rows.size(), theta.size(), phi.size()));
  Block block{{rows.begin(), rows.end()}, theta.size(), phi.size()};
  std::sort(block.rows.begin(), block.rows.end(), [](const FarFieldRow& a, const FarFieldRow& b) {
    return a.phi_deg != b.phi_deg ? a.phi_deg < b.phi_deg : a.theta_deg < b.theta_deg;
  });
  return block;
}

std::vector<Block> blocks_of(std::span<const FarFieldRow> rows) {
  std::vector<Block> blocks;
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && rows[end].port == rows[begin].port &&
           rows[end].frequency == rows[begin].frequency)
      ++end;
    blocks.push_back(sorted_block(rows.subspan(begin, end - begin)));
  }
  return blocks;
}

double squared(const FarFieldRow& r) {
  return std::norm(r.e_theta) + std::norm(r.e_phi);
}

/// Radiated, accepted and incident power [W] computed from field and gains in the direction of the largest
/// field.
std::array<double, 3> powers(const Block& block) {
  const auto& r =
      *std::max_element(block.rows.begin(), block.rows.end(),
                        [](const FarFieldRow& a, const FarFieldRow& b) { return squared(a) < squared(b); });
  const double isotropic = 4 * pi * squared(r) / (2 * vacuum_impedance);
  const auto over = [&](double gain) { return gain > 0 ? isotropic / gain : 0.0; };
  return {over(r.directivity), over(r.gain), over(r.realized_gain)};
}

}  // namespace

std::vector<std::string> read_formats(const Config& output) {
  const auto names = output.get_or<std::vector<std::string>>("formats", {});
  for (const auto& name : names)
    output.require(name == "ffe" || name == "ffs" || name == "touchstone2", "formats",
                   fmt::format("\"{}\" must be ffe (FEKO), ffs (CST) or touchstone2", name));
  return names;
}

PatternFormats read_pattern_formats(const Config& config) {
  const auto names = read_formats(config.table("output"));
  return {.ffe = std::ranges::count(names, "ffe") > 0, .ffs = std::ranges::count(names, "ffs") > 0};
}

std::string feko_pattern(std::span<const FarFieldRow> rows, const Provenance& provenance) {
  std::string text = fmt::format("##File Type: Far field\n##File Format: 3\n##Source: {}\n##Date: {:%F %T}\n",
                                 provenance.config_name, fmt::gmtime(std::time(nullptr)));
  for (const auto& line : provenance_lines(provenance)) text += "** " + line + "\n";
  for (const Block& block : blocks_of(rows)) {
    text += fmt::format(
        "\n#Configuration Name: {0}\n#Request Name: {0}\n#Frequency: {1:.9E}\n#Coordinate System: Spherical\n"
        "#No. of Theta Samples: {2}\n#No. of Phi Samples: {3}\n#Result Type: Gain\n#No. of Header Lines: 1\n"
        "# \"Theta\" \"Phi\" \"Re(Etheta)\" \"Im(Etheta)\" \"Re(Ephi)\" \"Im(Ephi)\" \"Gain(Theta)\" "
        "\"Gain(Phi)\" \"Gain(Total)\"\n",
        block.rows[0].port, block.rows[0].frequency, block.num_theta, block.num_phi);
    for (const auto& r : block.rows) {
      const double share = squared(r) > 0 ? r.gain / squared(r) : 0;
      text += fmt::format(" {:.8E} {:.8E} {:.8E} {:.8E} {:.8E} {:.8E} {:.8E} {:.8E} {:.8E}\n", r.theta_deg,
                          r.phi_deg, r.e_theta.real(), r.e_theta.imag(), r.e_phi.real(), r.e_phi.imag(),
                          power_decibel(share * std::norm(r.e_theta)),
                          power_decibel(share * std::norm(r.e_phi)), power_decibel(r.gain));
    }
  }
  return text;
}

std::string cst_pattern(std::span<const FarFieldRow> rows, const Provenance& provenance) {
  const auto blocks = blocks_of(rows);
  std::string text = "// CST Farfield Source File\n";
  for (const auto& line : provenance_lines(provenance)) text += "// " + line + "\n";
  text += fmt::format(
      "\n// Version:\n3.0\n\n// Data Type\nFarfield\n\n// #Frequencies\n{}\n\n// Position\n0 0 0\n\n"
      "// zAxis\n0 0 1\n\n// xAxis\n1 0 0\n\n// Radiated/Accepted/Stimulated Power , Frequency\n",
      blocks.size());
  for (const Block& block : blocks) {
    const auto [radiated, accepted, incident] = powers(block);
    text += fmt::format("{:.9e}\n{:.9e}\n{:.9e}\n{:.9e}\n\n", radiated, accepted, incident,
                        block.rows[0].frequency);
  }
  for (const Block& block : blocks) {
    text += fmt::format(
        "// >> Total #phi samples, total #theta samples\n{} {}\n\n"
        "// >> Phi, Theta, Re(E_Theta), Im(E_Theta), Re(E_Phi), Im(E_Phi):\n",
        block.num_phi, block.num_theta);
    for (const auto& r : block.rows)
      text += fmt::format("{:8.3f} {:8.3f} {:.9e} {:.9e} {:.9e} {:.9e}\n", r.phi_deg, r.theta_deg,
                          r.e_theta.real(), r.e_theta.imag(), r.e_phi.real(), r.e_phi.imag());
    text += "\n";
  }
  return text;
}

}  // namespace curlew::io
