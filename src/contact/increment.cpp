#include "active_block.hpp"
#include "conditions.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::contact {
Increment increment(const Problem& problem, const Vector& q, const Vector& w_before,
                    const std::vector<Contact>& start) {
  const Index n = problem.nodes();
  Increment result;
  result.nodes = start;
  Vector given = w_before, moved;
  for (Index i = 0; i < n; ++i) given[2 * i] = 0;
  const Vector from = q - problem.K() * given;
  const double scale = std::max(from.cwiseAbs().maxCoeff(), q.cwiseAbs().maxCoeff());
  const Ways any{true, true, true, true};
  ActiveBlock block(problem);
  result.status = Status::not_converged;
  const int most = block_iterations + 20 * static_cast<int>(n);
  for (; result.iterations < most; ++result.iterations) {
    result.T = from;
    if (!block.assign(result.nodes) || !block.solve(result.T, moved, scale)) return result;
    const double v_tol = rounding * moved.cwiseAbs().maxCoeff(), t_tol = rounding * scale;
    bool changed = false;
    for (Index i = 0; i < n; ++i) {
      const NodeMotion motion{problem.mu()[i],
                              moved[2 * i],
                              moved[2 * i + 1],
                              result.T[2 * i],
                              result.T[2 * i + 1],
                              problem.K()(2 * i, 2 * i),
                              problem.K()(2 * i + 1, 2 * i + 1)};
      Contact& node = result.nodes[std::size_t(i)];
      const Contact next = asked_for(node, any, motion, v_tol, t_tol);
      if (next == node) continue;
      node = next;
      changed = true;
      if (result.iterations >= block_iterations) break;
    }
    if (!changed) {
      result.w = given + moved;
      result.status = Status::ok;
      return result;
    }
  }
  return result;
}

}  // namespace microslip::contact
