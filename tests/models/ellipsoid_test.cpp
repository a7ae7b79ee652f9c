#include "microslip/models/ellipsoid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "microslip/core/any_dual_model.hpp"
#include "microslip/models/m_state.hpp"

namespace microslip {
namespace ellipsoid_test {

using Law = Ellipsoid<double>;
using Params = Law::Params;

Matrix<double> symmetric(std::initializer_list<double> upper_rows, Eigen::Index m) {
  Matrix<double> matrix(m, m);
  auto next = upper_rows.begin();
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = i; j < m; ++j) matrix(i, j) = matrix(j, i) = *next++;
  return matrix;
}

// Thesis, eqs (2.23)–(2.25).
Params six_state() {
  Params p;
  p.A = symmetric({69.7660, -16.7609, 5.0974, -0.4140, 6.0795,  0.0735,  54.7643,
                   21.1285, -11.5050, 9.9094, 1.1897,  53.1705, 29.9240, -1.0899,
                   1.6273,  60.6932,  0.2900, -1.1642, 79.8739, 0.7324,  83.5902},
                  6);
  p.K = symmetric({0.3887,  0.5313,  -0.1284, 0.0080,  -0.0117, 0.0328,  1.2884,
                   -0.5771, -0.0405, -0.3183, 0.0362,  1.3397,  -0.9649, 0.1496,
                   0.0970,  1.4136,  0.2534,  -0.1983, 1.1416,  -0.2764, 1.1035},
                  6);
  p.b = {-25.6657, -25.5468, 8.7604, -0.9557, 1.6718, 0.1085};
  return p;
}

Params random_params(Eigen::Index m, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto spd = [&] {
    Matrix<double> B(m, m);
    for (Eigen::Index i = 0; i < B.size(); ++i) B.data()[i] = normal(random);
    return Matrix<double>(B * B.transpose() + 0.5 * Matrix<double>::Identity(m, m));
  };
  Params p;
  p.A = spd();
  p.K = spd();
  p.b.clear();
  for (Eigen::Index i = 0; i < m; ++i) p.b.push_back(normal(random));
  return p;
}

// Computed apart from this code, ten digits.
TEST(CanonicalForm, of_the_six_state_model) {
  const Params p = six_state();
  const CanonicalForm form =
      canonical_form("test", p.A, p.K, Eigen::Map<const Eigen::VectorXd>(p.b.data(), 6));
  const double lambda[] = {4.0421049754,   31.5225683703,  69.3239054589,
                           102.7715323539, 316.4429618726, 1113.8378031746};
  const double b[] = {15.9591139326, 17.4553640980, 12.6317783546,
                      10.9502149814, 17.9573181542, 30.1967364039};
  for (Eigen::Index i = 0; i < 6; ++i) {
    EXPECT_NEAR(form.lambda[i], lambda[i], 1e-8);
    EXPECT_NEAR(form.b[i], b[i], 1e-8);
  }
}

// (Σ b²/λ)^{−1/2}, Σ b², √(Σ λ b²) in canonical form.
TEST(Ellipsoid, six_state_model_yields_and_saturates) {
  const Law law(six_state());
  auto s = law.rest();
  EXPECT_NEAR(law.next_kink(s, 1), 0.113240816219, 1e-11);
  EXPECT_EQ(law.step(s, 0.113, s).force, 0);  // no slip, no displacement
  const auto far = law.step(s, 1000, s);
  EXPECT_NEAR(far.tangent, 2073.1602505855, 1e-6);
  EXPECT_NEAR(far.force, 2073.1602505855 * 1000 - 1073.1754489093, 1e-5);
}

// The first turning points of load case 2 of Table 2.1, sin t + 0.4 sin 4.16753 t, by an
// independent program whose error is about 3e-6.
TEST(Ellipsoid, six_state_model_follows_a_minor_loop) {
  const Law law(six_state());
  auto s = law.rest();
  for (const auto& [load, xi] : {std::pair{0.8282145342, 772.430508},
                                 {0.4896104446, 700.022625},
                                 {1.3572162978, 1757.410172},
                                 {0.0214180747, 735.056315},
                                 {0.2239342499, 754.757920}})
    EXPECT_NEAR(law.step(s, load, s).force, xi, 1e-4);
}

TEST(Ellipsoid, in_canonical_form_is_the_m_state_law) {
  Params p;
  p.A = Eigen::Vector3d(0.1, 0.5, 2).asDiagonal();
  p.K = 1.5 * Matrix<double>::Identity(3, 3);
  p.b = {0.4, -0.6, 0.8};
  p.c0 = 1.3;
  const Law law(p, {.output = Law::Output::u_bq});
  EXPECT_EQ(law.driven(), Driven::displacement);
  const MState<double> m_state(
      {.a = {0.1, 0.5, 2}, .alpha = 1.5, .b = {0.4, -0.6, 0.8}, .ks = 0.3});
  auto s = law.rest();
  auto t = m_state.rest();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> anywhere(-5, 5);
  for (int i = 0; i < 200; ++i) {
    const double u = anywhere(random);
    const auto reply = law.step(s, u, s);
    const auto expected = m_state.step(t, u, t);
    ASSERT_NEAR(reply.force, expected.force, 1e-12);
    ASSERT_NEAR(reply.tangent, expected.tangent, 1e-12);
    ASSERT_NEAR(reply.dissipated, expected.dissipated, 1e-12);
    ASSERT_NEAR(law.stored(s), m_state.stored(t), 1e-12);
  }
}

// The two outputs are two readings of the same slip.
TEST(Ellipsoid, outputs_belong_together) {
  const Params p = random_params(4, 2);
  const Law slip(p), force(p, {.output = Law::Output::u_bq});
  EXPECT_EQ(slip.driven(), Driven::force);
  auto s = slip.rest();
  auto t = force.rest();
  for (const double u : {1., 4., -2., 0.5, 8., -8.})
    EXPECT_NEAR(slip.step(s, u, s).force, p.c0 * u - force.step(t, u, t).force, 1e-11);
}

/// An element of A, K or b.
struct Element {
  char of;
  int i, j;
};

/// ξ at the end of a path with minor loops, with these elements moved or seeded.
template <class Real>
Real end_of_path(const Params& values, const std::vector<std::pair<Element, Real>>& changes) {
  typename Ellipsoid<Real>::Params p;
  p.A = values.A.cast<Real>();
  p.K = values.K.cast<Real>();
  p.b.clear();
  for (const double b : values.b) p.b.emplace_back(b);
  for (const auto& [element, change] : changes) {
    const auto& [of, i, j] = element;
    if (of == 'b') {
      p.b[static_cast<std::size_t>(i)] += change;
    } else {
      auto& matrix = of == 'A' ? p.A : p.K;
      matrix(i, j) += change;
      if (i != j) matrix(j, i) += change;
    }
  }
  const Ellipsoid<Real> law(p);
  auto s = law.rest();
  for (const double load : {1.5, 0.3, 2.5, -3.0, -1.0, -2.0, 1.0, 3.5})
    law.step(s, Real(2 * load), s);
  return s.f;
}

TEST(Ellipsoid, derivatives_with_respect_to_the_matrices) {
  std::vector<Element> elements;
  for (const char of : {'A', 'K', 'b'})
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= (of == 'b' ? 0 : i); ++j) elements.push_back({of, i, j});
  ASSERT_EQ(elements.size(), 15u);
  Params repeated = random_params(3, 3);
  repeated.A = repeated.K;  // all λ equal: the derivatives of eigenvectors do not exist
  for (const Params& p : {random_params(3, 4), repeated})
    for (std::size_t first = 0; first < elements.size(); first += dual_width) {
      const std::size_t count = std::min<std::size_t>(dual_width, elements.size() - first);
      std::vector<std::pair<Element, WideDual>> seeds;
      for (std::size_t k = 0; k < count; ++k)
        seeds.push_back({elements[first + k], WideDual(0, static_cast<int>(k))});
      const WideDual by_dual = end_of_path(p, seeds);
      for (std::size_t k = 0; k < count; ++k) {
        const Element& e = elements[first + k];
        const auto moved = [&](double h) { return end_of_path<double>(p, {{e, h}}); };
        const double h = 1e-5, expected = (moved(h) - moved(-h)) / (2 * h);
        const double found = by_dual.v[static_cast<Eigen::Index>(k)];
        EXPECT_NEAR(found, expected, 1e-7 * (1 + std::abs(found)))
            << e.of << "(" << e.i << ", " << e.j << ")";
      }
    }
}

TEST(Ellipsoid, refuses_matrices_that_are_none) {
  const auto message = [](const Params& p) -> std::string {
    try {
      Law{p};
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  Params p;
  p.b = {1, 2, 3};
  EXPECT_EQ(message(p), "ellipsoid.A is 2 × 2; with 3 states it must be 3 × 3");
  p = {};
  p.K(0, 1) = 0.5;
  EXPECT_EQ(message(p),
            "ellipsoid.K must be symmetric; its elements (2, 1) = 0.3 and (1, 2) = 0.5 differ");
  p = {};
  p.A(0, 1) = p.A(1, 0) = 2;
  EXPECT_NE(message(p).find("ellipsoid.A must be positive definite; its smallest eigenvalue is -1"),
            std::string::npos)
      << message(p);
  p = {};
  p.b = {0, 0};
  EXPECT_EQ(message(p), "ellipsoid.b = 0 must have an element different from 0");
}

}  // namespace ellipsoid_test
}  // namespace microslip
