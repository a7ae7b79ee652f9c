#include <Eigen/Dense>
#include <microslip/core/dual.hpp>
#include <microslip/io/record_file.hpp>
#include <microslip/jobs/fit.hpp>
#include <microslip/models/bouc_wen.hpp>

// A law that the program instantiates itself, as its fit inside the engine does too.
template <class Real>
bool moves() {
  const microslip::BoucWen<Real> law({});
  auto state = law.rest();
  return law.step(state, Real(0.5), state).force > 0.0;
}

int main(int, char** argv) {
  microslip::jobs::FitRequest request;
  request.models = {argv[1]};
  request.records = {microslip::jobs::record_of(microslip::io::read_record(argv[2]))};
  request.starts = 1;
  const Eigen::MatrixXd square = Eigen::MatrixXd::Identity(9, 9) * Eigen::MatrixXd::Ones(9, 9);
  return moves<double>() && moves<microslip::Dual<2>>() && square.sum() == 81 &&
                 microslip::jobs::fit(request).fits.front().parameters
             ? 0
             : 1;
}
