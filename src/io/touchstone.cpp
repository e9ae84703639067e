// SPDX-License-Identifier: BSD-3-Clause
#include "io/touchstone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/config.hpp"
#include "io/pattern_files.hpp"

namespace curlew::io {
namespace {

/// One frequency. Two ports are on one line, column by column; from three on every row of the matrix starts a
/// line, and a line has at most four values.
std::string record(const Touchstone& data, std::size_t f) {
  const int n = data.num_ports;
  std::string text = fmt::format("{:.12g}", data.frequencies[f]);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool new_line = n > 2 && ((j == 0 && i > 0) || (j > 0 && j % 4 == 0));
      if (new_line) text += "\n";
      const Complex s = n == 2 ? data.at(f, j, i) : data.at(f, i, j);
      text += fmt::format(" {: .12e} {: .12e}", s.real(), s.imag());
    }
  }
  text += "\n";
  if (data.port_impedances.empty()) return text;
  text += "! Port Impedance";
  for (int i = 0; i < n; ++i) {
    const Complex z = data.port_impedances[f * std::size_t(n) + std::size_t(i)];
    text += fmt::format(" {:.12e} {:.12e}", z.real(), z.imag());
  }
  return text + "\n";
}

/// Lines before the data. Two ports stay in the order of version 1.
std::string head(const Touchstone& data) {
  std::string text;
  for (const auto& line : data.comments) text += "! " + line + "\n";
  const bool has_keywords = !data.references.empty();
  if (has_keywords) text += "[Version] 2.0\n";
  text += fmt::format("# Hz S RI R {:.12g}\n", data.reference_impedance);
  if (!has_keywords) return text;
  text += fmt::format("[Number of Ports] {}\n", data.num_ports);
  if (data.num_ports == 2) text += "[Two-Port Data Order] 21_12\n";
  text += fmt::format("[Number of Frequencies] {}\n[Reference]", data.frequencies.size());
  for (const double z : data.references) text += fmt::format(" {:.12g}", z);
  return text + "\n[Network Data]\n";
}

}  // namespace

int read_touchstone_version(const Config& output) {
  return std::ranges::count(read_formats(output), "touchstone2") > 0 ? 2 : 1;
}

std::string touchstone_name(const std::string& stem, int num_ports) {
  return fmt::format("{}.s{}p", stem, num_ports);
}

void write_touchstone(const std::string& path, const Touchstone& data) {
  const auto entries = std::size_t(data.num_ports) * std::size_t(data.num_ports);
  if (data.num_ports < 1 || data.s.size() != data.frequencies.size() * entries) {
    throw InputError(fmt::format("{}: {} values for {} frequencies and {} ports", path, data.s.size(),
                                 data.frequencies.size(), data.num_ports));
  }
  if (!data.port_impedances.empty() &&
      data.port_impedances.size() != data.frequencies.size() * std::size_t(data.num_ports))
    throw InputError(fmt::format("{}: {} port impedances for {} frequencies and {} ports", path,
                                 data.port_impedances.size(), data.frequencies.size(), data.num_ports));
  if (!data.references.empty() && data.references.size() != std::size_t(data.num_ports))
    throw InputError(
        fmt::format("{}: {} references for {} ports", path, data.references.size(), data.num_ports));
  const auto bad = std::find_if(data.s.begin(), data.s.end(), [](Complex s) {
    return !std::isfinite(s.real()) || !std::isfinite(s.imag());
  });
  if (bad != data.s.end())
    throw NumericalError(fmt::format("{}: an S-parameter at {} Hz is not finite, so the file is not written",
                                     path, data.frequencies[std::size_t(bad - data.s.begin()) / entries]));
  std::vector<std::size_t> order(data.frequencies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return data.frequencies[a] < data.frequencies[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (data.frequencies[order[i]] == data.frequencies[order[i - 1]]) {
      throw InputError(fmt::format("{}: {} Hz occurs twice", path, data.frequencies[order[i]]));
    }
  }

  std::string text = head(data);
  for (const auto f : order) text += record(data, f);
  if (!data.references.empty()) text += "[End]\n";
  write_text_file(path, text);
}

}  // namespace curlew::io
