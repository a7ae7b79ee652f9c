#include "microslip/catalog/coupled_joints.hpp"

#include <utility>

#include "catalog/interface/plain_state.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::catalog {
namespace {

using Index = Eigen::Index;

class CoupledJoints final : public dynamics::InterfaceLaw {
 public:
  explicit CoupledJoints(CoupledLaws parts)
      : laws_(std::move(parts.laws)), G_(std::move(parts.compliance)) {}

  CoupledLaws parts() const { return {laws_, G_}; }

  std::string name() const override {
    return "joints that share massless degrees of freedom; give these a mass";
  }
  Index size() const override { return G_.rows(); }
  AnyState rest() const override {
    State state{Eigen::VectorXd::Zero(size()), Eigen::VectorXd::Zero(size()), {}};
    for (const AnyModel& law : laws_) state.laws.push_back(law.rest());
    return AnyState(std::make_unique<Hidden>(std::move(state)));
  }

  using InterfaceLaw::step;
  void step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to,
            dynamics::InterfaceReply& reply) const override {
    const State start = open(from);
    State& end = open(to);
    end = start;
    const Index n = size();
    reply.force.resize(n);
    reply.dissipated = 0;
    reply.status = Status::ok;
    Eigen::VectorXd v = start.v, slopes(n), residual(n);
    const auto ask = [&](const Eigen::VectorXd& at) {
      reply.dissipated = 0;
      for (Index j = 0; j < n; ++j) {
        const auto i = static_cast<std::size_t>(j);
        const Response<double> one = laws_[i].step(start.laws[i], at[j], 0, end.laws[i]);
        reply.force[j] = one.force;
        slopes[j] = one.tangent;
        reply.dissipated += one.dissipated;
        if (one.status != Status::ok) reply.status = one.status;
      }
      residual = at + G_ * reply.force - u;
      return residual.norm();
    };
    const double size_of = u.norm() + start.v.norm() + (G_ * start.f).norm();
    double error = ask(v);
    bool converged = false;
    for (int iteration = 0; iteration < 100 && reply.status == Status::ok; ++iteration) {
      converged = error <= 1e-15 * size_of;
      if (converged) break;
      const Eigen::VectorXd correction = jacobian(slopes).solve(residual);
      // Pieces of different stiffness: a step that does not help is shortened.
      double part = 1, next = 0;
      for (int halving = 0; halving < 12; ++halving, part *= 0.5)
        if ((next = ask(v - part * correction)) < error) break;
      if (!(next < error)) {
        ask(v);
        converged = error <= 1e-12 * size_of;  // rounding of the laws
        break;
      }
      v -= part * correction;
      error = next;
    }
    if (!converged && reply.status == Status::ok) reply.status = Status::not_converged;
    end.v = v;
    end.f = reply.force;
    // df/du = S (1 + G S)⁻¹
    const Eigen::MatrixXd inverse = jacobian(slopes).inverse();
    reply.tangent = slopes.asDiagonal() * inverse;
  }

  double stored(const AnyState& hidden) const override {
    const State& state = open(hidden);
    double sum = 0.5 * state.f.dot(G_ * state.f);
    for (std::size_t i = 0; i < laws_.size(); ++i) sum += laws_[i].stored(state.laws[i]);
    return sum;
  }

 private:
  struct State {
    Eigen::VectorXd v, f;
    std::vector<AnyState> laws;
  };
  using Hidden = PlainState<State>;
  static const State& open(const AnyState& s) { return Hidden::open(s); }
  static State& open(AnyState& s) { return Hidden::open(s); }

  dense::Lu jacobian(const Eigen::VectorXd& slopes) const {
    Eigen::MatrixXd J = G_ * slopes.asDiagonal();
    J.diagonal().array() += 1;
    return dense::Lu(J);
  }

  std::vector<AnyModel> laws_;
  Eigen::MatrixXd G_;
};

}  // namespace

std::shared_ptr<const dynamics::InterfaceLaw> coupled_joints(CoupledLaws parts) {
  return std::make_shared<CoupledJoints>(std::move(parts));
}

std::optional<CoupledLaws> coupled_laws_of(const dynamics::InterfaceLaw& interface) {
  const auto* joints = dynamic_cast<const CoupledJoints*>(&interface);
  return joints ? std::optional(joints->parts()) : std::nullopt;
}

}  // namespace microslip::catalog
