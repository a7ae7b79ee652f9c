#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "microslip/core/any_model.hpp"
#include "microslip/numerics/expression.hpp"

/// Structures with joints:  M x″ + C x′ + K x + Σ w_j f_j[w_jᵀx] = F(t).
///
/// The linear part is made of matrices, the joints are laws of any kind; nothing here knows which.
namespace microslip::dynamics {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// A row of weights of the degrees of freedom, most of them zero. Made from dense or sparse
/// vectors; where a dense vector is wanted it becomes one.
class Direction : public Eigen::SparseVector<double> {
 public:
  using Sparse = Eigen::SparseVector<double>;

  Direction() = default;
  template <class Derived>
  Direction(const Eigen::MatrixBase<Derived>& dense) : Sparse(dense.sparseView()) {}
  template <class Derived>
  Direction(const Eigen::SparseMatrixBase<Derived>& sparse) : Sparse(sparse) {}
  template <class Derived>
  Direction& operator=(const Eigen::MatrixBase<Derived>& dense) {
    return *this = Direction(dense);
  }

  double operator[](Eigen::Index i) const { return coeff(i); }
  bool is_zero() const { return norm() == 0; }
  Eigen::VectorXd dense() const { return Eigen::VectorXd(*this); }
  Eigen::VectorXd normalized() const { return dense().normalized(); }
};

/// A law between degrees of freedom: its displacement is wᵀx and its force acts along −w.
struct JointElement {
  AnyModel model;
  Direction w;
  std::string name{};  ///< for tables and pictures
  /// Laws side by side that are the same together, if known. Harmonic balance takes rigid friction among
  /// them by itself: beside it the others are functions of their path.
  std::vector<AnyModel> parts{};
};

/// What a step of an interface answers: forces and their derivatives by the displacements.
struct InterfaceReply {
  Eigen::VectorXd force;
  Eigen::MatrixXd tangent;
  double dissipated = 0;
  Status status = Status::ok;
};

/// An interface on its way along a path of its displacements u, if its forces are linear in them from
/// event to event. It remembers displacements at some places of the path, the seeds.
class InterfaceWalk {
 public:
  /// The linear course ends where cᵀu comes to `value` from below, or where cᵀu′ falls to zero.
  struct Event {
    Eigen::VectorXd c;
    double value = 0;
    bool of_rate = false;
  };

  virtual ~InterfaceWalk() = default;
  /// Back to rest; derivatives cost something.
  virtual void rest(bool with_derivatives) = 0;
  /// Straight to a place of the path, as InterfaceLaw::step does.
  virtual Status step(const Eigen::VectorXd& u) = 0;
  /// Begins a stretch on which no displacement changes the sign of its velocity, or goes on after an
  /// event. What comes to rest here remembers this place: the number of seeds grows.
  virtual void set_out(const Eigen::VectorXd& velocity) = 0;
  virtual const std::vector<Event>& events() const = 0;
  /// Goes on to u; `event` is the number of what happens there, −1 if nothing does.
  virtual void go(const Eigen::VectorXd& u, int event) = 0;

  virtual Eigen::VectorXd force() const = 0;
  /// Derivatives of the forces by u, and by the displacements at the seeds, until the next event.
  virtual Eigen::MatrixXd tangent() const = 0;
  virtual Eigen::MatrixXd memory() const = 0;
  virtual Eigen::Index seeds() const = 0;
  virtual double dissipated() const = 0;  ///< since rest
  /// All that it remembers, in units of displacement: the same numbers are the same state.
  virtual const Eigen::VectorXd& numbers() const = 0;
  /// Whether mirrored paths have mirrored forces.
  virtual bool odd() const = 0;
};

/// A rate-independent law between several displacements and as many forces. Immutable; the contract of
/// a step is that of a law (core/concepts.hpp).
class InterfaceLaw {
 public:
  /// For periodic motions; null if its forces are not linear between events.
  virtual std::unique_ptr<InterfaceWalk> walk() const { return nullptr; }
  virtual ~InterfaceLaw() = default;
  virtual std::string name() const = 0;
  virtual Eigen::Index size() const = 0;
  virtual AnyState rest() const = 0;
  /// `to` may be `from`; the memory of `reply` is used again.
  virtual void step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to,
                    InterfaceReply& reply) const = 0;
  InterfaceReply step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to) const {
    InterfaceReply reply;
    step(from, u, to, reply);
    return reply;
  }
  virtual double stored(const AnyState& state) const = 0;
};

/// An interface in a structure: its displacements are w_iᵀx, and its forces act along −w_i.
struct InterfaceElement {
  std::shared_ptr<const InterfaceLaw> law;
  std::vector<Direction> w;
  std::string name{};
};

/// w_iᵀx of an interface.
Eigen::VectorXd displacements(const InterfaceElement& interface, const Eigen::VectorXd& x);

/// amplitude · cos(ω t + phase). In a periodic analysis ω is `harmonic` times its fundamental; in
/// time it is `omega`.
struct Tone {
  double amplitude = 0;
  double phase = 0;
  int harmonic = 1;
  double omega = 0;
};

struct Tones {
  std::vector<Tone> list;
};

struct Constant {
  double value = 0;
};

/// A sine whose frequency runs from one value to another in `duration`, linearly or by a constant
/// number of octaves a second; silent afterwards.
struct Sweep {
  double amplitude = 0, omega_from = 0, omega_to = 0, duration = 0;
  bool logarithmic = false;
};

/// Sines of one frequency after another, each for whole cycles, so that the force is continuous:
/// level i is sin ωᵢ(t − startᵢ). Silent after the last.
struct SteppedSine {
  double amplitude = 0;
  std::vector<double> omega;
  std::vector<double> start;  ///< of each level, and the end of the last
};
SteppedSine stepped_sine(double amplitude, std::vector<double> omega,
                         const std::vector<int>& cycles);

/// A half sine of the given impulse (force × time); with duration 0 a jump of velocity at `start`.
struct Impulse {
  double impulse = 0, start = 0, duration = 0;
};

/// Given values, linear between them, zero outside.
struct SampledLoad {
  std::vector<double> t, values;
};

/// A formula in the time t.
struct Formula {
  Expression force;
};

using Signal = std::variant<Tones, Constant, Sweep, SteppedSine, Impulse, SampledLoad, Formula>;

struct Load {
  Eigen::VectorXd direction;
  Signal signal;
};

double value(const Signal& signal, double t);
/// Times after `t` at which a signal is not smooth; infinity if there is none.
double next_break(const Signal& signal, double t);

/// A displacement that is written besides those of the degrees of freedom: wᵀx.
struct Sensor {
  std::string name;
  Direction w;
};

struct Structure {
  SparseMatrix M, C, K;
  std::vector<JointElement> joints;
  std::vector<Load> loads;
  std::vector<Sensor> sensors{};
  std::vector<InterfaceElement> interfaces{};

  Eigen::Index size() const { return M.rows(); }
};

/// Throws Error where there are interfaces without a walk, and where check_parts does.
void check(const Structure& structure);
/// Throws Error where sizes do not fit, M is not positive on its diagonal, a law is planar or
/// driven by force, or a matrix is not symmetric (C may be anything).
void check_parts(const Structure& structure);

/// Throws Error if there are interfaces, which `analysis` does not take; if it takes those with a walk,
/// for others.
void refuse_interfaces(const Structure& structure, const std::string& analysis,
                       bool takes_walks = false);

/// w of a joint between two degrees of freedom counted from 1, 0 being the ground: the displacement
/// is x[to] − x[from].
Direction between(Eigen::Index size, Eigen::Index from, Eigen::Index to);

/// Adds k w wᵀ.
void add_along(SparseMatrix& matrix, const Direction& w, double k);

/// C such that the modes of (M, K) have these damping ratios, first modes first; modes beyond the
/// list have none.
SparseMatrix modal_damping(const SparseMatrix& M, const SparseMatrix& K,
                           const std::vector<double>& ratios);

/// ω² ascending and mass-normalised shapes of a dense pencil.
struct Modes {
  Eigen::VectorXd omega;
  Eigen::MatrixXd shapes;
};
Modes linear_modes(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K);
/// Mode of M and K with the joints' tangents at rest.
Modes modes_at_rest(const Structure& structure);

/// Whether one of its joints has rigid friction: at rest it holds any force up to a limit, and a
/// moved reversal changes the force by more than its tangent.
bool rigid(const Structure& structure);

/// Stiffness of a joint for the smallest motion; of rate-dependent laws for a slow one.
double tangent_at_rest(const AnyModel& model);
Eigen::MatrixXd tangent_at_rest(const InterfaceLaw& law);
/// Adds W T Wᵀ of an interface.
void add_along(Eigen::MatrixXd& matrix, const std::vector<Direction>& w, const Eigen::MatrixXd& T);

}  // namespace microslip::dynamics
