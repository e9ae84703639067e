// SPDX-License-Identifier: BSD-3-Clause
// Runs a fuzz target without libFuzzer:
//   TARGET_fuzz [--mutations N | --seconds S] [--seed N|random] [--keep FOLDER] FILE|FOLDER...
// Each input as it is, then mutations of them that the seed determines: N of them, or as many as S seconds
// allow. A random seed is printed. Where the build traces branches (CURLEW_FUZZ with g++), an input that
// takes a new one joins those that are mutated, and --keep writes it into FOLDER. An input that ends the
// process, or takes longer than a minute, is kept in crash-input, and those before it in crash-before. The
// last line is "E executions, C inputs". clang++ with CURLEW_FUZZ takes libFuzzer instead
// of this file.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
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

#include "coverage.hpp"

extern "C" void __asan_init() __attribute__((weak));
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
/// Options of the sanitizers, which call this if they are linked: they end a process by a signal.
/// Children that open damaged files end with reports, whose symbols would take longer than the test; for one
/// input ASAN_OPTIONS=symbolize=1 brings them back. What was freed stays out of use up to 8 MiB: a fork
/// copies the tables of all pages, of 256 MiB in milliseconds.
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:symbolize=0:malloc_context_size=4:quarantine_size_mb=8:thread_local_quarantine_"
         "size_kb=64";
}
extern "C" const char* __ubsan_default_options() {
  return "abort_on_error=1:symbolize=0:print_stacktrace=1";
}

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

/// Words that often break readers: limits of numbers, signs, ends of strings and lists.
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
  constexpr std::size_t longest = 8192;
  if (input.size() > longest) input.resize(longest);
  return input;
}

const Bytes* current = nullptr;
unsigned long executions = 0;

void tell(std::size_t inputs) {
  std::printf("%lu executions, %zu inputs\n", executions, inputs);
  std::fflush(stdout);
}

/// Inputs before the current one: a library may keep data of a damaged file until a later one.
constexpr std::size_t most_before = 500;
std::array<Bytes, most_before> before;

void write_input(const char* name, const Bytes& input) {
  std::FILE* file = std::fopen(name, "wb");
  if (file == nullptr) return;
  std::fwrite(input.data(), 1, input.size(), file);
  std::fclose(file);
}

void keep_input() {
  if (current == nullptr) return;
  write_input("crash-input", *current);
  fs::create_directory("crash-before");
  for (unsigned long number = executions > most_before ? executions - most_before : 1; number < executions;
       ++number) {
    char name[40];
    std::snprintf(name, sizeof name, "crash-before/%012lu", number);
    write_input(name, before[number % most_before]);
  }
}

void keep_input_of_crash(int signal) {
  keep_input();
  tell(0);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Handlers have a separate stack, as the process may end because the other one overflows.
void catch_crashes() {
  constexpr std::size_t stack_size = 1U << 18U;
  static char memory[stack_size];
  stack_t stack{};
  stack.ss_sp = memory, stack.ss_size = stack_size;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = keep_input_of_crash, action.sa_flags = SA_ONSTACK;
  const bool sanitizer_catches = &__asan_init != nullptr;  // it says where, and aborts
  for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGILL})
    if (!sanitizer_catches) sigaction(signal, &action, nullptr);
  for (const int signal : {SIGABRT, SIGALRM}) sigaction(signal, &action, nullptr);
}

/// @return true if it took a branch that no input before it took
bool run(const Bytes& input) {
  constexpr unsigned longest = 60;  // [s]
  ++executions;
  alarm(longest);
  current = &input;
  before[executions % most_before] = input;
  curlew::fuzz::start_coverage();
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return curlew::fuzz::is_coverage_new();
}

/// The name is a hash of the content, so that several processes can share a folder.
void keep(const Bytes& input, const fs::path& folder) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const std::uint8_t byte : input) hash = (hash ^ byte) * 0x100000001b3U;
  char name[20];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
  std::ofstream(folder / name, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()), std::streamsize(input.size()));
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  long mutations = 0;
  double seconds = 0;
  fs::path folder;
  std::uint32_t seed = 1;
  std::vector<Bytes> inputs;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--mutations" && i + 1 < argc)
      mutations = std::atol(argv[++i]);
    else if (argument == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else if (argument == "--keep" && i + 1 < argc)
      folder = argv[++i];
    else if (argument == "--seed" && i + 1 < argc)
      seed = argv[++i] == std::string("random") ? std::random_device{}() : std::uint32_t(std::atol(argv[i]));
    else
      add_inputs(argument, inputs);
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "no inputs: give files or folders\n");
    return 2;
  }
  std::printf("seed %u\n", unsigned(seed));
  std::fflush(stdout);
  catch_crashes();
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (const Bytes& input : inputs) run(input);
  std::mt19937 random(seed);
  for (long i = 0; seconds > 0 ? Clock::now() < end : i < mutations; ++i) {
    Bytes input = mutated(inputs, random);
    if (!run(input)) continue;
    if (!folder.empty()) keep(input, folder);
    inputs.push_back(std::move(input));
  }
  current = nullptr;  // findings of the sanitizers at the end belong to no single input
  tell(inputs.size());
}
