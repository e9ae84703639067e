// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target without libFuzzer: DRIVER [--mutations N] [--seed S] FILE|FOLDER...
// Each input as it is, then N mutations of them that the seed determines. The option CURLEW_FUZZ takes
// libFuzzer instead of this file. An input that ends the process is left in crash-input for a look.

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
namespace fs = std::filesystem;

void add_inputs(const fs::path& path, std::vector<Bytes>& inputs) {
  if (fs::is_directory(path)) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(path)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    for (const auto& entry : entries) add_inputs(entry, inputs);
    return;
  }
  std::ifstream in(path, std::ios::binary);
  inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

/// What breaks readers: limits of numbers, signs, ends of strings and lists.
const std::vector<std::string> tokens{
    "0",       "-1",  "nan", "inf",   "1e999",      "1e-320", "2147483648", "18446744073709551616",
    "[",       "]",   "{",   "}",     "\"",         "\n",     ",",          "=",
    "\\u0000", "'''", "#",   "(((((", "0x7fffffff", ":",      "\xff\xfe",   "true"};

Bytes mutated(const std::vector<Bytes>& inputs, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : std::size_t(random() % n); };
  Bytes input = inputs[below(inputs.size())];
  for (auto rounds = 1 + below(4); rounds > 0; --rounds) {
    const auto at = below(input.size() + 1);
    const auto end = std::min(input.size(), at + 1 + below(16));
    const auto place = input.begin() + std::ptrdiff_t(at), stop = input.begin() + std::ptrdiff_t(end);
    switch (random() % 6) {
      case 0:
        if (at < input.size()) input[at] ^= std::uint8_t(1U << below(8));
        break;
      case 1:
        if (at < input.size()) input[at] = std::uint8_t(random());
        break;
      case 2:
        input.erase(place, stop);
        break;
      case 3: {
        const auto& token = tokens[below(tokens.size())];
        input.insert(place, token.begin(), token.end());
        break;
      }
      case 4: {  // a piece of another input
        const Bytes& other = inputs[below(inputs.size())];
        const auto from = below(other.size()), to = std::min(other.size(), from + below(64));
        input.insert(place, other.begin() + std::ptrdiff_t(from), other.begin() + std::ptrdiff_t(to));
        break;
      }
      default: {
        const Bytes copy(place, stop);
        input.insert(place, copy.begin(), copy.end());
      }
    }
  }
  return input;
}

const Bytes* current = nullptr;

void keep_input() {
  std::FILE* file = std::fopen("crash-input", "wb");
  if (file == nullptr) return;
  std::fwrite(current->data(), 1, current->size(), file);
  std::fclose(file);
}

void keep_input_of_crash(int signal) {
  keep_input();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void run(const Bytes& input) {
  current = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  long mutations = 0;
  std::uint32_t seed = 1;
  std::vector<Bytes> inputs;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--mutations" && i + 1 < argc)
      mutations = std::atol(argv[++i]);
    else if (argument == "--seed" && i + 1 < argc)
      seed = std::uint32_t(std::atol(argv[++i]));
    else
      add_inputs(argument, inputs);
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "no inputs: give files or folders\n");
    return 2;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM})
    std::signal(signal, keep_input_of_crash);
  for (const Bytes& input : inputs) run(input);
  std::mt19937 random(seed);
  for (long i = 0; i < mutations; ++i) run(mutated(inputs, random));
  std::printf("%zu inputs, %ld mutations\n", inputs.size(), mutations);
}
