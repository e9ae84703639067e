// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scattering of a plane wave by a sphere in vacuum, by its series, the reference of solvers. Shares no
// code with src/: the radial functions are made by their recurrences here. Source: Bohren and Huffman (1983),
// Absorption and Scattering of Light by Small Particles, chapters 4 and 8; turned from exp(-iwt) to the
// exp(+jwt) of this project by conjugation.

#include <array>
#include <complex>
#include <optional>
#include <vector>

namespace curlew::test {

/// Material of the sphere; exp(+jwt): Im epsilon_r <= 0 is loss.
struct Sphere {
  enum class Kind { conductor, dielectric, coated_conductor, impedance, sheet };
  Kind kind = Kind::conductor;
  double radius = 1;                         ///< outer radius [m]
  double core_radius = 0;                    ///< of the conductor under a coating [m]
  std::complex<double> epsilon_r = 1;        ///< of the sphere or of the coating
  std::complex<double> mu_r = 1;             ///< of the sphere or of the coating
  std::complex<double> surface_impedance{};  ///< E_t = Zs n x H with n outward, of a sheet its jump [ohm]
};
Sphere conducting_sphere(double radius);
Sphere dielectric_sphere(double radius, std::complex<double> epsilon_r, std::complex<double> mu_r = 1.0);
Sphere coated_conducting_sphere(double core_radius, double radius, std::complex<double> epsilon_r,
                                std::complex<double> mu_r = 1.0);
/// @param surface_impedance [ohm]
Sphere impedance_sphere(double radius, std::complex<double> surface_impedance);
/// A thin shell with vacuum inside: E_t the same on both sides, Zs times the current that H jumps by.
Sphere sheet_sphere(double radius, std::complex<double> sheet_impedance);

/// The series for an incident field x exp(-jkz) of 1 V/m that travels along +z. To compare with a wave that
/// arrives from (theta_i, phi_i), turn the axes: forward is the direction of travel, backscattering is theta
/// = pi here.
class Mie {
 public:
  /// @param wavenumber k in the vacuum outside [1/m], positive
  Mie(const Sphere& sphere, double wavenumber);

  /// Bistatic scattering cross-sections [m^2] per component of the scattered field, at angle theta from the
  /// direction of travel and phi from the direction of the incident E [rad]: phi = 0 is the E plane, pi/2 the
  /// H plane.
  struct CrossSection {
    double theta, phi;
    double total() const { return theta + phi; }
  };
  CrossSection rcs(double theta, double phi) const;

  /// r exp(jkr) E_scattered for r -> infinity, components along theta and phi [V].
  struct FarField {
    std::complex<double> theta, phi;
  };
  FarField far_field(double theta, double phi) const;

  struct Field {
    std::array<std::complex<double>, 3> e, h;  ///< x, y, z [V/m], [A/m]
  };
  /// Outside, the scattered field at any distance; inside, the total one, of a dielectric or a sheet.
  Field near_field(double x, double y, double z) const;

  /// Cross-sections over pi radius^2.
  double q_extinction() const;
  double q_scattering() const;
  double q_absorption() const { return q_extinction() - q_scattering(); }

 private:
  double k_, x_;
  std::complex<double> m_, eta_;             // of the interior, over vacuum; exp(-iwt)
  std::vector<std::complex<double>> a_, b_;  // n = 1, 2, ...; exp(-iwt)
};

/// 10 log10 of an area over 1 m^2.
double dbsm(double area);

}  // namespace curlew::test
