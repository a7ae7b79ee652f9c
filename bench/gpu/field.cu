/// Fields of joints on a GPU: `make gpu` builds it, build/gpu/field_bench FOLDER runs it. Rates, shares of the
/// card's limits and differences from the processor, all in one run; energies for bench/gpu/field_jax.py
/// go into the folder.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "microslip/field/bounded_memory.hpp"
#include "microslip/field/device_field.hpp"
#include "microslip/models/bouc_wen.hpp"
#include "microslip/models/dahl.hpp"
#include "microslip/models/iwan4.hpp"
#include "microslip/models/jenkins.hpp"
#include "microslip/models/lugre.hpp"
#include "microslip/models/two_state.hpp"

namespace microslip {
namespace {

using Numbers = std::vector<double>;
constexpr double poison = std::numeric_limits<double>::quiet_NaN();

/// Median seconds of `rounds` runs on the card after one to warm up.
double seconds(int rounds, const std::function<void()>& work) {
  cudaEvent_t start, stop;
  gpu::check(cudaEventCreate(&start), "an event");
  gpu::check(cudaEventCreate(&stop), "an event");
  Numbers times;
  work();
  for (int i = 0; i < rounds; ++i) {
    cudaEventRecord(start);
    work();
    cudaEventRecord(stop);
    gpu::check(cudaEventSynchronize(stop), "a run");
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, start, stop);
    times.push_back(1e-3 * milliseconds);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

__global__ void multiply_add(double* out, double x) {
  double a = threadIdx.x, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6,
         h = a + 7;
#pragma unroll 4
  for (int i = 0; i < 4096; ++i) {
    a = fma(a, x, x), b = fma(b, x, x), c = fma(c, x, x), d = fma(d, x, x);
    e = fma(e, x, x), f = fma(f, x, x), g = fma(g, x, x), h = fma(h, x, x);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d + e + f + g + h;
}

struct Limits {
  double bytes_a_second, operations_a_second;
};

Limits limits() {
  const std::size_t count = std::size_t{1} << 29;  // 4 GiB
  gpu::Array<double> a(count), b(count);
  const double copy = seconds(10, [&] {
    cudaMemcpyAsync(b.data(), a.data(), count * sizeof(double), cudaMemcpyDeviceToDevice);
  });
  const int blocks = 132 * 16, threads = 256;
  const double arithmetic =
      seconds(10, [&] { multiply_add<<<blocks, threads>>>(a.data(), 0.999); });
  return {2.0 * static_cast<double>(count * sizeof(double)) / copy,
          2.0 * 8 * 4096 * blocks * threads / arithmetic};
}

/// Bends and turns at several scales: nested loops.
Numbers signal(std::size_t rows) {
  Numbers u(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double t = static_cast<double>(i + 1) * 0.02;
    u[i] = std::sin(t) + 0.5 * std::sin(2.7 * t) + 0.2 * std::sin(9.3 * t);
  }
  return u;
}
Numbers scales(std::size_t n) {
  Numbers x(n);
  std::mt19937_64 random(40);
  std::uniform_real_distribution<double> draw(0.2, 2);
  for (double& value : x) value = draw(random);
  return x;
}

double difference(const Numbers& a, const Numbers& b) {
  double size = 0, most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = std::max(size, std::abs(b[i]));
    if (!(std::abs(a[i] - b[i]) <= most)) most = std::abs(a[i] - b[i]);  // NaN never passes
  }
  return most / size;
}

/// Random reversals, step by step, with poisoned outputs: the largest differences from the processor,
/// relative to the largest number.
template <class Law>
void compare(const char* name, const Law& law, double dt) {
  const std::size_t n = 20000, steps = 40;
  DeviceField<Law> field(law, n);
  std::vector<typename Law::State> states(n, law.rest());
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Numbers u(n), force(n), tangent(n), lost(n), bad(n, poison);
  double worst_force = 0, worst_tangent = 0, worst_lost = 0;
  for (std::size_t k = 0; k < steps; ++k) {
    for (double& x : u) x = normal(random);
    const gpu::Array<double> on_card{std::span<const double>(u)};
    const gpu::Array<double> f{std::span<const double>(bad)}, t{std::span<const double>(bad)},
        d{std::span<const double>(bad)};
    field.trial(on_card.data(), {f.data(), t.data(), d.data()}, dt);
    field.commit();
    for (std::size_t i = 0; i < n; ++i) {
      const auto reply = fields::step(law, states[i], u[i], dt, states[i]);
      force[i] = reply.force, tangent[i] = reply.tangent, lost[i] = reply.dissipated;
    }
    worst_force = std::max(worst_force, difference(f.fetched(), force));
    worst_tangent = std::max(worst_tangent, difference(t.fetched(), tangent));
    worst_lost = std::max(worst_lost, difference(d.fetched(), lost));
  }
  std::printf(
      "%-12s random reversals, card against processor: force %.1e, tangent %.1e, lost %.1e; "
      "status %d\n",
      name, worst_force, worst_tangent, worst_lost, static_cast<int>(field.status()));
}

/// 10⁶ histories of 3000 rows.
template <class Law>
void histories(const char* name, const Law& law, double dt, const Limits& limit,
               const std::string& folder) {
  const std::size_t n = 1000000, rows = 3000;
  const Numbers u = signal(rows), scale = scales(n);
  const gpu::Array<double> u_card{std::span<const double>(u)},
      scale_card{std::span<const double>(scale)};
  gpu::Array<double> energy(n), largest(n), loops(n);
  DeviceField<Law> field(law, n);
  const fields::Signal signal_card{u_card.data(), rows, 0, scale_card.data(), dt};
  const double time = seconds(3, [&] {
    field.rest();
    field.run(signal_card, {energy.data(), largest.data(), loops.data()});
  });
  const Numbers energies = energy.fetched();
  const std::size_t few = 1000;
  Numbers exact(few);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < few; ++i) {
    auto state = law.rest();
    for (const double x : u)
      exact[i] += fields::step(law, state, scale[i] * x, dt, state).dissipated;
  }
  const double processor =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  double worst = 0;
  for (std::size_t i = 0; i < few; ++i)
    if (!(std::abs(energies[i] / exact[i] - 1) <= worst))
      worst = std::abs(energies[i] / exact[i] - 1);
  const double rate = static_cast<double>(n * rows) / time;
  std::printf(
      "%-12s histories %.3g steps/s, one core of the host %.3g; energy differs by %.1e; %.0f "
      "operations of the card's peak a step; status %d\n",
      name, rate, static_cast<double>(few * rows) / processor, worst,
      limit.operations_a_second / rate, static_cast<int>(field.status()));
  std::ofstream out(folder + "/" + name + ".f64", std::ios::binary);
  const double head[3] = {static_cast<double>(rows), static_cast<double>(few), dt};
  const auto write = [&](const double* x, std::size_t count) {
    out.write(reinterpret_cast<const char*>(x),
              static_cast<std::streamsize>(count * sizeof(double)));
  };
  write(head, 3), write(u.data(), rows), write(scale.data(), few), write(exact.data(), few);
}

/// One step of 10⁸ joints, each with its own parameters.
template <class Law>
void one_step(const char* name, const std::function<Law(double)>& make, std::size_t n, double dt,
              const Limits& limit) {
  std::vector<Law> laws;
  laws.reserve(n);
  for (std::size_t i = 0; i < n; ++i)
    laws.push_back(make(static_cast<double>(i) / static_cast<double>(n)));
  DeviceField<Law> field{std::span<const Law>(laws)};
  gpu::Array<double> force(n), tangent(n), u(n), v(n);
  {
    Numbers x(n);
    std::mt19937_64 random(3);
    for (double& value : x) value = 4e-19 * static_cast<double>(random() >> 1) - 2;
    u = gpu::Array<double>(std::span<const double>(x));
    for (double& value : x) value = 4e-19 * static_cast<double>(random() >> 1) - 2;
    v = gpu::Array<double>(std::span<const double>(x));
  }
  bool first = false;
  const double time = seconds(21, [&] {
    field.step((first = !first) ? u.data() : v.data(), {force.data(), tangent.data(), nullptr}, dt);
  });
  const double bytes = 2 * sizeof(typename Law::State) + sizeof(Law) + 3 * sizeof(double);
  const double rate = static_cast<double>(n) / time;
  std::printf(
      "%-12s one step of %.0e joints, own parameters: %.3g steps/s, %.0f B each, %.3f of the copy "
      "bandwidth; status %d\n",
      name, static_cast<double>(n), rate, bytes, rate * bytes / limit.bytes_a_second,
      static_cast<int>(field.status()));
}

void run(const std::string& folder) {
  cudaDeviceProp card;
  gpu::check(cudaGetDeviceProperties(&card, 0), "finding a card");
  int driver = 0;
  cudaDriverGetVersion(&driver);
  const Limits limit = limits();
  std::printf(
      "%s, CUDA driver %d: copy %.3g B/s (read + written), double precision %.3g/s measured\n",
      card.name, driver, limit.bytes_a_second, limit.operations_a_second);
  const Jenkins<double> jenkins(Jenkins<double>::Params{.k = 1, .phi = 0.5});
  const BoucWen<double> bouc_wen(BoucWen<double>::Params{.n = 2});
  const LuGre<double> lugre(LuGre<double>::Params{});
  const Dahl<double> dahl(Dahl<double>::Params{});
  const TwoState<double> two(TwoState<double>::Params{});
  const TwoState<double>::Exact two_state = two;
  const BoundedMemory<Iwan4<double>> iwan4(Iwan4<double>::Params{});
  compare("jenkins", jenkins, 0);
  compare("bouc-wen", bouc_wen, 0);
  compare("lugre", lugre, 0.1);
  compare("dahl", dahl, 0);
  compare("two-state", two_state, 0);
  compare("iwan4", iwan4, 0);
  one_step<Jenkins<double>>(
      "jenkins", [](double x) { return Jenkins<double>({.k = 1 + x, .phi = 0.2 + x}); }, 100000000,
      0, limit);
  one_step<LuGre<double>>(
      "lugre", [](double x) { return LuGre<double>(LuGre<double>::Params{.sigma0 = 1 + x}); },
      20000000, 0.1, limit);
  one_step<Dahl<double>>(
      "dahl", [](double x) { return Dahl<double>(Dahl<double>::Params{.sigma0 = 1 + x}); },
      20000000, 0, limit);
  histories("jenkins", jenkins, 0, limit, folder);
  histories("bouc-wen", bouc_wen, 0, limit, folder);
  histories("lugre", lugre, 0.02, limit, folder);
  histories("dahl", dahl, 0, limit, folder);
  histories("two-state", two_state, 0, limit, folder);
  histories("iwan4", iwan4, 0, limit, folder);
}

}  // namespace
}  // namespace microslip

int main(int count, char** words) {
  try {
    microslip::run(count > 1 ? words[1] : ".");
  } catch (const microslip::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
