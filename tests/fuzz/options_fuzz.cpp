// SPDX-License-Identifier: BSD-3-Clause
// Values of --set and --sweep on the command line: lines of "key=value", odd ones as a sweep.

#include <sstream>

#include "io/config.hpp"
#include "run/options.hpp"
#include "run/sweep.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curlew;
  io::Config config = io::Config::parse(
      "title = \"t\"\n[mesh]\nfile = \"a.geo\"\nparameters = { gap = 1.2 }\n[variables]\nw = \"1 mm\"\n"
      "[frequency]\nvalues = [1e9, 2e9]\n[[material]]\nregion = \"a\"\nepsilon_r = 2\n[[port]]\nregion = "
      "\"p\"\n");
  std::istringstream lines(fuzz::text_of(data, size));
  bool is_sweep = false;
  for (std::string line; std::getline(lines, line); is_sweep = !is_sweep) {
    fuzz::accepts([&] {
      if (is_sweep) {
        const auto axis = run::parse_sweep(line);
        run::sweep_points({axis});
        config.clone().set(axis.key, axis.values.back(), "--sweep");
      } else {
        const auto [key, value] = run::split_assignment(line, "--set");
        config.set(key, value);
      }
    });
  }
  fuzz::accepts([&] { config.evaluate("fem-solve"); });
  fuzz::accepts([&] { config.check_schema("fem-solve"); });
  config.inputs_toml();
  return 0;
}
