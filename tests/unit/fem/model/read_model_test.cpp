// SPDX-License-Identifier: BSD-3-Clause
// Configs to models: the values read, and one clear line for every mistake.

#include <gtest/gtest.h>

#include <string>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/model/model.hpp"
#include "io/config.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

class ReadModel : public testing::Test {
 protected:
  ReadModel() : mesh_(mesh::make_box({.blocks = {2, 1, 1}})) {
    mesh_.name = "box.msh";
    topology_ = mesh::build_topology(mesh_);
  }
  Model read(const std::string& text) const {
    return read_model(io::Config::parse(text, "box.toml"), mesh_, topology_);
  }
  /// The message of the InputError that reading provokes.
  std::string message(const std::string& text) const {
    try {
      read(text);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }

  mesh::Mesh mesh_;
  mesh::Topology topology_;
};

const std::string air = "[[material]]\nregion = \"volume\"\n";
const std::string walls = "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n";
const std::string sides = "[[boundary]]\nregion = [\"y0\", \"y1\", \"z0\", \"z1\"]\ntype = \"pec\"\n";

void expect_mentions(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    EXPECT_NE(text.find(word), std::string::npos) << "\"" << word << "\" is not in: " << text;
}

TEST_F(ReadModel, ReadsMaterialsBoundariesAndPorts) {
  const Model model = read(
      "[space]\norder = 3\n[[material]]\nregion = \"volume\"\nepsilon_r = [2.5, -0.1]\nloss_tangent = 0.02\n"
      "conductivity = 0.5\n" +
      sides +
      "[[port]]\nregion = \"x0\"\nmodes = 2\nabsorbed_modes = 0\nexcite = true\n[[boundary]]\nregion = "
      "\"x1\"\ntype = "
      "\"absorbing\"\n");
  EXPECT_EQ(model.order, 3);
  ASSERT_EQ(model.ports.size(), 1u);
  EXPECT_TRUE(model.ports[0].kind->has_dense_term());
  EXPECT_TRUE(model.ports[0].excite);
  EXPECT_FALSE(model.is_lossless());
  const double f = 1e9;
  const Complex eps = materials_at(model, mesh_, f).of(0).epsilon_r.scalar;
  const Complex expected =
      Complex(2.5, -0.1 - 0.02 * 2.5) - Complex(0, 0.5 / (2 * pi * f * vacuum_permittivity));
  EXPECT_LT(std::abs(eps - expected), 1e-12);
}

TEST_F(ReadModel, ReadsTensors) {
  const Model model = read(
      "[[material]]\nregion = \"volume\"\nepsilon_r = [[2, [0, 0.1], 0], [[0, -0.1], 3, 0], [0, 0, 4]]\nmu_r "
      "= 1.5\n" +
      walls);
  const Coefficient eps = model.materials[0].epsilon_r;
  ASSERT_FALSE(eps.is_scalar);
  EXPECT_EQ(eps.tensor(0, 1), Complex(0, 0.1));
  EXPECT_EQ(eps.tensor(2, 2), 4.0);
  EXPECT_FALSE(eps.is_symmetric());
  EXPECT_EQ(model.materials[0].mu_r.scalar, 1.5);
}

TEST_F(ReadModel, SaysWhatConditionsAre) {
  const auto condition = [&](const std::string& keys) {
    return read(air + "[[boundary]]\nregion = \"walls\"\n" + keys).boundaries[0].condition;
  };
  const auto pec = condition("type = \"pec\"\n"), pmc = condition("type = \"pmc\"\n"),
             metal = condition("type = \"impedance\"\nconductivity = 5.8e7\n"),
             first = condition("type = \"absorbing\"\n"),
             second = condition("type = \"absorbing\"\norder = 2\n");
  EXPECT_TRUE(pec->is_pec() && pec->is_metal() && !pec->is_lossy() && !pec->has_terms());
  EXPECT_TRUE(pmc->is_pmc() && !pmc->is_metal() && !pmc->is_lossy() && !pmc->has_terms());
  EXPECT_TRUE(metal->conducts() && metal->is_metal() && metal->is_lossy() && metal->has_terms());
  EXPECT_TRUE(first->is_absorbing() && first->is_lossy() && !first->is_second_order() && !first->conducts());
  EXPECT_TRUE(second->is_absorbing() && second->is_second_order());
}

TEST_F(ReadModel, NamesWhatIsWrong) {
  expect_mentions(message(air + "[[boundary]]\nregion = \"wals\"\ntype = \"pec\"\n"),
                  {"box.toml:4", "boundary 1", "wals", "box.msh", "walls", "x0"});
  expect_mentions(message("[[material]]\nregion = \"steel\"\n" + walls), {"box.toml:2", "steel", "volume"});
  expect_mentions(message(walls), {"volume \"volume\"", "no [[material]]"});
  expect_mentions(message(air + air + walls), {"volume", "2 materials"});
  expect_mentions(message(air + walls + sides), {"boundary 2", "y0", "already"});
  expect_mentions(message(air + sides), {"outer faces", "no condition", "x0"});
  expect_mentions(message(air + "[[boundary]]\nregion = \"walls\"\ntype = \"metal\"\n"), {"type", "pec"});
  expect_mentions(message(air + "[[boundary]]\nregion = \"walls\"\ntype = \"impedance\"\n"),
                  {"conductivity", "surface_impedance"});
  expect_mentions(message(air + "conductivity = -1\n" + walls), {"conductivity", "positive"});
  expect_mentions(message(air + "epsilon_r = 0\n" + walls), {"epsilon_r", "zero"});
  expect_mentions(message(air + "epsilon_r = nan\n" + walls), {"epsilon_r", "box.toml:3"});
  expect_mentions(message(air + "epsilon_r = \"two\"\n" + walls), {"epsilon_r", "box.toml:3"});
  for (const char* order : {"0", "4", "2.5", "\"two\""}) {
    expect_mentions(message("[space]\norder = " + std::string(order) + "\n" + air + walls),
                    {"order", "box.toml:2"});
  }
}

/// As in ie-solve; without the key a port has the name of its region.
TEST_F(ReadModel, PortsHaveNamesOfTheirOwn) {
  const std::string two =
      air + sides + "[[port]]\nregion = \"x0\"\nname = \"feed\"\n[[port]]\nregion = \"x1\"\n";
  const Model model = read(two);
  EXPECT_EQ(model.ports.at(0).title(), "feed");
  EXPECT_EQ(model.ports.at(0).region, "x0");
  EXPECT_EQ(model.ports.at(1).title(), "x1");
  expect_mentions(message(two + "name = \"feed\"\n"), {"box.toml", "port 2", "two ports are named \"feed\""});
}

TEST_F(ReadModel, RefusesAPortInsideTheMesh) {
  // the face between the two blocks, x = 1/2
  mesh::Region middle{"middle", {}};
  for (Index f = 0; f < topology_.num_faces(); ++f) {
    const auto& face = topology_.faces[std::size_t(f)];
    bool on = true;
    for (const Index v : face) on = on && std::abs(mesh_.nodes[std::size_t(v)].x - 0.5) < 1e-12;
    if (!on) continue;
    middle.entities.push_back(mesh_.num_triangles());
    mesh_.triangles.insert(mesh_.triangles.end(), face.begin(), face.end());
  }
  mesh_.surfaces.push_back(middle);
  topology_ = mesh::build_topology(mesh_);
  expect_mentions(message(air + walls + "[[port]]\nregion = \"middle\"\n"), {"port 1", "inside the mesh"});
}

/// sigma adds sigma/(j omega eps0) along every axis of a tensor, a loss tangent its share of each entry.
TEST_F(ReadModel, LossesBelongToEveryAxisOfATensor) {
  const Model model = read(
      "[[material]]\nregion = \"volume\"\nepsilon_r = [[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0]]\n"
      "loss_tangent = 0.1\nconductivity = 0.5\n" +
      walls);
  const double frequency = 2e9, added = 0.5 / (2 * pi * frequency * vacuum_permittivity);
  const Material medium = medium_at(model.materials.at(0), frequency);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Complex expected = i == j ? Complex(2 + i, -0.1 * (2 + i) - added) : 0.0;
      EXPECT_LT(std::abs(medium.epsilon_r.tensor(i, j) - expected), 1e-12) << i << j;
    }
}

}  // namespace
}  // namespace curlew::fem
