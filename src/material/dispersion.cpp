// SPDX-License-Identifier: BSD-3-Clause
#include "material/dispersion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/constants.hpp"
#include "io/config.hpp"

namespace curlew::material {
namespace {

double not_negative(const io::Config& table, const char* key) {
  const double value = table.get<double>(key);
  table.require(value >= 0, key, fmt::format("{} must be 0 or positive", key));
  return value;
}

/// [rad/s]
double read_damping(const io::Config& table) {
  return table.has("damping") ? 2 * pi * not_negative(table, "damping") : 0;
}

Pole read_pole(const io::Config& table) {
  Pole pole;
  const bool is_drude = table.has("plasma_frequency"), is_lorentz = table.has("resonance_frequency");
  table.require(
      is_drude + is_lorentz + table.has("relaxation_time") == 1, "",
      "a pole has plasma_frequency (Drude), resonance_frequency (Lorentz) or relaxation_time (Debye)");
  if (is_drude) {
    pole.type = Pole::Type::drude;
    pole.frequency = 2 * pi * table.positive("plasma_frequency");
    pole.damping = read_damping(table);
  } else if (is_lorentz) {
    pole.type = Pole::Type::lorentz;
    pole.strength = not_negative(table, "delta_epsilon");
    pole.frequency = 2 * pi * table.positive("resonance_frequency");
    pole.damping = read_damping(table);
  } else {
    pole.type = Pole::Type::debye;
    pole.strength = not_negative(table, "delta_epsilon");
    pole.time = table.positive("relaxation_time");
  }
  return pole;
}

std::shared_ptr<const FrequencyTable> read_table(const io::Config& config) {
  FrequencyTable table = read_frequency_table(config, "permittivity", "epsilon");
  for (std::size_t i = 0; i < table.values.size(); ++i)
    config.require(table.values[i].imag() <= 0, "table",
                   fmt::format("{}: epsilon_im is {} at {} Hz; loss is negative under exp(+jwt)", table.name,
                               table.values[i].imag(), table.frequencies[i]));
  return std::make_shared<const FrequencyTable>(std::move(table));
}

}  // namespace

Complex Pole::permittivity(Complex omega) const {
  const Complex j(0, 1);
  if (type == Type::drude) return -frequency * frequency / (omega * (omega - j * damping));
  if (type == Type::debye) return strength / (1.0 + j * omega * time);
  return strength * frequency * frequency / (frequency * frequency - omega * omega + j * damping * omega);
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
                "a table is the complete permittivity: leave out epsilon_r and loss_tangent");
  dispersion.table = read_table(table);
  return dispersion;
}

}  // namespace curlew::material
