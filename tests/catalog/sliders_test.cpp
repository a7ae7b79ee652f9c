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
namespace {

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

}  // namespace
}  // namespace microslip::catalog
