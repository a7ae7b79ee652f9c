#include "catalog/erasure/differences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace microslip::catalog {
namespace {

/// Relative to the size of what is varied; the cube root of the rounding unit balances rounding
/// against curvature.
constexpr double relative_step = 6e-6;

/// Entry i of a parameter, whatever its kind; a matrix row by row.
double& entry(Value& value, std::size_t i) {
  if (auto* x = std::get_if<double>(&value)) return *x;
  if (auto* list = std::get_if<std::vector<double>>(&value)) return list->at(i);
  if (auto* matrix = std::get_if<Matrix<double>>(&value)) {
    const auto place = static_cast<Eigen::Index>(i);
    return (*matrix)(place / matrix->cols(), place % matrix->cols());
  }
  throw Error("a text has no derivative");
}

class Differences final : public AnyDualModel::Interface {
 public:
  Differences(const AnyModel& model, const DualValues& derivatives)
      : here_(model.with(shifted(model, derivatives, -1, 0))) {
    for (int direction = 0; direction < dual_width; ++direction) {
      h_[direction] = step_of(derivatives, direction);
      if (h_[direction] == 0) continue;
      above_[direction] = model.with(shifted(model, derivatives, direction, h_[direction]));
      below_[direction] = model.with(shifted(model, derivatives, direction, -h_[direction]));
    }
  }

  AnyState rest() const override {
    auto hidden = std::make_unique<Hidden>();
    hidden->states.assign(1 + 2 * dual_width, here_.rest());
    std::copy(std::begin(h_), std::end(h_), hidden->h.begin());
    return AnyState(std::move(hidden));
  }

  Response<WideDual> step(const AnyState& from, const WideDual& u, double dt,
                          AnyState& to) const override {
    const auto& before = states(from);
    auto& after = states(to);
    auto& steps = hidden(to).h;
    steps = hidden(from).h;
    const Response<double> here = here_.step(before[0], u.a, dt, after[0]);
    Response<WideDual> reply{WideDual(here.force), WideDual(here.tangent),
                             WideDual(here.dissipated), here.status};
    for (int d = 0; d < dual_width; ++d) {
      const auto i = static_cast<std::size_t>(1 + 2 * d);
      double& h = steps[static_cast<std::size_t>(d)];
      if (h == 0) h = step_of(u, d, std::abs(u.a));
      // The copies must go on even where nothing differs yet: it may in a later row.
      const auto up = of(above_[d]).step(before[i], u.a + h * u.v[d], dt, after[i]);
      const auto down = of(below_[d]).step(before[i + 1], u.a - h * u.v[d], dt, after[i + 1]);
      if (h == 0) continue;
      reply.force.v[d] = (up.force - down.force) / (2 * h);
      reply.tangent.v[d] = (up.tangent - down.tangent) / (2 * h);
      reply.dissipated.v[d] = (up.dissipated - down.dissipated) / (2 * h);
      for (const Status status : {up.status, down.status})
        if (status != Status::ok) reply.status = status;
    }
    return reply;
  }

  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& v) const override {
    const ForceInMotion<double> here = here_.force(states(at)[0], v.a);
    ForceInMotion<WideDual> reply{WideDual(here.force), WideDual(here.by_v), here.status};
    for (int d = 0; d < dual_width; ++d) {
      const double h = hidden(at).h[static_cast<std::size_t>(d)];
      reply.force.v[d] = here.by_v * v.v[d];
      if (h == 0) continue;
      const auto i = static_cast<std::size_t>(1 + 2 * d);
      const auto up = of(above_[d]).force(states(at)[i], v.a);
      const auto down = of(below_[d]).force(states(at)[i + 1], v.a);
      reply.force.v[d] += (up.force - down.force) / (2 * h);
    }
    return reply;
  }

  WideDual next_kink(const AnyState& state, int direction) const override {
    WideDual kink(here_.next_kink(states(state)[0], direction));
    for (int d = 0; d < dual_width; ++d) {
      if (!above_[d]) continue;
      const auto i = static_cast<std::size_t>(1 + 2 * d);
      const double up = above_[d]->next_kink(states(state)[i], direction);
      const double down = below_[d]->next_kink(states(state)[i + 1], direction);
      if (std::isfinite(up) && std::isfinite(down)) kink.v[d] = (up - down) / (2 * h_[d]);
    }
    return kink;
  }

  /// Whole histories, so that the law keeps what it prepares from row to row.
  Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated) const override {
    auto& states_now = states(at);
    const auto follow = [&](const AnyModel& model, int d, double h, AnyState& state) {
      Path path;
      double t = 0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        if (!dt.empty()) path.t.push_back(t += dt[i]);
        path.u.push_back(u[i].a + (d < 0 ? 0 : h * u[i].v[d]));
      }
      Checkpoint checkpoint{state, 0, 0, 0, 0};
      History history = model.run(path, Drive::displacement, {}, checkpoint);
      state = std::move(checkpoint.state);
      return history;
    };
    double largest = 0;
    for (const WideDual& x : u) largest = std::max(largest, std::abs(x.a));
    const History here = follow(here_, -1, 0, states_now[0]);
    if (here.status != Status::ok) return here.status;
    for (std::size_t i = 0; i < u.size(); ++i) {
      f[i] = WideDual(here.f[i]);
      if (!dissipated.empty()) dissipated[i] = WideDual(increment(here, i));
    }
    for (int d = 0; d < dual_width; ++d) {
      const auto k = static_cast<std::size_t>(1 + 2 * d);
      const bool moves =
          std::any_of(u.begin(), u.end(), [d](const WideDual& x) { return x.v[d] != 0; });
      double& h = hidden(at).h[static_cast<std::size_t>(d)];
      // What varied before goes on to differ.
      if (!above_[d] && !moves && h == 0) {
        states_now[k] = states_now[k + 1] = states_now[0];
        continue;
      }
      for (std::size_t i = 0; i < u.size() && h == 0; ++i) h = step_of(u[i], d, largest);
      const History up = follow(of(above_[d]), d, h, states_now[k]);
      const History down = follow(of(below_[d]), d, -h, states_now[k + 1]);
      for (const Status status : {up.status, down.status})
        if (status != Status::ok) return status;
      for (std::size_t i = 0; i < u.size(); ++i) {
        f[i].v[d] = (up.f[i] - down.f[i]) / (2 * h);
        if (!dissipated.empty())
          dissipated[i].v[d] = (increment(up, i) - increment(down, i)) / (2 * h);
      }
    }
    return Status::ok;
  }

 private:
  struct Hidden final : AnyState::Interface {
    std::vector<AnyState> states;        ///< here, then above and below for each direction
    std::array<double, dual_width> h{};  ///< the step of each direction; 0: nothing has varied yet
    std::unique_ptr<AnyState::Interface> clone() const override {
      return std::make_unique<Hidden>(*this);
    }
    void assign(const AnyState::Interface& other) override {
      states = static_cast<const Hidden&>(other).states;
      h = static_cast<const Hidden&>(other).h;
    }
  };
  static const Hidden& hidden(const AnyState& s) { return static_cast<const Hidden&>(s.get()); }
  static Hidden& hidden(AnyState& s) { return static_cast<Hidden&>(s.get()); }
  static const std::vector<AnyState>& states(const AnyState& s) { return hidden(s).states; }
  static std::vector<AnyState>& states(AnyState& s) { return hidden(s).states; }

  /// Relative to the parameters that vary; an entry that is 0 is as large as the others of its
  /// parameter. 0 if none varies.
  static double step_of(const DualValues& derivatives, int direction) {
    double size = 0;
    bool varies = false;
    for (const auto& [name, values] : derivatives) {
      double largest = 0;
      for (const WideDual& x : values) largest = std::max(largest, std::abs(x.a));
      for (const WideDual& x : values) {
        varies = varies || x.v[direction] != 0;
        const double scale = x.a != 0 ? std::abs(x.a) : largest;
        if (scale > 0) size = std::max(size, std::abs(x.v[direction]) / scale);
      }
    }
    return size > 0 ? relative_step / size : varies ? relative_step : 0;
  }
  /// Relative to the motion, the first time that it varies.
  static double step_of(const WideDual& u, int direction, double size) {
    return u.v[direction] != 0 && size > 0 ? relative_step * size / std::abs(u.v[direction]) : 0;
  }

  const AnyModel& of(const std::optional<AnyModel>& model) const { return model ? *model : here_; }

  static double increment(const History& history, std::size_t row) {
    return history.energy[row] - (row == 0 ? 0 : history.energy[row - 1]);
  }

  static ParameterValues shifted(const AnyModel& model, const DualValues& derivatives,
                                 int direction, double h) {
    ParameterValues values;
    for (const auto& [name, list] : derivatives) {
      Value value = model.parameters().at(name);
      for (std::size_t i = 0; i < list.size(); ++i)
        entry(value, i) = list[i].a + (direction < 0 ? 0 : h * list[i].v[direction]);
      values[name] = std::move(value);
    }
    return values;
  }

  AnyModel here_;
  std::optional<AnyModel> above_[dual_width], below_[dual_width];
  double h_[dual_width];
};

}  // namespace

AnyDualModel dual_by_differences(const AnyModel& model, const DualValues& derivatives) {
  return AnyDualModel(std::make_shared<Differences>(model, derivatives));
}

}  // namespace microslip::catalog
