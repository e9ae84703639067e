// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A value of summary.json: filled in by programs without including a JSON library in every file.

#include <concepts>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/complex.hpp"

namespace curlew::run {

struct Field;

/// null, a flag, a number, a text, a list, or a record. A complex number is the list [re, im].
class Value {
 public:
  using List = std::vector<Value>;
  using Record = std::map<std::string, Value>;

  Value() = default;
  Value(bool flag) : data_(flag) {}
  Value(double number) : data_(number) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Value(T number) : data_((long long)(number)) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(std::string_view text) : data_(std::string(text)) {}
  Value(const std::string& text) : data_(text) {}
  Value(std::complex<double> z) : data_(List{z.real(), z.imag()}) {}
  template <class T>
  Value(const std::vector<T>& list) : data_(List(list.begin(), list.end())) {}
  Value(std::initializer_list<Field> record);

  /// The entry of a record; null becomes an empty record, a missing entry is made.
  Value& operator[](const std::string& key) { return become<Record>()[key]; }
  /// Appends to a list; null becomes an empty list.
  void push_back(Value value) { become<List>().push_back(std::move(value)); }
  bool contains(const std::string& key) const;

  const auto& data() const { return data_; }

 private:
  template <class T>
  T& become() {
    if (std::holds_alternative<std::monostate>(data_)) data_ = T();
    return std::get<T>(data_);
  }

  std::variant<std::monostate, bool, double, long long, std::string, List, Record> data_;
};

struct Field {
  std::string key;
  Value value;
};

inline Value::Value(std::initializer_list<Field> record) : data_(Record()) {
  for (const Field& field : record) (*this)[field.key] = field.value;
}

inline bool Value::contains(const std::string& key) const {
  const auto* record = std::get_if<Record>(&data_);
  return record && record->count(key) != 0;
}

}  // namespace curlew::run
