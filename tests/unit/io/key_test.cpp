// SPDX-License-Identifier: BSD-3-Clause
// Keys as objects that readers take, and places in a config for errors that come later.
#include "io/key.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/config.hpp"
#include "io/place.hpp"
#include "message_of.hpp"

namespace curlew::io {
namespace {

constexpr Key<double> share{"t.share", "", "> 0", "0.5", "any", "toy"};
constexpr Key<int> nodes{"t.nodes", "", "1 to 12", "(8)", "any", "toy"};
constexpr Key<double> angle{"t.angle", "degrees", "-360 to 360", "required", "any", "toy"};
constexpr Key<std::vector<double>> center{"t.center", "", "(two)", "[0.0, 1.0]", "any", "toy"};
constexpr Key<Word> method{"t.method", "", "mom | lcn", "\"lcn\"", "any", "toy"};
enum class Method { lcn, mom };
constexpr Choice<Method, 2> methods(method, {{"mom", Method::mom}, {"lcn", Method::lcn}});

Config table(const std::string& lines) {
  return Config::parse("[t]\n" + lines, "a.toml").table("t");
}
template <class T>
std::string fault(const std::string& lines, const Key<T>& key) {
  return test::message_of<InputError>([&] { read(table(lines), key); });
}

TEST(Keys, GiveTheirValueOrTheirDefault) {
  EXPECT_EQ(read(table("share = 2"), share), 2);
  EXPECT_EQ(read(table(""), share), 0.5);
  EXPECT_EQ(read(table(""), center), (std::vector<double>{0, 1}));
  EXPECT_EQ(read(table(""), nodes, 8), 8);
  EXPECT_EQ(find(table(""), nodes), std::nullopt);
  const Config config = Config::parse("", "a.toml");
  read(config.table("t"), share);
  EXPECT_NE(config.to_toml().find("share = 0.5"), std::string::npos);
}

TEST(Keys, RefuseWhatIsOutOfTheirRange) {
  EXPECT_EQ(fault("share = 0", share), "a.toml:2: t: share = 0 must be greater than 0");
  EXPECT_EQ(fault("nodes = 13", nodes), "a.toml:2: t: nodes = 13 must be a whole number from 1 to 12");
  EXPECT_EQ(fault("angle = -361", angle), "a.toml:2: t: angle = -361 must be from -360 to 360");
  EXPECT_EQ(fault("", angle), "a.toml:1: t: key \"angle\" is missing: a finite number is needed");
  EXPECT_EQ(fault("share = \"x\"", share), "a.toml:2: t: share = 'x' must be a finite number");
}

TEST(Keys, WordsStandForValues) {
  EXPECT_EQ(methods.read(table("method = \"mom\"")), Method::mom);
  EXPECT_EQ(methods.read(table("")), Method::lcn);
  EXPECT_EQ(methods.read(table(""), Method::mom), Method::mom);
  EXPECT_EQ(test::message_of<InputError>([] { methods.read(table("method = \"mon\"")); }),
            "a.toml:2: t: method = \"mon\" must be one of mom, lcn (nearest: mom)");
}

/// The same text as Config::error, when the config no longer exists.
TEST(Places, KeepFileLineOptionAndExpression) {
  const auto later = [](const Config& config, const char* key) {
    const Place place(config, key);
    return test::message_of<InputError>([&] { place.error("wrong"); });
  };
  auto config = Config::parse("unit = \"m\"\n[[contour]]\nradius = 1\n", "a.toml");
  EXPECT_EQ(later(config.tables("contour")[0], "radius"), "a.toml:3: contour 1: wrong");
  config.set("contour.0.radius", "2");
  EXPECT_EQ(later(config.tables("contour")[0], "radius"), "--set contour.0.radius=2: contour 1: wrong");
  auto written = Config::parse("[[contour]]\nradius = [\"2*0.5\"]\ntype = \"circle\"\n", "a.toml");
  written.evaluate("mom2d");
  const auto contour = written.tables("contour")[0];
  EXPECT_EQ(later(contour, "radius"),
            test::message_of<InputError>([&] { contour.error("radius", "wrong"); }));
}

}  // namespace
}  // namespace curlew::io
