#include "microslip/detail/numerics/canonical_form.hpp"

#include <Eigen/Eigenvalues>
#include <string>

#include "microslip/detail/numerics/dense.hpp"

namespace microslip {

void check_positive_definite(std::string_view law, std::string_view name,
                             const Matrix<double>& matrix, Eigen::Index m) {
  const std::string full = std::string(law) + "." + std::string(name);
  if (matrix.rows() != m || matrix.cols() != m)
    throw Error(full + " is " + std::to_string(matrix.rows()) + " × " +
                std::to_string(matrix.cols()) + "; with " + std::to_string(m) +
                " states it must be " + std::to_string(m) + " × " + std::to_string(m));
  const double size = matrix.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      // Printed and computed matrices are symmetric to a few of their last digits.
      if (!(std::abs(matrix(i, j) - matrix(j, i)) <= 1e-9 * size))
        throw Error(full + " must be symmetric; its elements (" + std::to_string(i + 1) + ", " +
                    std::to_string(j + 1) + ") = " + number_text(matrix(i, j)) + " and (" +
                    std::to_string(j + 1) + ", " + std::to_string(i + 1) +
                    ") = " + number_text(matrix(j, i)) + " differ");
  const double smallest = dense::SymmetricModes(matrix).values.minCoeff();
  if (!(smallest > 0))
    throw Error(full + " must be positive definite; its smallest eigenvalue is " +
                number_text(smallest));
}

EigenPairs symmetric_eigen_pairs(const Matrix<double>& matrix) {
  const dense::SymmetricModes modes(matrix);
  return {modes.values, modes.vectors};
}

CanonicalForm canonical_form(std::string_view law, const Matrix<double>& A, const Matrix<double>& K,
                             const Eigen::VectorXd& b) {
  check_positive_definite(law, "A", A, b.size());
  check_positive_definite(law, "K", K, b.size());
  const dense::SymmetricModes modes(0.5 * (A + A.transpose()), 0.5 * (K + K.transpose()));
  CanonicalForm form{modes.values, modes.vectors.transpose() * b, modes.vectors};
  if (!(form.lambda.minCoeff() > 0))
    throw Error(std::string(law) + ".A is too ill-conditioned to be positive definite");
  for (Eigen::Index i = 0; i < b.size(); ++i)
    if (form.b[i] < 0) {
      form.b[i] = -form.b[i];
      form.V.col(i) = -form.V.col(i);
    }
  return form;
}

}  // namespace microslip
