#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

#include "microslip/loops/harmonic.hpp"

namespace microslip::loops {
namespace {

using std::numbers::pi;

/// In phase, in quadrature, and the force at the tip u = A.
struct Phasor {
  double b1, a1, tip;
};

Phasor spring(double k, double A) { return {k * A, 0, k * A}; }

Phasor dashpot(double c, double omega, double A) { return {0, c * omega * A, 0}; }

/// Friction holds its value while the motion turns, so at the tip it is what it was on the way up.
Phasor friction(double fc) { return {0, 4 * fc / pi, fc}; }

Phasor operator+(const Phasor& x, const Phasor& y) {
  return {x.b1 + y.b1, x.a1 + y.a1, x.tip + y.tip};
}

/// It sticks for u from the tip down to A − 2δ, δ = φ/k.
Phasor jenkins(double k, double phi, double A) {
  const double delta = phi / k;
  if (A <= delta) return spring(k, A);
  // θ = acos(1 − 2δ/A), in a form that keeps its digits when δ ≪ A or δ → A.
  const double half = std::asin(std::sqrt(delta / A));
  const double theta = 2 * half;
  return {k * A / pi * (theta - 0.5 * std::sin(2 * theta)), 4 * phi * (A - delta) / (pi * A), phi};
}

/// Segalman's density R φ^χ on (0, φm) plus S at φm. With m = φm/A the part that has not slipped
/// gives incomplete beta functions.
Phasor iwan4(double Fs, double KT, double chi, double beta, double A) {
  const double q = beta + (chi + 1) / (chi + 2);
  const double phi_max = Fs * (1 + beta) / (KT * q);
  const double R = Fs * (chi + 1) / (std::pow(phi_max, chi + 2) * q);
  const double S = Fs / phi_max * beta / q;
  if (A <= phi_max) {
    const double power = R * std::pow(A, chi + 2);
    const double gammas = std::exp(std::lgamma(chi + 2.5) - std::lgamma(chi + 3)) / std::sqrt(pi);
    return {KT * A - 4 * power * gammas / ((chi + 1) * (chi + 3)),
            4 * power / (pi * (chi + 2) * (chi + 3)), KT * A - power / ((chi + 1) * (chi + 2))};
  }
  const double m = phi_max / A, p = chi + 2;
  const auto I = [m](double power) {
    return boost::math::beta(power + 0.5, 0.5, m);  // lower incomplete, not normalised
  };
  const double b1 = -4 / pi *
                    (KT * A * (I(1) - 2 * I(2)) -
                     R * std::pow(A, p) / ((chi + 1) * (chi + 2)) * (I(p) - 2 * I(p + 1)) -
                     2 * Fs * std::sqrt(m * (1 - m)));
  const double a1 =
      4 / (pi * A) * (A * Fs - R * std::pow(phi_max, chi + 3) / (chi + 3) - S * phi_max * phi_max);
  return {b1, a1, Fs};
}

}  // namespace

std::optional<FirstHarmonic> closed_form(const AnyModel& model, double amplitude, double omega) {
  const std::string& name = model.description().name;
  const auto value = [&](const char* parameter) {
    return std::get<double>(model.parameters().at(parameter));
  };
  const double A = amplitude;
  Phasor phasor{};
  if (name == "linear") {
    phasor = spring(value("k"), A);
  } else if (name == "viscous") {
    phasor = dashpot(value("c"), omega, A);
  } else if (name == "kelvin-voigt") {
    phasor = spring(value("k"), A) + dashpot(value("c"), omega, A);
  } else if (name == "coulomb") {
    phasor = friction(value("fc"));
  } else if (name == "coulomb-viscous") {
    phasor = friction(value("fc")) + dashpot(value("c"), omega, A);
  } else if (name == "prager") {
    phasor = spring(value("k"), A) + friction(value("phi"));
  } else if (name == "jenkins") {
    phasor = jenkins(value("k"), value("phi"), A);
  } else if (name == "iwan4") {
    phasor = iwan4(value("Fs"), value("KT"), value("chi"), value("beta"), A);
  } else {
    return {};
  }
  FirstHarmonic result;
  result.amplitude = A;
  result.omega = omega;
  result.a1 = phasor.a1;
  result.b1 = phasor.b1;
  result.energy = pi * A * phasor.a1;
  result.secant = phasor.tip / A;
  result.closed = result.closed_form = true;
  return result;
}

}  // namespace microslip::loops
