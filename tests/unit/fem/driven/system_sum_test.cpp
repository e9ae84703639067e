// SPDX-License-Identifier: BSD-3-Clause
// The system of a sweep as a sum of terms against the system that is integrated at each frequency, entry by
// entry and by results.

#include "fem/system/system_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "fem/driven/driven_problem.hpp"
#include "fem/model/split_surfaces.hpp"
#include "io/config.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

const std::vector<double> frequencies{4e9, 9.7e9, 13e9};

/// A box of two volumes, "air" below z = 0 and "slab" above, with the face "plate" of half of its
/// cross-section between them.
mesh::Mesh two_volumes() {
  mesh::Mesh mesh = mesh::make_box(
      {.lo = {0, 0, -8e-3}, .hi = {20e-3, 8e-3, 8e-3}, .blocks = {4, 2, 4}, .shuffle_seed = 5});
  mesh::Region air{"air", {}}, slab{"slab", {}}, plate{"plate", {}};
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double z = 0;
    for (int i = 0; i < 4; ++i) z += mesh.nodes[std::size_t(mesh.cell(c)[i])].z;
    (z < 0 ? air : slab).entities.push_back(c);
  }
  mesh.volumes = {air, slab};
  const auto topology = mesh::build_topology(mesh);
  for (const auto& face : topology.faces) {
    if (!std::all_of(face.begin(), face.end(), [&](Index v) {
          const auto& p = mesh.nodes[std::size_t(v)];
          return std::abs(p.z) < 1e-9 && p.x < 10.001e-3;
        }))
      continue;
    plate.entities.push_back(mesh.num_triangles());
    mesh.triangles.insert(mesh.triangles.end(), face.begin(), face.end());
  }
  mesh.surfaces.push_back(plate);
  return mesh;
}

struct Problem {
  mesh::Mesh mesh = two_volumes();
  mesh::Topology topology;
  Model model;

  explicit Problem(const std::string& text) {
    const auto config = io::Config::parse(
        "[space]\norder = 2\n[frequency]\nvalues = [1e10]\n[[port]]\nregion = \"z0\"\nmodes = 2\n" + text,
        "sum.toml");
    split_surfaces(config, mesh);
    topology = mesh::build_topology(mesh);
    model = read_model(config, mesh, topology);
  }
};

const std::string walls = "[[boundary]]\nregion = [\"x0\", \"x1\", \"y0\", \"y1\"]\ntype = \"pec\"\n";
const std::string air = "[[material]]\nregion = \"air\"\n",
                  both = "[[material]]\nregion = [\"air\", \"slab\"]\n",
                  absorbing = "[[boundary]]\nregion = \"z1\"\ntype = \"absorbing\"\n";

std::string plate(const std::string& keys) {
  return "[[boundary]]\nregion = \"plate\"\n" + keys;
}
std::string slab(const std::string& keys) {
  return air + "[[material]]\nregion = \"slab\"\n" + keys;
}

std::vector<std::pair<std::string, std::string>> cases() {
  const std::string pole = "[[material.model]]\ndelta_epsilon = 2\nrelaxation_time = 2e-11\n";
  return {
      {"two ports", both + walls + "[[port]]\nregion = \"z1\"\n"},
      {"absorbing", both + walls + absorbing},
      {"conductor, two sides",
       both + walls + absorbing + plate("type = \"impedance\"\nconductivity = 1e4\n")},
      {"layer that two sides see",
       both + walls + absorbing + plate("type = \"sheet\"\nconductivity = 1e4\nthickness = 2e-5\n")},
      {"thin sheet", both + walls + absorbing + plate("type = \"sheet\"\nsurface_impedance = 50\n")},
      {"tangent and conductivity",
       slab("epsilon_r = 3\nloss_tangent = 0.02\nconductivity = 0.3\n") + walls + absorbing},
      {"dispersive",
       slab("epsilon_r = 3\nmu_r = [1.3, -0.1]\nconductivity = 0.3\n" + pole) + walls + absorbing},
      {"dispersive tensor",
       slab("epsilon_r = [[3, 0.2, 0], [0.2, 2, 0], [0, 0, 4]]\n" + pole) + walls +
           "[[boundary]]\nregion = \"z1\"\ntype = \"impedance\"\nsurface_impedance = [40, 10]\n"},
      {"lumped elements", both +
                              "[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n"
                              "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n[[boundary]]\nregion "
                              "= \"z1\"\ntype = \"lumped\"\n"
                              "direction = \"y\"\nresistance = 30\ninductance = 2e-9\ncapacitance = 1e-12\n"},
      {"lumped port", both + "[[boundary]]\nregion = [\"y0\", \"y1\"]\ntype = \"pec\"\n"
                             "[[boundary]]\nregion = [\"x0\", \"x1\"]\ntype = \"pmc\"\n[[port]]\nregion = "
                             "\"z1\"\ntype = \"lumped\"\n"
                             "direction = \"y\"\nresistance = 75\ncapacitance = 1e-12\n"},
  };
}

/// Every entry, relative to the largest of the matrix.
void expect_sum_is_system(const DrivenProblem& problem, const std::string& name) {
  ASSERT_TRUE(is_sum_of_terms(problem.model())) << name;
  auto a = problem.create_matrix(), system = a;
  SystemSum sum(system_terms(problem.model(), problem.assembler(), problem.ports()), a);
  for (const double f : frequencies) {
    std::vector<Complex> references;
    for (const auto& solution : problem.port_solutions(f)) references.push_back(solution.modes[0].reference);
    sum.set(f, references);
    problem.assemble(f, system);
    double largest = 0, error = 0;
    for (std::size_t k = 0; k < system.values.size(); ++k) {
      largest = std::max(largest, std::abs(system.values[k]));
      error = std::max(error, std::abs(sum.sum().matrix().values[k] - system.values[k]));
    }
    EXPECT_LT(error, 1e-14 * largest) << name << " at " << f;
  }
}

TEST(SystemSum, IsTheSystemWithEveryKindOfTerm) {
  for (const auto& [name, text] : cases()) {
    const Problem p(text);
    const DrivenProblem problem(p.mesh, p.topology, p.model, {});
    expect_sum_is_system(problem, name);
  }
}

Problem with_layer(double reference_frequency) {
  Problem p(both + walls + "[[boundary]]\nregion = \"z1\"\ntype = \"pec\"\n");
  const auto metal = pec_triangles(p.model, p.mesh);
  p.model.pml = {{.regions = {"slab"},
                  .geometry = pml_geometry(p.mesh, p.topology, {"slab"}, PmlShape::cartesian, {}, metal),
                  .reference_frequency = reference_frequency}};
  return p;
}

TEST(SystemSum, IsTheSystemWithALayerOfAFixedProfile) {
  const Problem p = with_layer(9e9);
  const DrivenProblem problem(p.mesh, p.topology, p.model, {});
  expect_sum_is_system(problem, "layer");
}

TEST(SystemSum, KnowsWhatIsNone) {
  EXPECT_FALSE(is_sum_of_terms(with_layer(0).model));
  EXPECT_FALSE(is_sum_of_terms(
      Problem(both + walls + "[[boundary]]\nregion = \"z1\"\ntype = \"absorbing\"\norder = 2\n").model));
}

/// A sweep that keeps its terms gives what single frequencies give, with sources too.
TEST(SystemSum, SweepsAgreeWithSingleFrequencies) {
  for (const auto& [name, text] : cases()) {
    const Problem p(text);
    DrivenOptions options;
    DrivenProblem single(p.mesh, p.topology, p.model, options);
    options.frequencies = int(frequencies.size());
    DrivenProblem sweep(p.mesh, p.topology, p.model, options);
    single.analyse(), sweep.analyse();
    for (const double f : {9.7e9, 13e9, 9.9e9}) {
      std::vector<Complex> source(std::size_t(single.space().num_dofs()));
      source[source.size() / 2] = 1;
      const auto expected = single.solve(f, source), found = sweep.solve(f, source);
      EXPECT_LT((found.scattering.s - expected.scattering.s).cwiseAbs().maxCoeff(), 1e-10) << name;
      EXPECT_LT((found.source_waves - expected.source_waves).norm(), 1e-9 * expected.source_waves.norm())
          << name;
    }
  }
}

}  // namespace
}  // namespace curlew::fem
