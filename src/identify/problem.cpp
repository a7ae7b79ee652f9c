#include "identify/problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::identify {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Problem::Problem(const Build& build, const std::vector<Unknown>& unknowns, std::vector<Datum> data)
    : build_(build), unknowns_(unknowns), data_(std::move(data)) {
  size_ = parameters();
  scale_.resize(size_);
  for (Index i = 0; i < size_; ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    scale_[i] = u.start != 0 ? std::abs(u.start) : 1;
  }
  for (std::size_t d = 0; d < data_.size(); ++d) {
    const Datum& datum = data_[d];
    row_.push_back(rows_);
    start_.push_back(size_);
    if (datum.response)
      response_blocks(d);
    else
      column_blocks(d);
  }
  for (Block& block : blocks_) {
    if (!(block.size > 0))
      throw Error(data_[block.datum].name + ": " + block.channel + " is zero throughout");
    block.sigma = block.size;
  }
}

/// A block for each level at each place.
void Problem::response_blocks(std::size_t d) {
  const Datum& datum = data_[d];
  std::map<std::pair<double, std::size_t>, std::size_t> levels;
  const auto points = datum.response->omega.size();
  for (std::size_t i = 0; i < points * datum.response->places.size(); ++i) {
    const double level = datum.response->level[i % points];
    const auto [found, added] = levels.insert({{level, i / points}, blocks_.size()});
    if (added) blocks_.push_back({d, datum.channels[i / points]});
    Block& block = blocks_[found->second];
    block.rows.push_back(rows_++);
    if (datum.phases) block.rows.push_back(rows_++);
    block.size += std::norm(datum.phasors[static_cast<Index>(i)]);
  }
  for (const auto& [key, place] : levels) {
    Block& block = blocks_[place];
    block.size = std::sqrt((block.size - 1) / static_cast<double>(block.rows.size()));
  }
}

/// A block for each column that was measured.
void Problem::column_blocks(std::size_t d) {
  const Datum& datum = data_[d];
  if (datum.motion) size_ += datum.motion->start_unknowns();
  const Matrix measured = compared(datum, datum.measured);
  for (Index p = 0; p < measured.cols(); ++p) {
    Block block{d, datum.channels[static_cast<std::size_t>(p)], {}, datum.motion && !datum.band};
    for (Index i = 0; i < measured.rows(); ++i) block.rows.push_back(rows_++);
    block.size = std::sqrt(measured.col(p).squaredNorm() / static_cast<double>(measured.rows()));
    blocks_.push_back(std::move(block));
  }
}

Vector Problem::values(const Vector& z) const {
  Vector p(parameters());
  for (Index i = 0; i < p.size(); ++i)
    p[i] = unknowns_[static_cast<std::size_t>(i)].logarithmic ? std::exp(z[i]) : scale_[i] * z[i];
  for (Index i = 0; i < p.size(); ++i)
    if (const int to = unknowns_[static_cast<std::size_t>(i)].ratio_to; to >= 0)
      p[i] = z[i] * p[to];
  return p;
}
Matrix Problem::slopes(const Vector& z) const {
  const Vector p = values(z);
  Matrix slope = Matrix::Zero(parameters(), parameters());
  for (Index i = 0; i < p.size(); ++i)
    slope(i, i) = unknowns_[static_cast<std::size_t>(i)].logarithmic ? p[i] : scale_[i];
  for (Index i = 0; i < p.size(); ++i)
    if (const int to = unknowns_[static_cast<std::size_t>(i)].ratio_to; to >= 0) {
      slope(i, i) = p[to];
      slope(i, to) = z[i] * slope(to, to);
    }
  return slope;
}
Vector Problem::at(const Vector& p) const {
  Vector z = Vector::Zero(size_);
  for (Index i = 0; i < p.size(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    z[i] = u.ratio_to >= 0 ? p[i] / p[u.ratio_to]
           : u.logarithmic ? std::log(p[i])
                           : p[i] / scale_[i];
  }
  return z;
}
Vector Problem::lower() const {
  Vector z = Vector::Constant(size_, -std::numeric_limits<double>::infinity());
  for (Index i = 0; i < parameters(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    if (std::isfinite(u.lower) && (!u.logarithmic || u.lower > 0))
      z[i] = u.ratio_to >= 0 ? u.lower : u.logarithmic ? std::log(u.lower) : u.lower / scale_[i];
  }
  return z;
}
Vector Problem::upper() const {
  Vector z = Vector::Constant(size_, std::numeric_limits<double>::infinity());
  for (Index i = 0; i < parameters(); ++i) {
    const Unknown& u = unknowns_[static_cast<std::size_t>(i)];
    if (std::isfinite(u.upper))
      z[i] = u.ratio_to >= 0 ? u.upper : u.logarithmic ? std::log(u.upper) : u.upper / scale_[i];
  }
  return z;
}

double cost_of(const Problem& problem, const Differences& of) {
  if (!of.ok) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const Block& block : problem.blocks()) {
    if (problem.data()[block.datum].holdout) continue;
    double own = 0;
    for (const Index row : block.rows) own += of.r[row] * of.r[row];
    sum += own / (block.sigma * block.sigma);
  }
  return 0.5 * sum;
}

namespace {

/// JᵀJ and Jᵀr of what counts, weighted.
void normal_equations(const Problem& problem, const Differences& at, Matrix& H, Vector& g) {
  Vector weight = Vector::Zero(at.r.size());
  for (const Block& block : problem.blocks())
    if (!problem.data()[block.datum].holdout)
      for (const Index row : block.rows) weight[row] = 1 / block.sigma;
  const Matrix J = weight.asDiagonal() * at.J;
  H.setZero(J.cols(), J.cols());
  H.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
  H.triangularView<Eigen::StrictlyUpper>() = H.transpose();
  g.noalias() = J.transpose() * weight.cwiseProduct(at.r);
}

}  // namespace

Search least_squares(const Problem& problem, Vector z, int iterations,
                     const std::function<bool()>& stop, bool only_starts, double hold) {
  Search search;
  search.z = z;
  const Vector low = problem.lower(), high = problem.upper();
  const Index first = only_starts ? problem.parameters() : 0;
  const Vector origin = z;
  const Index np = problem.parameters();
  const auto held_at = [&](const Vector& x) {
    return hold > 0 ? 0.5 * hold * (x - origin).head(np).squaredNorm() : 0;
  };
  Differences at = problem.differences(z, true);
  double cost = cost_of(problem, at);
  search.cost = cost;
  if (!at.ok) return search;
  double damping = 1e-3, growth = 2;
  Vector scale = Vector::Zero(z.size());
  for (int i = 0; i < iterations && !(stop && stop()); ++i) {
    Matrix H;
    Vector g;
    normal_equations(problem, at, H, g);
    H.diagonal().head(np).array() += hold;
    g.head(np) += hold * (z - origin).head(np);
    scale = scale.cwiseMax(H.diagonal());
    std::vector<Index> free;
    for (Index k = first; k < z.size(); ++k) {
      const bool held = (z[k] <= low[k] && g[k] > 0) || (z[k] >= high[k] && g[k] < 0);
      if (!held && scale[k] > 0) free.push_back(k);
    }
    const auto count = static_cast<Index>(free.size());
    if (count == 0) {
      search.converged = true;
      break;
    }
    bool moved = false;
    for (int attempt = 0; attempt < 12 && !moved; ++attempt) {
      Matrix A(count, count);
      Vector b(count);
      for (Index a = 0; a < count; ++a) {
        b[a] = -g[free[static_cast<std::size_t>(a)]];
        for (Index c = 0; c < count; ++c)
          A(a, c) = H(free[static_cast<std::size_t>(a)], free[static_cast<std::size_t>(c)]);
      }
      // In units of each unknown, so that sizes do not matter.
      Vector unit(count);
      for (Index a = 0; a < count; ++a)
        unit[a] = 1 / std::sqrt(scale[free[static_cast<std::size_t>(a)]]);
      A = unit.asDiagonal() * A * unit.asDiagonal();
      A.diagonal().array() += damping;
      const Vector step = unit.cwiseProduct(Vector(dense::Ldlt(A).solve(unit.cwiseProduct(b))));
      Vector next = z;
      for (Index a = 0; a < count; ++a) {
        const Index k = free[static_cast<std::size_t>(a)];
        // A factor e² at most in one step.
        double change = step[a];
        if (k < problem.parameters()) change = std::clamp(change, -2.0, 2.0);
        next[k] = std::clamp(z[k] + change, low[k], high[k]);
      }
      const double predicted = -(g.dot(next - z) + 0.5 * (next - z).dot(H * (next - z)));
      const double now = cost_of(problem, problem.differences(next, false)) + held_at(next);
      if (now < cost) {
        moved = true;
        const double ratio = predicted > 0 ? (cost - now) / predicted : 1;
        damping *= std::max(1.0 / 5, 1 - std::pow(2 * ratio - 1, 3));
        damping = std::max(damping, 1e-14);
        growth = 2;
        const double gain = (cost - now) / cost;
        const double way = (next - z).head(problem.parameters()).cwiseAbs().maxCoeff();
        z = next;
        cost = now;
        if (gain < 1e-10 || (way < 1e-9 && gain < 1e-6)) search.converged = true;
      } else {
        if (predicted <= 1e-12 * cost) {
          search.converged = true;
          break;
        }
        damping *= growth;
        growth *= 2;
      }
      if (stop && stop()) break;
    }
    search.z = z;
    search.cost = cost;
    if (!moved) {
      // Rounding and kinks end a search whose model promises next to nothing.
      search.converged = search.converged || damping > 1e6;
      break;
    }
    if (search.converged) break;
    at = problem.differences(z, true);
    if (!at.ok) break;
  }
  return search;
}

void estimate_noise(Problem& problem, const Differences& at, double floor) {
  // Each fitted number takes one row's worth of noise away, shared among the blocks.
  double rows = 0;
  for (const Block& block : problem.blocks())
    if (!problem.data()[block.datum].holdout) rows += static_cast<double>(block.rows.size());
  const double left = std::max(0.1, 1 - static_cast<double>(problem.size()) / std::max(rows, 1.0));
  for (Block& block : problem.blocks()) {
    double sum = 0, neighbours = 0;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      sum += at.r[block.rows[i]] * at.r[block.rows[i]];
      if (i > 0) neighbours += at.r[block.rows[i]] * at.r[block.rows[i - 1]];
    }
    const auto count = static_cast<double>(block.rows.size());
    block.sigma = std::max(std::sqrt(sum / count / left), floor * block.size);
    const double rho = sum > 0 ? neighbours / sum : 0;
    block.correlation =
        block.in_time && std::abs(rho) > 2.5 / std::sqrt(count) ? std::clamp(rho, -0.99, 0.995) : 0;
  }
}

}  // namespace microslip::identify
