// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A TOML config with the file and line of every value. Keys that are never read are an error at the end, and
// defaults that were used are written to resolved.toml.

#include <array>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::io {

/// A 3x3 tensor, row-major. Read from a number, [re, im], [xx, yy, zz], or three rows of three entries, each
/// a number or [re, im].
using Tensor3 = std::array<Complex, 9>;

/// A view of one table of a config: the whole document, [mesh], or one [[material]]. Copies share the
/// document. Errors read `configs/iris.toml:14: boundary 2: message` (entries of a list counted from 1), or
/// `--set boundary.1.region=wals: message` for a value from the command line (indices from 0, as in a path).
/// Reads are recorded, so a view is not thread-safe.
class Config {
 public:
  /// An empty document.
  Config();
  /// @throws InputError if the file cannot be read, or is not TOML (with line and reason)
  static Config load(const std::string& file);
  /// @param name of the file in messages
  static Config parse(const std::string& text, const std::string& name = "config");

  // ---- reading one table ----
  bool has(std::string_view key) const;
  /// The value of a required key. T: bool, int, long, double, std::string, Complex (a number or [re, im]),
  /// Vec3<double> ([x, y, z]), Tensor3; std::vector of int, long, double, std::string, Complex or
  /// Vec3<double> (a single value is a list of one); std::vector<std::vector<double>>. Numbers must be
  /// finite.
  /// @throws InputError if the key is missing or of another type; the message says what would be right
  template <class T>
  T get(std::string_view key) const;
  /// The value, or `fallback` if the key is missing, which is recorded for resolved.toml.
  template <class T>
  T get_or(std::string_view key, const T& fallback) const {
    if (has(key)) return get<T>(key);
    record_default<T>(key, fallback);
    return fallback;
  }
  /// The value if the key exists.
  template <class T>
  std::optional<T> find(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    return get<T>(key);
  }
  /// A word of a list; another word is an error that names the list and the nearest word in it.
  std::string choice(std::string_view key, std::initializer_list<std::string_view> words) const;
  std::string choice_or(std::string_view key, std::initializer_list<std::string_view> words,
                        std::string_view fallback) const;
  /// A number that must be greater than zero.
  double positive(std::string_view key) const;
  double positive_or(std::string_view key, double fallback) const;
  /// A whole number that must lie in [low, high].
  int integer_in(std::string_view key, int low, int high) const;
  int integer_in_or(std::string_view key, int low, int high, int fallback) const;

  /// Kind of a key's value, for keys with several.
  enum class Kind { missing, boolean, number, string, array, table };
  Kind kind(std::string_view key) const;

  /// The table at a key; an empty view if missing (its defaults are recorded anyway).
  Config table(std::string_view key) const;
  /// The tables of a list, [[key]]; a single table is a list of one; empty if missing.
  std::vector<Config> tables(std::string_view key) const;
  /// All keys of this table; all count as read. For free tables such as mesh.parameters.
  std::vector<std::string> keys() const;
  /// Allows a key (with its content) that this program does not read but others do.
  void allow(std::initializer_list<std::string_view> known) const;

  /// @throws InputError always: place, table, message. The message names the key and says what would be
  /// right.
  [[noreturn]] void error(std::string_view key, const std::string& message) const;
  /// The same for a value of the right type that is out of range: throws unless ok.
  void require(bool ok, std::string_view key, const std::string& message) const {
    if (!ok) error(key, message);
  }
  /// "configs/iris.toml:14", or the option that set the key.
  std::string where(std::string_view key) const;
  /// "boundary 2", "mesh"; empty for the whole document.
  std::string path() const;

  // ---- the whole document ----
  /// --set path=value: `frequency.values`, `mesh.parameters.gap`, `material.0.epsilon_r`. The text is read as
  /// a TOML value, else as a bare string. Missing tables are made, entries of lists are not.
  /// @param option what errors about this value name instead of file and line, e.g. "--set"
  void set(const std::string& path, const std::string& value, const std::string& option = "--set");
  /// Sets a key of this table as TOML. @param origin what errors about the value name instead of file and
  /// line
  void fill(std::string_view key, const std::string& toml, const std::string& origin);
  /// Sets the program that reads, and checks keys against the schema (io/schema). @throws InputError for the
  /// first key that the schema does not have for the program. Programs that are not in the schema are not
  /// checked.
  void check_schema(const std::string& program) const;
  /// Replaces every expression in quotes at a numeric key of the program ("lambda/4", "1.6 mm") by its number
  /// in the key's unit, with the variables of [variables]. Does nothing for programs that are not in the
  /// schema.
  /// @throws InputError for the first expression that is wrong or in another unit than the key
  void evaluate(const std::string& program);
  /// @throws InputError for the first key that was never read, with the nearest key that was
  void check_unknown_keys() const;
  /// The config as TOML with all defaults used so far.
  std::string to_toml() const;
  /// The config as TOML without defaults: the file and the options, nothing else. Equal inputs give equal
  /// text.
  std::string inputs_toml() const;
  /// The text of the file.
  const std::string& text() const;
  /// The file's name as it was given; empty for an empty document.
  const std::string& file() const;
  /// A path in the config, taken relative to the config's folder.
  std::string resolve_path(const std::string& path) const;
  /// An independent copy, without records of read keys and defaults.
  Config clone() const;

 private:
  struct Document;
  struct Unknown;
  struct Expressions;
  Config(std::shared_ptr<Document> document, std::string path);
  template <class T>
  void record_default(std::string_view key, const T& value) const;
  void find_unknown(const std::string& path, Unknown& first) const;
  void find_undeclared(const std::string& path, Unknown& first) const;
  std::vector<std::string> known_keys() const;

  std::shared_ptr<Document> document_;
  std::string path_;  // "boundary.1": where this view is in the document
};

}  // namespace curlew::io
