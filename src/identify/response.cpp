#include "microslip/identify/response.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include "microslip/core/error.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

namespace microslip::identify {
namespace {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;
using Complex = std::complex<double>;

/// One steady motion after another. Unknown are the Fourier coefficients of the displacements of the joints,
/// U = E − D g(U): E without the joints' forces g beyond a spring of their stiffness at rest, D the compliance
/// between the joints.
class Balance {
 public:
  Balance(const System& system, const ResponseTask& task, bool derivatives)
      : s_(system),
        task_(task),
        joints_(system.W.cols()),
        unknowns_(derivatives ? static_cast<Index>(system.unknowns->size()) : 0) {
    const bool odd = std::all_of(system.joints.begin(), system.joints.end(),
                                 [](const System::Joint& j) { return j.law.odd(); });
    bool constant = false;
    for (const dynamics::Load& load : system.loads)
      if (const auto* c = std::get_if<dynamics::Constant>(&load.signal))
        constant = constant || c->value != 0;
    const int highest = task.harmonics > 0 ? task.harmonics : usual_harmonics;
    for (int h = odd && !constant ? 1 : 0; h <= highest; h += odd && !constant ? 2 : 1)
      harmonics_.push_back(h);
    // Cosines, then sines, of the harmonics; the constant has a cosine alone.
    for (const int h : harmonics_) columns_ += h == 0 ? 1 : 2;
    waves_.resize(samples, columns_);
    for (Index n = 0; n < samples; ++n) {
      Index c = 0;
      for (const int h : harmonics_) {
        const double angle = 2 * pi * h * static_cast<double>(n + 1) / static_cast<double>(samples);
        waves_(n, c++) = std::cos(angle);
        if (h > 0) waves_(n, c++) = std::sin(angle);
      }
    }
    // To Fourier coefficients: 2/N of the product with a wave, 1/N of the constant.
    project_ = waves_.transpose() * (2.0 / static_cast<double>(samples));
    if (harmonics_.front() == 0) project_.row(0) *= 0.5;
    stiffness_.resize(joints_);
    for (Index j = 0; j < joints_; ++j)
      stiffness_[j] = system.joints[static_cast<std::size_t>(j)].stiffness;
    K_ = s_.K + s_.W * stiffness_.asDiagonal() * s_.W.transpose();
    U_.setZero(columns_ * joints_);
  }

  Response run() {
    const auto points = static_cast<Index>(task_.omega.size());
    const auto places = static_cast<Index>(task_.places.size());
    Response out;
    out.y.setZero(points * places);
    out.derivatives.setZero(points * places, unknowns_);
    // Along each level from point to point, so that a solution starts from its neighbour's.
    std::vector<std::size_t> order(task_.omega.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return task_.level[a] != task_.level[b] ? task_.level[a] < task_.level[b]
                                              : task_.omega[a] < task_.omega[b];
    });
    double level = -1;
    for (const std::size_t i : order) {
      // A level starts from the one below it, the lowest from so small a load that joints are stuck.
      const bool first = task_.level[i] != level;
      level = task_.level[i];
      if (first && first_.size() > 0) {
        U_ = first_;
        last_omega_ = first_omega_;
        last_level_ = first_level_;
      } else if (first) {
        last_omega_ = task_.omega[i];
        last_level_ = 0;
      }
      if (!reach(task_.omega[i], level)) {
        out.failure = "no steady motion was found at omega = " + std::to_string(task_.omega[i]) +
                      ", level " + std::to_string(level);
        return out;
      }
      if (first) {
        first_ = U_;
        first_omega_ = last_omega_;
        first_level_ = last_level_;
      }
      write(static_cast<Index>(i), points, out);
    }
    return out;
  }

 private:
  /// What is linear at one harmonic.
  struct Harmonic {
    ComplexMatrix inverse;  ///< Z⁻¹
    ComplexVector load, free;
    ComplexMatrix to_joints, between;  ///< WᵀZ⁻¹, WᵀZ⁻¹W
  };

  ComplexVector load_at(int h, const std::vector<dynamics::Load>& loads) const {
    ComplexVector sum = ComplexVector::Zero(s_.size);
    for (const dynamics::Load& load : loads) {
      if (const auto* tones = std::get_if<dynamics::Tones>(&load.signal))
        for (const dynamics::Tone& tone : tones->list)
          if (tone.harmonic == h)
            sum += level_ * tone.amplitude * std::polar(1.0, tone.phase) * load.direction;
      if (const auto* constant = std::get_if<dynamics::Constant>(&load.signal); constant && h == 0)
        sum += constant->value * load.direction;
    }
    return sum;
  }

  void linear_part() {
    linear_.clear();
    for (const int h : harmonics_) {
      const double w = h * omega_;
      Harmonic at;
      ComplexMatrix Z = ComplexMatrix::Zero(s_.size, s_.size);
      Z.real() = K_ - w * w * s_.M;
      Z.imag() = w * s_.C;
      at.load = load_at(h, s_.loads);
      at.inverse = dense::ComplexLu(Z).solve(ComplexMatrix::Identity(s_.size, s_.size));
      at.free = at.inverse * at.load;
      at.to_joints = s_.W.transpose() * at.inverse;
      at.between = at.to_joints * s_.W;
      linear_.push_back(std::move(at));
    }
  }

  /// Real coefficients (a, b of a cos + b sin) of complex ones, X = a − ib.
  template <class To>
  static void put(To&& to, int h, Index& c, const Complex& value) {
    to[c++] = value.real();
    if (h > 0) to[c++] = -value.imag();
  }
  template <class From>
  static Complex get(const From& from, int h, Index& c) {
    const double a = from[c++];
    return h > 0 ? Complex(a, -from[c++]) : Complex(a, 0);
  }

  /// g(U) of all joints as coefficients, with derivatives by U and by the unknowns where wanted.
  bool forces(const Vector& U, Vector& g, Matrix* by_U, Matrix* by_p) {
    g.resize(U.size());
    for (Index j = 0; j < joints_; ++j) {
      const Vector own = U.segment(j * columns_, columns_);
      const Vector u = waves_ * own;
      const bool ok = by_U ? joint_with_derivatives(j, own, u, g, *by_U, by_p) : joint(j, u, g);
      if (!ok) return false;
      g.segment(j * columns_, columns_) -= stiffness_[j] * own;
    }
    return true;
  }

  /// Periods until the loop repeats, from rest.
  bool joint(Index j, const Vector& u, Vector& g) {
    const AnyModel& law = s_.joints[static_cast<std::size_t>(j)].law;
    AnyState at = law.rest(), to = at;
    Vector f(samples), last = Vector::Zero(samples);
    for (int period = 0; period < most_periods; ++period) {
      for (Index n = 0; n < samples; ++n) {
        const auto reply = law.step(at, u[n], 0, to);
        if (reply.status != microslip::Status::ok || !std::isfinite(reply.force)) return false;
        std::swap(at, to);
        f[n] = reply.force;
      }
      periods_ = period + 1;
      if (period > 0 && (f - last).cwiseAbs().maxCoeff() <= 1e-10 * f.cwiseAbs().maxCoeff()) break;
      last = f;
    }
    g.segment(j * columns_, columns_) = project_ * f;
    return true;
  }

  bool joint_with_derivatives(Index j, const Vector& own, const Vector& u, Vector& g, Matrix& by_U,
                              Matrix* by_p) {
    if (!joint(j, u, g)) return false;
    const System::Joint& joint = s_.joints[static_cast<std::size_t>(j)];
    const Index parameters = by_p ? static_cast<Index>(joint.unknowns.size()) : 0;
    const Index directions = columns_ + parameters;
    Matrix df(samples, directions);
    std::vector<double> dt(static_cast<std::size_t>(samples), 0.0);
    std::vector<WideDual> path(static_cast<std::size_t>(samples)), force(path.size());
    for (Index first = 0; first < directions; first += dual_width) {
      const Index count = std::min<Index>(dual_width, directions - first);
      const AnyDualModel law = dual_of(j, first);
      for (Index n = 0; n < samples; ++n) {
        auto& x = path[static_cast<std::size_t>(n)];
        x = WideDual(u[n]);
        for (Index d = 0; d < count; ++d)
          if (first + d < columns_) x.v[static_cast<int>(d)] = waves_(n, first + d);
      }
      AnyState at = law.rest();
      for (int period = 0; period < periods_; ++period)
        if (law.run(dt, path, at, force) != microslip::Status::ok) return false;
      for (Index n = 0; n < samples; ++n)
        for (Index d = 0; d < count; ++d)
          df(n, first + d) = force[static_cast<std::size_t>(n)].v[static_cast<int>(d)];
    }
    const Matrix coefficients = project_ * df;
    by_U.block(j * columns_, j * columns_, columns_, columns_) = coefficients.leftCols(columns_);
    by_U.block(j * columns_, j * columns_, columns_, columns_).diagonal().array() -= stiffness_[j];
    for (Index k = 0; k < parameters; ++k)
      by_p->col(joint.unknowns[static_cast<std::size_t>(k)]).segment(j * columns_, columns_) =
          coefficients.col(columns_ + k);
    static_cast<void>(own);
    return true;
  }

  /// Directions of a joint are its coefficients, then its unknowns.
  AnyDualModel dual_of(Index j, Index first) const {
    const System::Joint& joint = s_.joints[static_cast<std::size_t>(j)];
    DualValues values;
    for (std::size_t k = 0; k < joint.unknowns.size(); ++k) {
      const Unknown& unknown = (*s_.unknowns)[static_cast<std::size_t>(joint.unknowns[k])];
      const Index direction = columns_ + static_cast<Index>(k) - first;
      if (direction < 0 || direction >= dual_width) continue;
      seed(joint.law, unknown, static_cast<int>(direction), values);
    }
    return joint.law.dual(values);
  }

  /// R = U − E + D g(U), harmonic by harmonic.
  Vector times_between(const Vector& g) const {
    Vector result(g.size());
    Index c = 0;
    for (std::size_t k = 0; k < harmonics_.size(); ++k) {
      const int h = harmonics_[k];
      ComplexVector at(joints_);
      for (Index j = 0; j < joints_; ++j) {
        Index from = j * columns_ + c;
        at[j] = get(g, h, from);
      }
      const ComplexVector moved = linear_[k].between * at;
      for (Index j = 0; j < joints_; ++j) {
        Index to = j * columns_ + c;
        put(result, h, to, moved[j]);
      }
      c += h > 0 ? 2 : 1;
    }
    return result;
  }
  Matrix times_between(const Matrix& g) const {
    Matrix result(g.rows(), g.cols());
    for (Index i = 0; i < g.cols(); ++i) result.col(i) = times_between(Vector(g.col(i)));
    return result;
  }

  bool point(double omega, double level) {
    omega_ = omega;
    level_ = level;
    linear_part();
    if (joints_ == 0) return true;
    E_.resize(U_.size());
    Index c = 0;
    for (std::size_t k = 0; k < harmonics_.size(); ++k) {
      const ComplexVector free = s_.W.transpose() * linear_[k].free;
      for (Index j = 0; j < joints_; ++j) {
        Index to = j * columns_ + c;
        put(E_, harmonics_[k], to, free[j]);
      }
      c += harmonics_[k] > 0 ? 2 : 1;
    }
    if (last_level_ == 0) U_ = E_;
    return newton(false) || newton(true);
  }

  /// A steady motion from another one, over motions between where that is too far.
  bool reach(double omega, double level, int depth = 0) {
    const double omega_before = last_omega_, level_before = last_level_;
    const Vector start = U_;
    if (point(omega, level)) {
      last_omega_ = omega;
      last_level_ = level;
      return true;
    }
    U_ = start;
    if (depth >= most_bisections) return false;
    return reach(0.5 * (omega_before + omega), 0.5 * (level_before + level), depth + 1) &&
           reach(omega, level, depth + 1);
  }

  /// Newton's method, with full steps or with steps that the residual allows. Forces are pieces of smooth
  /// functions: full steps find the piece, and then a few more the solution.
  bool newton(bool descend) {
    const Vector start = U_;
    Vector g, R;
    Matrix slope(U_.size(), U_.size());
    double size = 0;
    const int most = descend ? most_steps : 14;
    for (int step = 0; step < most; ++step) {
      slope.setZero();
      if (!forces(U_, g, &slope, nullptr)) break;
      R = U_ - E_ + times_between(g);
      size = R.norm();
      if (size <= 1e-10 * (U_.norm() + 1e-6 * E_.norm())) return true;
      const Matrix jacobian = Matrix::Identity(U_.size(), U_.size()) + times_between(slope);
      const Vector change = dense::solve(jacobian, R);
      if (!change.allFinite()) break;
      double share = 1;
      if (descend)
        for (; share > 0.01; share *= 0.5) {
          Vector g_next;
          const Vector next = U_ - share * change;
          if (forces(next, g_next, nullptr, nullptr) &&
              Vector(next - E_ + times_between(g_next)).norm() < size)
            break;
        }
      if (share <= 0.01) break;
      U_ -= share * change;
    }
    if (size > 0 && size <= 1e-7 * U_.norm()) return true;  // kinks between the samples
    U_ = start;
    return false;
  }

  void write(Index i, Index points, Response& out) {
    const std::size_t first = harmonics_.front() == 1 ? 0 : 1;
    const auto at_first = [&](const Vector& all) {
      Index c = harmonics_.front() == 0 ? 1 : 0;
      ComplexVector values(joints_);
      for (Index j = 0; j < joints_; ++j) {
        Index from = j * columns_ + c;
        values[j] = get(all, 1, from);
      }
      return values;
    };
    const Harmonic& linear = linear_[first];
    Vector g = Vector::Zero(U_.size());
    Matrix slope = Matrix::Zero(U_.size(), U_.size()), by_p = Matrix::Zero(U_.size(), unknowns_);
    if (joints_ > 0)
      forces(U_, g, unknowns_ > 0 ? &slope : nullptr, unknowns_ > 0 ? &by_p : nullptr);
    const auto motion = [&](const Harmonic& h, const ComplexVector& force) {
      return ComplexVector(h.free - h.inverse * (s_.W * force));
    };
    const ComplexVector X = motion(linear, at_first(g));
    ComplexMatrix dX = ComplexMatrix::Zero(s_.size, unknowns_);
    if (unknowns_ > 0) derivatives(first, X, g, slope, by_p, at_first, dX);
    for (std::size_t p = 0; p < task_.places.size(); ++p) {
      const Place& place = task_.places[p];
      const Complex factor = std::pow(Complex(0, omega_), place.order);
      const Index row = i + points * static_cast<Index>(p);
      out.y[row] = factor * place.w.cast<Complex>().dot(X);
      if (unknowns_ > 0) out.derivatives.row(row) = factor * (place.w.transpose() * dX);
    }
  }

  /// dX = Z⁻¹ (dF − dZ X − W dg) with dg from the equations of all harmonics.
  template <class AtFirst>
  void derivatives(std::size_t first, const ComplexVector& X, const Vector& g, const Matrix& slope,
                   const Matrix& by_p, const AtFirst& at_first, ComplexMatrix& dX) {
    const auto drive = [&](std::size_t k, Index i, const ComplexVector& at) {
      const int h = harmonics_[k];
      const double w = h * omega_;
      const auto u = static_cast<std::size_t>(i);
      ComplexVector change = ComplexVector::Zero(s_.size);
      if (!s_.d_loads[u].empty()) change += load_at(h, s_.d_loads[u]);
      if (s_.dK[u].size() > 0) change -= s_.dK[u] * at;
      if (s_.dM[u].size() > 0) change += w * w * (s_.dM[u] * at);
      if (s_.dC[u].size() > 0) change -= Complex(0, w) * (s_.dC[u] * at);
      return change;
    };
    Matrix right = Matrix::Zero(U_.size(), unknowns_);
    Index c = 0;
    for (std::size_t k = 0; k < harmonics_.size() && joints_ > 0; ++k) {
      const int h = harmonics_[k];
      ComplexVector force(joints_);
      for (Index j = 0; j < joints_; ++j) {
        Index from = j * columns_ + c;
        force[j] = get(g, h, from);
      }
      const ComplexVector at = linear_[k].free - linear_[k].inverse * (s_.W * force);
      for (Index i = 0; i < unknowns_; ++i) {
        const ComplexVector moved = linear_[k].to_joints * drive(k, i, at);
        for (Index j = 0; j < joints_; ++j) {
          Index to = j * columns_ + c;
          put(right.col(i), h, to, moved[j]);
        }
      }
      c += h > 0 ? 2 : 1;
    }
    Matrix dg = Matrix::Zero(U_.size(), unknowns_);
    if (joints_ > 0) {
      right -= times_between(by_p);
      const Matrix jacobian = Matrix::Identity(U_.size(), U_.size()) + times_between(slope);
      dg = slope * dense::solve(jacobian, right) + by_p;
    }
    for (Index i = 0; i < unknowns_; ++i)
      dX.col(i) =
          linear_[first].inverse * (drive(first, i, X) - s_.W * at_first(Vector(dg.col(i))));
  }

  static constexpr Index samples = 512;
  /// Lightly damped modes answer high harmonics of joints that slip: with 7 the response of a beam missed up to 4 %.
  static constexpr int usual_harmonics = 15;
  static constexpr int most_periods = 12;
  static constexpr int most_steps = 40;
  static constexpr int most_bisections = 7;

  const System& s_;
  const ResponseTask& task_;
  Index joints_, unknowns_, columns_ = 0;
  std::vector<int> harmonics_;
  Matrix waves_, project_, K_;
  Vector stiffness_, U_, E_;
  std::vector<Harmonic> linear_;
  Vector first_;
  double omega_ = 0, level_ = 1, last_omega_ = 0, last_level_ = 0, first_omega_ = 0,
         first_level_ = 0;
  int periods_ = 2;
};

}  // namespace

void check(const ResponseTask& task, const dynamics::Structure& structure) {
  for (const dynamics::JointElement& joint : structure.joints)
    if (joint.model.rate_dependent())
      throw Error("a frequency response takes rate-independent laws; '" +
                  joint.model.description().name +
                  "' depends on the rate: give a record or a ring-down");
  bool any = false;
  for (const dynamics::Load& load : structure.loads) {
    if (std::holds_alternative<dynamics::Tones>(load.signal))
      any = true;
    else if (!std::holds_alternative<dynamics::Constant>(load.signal))
      throw Error(
          "a frequency response needs harmonic or static loads; the file has a load of another "
          "kind");
  }
  if (!any) throw Error("a frequency response needs a harmonic [[load]]");
  for (const double omega : task.omega)
    if (!(omega > 0)) throw Error("omega must be positive in a frequency response");
}

Response response(const System& system, const ResponseTask& task, bool derivatives) {
  return Balance(system, task, derivatives).run();
}

}  // namespace microslip::identify
