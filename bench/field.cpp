#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

#include "bench.hpp"
#include "microslip/field/bounded_memory.hpp"
#include "microslip/field/joint_field.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/two_state.hpp"

namespace microslip::bench {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Numbers x(n);
  for (double& value : x) value = normal(random);
  return x;
}

/// Seconds of a copy of so many bytes, read and written together: what the memory allows. 0.5 GB, more
/// than a cache holds.
double copy_bandwidth(std::size_t threads) {
  const std::size_t count = std::size_t{1} << 25;
  const Numbers from(count, 1);
  Numbers to(count, 2);
  const auto copy = [&] {
    in_parallel(threads, threads, [&](std::size_t part) {
      const std::size_t share = count / threads;
      std::copy_n(from.data() + part * share, share, to.data() + part * share);
    });
    keep(to[count / 2]);
  };
  return 2.0 * sizeof(double) * static_cast<double>(count) / medians({copy}, 5)[0];
}

/// Histories of 20 000 joints with a law in common: our scalar loop against fields on one core and on all.
template <class Law>
nlohmann::json histories(const std::string& name, const Law& law, double dt) {
  const std::size_t n = 20000, rows = 200;
  Numbers u(rows), scale(n), energy(n);
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = 0.05 * static_cast<double>(i + 1);
    u[i] = std::sin(t) + 0.5 * std::sin(2.7 * t);
  }
  for (std::size_t i = 0; i < n; ++i) scale[i] = 0.2 + 1.8 * static_cast<double>(i) / n;
  Numbers scalar_energy(n);
  const auto scalar = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      auto state = law.rest();
      double lost = 0;
      for (const double x : u) lost += fields::step(law, state, scale[i] * x, dt, state).dissipated;
      scalar_energy[i] = lost;
    }
  };
  const auto field = [&](std::size_t threads) {
    return [&, threads] {
      JointField<Law> joints(law, n, {.threads = threads});
      joints.run(u, rows, {energy}, scale, dt);
    };
  };
  const auto t = medians({scalar, field(1), field(0)}, 5);
  const bool same = scalar_energy == energy;
  const double steps = static_cast<double>(n * rows);
  fmt::print("{:10} {:8.2f} ns {:8.2f} {:8.2f}   {}\n", name, 1e9 * t[0] / steps, t[0] / t[1],
             t[0] / t[2], same ? "same bits" : "DIFFERENT");
  return {{"scalar_ns", 1e9 * t[0] / steps},
          {"one_core", t[0] / t[1]},
          {"all_cores", t[0] / t[2]},
          {"same_bits", same}};
}

nlohmann::json one_step(std::size_t threads) {
  const std::size_t n = 4000000;
  std::vector<Jenkins<double>> laws;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) / n;
    laws.push_back(Jenkins<double>({.k = 1 + x, .phi = 0.2 + x}));
  }
  JointField<Jenkins<double>> field(std::span<const Jenkins<double>>(laws), {.threads = threads});
  // The same numbers from all sets of instructions.
  bool same = true;
  {
    const Numbers u = random_numbers(n, 3);
    Numbers expected(n), force(n);
    JointField<Jenkins<double>> first(std::span<const Jenkins<double>>(laws),
                                      {threads, Instructions::baseline});
    first.step(u, {expected});
    for (const Instructions set : {Instructions::avx2, Instructions::avx512}) {
      JointField<Jenkins<double>> other(std::span<const Jenkins<double>>(laws), {threads, set});
      other.step(u, {force});
      same = same && force == expected;
    }
  }
  const Numbers u = random_numbers(n, 1), v = random_numbers(n, 2);
  Numbers force(n), tangent(n);
  bool first = false;
  const double time = medians({[&] {
                                field.step((first = !first) ? u : v, {force, tangent});
                              }},
                              9)[0];
  const double bytes = static_cast<double>(JointField<Jenkins<double>>::bytes_a_step(true));
  const double rate = static_cast<double>(n) / time, share = rate * bytes / copy_bandwidth(threads);
  fmt::print(
      "jenkins, {} joints, own parameters, {} thread(s): {:.3g} steps/s, {} B each, {:.2f} of the "
      "copy "
      "bandwidth\n",
      n, threads, rate, bytes, share);
  return {{"threads", threads}, {"steps_a_second", rate}, {"share_of_copy", share}};
}

}  // namespace

nlohmann::json fields_of_joints() {
  fmt::print("\nFields of joints: one step against the bandwidth of the memory\n");
  nlohmann::json result;
  result["one_step"] = {one_step(1), one_step(thread_count(0))};
  fmt::print(
      "\nHistories: a scalar loop, and how many times as fast a field is (one core, all cores)\n");
  result["jenkins"] = histories("jenkins", Jenkins<double>({.k = 1, .phi = 0.5}), 0);
  result["bouc-wen"] = histories("bouc-wen", BoucWen<double>(BoucWen<double>::Params{.n = 2}), 0);
  result["lugre"] = histories("lugre", LuGre<double>(LuGre<double>::Params{}), 0.05);
  result["dahl"] = histories("dahl", Dahl<double>(Dahl<double>::Params{}), 0);
  const TwoState<double>::Exact two_state = TwoState<double>(TwoState<double>::Params{});
  result["two-state"] = histories("two-state", two_state, 0);
  result["iwan4"] = histories("iwan4", BoundedMemory<Iwan4<double>>(Iwan4<double>::Params{}), 0);
  return result;
}

}  // namespace microslip::bench
