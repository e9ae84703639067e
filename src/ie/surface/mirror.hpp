// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Planes of symmetry of a surface problem. What a body scatters of the mirror image of a wave is the mirror
// image of what it scatters of the wave: one solution for both. With R the reflection, E' = R E and
// H' = -R H at the mirrored points, as H is an axial vector; n' = R n. Therefore J' = n' x H' = R J and
// M' = -n' x E' = -R M (image theory: Balanis, Advanced Engineering Electromagnetics, section 7.4).

#include <span>
#include <vector>

#include "green/plane_wave.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Where an unknown goes in the mirror: x'[unknown] = sign * x.
struct MirrorImage {
  Index unknown;
  double sign;
};

/// A plane across an axis in which the problem is its own image: nodes to 1e-9 of the size of the mesh,
/// triangles with what they are and what is on their sides, functions and equations.
struct MirrorPlane {
  int axis;
  double position;                  ///< on the axis [m]
  std::vector<MirrorImage> images;  ///< of each unknown

  Vec3<double> reflected(Vec3<double> vector) const {
    vector[axis] = -vector[axis];
    return vector;
  }
};

/// The planes across x, y and z in that order: through the middle of the bounding box, as no other can be
/// one.
/// @note finds no plane for sheets between media and for edges of several media whose functions have no image
std::vector<MirrorPlane> find_mirror_planes(const System& system);

/// How a wave's currents come from those of another one.
struct MirroredWave {
  std::size_t from;     ///< number of the wave that is solved; its own if it is solved itself
  unsigned planes = 0;  ///< bits by number in the planes: whose images are taken one after another
  Complex factor = 1;   ///< times the image
};

/// Which waves have to be solved, the first ones of those that are images of each other or equal up to their
/// sign. @param k [1/m] wavenumber outside
std::vector<MirroredWave> pair_waves(std::span<const green::ArrivingWave> waves,
                                     std::span<const MirrorPlane> planes, double k);

/// @param x [unknowns] currents of wave.from @param[out] image [unknowns] those of the wave
void mirror_currents(const MirroredWave& wave, std::span<const MirrorPlane> planes,
                     std::span<const Complex> x, std::span<Complex> image);

}  // namespace curlew::ie
