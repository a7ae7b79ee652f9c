#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <numbers>
#include <random>

#include "bench.hpp"
#include "dynamics/joint/periodic_interface.hpp"
#include "dynamics/joint/periodic_joint.hpp"
#include "dynamics/joint/periodic_planar.hpp"
#include "dynamics/joint/periodic_steps.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/vector_joint.hpp"
#include "microslip/dynamics/periodic/frequency_response.hpp"
#include "microslip/dynamics/periodic/nonlinear_mode.hpp"

/// Joints under a normal force that changes: what they cost beside joints whose normal force is frozen.
namespace microslip::bench {
namespace {

using namespace dynamics;
using Index = Eigen::Index;

AnyModel law(const char* name, const ParameterValues& values) {
  return catalog::make({name, values, {}});
}

/// Of the processor: each of these is one thread, and takes long.
double processor_seconds(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// ------------------------------------------------------------------------------- two bolted beams

/// Two steel beams in space that lie on each other, clamped on one side: nodes with three displacements and three
/// rotations, Bernoulli's elements. Four contacts across each of 32 stations along the beams; three bolts press them.
struct BoltedBeams {
  static constexpr int elements = 37, stations = 32, across = 4, bolts = 3;
  double length = 0.7, width = 0.025, height = 0.01;
  double E = 2.1e11, nu = 0.3, rho = 7800;
  double tangential = 6e8, normal = 2e9;  ///< of all contacts together
  double bolt_force = 4000, friction = 0.25;
  double damping = 1e-7;  ///< over stiffness, s

  /// By which the contacts move before all of them slip.
  double slip() const { return friction * bolts * bolt_force / tangential; }

  Index size() const { return 2 * 6 * elements; }
  static Index dof(int beam, int node, int kind) {
    return node == 0 ? -1 : (beam * elements + node - 1) * 6 + kind;
  }

  void add_beams(Structure& s) const {
    const double l = length / elements, A = width * height, m = rho * A * l;
    const double Iy = width * std::pow(height, 3) / 12, Iz = height * std::pow(width, 3) / 12;
    const double J = width * std::pow(height, 3) / 3, polar = (Iy + Iz) / A;
    std::vector<Eigen::Triplet<double>> mass, stiffness;
    const auto add = [&](int beam, int e, const std::vector<int>& kinds, double sign,
                         const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
      const auto per = static_cast<int>(kinds.size());
      for (int i = 0; i < 2 * per; ++i)
        for (int j = 0; j < 2 * per; ++j) {
          const Index row = dof(beam, e + i / per, kinds[static_cast<std::size_t>(i % per)]);
          const Index column = dof(beam, e + j / per, kinds[static_cast<std::size_t>(j % per)]);
          if (row < 0 || column < 0) continue;
          const double turned = (i % per == 1 ? sign : 1) * (j % per == 1 ? sign : 1);
          mass.emplace_back(row, column, turned * M(i, j));
          stiffness.emplace_back(row, column, turned * K(i, j));
        }
    };
    const Eigen::Matrix2d rod = (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
    const Eigen::Matrix2d even = (Eigen::Matrix2d() << 2, 1, 1, 2).finished() / 6;
    const auto bending = [&](double I) {
      Eigen::Matrix4d K;
      K << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l,
          6 * l, 2 * l * l, -6 * l, 4 * l * l;
      return Eigen::MatrixXd(E * I / (l * l * l) * K);
    };
    Eigen::Matrix4d M;
    M << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l,
        -13 * l, -3 * l * l, -22 * l, 4 * l * l;
    M *= m / 420;
    for (int beam = 0; beam < 2; ++beam)
      for (int e = 0; e < elements; ++e) {
        add(beam, e, {0}, 1, E * A / l * rod, m * even);
        add(beam, e, {3}, 1, E / (2 * (1 + nu)) * J / l * rod, m * polar * even);
        add(beam, e, {1, 5}, 1, bending(Iz), M);
        add(beam, e, {2, 4}, -1, bending(Iy), M);  // θy = −w′
      }
    s.M.setFromTriplets(mass.begin(), mass.end());
    s.K.setFromTriplets(stiffness.begin(), stiffness.end());
  }

  /// Displacement of the upper beam's lower face less that of the lower one's upper face, x, y, and approach.
  std::vector<Direction> directions(int node, double y) const {
    Eigen::MatrixXd w = Eigen::MatrixXd::Zero(3, size());
    for (int beam = 0; beam < 2; ++beam) {
      const double sign = beam == 1 ? 1 : -1, z = (beam == 1 ? -0.5 : 0.5) * height;
      const auto at = [&](int kind) { return dof(beam, node, kind); };
      w(0, at(0)) = sign;
      w(0, at(4)) = sign * z;
      w(0, at(5)) = -sign * y;
      w(1, at(1)) = sign;
      w(1, at(3)) = -sign * z;
      w(2, at(2)) = -sign;
      w(2, at(3)) = -sign * y;
    }
    std::vector<Direction> all;
    for (int i = 0; i < 3; ++i) all.emplace_back(Eigen::VectorXd(w.row(i)));
    return all;
  }

  Structure structure(bool changing) const {
    const Index n = size();
    Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
    add_beams(s);
    constexpr int count = stations * across;
    std::vector<double> pressure;
    double whole = 0;
    const auto place = [](int i) { return (i + 0.5) / across - 0.5; };
    for (int i = 0; i < stations; ++i)
      for (int j = 0; j < across; ++j) {
        double sum = 0;
        for (int bolt = 0; bolt < bolts; ++bolt)
          sum += std::exp(-0.5 * (std::pow((i + 0.5) / stations - (bolt + 0.5) / bolts, 2) / 0.01 +
                                  std::pow(place(j), 2) / 0.2));
        pressure.push_back(sum);
        whole += sum;
      }
    for (int i = 0; i < stations; ++i)
      for (int j = 0; j < across; ++j) {
        const double share = pressure[static_cast<std::size_t>(i * across + j)] / whole;
        const double N0 = bolts * bolt_force * share, kt = tangential / count, kn = normal / count;
        InterfaceElement contact{nullptr, directions(i + 4, width * place(j))};
        if (changing) {
          contact.law = catalog::vector_joint(
              law("contact-planar", {{"kt", kt}, {"kn", kn}, {"mu", friction}, {"N0", N0}}));
        } else {
          add_along(s.K, contact.w[2], kn);
          contact.w.pop_back();
          contact.law =
              catalog::vector_joint(law("jenkins-planar", {{"k", kt}, {"phi", friction * N0}}));
        }
        s.interfaces.push_back(std::move(contact));
      }
    s.C = damping * s.K;
    return s;
  }
};

nlohmann::json bolted_beams() {
  const BoltedBeams beams;
  const Structure frozen = beams.structure(false), changing = beams.structure(true);
  fmt::print(
      "\ntwo bolted beams, {} degrees of freedom, {} contacts, three harmonics: first mode\n",
      beams.size(), frozen.interfaces.size());
  nlohmann::json table;
  double reference = 0;
  const auto measure = [&](const char* name, const Structure& s, int samples) {
    ModeOptions mode;
    mode.from = 0.2 * beams.slip();
    mode.to = 200 * beams.slip();
    mode.harmonics = 3;
    if (samples > 0) mode.periodic = {.rule = Rule::sampled, .samples = samples};
    ModeCurve curve;
    const double time = processor_seconds([&] { curve = nonlinear_mode(s, mode); });
    if (reference == 0) reference = time;
    fmt::print(
        "  {:22} {:7.2f} s ({:4.1f} times frozen), {} points, {} at {:.3g}, ω {:.6g} to {:.6g}, ζ "
        "{:.3g}\n",
        name, time, time / reference, curve.points.size(),
        curve.end == CurveEnd::reached ? "ends" : "STOPS",
        curve.points.empty() ? 0 : curve.points.back().amplitude,
        curve.points.empty() ? 0 : curve.points.front().omega,
        curve.points.empty() ? 0 : curve.points.back().omega,
        curve.points.empty() ? 0 : curve.points.back().zeta);
    std::fflush(stdout);
    table[name] = {{"seconds", time},
                   {"points", curve.points.size()},
                   {"reached", curve.end == CurveEnd::reached},
                   {"ratio", time / reference}};
  };
  measure("frozen normal force", frozen, 0);
  measure("changing", changing, 0);
  measure("changing, 128 samples", changing, 128);
  return table;
}

// -------------------------------------------------------------------------------- a ring of blades

/// Each sector: a blade that moves along the ring and across it, and the ring. 2 % of the blades' stiffness differ.
Structure ring_of_blades(bool contact) {
  constexpr int sectors = 24;
  constexpr Index n = 3 * sectors;
  Structure s{SparseMatrix(n, n), SparseMatrix(n, n), SparseMatrix(n, n), {}, {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  const auto between = [&](Index a, Index b) {
    Eigen::VectorXd w = Eigen::VectorXd::Zero(n);
    w[b] = 1;
    if (a >= 0) w[a] = -1;
    return w;
  };
  const auto spring = [&](const Eigen::VectorXd& w, double k) { K += k * w * w.transpose(); };
  std::mt19937 random(7);
  std::normal_distribution<double> error(0, 0.02);
  for (Index i = 0; i < sectors; ++i) {
    const Index t = 3 * i, across = t + 1, ring = t + 2, next = 3 * ((i + 1) % sectors) + 2;
    spring(between(ring, t), 1 + error(random));
    spring(between(-1, across), 4 + error(random));
    spring(between(-1, ring), 20);
    spring(between(ring, next), 40);
    Tones tones;
    tones.list.push_back({0.02, 2 * std::numbers::pi * 3 * static_cast<double>(i) / sectors, 1, 0});
    Eigen::VectorXd along = between(-1, t);
    along[across] = 0.5;
    s.loads.push_back({along, tones});
    if (contact) {
      s.interfaces.push_back({catalog::vector_joint(law(
                                  "contact", {{"kt", 0.3}, {"kn", 1.0}, {"mu", 0.3}, {"N0", 0.2}})),
                              {Direction(between(ring, t)), Direction(between(-1, across))}});
    } else {
      spring(between(-1, across), 1);
      s.joints.push_back({law("jenkins", {{"k", 0.3}, {"phi", 0.06}}), between(ring, t)});
    }
  }
  s.M.setIdentity();
  s.K = K.sparseView();
  s.C = 0.005 * s.M;
  return s;
}

nlohmann::json rings() {
  fmt::print(
      "\nring of 24 blades, 72 degrees of freedom, 24 joints, 2 % mistuned, three harmonics\n");
  nlohmann::json table;
  double reference = 0;
  for (const bool contact : {false, true}) {
    const Structure s = ring_of_blades(contact);
    FrequencyResponseOptions options;
    options.from = 0.85;
    options.to = 1.25;
    options.harmonics = 3;
    options.stability = false;
    FrequencyResponse response;
    const double time = processor_seconds([&] { response = frequency_response(s, options); });
    const double point = time / static_cast<double>(response.branch.size());
    if (!contact) reference = point;
    fmt::print("  {:8} {:6.2f} ms a point ({:.2f} times jenkins), {} points, {}\n",
               contact ? "contact" : "jenkins", point * 1e3, point / reference,
               response.branch.size(),
               response.end == CurveEnd::reached ? "to the end" : "NOT TO THE END");
    std::fflush(stdout);
    table[contact ? "contact" : "jenkins"] = {{"ms_a_point", point * 1e3},
                                              {"points", response.branch.size()},
                                              {"ratio", point / reference}};
  }
  return table;
}

// -------------------------------------------------------------------------------------- one joint

/// Forces and Jacobian of one joint over a period, three harmonics.
nlohmann::json one_contact() {
  fmt::print("\none joint, 3 harmonics: coefficients of the forces and their Jacobian\n");
  Eigen::VectorXd t(7), n(7);
  t << 0, 2, 0.4, 0, 0.2, 0.1, 0;
  n << 0, 0.06, 0.2, 0.02, 0, 0, 0.02;
  const auto side_by_side = [&](const std::vector<Eigen::VectorXd>& all) {
    const auto size = static_cast<Index>(all.size());
    Eigen::VectorXd input(7 * size);
    for (Index i = 0; i < size; ++i)
      input(Eigen::seqN(i, 7, size)) = all[static_cast<std::size_t>(i)];
    return input;
  };
  Eigen::VectorXd second = 0.8 * t;
  second[1] = 0.3;
  second[2] = 1.5;
  // Opens once a period.
  const Eigen::VectorXd open = 4 * n;
  double by = 0;  // so that no answer is kept
  const auto ask = [&by](PeriodicElement& element, Eigen::VectorXd input) {
    by = by > 1e-3 ? 0 : by + 1e-9;
    input[0] += by;
    element.respond(input, {}, 1, true);
    keep(element.reply().coefficients[1]);
  };
  PeriodicJoint jenkins(law("jenkins", {{"k", 3.0}, {"phi", 1.2}}), 3);
  const auto contact =
      catalog::vector_joint(law("contact", {{"kt", 3.0}, {"kn", 5.0}, {"mu", 0.6}, {"N0", 2.0}}));
  const AnyModel planar_law =
      law("contact-planar", {{"kt", 3.0}, {"kn", 5.0}, {"mu", 0.6}, {"N0", 2.0}});
  const auto planar = catalog::vector_joint(planar_law);
  const auto frozen = catalog::vector_joint(law("jenkins-planar", {{"k", 3.0}, {"phi", 1.2}}));
  PeriodicInterface two(*contact, 3, {});
  PeriodicPlanar three(*planar, 3, 0, {}), plane(*frozen, 3, 0, {});
  PeriodicSteps steps(planar_law, 3, 3, {}, {});
  PeriodicOptions samples;
  samples.rule = Rule::sampled;
  samples.samples = 128;
  PeriodicSteps sampled(planar_law, 3, 3, samples, {});
  const Eigen::VectorXd one = t, in_two = side_by_side({t, n}),
                        in_plane = side_by_side({t, second}),
                        in_three = side_by_side({t, second, n}),
                        opening = side_by_side({t, second, open});
  const auto time =
      medians({[&] { ask(jenkins, one); }, [&] { ask(two, in_two); }, [&] { ask(plane, in_plane); },
               [&] { ask(three, in_three); }, [&] { ask(three, opening); },
               [&] { ask(steps, in_three); }, [&] { ask(sampled, in_three); }},
              101);
  const char* names[] = {"jenkins",
                         "contact",
                         "jenkins-planar",
                         "contact-planar",
                         "contact-planar that opens",
                         "contact-planar by extrapolated steps",
                         "contact-planar by 128 samples"};
  nlohmann::json table;
  for (std::size_t i = 0; i < time.size(); ++i) {
    fmt::print("  {:37} {:8.1f} µs, {:5.1f} times jenkins\n", names[i], time[i] * 1e6,
               time[i] / time[0]);
    table[names[i]] = {{"us", time[i] * 1e6}, {"ratio", time[i] / time[0]}};
  }
  return table;
}

}  // namespace

nlohmann::json joints_with_normal_forces() {
  return {{"one_joint", one_contact()}, {"ring", rings()}, {"bolted_beams", bolted_beams()}};
}

}  // namespace microslip::bench
