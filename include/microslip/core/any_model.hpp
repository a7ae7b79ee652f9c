#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/core/any_state.hpp"
#include "microslip/core/description.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/first_harmonic.hpp"
#include "microslip/core/history.hpp"
#include "microslip/core/response.hpp"
#include "microslip/core/walk.hpp"

namespace microslip {

/// A point of a history from which it can go on: the state of the law, the energy dissipated so
/// far, the displacement that the law takes as its origin, and the time.
struct Checkpoint {
  AnyState state;
  double energy = 0;
  double origin = 0, origin_y = 0;
  double t = 0;
  double origin_n = 0;

  double& origin_along(std::string_view direction) {
    return direction == "y" ? origin_y : direction == "n" ? origin_n : origin;
  }
  double origin_along(std::string_view direction) const {
    return const_cast<Checkpoint&>(*this).origin_along(direction);
  }
};

/// A moment of sliding: towards `side` (±1), at u, which is where the state is or ahead of it, with
/// velocity v, `after` a time since the state was left. `length` is a size of the motion, for the
/// derivative by u of forces that remember the way.
struct Sliding {
  int side = 1;
  double u = 0, v = 0, after = 0;
  double length = 0;
};

/// A law with its parameters, its type hidden: for the edges, where laws are chosen at run time.
/// It works on whole histories, so hiding the type costs one virtual call a history; hosts that
/// need single steps have `step`. Immutable and cheap to copy.
class AnyModel {
 public:
  struct Interface {
    virtual ~Interface() = default;
    /// The same law with other values: parameters and options that are not given take their
    /// defaults. Throws as building the law does.
    virtual AnyModel make(const ParameterValues&, const OptionValues&) const = 0;
    /// The same on dual numbers; `derivatives` overrides `parameters`.
    virtual AnyDualModel make_dual(const ParameterValues& parameters, const OptionValues& options,
                                   const DualValues& derivatives) const = 0;
    virtual const Description& description() const = 0;
    virtual AnyState rest() const = 0;
    virtual StateRecord save(const AnyState&) const = 0;
    virtual AnyState load(const StateRecord&) const = 0;
    virtual double stored(const AnyState&) const = 0;

    /// Scalar laws. dt is ignored by rate-independent ones.
    virtual Response<double> step(const AnyState& from, double u, double dt,
                                  AnyState& to) const = 0;
    virtual double next_kink(const AnyState&, int direction) const = 0;
    /// Scalar laws: where the state is, at this velocity. A law that does not depend on the rate
    /// answers the force of its state.
    virtual ForceInMotion<double> force(const AnyState&, double v) const;

    /// By formula, where the law has one.
    virtual std::optional<HarmonicForce> first_harmonic(double /*amplitude*/,
                                                        double /*omega*/) const {
      return {};
    }

    /// Of a law that is linear and forgets its start: K(ω) with f = K e^{iωt} under u = e^{iωt}; the
    /// real part is a stiffness, the imaginary one a loss. Nothing for other laws.
    virtual std::optional<std::complex<double>> dynamic_stiffness(double /*omega*/) const {
      return {};
    }

    /// Laws under the same displacement whose forces add up to that of this one; none of a law that
    /// is not made of others so.
    virtual std::vector<AnyModel> terms() const;

    /// Whether f[−u] = −f[u] with these parameters. A law whose claim depends on them may answer by
    /// a function `odd`; one that does not counts as not odd.
    virtual bool odd() const { return description().claims.odd.verdict == Verdict::holds; }

    /// Whether a periodic motion leads to a loop that repeats. A law that changes for good with every
    /// cycle answers false by a function `repeats`.
    virtual bool repeats() const { return true; }

    /// Rigid friction, see RigidLaw. `scratch` is a state of this law, whose value does not matter.
    virtual Rigidity rigidity() const { return {}; }
    virtual SlipForce<double> slip(const AnyState& /*from*/, const Sliding& /*at*/,
                                   AnyState& /*scratch*/) const {
      throw Error(description().name + " is not rigid: it has no slip force");
    }

    /// Laws with several directions; others refuse it.
    virtual AnyResponse<double> step_vector(const AnyState& from, const AnyVec<double>& u,
                                            AnyState& to) const;
    /// Of a law with several directions: the part of the straight motion `along` that is smooth,
    /// infinite if all is.
    virtual double smooth_part(const AnyState& from, const AnyVec<double>& along) const;
    /// Goes along a path of a law whose forces are linear from event to event; null for others.
    virtual std::unique_ptr<Walk> walk() const { return nullptr; }

    /// A step during which a load multiplies the friction limits; only of laws that declare them. A
    /// scalar law has one displacement.
    virtual AnyResponse<double> step_loaded(const AnyState& from, const AnyVec<double>& u,
                                            const LimitFactors<double>& factors,
                                            AnyState& to) const;

    /// Goes on from `at` over the rows of the path and leaves `at` at the last good row. Replaces
    /// what is in `out`, whose memory is used again.
    virtual void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
                     History& out) const = 0;
  };

  AnyModel(std::shared_ptr<const Interface> model, ParameterValues parameters, OptionValues options)
      : model_(std::move(model)),
        parameters_(std::move(parameters)),
        options_(std::move(options)) {}

  const Description& description() const { return model_->description(); }
  const ParameterValues& parameters() const { return parameters_; }
  const OptionValues& options() const { return options_; }

  /// The same law with some parameters changed.
  AnyModel with(const ParameterValues& changed) const {
    ParameterValues all = parameters_;
    for (const auto& [name, value] : changed) all[name] = value;
    return model_->make(all, options_);
  }
  /// The same law with these values alone; the rest at their defaults.
  AnyModel remade(const ParameterValues& parameters, const OptionValues& options) const {
    return model_->make(parameters, options);
  }
  /// The same law on dual numbers, with the parameters that carry derivatives changed to `values`.
  AnyDualModel dual(const DualValues& values) const {
    return model_->make_dual(parameters_, options_, values);
  }

  AnyState rest() const { return model_->rest(); }
  StateRecord save(const AnyState& state) const { return model_->save(state); }
  AnyState load(const StateRecord& record) const { return model_->load(record); }
  double stored(const AnyState& state) const { return model_->stored(state); }
  Response<double> step(const AnyState& from, double u, double dt, AnyState& to) const {
    return model_->step(from, u, dt, to);
  }
  /// The force where the state is, at a velocity.
  ForceInMotion<double> force(const AnyState& at, double v) const { return model_->force(at, v); }
  AnyResponse<double> step(const AnyState& from, const AnyVec<double>& u, AnyState& to) const {
    return model_->step_vector(from, u, to);
  }
  AnyResponse<double> step_loaded(const AnyState& from, const AnyVec<double>& u,
                                  const LimitFactors<double>& factors, AnyState& to) const {
    return model_->step_loaded(from, u, factors, to);
  }
  double next_kink(const AnyState& state, int direction) const {
    return model_->next_kink(state, direction);
  }
  /// The part of a straight motion of a law with several directions that is smooth.
  double next_kink(const AnyState& state, const AnyVec<double>& along) const {
    return model_->smooth_part(state, along);
  }
  std::unique_ptr<Walk> walk() const { return model_->walk(); }
  /// Names of the directions; empty for a scalar law.
  const std::vector<std::string>& directions() const { return description().directions; }
  std::optional<HarmonicForce> first_harmonic(double amplitude, double omega) const {
    return model_->first_harmonic(amplitude, omega);
  }

  /// Whether the force depends on time, for some parameters of the law.
  bool rate_dependent() const { return description().family == Family::rate_dependent; }
  std::optional<std::complex<double>> dynamic_stiffness(double omega) const {
    return model_->dynamic_stiffness(omega);
  }
  /// The laws that a sum is made of, also inside `scaled`; none of any other law.
  std::vector<AnyModel> terms() const { return model_->terms(); }
  /// Whether the law is odd with these parameters.
  bool odd() const { return model_->odd(); }
  /// Whether the law comes to a loop that repeats; a law that changes with every cycle does not.
  bool repeats() const { return model_->repeats(); }
  /// Whether the force jumps where the motion turns: rigid friction, and Reid's law.
  bool rigid() const { return model_->rigidity().rigid; }
  Rigidity rigidity() const { return model_->rigidity(); }
  SlipForce<double> slip(const AnyState& from, const Sliding& at, AnyState& scratch) const {
    return model_->slip(from, at, scratch);
  }

  /// The checkpoint from which a history on this path starts.
  Checkpoint begin(const Path& path, Start start = Start::virgin) const {
    Checkpoint at{rest(), 0, 0, 0, path.t.empty() ? 0 : path.t.front()};
    if (start == Start::first_row)
      for (const std::string_view direction : {"x", "y", "n"})
        if (const auto& column = path.along(direction); !column.empty())
          at.origin_along(direction) = column.front();
    return at;
  }

  /// Goes on from a checkpoint; for long histories in pieces, with one `out` for all of them.
  void run(const Path& path, Drive drive, const Record& record, Checkpoint& at,
           History& out) const {
    model_->run(path, drive, record, at, out);
    // A law whose force jumps holds still under any force of the jump, and answers one of them.
    if (drive == Drive::force) std::copy_n(path.u.begin(), out.f.size(), out.f.begin());
  }
  History run(const Path& path, Drive drive, const Record& record, Checkpoint& at) const {
    History out;
    run(path, drive, record, at, out);
    return out;
  }
  /// A whole history from its start.
  History run(const Path& path, Start start = Start::virgin, Drive drive = Drive::displacement,
              const Record& record = {}) const {
    Checkpoint at = begin(path, start);
    return run(path, drive, record, at);
  }

 private:
  std::shared_ptr<const Interface> model_;
  ParameterValues parameters_;
  OptionValues options_;
};

inline std::vector<AnyModel> AnyModel::Interface::terms() const { return {}; }
inline ForceInMotion<double> AnyModel::Interface::force(const AnyState&, double) const {
  throw Error(description().name + " has no force at a velocity: it has several directions");
}
inline AnyResponse<double> AnyModel::Interface::step_vector(const AnyState&, const AnyVec<double>&,
                                                            AnyState&) const {
  throw Error(description().name + " is a scalar law: it needs u");
}
inline double AnyModel::Interface::smooth_part(const AnyState&, const AnyVec<double>&) const {
  throw Error(description().name + " is a scalar law: its kinks have a place u");
}
inline AnyResponse<double> AnyModel::Interface::step_loaded(const AnyState&, const AnyVec<double>&,
                                                            const LimitFactors<double>&,
                                                            AnyState&) const {
  throw Error(description().name + " declares no friction limits that a load could change");
}

}  // namespace microslip
