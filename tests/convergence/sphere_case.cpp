// SPDX-License-Identifier: BSD-3-Clause
#include "sphere_case.hpp"

#include <cmath>

#include "ball_mesh.hpp"
#include "mie.hpp"

namespace curlew::test {

mesh::Mesh sphere_mesh(const SphereCase& c) {
  Shells shells;
  shells.first = c.is_metal() ? c.shell : 0;
  for (int m = shells.first; m <= c.shell; ++m) shells.radius.push_back(c.radius() * m / c.shell);
  for (int m = 1; m <= c.layers; ++m) shells.radius.push_back(c.radius() + c.distance * m / c.layers);
  shells.surfaces = {{"body", c.shell}, {"S", c.shell + c.layers}};
  if (!c.is_metal()) shells.volumes.push_back({"inside", c.shell});
  shells.volumes.push_back({"air", c.shell + c.layers - c.pml_layers});
  if (c.pml_layers > 0) shells.volumes.push_back({"pml", c.shell + c.layers});
  return make_shells(shells);
}

fem::Model sphere_model(const SphereCase& c) {
  fem::Model model;
  model.order = 2;
  model.materials.push_back({.regions = {"air"}});
  if (c.pml_layers > 0) model.materials[0].regions.push_back("pml");
  if (c.is_metal())
    model.boundaries.push_back({.regions = {"body"}, .condition = fem::pec_condition()});
  else
    model.materials.push_back({.regions = {"inside"}, .epsilon_r = c.epsilon_r});
  return model;
}

std::vector<fields::Direction> mie_directions() {
  std::vector<fields::Direction> directions;
  for (const double phi : {0.0, pi / 2})
    for (int i = 0; i <= 36; ++i) directions.push_back({pi * i / 36, phi});
  return directions;
}

double error_db(const SphereCase& c, const fields::FarField& far) {
  const double k = 2 * pi * light_frequency / speed_of_light;
  const Mie mie(c.is_metal() ? conducting_sphere(c.radius()) : dielectric_sphere(c.radius(), c.epsilon_r), k);
  const auto directions = mie_directions();
  double sum = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const double rcs =
        fields::radar_cross_section(far.e_theta[i], 1) + fields::radar_cross_section(far.e_phi[i], 1);
    const double difference = dbsm(rcs) - dbsm(mie.rcs(directions[i].theta, directions[i].phi).total());
    sum += difference * difference;
  }
  return std::sqrt(sum / double(directions.size()));
}

}  // namespace curlew::test
