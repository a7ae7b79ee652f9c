#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "microslip/core/walk.hpp"

namespace microslip {

/// Laws side by side on one path: their forces add, and each has events and seeds of its own.
class SumWalk final : public Walk {
 public:
  explicit SumWalk(std::vector<std::unique_ptr<Walk>> parts)
      : parts_(std::move(parts)), places_(parts_.size()) {
    gather();
  }

  void rest(bool with_derivatives) override {
    for (const auto& part : parts_) part->rest(with_derivatives);
    places_.assign(parts_.size(), {});
    seeds_ = 0;
    gather();
  }
  Status step(const Eigen::VectorXd& u) override {
    Status status = Status::ok;
    for (const auto& part : parts_)
      if (const Status one = part->step(u); one != Status::ok) status = one;
    gather();
    return status;
  }
  void set_out(const Eigen::VectorXd& velocity) override {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i]->set_out(velocity);
      while (static_cast<Eigen::Index>(places_[i].size()) < parts_[i]->seeds())
        places_[i].push_back(seeds_++);
    }
    gather();
  }
  const std::vector<Event>& events() const override { return events_; }
  void go(const Eigen::VectorXd& u, int event) override {
    int first = 0;
    for (const auto& part : parts_) {
      const int count = static_cast<int>(part->events().size());
      const bool here = event >= first && event < first + count;
      part->go(u, here ? event - first : -1);
      first += count;
    }
    note();
  }

  Eigen::VectorXd force() const override {
    Eigen::VectorXd sum = parts_.front()->force();
    for (std::size_t i = 1; i < parts_.size(); ++i) sum += parts_[i]->force();
    return sum;
  }
  Eigen::MatrixXd tangent() const override {
    Eigen::MatrixXd sum = parts_.front()->tangent();
    for (std::size_t i = 1; i < parts_.size(); ++i) sum += parts_[i]->tangent();
    return sum;
  }
  Eigen::MatrixXd memory() const override {
    const Eigen::Index size = parts_.front()->force().size();
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size, size * seeds_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Eigen::MatrixXd own = parts_[i]->memory();
      for (std::size_t s = 0; s < places_[i].size(); ++s)
        all.middleCols(size * places_[i][s], size) =
            own.middleCols(size * static_cast<Eigen::Index>(s), size);
    }
    return all;
  }
  Eigen::Index seeds() const override { return seeds_; }
  double dissipated() const override {
    double sum = 0;
    for (const auto& part : parts_) sum += part->dissipated();
    return sum;
  }
  const Eigen::VectorXd& numbers() const override { return numbers_; }
  bool odd() const override {
    for (const auto& part : parts_)
      if (!part->odd()) return false;
    return true;
  }

 private:
  void gather() {
    events_.clear();
    for (const auto& part : parts_)
      events_.insert(events_.end(), part->events().begin(), part->events().end());
    note();
  }
  void note() {
    Eigen::Index size = 0;
    for (const auto& part : parts_) size += part->numbers().size();
    numbers_.resize(size);
    size = 0;
    for (const auto& part : parts_) {
      numbers_.segment(size, part->numbers().size()) = part->numbers();
      size += part->numbers().size();
    }
  }

  std::vector<std::unique_ptr<Walk>> parts_;
  std::vector<std::vector<Eigen::Index>> places_;  ///< of the seeds of each part among all
  Eigen::Index seeds_ = 0;
  std::vector<Event> events_;  ///< of all parts, one after the other
  Eigen::VectorXd numbers_;
};

}  // namespace microslip
