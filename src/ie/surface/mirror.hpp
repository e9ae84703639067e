// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Planes of symmetry of a surface problem. The scattered field of the mirror image of a wave is the mirror
// image of its scattered field: one solution for both. With R the reflection, E' = R E and H' = -R H at the
// mirrored points, as H is an axial vector; n' = R n. Therefore J' = n' x H' = R J and M' = -n' x E' = -R M
// (image theory: Balanis, Advanced Engineering Electromagnetics, section 7.4).

#include <span>
#include <vector>

#include "green/plane_wave.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Mirror image of an unknown: x'[unknown] = sign * x.
struct MirrorImage {
  Index unknown;
  double sign;
};

/// A plane normal to an axis in which the problem is symmetric: nodes (to 1e-9 of the size of the mesh),
/// triangles with their properties and adjacent regions, functions and equations.
struct MirrorPlane {
  int axis;
  double position;                  ///< on the axis [m]
  std::vector<MirrorImage> images;  ///< of each unknown

  Vec3<double> reflected(Vec3<double> vector) const {
    vector[axis] = -vector[axis];
    return vector;
  }
};

/// Symmetry planes normal to x, y and z, in that order; only planes through the middle of the bounding box
/// are possible.
/// @note finds no plane for sheets between media and for edges of several media whose functions have no image
std::vector<MirrorPlane> find_mirror_planes(const System& system);

/// Relation of a wave's currents to those of another one.
struct MirroredWave {
  std::size_t from;     ///< index of the solved wave; its own index if it is solved itself
  unsigned planes = 0;  ///< bit mask of planes whose images are applied in sequence
  Complex factor = 1;   ///< factor to the image
};

/// Determines which waves are solved: the first of each set of mirror images, or of waves equal up to sign.
/// @param k [1/m] wavenumber outside
std::vector<MirroredWave> pair_waves(std::span<const green::ArrivingWave> waves,
                                     std::span<const MirrorPlane> planes, double k);

/// @param x [unknowns] currents of wave.from @param[out] image [unknowns] those of the wave
void mirror_currents(const MirroredWave& wave, std::span<const MirrorPlane> planes,
                     std::span<const Complex> x, std::span<Complex> image);

}  // namespace curlew::ie
