// SPDX-License-Identifier: BSD-3-Clause
// A config of em-optimize, with a model beside it: variables, goals, limits, tolerances.

#include "optimize/task.hpp"
#include "scratch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace curlew;
  static const std::string model = fuzz::scratch().file("model.toml", R"(
[mesh]
file = "a.geo"
parameters = { gap = 1.2 }
[frequency]
values = [1e9, 2e9]
[[material]]
region = "a"
epsilon_r = 2
[[port]]
region = "p"
)");
  const std::string text = fuzz::text_of(data, size);
  fuzz::accepts([&] {
    io::Config config = io::Config::parse(text, fuzz::scratch().path("search.toml"));
    fuzz::accepts([&] { config.check_schema("em-optimize"); });
    fuzz::accepts([&] { config.evaluate("em-optimize"); });
    const auto task = optimize::read_task(config);
    if (task.samples.empty() || task.variables.empty() || task.goals.empty()) std::abort();
    task.frequencies();
    for (const auto& v : task.variables)
      if (!(v.share(v.start) >= 0 && v.share(v.start) <= 1)) std::abort();
    const std::vector<Complex> values(task.samples.size(), Complex(0.5, 0.1));
    optimize::worst_excess(task.limits, values);
    for (const auto& goal : task.goals) optimize::shown(goal, values.front());
  });
  return 0;
}
