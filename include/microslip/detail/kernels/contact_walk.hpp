#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "microslip/core/walk.hpp"
#include "microslip/detail/kernels/unilateral_spring.hpp"

namespace microslip {

/// The contact with directions (t, n) along a path of (ut, un), event by event. While it sticks,
/// ft = kt (ut − ut_s) + f_s with the seed s where it came to rest: from slip, f_s = ±μ(N0 + kn un_s), where
/// the velocity of slip was zero and the time of the event does not count; from closing, f_s = 0, and
/// the place ut_s moves with the time at which un passes −N0/kn.
class ContactWalk final : public Walk {
 public:
  ContactWalk(double kt, double mu, const UnilateralSpring<double>& normal)
      : kt_(kt), mu_(mu), normal_(normal) {
    rest(false);
  }

  void rest(bool with_derivatives) override {
    with_derivatives_ = with_derivatives;
    u_ = Eigen::Vector2d::Zero();
    ft_ = 0;
    course_ = normal_.N0 > 0 ? Course::stick : Course::open;
    closing_ = normal_.N0 == 0;
    at_limit_ = stops_ = false;
    side_ = 1;
    dissipated_ = 0;
    seeds_ = 0;
    by_seed_ = 0;
    seed_ = -1;
    events_.clear();
    note();
  }

  Status step(const Eigen::VectorXd& u) override {
    // No seeds: what was before is no part of the path.
    Eigen::Vector2d way = u - u_;
    for (int i = 0; i < 4; ++i) {
      choose(way);
      seed_ = -1;
      find_events();
      double part = 1;
      int which = -1;
      for (std::size_t e = 0; e < events_.size(); ++e) {
        const double rate = events_[e].c.dot(way);
        const double at = (events_[e].value - events_[e].c.dot(u_)) / rate;
        if (events_[e].of_rate || !(rate > 0) || !(at < part)) continue;
        part = std::max(at, 0.0);
        which = static_cast<int>(e);
      }
      const Eigen::VectorXd place = which < 0 ? u : Eigen::VectorXd(u_ + part * way);
      go(place, which);
      way = u - u_;
      if (which < 0) break;
    }
    return Status::ok;
  }

  void set_out(const Eigen::VectorXd& velocity) override {
    const Course before = course_;
    const bool sticks_on = before == Course::stick && !at_limit_;
    choose(velocity);
    if (course_ == Course::stick && !sticks_on) {
      by_seed_ = 0;
      if (with_derivatives_) {
        seed_ = seeds_++;
        // From closing: δft = −kt (δut + ut′ δθ) with un′ δθ = −δun. From slip: −kt δut ± μ kn δun.
        by_seed_ = before == Course::open ? (velocity[1] > 0 ? kt_ * velocity[0] / velocity[1] : 0)
                                          : side_ * mu_ * normal_.kn;
      }
    }
    at_limit_ = false;
    find_events();
  }
  const std::vector<Event>& events() const override { return events_; }

  void go(const Eigen::VectorXd& u, int event) override {
    const Eigen::Vector2d way = u - u_;
    const double N_before = std::max(0.0, normal_.load(u_[1]));
    u_ = u;
    double N = std::max(0.0, normal_.load(u_[1]));
    const auto what = event < 0 ? What::nothing : kinds_[static_cast<std::size_t>(event)];
    if (what == What::opens || what == What::closes) {
      u_[1] = -normal_.N0 / normal_.kn;
      N = 0;
    }
    if (course_ == Course::stick) {
      ft_ += kt_ * way[0];
    } else if (course_ == Course::slip) {
      const double ft = side_ * mu_ * N;
      // The distance of slip, at a mean limit: both change in proportion.
      dissipated_ += 0.5 * mu_ * (N + N_before) * std::abs(way[0] - (ft - ft_) / kt_);
      ft_ = ft;
    }
    if (what == What::limit_up || what == What::limit_down) {
      side_ = what == What::limit_up ? 1 : -1;
      ft_ = side_ * mu_ * N;
      at_limit_ = true;
    } else if (what == What::stops) {
      at_limit_ = stops_ = true;
    } else if (what == What::opens) {
      ft_ = 0;
      course_ = Course::open;
    } else if (what == What::closes) {
      closing_ = true;
    }
    note();
  }

  Eigen::VectorXd force() const override { return Eigen::Vector2d(ft_, normal_.force(u_[1])); }
  Eigen::MatrixXd tangent() const override {
    Eigen::Matrix2d T = Eigen::Matrix2d::Zero();
    if (course_ == Course::stick) T(0, 0) = kt_;
    if (course_ == Course::slip) T(0, 1) = side_ * mu_ * normal_.kn;
    if (course_ != Course::open) T(1, 1) = normal_.kn;
    return T;
  }
  Eigen::MatrixXd memory() const override {
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(2, 2 * seeds_);
    if (course_ == Course::stick && seed_ >= 0) {
      M(0, 2 * seed_) = -kt_;
      M(0, 2 * seed_ + 1) = by_seed_;
    }
    return M;
  }
  Eigen::Index seeds() const override { return seeds_; }
  double dissipated() const override { return dissipated_; }
  const Eigen::VectorXd& numbers() const override { return numbers_; }
  bool odd() const override { return false; }

 private:
  enum class Course { open, stick, slip };
  enum class What { nothing, limit_up, limit_down, stops, opens, closes };

  /// What the contact does under this velocity.
  void choose(const Eigen::VectorXd& velocity) {
    const double a = kt_ * velocity[0], b = mu_ * normal_.kn * velocity[1];
    if (course_ == Course::open) {
      if (!closing_) return;
      closing_ = false;
      if (!(velocity[1] > 0)) return;
      side_ = a < 0 ? -1 : 1;
      course_ = std::abs(a) > b ? Course::slip : Course::stick;
      at_limit_ = false;
      return;
    }
    const bool limited = course_ == Course::slip || at_limit_;
    if (!limited) return;
    // Where its velocity vanishes, rounding must not let it slip on: it would stop there again.
    course_ = side_ * a > b && !stops_ ? Course::slip : Course::stick;
    stops_ = false;
  }

  void add(What what, double ct, double cn, double value, bool of_rate) {
    events_.push_back({Eigen::Vector2d(ct, cn), value, of_rate});
    kinds_.push_back(what);
  }

  void find_events() {
    events_.clear();
    kinds_.clear();
    const double kn = normal_.kn, N0 = normal_.N0;
    if (course_ == Course::open) return add(What::closes, 0, 1, -N0 / kn, false);
    add(What::opens, 0, -1, N0 / kn, false);
    if (course_ == Course::slip) return add(What::stops, side_ * kt_, -mu_ * kn, 0, true);
    // ±(ft + kt (ut − u_t)) ≤ μ (N0 + kn un)
    for (const int side : {1, -1})
      add(side > 0 ? What::limit_up : What::limit_down, side * kt_, -mu_ * kn,
          mu_ * N0 - side * (ft_ - kt_ * u_[0]), false);
  }

  void note() {
    numbers_.resize(3);
    numbers_ << u_[0], u_[1], ft_ / kt_;
  }

  double kt_, mu_;
  UnilateralSpring<double> normal_;
  bool with_derivatives_ = false;
  Eigen::Vector2d u_ = Eigen::Vector2d::Zero();
  double ft_ = 0;
  Course course_ = Course::open;
  int side_ = 1;           ///< of slip, and of the limit
  bool at_limit_ = false;  ///< stuck, with its force at the limit on `side_`
  bool stops_ = false;     ///< its slip has just come to rest
  bool closing_ = false;   ///< open, and just touching
  double dissipated_ = 0;
  Eigen::Index seeds_ = 0, seed_ = -1;  ///< the seed of the present stick, −1 if it stuck from rest
  double by_seed_ = 0;                  ///< ∂ft/∂un at the seed
  std::vector<Event> events_;
  std::vector<What> kinds_;
  Eigen::VectorXd numbers_;
};

}  // namespace microslip
