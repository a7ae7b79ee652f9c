/// A simulator of one's own with friction of ours in it: ten thousand drives, each an inertia under a motor
/// torque with LuGre friction, in one kernel. It includes one header of a law and nothing else of ours.
///
///     nvcc -std=c++20 --expt-relaxed-constexpr -arch=native gpu_kernel.cu -o drives
///
/// (with -I for microslip, Eigen and ceres/jet.h, and the library's core for checking parameters).

#include <cstdio>
#include <vector>

#include "microslip/models/lugre.hpp"

using Law = microslip::LuGre<double>;

struct Drive {
  double x, v;
  Law::State friction;
};

/// Velocity Verlet with friction taken at the end of the step.
__global__ void simulate(const __grid_constant__ Law law, Drive* drives, const double* inertia,
                         double* heat, int n, int steps, double dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Drive d = drives[i];
  double lost = 0;
  for (int k = 0; k < steps; ++k) {
    const double torque = 2 * sin(2 * k * dt);
    d.x += dt * d.v;
    const auto reply = law.step(d.friction, d.x, dt, d.friction);
    d.v += dt * (torque - reply.force) / inertia[i];
    lost += reply.dissipated;
  }
  drives[i] = d;
  heat[i] = lost;
}

int main() {
  constexpr int n = 10000;
  std::vector<double> inertia(n), heat(n);
  for (int i = 0; i < n; ++i) inertia[i] = 0.5 + 1.0 * i / n;
  const Law law(Law::Params{.sigma0 = 100, .sigma1 = 1, .sigma2 = 0.4});
  Drive* drives = nullptr;
  double *inertia_card = nullptr, *heat_card = nullptr;
  cudaMalloc(&drives, n * sizeof(Drive));
  cudaMalloc(&inertia_card, n * sizeof(double));
  cudaMalloc(&heat_card, n * sizeof(double));
  cudaMemcpy(drives, std::vector<Drive>(n).data(), n * sizeof(Drive), cudaMemcpyHostToDevice);
  cudaMemcpy(inertia_card, inertia.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  simulate<<<(n + 255) / 256, 256>>>(law, drives, inertia_card, heat_card, n, 100000, 1e-4);
  const cudaError_t answer =
      cudaMemcpy(heat.data(), heat_card, n * sizeof(double), cudaMemcpyDeviceToHost);
  if (answer != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(answer));
    return 1;
  }
  std::printf("the lightest drive lost %.6f, the heaviest %.6f\n", heat.front(), heat.back());
}
