#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "microslip/core/any_state.hpp"
#include "microslip/core/dual.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/response.hpp"

namespace microslip {

/// How many directions one pass of derivatives carries behind a hidden type; more take several
/// passes. Most laws have fewer parameters, and eight doubles fill the vector units.
inline constexpr int dual_width = 8;
using WideDual = Dual<dual_width>;

/// Parameters that carry derivatives, by name: one number of a scalar, the entries of a list, a
/// matrix row by row.
using DualValues = std::map<std::string, std::vector<WideDual>, std::less<>>;

/// A law on dual numbers, its type hidden: the derivatives of force and energy with respect to
/// parameters (fits) and to the motion (Jacobians of harmonic balance). Immutable, cheap to copy.
class AnyDualModel {
 public:
  struct Interface {
    virtual ~Interface() = default;
    virtual AnyState rest() const = 0;
    /// Refused unless the law can tell.
    virtual WideDual stored(const AnyState&) const {
      throw Error("this law does not tell derivatives of its stored energy");
    }

    /// Scalar laws. dt is ignored by rate-independent ones.
    virtual Response<WideDual> step(const AnyState& from, const WideDual& u, double dt,
                                    AnyState& to) const = 0;
    virtual WideDual next_kink(const AnyState&, int direction) const = 0;
    /// See AnyModel::Interface.
    virtual ForceInMotion<WideDual> force(const AnyState&, const WideDual& /*v*/) const {
      throw Error("this law has several directions: it has no force at a velocity");
    }
    virtual Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
                       std::span<WideDual> f, std::span<WideDual> dissipated) const = 0;

    /// Laws with several directions.
    virtual AnyResponse<WideDual> step_vector(const AnyState& /*from*/,
                                              const AnyVec<WideDual>& /*u*/,
                                              AnyState& /*to*/) const {
      throw Error("this law is a scalar law: it needs u");
    }
    /// See AnyModel::Interface.
    virtual AnyResponse<WideDual> step_loaded(const AnyState& /*from*/,
                                              const AnyVec<WideDual>& /*u*/,
                                              const LimitFactors<WideDual>& /*factors*/,
                                              AnyState& /*to*/) const {
      throw Error("this law declares no friction limits that a load could change");
    }
  };

  explicit AnyDualModel(std::shared_ptr<const Interface> model) : model_(std::move(model)) {}

  AnyState rest() const { return model_->rest(); }
  WideDual stored(const AnyState& state) const { return model_->stored(state); }
  Response<WideDual> step(const AnyState& from, const WideDual& u, double dt, AnyState& to) const {
    return model_->step(from, u, dt, to);
  }
  ForceInMotion<WideDual> force(const AnyState& at, const WideDual& v) const {
    return model_->force(at, v);
  }
  AnyResponse<WideDual> step(const AnyState& from, const AnyVec<WideDual>& u, AnyState& to) const {
    return model_->step_vector(from, u, to);
  }
  AnyResponse<WideDual> step_loaded(const AnyState& from, const AnyVec<WideDual>& u,
                                    const LimitFactors<WideDual>& factors, AnyState& to) const {
    return model_->step_loaded(from, u, factors, to);
  }
  WideDual next_kink(const AnyState& state, int direction) const {
    return model_->next_kink(state, direction);
  }

  /// Goes from `at` over the displacements u; each takes dt, which may be empty for rate-independent
  /// laws. Leaves `at` at the end. Writes force and the energy lost in each step (may
  /// be empty). On a status other than ok the numbers from the failing step on mean nothing.
  Status run(std::span<const double> dt, std::span<const WideDual> u, AnyState& at,
             std::span<WideDual> f, std::span<WideDual> dissipated = {}) const {
    return model_->run(dt, u, at, f, dissipated);
  }

 private:
  std::shared_ptr<const Interface> model_;
};

}  // namespace microslip
