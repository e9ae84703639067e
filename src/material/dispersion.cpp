// SPDX-License-Identifier: BSD-3-Clause
#include "material/dispersion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/config.hpp"
#include "io/csv.hpp"

namespace curlew::material {
namespace {

double not_negative(const io::Config& table, const char* key) {
  const double value = table.get<double>(key);
  table.require(value >= 0, key, fmt::format("{} must be 0 or positive", key));
  return value;
}

Pole read_pole(const io::Config& table) {
  Pole pole;
  const std::string type = table.choice("type", {"drude", "lorentz", "debye"});
  if (type == "drude") {
    pole.type = Pole::Type::drude;
    pole.frequency = 2 * pi * table.positive("plasma_frequency");
    pole.damping = table.has("collision_frequency") ? 2 * pi * not_negative(table, "collision_frequency") : 0;
  } else if (type == "lorentz") {
    pole.type = Pole::Type::lorentz;
    pole.strength = not_negative(table, "delta_epsilon");
    pole.frequency = 2 * pi * table.positive("resonance_frequency");
    pole.damping = table.has("linewidth") ? 2 * pi * not_negative(table, "linewidth") : 0;
  } else {
    pole.type = Pole::Type::debye;
    pole.strength = not_negative(table, "delta_epsilon");
    pole.time = table.positive("relaxation_time");
  }
  return pole;
}

std::shared_ptr<const PermittivityTable> read_table(const io::Config& config) {
  const std::string file = config.resolve_path(config.get<std::string>("table"));
  const io::CsvTable csv = io::read_csv(file);
  auto table = std::make_shared<PermittivityTable>();
  table->name = file;
  table->frequencies = csv.numbers("frequency_hz");
  const auto re = csv.numbers("epsilon_re"), im = csv.numbers("epsilon_im");
  config.require(!re.empty(), "table", fmt::format("{} has no rows", file));
  for (std::size_t i = 0; i < re.size(); ++i) {
    config.require(i == 0 || table->frequencies[i] > table->frequencies[i - 1], "table",
                   fmt::format("{}: frequency_hz must ascend", file));
    config.require(im[i] <= 0, "table",
                   fmt::format("{}: epsilon_im is {} at {} Hz; loss is negative under exp(+jwt)", file, im[i],
                               table->frequencies[i]));
    table->values.emplace_back(re[i], im[i]);
  }
  return table;
}

}  // namespace

Complex Pole::permittivity(Complex omega) const {
  const Complex j(0, 1);
  if (type == Type::drude) return -frequency * frequency / (omega * (omega - j * damping));
  if (type == Type::debye) return strength / (1.0 + j * omega * time);
  return strength * frequency * frequency / (frequency * frequency - omega * omega + j * damping * omega);
}

Complex PermittivityTable::at(double frequency) const {
  if (!(frequency >= frequencies.front() && frequency <= frequencies.back()))
    throw InputError(fmt::format("{} has no permittivity at {:.6g} Hz: it covers {:.6g} to {:.6g} Hz", name,
                                 frequency, frequencies.front(), frequencies.back()));
  const auto above = std::lower_bound(frequencies.begin(), frequencies.end(), frequency);
  const auto i = std::size_t(above - frequencies.begin());
  if (frequencies[i] == frequency) return values[i];
  const double t = (frequency - frequencies[i - 1]) / (frequencies[i] - frequencies[i - 1]);
  return (1 - t) * values[i - 1] + t * values[i];
}

bool Dispersion::is_lossy() const {
  return table || std::any_of(poles.begin(), poles.end(), [](const Pole& p) { return p.is_lossy(); });
}

Complex Dispersion::permittivity(Complex frequency) const {
  Complex sum = table ? table->at(frequency.real()) : Complex(0);
  for (const Pole& pole : poles) sum += pole.permittivity(2 * pi * frequency);
  return sum;
}

Dispersion read_dispersion(const io::Config& table) {
  Dispersion dispersion;
  for (const auto& pole : table.tables("model")) dispersion.poles.push_back(read_pole(pole));
  if (!table.has("table")) return dispersion;
  table.require(!table.has("epsilon_r") && !table.has("loss_tangent"), "table",
                "a table is the whole permittivity: leave out epsilon_r and loss_tangent");
  dispersion.table = read_table(table);
  return dispersion;
}

}  // namespace curlew::material
