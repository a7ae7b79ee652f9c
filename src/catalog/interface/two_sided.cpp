#include "microslip/catalog/two_sided.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "catalog/interface/plain_state.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/friction/chain_walk.hpp"
#include "microslip/friction/held_chain.hpp"

namespace microslip::catalog {
namespace {

using dynamics::Direction;
using dynamics::SparseMatrix;
using dynamics::Structure;
using Index = Eigen::Index;

/// The row of sliders along a path of its ends.
class SliderWalk final : public dynamics::InterfaceWalk {
 public:
  explicit SliderWalk(const friction::HeldChain& chain) : walk_(chain) {}

  void rest(bool with_derivatives) override { walk_.rest(with_derivatives); }
  Status step(const Eigen::VectorXd& u) override { return walk_.step(u); }
  void set_out(const Eigen::VectorXd& velocity) override {
    walk_.set_out(velocity);
    events_.clear();
    for (const auto& event : walk_.events())
      events_.push_back({event.c, event.value, event.of_rate});
  }
  const std::vector<Event>& events() const override { return events_; }
  void go(const Eigen::VectorXd& u, int event) override {
    walk_.go(u, event < 0 ? nullptr : &walk_.events()[static_cast<std::size_t>(event)]);
  }
  Eigen::VectorXd force() const override { return walk_.force(); }
  Eigen::MatrixXd tangent() const override { return walk_.tangent(); }
  Eigen::MatrixXd memory() const override { return walk_.memory(); }
  Index seeds() const override { return walk_.seeds(); }
  double dissipated() const override { return walk_.dissipated(); }
  const Eigen::VectorXd& numbers() const override { return walk_.q(); }
  bool odd() const override { return true; }

 private:
  friction::ChainWalk walk_;
  std::vector<Event> events_;
};

/// The row of sliders as an interface with two displacements.
class SliderRow final : public dynamics::InterfaceLaw {
 public:
  explicit SliderRow(friction::HeldChain chain) : chain_(std::move(chain)) {}

  std::string name() const override { return "an interface in reduced form; use form = \"full\""; }
  std::unique_ptr<dynamics::InterfaceWalk> walk() const override {
    return std::make_unique<SliderWalk>(chain_);
  }
  Index size() const override { return 2; }
  AnyState rest() const override { return AnyState(std::make_unique<Hidden>(chain_.rest())); }
  using InterfaceLaw::step;
  void step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to,
            dynamics::InterfaceReply& reply) const override {
    const auto answer = chain_.step(open(from), u, open(to));
    reply.force = answer.force;
    reply.tangent = answer.tangent;
    reply.dissipated = answer.dissipated;
    reply.status = answer.status;
  }
  double stored(const AnyState& state) const override { return chain_.stored(open(state)); }
  const friction::HeldChain& chain() const { return chain_; }

 private:
  using State = friction::HeldChain::State;
  using Hidden = PlainState<State>;
  static const State& open(const AnyState& s) { return Hidden::open(s); }
  static State& open(AnyState& s) { return Hidden::open(s); }

  friction::HeldChain chain_;
};

SparseMatrix enlarged(const SparseMatrix& matrix, Index size) {
  SparseMatrix result = matrix;
  result.conservativeResize(size, size);
  return result;
}

Direction enlarged(const Direction& w, Index size) {
  Eigen::SparseVector<double> result(size);
  for (Direction::InnerIterator entry(w); entry; ++entry)
    result.insert(entry.index()) = entry.value();
  return result;
}

void enlarge(Structure& s, Index size) {
  for (SparseMatrix* matrix : {&s.M, &s.C, &s.K}) *matrix = enlarged(*matrix, size);
  for (auto& joint : s.joints) joint.w = enlarged(joint.w, size);
  for (auto& sensor : s.sensors) sensor.w = enlarged(sensor.w, size);
  for (auto& interface : s.interfaces)
    for (Direction& w : interface.w) w = enlarged(w, size);
  for (auto& load : s.loads) {
    const Index before = load.direction.size();
    load.direction.conservativeResize(size);
    load.direction.tail(size - before).setZero();
  }
}

/// A sum of weighted degrees of freedom; the ground does not count.
class Weights {
 public:
  explicit Weights(Index size) : w_(size) {}
  /// dof counts from 1.
  Weights& add(Index dof, double weight) {
    if (dof > 0) w_.coeffRef(dof - 1) += weight;
    return *this;
  }
  Direction done() const { return w_; }

 private:
  Eigen::SparseVector<double> w_;
};

double series(double a, double b) { return a * b / (a + b); }

void add_full(Structure& s, const TwoSided& p, double k, double m, double k_end, Index left,
              Index right) {
  const auto n = static_cast<Index>(p.mu.size());
  const Index first = s.size();
  enlarge(s, first + 2 * (n - 1));
  const Index size = s.size();
  for (Index dof = first; dof < size; ++dof) s.M.coeffRef(dof, dof) = m;
  const auto x = [&](Index i) { return first + i; };  // i from 1
  const auto y = [&](Index i) { return first + n - 1 + i; };
  const auto slider = [&](Index i, double stiffness, const Direction& w) {
    const double phi = p.mu[static_cast<std::size_t>(i - 1)];
    AnyModel law =
        p.N.empty()
            ? make({"jenkins", {{"k", stiffness}, {"phi", phi}}, {}})
            : make(
                  {"loaded(jenkins)",
                   {{"jenkins.k", stiffness}, {"jenkins.phi", phi}, {"N", p.N}, {"N_ref", p.N_ref}},
                   {}});
    s.joints.push_back({std::move(law), w, "slider " + std::to_string(i)});
  };
  for (Index i = 2; i <= n - 1; ++i) {
    for (const auto& row : {std::pair{x(i - 1), x(i)}, std::pair{y(i - 1), y(i)}})
      dynamics::add_along(s.K, dynamics::between(size, row.first, row.second), 0.5 * k);
    slider(
        i, k,
        Weights(size).add(x(i - 1), 0.5).add(x(i), 0.5).add(y(i - 1), -0.5).add(y(i), -0.5).done());
  }
  const double own = k / (k + k_end), other = k_end / (k + k_end);
  dynamics::add_along(s.K, dynamics::between(size, left, y(1)), series(k, k_end));
  slider(1, series(k, k + k_end),
         Weights(size).add(x(1), 1).add(y(1), -own).add(left, -other).done());
  dynamics::add_along(s.K, dynamics::between(size, x(n - 1), right), series(k, k_end));
  slider(n, series(k, k + k_end),
         Weights(size).add(x(n - 1), own).add(right, other).add(y(n - 1), -1).done());
}

void add_reduced(Structure& s, const TwoSided& p, double k, double m, double k_end, Index left,
                 Index right) {
  const auto n = static_cast<Index>(p.mu.size());
  const Index N = n - 1, first = s.size();
  enlarge(s, first + p.modes);
  const Index size = s.size();
  Weights start(size), end(size);
  double missing =
      static_cast<double>(N - 1) / k;  // compliance of the chain that its modes do not have
  for (Index j = 0; j < p.modes; ++j) {
    // Modes of a free chain of N masses 2m and springs k, of unit modal mass.
    const double angle = static_cast<double>(j) * std::numbers::pi / static_cast<double>(N);
    const double height = std::sqrt((j == 0 ? 1.0 : 2.0) / (static_cast<double>(N) * 2 * m));
    s.M.coeffRef(first + j, first + j) = 1;
    s.K.coeffRef(first + j, first + j) = 4 * k / (2 * m) * std::pow(std::sin(0.5 * angle), 2);
    const double at_start = height * std::cos(0.5 * angle);
    const double at_end = height * std::cos(angle * (static_cast<double>(N) - 0.5));
    start.add(first + j + 1, at_start);
    end.add(first + j + 1, -at_end);
    if (j > 0) missing -= std::pow(at_end - at_start, 2) / s.K.coeff(first + j, first + j);
  }
  double soft = 1 / k_end + 1 / (2 * k);
  if (p.static_correction) soft += 0.5 * std::max(0.0, missing);
  const Eigen::VectorXd phi = 2 * Eigen::Map<const Eigen::VectorXd>(p.mu.data(), n);
  friction::HeldChain chain(k, 1 / soft, phi);
  s.interfaces.push_back({slider_row(std::move(chain)),
                          {start.add(left, -1).done(), end.add(right, 1).done()},
                          "interface"});
}

}  // namespace

std::shared_ptr<const dynamics::InterfaceLaw> slider_row(friction::HeldChain chain) {
  return std::make_shared<SliderRow>(std::move(chain));
}

const friction::HeldChain* chain_of(const dynamics::InterfaceLaw& interface) {
  const auto* row = dynamic_cast<const SliderRow*>(&interface);
  return row ? &row->chain() : nullptr;
}

Eigen::Index add_two_sided(Structure& s, const TwoSided& p, Index left, Index right) {
  const auto n = static_cast<Index>(p.mu.size());
  const auto positive = [](const char* name, double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw Error(std::string(name) + " = " + number_text(value) + " must be positive");
  };
  if (n < 2) throw Error("n = " + std::to_string(n) + " must be 2 or more");
  positive("K_eq", p.K_eq);
  positive("M_eq", p.M_eq);
  for (const double mu : p.mu) positive("mu", mu);
  const double k_end = p.k_end != 0 ? p.k_end : 2 * p.K_eq;
  positive("k_end", k_end);
  if (p.reduced && (p.modes < 1 || p.modes > n - 1))
    throw Error("modes = " + std::to_string(p.modes) +
                " must lie in [1, n − 1 = " + std::to_string(n - 1) + "]");
  if (left == right) throw Error("between must name two different places");
  const Index before = s.size();
  const double k = static_cast<double>(n - 1) * p.K_eq;
  const double m = p.M_eq / static_cast<double>(2 * (n - 1));
  if (p.reduced)
    add_reduced(s, p, k, m, k_end, left, right);
  else
    add_full(s, p, k, m, k_end, left, right);
  return s.size() - before;
}

}  // namespace microslip::catalog
