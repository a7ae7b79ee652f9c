#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "microslip/contact/lap_joint.hpp"
#include "microslip/contact/solver.hpp"
#include "microslip/friction/solver.hpp"

/// Small lap joints and their loops, for the tests of this folder.
namespace microslip::contact {

inline LapPlates plates(Support support = Support::axial, std::array<int, 2> mesh = {40, 4}) {
  LapPlates p;
  p.support = support;
  p.mesh = mesh;
  return p;
}

inline std::vector<double> cycles(double amplitude, int rows = 40, int count = 2) {
  std::vector<double> u;
  for (int i = 0; i <= rows * count; ++i)
    u.push_back(amplitude * std::sin(2 * std::numbers::pi * i / rows));
  return u;
}

struct Loop {
  std::vector<double> f, energy;
};

inline Loop tied_loop(const LapJoint& joint, const std::vector<double>& u) {
  const TiedInterface tied = joint.tied();
  const friction::Result run = friction::run(tied.system, u);
  EXPECT_EQ(run.status, Status::ok) << run.trouble;
  Loop loop{{}, run.energy};
  for (std::size_t i = 0; i < u.size(); ++i) loop.f.push_back(tied.c0 * u[i] - run.xi[i]);
  return loop;
}

inline Loop open_loop(const LapJoint& joint, const std::vector<double>& u) {
  const Result run = contact::run(joint.problem(), u);
  EXPECT_EQ(run.status, Status::ok) << run.trouble;
  EXPECT_LT(run.energy_error, 1e-10);
  Loop loop{{}, run.energy};
  for (std::size_t i = 0; i < u.size(); ++i) loop.f.push_back(joint.force(u[i], run.xi[i]));
  return loop;
}

}  // namespace microslip::contact
