#include "microslip/io/figure.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "microslip/detail/numerics/constants.hpp"
#include "microslip/io/file.hpp"
#include "support/message_of.hpp"

namespace fs = std::filesystem;
using namespace microslip::io;
using microslip::Error;
using microslip::infinity;
using microslip::pi;

namespace figure_test {

using Values = std::vector<double>;

DrawnHistory ellipse(const std::string& name, std::size_t points, double cycles = 1) {
  DrawnHistory history{.name = name, .t = {}, .u = {}, .f = {}, .energy = {}};
  for (std::size_t i = 0; i < points; ++i) {
    const double t = cycles * static_cast<double>(i) / static_cast<double>(points - 1);
    history.t.push_back(t);
    history.u.push_back(std::sin(2 * pi * t));
    history.f.push_back(std::sin(2 * pi * t + 0.5));
    history.energy.push_back(t);
  }
  return history;
}

Figure one_curve(Values x, Values y) {
  return {
      .rows = {{{Panel{.x = {"x"}, .y = {"y"}, .curves = {{"", std::move(x), std::move(y)}}}}}}};
}

// Another folder for programs, for as long as it lives.
class Path {
 public:
  explicit Path(const std::string& value) : before(::getenv("PATH")) {
    ::setenv("PATH", value.c_str(), 1);
  }
  ~Path() { ::setenv("PATH", before.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before;
};

class FigureTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "microslip-figure-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  void pretend_gnuplot(const std::string& body) {
    fs::create_directory(folder / "bin");
    write_file(folder / "bin" / "gnuplot", "#!/bin/sh\n" + body);
    ASSERT_EQ(::chmod((folder / "bin" / "gnuplot").c_str(), 0755), 0);
  }
  fs::path folder;
};

using microslip::testing::message_of;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_F(FigureTest, the_ending_decides_the_format) {
  const Figure figure =
      loop_figure("title", {ellipse("a", 100), ellipse("b", 100)}, {"s", "mm", "N", "J"});
  draw(figure, folder / "a.svg");
  draw(figure, folder / "a.PNG");
  draw(figure, folder / "a.pdf");
  const std::string svg = read_file(folder / "a.svg");
  EXPECT_TRUE(contains(svg, "<svg") && contains(svg, "</svg>"));
  EXPECT_TRUE(contains(svg, "displacement u [mm]"));
  EXPECT_TRUE(contains(svg, "energy [J]"));
  EXPECT_EQ(read_file(folder / "a.PNG").substr(1, 3), "PNG");
  EXPECT_EQ(read_file(folder / "a.pdf").substr(0, 5), "%PDF-");
  EXPECT_EQ(files(), 3u);
}

TEST_F(FigureTest, other_endings_are_refused) {
  for (const std::string name : {"a.jpg", "a", "svg", "a.svg.gz"}) {
    EXPECT_TRUE(
        contains(message_of([&] { draw({}, folder / name); }), "must end in .svg, .png or .pdf"));
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(FigureTest, without_gnuplot_one_sentence) {
  write_file(folder / "a.svg", "old");
  const Path path(folder.string());
  const std::string expected =
      "gnuplot is not installed (Debian package gnuplot-nox): the picture '" +
      (folder / "a.svg").string() + "' was not drawn";
  EXPECT_EQ(message_of([&] { draw(one_curve({0, 1}, {0, 1}), folder / "a.svg"); }), expected);
  EXPECT_THROW(draw(one_curve({0, 1}, {0, 1}), folder / "a.svg"), PictureUnavailable);
  EXPECT_EQ(read_file(folder / "a.svg"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FigureTest, a_failure_of_gnuplot_leaves_the_old_picture) {
  pretend_gnuplot(
      "echo half\necho '' >&2\necho '         ^' >&2\necho 'line 3: no cairo' >&2\nexit 1\n");
  write_file(folder / "a.svg", "old");
  const Path path((folder / "bin").string());
  const std::string message = message_of([&] {
    draw(one_curve({0, 1}, {0, 1}), folder / "a.svg");
  });
  EXPECT_TRUE(contains(message, "gnuplot failed: line 3: no cairo")) << message;
  EXPECT_EQ(read_file(folder / "a.svg"), "old");
  EXPECT_EQ(files(), 2u);
}

TEST_F(FigureTest, a_killed_gnuplot_leaves_nothing) {
  pretend_gnuplot("echo half\nkill -9 $$\n");
  const Path path((folder / "bin").string());
  EXPECT_THROW(draw(one_curve({0, 1}, {0, 1}), folder / "a.svg"), Error);
  EXPECT_EQ(files(), 1u);
}

TEST_F(FigureTest, curves_of_unequal_length_are_refused) {
  EXPECT_TRUE(contains(message_of([&] {
                         draw(one_curve({0, 1}, {0}), folder / "a.svg");
                       }),
                       "has 2 x values, but 1 y values"));
}

TEST_F(FigureTest, text_is_shown_as_it_is_and_never_run) {
  const std::string nasty =
      "a_b^c {d} @e &f ~g 'h' \"i\" `touch " + (folder / "ran").string() + "` $(x) %d \\n <j> #k";
  Figure figure =
      loop_figure(nasty, {ellipse(nasty + "\n system('false')", 10)}, {nasty, nasty, "", ""});
  draw(figure, folder / "a.svg");
  EXPECT_FALSE(fs::exists(folder / "ran"));
  const std::string svg = read_file(folder / "a.svg");
  EXPECT_TRUE(contains(svg, "a_b^c {d} @e &amp;f ~g 'h' \"i\" `touch")) << svg.substr(0, 6000);
  EXPECT_TRUE(contains(svg, "&lt;j> #k"));
}

TEST_F(FigureTest, odd_data_are_drawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Figure> figures{one_curve({}, {}),
                              one_curve({1}, {1}),
                              one_curve({1, 1}, {2, 2}),
                              one_curve({0, 1}, {0, 0}),
                              one_curve({0, 1, 2, 3, 4}, {0, nan, infinity, 1, 2}),
                              one_curve({nan}, {nan}),
                              one_curve({-1e-300, 1e-300}, {-1e300, 1e300}),
                              one_curve({0, 1e-320}, {1e8, 1e8 + 1}),
                              one_curve({-1, 0, 1, 10}, {-1, 0, 1, 1e9}),
                              one_curve({-1, 0}, {-1, 0}),
                              one_curve({0.7, 1.2}, {1, 1.1}),
                              {.rows = {{{Panel{}}}}}};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (const bool log : {false, true}) {
      SCOPED_TRACE(testing::Message() << i << (log ? " log" : ""));
      figures[i].rows[0].panels[0].x.log = figures[i].rows[0].panels[0].y.log = log;
      EXPECT_NO_THROW(draw(figures[i], folder / "a.svg"));
      EXPECT_TRUE(contains(read_file(folder / "a.svg"), "</svg>"));
    }
  }
}

TEST_F(FigureTest, a_million_points_make_a_small_picture) {
  const Figure figure = loop_figure("", {ellipse("a", 1'000'000, 100)});
  EXPECT_LT(gnuplot_script(figure).size(), 1'000'000u);
  draw(figure, folder / "a.svg");
  EXPECT_LT(fs::file_size(folder / "a.svg"), 1'000'000u);
}

TEST_F(FigureTest, follows_the_law_of_whole_files) {
  EXPECT_TRUE(contains(message_of([&] {
                         draw(one_curve({0, 1}, {0, 1}), folder / "no" / "a.svg");
                       }),
                       "does not exist"));
}

TEST(FigureScript, a_steady_loop_is_drawn_once) {
  // The same hundred samples again and again: later rounds lie on the first one and are left out,
  // so the size of the script must not grow with the number of rounds.
  const auto script_of = [](std::size_t cycles) {
    Values x, y;
    for (std::size_t i = 0; i <= 100 * cycles; ++i) {
      const double phase = 2 * pi * static_cast<double>(i % 100) / 100;
      x.push_back(std::cos(phase));
      y.push_back(std::sin(phase));
    }
    return gnuplot_script(one_curve(x, y)).size();
  };
  EXPECT_LT(script_of(50), script_of(1) * 3 / 2);
  EXPECT_GT(script_of(1), 2000u);
}

TEST(FigureScript, colours_and_dashes_differ) {
  std::vector<DrawnHistory> histories;
  for (int i = 0; i < 7; ++i) histories.push_back(ellipse("law" + std::to_string(i), 20));
  const std::string script = gnuplot_script(loop_figure("", histories));
  for (const std::string color :
       {"#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7", "#E69F00", "#56B4E9"}) {
    EXPECT_GE(count(script, color), 3u) << color;  // loop, force, energy
  }
}

TEST(FigureScript, the_eighth_curve_does_not_look_like_the_first) {
  Figure figure = one_curve({0, 1}, {0, 1});
  std::vector<Curve>& curves = figure.rows[0].panels[0].curves;
  while (curves.size() < 8) curves.push_back(curves.front());
  const std::string script = gnuplot_script(figure);
  EXPECT_EQ(count(script, "linecolor '#0072B2' linewidth 1.3 dashtype 1 "), 1u) << script;
  EXPECT_EQ(count(script, "linecolor '#0072B2' linewidth 1.3 dashtype (14,5) "), 1u);
}

TEST(FigureScript, one_point_is_seen) {
  EXPECT_TRUE(contains(gnuplot_script(one_curve({1}, {2})), "with points"));
  EXPECT_FALSE(contains(gnuplot_script(one_curve({1, 2}, {2, 3})), "with points"));
}

// Otherwise gnuplot marks 80 and 800 on an axis that begins at 82, and labels them as powers.
TEST(FigureScript, a_logarithmic_axis_has_its_numbers_at_powers_of_ten) {
  Figure figure = one_curve({100, 50000}, {0.002, 300});
  figure.rows[0].panels[0].x.log = figure.rows[0].panels[0].y.log = true;
  const std::string script = gnuplot_script(figure);
  EXPECT_TRUE(contains(script, "set xtics 10,10;")) << script;
  EXPECT_TRUE(contains(script, "set ytics 0.001,10;"));
}

TEST(FigureScript, two_decades_have_numbers_between_the_powers_of_ten) {
  Figure figure = one_curve({0.2, 9}, {0.02, 0.9});
  figure.rows[0].panels[0].x.log = figure.rows[0].panels[0].y.log = true;
  const std::string script = gnuplot_script(figure);
  EXPECT_TRUE(contains(script, "set xtics (0.2, 0.5, 1, 2, 5, 10)")) << script;
  EXPECT_TRUE(contains(script, "set ytics (0.02, 0.05, 0.1, 0.2, 0.5, 1)")) << script;
}

TEST(FigureScript, an_axis_that_counts_has_whole_numbers) {
  Figure figure = one_curve({0, 1}, {1, 3});
  EXPECT_TRUE(contains(gnuplot_script(figure), "set ytics 0.")) << gnuplot_script(figure);
  figure.rows[0].panels[0].y.whole = true;
  EXPECT_TRUE(contains(gnuplot_script(figure), "set ytics 1;")) << gnuplot_script(figure);
}

TEST(FigureScript, small_and_large_numbers_get_a_power_in_their_unit) {
  Figure figure = one_curve({0, 2e-6}, {0, 3e7});
  figure.rows[0].panels[0].x.label = "u [m]";
  const std::string script = gnuplot_script(figure);
  EXPECT_TRUE(contains(script, "'u [10⁻⁶ m]'")) << script;
  EXPECT_TRUE(contains(script, "'y [10⁶]'"));
  EXPECT_TRUE(contains(script, "\n2 30\n"));
}

TEST(FigureScript, loop_figure_has_the_panels_that_have_data) {
  DrawnHistory history = ellipse("a", 20);
  EXPECT_EQ(loop_figure("", {history}).rows.size(), 4u);
  history.energy.clear();
  const Figure without_energy = loop_figure("", {history});
  EXPECT_EQ(without_energy.rows.size(), 3u);
  EXPECT_FALSE(without_energy.rows.back().joined_below) << "the last row carries the time axis";
  history.t.clear();
  const Figure without_time = loop_figure("", {history, history});
  EXPECT_EQ(without_time.rows.back().panels[0].x.label, "row");
  EXPECT_EQ(without_time.rows[1].panels[0].curves[0].x.back(), 20);
  EXPECT_EQ(without_time.rows[1].panels[0].curves.size(), 1u) << "one displacement for both";
  EXPECT_EQ(axis_label("u", "mm"), "u [mm]");
  EXPECT_EQ(axis_label("u", ""), "u");
}

// Distance of a point from the polyline, in units of the axes' widths (1 here).
double distance(double px, double py, const Values& x, const Values& y) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double dx = x[i + 1] - x[i], dy = y[i + 1] - y[i];
    const double length = dx * dx + dy * dy;
    const double part =
        length > 0 ? std::clamp(((px - x[i]) * dx + (py - y[i]) * dy) / length, 0.0, 1.0) : 0;
    best = std::min(best, std::hypot(px - x[i] - part * dx, py - y[i] - part * dy));
  }
  return best;
}

TEST(Thin, stays_within_the_tolerance) {
  Values x, y;
  for (int i = 0; i <= 5000; ++i) {
    x.push_back(i / 5000.0);
    y.push_back(0.5 * std::sin(40 * x.back()) + 0.2 * std::abs(std::sin(7 * x.back())));
  }
  Values thin_x = x, thin_y = y;
  thin(thin_x, thin_y, 1, 1, 1e-3);
  EXPECT_LT(thin_x.size(), 600u);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_LE(distance(x[i], y[i], thin_x, thin_y), 1e-3 * (1 + 1e-9)) << i;
  }
  EXPECT_EQ(thin_x.front(), x.front());
  EXPECT_EQ(thin_x.back(), x.back());
}

TEST(Thin, straight_lines_with_a_turning_point_keep_it) {
  Values x, y;
  for (int i = 0; i <= 700; ++i) {
    x.push_back(i <= 333 ? i : 666 - i);  // there and back on the same line
    y.push_back(2 * x.back());
  }
  thin(x, y, 1000, 1000);
  EXPECT_EQ(x, (Values{0, 333, -34}));
}

TEST(Thin, noise_keeps_its_extremes) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Values x, y;
  for (int i = 0; i < 300'000; ++i) {
    x.push_back(i);
    y.push_back(normal(random));
  }
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double lowest = *low, highest = *high;
  thin(x, y, 300'000, 10);
  EXPECT_LE(x.size(), 20'000u);
  EXPECT_TRUE(std::is_sorted(x.begin(), x.end()));
  EXPECT_EQ(*std::min_element(y.begin(), y.end()), lowest);
  EXPECT_EQ(*std::max_element(y.begin(), y.end()), highest);
}

}  // namespace figure_test
