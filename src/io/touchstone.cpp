// SPDX-License-Identifier: BSD-3-Clause
#include "io/touchstone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/config.hpp"
#include "io/number_text.hpp"

namespace curlew::io {
namespace {

std::string pair_text(Complex value, TouchstoneFormat format) {
  if (format == TouchstoneFormat::real_imaginary)
    return fmt::format(" {: .12e} {: .12e}", value.real(), value.imag());
  return fmt::format(" {:.12e} {: .9f}", std::abs(value), std::arg(value) * 180 / pi);
}

/// One frequency. Two ports are on one line, column by column; from three on every row of the matrix starts a
/// line, and a line has at most four values.
std::string record(const Touchstone& data, std::size_t f, TouchstoneFormat format) {
  const int n = data.num_ports;
  std::string text = fmt::format("{:.12g}", data.frequencies[f]);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool new_line = n > 2 && ((j == 0 && i > 0) || (j > 0 && j % 4 == 0));
      if (new_line) text += "\n";
      text += pair_text(n == 2 ? data.at(f, j, i) : data.at(f, i, j), format);
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
std::string head(const Touchstone& data, TouchstoneFormat format) {
  std::string text;
  for (const auto& line : data.comments) text += "! " + line + "\n";
  const bool has_keywords = !data.references.empty();
  if (has_keywords) text += "[Version] 2.0\n";
  text += fmt::format("# Hz S {} R {:.12g}\n", format == TouchstoneFormat::real_imaginary ? "RI" : "MA",
                      data.reference_impedance);
  if (!has_keywords) return text;
  text += fmt::format("[Number of Ports] {}\n", data.num_ports);
  if (data.num_ports == 2) text += "[Two-Port Data Order] 21_12\n";
  text += fmt::format("[Number of Frequencies] {}\n[Reference]", data.frequencies.size());
  for (const double z : data.references) text += fmt::format(" {:.12g}", z);
  return text + "\n[Network Data]\n";
}

/// The contents of the option line.
struct Options {
  double unit = 1e9;
  enum class Pair { db, ma, ri } pair = Pair::ma;
  double impedance = 50;
};

Options parse_options(const std::string& line, const std::string& place) {
  Options options;
  std::istringstream words(line.substr(1));
  for (std::string word; words >> word;) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return char(std::toupper(c)); });
    if (word == "HZ")
      options.unit = 1;
    else if (word == "KHZ")
      options.unit = 1e3;
    else if (word == "MHZ")
      options.unit = 1e6;
    else if (word == "GHZ")
      options.unit = 1e9;
    else if (word == "DB")
      options.pair = Options::Pair::db;
    else if (word == "MA")
      options.pair = Options::Pair::ma;
    else if (word == "RI")
      options.pair = Options::Pair::ri;
    else if (word == "R" && words >> options.impedance && std::isfinite(options.impedance))
      continue;
    else if (word != "S")
      throw InputError(
          fmt::format("{}: option \"{}\": only S-parameters in Hz..GHz, RI, MA or DB", place, word));
  }
  return options;
}

Complex to_complex(double a, double b, Options::Pair pair) {
  if (pair == Options::Pair::ri) return {a, b};
  return std::polar(pair == Options::Pair::db ? std::pow(10, a / 20) : a, b * pi / 180);
}

int ports_of_name(const std::string& path) {
  const auto dot = path.rfind(".s");
  char* end = nullptr;
  const long ports = dot == std::string::npos ? 0 : std::strtol(path.c_str() + dot + 2, &end, 10);
  if (ports < 1 || ports > 100000 || end == nullptr || (*end != 'p' && *end != 'P')) {
    throw InputError(fmt::format("{}: the name must end in .sNp, N the number of ports", path));
  }
  return int(ports);
}

/// A keyword line of version 2.0; keywords that repeat the file's name or its data are ignored.
void read_keyword(const std::string& line, const std::string& place, Touchstone& data) {
  const auto end = line.find(']');
  const std::string keyword = line.substr(0, end + 1), value = line.substr(std::min(end + 1, line.size()));
  if (keyword == "[Reference]") {
    std::istringstream words(value);
    for (double z = 0; words >> z;) data.references.push_back(z);
    if (data.references.size() != std::size_t(data.num_ports))
      throw InputError(
          fmt::format("{}: {} references for {} ports", place, data.references.size(), data.num_ports));
    for (const double z : data.references)
      if (!(z > 0)) throw InputError(fmt::format("{}: a reference of {} ohm: must be positive", place, z));
    return;
  }
  if (keyword == "[Two-Port Data Order]" && value.find("21_12") == std::string::npos)
    throw InputError(fmt::format("{}: [Two-Port Data Order]{}: must be 21_12", place, value));
  for (const char* known : {"[Version]", "[Number of Ports]", "[Two-Port Data Order]",
                            "[Number of Frequencies]", "[Network Data]", "[End]"})
    if (keyword == known) return;
  throw InputError(fmt::format("{}: keyword \"{}\" is not supported", place, keyword));
}

/// The numbers of all data lines; comments and the option line are skipped.
std::vector<double> read_numbers(const std::string& path, Touchstone& data, Options& options) {
  std::istringstream lines(read_text_file(path));
  std::vector<double> numbers;
  bool has_options = false;
  int line_number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", path, ++line_number);
    const auto comment = line.find('!');
    if (comment != std::string::npos) {
      if (comment == 0)
        data.comments.push_back(line.substr(std::min(line.find_first_not_of("! "), line.size())));
      line.resize(comment);
    }
    if (line.starts_with('[')) {
      read_keyword(line, place, data);
      continue;
    }
    if (line.starts_with('#')) {
      if (!has_options) options = parse_options(line, place);  // further option lines are to be ignored
      has_options = true;
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      const auto number = number_of(word);
      if (!number || !std::isfinite(*number))
        throw InputError(fmt::format("{}: \"{}\" is not a finite number", place, word));
      numbers.push_back(*number);
      if (!has_options) throw InputError(fmt::format("{}: data before the option line", place));
    }
  }
  return numbers;
}

}  // namespace

int read_touchstone_version(const Config& output) {
  const int version = output.get_or<int>("touchstone", 1);
  output.require(version == 1 || version == 2, "touchstone", fmt::format("touchstone = {}: 1 or 2", version));
  return version;
}

std::string touchstone_name(const std::string& stem, int num_ports) {
  return fmt::format("{}.s{}p", stem, num_ports);
}

void write_touchstone(const std::string& path, const Touchstone& data, TouchstoneFormat format) {
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

  std::string text = head(data, format);
  for (const auto f : order) text += record(data, f, format);
  if (!data.references.empty()) text += "[End]\n";
  write_text_file(path, text);
}

Touchstone read_touchstone(const std::string& path) {
  Touchstone data;
  Options options;
  data.num_ports = ports_of_name(path);
  const auto numbers = read_numbers(path, data, options);
  data.reference_impedance = options.impedance;
  const auto n = std::size_t(data.num_ports), per_record = 1 + 2 * n * n;
  if (numbers.empty() || numbers.size() % per_record != 0) {
    throw InputError(
        fmt::format("{}: {} numbers are not a multiple of {}, the numbers of a frequency with {} ports", path,
                    numbers.size(), per_record, n));
  }
  for (std::size_t start = 0; start < numbers.size(); start += per_record) {
    const double frequency = numbers[start] * options.unit;
    if (!data.frequencies.empty() && frequency <= data.frequencies.back()) {
      throw InputError(fmt::format("{}: frequencies must ascend, {} Hz follows {} Hz", path, frequency,
                                   data.frequencies.back()));
    }
    data.frequencies.push_back(frequency);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const auto at = start + 1 + 2 * (n == 2 ? j * n + i : i * n + j);
        data.s.push_back(to_complex(numbers[at], numbers[at + 1], options.pair));
      }
    }
  }
  return data;
}

}  // namespace curlew::io
