// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A complete program without physics: it multiplies two numbers of its config.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/hdf5.hpp"
#include "run/run_app.hpp"
#include "temp_folder.hpp"

namespace curlew::test {

inline const run::AppInfo toy{"toy",
                              "Multiplies.",
                              "toy CONFIG.toml --set input.a=3",
                              {".h5"},
                              {{"--extra", "a flag", false}, {"--scale", "a factor", true, "X"}}};

/// product = a b; a = 0 is a numerical failure, b = 0 a wrong input.
inline void multiply(const io::Config& config, run::Run& run) {
  const auto input = config.table("input");
  const double a = input.get<double>("a"), b = input.get_or<double>("b", 2);
  input.get_or<double>("polarization", 0);  // the name of a column of results
  config.check_unknown_keys();
  run.size("unknowns", 2);
  run.plan("assembly", 1 << 20);
  if (run.dry_run()) return;

  const auto timer = run.stage("multiply");
  auto file = io::H5File::create(run.output("solution.h5"));
  input.require(b != 0, "b", "b must not be zero");
  if (a == 0) throw NumericalError("the matrix is singular");
  file.write("x", std::vector<double>{a * b}, {"1", "the product"});
  file.close();
  run.solver("direct", 3, 1e-12);
  run.results()["product"] = a * b * run.number_option("scale").value_or(1);
  run.results()["refinement"] = {{"passes", 3}};
  run.results()["errors"].push_back({{"product_error", 0.5}});
  run.results()["nested"] = {{"third", a / 3}, {"list", std::vector<double>{a, b}}, {"word", "text"}};
  run.table("Products", {"a", "b", "a b"});
  run.row({std::to_string(a), std::to_string(b), std::to_string(a * b)});
}

/// The same, which counts how often it is run.
inline run::AppBody counting(int& calls) {
  return [&calls](const io::Config& config, run::Run& run) {
    ++calls;
    multiply(config, run);
  };
}

struct Ended {
  int status;
  std::string out, err;
};

/// The toy in this process, its two streams captured.
inline Ended run_toy(std::vector<std::string> arguments, const run::AppBody& body = multiply,
                     const run::AppInfo& info = toy) {
  arguments.insert(arguments.begin(), info.name);
  std::vector<char*> argv;
  for (auto& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int status = run::run_app(info, int(arguments.size()), argv.data(), body);
  std::fflush(stdout);
  const std::string err = testing::internal::GetCapturedStderr();
  return {status, testing::internal::GetCapturedStdout(), err};
}

inline nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(io::read_text_file(path));
}

/// Names in a folder, sorted.
inline std::vector<std::string> listing(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A folder with a.toml in it.
struct Workplace {
  explicit Workplace(const std::string& text = "title = \"t\"\n[input]\na = 3\n") {
    io::write_text_file(config, text);
  }
  TempFolder folder;
  std::string config = folder / "a.toml", out = folder / "out";
};

}  // namespace curlew::test
