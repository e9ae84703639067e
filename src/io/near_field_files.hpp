// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// E and H at given points, [[output.near_field]] of every program: requests, and the files near_NAME.csv and
// near_NAME.vtkhdf. The owner of a solution fills in the values.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "io/config.hpp"
#include "io/provenance.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::io {

/// Points of one [[output.near_field]].
struct NearFieldRequest {
  std::string name;  ///< letters, digits, - and _; no two alike
  VtkGrid grid;      ///< points [m] and cells between them: vertices, lines, quads or hexahedra
};

/// All [[output.near_field]]: `positions`, each a point; with `points` along each direction the ends of a
/// line (one number), a corner of a plane and the ends of its two sides (two), opposite corners of a grid
/// (three); `name`.
/// @param unit of the coordinates [m]
/// @throws InputError with file and line
std::vector<NearFieldRequest> read_near_fields(const Config& config, double unit);

/// Points of all requests, request by request [m].
std::vector<Vec3<double>> near_field_points(std::span<const NearFieldRequest> requests);

/// Origin of a value.
enum class NearFieldOrigin : std::uint8_t {
  none,      ///< inside a conductor or another body that is not modelled: the values are 0
  elements,  ///< the solution in the volume
  currents   ///< radiation of currents
};

/// Values at all points of all requests.
struct NearFieldValues {
  std::vector<Vec3<Complex>> e;  ///< [points] [V/m], peak
  std::vector<Vec3<Complex>> h;  ///< [points] [A/m], peak
};

/// near_NAME.csv with columns frequency_hz, excitation, field, x_m, y_m, z_m, re_ex, im_ex, re_ey, im_ey,
/// re_ez, im_ez, re_hx, ..., im_hz, origin; near_NAME.vtkhdf with E, H and origin, a step per frequency.
class NearFieldFiles {
 public:
  /// @param origins [points]
  /// @param path    of a file of a given name
  /// @throws ResourceError if a file cannot be made
  NearFieldFiles(std::span<const NearFieldRequest> requests, std::span<const NearFieldOrigin> origins,
                 const std::function<std::string(const std::string&)>& path, const Provenance& provenance);
  ~NearFieldFiles();
  NearFieldFiles(NearFieldFiles&&) noexcept;

  /// A frequency [Hz], greater than the one before.
  void begin_step(double frequency) { begin_step(frequency, frequency); }
  /// A mode: two may have one frequency, so that the step in VTKHDF is the mode's number.
  void begin_step(double frequency, double step);
  /// @param excitation source of the field, as in the table
  /// @param field      "total", or another word: the arrays are then E_field, H_field
  /// @param suffix of the arrays' names if a step has several excitations: "_port1"
  void add(const std::string& excitation, const std::string& field, const std::string& suffix,
           const NearFieldValues& values);
  void close();

 private:
  struct File;
  double frequency_ = 0;
  std::vector<std::unique_ptr<File>> files_;
};

}  // namespace curlew::io
