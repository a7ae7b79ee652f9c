#include "microslip/friction/factor_history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods.hpp"
#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"

namespace microslip::friction {
namespace {

/// The pieces of a formula, by halving. Parts are fractions of the whole interval.
class Chords {
 public:
  using Piece = FactorHistory::Piece;

  Chords(const Expression& formula, double tolerance, double from, double to)
      : formula_(formula), tolerance_(tolerance), from_(from), to_(to) {}

  std::vector<Piece> find() {
    const Piece first{0, at(0)}, last{1, at(1)};
    // Eight points at first, so that a period between two rows is not mistaken for rest.
    double a = 0, value = first.factor;
    if (straight(first, last, 8)) return {last};
    for (int i = 1; i <= 8; ++i) {
      const double b = i / 8.0, next = at(b);
      halve({a, value}, {b, next});
      a = b;
      value = next;
    }
    return std::move(pieces_);
  }

 private:
  double at(double part) const { return formula_(part < 1 ? from_ + part * (to_ - from_) : to_); }

  bool straight(const Piece& a, const Piece& b, int points) const {
    double size = std::max(std::abs(a.factor), std::abs(b.factor)), error = 0;
    for (int i = 1; i < points; ++i) {
      const double part = static_cast<double>(i) / points;
      const double value = at(a.part + part * (b.part - a.part));
      size = std::max(size, std::abs(value));
      error = std::max(error, std::abs(value - a.factor - part * (b.factor - a.factor)));
      if (std::isnan(value)) return true;  // the solver refuses it
    }
    return error <= tolerance_ * size;
  }

  void halve(const Piece& a, const Piece& b) {
    constexpr std::size_t most = 4'000'000;
    const double middle = 0.5 * (a.part + b.part);
    const double t_a = from_ + a.part * (to_ - from_), t_b = from_ + b.part * (to_ - from_);
    const double t_m = from_ + middle * (to_ - from_);
    if (!(t_a < t_m && t_m < t_b) || straight(a, b, 4)) {
      pieces_.push_back(b);
      if (pieces_.size() > most)
        throw Error("mu_factor = " + formula_.text() +
                    " varies too fast between t = " + number_text(from_) + " and " +
                    number_text(to_) + "; give more rows or a larger tolerance");
      return;
    }
    const Piece m{middle, at(middle)};
    halve(a, m);
    halve(m, b);
  }

  const Expression& formula_;
  double tolerance_, from_, to_;
  std::vector<Piece> pieces_;
};

}  // namespace

FactorHistory::FactorHistory(Expression factor_of_t, double tolerance)
    : kind_(Kind::formula), formula_(std::move(factor_of_t)), tolerance_(tolerance) {
  if (formula_.variables().size() != 1)
    throw Error("mu_factor = " + formula_.text() + " must be a formula of t");
}

FactorHistory::FactorHistory(std::vector<double> t, std::vector<double> factor)
    : kind_(Kind::rows), t_(std::move(t)), factor_(std::move(factor)) {
  if (t_.empty() || t_.size() != factor_.size())
    throw Error("mu_factor must have rows of t and the factor");
  for (std::size_t i = 0; i < t_.size(); ++i) {
    const std::string place = "mu_factor, row " + std::to_string(i + 1) + ": ";
    if (!std::isfinite(t_[i]) || (i > 0 && !(t_[i] > t_[i - 1])))
      throw Error(place + "t = " + number_text(t_[i]) + " must be larger than in the row before");
    if (!(factor_[i] >= 0) || !std::isfinite(factor_[i]))
      throw Error(place + "the factor " + number_text(factor_[i]) +
                  " must be finite and not negative");
  }
}

double FactorHistory::at(double t) const {
  if (kind_ == Kind::one) return 1;
  if (kind_ == Kind::formula) return formula_(t);
  const auto next = std::upper_bound(t_.begin(), t_.end(), t);
  if (next == t_.begin()) return factor_.front();
  if (next == t_.end()) return factor_.back();
  const auto i = static_cast<std::size_t>(next - t_.begin());
  const double part = (t - t_[i - 1]) / (t_[i] - t_[i - 1]);
  return factor_[i - 1] + part * (factor_[i] - factor_[i - 1]);
}

std::vector<FactorHistory::Piece> FactorHistory::pieces(double from, double to) const {
  if (kind_ == Kind::one || !(to > from)) return {{1, at(to)}};
  if (kind_ == Kind::formula) return Chords(formula_, tolerance_, from, to).find();
  std::vector<Piece> result;
  for (auto next = std::upper_bound(t_.begin(), t_.end(), from); next != t_.end() && *next < to;
       ++next)
    result.push_back(
        {(*next - from) / (to - from), factor_[static_cast<std::size_t>(next - t_.begin())]});
  result.push_back({1, at(to)});
  return result;
}

Step advance_in_time(Solver& solver, const FactorHistory& factor, double f0, double t0, double f1,
                     double t1, std::string& trouble) {
  Step step{solver.xi(), Status::ok};
  for (const auto& piece : factor.pieces(t0, t1)) {
    if (!(piece.factor >= 0) || !std::isfinite(piece.factor)) {
      trouble = "mu_factor is " + number_text(piece.factor) +
                " at t = " + number_text(t0 + piece.part * (t1 - t0)) + "; it must not be negative";
      return {step.xi, Status::undefined};
    }
    step = solver.advance_with(piece.part < 1 ? f0 + piece.part * (f1 - f0) : f1, piece.factor);
    if (step.status != Status::ok) {
      trouble = solver.trouble();
      return step;
    }
  }
  return step;
}

}  // namespace microslip::friction
