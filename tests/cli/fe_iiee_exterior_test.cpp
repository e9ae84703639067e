// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee and what surrounds the body: a medium that changes with frequency, conditions between the surfaces,
// surfaces made around a body, independent of the other frequencies.

#include <cmath>

#include "../unit/fields/elementary_dipoles.hpp"
#include "base/constants.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string meshes = test::source_dir() + "/meshes/";

class FeIieeExterior : public SummaryTest {};

/// A conducting sphere in a medium of epsilon_r 2 at 200 and 3 at 300 MHz, both in one run, against the
/// series.
TEST_F(FeIieeExterior, EveryFrequencyHasItsOwnMedium) {
  write("medium.csv", "frequency_hz,epsilon_re,epsilon_im\n1e8,2,0\n2e8,2,0\n3e8,3,0\n4e8,3,0\n");
  write("sphere.toml",
        "[mesh]\nfile = \"" + meshes +
            "sphere_in_air.geo\"\nunit = \"m\"\nsize = 0.12\norder = 2\n"
            "parameters = { radius = 0.2, distance = 0.1 }\n[frequency]\nvalues = [2e8, 3e8]\n"
            "[[material]]\nregion = \"air\"\ntable = \"medium.csv\"\n"
            "[[boundary]]\nregion = \"body\"\ntype = \"pec\"\n"
            "[excitation]\ntheta = [180.0]\nphi = [0.0]\n[truncation]\nsurfaces = [\"S\", \"body\"]\n"
            "[output]\nfields = false\nfar_field = { theta = [0, 180, 4], phi = [0, 0, 1] }\n");

  const Ended ended = run("fe-iiee sphere.toml --output out");

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err.find("not convex"), std::string::npos) << ended.err;
  const auto rcs = io::read_csv(path("out/rcs.csv"));
  ASSERT_EQ(rcs.num_rows, 8U);
  for (std::size_t i = 0; i < rcs.num_rows; ++i) {
    const double f = rcs.numbers("frequency_hz")[i], epsilon_r = f < 2.5e8 ? 2 : 3;
    const Mie mie(conducting_sphere(0.2), 2 * M_PI * f / 299792458.0 * std::sqrt(epsilon_r));
    const double theta = rcs.numbers("theta_deg")[i] * M_PI / 180;
    EXPECT_NEAR(rcs.numbers("rcs_dbsm")[i], dbsm(mie.rcs(theta, 0).total()), 0.1) << f << " " << theta;
  }
}

/// A plate over a small ball whose surface is S': its currents would not radiate.
TEST_F(FeIieeExterior, ConditionsBetweenTheSurfacesAreRefusedByName) {
  write("plate.geo",
        "SetFactory(\"OpenCASCADE\");\nDefineConstant[ z = {0.3} ];\n"
        "Sphere(1) = {0, 0, 0, 0.6};\nSphere(2) = {0, 0, 0, 0.15};\n"
        "Rectangle(100) = {-0.06, -0.06, z, 0.12, 0.12};\n"
        "BooleanFragments{ Volume{1, 2}; Delete; }{ Surface{100}; Delete; }\nr = 0.151;\n"
        "ball() = Volume In BoundingBox{-r, -r, -r, r, r, r};\nair() = Volume{:};\nair() -= {ball()};\n"
        "plate() = Surface In BoundingBox{-0.07, -0.07, z - 0.001, 0.07, 0.07, z + 0.001};\n"
        "inner() = Boundary{ Volume{ball()}; };\ninner() -= {plate()};\nouter() = CombinedBoundary{ "
        "Volume{:}; };\n"
        "Physical Volume(\"in\") = {ball()};\nPhysical Volume(\"air\") = {air()};\n"
        "Physical Surface(\"plate\") = {plate()};\nPhysical Surface(\"inner\") = {inner()};\n"
        "Physical Surface(\"S\") = {outer()};\n");
  const auto config = [&](const std::string& type,
                          const std::string& media = "[[material]]\nregion = [\"in\", \"air\"]\n") {
    write("plate.toml",
          "[mesh]\nfile = \"plate.geo\"\nunit = \"m\"\nsize = 0.15\n[frequency]\nvalues = [3e8]\n" + media +
              "[[boundary]]\nregion = \"plate\"\n" + type +
              "[excitation]\ntheta = [0.0]\nphi = [0.0]\n[truncation]\nsurfaces = [\"S\", \"inner\"]\n"
              "[output]\nfields = false\n");
  };
  for (const std::string type :
       {"type = \"pec\"\n", "type = \"sheet\"\nsurface_impedance = 100\n",
        "type = \"impedance\"\nsurface_impedance = 100\n", "type = \"absorbing\"\n"}) {
    config(type);
    const Ended ended = run("fe-iiee plate.toml --dry-run --output out");
    EXPECT_EQ(ended.status, 2) << type;
    EXPECT_NE(ended.err.find("boundary \"plate\" lies between \"inner\" and \"S\""), std::string::npos)
        << ended.err;
    EXPECT_NE(ended.err.find("must enclose"), std::string::npos) << ended.err;
  }
  config("type = \"pec\"\n");
  const Ended inside = run("fe-iiee plate.toml --dry-run --output out --set mesh.parameters.z=0");
  EXPECT_EQ(inside.status, 0) << inside.err;
  config("type = \"absorbing\"\norder = 2\n");
  const Ended second = run("fe-iiee plate.toml --dry-run --output out --set mesh.parameters.z=0");
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("absorbing boundaries of order 2"), std::string::npos) << second.err;
  config("type = \"pec\"\n",
         "[[material]]\nregion = \"in\"\nepsilon_r = [[2, [0, 0.5], 0], [[0, -0.5], 2, 0], [0, 0, 2]]\n"
         "[[material]]\nregion = \"air\"\n");
  const Ended third =
      run("fe-iiee plate.toml --dry-run --output out --set mesh.parameters.z=0 --set solver.method=cocr");
  EXPECT_EQ(third.status, 2);
  EXPECT_NE(third.err.find("solver.method cocr needs a symmetric matrix"), std::string::npos) << third.err;
}

/// Lengths of truncation.distance are wavelengths of the highest frequency.
TEST_F(FeIieeExterior, SurfacesAroundABodyKeepTheirDistance) {
  write("body.toml",
        "[mesh]\nfile = \"" + meshes +
            "sphere_surface.geo\"\nunit = \"m\"\nsize = 0.2\nparameters = { radius = 0.3 }\n"
            "[[boundary]]\nregion = \"sphere\"\ntype = \"pec\"\n[truncation]\ndistance = 0.1\n"
            "[excitation]\ntheta = [0.0]\nphi = [0.0]\n[output]\nmonostatic = true\nfields = false\n");
  const auto backscatter = [&](const std::string& options, std::size_t row = 0) {
    const Ended ended = run("fe-iiee body.toml --output out " + options);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/rcs.csv")).numbers("rcs_m2").at(row);  // frequencies ascend
  };
  const double alone = backscatter("--set frequency.values=[3e8]");
  EXPECT_NEAR(backscatter("--set accuracy.estimate=off --set frequency.values=[2e8,3e8]", 1) / alone, 1,
              1e-9);  // the same mesh
  const Ended lost =
      run("fe-iiee body.toml --output out --set frequency.values=[3e8] "
          "--set 'truncation={surfaces=[\"S\",\"sphere\"],gap=0.1}'");
  EXPECT_EQ(lost.status, 2);
  EXPECT_NE(lost.err.find("gap belongs to distance"), std::string::npos) << lost.err;
}

/// A dipole in a medium of epsilon_r 2.25: power eta k^2 |Il|^2 / 12 pi with eta and k of the medium (Balanis
/// (2016), section 4.2), and both fields in closed form outside of S.
TEST_F(FeIieeExterior, DipoleInADielectricHasThePowerAndFieldsOfTheMedium) {
  write("dipole.toml",
        "[mesh]\nfile = \"" + meshes +
            "sphere_in_air.geo\"\nunit = \"m\"\nsize = 0.06\norder = 2\n"
            "parameters = { radius = 0.2, distance = 0.1, filled = 1 }\n"
            "[frequency]\nvalues = [199861638.67]\n[[material]]\nregion = [\"body\", \"air\"]\nepsilon_r = "
            "2.25\n"
            "[truncation]\nsurfaces = [\"S\", \"body\"]\n[output]\nfields = false\n[excitation]\ntype = "
            "\"dipole\"\n"
            "direction = [0, 0, 1]\nposition = [0.01, 0.02, 0.005]\n[[output.near_field]]\nname = \"p\"\n"
            "positions = [[0.5, 0.3, 0.4]]\n");

  const Ended ended = run("fe-iiee dipole.toml --output out --set accuracy.estimate=off");

  ASSERT_EQ(ended.status, 0) << ended.err;
  const double k = 2 * pi, eta = vacuum_impedance / 1.5;
  const auto summary = this->summary();
  const auto& row = summary["results"]["radiation"][0];
  for (const char* key : {"radiated_w", "accepted_w"})
    EXPECT_NEAR(row[key].get<double>() / (eta * k * k / (12 * pi)), 1, 0.03) << key;
  EXPECT_NEAR(row["directivity_dbi"].get<double>(), 1.761, 0.06);
  const auto near = io::read_csv(path("out/near_p.csv"));
  const auto exact = fields::electric_dipole(1.0, 2, {0.01, 0.02, 0.005}, {0.5, 0.3, 0.4}, {k, eta});
  const auto value = [&](const std::string& name) {
    return Complex(near.numbers("re_" + name)[0], near.numbers("im_" + name)[0]);
  };
  EXPECT_LT(std::abs(value("ez") - exact.e.z), 0.03 * std::abs(exact.e.z));
  EXPECT_LT(std::abs(value("hx") - exact.h.x), 0.03 * std::abs(exact.h.x));
  EXPECT_LT(std::abs(value("hy") - exact.h.y), 0.03 * std::abs(exact.h.y));
}

}  // namespace
}  // namespace curlew::test
