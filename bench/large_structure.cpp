#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <cmath>
#include <ctime>
#include <functional>

#include "bench.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/dynamics/time/time_integration.hpp"

/// Time steps of a structure of 10⁵ degrees of freedom with 100 joints: the factor that is kept
/// against the way of textbooks, which factorises the tangent in every Newton iteration.
namespace microslip::bench {
namespace {

using namespace dynamics;

/// Masses in a square or in a row, springs between neighbours and weak ones to the ground, joints
/// at places spread over them.
Structure net(int rows, int columns, int joints) {
  const int n = rows * columns;
  std::vector<Eigen::Triplet<double>> K;
  const auto spring = [&](int i, int j) {
    K.emplace_back(i, i, 1);
    K.emplace_back(j, j, 1);
    K.emplace_back(i, j, -1);
    K.emplace_back(j, i, -1);
  };
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int i = r * columns + c;
      K.emplace_back(i, i, 0.01);
      if (c + 1 < columns) spring(i, i + 1);
      if (r + 1 < rows) spring(i, i + columns);
    }
  Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  s.M.setIdentity();
  s.K.setFromTriplets(K.begin(), K.end());
  s.C = 1e-3 * s.M + 1e-3 * s.K;
  for (int j = 0; j < joints; ++j)
    s.joints.push_back({catalog::make({"jenkins(k=0.5,phi=0.02)", {}, {}}),
                        between(n, 0, 1 + j * (n / joints) + n / joints / 2)});
  s.loads.push_back({Eigen::VectorXd::Constant(n, 0.5), Tones{{{1, 0, 1, 0.3}}}});
  return s;
}

/// Processor time: other work on the machine does not count.
double processor_seconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Newmark's average acceleration; an unsymmetric sparse LU of the tangent, ordering included, in
/// every Newton iteration.
Eigen::VectorXd textbook(const Structure& s, double h, int steps, int& iterations) {
  const Eigen::Index n = s.size();
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n), v = x;
  std::vector<AnyState> state, trial;
  for (const JointElement& joint : s.joints) state.push_back(joint.model.rest());
  trial = state;
  const auto load = [&](double t) -> Eigen::VectorXd {
    return value(s.loads[0].signal, t) * s.loads[0].direction;
  };
  Eigen::VectorXd a = load(0);  // M is the identity, and everything is at rest
  const double bh2 = 0.25 * h * h, gh = 0.5 * h;
  const SparseMatrix linear = s.M + gh * s.C + bh2 * s.K;
  for (int step = 1; step <= steps; ++step) {
    const Eigen::VectorXd x_part = x + h * v + bh2 * a, v_part = v + gh * a;
    const double scale = (s.K * x).lpNorm<Eigen::Infinity>() + load(h * step).norm();
    for (int k = 0; k < 20; ++k) {
      const Eigen::VectorXd next = x_part + bh2 * a, next_v = v_part + gh * a;
      Eigen::VectorXd residual = s.M * a + s.C * next_v + s.K * next - load(h * step);
      SparseMatrix tangent = linear;
      for (std::size_t j = 0; j < s.joints.size(); ++j) {
        const Direction& w = s.joints[j].w;
        const auto reply = s.joints[j].model.step(state[j], w.dot(next), h, trial[j]);
        residual += reply.force * w;
        const auto place = w.innerIndexPtr()[0];
        tangent.coeffRef(place, place) += bh2 * reply.tangent;
      }
      if (residual.lpNorm<Eigen::Infinity>() <= 1e-12 * scale) break;
      Eigen::SparseLU<SparseMatrix> lu;
      lu.compute(tangent);
      a -= lu.solve(residual);
      ++iterations;
    }
    x = x_part + bh2 * a;
    v = v_part + gh * a;
    for (std::size_t j = 0; j < s.joints.size(); ++j)
      s.joints[j].model.step(state[j], s.joints[j].w.dot(x), h, state[j]);
  }
  return x;
}

}  // namespace

nlohmann::json large_structure_in_time() {
  fmt::print(
      "\n10⁵ degrees of freedom, 100 jenkins joints, Newmark's method: seconds of processor time a "
      "step\n");
  nlohmann::json table = nlohmann::json::array();
  const double h = 0.5;
  struct Shape {
    std::string name;
    int rows, columns, steps, textbook_steps;
  };
  for (const Shape& shape : {Shape{"chain", 1, 100000, 40, 4}, Shape{"square", 316, 316, 40, 2}}) {
    const Structure s = net(shape.rows, shape.columns, 100);
    TimeOptions options;
    options.method = Method::newmark;
    options.step = h;
    options.row = [](const TimeRow&) {};
    const auto run = [&](int steps) {
      options.until = h * steps;
      return integrate(s, options);
    };
    // The first steps hold the factorisation; the others are what a step costs.
    const double few = processor_seconds([&] { run(1); });
    const double many = processor_seconds([&] { run(1 + shape.steps); });
    const double kept = (many - few) / shape.steps;
    int iterations = 0;
    Eigen::VectorXd other;
    const double anew =
        processor_seconds([&] { other = textbook(s, h, shape.textbook_steps, iterations); }) /
        shape.textbook_steps;
    Eigen::VectorXd mine;
    options.row = [&](const TimeRow& row) { mine = row.x; };
    run(shape.textbook_steps);
    const double difference = (mine - other).norm() / other.norm();
    fmt::print(
        "  {:6} {} degrees of freedom: kept factor {:.4f} s (first step {:.2f} s), LU in every "
        "iteration {:.2f} s ({:.1f} iterations a step): {:.0f} times; difference {:.0e}\n",
        shape.name, s.size(), kept, few, anew, double(iterations) / shape.textbook_steps,
        anew / kept, difference);
    table.push_back({{"shape", shape.name},
                     {"degrees_of_freedom", s.size()},
                     {"joints", s.joints.size()},
                     {"kept_s", kept},
                     {"first_step_s", few},
                     {"anew_s", anew},
                     {"ratio", anew / kept},
                     {"difference", difference}});
  }
  return table;
}

}  // namespace microslip::bench
