// SPDX-License-Identifier: BSD-3-Clause
// Config::get for every type: converts a TOML value, or reports that it has another type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "io/config.hpp"
#include "io/config_document.hpp"
#include "io/nearest.hpp"

namespace curlew::io {
namespace {

template <class T>
struct Reader;  // expected: text for the message; read: false if the value has another type

template <>
struct Reader<bool> {
  static std::string expected() { return "true or false"; }
  static bool read(const toml::node& node, bool& value) {
    if (!node.is_boolean()) return false;
    value = node.as_boolean()->get();
    return true;
  }
};

template <>
struct Reader<double> {
  static std::string expected() { return "a finite number"; }
  static bool read(const toml::node& node, double& value) {
    if (!node.is_number()) return false;
    value = *node.value<double>();
    return std::isfinite(value);
  }
};

template <>
struct Reader<long> {
  static std::string expected() { return "a whole number"; }
  static bool read(const toml::node& node, long& value) {
    if (const auto* integer = node.as_integer()) {
      value = integer->get();
      return true;
    }
    double number = 0;
    constexpr double largest = 9007199254740992.0;  // 2^53: above it not every whole number is a double
    if (!Reader<double>::read(node, number) || number != std::floor(number) || std::abs(number) > largest)
      return false;
    value = long(number);  // a whole number may be written as 1e3
    return true;
  }
};

template <>
struct Reader<int> {
  static std::string expected() { return "a whole number below 2^31"; }
  static bool read(const toml::node& node, int& value) {
    long wide = 0;
    if (!Reader<long>::read(node, wide) || std::abs(wide) > std::numeric_limits<int>::max()) return false;
    value = int(wide);
    return true;
  }
};

template <>
struct Reader<std::string> {
  static std::string expected() { return "a text in quotes"; }
  static bool read(const toml::node& node, std::string& value) {
    if (!node.is_string()) return false;
    value = node.as_string()->get();
    return true;
  }
};

template <>
struct Reader<Complex> {
  static std::string expected() { return "a finite number or [re, im]"; }
  static bool read(const toml::node& node, Complex& value) {
    double re = 0, im = 0;
    if (const auto* pair = node.as_array()) {
      if (pair->size() != 2 || !Reader<double>::read((*pair)[0], re) || !Reader<double>::read((*pair)[1], im))
        return false;
    } else if (!Reader<double>::read(node, re)) {
      return false;
    }
    value = {re, im};
    return true;
  }
};

template <>
struct Reader<Vec3<double>> {
  static std::string expected() { return "three finite numbers [x, y, z]"; }
  static bool read(const toml::node& node, Vec3<double>& value) {
    const auto* array = node.as_array();
    return array != nullptr && array->size() == 3 && Reader<double>::read((*array)[0], value.x) &&
           Reader<double>::read((*array)[1], value.y) && Reader<double>::read((*array)[2], value.z);
  }
};

template <>
struct Reader<Tensor3> {
  static std::string expected() {
    return "a finite number, [re, im], three diagonal entries, or a 3x3 list of rows";
  }
  static bool read(const toml::node& node, Tensor3& value) {
    value.fill(0);
    const auto* array = node.as_array();
    if (array == nullptr || array->size() != 3) {
      if (!Reader<Complex>::read(node, value[0])) return false;
      value[4] = value[8] = value[0];
      return true;
    }
    const bool full = (*array)[0].is_array() && (*array)[0].as_array()->size() == 3;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!full) {
        if (!Reader<Complex>::read((*array)[i], value[4 * i])) return false;
        continue;
      }
      const auto* row = (*array)[i].as_array();
      if (row == nullptr || row->size() != 3) return false;
      for (std::size_t j = 0; j < 3; ++j) {
        if (!Reader<Complex>::read((*row)[j], value[3 * i + j])) return false;
      }
    }
    return true;
  }
};

template <class T>
struct Reader<std::vector<T>> {
  static std::string expected() { return Reader<T>::expected() + ", or a list of such"; }
  static bool read(const toml::node& node, std::vector<T>& values) {
    if (const auto* array = node.as_array(); array != nullptr && read_list(*array, values)) return true;
    values.resize(1);
    return Reader<T>::read(node, values[0]);
  }
  static bool read_list(const toml::array& array, std::vector<T>& values) {
    values.resize(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (!Reader<T>::read(array[i], values[i])) return false;
    }
    return true;
  }
};

template <>
struct Reader<std::vector<std::vector<double>>> {
  static std::string expected() { return "a list of rows of finite numbers"; }
  static bool read(const toml::node& node, std::vector<std::vector<double>>& rows) {
    const auto* array = node.as_array();
    if (array == nullptr) return false;
    rows.resize(array->size());
    for (std::size_t i = 0; i < array->size(); ++i) {
      const auto* row = (*array)[i].as_array();
      if (row == nullptr || !Reader<std::vector<double>>::read_list(*row, rows[i])) return false;
    }
    return true;
  }
};

// ---- the other way, for defaults ----

void put(toml::table& to, std::string_view key, bool value) {
  to.insert_or_assign(key, value);
}
void put(toml::table& to, std::string_view key, double value) {
  to.insert_or_assign(key, value);
}
void put(toml::table& to, std::string_view key, long value) {
  to.insert_or_assign(key, std::int64_t(value));
}
void put(toml::table& to, std::string_view key, int value) {
  to.insert_or_assign(key, std::int64_t(value));
}
void put(toml::table& to, std::string_view key, const std::string& value) {
  to.insert_or_assign(key, value);
}
void put(toml::table& to, std::string_view key, Complex value) {
  if (value.imag() == 0) {
    put(to, key, value.real());
  } else {
    to.insert_or_assign(key, toml::array{value.real(), value.imag()});
  }
}
void put(toml::table& to, std::string_view key, const Vec3<double>& value) {
  to.insert_or_assign(key, toml::array{value.x, value.y, value.z});
}
template <class T>
void put(toml::table& to, std::string_view key, const std::vector<T>& values) {
  toml::array array;
  for (const T& value : values) {
    toml::table entry;
    put(entry, "entry", value);
    entry.get("entry")->visit([&](auto& node) { array.push_back(std::move(node)); });
  }
  to.insert_or_assign(key, std::move(array));
}
void put(toml::table& to, std::string_view key, const Tensor3& value) {
  const Complex d = value[0];
  if (value == Tensor3{d, 0, 0, 0, d, 0, 0, 0, d}) return put(to, key, d);
  const auto row = [&](int i) {
    return std::vector<Complex>(value.begin() + 3 * i, value.begin() + 3 * i + 3);
  };
  put(to, key, std::vector<std::vector<Complex>>{row(0), row(1), row(2)});
}

}  // namespace

template <class T>
T Config::get(std::string_view key) const {
  document_->ask(path_, key);
  if (schema::is_checking()) schema::check_read(document_->named(path_, key));
  const auto* node = find_node(document_->root, join_path(path_, key));
  if (node == nullptr) {
    // A misspelt key is more likely than a missing one if the table has a similar key.
    const auto* table = find_node(document_->root, path_);
    std::vector<std::string> present;
    if (table != nullptr && table->is_table()) {
      for (const auto& [name, value] : *table->as_table()) {
        if (document_->asked[path_].count(std::string(name.str())) == 0) present.emplace_back(name.str());
      }
    }
    const std::string near = nearest_word(std::string(key), present);
    const bool close =
        !near.empty() && edit_distance(std::string(key), near) <= std::max(1, int(key.size()) / 3);
    error(key, close ? fmt::format("key \"{}\" is missing: \"{}\" is not a known key, did you mean {}?", key,
                                   near, key)
                     : fmt::format("key \"{}\" is missing: {} is needed", key, Reader<T>::expected()));
  }
  T value{};
  if (!Reader<T>::read(*node, value)) {
    error(key, fmt::format("{} = {} must be {}", key, short_text(*node), Reader<T>::expected()));
  }
  return value;
}

template <class T>
void Config::record_default(std::string_view key, const T& value) const {
  toml::table holder;
  put(holder, "value", value);
  if (schema::is_checking())
    schema::check_default(document_->named(path_, key), one_line(*holder.get("value")));
  document_->defaults.insert_or_assign(join_path(path_, key), std::move(holder));
}

#define CURLEW_CONFIG_TYPE(...)                                          \
  template __VA_ARGS__ Config::get<__VA_ARGS__>(std::string_view) const; \
  template void Config::record_default<__VA_ARGS__>(std::string_view, const __VA_ARGS__&) const;
CURLEW_CONFIG_TYPE(bool)
CURLEW_CONFIG_TYPE(int)
CURLEW_CONFIG_TYPE(long)
CURLEW_CONFIG_TYPE(double)
CURLEW_CONFIG_TYPE(std::string)
CURLEW_CONFIG_TYPE(Complex)
CURLEW_CONFIG_TYPE(Vec3<double>)
CURLEW_CONFIG_TYPE(Tensor3)
CURLEW_CONFIG_TYPE(std::vector<int>)
CURLEW_CONFIG_TYPE(std::vector<long>)
CURLEW_CONFIG_TYPE(std::vector<double>)
CURLEW_CONFIG_TYPE(std::vector<std::string>)
CURLEW_CONFIG_TYPE(std::vector<Complex>)
CURLEW_CONFIG_TYPE(std::vector<Vec3<double>>)
CURLEW_CONFIG_TYPE(std::vector<std::vector<double>>)
#undef CURLEW_CONFIG_TYPE

}  // namespace curlew::io
