#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <complex>

#include "dynamics/body/place_of_rest.hpp"
#include "dynamics/body/sliding_body.hpp"
#include "microslip/detail/numerics/constants.hpp"
#include "microslip/detail/numerics/dense.hpp"

/// What sliding bodies answer after a period.
namespace microslip::dynamics {
void SlidingBody::sum() {
  const Eigen::Index r = size(), functions = fourier_size(body_.harmonics());
  const auto rows = body_.node_rows().transpose();
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(functions, 1 / pi);
  weights[0] = 1 / (2 * pi);
  coefficients_.noalias() = body_.node_u().transpose() * rows.transpose();
  coefficients_ = coefficients_ * weights.asDiagonal();
  // Row by row for each function, r numbers for each column.
  const Eigen::MatrixXd sums = rows * body_.wrt_u();
  coefficient_derivatives_.resize(r * functions, body_.derivatives().cols());
  for (Eigen::Index k = 0; k < functions; ++k)
    coefficient_derivatives_.middleRows(k * r, r) =
        weights[k] * sums.row(k).reshaped(r, body_.derivatives().cols());
  for (Answer& answer : body_.answers()) {
    const Eigen::Map<const Eigen::VectorXd> f(answer.loop.f.data(), rows.cols());
    answer.force.coefficients.noalias() = rows * f;
    answer.force.coefficients.array() *= weights.array();
    answer.loop.tangent.assign(answer.loop.f.size(), 0);
  }
}

/// Coefficients of −q″ − C q′ − K q for motions with a gap between the start and the end of their
/// period, of u and v; column by column.
Eigen::MatrixXd SlidingBody::force_of(const Eigen::MatrixXd& motion,
                                      const Eigen::MatrixXd& gap) const {
  const Eigen::Index r = size();
  const Eigen::MatrixXd slower =
      body_.omega() / pi * (gap.bottomRows(r) + body_.damping() * gap.topRows(r));
  Eigen::MatrixXd force(motion.rows(), motion.cols());
  force.topRows(r).noalias() = -body_.stiffness().lazyProduct(motion.topRows(r));
  for (int h = 1; h <= body_.harmonics(); ++h) {
    const double rate = h * body_.omega();
    const auto cosine = motion.middleRows((2 * h - 1) * r, r),
               sine = motion.middleRows(2 * h * r, r);
    auto of_cosine = force.middleRows((2 * h - 1) * r, r), of_sine = force.middleRows(2 * h * r, r);
    of_cosine = rate * rate * cosine;
    of_sine = rate * rate * sine;
    of_cosine.noalias() -= body_.stiffness().lazyProduct(cosine);
    of_sine.noalias() -= body_.stiffness().lazyProduct(sine);
    of_cosine.noalias() -= rate * body_.damping().lazyProduct(sine);
    of_sine.noalias() += rate * body_.damping().lazyProduct(cosine);
  }
  force.topRows(r) -= slower / 2;
  for (int h = 1; h <= body_.harmonics(); ++h) {
    force.middleRows((2 * h - 1) * r, r) -= slower;
    force.middleRows(2 * h * r, r) += h * body_.omega() * body_.omega() / pi * gap.topRows(r);
  }
  return force;
}

/// The reply, with derivatives of the motion by the excitation and by ω if there are any.
void SlidingBody::set_reply(const Eigen::MatrixXd& derivatives,
                            const Eigen::MatrixXd& gap_derivatives) {
  const Eigen::Index r = size(), functions = coefficients_.cols();
  // The sum of what the joints answer, so that their work is that of the body.
  Eigen::MatrixXd force = Eigen::MatrixXd::Zero(r, functions);
  for (std::size_t j = 0; j < body_.answers().size(); ++j)
    force += body_.contacts().along(j) * body_.answers()[j].force.coefficients.transpose();
  reply_.coefficients = force.reshaped();
  reply_.energy = 0;
  for (const Answer& answer : body_.answers()) reply_.energy += answer.force.energy;
  if (derivatives.cols() == 0) return;
  const Eigen::MatrixXd slopes = force_of(derivatives, gap_derivatives);
  reply_.jacobian = slopes.leftCols(r * functions);
  reply_.jacobian.diagonal().array() += 1;
  Eigen::MatrixXd wrt_omega = slopes.col(r * functions).reshaped(r, functions);
  for (int h = 1; h <= body_.harmonics(); ++h) {
    wrt_omega.middleCols(2 * h - 1, 2) +=
        2.0 * h * h * body_.omega() * coefficients_.middleCols(2 * h - 1, 2);
    wrt_omega.col(2 * h - 1) -= h * body_.damping() * coefficients_.col(2 * h);
    wrt_omega.col(2 * h) += h * body_.damping() * coefficients_.col(2 * h - 1);
  }
  reply_.wrt_omega = wrt_omega.reshaped();
}

/// Orthonormal directions in which joints rest for good, but for what the start has left of motion.
Eigen::MatrixXd SlidingBody::directions_at_rest() const {
  std::vector<Eigen::Index> resting;
  for (std::size_t j = 0; j < body_.answers().size(); ++j)
    if (body_.answers()[j].course.comes_to_rest()) resting.push_back(SlidingStepper::column(j));
  if (resting.empty()) return Eigen::MatrixXd(size(), 0);
  Eigen::MatrixXd along(size(), SlidingStepper::column(resting.size()));
  for (std::size_t i = 0; i < resting.size(); ++i)
    along.col(SlidingStepper::column(i)) = body_.contacts().along().col(resting[i]).normalized();
  const dense::PivotedQr factors(along, 1e-9);
  return factors.Q.leftCols(factors.rank);
}

void SlidingBody::set_end(bool with_jacobian) {
  const Eigen::Index r = size(), columns = coefficient_derivatives_.cols() - 2 * r;
  end_.at.resize(2 * r);
  end_.at << body_.u(), body_.v() / body_.omega();
  Eigen::MatrixXd derivatives = coefficient_derivatives_.leftCols(columns);
  Eigen::MatrixXd gap = body_.derivatives();
  gap.rightCols(2 * r).diagonal().array() -= 1;
  if (with_jacobian) {
    // Velocities are counted in units of ω, at the start and at the end.
    Eigen::VectorXd units(2 * r);
    units << Eigen::VectorXd::Ones(r), Eigen::VectorXd::Constant(r, body_.omega());
    const Eigen::VectorXd start = start_v_ / body_.omega();
    derivatives.col(columns - 1) += coefficient_derivatives_.rightCols(r) * start;
    gap.col(columns - 1) += gap.rightCols(r) * start;
    const Eigen::MatrixXd ends = units.cwiseInverse().asDiagonal() * body_.derivatives();
    end_.wrt_input = ends.leftCols(columns - 1);
    end_.wrt_omega = ends.col(columns - 1) + ends.rightCols(r) * start;
    end_.wrt_omega.tail(r) -= body_.v() / (body_.omega() * body_.omega());
    end_.wrt_start = ends.rightCols(2 * r) * units.asDiagonal();
    end_.force_wrt_start =
        force_of(coefficient_derivatives_.rightCols(2 * r), gap.rightCols(2 * r)) *
        units.asDiagonal();
    // What rests for good rests anywhere, and stays where it is.
    const Eigen::MatrixXd rest = directions_at_rest();
    for (Eigen::MatrixXd* end : {&end_.wrt_input, &end_.wrt_start})
      end->topRows(r) -= (rest * (rest.transpose() * end->topRows(r))).eval();
    end_.wrt_omega.head(r) -= (rest * (rest.transpose() * end_.wrt_omega.head(r))).eval();
  }
  set_reply(derivatives, gap.leftCols(columns));
  if (!with_jacobian) return;
  const Eigen::VectorXd open = body_.u() - start_u_;
  const Eigen::VectorXd slower = (body_.v() - start_v_ + body_.damping() * open) / pi;
  reply_.wrt_omega.head(r) -= slower / 2;
  for (int h = 1; h <= body_.harmonics(); ++h) {
    reply_.wrt_omega.segment((2 * h - 1) * r, r) -= slower;
    reply_.wrt_omega.segment(2 * h * r, r) += 2 * h * body_.omega() / pi * open;
  }
}

/// A body with one way to move that repeats itself only at rest is looked at where it rests.
bool SlidingBody::rest_in_place(bool with_jacobian) {
  const auto comes_to_rest = [](const Answer& answer) {
    return answer.course.comes_to_rest() || answer.course.only_moves_on();
  };
  if (!std::all_of(body_.answers().begin(), body_.answers().end(), comes_to_rest)) return false;
  const Eigen::VectorXd excitation = body_.excitation().row(0).transpose();
  const Eigen::VectorXd values = body_.grid_excitation().row(0).transpose();
  const auto place = place_of_rest({excitation, values, body_.cell()}, body_.stiffness()(0, 0),
                                   body_.at()[0], [&](double u) {
                                     RigidFriction::Limits all{0, 0};
                                     for (std::size_t j = 0; j < body_.contacts().size(); ++j) {
                                       const double c = body_.contacts().along(j)[0];
                                       RigidFriction& law = body_.contacts()[j].law;
                                       AnyState state = law.model().rest();
                                       law.model().step(state, c * u, infinity, state);
                                       const auto [back, on] = law.limits(state, c * u);
                                       all.on += c * (c > 0 ? on : back);
                                       all.back += c * (c > 0 ? back : on);
                                     }
                                     return all;
                                   });
  if (!place) return false;
  start_u_[0] = place->u;
  start_v_[0] = 0;
  if (!body_.run(start_u_, start_v_, true, with_jacobian ? body_.excitation().size() + 1 : 0))
    return false;
  sum();
  end_.at = Eigen::Vector2d(place->u, 0);
  if (!with_jacobian) {
    set_reply({}, {});
    return true;
  }
  Eigen::RowVectorXd row(body_.excitation().size());
  fourier_row(place->theta, body_.harmonics(), row);
  end_.wrt_input.setZero(2, body_.excitation().size());
  end_.wrt_input.row(0) = place->yields * row;
  end_.wrt_start.setZero(2, 2);
  end_.wrt_omega.setZero(2);
  end_.force_wrt_start.setZero(body_.excitation().size(), 2);
  // The whole motion is this place.
  Eigen::MatrixXd derivatives =
      Eigen::MatrixXd::Zero(body_.excitation().size(), body_.excitation().size() + 1);
  derivatives.row(0).head(body_.excitation().size()) = end_.wrt_input.row(0);
  set_reply(derivatives, Eigen::MatrixXd::Zero(2, derivatives.cols()));
  return true;
}

/// What disturbances meet on their way through the period.
LinearisedLoop SlidingBody::linearise(std::size_t member, const Eigen::VectorXd& /*excitation*/,
                                      int steps) {
  const SlidingCourse& course = body_.answers()[member].course;
  LinearisedLoop loop;
  loop.tangent.setZero(steps);
  loop.damping.setZero(steps);
  loop.stops = course.stops;
  for (int i = 0; i < steps; ++i) {
    const double middle = (i + 0.5) * 2 * pi / steps;
    loop.sticks.push_back(course.rests_at(middle));
    if (loop.sticks.back()) continue;
    const SlidingCourse::Slope slope = course.slope_at(middle);
    loop.tangent[i] = slope.wrt_u;
    loop.damping[i] = slope.wrt_v;
  }
  return loop;
}

/// The motion of the joints under the last two harmonics of the force; those left out are smaller still. A
/// body apart from others that it shares masses with has a force that jumps when one of these stops. A short
/// series does not follow a jump, so that joints let go too early or too late: an error in proportion to the
/// force that is left out, not to the motion under it.
double SlidingBody::truncation(const Eigen::VectorXd& excitation, double omega,
                               const Surroundings& s) {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(size(), size());
  const Eigen::MatrixXd by_function = excitation.reshaped(size(), fourier_size(body_.harmonics()));
  if (apart_) {
    const double all = by_function.rightCols(by_function.cols() - 1).norm();
    return all > 0
               ? by_function.rightCols(std::min<Eigen::Index>(4, by_function.cols() - 1)).norm() /
                     all
               : 0;
  }
  double largest = 0;
  for (int h = std::max(2, body_.harmonics() - 1); h <= body_.harmonics(); ++h) {
    const std::complex<double> rate(0, h * omega);
    const Eigen::MatrixXcd impedance =
        body_.stiffness() + rate * body_.damping() + rate * rate * one;
    Eigen::VectorXcd force = by_function.col(2 * h - 1).cast<std::complex<double>>();
    force.imag() = -by_function.col(2 * h);
    const Eigen::VectorXcd moved = dense::ComplexLu(impedance).solve(force);
    largest =
        std::max(largest, (body_.contacts().along().transpose() * moved).cwiseAbs().maxCoeff());
  }
  return largest / s.motion;
}

void SlidingBody::set_status() {
  reply_.status = body_.status();
  if (body_.status() != Status::ok) reply_.coefficients.setZero(body_.excitation().size());
  for (Answer& answer : body_.answers()) {
    if (body_.status() != Status::ok) answer.force.coefficients.setZero(body_.excitation().cols());
    answer.force.status = body_.status();
    answer.force.closed = reply_.closed;
    answer.force.drift = reply_.drift;
    answer.force.rounds = reply_.rounds;
  }
}

}  // namespace microslip::dynamics
