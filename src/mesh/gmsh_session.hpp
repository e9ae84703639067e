// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A Gmsh session for a scope, with its errors converted to our exceptions.

#include <gmsh.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"

namespace curlew::mesh {

class GmshSession {
 public:
  /// @param arguments as on Gmsh's command line, for -setnumber
  explicit GmshSession(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"em-mesh"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& text : all) pointers.push_back(text.data());
    // Not the user's configuration files: the same input gives the same mesh everywhere.
    gmsh::initialize(int(pointers.size()), pointers.data(), false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::logger::start();
    // OpenCASCADE reports on std::cout, where our results go.
    stdout_ = std::cout.rdbuf(&chatter_);
  }
  ~GmshSession() {
    std::cout.rdbuf(stdout_);
    try {
      gmsh::logger::stop();
      gmsh::finalize();
    } catch (...) {  // no remedy, and another exception may be in flight
    }
  }
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Runs a step. Gmsh throws a std::string (4.8) or a std::exception (later), or says "Error" in its log and
  /// continues. Unknown options, as files of newer versions of Gmsh set them, cause a warning.
  /// @throws InputError "file: doing: message", ResourceError with that text where Gmsh had no memory
  template <class Step>
  void run(const std::string& file, const char* doing, Step step) {
    std::string error;
    try {
      step();
    } catch (const std::string& message) {
      error = message.empty() ? "unknown error" : message;
    } catch (const Error&) {
      throw;
    } catch (const std::exception& e) {
      error = e.what();
    }
    if (is_unknown_option(error)) error.clear();  // it is in the log too
    for (const std::string& line : take_log())
      if (line.starts_with("Error: ") && is_unknown_option(line)) {
        log::warn("Gmsh " GMSH_API_VERSION ": {}: left out", line.substr(7));
      } else if (line.starts_with("Error: ")) {
        if (error.empty()) error = line.substr(7);
      } else if (line.starts_with("Warning: ")) {
        log::warn("Gmsh: {}", line.substr(9));
      } else if (!line.starts_with("Progress: ")) {
        log::debug("Gmsh: {}", line);
      }
    if (error.empty()) return;
    if (tells_of_memory(error)) throw ResourceError(file + ": " + doing + ": " + error);
    throw InputError(file + ": " + doing + ": " + error);
  }

 private:
  static bool tells_of_memory(const std::string& message) {
    return message.find("ut of memory") != std::string::npos ||
           message.find("bad_alloc") != std::string::npos;
  }

  static bool is_unknown_option(const std::string& message) {
    for (const char* words : {"Unknown option", "Unknown number option", "Unknown string option",
                              "Unknown color option", "Unknown option class"})
      if (message.find(words) != std::string::npos) return true;
    return false;
  }

  static std::vector<std::string> take_log() {
    std::vector<std::string> lines;
    gmsh::logger::get(lines);
    gmsh::logger::stop();
    gmsh::logger::start();
    return lines;
  }

  std::stringbuf chatter_;
  std::streambuf* stdout_ = nullptr;
};

}  // namespace curlew::mesh
