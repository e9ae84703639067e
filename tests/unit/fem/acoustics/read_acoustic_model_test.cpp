// SPDX-License-Identifier: BSD-3-Clause
// Configs to acoustic models: the values read, and one clear line for every mistake.

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "fem/acoustics/acoustic_model.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "io/config.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

class ReadAcousticModel : public testing::Test {
 protected:
  ReadAcousticModel() : mesh_(mesh::make_box({.blocks = {2, 1, 1}})) {
    mesh_.name = "box.msh";
    topology_ = mesh::build_topology(mesh_);
  }
  AcousticModel read(const std::string& text) const {
    mesh::Mesh mesh = mesh_;
    mesh::Topology topology = topology_;
    return read_acoustic_model(io::Config::parse(text, "box.toml"), mesh, topology);
  }
  void expect_error(const std::string& text, std::initializer_list<const char*> words) const {
    std::string message = "no error";
    try {
      read(text);
    } catch (const InputError& e) {
      message = e.what();
    }
    for (const char* word : words)
      EXPECT_NE(message.find(word), std::string::npos) << "\"" << word << "\" is not in: " << message;
  }

  mesh::Mesh mesh_;
  mesh::Topology topology_;
};

const std::string air = "[[material]]\nregion = \"volume\"\ndensity = 1.2\nspeed_of_sound = 340\n";
const std::string walls = "[[boundary]]\nregion = \"walls\"\ntype = \"rigid\"\n";

std::string boundary(const std::string& region, const std::string& rest) {
  return "[[boundary]]\nregion = " + region + "\n" + rest + "\n";
}
const std::string sides = boundary("[\"y0\", \"y1\", \"z0\", \"z1\"]", "type = \"rigid\"");

TEST_F(ReadAcousticModel, ReadsMediaBoundariesAndProbes) {
  const AcousticModel model = read(
      "[space]\norder = 3\n" + air + "loss_tangent = 0.01\n" + sides +
      boundary("\"x0\"", "type = \"neumann\"\nvelocity = [-1, 0.5]") +
      boundary("\"x1\"", "type = \"robin\"\nsurface_impedance = [400, -80]") +
      "[[probe]]\nname = \"ear\"\npoint = [0.5, 0.5, 0.25]\n[[probe]]\nname = \"wall\"\nregion = \"x1\"\n");
  EXPECT_EQ(model.order, 3);
  ASSERT_EQ(model.media.size(), 1u);
  EXPECT_EQ(model.media[0].bulk_modulus(), 1.2 * 340 * 340 * Complex(1, 0.01));
  ASSERT_EQ(model.boundaries.size(), 3u);
  EXPECT_EQ(model.boundaries[1].normal_velocity, Complex(-1, 0.5));
  EXPECT_EQ(model.boundaries[2].type, AcousticBoundaryType::impedance);
  EXPECT_EQ(model.boundaries[2].impedance, Complex(400, -80));
  ASSERT_EQ(model.probes.size(), 2u);
  EXPECT_EQ(model.probes[0].point->z, 0.25);
  EXPECT_FALSE(model.is_lossless());
}

TEST_F(ReadAcousticModel, KnowsWhatIsLossless) {
  const auto with = [&](const std::string& rest) {
    return read(air + sides + boundary("\"x0\"", "type = \"dirichlet\"\nvalue = 2") +
                boundary("\"x1\"", rest));
  };
  EXPECT_TRUE(with("type = \"impedance\"\nsurface_impedance = [0, 300]").is_lossless());
  EXPECT_FALSE(with("type = \"impedance\"\nsurface_impedance = [1, 300]").is_lossless());
  EXPECT_FALSE(with("type = \"absorbing\"").is_lossless());
  EXPECT_TRUE(with("type = \"robin\"\nalpha = 3").is_lossless());
}

TEST_F(ReadAcousticModel, WrongMedia) {
  expect_error(walls, {"volume \"volume\"", "no [[material]]"});
  expect_error("[[material]]\nregion = \"volume\"\nspeed_of_sound = 340\n" + walls,
               {"box.toml:1", "density"});
  expect_error("[[material]]\nregion = \"vol\"\ndensity = 1\nspeed_of_sound = 340\n" + walls,
               {"region \"vol\" is not in box.msh", "volume"});
  expect_error("[[material]]\nregion = \"volume\"\ndensity = -1.2\nspeed_of_sound = 340\n" + walls,
               {"box.toml:3", "density", "positive"});
  expect_error("[[material]]\nregion = \"volume\"\ndensity = [1.2, 0.1]\nspeed_of_sound = 340\n" + walls,
               {"Im <= 0"});
  expect_error("[[material]]\nregion = \"volume\"\ndensity = 1.2\nspeed_of_sound = 0\n" + walls,
               {"speed_of_sound"});
  expect_error("[[material]]\nregion = \"volume\"\ndensity = 1.2\nspeed_of_sound = [340, -1]\n" + walls,
               {"Im >= 0"});
  expect_error(air + "loss_tangent = -0.1\n" + walls, {"loss_tangent"});
  expect_error(air + air + walls, {"2 materials"});
}

TEST_F(ReadAcousticModel, WrongBoundaries) {
  expect_error(air + boundary("\"x0\"", "type = \"rigid\""), {"outer faces", "no condition", "rigid"});
  expect_error(air + walls + boundary("\"x0\"", "type = \"rigid\""), {"already has a condition"});
  expect_error(air + boundary("\"walls\"", "type = \"pec\""), {"pec", "rigid"});
  expect_error(air + boundary("\"wall\"", "type = \"rigid\""), {"\"wall\"", "walls"});
  expect_error(air + sides + boundary("[\"x0\", \"x1\"]", "type = \"impedance\""), {"surface_impedance"});
  expect_error(air + boundary("\"walls\"", "type = \"impedance\"\nsurface_impedance = 0"), {"not be zero"});
  expect_error(air + boundary("\"walls\"", "type = \"impedance\"\nsurface_impedance = [-1, 3]"), {"Re >= 0"});
  expect_error(air + boundary("\"walls\"", "type = \"robin\""), {"alpha"});
}

TEST_F(ReadAcousticModel, WrongProbes) {
  expect_error(air + walls + "[[probe]]\nname = \"p\"\n", {"point", "region"});
  expect_error(air + walls + "[[probe]]\nname = \"p\"\npoint = [0, 0, 0]\nregion = \"x0\"\n",
               {"either point"});
  const std::string probe = "[[probe]]\nname = \"p\"\nregion = \"x0\"\n";
  expect_error(air + walls + probe + probe, {"two probes", "\"p\""});
}

/// A surface inside the mesh can hold a pressure, and nothing else.
TEST_F(ReadAcousticModel, InnerSurfaces) {
  mesh::Topology before = mesh::build_topology(mesh_);
  Index inner = 0;
  while (before.face_cells[std::size_t(inner)][1] < 0) ++inner;
  const auto face = before.faces[std::size_t(inner)];
  mesh_.triangles.insert(mesh_.triangles.end(), face.begin(), face.end());
  mesh_.surfaces.push_back({"inner", {mesh_.num_triangles() - 1}});
  topology_ = mesh::build_topology(mesh_);
  expect_error(air + walls + boundary("\"inner\"", "type = \"rigid\""),
               {"lies inside the mesh", "dirichlet"});
  EXPECT_NO_THROW(read(air + walls + boundary("\"inner\"", "type = \"dirichlet\"\nvalue = 1")));
}

TEST_F(ReadAcousticModel, PressuresMustNotJump) {
  const auto model =
      read(air + boundary("[\"y0\", \"y1\", \"z0\", \"z1\"]", "type = \"dirichlet\"\nvalue = 1") +
           boundary("[\"x0\", \"x1\"]", "type = \"dirichlet\"\nvalue = 2"));
  EXPECT_THROW(AcousticProblem(mesh_, topology_, model, {}), InputError);
}

const std::string wave = "[excitation]\ntype = \"plane_wave\"\ntheta = 90\nphi = 0\n";
const std::string pattern = "[output]\nfar_field = { theta = [0, 180, 3], phi = [0, 0, 1] }\n";

TEST_F(ReadAcousticModel, WavesAndFarFieldsNeedAnOpenFluid) {
  expect_error(air + walls + wave, {"box.toml:8", "plane wave needs an open fluid", "[[pml]]"});
  expect_error(air + walls + pattern, {"far_field needs an open fluid", "[[pml]]"});
}

/// The half x > 0.5 of the box is a layer.
class ReadOpenSound : public ReadAcousticModel {
 protected:
  ReadOpenSound() {
    mesh_.volumes = {{"fluid", {}}, {"layer", {}}};
    for (Index c = 0; c < mesh_.num_cells(); ++c) {
      double x = 0;
      for (int i = 0; i < 4; ++i) x += mesh_.nodes[std::size_t(mesh_.cell(c)[i])].x / 4;
      mesh_.volumes[x > 0.5].entities.push_back(c);
    }
  }
};
const std::string fluids =
    "[[material]]\nregion = [\"fluid\", \"layer\"]\ndensity = 1.2\nspeed_of_sound = 340\n";
const std::string layer = "[[pml]]\nregion = \"layer\"\n";

TEST_F(ReadOpenSound, ReadsLayerWaveAndPattern) {
  const AcousticModel model = read(fluids + walls + layer + wave + "amplitude = 3\n" + pattern);
  ASSERT_EQ(model.pml.size(), 1u);
  EXPECT_EQ(model.pml[0].geometry.hi.x, 0.5);
  EXPECT_EQ(model.layer_face, "layer_face");
  EXPECT_EQ(model.wave->amplitude, 3);
  EXPECT_NEAR(model.wave->direction().x, -1, 1e-15);
  EXPECT_EQ(model.far_field->directions().size(), 3u);
  EXPECT_FALSE(model.is_lossless());
}

TEST_F(ReadOpenSound, MovingBodiesAreSources) {
  const AcousticModel model = read(fluids + sides + boundary("\"x1\"", "type = \"rigid\"") +
                                   boundary("\"x0\"", "type = \"neumann\"\nvelocity = [1, 2, 3]") + layer);
  EXPECT_TRUE(model.boundaries[2].is_source());
  EXPECT_EQ(model.boundaries[2].velocity->y, 2);
}

TEST_F(ReadOpenSound, NamesMistakes) {
  expect_error(fluids + layer + sides + boundary("[\"x0\", \"x1\"]", "type = \"absorbing\""),
               {"\"x1\"", "lies on a perfectly matched layer"});
  expect_error(fluids + layer + sides + boundary("\"x1\"", "type = \"rigid\"") +
                   boundary("\"x0\"", "type = \"neumann\"\nvelocity = 1") + wave,
               {"\"x0\" is a source", "two runs"});
  expect_error(fluids + layer + sides + boundary("\"x1\"", "type = \"rigid\"") +
                   boundary("\"x0\"", "type = \"impedance\"\nsurface_impedance = 400\nvelocity = [1, 0, 0]"),
               {"velocity", "one number"});
  expect_error(fluids + "loss_tangent = 0.1\n" + layer + walls + wave, {"one lossless fluid"});
  expect_error(
      "[[material]]\nregion = \"fluid\"\ndensity = 1.2\nspeed_of_sound = 340\n[[material]]\nregion = "
      "\"layer\"\ndensity = 1000\nspeed_of_sound = 1500\n" +
          layer + walls + pattern,
      {"one lossless fluid"});
  expect_error(fluids + layer + walls + "[excitation]\ntype = \"plane_wave\"\ntheta = [0, 90]\nphi = 0\n",
               {"theta", "one plane wave", "--sweep"});
  expect_error(fluids + layer + walls + "[excitation]\ntype = \"dipole\"\n", {"plane_wave"});
  expect_error(fluids + layer + walls + "[[symmetry]]\naxis = \"x\"\ntype = \"pec\"\n", {"soft", "rigid"});
  for (const char* plane :
       {"axis = \"x\"\ntype = \"rigid\"", "axis = \"y\"\ntype = \"soft\"", "axis = \"y\"\ntype = \"ground\""})
    expect_error(fluids + layer + walls + wave + "[[symmetry]]\n" + plane + "\n",
                 {"rigid plane", "whole body"});
}

}  // namespace
}  // namespace curlew::fem
