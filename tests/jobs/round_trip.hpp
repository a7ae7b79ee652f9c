#pragma once

#include <gtest/gtest.h>

#include "jobs/text_form.hpp"

/// Whether the text form of a request or of a result keeps every member: all are filled with values of
/// their own, written, read and written again.
namespace microslip::jobs::round_trip {

/// Values of a type that is no list of members: a specialisation has a function make(next).
template <class T>
struct Example {};

/// Numbers that differ from each other and from all defaults.
struct Fill {
  int next = 100;
  int depth = 0;  ///< of lists inside each other, which a struct may hold of its own kind

  template <class T>
  void operator()(T& value) {
    if constexpr (requires { Example<T>::make(next); }) {
      value = Example<T>::make(next);
    } else if constexpr (Listed<T>) {
      each_member<T>([&](const auto& row) {
        if constexpr (std::remove_cvref_t<decltype(row)>::written != Written::never)
          (*this)(value.*row.pointer);
      });
    } else if constexpr (std::is_same_v<T, ParameterValues>) {
      value = {{"k", double(++next)},
               {"list", std::vector<double>{double(++next), 0.5}},
               {"backbone", std::string("u^2")}};
    } else if constexpr (std::is_same_v<T, OptionValues>) {
      value = {{"method", std::string("exact")}, {"eps", double(++next)}};
    } else if constexpr (std::is_same_v<T, Value>) {
      value = std::vector<double>{double(++next), double(++next)};
    } else if constexpr (is_optional<T>) {
      (*this)(value.emplace());
    } else if constexpr (is_named<T> || is_map<T>) {
      typename T::value_type entry{"name" + std::to_string(++next), {}};
      (*this)(entry.second);
      value.insert(value.end(), entry);
    } else if constexpr (is_array<T>) {
      for (auto& entry : value) (*this)(entry);
    } else if constexpr (is_vector<T>) {
      if (depth >= 3) return;
      ++depth;
      for (int i = 0; i < 2; ++i) {
        auto entry = blank<typename T::value_type>();
        (*this)(entry);
        value.push_back(std::move(entry));
      }
      --depth;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(words_of<T>.size() - 1);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = !value;
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = "text " + std::to_string(++next);
    } else {
      value = static_cast<T>(++next);
    }
  }
};

/// Says which members differ between two values of one type, compared as their text.
template <class T>
void expect_same(const T& a, const T& b, const std::string& where) {
  if constexpr (Listed<T>) {
    each_member<T>([&](const auto& row) {
      if constexpr (std::remove_cvref_t<decltype(row)>::written != Written::never)
        expect_same(a.*row.pointer, b.*row.pointer, where + "." + std::string(row.name));
    });
  } else {
    EXPECT_EQ(to_json(a), to_json(b)) << where;
  }
}

template <Listed T>
void expect_every_member_to_survive(const std::string& name) {
  T filled;
  Fill{}(filled);
  const T empty{};
  // What was filled is not what a forgotten member would be.
  each_member<T>([&](const auto& row) {
    if constexpr (std::remove_cvref_t<decltype(row)>::written != Written::never) {
      EXPECT_NE(to_json(filled.*row.pointer), to_json(empty.*row.pointer)) << name << row.name;
    }
  });
  expect_same(filled, from_text<T>(to_text(filled), name), name);
  expect_same(empty, from_text<T>(to_text(empty), name), name);
}

}  // namespace microslip::jobs::round_trip
