// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/mesh_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "mesh/box.hpp"
#include "mesh/check.hpp"

namespace curlew::mesh {
namespace {

namespace fs = std::filesystem;

/// A path that no other test uses, removed at the end.
struct TemporaryFile {
  fs::path path =
      fs::temp_directory_path() /
      (std::string("curlew_") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".h5");
  TemporaryFile() { fs::remove(path); }
  ~TemporaryFile() { fs::remove(path); }
};

const io::Provenance provenance{"em-mesh", "box.geo", "unit = \"m\""};

TEST(MeshFile, ComesBackAsItWas) {
  const TemporaryFile file;
  for (int order : {1, 2}) {
    Mesh mesh = make_box({.blocks = {2, 1, 3}, .geometry_order = order, .shuffle_seed = 8});
    mesh.volumes.push_back({"with/slash and space", {0, 3, 5}});

    write_mesh(mesh, file.path.string(), provenance);
    const Mesh back = read_mesh(file.path);

    EXPECT_EQ(back.name, file.path.string());
    EXPECT_EQ(back.geometry_order, order);
    EXPECT_EQ(back.nodes, mesh.nodes);
    EXPECT_EQ(back.cells, mesh.cells);
    EXPECT_EQ(back.triangles, mesh.triangles);
    ASSERT_EQ(back.surfaces.size(), 7u);
    EXPECT_EQ(back.surfaces[2].name, "y0");
    EXPECT_EQ(back.surfaces[2].entities, mesh.surfaces[2].entities);
    EXPECT_EQ(back.volumes.at(1).name, "with/slash and space");
    EXPECT_NO_THROW(check_mesh(back));
  }
}

TEST(MeshFile, SaysThatAParameterIsNoNumber) {
  const TemporaryFile file;
  auto h5 = io::H5File::create(file.path.string());
  h5.write_provenance(provenance, "curlew-mesh", 1);
  write_mesh(make_box({.blocks = {1, 1, 1}}), h5);
  h5.create_group("parameters").write("gap", std::vector<double>{}, {"1", ""});
  h5.close();
  try {
    read_mesh_origin(file.path);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("parameters/gap must be one number, has 0"), std::string::npos);
  }
}

TEST(MeshFile, KeepsAMeshWithoutSurfaces) {
  const TemporaryFile file;
  Mesh mesh = make_box({.blocks = {1, 1, 1}});
  mesh.triangles.clear();
  mesh.surfaces.clear();

  write_mesh(mesh, file.path, provenance);

  EXPECT_EQ(read_mesh(file.path).num_triangles(), 0);
}

TEST(MeshFile, EveryDatasetStatesUnitAndMeaning) {
  const TemporaryFile file;
  write_mesh(make_box({.blocks = {1, 1, 1}}), file.path, provenance);

  const auto opened = io::H5File::open(file.path);

  for (const char* name : {"nodes", "cells", "triangles", "volumes/0", "surfaces/6"}) {
    EXPECT_NE(opened.string_attribute("unit", name), "") << name;
    EXPECT_NE(opened.string_attribute("description", name), "") << name;
  }
  EXPECT_EQ(opened.string_attribute("unit", "nodes"), "m");
}

TEST(MeshFile, RejectsMissingTruncatedAndForeignFiles) {
  const TemporaryFile file;
  EXPECT_THROW(read_mesh(file.path), InputError);

  write_mesh(make_box({.blocks = {4, 4, 4}}), file.path, provenance);
  const auto size = fs::file_size(file.path);
  for (const double part : {0.9, 0.5, 0.1, 0.0}) {
    fs::resize_file(file.path, std::uintmax_t(part * double(size)));
    EXPECT_THROW(read_mesh(file.path), InputError) << part;
  }

  auto foreign = io::H5File::create(file.path);
  foreign.write_provenance(provenance, "curlew-system", 1);
  foreign.close();
  EXPECT_THROW(read_mesh(file.path), InputError);
}

TEST(MeshFile, UnwritablePlaceIsAResourceError) {
  EXPECT_THROW(write_mesh(make_box({}), "/nonexistent/folder/mesh.h5", provenance), ResourceError);
}

}  // namespace
}  // namespace curlew::mesh
