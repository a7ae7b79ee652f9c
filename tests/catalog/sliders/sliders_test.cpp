#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/sliders/sliders_setup.hpp"
#include "microslip/friction/builders.hpp"
#include "support/message_of.hpp"
#include "support/random.hpp"

/// The law `sliders` in the model contract; the solvers have their own tests.
namespace microslip::catalog {
namespace sliders_test {

using testing::message_of;

const ParameterValues random_30{{"kind", "random"}, {"n", 30.0}, {"seed", 4.0}};

Path zigzag(double size = 1) {
  Path path{{}, {0.4, -0.3, 0.9, 0.1, 0.7, -2.0, 1.1, 0.0}, {}};
  for (double& u : path.u) u *= size;
  return path;
}

TEST(Sliders, values_of_a_file_may_stand_among_the_parameters) {
  const AnyModel flat = make({"sliders", random_30, {}});
  const AnyModel sorted = make({"sliders", {}, {{"kind", "random"}, {"n", 30.0}, {"seed", 4.0}}});
  EXPECT_EQ(flat.run(zigzag()).f, sorted.run(zigzag()).f);
  EXPECT_EQ(flat.options(), sorted.options());
  // What is said as an option goes before what a file says.
  const AnyModel other = make({"sliders", random_30, {{"seed", 5.0}}});
  EXPECT_EQ(std::get<double>(other.options().at("seed")), 5.0);
}

TEST(Sliders, wrong_values_are_explained) {
  const auto with = [](const ParameterValues& values) {
    return message_of([&] { make({"sliders", values, {}}); });
  };
  EXPECT_EQ(with({{"kind", "chain"}, {"mu0", 1.0}}),
            "sliders.mu0 has no meaning for kind = chain; it belongs to iwan");
  EXPECT_EQ(with({{"kind", "matrices"}, {"mu", 1.0}}), "kind = matrices needs sliders.K");
  EXPECT_EQ(with({{"kind", "network"}}),
            "unknown choice 'network' for sliders.kind; there are: iwan, random, chain, matrices");
  EXPECT_EQ(with({{"muu", 1.0}}), "unknown parameter 'muu' for sliders; did you mean 'mu0'?");
  EXPECT_EQ(with({{"c0", 2.0}}), "sliders.c0 has no meaning for output = bx; it belongs to u-bx");
  EXPECT_EQ(with({{"n", 2.5}}), "sliders.n = 2.5 must be a whole number");
  EXPECT_EQ(with({{"n", 0.0}}), "sliders.n = 0 must lie in [1, 1e+06]");
  EXPECT_EQ(with({{"kind", "matrices"}, {"K", "no.mtx"}}),
            "cannot read 'no.mtx': it does not exist");
}

TEST(Sliders, a_fit_sees_only_what_the_system_has) {
  const auto names = [](const ParameterValues& values) {
    std::string text;
    const AnyModel model = make({"sliders", values, {}});
    for (const auto& info : model.description().parameters)
      text += info.name + (info.kind == Kind::scalar ? " " : "[] ");
    return text;
  };
  EXPECT_EQ(names({}), "mu0 ");
  EXPECT_EQ(names({{"output", "u-bx"}}), "mu0 c0 ");
  EXPECT_EQ(names({{"kind", "chain"}}), "k mu ");
  EXPECT_EQ(names({{"kind", "random"}}), "");
  EXPECT_EQ(names({{"kind", "chain"}, {"n", 2.0}, {"mu", std::vector<double>{1, 2}}}), "k mu[] ");
}

TEST(Sliders, iwan_is_a_masing_stack) {
  // n Jenkins elements of stiffness 1/n and slip forces j mu0/n, summed: the law `masing`.
  const int n = 40;
  const double mu0 = 0.02;
  std::vector<double> k(n, 1.0 / n), phi(n);
  for (int j = 0; j < n; ++j) phi[std::size_t(j)] = (j + 1) * mu0 / n;
  const AnyModel iwan =
      make({"sliders", {{"mu0", mu0}}, {{"kind", "iwan"}, {"n", double(n)}, {"output", "u-bx"}}});
  const AnyModel masing = make({"masing", {{"k", k}, {"phi", phi}}, {}});
  // 0.613: no row falls on a kink, where the two one-sided tangents differ.
  const Record all{true, true, false};
  const History a = iwan.run(zigzag(0.613), Start::virgin, Drive::displacement, all);
  const History b = masing.run(zigzag(0.613), Start::virgin, Drive::displacement, all);
  for (std::size_t i = 0; i < a.f.size(); ++i) {
    EXPECT_NEAR(a.f[i], b.f[i], 1e-14);
    EXPECT_NEAR(a.energy[i], b.energy[i], 1e-14);
    EXPECT_NEAR(a.tangent[i], b.tangent[i], 1e-13);
    EXPECT_NEAR(a.stored[i], b.stored[i], 1e-14);
  }
  EXPECT_EQ(iwan.description().driven, Driven::displacement);
  EXPECT_EQ(make({"sliders", {}, {}}).description().driven, Driven::force);
}

TEST(Sliders, a_history_goes_on_from_a_saved_state) {
  for (const char* kind : {"random", "iwan", "chain"}) {
    for (const char* method : {"event", "active-set", "lemke"}) {
      const AnyModel model =
          make({"sliders", {}, {{"kind", kind}, {"n", 12.0}, {"method", method}}});
      const Path whole = zigzag(std::string(kind) == "random" ? 1 : 0.4);
      const Path head{{}, {whole.u.begin(), whole.u.begin() + 5}, {}};
      const Path tail{{}, {whole.u.begin() + 5, whole.u.end()}, {}};
      Checkpoint at = model.begin(whole);
      model.run(head, Drive::displacement, {}, at);
      at.state = model.load(model.save(at.state));
      const History rest = model.run(tail, Drive::displacement, {}, at);
      const History once = model.run(whole);
      EXPECT_NEAR(rest.f.back(), once.f.back(), 1e-12) << kind << ' ' << method;
      EXPECT_NEAR(rest.energy.back(), once.energy.back(), 1e-12) << kind << ' ' << method;
    }
  }
}

TEST(Sliders, states_of_another_system_are_refused) {
  const AnyModel small = make({"sliders", {}, {{"n", 3.0}}});
  const AnyModel large = make({"sliders", {}, {{"n", 4.0}}});
  EXPECT_EQ(message_of([&] { large.load(small.save(small.rest())); }),
            "state 'x' of sliders has 3 numbers; this system needs 4");
}

TEST(Sliders, single_steps_equal_the_history) {
  const AnyModel model = make({"sliders", random_30, {}});
  const History whole = model.run(zigzag());
  AnyState state = model.rest();
  double energy = 0;
  for (std::size_t i = 0; i < whole.f.size(); ++i) {
    const auto reply = model.step(state, zigzag().u[i], 0, state);
    energy += reply.dissipated;
    EXPECT_NEAR(reply.force, whole.f[i], 1e-11);
    EXPECT_NEAR(energy, whole.energy[i], 1e-11);
  }
}

TEST(Sliders, driven_by_its_answer_it_finds_the_load) {
  const AnyModel model = make({"sliders", random_30, {}});
  const History by_load = model.run(zigzag());
  const History back = model.run({{}, by_load.f, {}}, Start::virgin, Drive::force);
  ASSERT_EQ(back.status, Status::ok);
  for (std::size_t i = 0; i < back.f.size(); ++i) EXPECT_NEAR(back.f[i], by_load.f[i], 1e-9);
}

TEST(Sliders, a_loose_chain_ends_the_history_and_says_why) {
  const AnyModel chain = make({"sliders", {{"mu", 0.1}}, {{"kind", "chain"}, {"n", 5.0}}});
  Checkpoint at = chain.begin({});
  const History history = chain.run({{}, {0.1, 0.2, 0.3}, {}}, Drive::displacement, {}, at);
  EXPECT_EQ(history.status, Status::macroslip);  // 5 · 0.1 = 2 · 0.25
  EXPECT_EQ(history.f.size(), 2u);
  EXPECT_TRUE(history.reason.starts_with("sliders 1–5 slide as a whole")) << history.reason;
  EXPECT_EQ(chain.save(at.state).at("u").front(), 0.2);  // the last good row
}

// ---------------------------------------------------------------------- claims

TEST(SlidersClaims, odd_and_dissipative) {
  testing::Rng rng(testing::base_seed());
  for (const double seed : {1.0, 2.0, 3.0}) {
    const AnyModel model = make({"sliders", {}, {{"kind", "random"}, {"n", 20.0}, {"seed", seed}}});
    Path path, mirrored;
    for (int i = 0; i < 40; ++i) {
      path.u.push_back(rng.uniform(-1.5, 1.5));
      mirrored.u.push_back(-path.u.back());
    }
    const History one = model.run(path), other = model.run(mirrored);
    for (std::size_t i = 0; i < one.f.size(); ++i) {
      EXPECT_EQ(one.f[i], -other.f[i]);
      EXPECT_GE(one.energy[i], i == 0 ? 0 : one.energy[i - 1]);
    }
  }
}

/// How much the answer misses when a minor excursion returns to where it left.
double miss(const AnyModel& model, double size) {
  const History h = model.run({{}, {size, -size, 0.5 * size, -0.7 * size, 0.5 * size}, {}});
  return std::abs(h.f[4] - h.f[2]) / std::abs(h.f[0]);
}

TEST(SlidersClaims, minor_loops_close_for_networks_pulled_one_way_and_not_in_general) {
  EXPECT_LT(miss(make({"sliders", {}, {{"kind", "iwan"}}}), 1), 1e-14);
  EXPECT_LT(miss(make({"sliders", {{"mu", 0.1}}, {{"kind", "chain"}, {"n", 40.0}}}), 1.5), 1e-13);
  const AnyModel random = make({"sliders", {}, {{"kind", "random"}, {"n", 40.0}}});
  EXPECT_GT(std::max({miss(random, 0.5), miss(random, 1), miss(random, 1.5)}), 1e-3);
}

TEST(SlidersClaims, branches_are_the_doubled_backbone_only_for_diagonal_stiffness) {
  // f(u_r − 2 h) = f_r − 2 g(h) with g the virgin curve.
  const auto defect = [](const AnyModel& model, double size) {
    const double virgin = model.run({{}, {0.6 * size}, {}}).f[0];
    const History h = model.run({{}, {size, size - 1.2 * size}, {}});
    return std::abs(h.f[1] - (h.f[0] - 2 * virgin)) / std::abs(h.f[0]);
  };
  EXPECT_LT(defect(make({"sliders", {}, {{"kind", "iwan"}}}), 0.8), 1e-13);
  EXPECT_GT(defect(make({"sliders", {}, {{"kind", "random"}, {"n", 40.0}}}), 1), 1e-3);
}

TEST(SlidersClaims, bounded_when_the_springs_give_way) {
  // Iwan: bᵀK⁻¹b = 1.
  const OptionValues iwan{{"kind", "iwan"}, {"output", "u-bx"}};
  const History level = make({"sliders", {{"c0", 1.0}}, iwan}).run({{}, {5, 50}, {}});
  EXPECT_NEAR(level.f[0], level.f[1], 1e-12);
  const History rising = make({"sliders", {{"c0", 1.1}}, iwan}).run({{}, {5, 50}, {}});
  EXPECT_NEAR(rising.f[1] - rising.f[0], 4.5, 1e-12);
}

TEST(Sliders, derivatives_come_from_differences) {
  const AnyModel model =
      make({"sliders", {{"mu0", 0.02}}, {{"kind", "iwan"}, {"n", 50.0}, {"output", "u-bx"}}});
  // On the virgin curve f = u − Σ(u − j mu0)₊/n: ∂f/∂mu0 = Σ j/n over the slipping ones.
  const double u = 0.55;
  const AnyDualModel dual = model.dual({{"mu0", {WideDual(0.02, 0)}}});
  AnyState state = dual.rest();
  const std::vector<WideDual> path{WideDual(u, 1)};
  std::vector<WideDual> f(1);
  ASSERT_EQ(dual.run({}, path, state, f), Status::ok);
  EXPECT_NEAR(f[0].a, model.run({{}, {u}, {}}).f[0], 1e-15);
  EXPECT_NEAR(f[0].v[0], 27 * 28 / 2.0 / 50, 1e-6);  // 27 mu0 < u < 28 mu0
  EXPECT_NEAR(f[0].v[1], 1 - 27.0 / 50, 1e-6);       // df/du
}

TEST(Sliders, derivatives_by_the_motion_do_not_depend_on_its_size) {
  // The step of the differences used to be a length of its own, 6e-6.
  for (const double size : {1.0, 1e-9, 1e9}) {
    const AnyModel model = make(
        {"sliders", {{"mu0", 0.09 * size}}, {{"kind", "iwan"}, {"n", 5.0}, {"output", "u-bx"}}});
    const AnyDualModel dual = model.dual({});
    AnyState state = dual.rest(), plain = model.rest();
    for (const double u : {0.3, 0.55, 0.7}) {
      const auto reply = dual.step(state, WideDual(u * size, 0), 0, state);
      const auto tangent = model.step(plain, u * size, 0, plain).tangent;
      EXPECT_NEAR(reply.force.v[0], tangent, 1e-6) << size << " at " << u;
    }
  }
}

// --------------------------------------------------------------- friction that changes in time

const ParameterValues one_slider{
    {"kind", "matrices"}, {"K", 2.0}, {"mu", 0.5}, {"b", std::vector<double>{1.0}}};

TEST(SlidersInTime, a_formula_and_rows_of_it_agree) {
  ParameterValues formula = one_slider, rows = one_slider;
  formula["mu_factor"] = std::string("1.5-t/4");
  rows["mu_factor"] = Matrix<double>((Matrix<double>(2, 2) << 0, 1.5, 4, 0.5).finished());
  const Path path{{0, 1, 4}, {0.5, 0.5, 0.5}, {}};
  const AnyModel one = make({"sliders", formula, {}}), other = make({"sliders", rows, {}});
  EXPECT_TRUE(one.rate_dependent());
  const History a = one.run(path), b = other.run(path);
  EXPECT_EQ(a.f, b.f);
  EXPECT_EQ(a.energy, b.energy);
  // K x = f − γμ and ∫ γμ dx between γ = 1 and 0.5.
  EXPECT_NEAR(a.f[2], 0.125, 1e-15);
  EXPECT_NEAR(a.energy[2], 0.25 / 2 * (1 - 0.25) / 2, 1e-15);
  // Steps with their durations are the same history.
  AnyState state = one.rest();
  double energy = 0;
  for (const auto& [u, dt] : {std::pair{0.5, 0.0}, {0.5, 1.0}, {0.5, 3.0}})
    energy += one.step(state, u, dt, state).dissipated;
  EXPECT_NEAR(energy, a.energy[2], 1e-15);
  // A fit does not see the factor.
  for (const auto& info : other.description().parameters) EXPECT_NE(info.name, "mu_factor");
}

TEST(SlidersInTime, a_history_goes_on_from_its_factor) {
  ParameterValues values = random_30;
  values["mu_factor"] = std::string("1+0.4*sin(3*t)");
  const AnyModel model = make({"sliders", values, {}});
  Path path;
  for (int i = 0; i <= 60; ++i) {
    path.t.push_back(0.1 * i);
    path.u.push_back(1.3 * std::sin(0.13 * i) + 0.2 * std::cos(i));
  }
  const History whole = model.run(path);
  ASSERT_EQ(whole.f.size(), path.u.size());
  Path first, second;
  for (std::size_t i = 0; i < path.u.size(); ++i) {
    (i < 25 ? first : second).t.push_back(path.t[i]);
    (i < 25 ? first : second).u.push_back(path.u[i]);
  }
  Checkpoint at = model.begin(first);
  model.run(first, Drive::displacement, {}, at);
  at.state = model.load(model.save(at.state));
  const History rest = model.run(second, Drive::displacement, {}, at);
  EXPECT_NEAR(rest.f.back(), whole.f.back(), 1e-10);
  EXPECT_NEAR(rest.energy.back(), whole.energy.back(), 1e-10 * whole.energy.back());
  // Without its factor the state is not complete.
  const AnyModel constant = make({"sliders", random_30, {}});
  const AnyState state = at.state;
  EXPECT_NE(message_of([&] { constant.load(model.save(state)); }).find("only with mu_factor"),
            std::string::npos);
}

TEST(SlidersInTime, a_force_is_found_where_the_answer_is_one) {
  ParameterValues values{{"kind", "iwan"},
                         {"n", 20.0},
                         {"output", "u-bx"},
                         {"mu0", 0.02},
                         {"mu_factor", std::string("1+0.4*sin(3*t)")}};
  const AnyModel model = make({"sliders", values, {}});
  Path path;
  for (int i = 0; i <= 30; ++i) {
    path.t.push_back(0.1 * i);
    path.u.push_back(0.004 * std::sin(0.3 * i));
  }
  const History driven = model.run(path, Start::virgin, Drive::force);
  ASSERT_EQ(driven.status, Status::ok);
  const History back = model.run({path.t, driven.u, {}});
  for (std::size_t i = 0; i < path.u.size(); ++i) EXPECT_NEAR(back.f[i], path.u[i], 1e-12);
}

TEST(SlidersInTime, wrong_factors_are_explained) {
  const auto with = [](const Value& factor, const OptionValues& options = {}) {
    ParameterValues values = one_slider;
    values["mu_factor"] = factor;
    return message_of([&] {
      const AnyModel model = make({"sliders", values, options});
      model.run({{0, 1}, {0, 1}, {}});
    });
  };
  EXPECT_NE(with(std::string("1+x")).find("sliders.mu_factor: "), std::string::npos);
  EXPECT_EQ(with(std::vector<double>{1, 2}),
            "sliders.mu_factor must be a formula of t or rows [t, factor]");
  EXPECT_EQ(with(Matrix<double>((Matrix<double>(2, 2) << 0, 1, 1, -1).finished())),
            "sliders.mu_factor, row 2: the factor -1 must be finite and not negative");
  EXPECT_NE(with(std::string("1+t"), {{"method", "regularised"}}).find("does not go with method"),
            std::string::npos);
  ParameterValues values = one_slider;
  values["mu_factor"] = std::string("1-2*t");
  const AnyModel model = make({"sliders", values, {}});
  const History h = model.run({{0, 1}, {0, 0.1}, {}});
  EXPECT_EQ(h.status, Status::undefined);
  EXPECT_EQ(h.f.size(), 1u);
  EXPECT_NE(h.reason.find("it must not be negative"), std::string::npos);
  EXPECT_NE(message_of([&] {
              model.run({{}, {0, 0.1}, {}});
            }).find("needs the column t"),
            std::string::npos);
}

// ------------------------------------------------------------------------- chains that are held

TEST(SlidersChain, held_by_springs_goes_on_beyond_macroslip) {
  // Springs k0 at both ends and n μ of friction: all slip from the force n μ on, which then stays.
  const AnyModel held = make({"sliders",
                              {{"k", 3.0}, {"mu", 0.1}, {"k0", 0.5}},
                              {{"kind", "chain"}, {"n", 10.0}, {"output", "u-bx"}}});
  const History h = held.run({{}, {0.1, 20, 30, -30}, {}});
  ASSERT_EQ(h.status, Status::ok);
  EXPECT_NEAR(h.f[0], 2 * 0.5 * 0.1, 1e-15);  // nobody slips: both springs
  EXPECT_NEAR(h.f[1], 1, 1e-12);
  EXPECT_NEAR(h.f[2], 1, 1e-12);
  EXPECT_NEAR(h.f[3], -1, 1e-12);
  EXPECT_NEAR(h.energy[2] - h.energy[1], 10, 1e-11);  // force 1 over the way 10
  // The same system from its matrices.
  Matrix<double> K = Matrix<double>::Zero(10, 10);
  for (int i = 0; i < 9; ++i) {
    K(i, i) += 3;
    K(i + 1, i + 1) += 3;
    K(i, i + 1) = K(i + 1, i) = -3;
  }
  K(0, 0) += 0.5;
  K(9, 9) += 0.5;
  std::vector<double> b(10, 0.0);
  b.front() = b.back() = 0.5;
  const AnyModel matrices = make({"sliders",
                                  {{"K", K}, {"mu", 0.1}, {"b", b}, {"c0", 1.0}},
                                  {{"kind", "matrices"}, {"output", "u-bx"}}});
  const Path path{{}, {0.7, 1.9, 1.1, 6, -2, 9}, {}};
  const History one = held.run(path), other = matrices.run(path);
  for (std::size_t i = 0; i < path.u.size(); ++i) EXPECT_NEAR(one.f[i], other.f[i], 1e-13);
  const auto message = [](const ParameterValues& values, const OptionValues& options) {
    return message_of([&] { make({"sliders", values, options}); });
  };
  EXPECT_EQ(message({{"k0", 1.0}}, {{"kind", "chain"}}),
            "sliders.k0 has no meaning for output = bx; it belongs to u-bx");
  EXPECT_EQ(message({{"k0", 1.0}, {"c0", 1.0}}, {{"kind", "chain"}, {"output", "u-bx"}}),
            "sliders.c0 follows from sliders.k0: give one of them");
}

TEST(SlidersChain, friction_is_spread_as_asked) {
  const auto chain = [](const OptionValues& more, const Value& mu = 2.0) {
    OptionValues options{{"kind", "chain"}, {"n", 6.0}};
    for (const auto& [name, value] : more) options[name] = value;
    return friction::Vector(make_sliders_setup({{"mu", mu}}, options).system->mu());
  };
  const auto power = chain({{"distribution", "power"}, {"exponent", 2.0}});
  EXPECT_NEAR(power.sum(), 12, 1e-14);  // the mean is mu
  EXPECT_NEAR(power[1] / power[0], 9, 1e-13);
  EXPECT_NEAR(power[2] / power[0], 25, 1e-13);
  EXPECT_NEAR(power[5], power[0], 1e-15);
  const auto linear = chain({{"distribution", "linear"}});
  EXPECT_NEAR(linear[2] / linear[0], 5, 1e-14);
  EXPECT_NE(message_of([&] {
              chain({{"distribution", "linear"}}, std::vector<double>{1, 2, 3, 3, 2, 1});
            }).find("spreads one mu"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              make({"sliders", {}, {{"kind", "iwan"}, {"distribution", "linear"}}});
            }).find("belongs to chain"),
            std::string::npos);
}

}  // namespace sliders_test
}  // namespace microslip::catalog
