#include "microslip/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/message_of.hpp"

namespace microslip::catalog {
namespace catalog_test {

using testing::message_of;

Path zigzag() { return {{}, {0.4, -0.3, 0.9, 0.1, 0.7, -2.0, 0.0}, {}}; }

TEST(Catalog, finds_a_law_by_name) { EXPECT_EQ(find_law("iwan4").description.name, "iwan4"); }

TEST(Catalog, unknown_names_say_what_is_near) {
  EXPECT_EQ(message_of([] { find_law("jenkin"); }),
            "unknown model 'jenkin'; did you mean 'jenkins'?");
  EXPECT_EQ(message_of([] {
              make({"iwan4", {{"kt", 1.0}}, {}});
            }),
            "unknown parameter 'kt' for iwan4; did you mean 'KT'?");
  EXPECT_EQ(message_of([] {
              make({"iwan4(kt=1)", {}, {}});
            }),
            "unknown parameter 'kt' for iwan4; did you mean 'KT'?");
}

TEST(Catalog, an_option_among_the_parameters_is_called_one) {
  EXPECT_EQ(message_of([] {
              make({"two-state", {{"tolerance", 1e-6}}, {}});
            }),
            "'tolerance' is an option of two-state, not a parameter; in a file it stands under "
            "'options'");
}

TEST(Catalog, bounds_are_stated) {
  EXPECT_EQ(message_of([] {
              make({"iwan4", {{"chi", -1.2}}, {}});
            }),
            "iwan4.chi = -1.2 must lie in (-1, 0]");
}

TEST(Catalog, values_in_brackets_and_beside_them_mean_the_same) {
  const auto inside = make({"jenkins(k=2, phi=0.5)", {}, {}}).run(zigzag());
  const auto beside = make({"jenkins", {{"k", 2.0}, {"phi", 0.5}}, {}}).run(zigzag());
  EXPECT_EQ(inside.f, beside.f);
  EXPECT_EQ(inside.energy, beside.energy);
}

TEST(Catalog, parameters_beside_override_those_in_brackets) {
  const auto model = make({"jenkins(k=2,phi=0.5)", {{"phi", 0.25}}, {}});
  EXPECT_EQ(std::get<double>(model.parameters().at("phi")), 0.25);
  EXPECT_EQ(std::get<double>(model.parameters().at("k")), 2.0);
}

TEST(Catalog, a_sum_is_the_sum_of_its_terms) {
  const auto sum = make({"jenkins(k=2,phi=0.5)+iwan4(KT=3)+jenkins(k=1,phi=9)", {}, {}});
  const auto one = make({"jenkins(k=2,phi=0.5)", {}, {}});
  const auto two = make({"iwan4(KT=3)", {}, {}});
  const auto three = make({"jenkins(k=1,phi=9)", {}, {}});
  const Record all{true, true, true};
  const auto s = sum.run(zigzag(), Start::virgin, Drive::displacement, all);
  const auto a = one.run(zigzag(), Start::virgin, Drive::displacement, all);
  const auto b = two.run(zigzag(), Start::virgin, Drive::displacement, all);
  const auto c = three.run(zigzag(), Start::virgin, Drive::displacement, all);
  for (std::size_t i = 0; i < s.f.size(); ++i) {
    EXPECT_EQ(s.f[i], a.f[i] + b.f[i] + c.f[i]);
    EXPECT_EQ(s.energy[i], a.energy[i] + b.energy[i] + c.energy[i]);
    EXPECT_EQ(s.stored[i], a.stored[i] + b.stored[i] + c.stored[i]);
    EXPECT_EQ(s.tangent[i], a.tangent[i] + b.tangent[i] + c.tangent[i]);
  }
  EXPECT_EQ(s.states.front().name, "iwan4.lost");  // jenkins has no state but u and f
  EXPECT_EQ(std::get<double>(sum.parameters().at("jenkins2.phi")), 9.0);
}

TEST(Catalog, a_sum_continues_from_its_saved_state) {
  const auto sum = make({"jenkins(phi=0.5)+iwan4", {}, {}});
  const Path whole = zigzag();
  const Path head{{}, {whole.u.begin(), whole.u.begin() + 3}, {}};
  const Path tail{{}, {whole.u.begin() + 3, whole.u.end()}, {}};
  Checkpoint at = sum.begin(whole);
  sum.run(head, Drive::displacement, {}, at);
  at.state = sum.load(sum.save(at.state));
  const auto rest = sum.run(tail, Drive::displacement, {}, at);
  const auto once = sum.run(whole);
  EXPECT_EQ(rest.f, std::vector<double>(once.f.begin() + 3, once.f.end()));
  EXPECT_NEAR(rest.energy.back(), once.energy.back(), 1e-15);  // sums in another order
}

TEST(Catalog, a_sum_driven_by_force_follows_its_own_forces) {
  const auto sum = make({"jenkins(phi=0.5)+jenkins(k=0.1,phi=100)", {}, {}});
  const auto by_displacement = sum.run(zigzag());
  const auto back = sum.run({{}, by_displacement.f, {}}, Start::virgin, Drive::force);
  ASSERT_EQ(back.status, Status::ok);
  for (std::size_t i = 0; i < back.u.size(); ++i) EXPECT_NEAR(back.u[i], zigzag().u[i], 1e-13);
}

TEST(Catalog, a_force_the_law_cannot_carry_ends_the_history) {
  const auto law = make({"jenkins(phi=0.5)", {}, {}});
  const auto history = law.run({{}, {0.2, 0.49, 0.6}, {}}, Start::virgin, Drive::force);
  EXPECT_EQ(history.status, Status::unreachable);
  EXPECT_EQ(history.f.size(), 2u);
  EXPECT_EQ(history.u.size(), 2u);
}

// Dry friction carries any force below its limit without moving.
TEST(Catalog, a_force_within_a_jump_holds_still) {
  const auto run = [](const char* model) {
    const std::vector<double> t{0, 1, 2, 3, 4};
    return make({model, {}, {}})
        .run({t, {0.3, 0.6, -0.9, 1.5, 0.2}, {}}, Start::virgin, Drive::force);
  };
  // Beyond the limit 1 the spring or dashpot of 1 beside the friction carries the rest.
  for (const char* model : {"coulomb(fc=1)+linear(k=1)", "coulomb-viscous(fc=1,c=1)"}) {
    const auto history = run(model);
    ASSERT_EQ(history.status, Status::ok) << model;
    EXPECT_EQ(history.f, (std::vector<double>{0.3, 0.6, -0.9, 1.5, 0.2})) << model;
    for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(history.u[row], 0) << model;
    EXPECT_NEAR(history.u[3], 0.5, 1e-14) << model;
    EXPECT_EQ(history.u[4], history.u[3]) << model;
  }
}

TEST(Catalog, a_bare_name_in_a_sum_must_be_unambiguous) {
  EXPECT_NO_THROW(make({"jenkins+iwan4", {{"phi", 2.0}, {"KT", 2.0}}, {}}));
  EXPECT_EQ(message_of([] {
              make({"jenkins+jenkins", {{"phi", 2.0}}, {}});
            }),
            "parameter 'phi' belongs to several terms; write jenkins.phi");
}

TEST(Catalog, lists_in_brackets_or_as_the_command_line_takes_them) {
  const ParameterValues wanted{{"k", std::vector<double>{1, 2}},
                               {"phi", std::vector<double>{0.5, 3}}};
  for (const char* text : {"masing(k=[1,2],phi=[0.5,3])", "masing(k=1,2, phi=0.5, 3)"})
    EXPECT_EQ(make({text, {}, {}}).parameters(), wanted) << text;
}

TEST(Catalog, broken_texts_are_explained) {
  EXPECT_EQ(message_of([] {
              make({"jenkins(k=1", {}, {}});
            }),
            "'jenkins(k=1': a bracket '(' is not closed");
  EXPECT_EQ(message_of([] {
              make({"jenkins(1)", {}, {}});
            }),
            "'1' inside jenkins(…) must be written name=value");
  EXPECT_EQ(message_of([] {
              make({"jenkins+", {}, {}});
            }),
            "a law is missing in the model; write law or law(name=value)");
  EXPECT_EQ(message_of([] {
              make({"jenkins(k=1]", {}, {}});
            }),
            "'jenkins(k=1]': unexpected ']' at column 12");
  EXPECT_EQ(message_of([] {
              make({"jenkins(k=abc)", {}, {}});
            }),
            "jenkins.k = abc must be one number");
}

TEST(Catalog, values_are_read_as_written) {
  EXPECT_EQ(std::get<double>(parse_value(" +1.5e-3 ")), 1.5e-3);
  EXPECT_EQ(std::get<std::vector<double>>(parse_value("1,2, 3")), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(std::get<std::vector<double>>(parse_value("[1]")), std::vector<double>{1});
  const auto matrix = std::get<Matrix<double>>(parse_value("[[1,2],[3,4]]"));
  EXPECT_EQ(matrix(1, 0), 3);
  EXPECT_EQ(std::get<std::string>(parse_value("sin(u),2")), "sin(u),2");
  EXPECT_EQ(std::get<std::string>(parse_value("inf")), "inf");
}

/// Without columns a law goes over all rows in a loop of its own, with columns row by row.
TEST(Catalog, histories_do_not_depend_on_the_columns_that_are_recorded) {
  Path line = zigzag(), plane = zigzag();
  for (std::size_t i = 0; i < line.u.size(); ++i) line.t.push_back(0.3 * static_cast<double>(i));
  for (const Law& law : laws()) {
    const AnyModel model = law.make({}, {});
    Path path = law.description.family == Family::planar ? plane : line;
    for (const std::string& direction : law.description.directions)
      if (path.along(direction).empty())
        path.along(direction) = {0.1, 0.5, -0.2, 0.0, 1.5, 0.3, -0.6};
    const History quick = model.run(path);
    const History rows = model.run(path, Start::virgin, Drive::displacement,
                                   {.tangent = true, .stored = true, .states = true});
    EXPECT_EQ(quick.status, rows.status) << law.description.name;
    EXPECT_EQ(quick.u, rows.u) << law.description.name;
    EXPECT_EQ(quick.uy, rows.uy) << law.description.name;
    EXPECT_EQ(quick.f, rows.f) << law.description.name;
    EXPECT_EQ(quick.fy, rows.fy) << law.description.name;
    EXPECT_EQ(quick.un, rows.un) << law.description.name;
    EXPECT_EQ(quick.fn, rows.fn) << law.description.name;
    EXPECT_EQ(quick.energy, rows.energy) << law.description.name;
    EXPECT_EQ(rows.stored.size(), rows.f.size()) << law.description.name;
  }
}

TEST(Catalog, a_history_used_again_had_columns_of_the_law_before) {
  const AnyModel planar = make({"jenkins-planar", {}, {}}), scalar = make({"jenkins", {}, {}});
  Path plane = zigzag();
  plane.uy = plane.u;
  History out;
  Checkpoint at = planar.begin(plane);
  planar.run(plane, Drive::displacement, {.stored = true}, at, out);
  EXPECT_EQ(out.fy.size(), plane.u.size());
  at = scalar.begin(zigzag());
  scalar.run(zigzag(), Drive::displacement, {.tangent = true}, at, out);
  EXPECT_EQ(out.tangent.size(), plane.u.size());
  EXPECT_TRUE(out.uy.empty() && out.fy.empty() && out.stored.empty());
  at = planar.begin(plane);
  planar.run(plane, Drive::displacement, {}, at, out);
  EXPECT_TRUE(out.tangent.empty());
}

}  // namespace catalog_test
}  // namespace microslip::catalog
