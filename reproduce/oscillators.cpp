#include "oscillators.hpp"

#include <cmath>

#include "mutation.hpp"

namespace microslip::reproduce {

dynamics::Structure oscillator(const ModelSpec& law, double force, double c, double scale, double m,
                               double k) {
  const auto one = [](double value) {
    dynamics::SparseMatrix matrix(1, 1);
    matrix.insert(0, 0) = value;
    matrix.makeCompressed();
    return matrix;
  };
  dynamics::Structure s{one(m), one(c), one(k), {}, {}};
  // A joint along w has the displacement w x and the force w f[w x]; as many of them as it takes
  // along w = 1 would be clumsy, so the force alone is scaled: divide mass, damping, spring and
  // load.
  if (scale != 1) s = {one(m / scale), one(c / scale), one(k / scale), {}, {}};
  s.joints.push_back({make(law), Eigen::VectorXd::Ones(1)});
  s.loads.push_back({Eigen::VectorXd::Ones(1), dynamics::Tones{{{force / scale, 0, 1, 0}}}});
  return s;
}

}  // namespace microslip::reproduce
