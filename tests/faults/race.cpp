// SPDX-License-Identifier: BSD-3-Clause
// Shows that the thread sanitizer understands OpenMP: `race clean` orders all that threads share, by loops,
// reductions, barriers, locks and tasks, and must not be reported; `race race` adds two threads to one number
// without any order, and must be.

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  const bool is_race = argc > 1 && std::string(argv[1]) == "race";
  constexpr int n = 1000;
  std::vector<double> a(n), b(n);
  double sum = 0, unordered = 0;
  int ordered = 0;
  for (int repeat = 0; repeat < 20; ++repeat) {
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; ++i) a[i] = i + repeat;
#pragma omp parallel for num_threads(4) schedule(dynamic, 8) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += b[i] = a[n - 1 - i];
#pragma omp parallel num_threads(4)
    {
#pragma omp for
      for (int i = 0; i < n; ++i) a[i] += b[i];
#pragma omp critical
      ++ordered;
#pragma omp single
      for (int k = 0; k < 10; ++k) {
#pragma omp task firstprivate(k) shared(b)
        b[k] += 1;
      }
#pragma omp atomic
      ++ordered;
      if (is_race) unordered += 1;
    }
    b[3] += 1;
  }
  std::printf("%g %d %g\n", sum, ordered, unordered);
}
