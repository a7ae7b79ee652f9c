#pragma once

#include <Eigen/Core>
#include <string>
#include <type_traits>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/core/error.hpp"

namespace microslip::dynamics {

/// The members of a motion as lists of numbers, or back: a class names its members once, and both ways
/// follow.
class MotionRecord {
 public:
  MotionRecord() = default;
  explicit MotionRecord(StateRecord from) : numbers_(std::move(from)), reading_(true) {}

  bool reading() const { return reading_; }
  const StateRecord& numbers() const { return numbers_; }

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const std::string& name, T& number) {
    if (!reading_)
      numbers_[name] = {static_cast<double>(number)};
    else
      number = static_cast<T>(list(name, 1)[0]);
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const std::string& name, std::vector<T>& numbers) {
    if (!reading_)
      numbers_[name].assign(numbers.begin(), numbers.end());
    else
      numbers.assign(list(name).begin(), list(name).end());
  }

  /// Of a size that the structure gives.
  void operator()(const std::string& name, Eigen::VectorXd& vector) {
    if (!reading_)
      numbers_[name].assign(vector.begin(), vector.end());
    else
      vector = Eigen::VectorXd::Map(list(name, vector.size()).data(), vector.size());
  }

  /// Of a size that changes.
  void operator()(const std::string& name, Eigen::MatrixXd& matrix) {
    Eigen::Index rows = matrix.rows(), columns = matrix.cols();
    (*this)(name + " rows", rows);
    (*this)(name + " columns", columns);
    if (!reading_)
      numbers_[name].assign(matrix.data(), matrix.data() + matrix.size());
    else
      matrix = Eigen::MatrixXd::Map(list(name, rows * columns).data(), rows, columns);
  }

  void operator()(const std::string& name, const AnyModel& law, AnyState& state) {
    const std::string prefix = name + " ";
    if (!reading_) {
      for (auto& [field, values] : law.save(state)) numbers_[prefix + field] = values;
      return;
    }
    StateRecord fields;
    for (auto i = numbers_.lower_bound(prefix); i != numbers_.end() && i->first.starts_with(prefix);
         ++i)
      fields[i->first.substr(prefix.size())] = i->second;
    state = law.load(fields);
  }

 private:
  const std::vector<double>& list(const std::string& name, Eigen::Index size = -1) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end() ||
        (size >= 0 && static_cast<Eigen::Index>(found->second.size()) != size))
      throw Error("this is no state of this structure: '" + name + "' does not fit");
    return found->second;
  }

  StateRecord numbers_;
  bool reading_ = false;
};

}  // namespace microslip::dynamics
