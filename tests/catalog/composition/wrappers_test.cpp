#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "microslip/catalog/catalog.hpp"
#include "support/message_of.hpp"
#include "support/random.hpp"

namespace microslip::catalog {
namespace wrappers_test {

using testing::message_of;

Path zigzag() { return {{}, {0.4, -0.3, 0.9, 0.1, 0.7, -2.0, 0.0, 0.05, -0.05, 1.5}, {}}; }
Path timed() {
  Path path = zigzag();
  for (std::size_t i = 0; i < path.u.size(); ++i)
    path.t.push_back(0.5 + 0.7 * static_cast<double>(i));
  return path;
}

// ------------------------------------------------------------------- grammar

TEST(Wrappers, read_their_values_from_the_text_or_from_beside) {
  const auto inside = make({"backlash(jenkins(k=2,phi=0.5), gap=0.2)", {}, {}});
  for (const char* gap : {"gap", "backlash.gap"})
    for (const char* k : {"k", "jenkins.k", "backlash.jenkins.k"}) {
      const auto beside = make({"backlash(jenkins(phi=0.5))", {{gap, 0.2}, {k, 2.0}}, {}});
      EXPECT_EQ(beside.run(zigzag()).f, inside.run(zigzag()).f) << gap << " " << k;
      EXPECT_EQ(beside.parameters(), inside.parameters());
    }
  // Name and parameters of a model are enough to make it again.
  const auto again = make({inside.description().name, inside.parameters(), inside.options()});
  EXPECT_EQ(again.description().name, "backlash(jenkins)");
  EXPECT_EQ(again.run(zigzag()).f, inside.run(zigzag()).f);
  EXPECT_EQ(inside.with({{"jenkins.k", 3.0}}).run(zigzag()).f,
            make({"backlash(jenkins(k=3,phi=0.5),gap=0.2)", {}, {}}).run(zigzag()).f);
}

TEST(Wrappers, nest_and_take_and_make_sums) {
  const auto model =
      make({"backlash(jenkins(k=2,phi=0.5)+linear(k=1),gap=0.2)"
            "+scaled(backlash(linear(k=3),gap=0.4),output_gain=2)+linear(k=9)",
            {},
            {}});
  EXPECT_EQ(model.description().name, "backlash(jenkins+linear)+scaled(backlash(linear))+linear");
  std::vector<std::string> names;
  for (const auto& info : model.description().parameters) names.push_back(info.name);
  const std::vector<std::string> expected = {"backlash.gap",
                                             "backlash.jenkins.k",
                                             "backlash.jenkins.phi",
                                             "backlash.linear.k",
                                             "scaled.input_gain",
                                             "scaled.input_offset",
                                             "scaled.output_gain",
                                             "scaled.output_offset",
                                             "scaled.backlash.gap",
                                             "scaled.backlash.linear.k",
                                             "linear.k"};
  EXPECT_EQ(names, expected);
  const auto a = make({"backlash(jenkins(k=2,phi=0.5)+linear(k=1),gap=0.2)", {}, {}}).run(zigzag());
  const auto b = make({"backlash(linear(k=3),gap=0.4)", {}, {}}).run(zigzag());
  const auto sum = model.run(zigzag());
  for (std::size_t i = 0; i < sum.f.size(); ++i)
    EXPECT_NEAR(sum.f[i], a.f[i] + 2 * b.f[i] + 9 * zigzag().u[i], 1e-14);
  const auto again = make({model.description().name, model.parameters(), model.options()});
  EXPECT_EQ(again.run(zigzag()).f, sum.f);
}

TEST(Wrappers, say_what_is_wrong) {
  EXPECT_EQ(message_of([] {
              make({"backlash", {}, {}});
            }),
            "backlash goes around a law: write backlash(jenkins(k=1,phi=0.5), gap=…)");
  EXPECT_EQ(message_of([] {
              make({"backlas(jenkins)", {}, {}});
            }),
            "unknown model 'backlas'; did you mean 'backlash'?");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins,gap=-1)", {}, {}});
            }),
            "backlash.gap = -1 must lie in [0, inf)");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins,gab=1)", {}, {}});
            }),
            "unknown parameter 'gab' for backlash; did you mean 'gap'?");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins)", {{"jenkins.phy", 1.0}}, {}});
            }),
            "unknown parameter 'jenkins.phy' for this model; did you mean 'jenkins.phi'?");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins+linear)", {{"k", 1.0}}, {}});
            }),
            "parameter 'k' belongs to several terms; write jenkins.k");
  EXPECT_EQ(message_of([] {
              make({"jenkins(linear)", {}, {}});
            }),
            "'linear' inside jenkins(…) must be written name=value");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins,linear)", {}, {}});
            }),
            "'linear' inside backlash(…) must be written name=value");
  EXPECT_EQ(message_of([] {
              make({"backlash(gap=0.1,jenkins)", {}, {}});
            }),
            "'jenkins' inside backlash(…) must be written name=value; a law inside another comes "
            "first");
  EXPECT_EQ(message_of([] {
              make({"backlash(jenkins-planar)", {}, {}});
            }),
            "backlash needs a scalar law; jenkins-planar has several directions");
  EXPECT_EQ(message_of([] {
              make({"backlash(maxwell)", {}, {}}).run(zigzag());
            }),
            "backlash(maxwell) depends on the rate: it needs the column t");
}

TEST(Wrappers, are_described_alone_and_around_a_law) {
  EXPECT_EQ(wrappers().size(), 6u);
  EXPECT_EQ(describe_model("backlash").parameters.size(), 1u);
  const auto whole = describe_model("backlash(iwan4)");
  EXPECT_EQ(whole.parameters.size(), 5u);
  EXPECT_EQ(whole.claims.dissipative.verdict, Verdict::holds);
  EXPECT_EQ(whole.claims.masing.verdict, Verdict::depends);
}

// ------------------------------------------------------------------ backlash

TEST(Backlash, carries_nothing_while_the_gap_is_crossed) {
  const auto model = make({"backlash(jenkins(k=10,phi=1),gap=0.2)", {}, {}});
  const auto history = model.run({{}, {0.05, 0.1, 0.15, 0.3, 0.25, 0.2, 0.0, -0.05, -0.15, 0}, {}});
  // Touches at 0.1 and slips at 0.2; at 0.3 the law sits at 0.2 with f = 1. Unloaded at u = 0.2
  // (law at 0.1); open until u = 0.1 − 0.1 = 0; slips down at u = −0.1; at −0.15 the law sits at
  // −0.05, and unloads to zero at u = −0.05, law at 0.05; then the gap opens up to u = 0.15.
  const std::vector<double> expected = {0, 0, 0.5, 1, 0.5, 0, 0, -0.5, -1, 0};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(history.f[i], expected[i], 1e-14) << i;
  // Slips of 0.1 and of 0.05 at the force 1.
  EXPECT_NEAR(history.energy.back(), 0.15, 1e-14);
}

TEST(Backlash, of_a_spring_is_the_dead_zone) {
  const auto model = make({"backlash(linear(k=3),gap=0.4)", {}, {}});
  const auto history = model.run(zigzag());
  for (std::size_t i = 0; i < history.f.size(); ++i) {
    const double u = zigzag().u[i];
    EXPECT_NEAR(history.f[i], 3 * std::copysign(std::max(std::abs(u) - 0.2, 0.0), u), 1e-14);
    EXPECT_NEAR(history.energy[i], 0, 1e-15);
  }
}

TEST(Backlash, without_gap_is_the_law_itself) {
  for (const std::string law : {"jenkins(k=2,phi=0.5)", "iwan4(KT=2)", "bouc(A=2,alpha=3,k=0)"}) {
    const auto plain = make({law, {}, {}}).run(zigzag());
    const auto wrapped = make({"backlash(" + law + ",gap=0)", {}, {}}).run(zigzag());
    for (std::size_t i = 0; i < plain.f.size(); ++i) {
      EXPECT_NEAR(wrapped.f[i], plain.f[i], 1e-13) << law;
      EXPECT_NEAR(wrapped.energy[i], plain.energy[i], 1e-13) << law;
    }
  }
}

TEST(Backlash, opens_at_once_where_the_force_of_a_dashpot_turns) {
  const auto model = make({"backlash(viscous(c=2),gap=0.2)", {}, {}});
  // Velocity 1 up to 0.5, then −1: contact again at u = 0.4 − 0.1 = 0.3.
  const auto history = model.run({{0, 0.5, 0.6, 0.75}, {0, 0.5, 0.4, 0.25}, {}});
  const std::vector<double> expected = {0, 2, 0, -2};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(history.f[i], expected[i], 1e-12) << i;
  EXPECT_NEAR(history.energy.back(), 2 * (0.4 + 0.05), 1e-12);  // c v × way in contact
}

// -------------------------------------------------------------------- scaled

TEST(Scaled, changes_input_and_output) {
  const auto law = make({"iwan4(KT=2)", {}, {}});
  const auto model =
      make({"scaled(iwan4(KT=2),input_gain=3,input_offset=0.2,output_gain=5,"
            "output_offset=-1)",
            {},
            {}});
  Path moved{{}, {0.2}, {}};
  for (const double u : zigzag().u) moved.u.push_back(3 * u + 0.2);
  const auto inner = law.run(moved);
  const auto outer = model.run(zigzag());
  for (std::size_t i = 0; i < outer.f.size(); ++i) {
    EXPECT_NEAR(outer.f[i], 5 * inner.f[i + 1] - 1, 1e-13);
    EXPECT_NEAR(outer.energy[i], 5.0 / 3 * (inner.energy[i + 1] - inner.energy[0]), 1e-13);
  }
}

// ------------------------------------------- what every law has to do, wrapped

const std::vector<std::string> samples = {
    "backlash(jenkins(k=2,phi=0.5),gap=0.3)",
    "backlash(iwan4(KT=2)+linear(k=0.1),gap=0.3)",
    "backlash(bouc(A=2,alpha=3,k=0.2),gap=0.3)",
    "scaled(iwan4(KT=2),input_gain=3,input_offset=0.2,output_gain=5,output_offset=-1)",
    "scaled(backlash(jenkins(k=2,phi=0.5),gap=0.3),input_gain=2)+linear(k=0.3)",
    "backlash(scaled(jenkins(k=2,phi=0.5),output_gain=2),gap=0.3)",
};
const std::vector<std::string> timed_samples = {"backlash(maxwell(k=2,c=1),gap=0.3)",
                                                "backlash(viscous(c=2)+linear(k=1),gap=0.3)",
                                                "scaled(maxwell(k=2,c=1),input_gain=2)"};

std::vector<double> random_path(std::uint64_t seed, std::size_t n) {
  testing::Rng rng(seed);
  std::vector<double> u;
  for (std::size_t i = 0; i < n; ++i) u.push_back(rng.uniform(-1.2, 1.2) * rng.log_uniform(0.1, 1));
  return u;
}

TEST(Wrapped, steps_may_be_cut_anywhere) {
  auto all = samples;
  all.insert(all.end(), timed_samples.begin(), timed_samples.end());
  for (const std::string& text : all) {
    const auto model = make({text, {}, {}});
    AnyState whole = model.rest(), fine = model.rest();
    testing::Rng rng(7);
    double before = 0, lost_whole = 0, lost_fine = 0;
    for (const double u : random_path(3, 60)) {
      const auto once = model.step(whole, u, 0.5, whole);
      lost_whole += once.dissipated;
      const double cut = rng.uniform(0.1, 0.9);
      lost_fine += model.step(fine, before + cut * (u - before), cut * 0.5, fine).dissipated;
      const auto twice = model.step(fine, u, (1 - cut) * 0.5, fine);
      lost_fine += twice.dissipated;
      ASSERT_NEAR(once.force, twice.force, 1e-11) << text;
      ASSERT_NEAR(lost_whole, lost_fine, 1e-10) << text;
      before = u;
    }
  }
}

TEST(Wrapped, work_is_stored_or_lost_and_kinks_are_told) {
  for (const std::string& text : samples) {
    const auto model = make({text, {}, {}});
    AnyState state = model.rest(), trial = model.rest();
    double u = 0;
    for (const double target : random_path(5, 40)) {
      const int d = target > u ? 1 : -1;
      while (d * (target - u) > 0) {
        const double kink = model.next_kink(state, d);
        ASSERT_GT(d * (kink - u), 0) << text;
        const double end = d * (kink - target) < 0 ? kink : target;
        // Between kinks the force is smooth: 5-point Gauss on 40 graded cells sees the work.
        double work = 0;
        const double nodes[] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683,
                                0.906179845938664};
        const double weights[] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                  0.478628670499366, 0.236926885056189};
        const auto cell_end = [](int i) { return std::pow(i / 40.0, 4); };
        for (int i = 0; i < 40; ++i)
          for (int j = 0; j < 5; ++j) {
            const double a = cell_end(i), b = cell_end(i + 1);
            const double x = 0.5 * (a + b) + 0.5 * (b - a) * nodes[j];
            work += 0.5 * (b - a) * weights[j] * (end - u) *
                    model.step(state, u + x * (end - u), 0, trial).force;
          }
        const double before = model.stored(state);
        const auto reply = model.step(state, end, 0, state);
        ASSERT_NEAR(work, model.stored(state) - before + reply.dissipated, 2e-9)
            << text << " from " << u << " to " << end;
        ASSERT_GE(reply.dissipated, -1e-13) << text;
        u = end;
      }
    }
  }
}

TEST(Wrapped, the_tangent_is_the_slope_and_dual_numbers_agree) {
  auto all = samples;
  all.insert(all.end(), timed_samples.begin(), timed_samples.end());
  for (const std::string& text : all) {
    const auto model = make({text, {}, {}});
    // One direction for the displacement, one for each of the first parameters.
    DualValues varied;
    std::vector<std::string> names;
    for (const auto& [name, value] : model.parameters()) {
      if (names.size() == 7) break;
      names.push_back(name);
      varied[name] = {WideDual(std::get<double>(value), static_cast<int>(names.size()))};
    }
    const auto dual = model.dual(varied);
    AnyState state = model.rest(), dual_state = dual.rest(), trial = model.rest();
    const auto path = random_path(9, 25);
    for (const double u : path) {
      const auto reply = model.step(state, u, 0.5, trial);
      AnyState dual_trial = dual_state;
      const auto by_dual = dual.step(dual_state, WideDual(u, 0), 0.5, dual_trial);
      ASSERT_NEAR(by_dual.force.a, reply.force, 1e-12) << text;
      ASSERT_NEAR(by_dual.force.v[0], reply.tangent, 1e-9) << text << " at " << u;
      state = trial;
      dual.step(dual_state, WideDual(u), 0.5, dual_state);
    }
    // Parameters, at the end of the path, against central differences; a kink may lie between.
    if (model.description().family == Family::rate_dependent) continue;
    const auto last = [&](const AnyModel& m) {
      AnyState s = m.rest();
      double f = 0;
      for (const double u : path) f = m.step(s, u, 0.5, s).force;
      return f;
    };
    AnyState s = dual.rest();
    WideDual f(0);
    for (const double u : path) f = dual.step(s, WideDual(u), 0.5, s).force;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const double p = std::get<double>(model.parameters().at(names[i]));
      const double h = 1e-6 * std::max(1.0, std::abs(p));
      if (model.parameters().at(names[i]) == Value(0.0)) continue;
      const double difference =
          (last(model.with({{names[i], p + h}})) - last(model.with({{names[i], p - h}}))) / (2 * h);
      ASSERT_NEAR(f.v[static_cast<Eigen::Index>(i) + 1], difference,
                  1e-6 * (1 + std::abs(difference)))
          << text << " " << names[i];
    }
  }
}

TEST(Wrapped, states_are_saved_and_loaded) {
  for (const std::string& text : samples) {
    const auto model = make({text, {}, {}});
    const Path path = zigzag();
    const auto whole = model.run(path);
    Checkpoint at = model.begin(path);
    const Path first{{}, {path.u.begin(), path.u.begin() + 4}, {}};
    const Path second{{}, {path.u.begin() + 4, path.u.end()}, {}};
    model.run(first, Drive::displacement, {}, at);
    const auto saved = model.save(at.state);
    at.state = model.load(saved);
    EXPECT_EQ(model.save(at.state), saved);
    const auto rest = model.run(second, Drive::displacement, {}, at);
    EXPECT_EQ(std::vector<double>(whole.f.begin() + 4, whole.f.end()), rest.f) << text;
    StateRecord incomplete = saved;
    incomplete.erase(incomplete.begin());
    EXPECT_THROW(model.load(incomplete), Error);
  }
}

TEST(Wrapped, are_driven_by_force) {
  const auto model = make({"backlash(jenkins(k=2,phi=0.5)+linear(k=1),gap=0.2)", {}, {}});
  const std::vector<double> forces = {0.3, 1.0, 0.4, -0.2, -0.9};
  const auto found = model.run({{}, forces, {}}, Start::virgin, Drive::force);
  ASSERT_EQ(found.status, Status::ok);
  const auto back = model.run({{}, found.u, {}});
  for (std::size_t i = 0; i < forces.size(); ++i) EXPECT_NEAR(back.f[i], forces[i], 1e-13);
}

TEST(Wrapped, records_the_states_inside) {
  const auto model = make({"backlash(jenkins(k=2,phi=0.5)+maxwell(k=1,c=1),gap=0.2)", {}, {}});
  const auto history = model.run(timed(), Start::virgin, Drive::displacement,
                                 {.tangent = true, .stored = true, .states = true});
  std::vector<std::string> names;
  for (const auto& column : history.states) {
    names.push_back(column.name);
    EXPECT_EQ(column.values.size(), timed().u.size());
  }
  EXPECT_NE(std::find(names.begin(), names.end(), "contact"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "jenkins.u"), names.end());
  EXPECT_EQ(history.tangent.size(), timed().u.size());
}

TEST(Wrapped, forward_rigid_friction) {
  // As steps find it: the force while sliding, and the limits at the place reached.
  for (const char* text :
       {"scaled(prager(k=2,phi=0.5),input_gain=2,output_gain=3,input_offset=0.1)",
        "prager(k=2,phi=0.5)+jenkins(k=3,phi=0.2)", "backlash(prager(k=2,phi=0.5),gap=0.2)",
        "backlash(prager(k=2,phi=0.5)+reid(k=1,eta=0.3),gap=0.1)+coulomb(fc=0.3)"}) {
    const auto model = make({text, {}, {}});
    ASSERT_TRUE(model.rigid()) << text;
    EXPECT_TRUE(model.description().rigid) << text;
    EXPECT_FALSE(model.rigidity().rate_dependent) << text;
    const double slow = std::numeric_limits<double>::infinity();
    AnyState state = model.rest(), to = model.rest(), scratch = model.rest();
    double from = 0;
    for (const double u : {0.3, 0.7, 0.65, 0.2, -0.4, 0.1, 0.12}) {
      const int side = u > from ? 1 : -1;
      const auto slip = model.slip(state, {side, u, side * 1.0, 0, 1}, scratch);
      const auto reply = model.step(state, u, slow, state);
      EXPECT_NEAR(slip.force, reply.force, 1e-13) << text << " at " << u;
      EXPECT_NEAR(slip.by_u, reply.tangent, 1e-12) << text << " at " << u;
      from = u;
      for (const int way : {-1, 1})
        EXPECT_NEAR(model.slip(state, {way, u, 0, 0, 1}, scratch).force,
                    model.step(state, u + way * 1e-12, slow, to).force, 1e-10)
            << text << " at " << u << " towards " << way;
    }
  }
  EXPECT_FALSE(make({"jenkins+linear", {}, {}}).rigid());
  EXPECT_FALSE(make({"coulomb", {}, {{"epsilon", 0.1}}}).rigid());
  EXPECT_FALSE(make({"reid(eta=0)", {}, {}}).rigid());
  EXPECT_TRUE(make({"coulomb+viscous(c=1)", {}, {}}).rigidity().rate_dependent);
  EXPECT_THROW(
      {
        const auto smooth = make({"jenkins", {}, {}});
        AnyState state = smooth.rest();
        smooth.slip(smooth.rest(), {}, state);
      },
      Error);
}

TEST(Wrapped, sliding_sums_ask_rate_dependent_terms_for_their_velocity) {
  // f = sgn v + (1 + 0.5 exp(−v²) − 1) + 2 v + 3 u, term by term.
  const auto model =
      make({"coulomb(fc=1)+stribeck(fc=1,fs=1.5,vs=1,delta=2,c=0)+kelvin-voigt(k=3,c=2)", {}, {}});
  AnyState state = model.rest(), scratch = model.rest();
  const auto slip = model.slip(state, {1, 0.2, 0.7, 0.1, 1}, scratch);
  const double fall = 0.5 * std::exp(-0.49);
  EXPECT_NEAR(slip.force, 1 + 1 + fall + 2 * 0.7 + 3 * 0.2, 1e-14);
  EXPECT_NEAR(slip.by_u, 3, 1e-6);
  EXPECT_NEAR(slip.by_v, -1.4 * fall + 2, 1e-14);
}

}  // namespace wrappers_test
}  // namespace microslip::catalog
