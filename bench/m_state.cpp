#include "microslip/models/m_state.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "bench.hpp"

namespace microslip::bench {
namespace {

using Law = MState<double>;

/// Half axes over a decade, as fits of lap joints have; saturated slope 0.
Law::Params with_states(std::size_t m) {
  Law::Params p;
  p.a.clear();
  p.b.clear();
  double bb = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const double rank = static_cast<double>(i) / static_cast<double>(m - 1);
    p.a.push_back(std::pow(0.1, rank));
    p.b.push_back(0.5 + 0.3 * rank);
    bb += p.b.back() * p.b.back();
  }
  p.alpha = bb;
  return p;
}

/// 2 sin 2πt + sin 8πt in units of the first slip, one cycle.
std::vector<double> cycle(const Law& law, std::size_t rows) {
  using std::numbers::pi;
  const double unit = law.next_kink(law.rest(), 1);
  std::vector<double> u;
  for (std::size_t i = 0; i <= rows; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(rows);
    u.push_back(2 * unit * (2 * std::sin(2 * pi * t) + std::sin(8 * pi * t)));
  }
  return u;
}

std::vector<double> exact(const Law& law, const std::vector<double>& u) {
  auto state = law.rest();
  std::vector<double> f;
  for (const double x : u) f.push_back(law.step(state, x, state).force);
  return f;
}

/// The explicit map of the papers (thesis, 3.3.5), slip direction from the 2m×2m eigenproblem of
/// its App. C in every row.
std::vector<double> printed(const Law::Params& p, const std::vector<double>& u) {
  const auto m = static_cast<Eigen::Index>(p.a.size());
  const Eigen::Map<const Eigen::VectorXd> a(p.a.data(), m), b(p.b.data(), m);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(m);
  Eigen::MatrixXd B(2 * m, 2 * m);
  Eigen::EigenSolver<Eigen::MatrixXd> solver(2 * m);
  std::vector<double> f{0};
  for (std::size_t row = 1; row < u.size(); ++row) {
    const Eigen::VectorXd c = p.alpha * q - b * u[row - 1];
    if (!c.isZero(0)) {
      B << Eigen::MatrixXd(a.asDiagonal()), c * c.transpose(), Eigen::MatrixXd(a.asDiagonal()),
          Eigen::MatrixXd(a.asDiagonal());
      solver.compute(B);
      Eigen::VectorXd best(m);
      double y = INFINITY;
      for (Eigen::Index k = 0; k < 2 * m; ++k) {
        if (solver.eigenvalues()[k].imag() != 0) continue;
        Eigen::VectorXd eta = solver.pseudoEigenvectors().col(k).head(m).normalized();
        if (eta.dot(c) > 0) eta = -eta;
        const double distance = std::sqrt(eta.cwiseAbs2().dot(a)) + eta.dot(c);
        if (distance < y) {
          y = distance;
          best = eta;
        }
      }
      const double trial = y - best.dot(b) * (u[row] - u[row - 1]);
      if (trial < 0) q -= best * trial / p.alpha;
    }
    f.push_back((1 + p.ks) * u[row] - b.dot(q));
  }
  return f;
}

}  // namespace

nlohmann::json m_state_against_eigenproblem() {
  constexpr std::size_t rows = 1000;
  fmt::print("m-state, one cycle of {} rows, against the 2m×2m eigenproblem in each row\n", rows);
  fmt::print("   m   exact ns a row   eigenproblem ns a row   ratio   error of the printed map\n");
  nlohmann::json table = nlohmann::json::array();
  for (const std::size_t m : {2, 3, 4, 6, 8, 12, 16}) {
    const Law::Params p = with_states(m);
    const Law law(p);
    const auto u = cycle(law, rows);
    const auto time =
        medians({[&] { keep(exact(law, u).back()); }, [&] { keep(printed(p, u).back()); }}, 3);
    const auto good = exact(law, u), bad = printed(p, u);
    double error = 0, largest = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      error = std::max(error, std::abs(good[i] - bad[i]));
      largest = std::max(largest, std::abs(good[i]));
    }
    fmt::print("  {:2}   {:14.0f}   {:21.0f}   {:5.0f}   {:.1e} of the largest force\n", m,
               time[0] / rows * 1e9, time[1] / rows * 1e9, time[1] / time[0], error / largest);
    table.push_back({{"m", m},
                     {"exact_ns", time[0] / rows * 1e9},
                     {"eigenproblem_ns", time[1] / rows * 1e9},
                     {"ratio", time[1] / time[0]},
                     {"printed_error", error / largest}});
  }
  fmt::print("\n");
  return table;
}

}  // namespace microslip::bench
