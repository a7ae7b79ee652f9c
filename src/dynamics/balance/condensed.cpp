#include "dynamics/balance/condensed.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "dynamics/balance/gmres.hpp"
#include "dynamics/fourier/fourier.hpp"
#include "microslip/detail/numerics/dense.hpp"
#include "microslip/dynamics/structure/modes.hpp"

namespace microslip::dynamics {
namespace {

/// Positive definite beyond rounding, in units of the diagonal.
bool regular(const Eigen::MatrixXd& K) {
  const Eigen::VectorXd diagonal = K.diagonal();
  if (!(diagonal.minCoeff() > 0)) return false;
  const Eigen::VectorXd units = diagonal.cwiseSqrt().cwiseInverse();
  const dense::Cholesky factors(units.asDiagonal() * K * units.asDiagonal());
  return factors.positive() && factors.L().diagonal().minCoeff() > 1e-6;
}

/// A B without the columns of B that are zero: odd motions have no even harmonics.
template <class Matrix>
Eigen::MatrixXd product(const Matrix& A, const Eigen::MatrixXd& B) {
  std::vector<Eigen::Index> filled;
  for (Eigen::Index k = 0; k < B.cols(); ++k)
    if (!B.col(k).isZero(0)) filled.push_back(k);
  if (static_cast<Eigen::Index>(filled.size()) == B.cols()) return A * B;
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(A.rows(), B.cols());
  if (filled.empty()) return result;
  const Eigen::MatrixXd columns = B(Eigen::all, filled);
  result(Eigen::all, filled) = Eigen::MatrixXd(A * columns);
  return result;
}

}  // namespace

LinearPart::LinearPart(const SparseMatrix& matrix) : sparse(matrix) {
  const auto entries = static_cast<double>(matrix.nonZeros());
  if (entries > 0.2 * static_cast<double>(matrix.rows()) * static_cast<double>(matrix.cols()))
    full = matrix;
}

Eigen::MatrixXd LinearPart::times(const CoefficientRows& x) const {
  return full.size() > 0 ? product(full, x) : Eigen::MatrixXd(sparse * x);
}

CondensedShare::CondensedShare(const BalancedStructure& whole, const SparseMatrix& W,
                               const Eigen::VectorXd& tangents,
                               const Eigen::MatrixXd& mean_stiffness)
    : M(whole.M()), C(whole.C()), K(whole.K()), directions(W) {
  linear_stiffness.setZero(W.cols());
  find_modes(whole.structure(), tangents, mean_stiffness);
  if (usable) find_damping(whole.structure());
}

void CondensedShare::find_modes(const Structure& structure, const Eigen::VectorXd& tangents,
                                const Eigen::MatrixXd& mean_stiffness) {
  const Eigen::Index n = structure.size();
  const Eigen::MatrixXd mass(structure.M);
  const Eigen::MatrixXd mean = mean_stiffness.size() > 0
                                   ? Eigen::MatrixXd(mean_stiffness.topLeftCorner(n, n))
                                   : Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixXd stiffness = Eigen::MatrixXd(structure.K) + mean;
  if (!regular(stiffness)) {
    linear_stiffness = 0.5 * tangents;
    stiffness +=
        Eigen::MatrixXd(directions * linear_stiffness.asDiagonal() * directions.transpose());
  }
  usable = regular(stiffness);
  if (!usable) return;
  const Modes modes = linear_modes(mass, stiffness);
  shapes = modes.shapes;
  // The stiffness of the mean is diagonal, too: nothing else holds these motions.
  mean_squares = (shapes.transpose() * mean * shapes).diagonal();
  squares = modes.omega.cwiseAbs2() - mean_squares;
}

void CondensedShare::find_damping(const Structure& structure) {
  at_joints = directions.transpose() * shapes;
  Eigen::MatrixXd all = shapes.transpose() * (structure.C * shapes);
  const auto mixed = [&](Eigen::MatrixXd matrix) {
    matrix.diagonal().setZero();
    return matrix;
  };
  const Eigen::MatrixXd stiffness =
      at_joints.transpose() * linear_stiffness.asDiagonal() * at_joints;
  const Eigen::MatrixXd between = mixed(stiffness);
  const double square = between.squaredNorm();
  if (square > 0) {
    const double share = mixed(all).cwiseProduct(between).sum() / square;
    const Eigen::MatrixXd less = all - share * stiffness;
    if (ModalDamping::diagonal(less)) {
      moved = share;
      all = less;
    }
  }
  damping = ModalDamping(all);
}

Condensed::Condensed(const BalancedStructure& whole, int harmonics,
                     const std::vector<ElementSlot>& slots, const Eigen::MatrixXd& mean_stiffness)
    : dofs_(whole.structure().size()),
      stride_(whole.M().rows()),
      harmonics_(harmonics),
      width_(fourier_size(harmonics)),
      share_(whole.condensed()),
      mean_stiffness_(mean_stiffness) {
  for (const ElementSlot& slot : slots) {
    Element& element = elements_.emplace_back();
    element.slot = &slot;
    element.first = count_;
    element.inputs = slot.inputs();
    count_ += element.inputs;
    own_ += element.own();
  }
  if (share_) return;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd tangents = Eigen::VectorXd::Zero(count_);
  for (const Element& element : elements_) {
    if (!element.slot->slides())
      tangents.segment(element.first, element.inputs).setConstant(element.slot->tangent);
    for (Eigen::Index i = 0; i < element.inputs; ++i) {
      const auto& out = element.slot->out[static_cast<std::size_t>(i)];
      for (Eigen::SparseVector<double>::InnerIterator w(out); w; ++w)
        if (w.index() < dofs_) entries.emplace_back(w.index(), element.first + i, w.value());
    }
  }
  SparseMatrix directions(dofs_, count_);
  directions.setFromTriplets(entries.begin(), entries.end());
  share_ = whole.condensed() =
      std::make_shared<const CondensedShare>(whole, directions, tangents, mean_stiffness);
}

void Condensed::add_linear(const Eigen::VectorXd& y, double omega, Eigen::VectorXd& forces,
                           Eigen::VectorXd* wrt_omega) const {
  const Eigen::Index size = width_;
  const Rows x = rows_of(y, stride_);
  Eigen::Map<Eigen::MatrixXd>(forces.data(), stride_, size).noalias() += share_->K.times(x);
  if (mean_stiffness_.size() > 0) forces.head(stride_) += mean_stiffness_ * x.col(0);
  const Eigen::MatrixXd inertia = share_->M.times(x);
  const Eigen::MatrixXd drag = share_->C.times(x);
  for (Eigen::Index k = 1; k < size; ++k) {
    const auto h = static_cast<double>((k + 1) / 2);
    const bool is_cosine = k % 2 == 1;
    const Eigen::VectorXd turned = (is_cosine ? 1 : -1) * drag.col(is_cosine ? k + 1 : k - 1);
    forces.segment(k * stride_, stride_) += h * omega * (turned - h * omega * inertia.col(k));
    if (wrt_omega)
      wrt_omega->segment(k * stride_, stride_) += h * (turned - 2 * h * omega * inertia.col(k));
  }
}

void Condensed::reset(double omega, Eigen::Index borders) {
  prepared_ = prepared_ && omega == omega_ && zeta_ == 0;
  omega_ = omega;
  zeta_ = 0;
  kept_up_ = false;
  const Eigen::Index size = own_begin() + own_;
  columns_ = Eigen::MatrixXd::Zero(size, borders);
  rows_ = Eigen::MatrixXd::Zero(size, borders);
  corner_ = Eigen::MatrixXd::Zero(borders, borders);
  units_ = Eigen::VectorXd::Ones(size);
}

void Condensed::set_element(std::size_t element, const PeriodEnd& end) {
  Element& e = elements_[element];
  if (e.own() == 0) return;
  e.inverse.setIdentity(e.own(), e.own());
  e.wrt_own.setZero(e.inputs * width_, e.own());
  if (!e.slot->follows()) {
    e.inverse = dense::inverse(e.inverse - end.wrt_start);
    e.wrt_own = end.force_wrt_start;
  }
  e.follow = e.inverse * end.wrt_input;
  e.act = e.wrt_own * e.inverse;
}

void Condensed::set_slopes(std::size_t element, const Eigen::MatrixXd& jacobian) {
  Element& e = elements_[element];
  e.A = jacobian;
  if (e.own() > 0) {
    e.wrt_input = jacobian;
    e.A += e.wrt_own * e.follow;
  }
  const double linear_stiffness = share_->linear_stiffness[e.first];
  if (linear_stiffness == 0) return;
  e.A.diagonal().array() -= linear_stiffness;
  for (int h = 1; h <= harmonics_ && share_->moved != 0; ++h) {
    const double drag = h * omega_ * share_->moved * linear_stiffness;
    for (Eigen::Index i = 0; i < e.inputs; ++i) {
      const Eigen::Index cosine = (2 * h - 1) * e.inputs + i, sine = 2 * h * e.inputs + i;
      e.A(cosine, sine) += drag;
      e.A(sine, cosine) -= drag;
    }
  }
}

/// By own unknowns in their units, as their equations give them.
Eigen::VectorXd Condensed::forces_of_own(const Eigen::VectorXd& own) const {
  Eigen::MatrixXd p = Eigen::MatrixXd::Zero(count_, width_);
  for (const Element& e : elements_)
    if (e.own() > 0)
      p.middleRows(e.first, e.inputs) =
          (e.act * own.segment(e.slot->own - own_begin(), e.own())).reshaped(e.inputs, width_);
  return p.reshaped();
}

/// (N end_q)ᵀ of rows at own unknowns, element by element.
Eigen::VectorXd Condensed::inputs_of_own(const Eigen::VectorXd& own) const {
  Eigen::MatrixXd q = Eigen::MatrixXd::Zero(count_, width_);
  for (const Element& e : elements_)
    if (e.own() > 0)
      q.middleRows(e.first, e.inputs) =
          (e.follow.transpose() * own.segment(e.slot->own - own_begin(), e.own()))
              .reshaped(e.inputs, width_);
  return q.reshaped();
}

/// What set_slopes adds to the elements of the damping.
Eigen::VectorXd Condensed::moved_damping(const Eigen::VectorXd& q) const {
  const Rows in = rows_of(q, count_);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(in.rows(), in.cols());
  for (int h = 1; h <= harmonics_; ++h) {
    const double rate = h * omega_ * share_->moved;
    out.col(2 * h - 1) = rate * share_->linear_stiffness.cwiseProduct(in.col(2 * h));
    out.col(2 * h) = -rate * share_->linear_stiffness.cwiseProduct(in.col(2 * h - 1));
  }
  return out.reshaped();
}

void Condensed::set_negative_damping(double zeta) {
  prepared_ = prepared_ && zeta == zeta_;
  zeta_ = zeta;
  kept_up_ = true;
}

void Condensed::add(Eigen::Index row, Eigen::Index column, double value) {
  const Eigen::Index size = units_.size();
  if (row < size)
    columns_(row, column - size) += value;
  else if (column < size)
    rows_(column, row - size) += value / units_[column];
  else
    corner_(row - size, column - size) += value;
}

void Condensed::replace_column(Eigen::Index column, const Eigen::VectorXd& values) {
  columns_.col(column - units_.size()).head(values.size()) = values;
}

void Condensed::scale_columns(const Eigen::VectorXd& units) {
  units_ = units.head(units_.size());
  const Eigen::VectorXd others = units.tail(columns_.cols());
  columns_ *= others.asDiagonal();
  corner_ *= others.asDiagonal();
}

ModalImpedance Condensed::impedance(int harmonic, double more_damping) const {
  const double rate = harmonic * omega_;
  Eigen::VectorXcd D(dofs_);
  D.real() = share_->squares.array() - rate * rate;
  if (harmonic == 0) D.real() += share_->mean_squares;
  D.imag().setConstant(-2 * rate * omega_ * (zeta_ - more_damping));
  return {D, rate, share_->damping};
}

void Condensed::prepare() {
  if (prepared_) return;
  prepared_ = true;
  impedances_.assign(static_cast<std::size_t>(harmonics_) + 1, std::nullopt);
}

const ModalImpedance& Condensed::impedance_of(int harmonic) const {
  auto& known = impedances_[static_cast<std::size_t>(harmonic)];
  if (!known) known.emplace(impedance(harmonic, 0));
  return *known;
}

/// Z⁻¹ of modal coefficients, a column for each function of the Fourier series. The real form of Z
/// is transposed when Z is transposed and conjugated.
void Condensed::divide(Eigen::MatrixXd& modal, bool transposed) const {
  const double sign = transposed ? 1 : -1;
  for (int h = 0; h <= harmonics_; ++h) {
    const Eigen::Index a = h == 0 ? 0 : 2 * h - 1;
    if (modal.col(a).isZero(0) && (h == 0 || modal.col(a + 1).isZero(0))) continue;
    Eigen::VectorXcd z = modal.col(a).cast<Complex>();
    if (h > 0) z.imag() = sign * modal.col(a + 1);
    const ModalImpedance& Z = impedance_of(h);
    z = transposed ? Z.solve_transposed(z) : Z.solve(z);
    modal.col(a) = z.real();
    if (h > 0) modal.col(a + 1) = sign * z.imag();
  }
}

Eigen::MatrixXd Condensed::on_modes(const Eigen::VectorXd& force) const {
  return product(share_->shapes.transpose(), rows_of(force, stride_).topRows(dofs_));
}

Eigen::VectorXd Condensed::inputs(const Eigen::VectorXd& y) const {
  Eigen::MatrixXd q = share_->directions.transpose() * rows_of(y, stride_).topRows(dofs_);
  for (const Element& e : elements_)
    e.slot->read_inputs(rows_of(y, stride_), q.middleRows(e.first, e.inputs));
  return q.reshaped();
}

void Condensed::through_bodies(Eigen::MatrixXd& q) const {
  for (const Element& e : elements_)
    e.slot->apply_impedance(q.middleRows(e.first, e.inputs), omega_);
}

Eigen::VectorXd Condensed::asked(const Eigen::MatrixXd& modal, const Eigen::VectorXd& force) const {
  Eigen::MatrixXd q = product(share_->at_joints, modal);
  through_bodies(q);
  for (const Element& e : elements_)
    e.slot->add_excitation(rows_of(force, stride_), q.middleRows(e.first, e.inputs));
  return q.reshaped();
}

/// Forces of the elements on the structure and on the equations of bodies.
Eigen::VectorXd Condensed::from_elements(const Eigen::VectorXd& p) const {
  const Rows in = rows_of(p, count_);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(stride_, width_);
  x.topRows(dofs_).noalias() = share_->directions * in;
  for (const Element& e : elements_) e.slot->write_forces(in.middleRows(e.first, e.inputs), x);
  return x.reshaped();
}

Eigen::VectorXd Condensed::element_forces(const Eigen::VectorXd& q) const {
  Eigen::MatrixXd out(count_, width_);
  for (const Element& e : elements_)
    out.middleRows(e.first, e.inputs) = (e.A * part(q, e)).reshaped(e.inputs, width_);
  return out.reshaped();
}

Eigen::VectorXd Condensed::element_transposed(const Eigen::VectorXd& p) const {
  Eigen::MatrixXd out(count_, width_);
  for (const Element& e : elements_)
    out.middleRows(e.first, e.inputs) = (e.A.transpose() * part(p, e)).reshaped(e.inputs, width_);
  return out.reshaped();
}

Eigen::VectorXd Condensed::receptance(const Eigen::VectorXd& p) const {
  const Rows in = rows_of(p, count_);
  Eigen::MatrixXd modal = product(share_->at_joints.transpose(), in);
  divide(modal, false);
  Eigen::MatrixXd q = product(share_->at_joints, modal);
  through_bodies(q);
  for (const Element& e : elements_)
    e.slot->subtract_given(in.middleRows(e.first, e.inputs), q.middleRows(e.first, e.inputs));
  return q.reshaped();
}

Eigen::VectorXd Condensed::times(const Eigen::VectorXd& z) const {
  const Eigen::Index size = units_.size();
  const Eigen::VectorXd x = z.head(size).cwiseProduct(units_);
  const Eigen::VectorXd q = inputs(x);
  Eigen::VectorXd product = columns_ * z.tail(columns_.cols());
  // Elements with unknowns of their own have no linear part.
  Eigen::MatrixXd p =
      rows_of(Eigen::VectorXd(q.cwiseProduct(share_->linear_stiffness.replicate(width_, 1)) -
                              moved_damping(q)),
              count_);
  p += rows_of(element_forces(q), count_);
  for (const Element& e : elements_) {
    if (e.own() == 0) continue;
    const Eigen::VectorXd input = part(q, e);
    const Eigen::VectorXd own = x.segment(e.slot->own, e.own()).cwiseProduct(e.slot->own_units);
    const Eigen::VectorXd force = e.wrt_input * input + e.wrt_own * own;
    p.middleRows(e.first, e.inputs) = force.reshaped(e.inputs, width_);
    const Eigen::VectorXd open = dense::solve(e.inverse, own - e.follow * input);
    product.segment(e.slot->own, e.own()) +=
        e.slot->own_weight() * open.cwiseProduct(e.slot->own_rows).cwiseQuotient(e.slot->own_units);
  }
  product.head(own_begin()) += from_elements(p.reshaped());
  add_linear(x, omega_, product, nullptr);
  return product;
}

/// Blocks of an earlier system precondition this one too, only less well. What that costs is
/// counted in iterations, until it is more than what new blocks cost.
bool Condensed::solve(const Eigen::VectorXd& last, const Eigen::VectorXd& rhs, Eigen::VectorXd& z) {
  constexpr int as_much_as_new_blocks = 40;
  const Eigen::Index size = units_.size(), borders = columns_.cols();
  rows_.col(borders - 1) = last.head(size).cwiseQuotient(units_);
  corner_.row(borders - 1) = last.tail(borders).transpose();
  prepare();
  const std::vector<bool> harmonics = moving_harmonics(rhs);
  bool fresh = blocks_.empty() || wasted_ > as_much_as_new_blocks;
  if (fresh) blocks_.clear();
  build_preconditioner(harmonics);
  int iterations = solve_with_blocks(rhs, z);
  if (iterations < 0 && !fresh) {
    fresh = true;
    blocks_.clear();
    build_preconditioner(harmonics);
    iterations = solve_with_blocks(rhs, z);
  }
  if (iterations < 0) {
    blocks_.clear();
    return false;
  }
  if (fresh) {
    wasted_ = 0;
    needed_ = iterations;
  }
  wasted_ += std::max(0, iterations - needed_);
  return true;
}

int Condensed::solve_with_blocks(const Eigen::VectorXd& rhs, Eigen::VectorXd& z) const {
  const Eigen::Index size = units_.size(), borders = columns_.cols(), begin = own_begin();
  const Eigen::Index small = count_ * width_;
  // Equations of own unknowns, divided by what multiplies them: δo = N (end_q δq + right − column s).
  Eigen::VectorXd own_rows(own_), own_units(own_);
  for (const Element& e : elements_)
    if (e.own() > 0) {
      own_rows.segment(e.slot->own - begin, e.own()) =
          e.slot->own_units.cwiseQuotient(e.slot->own_weight() * e.slot->own_rows);
      own_units.segment(e.slot->own - begin, e.own()) = e.slot->own_units;
    }
  const auto forces_on = [&](const Eigen::VectorXd& all) {
    Eigen::VectorXd force = all.head(begin);
    if (own_ > 0)
      force -= from_elements(forces_of_own(all.segment(begin, own_).cwiseProduct(own_rows)));
    return force;
  };
  const auto own_of = [&](const Eigen::VectorXd& all) {
    Eigen::VectorXd own = all.segment(begin, own_).cwiseProduct(own_rows);
    for (const Element& e : elements_)
      if (e.own() > 0) {
        auto segment = own.segment(e.slot->own - begin, e.own());
        segment = (e.inverse * segment).eval();
      }
    return own;
  };
  const Eigen::VectorXd right_force = forces_on(rhs), right_own = own_of(rhs);
  Eigen::MatrixXd moved = on_modes(right_force);  // Z⁻¹ of the right side, on the modes
  divide(moved, false);
  std::vector<Eigen::MatrixXd> on_border, moved_by;  // of the borders: rows, and Z⁻¹ columns
  Eigen::MatrixXd qb(small, borders), row(small, borders), pb(small, borders);
  Eigen::MatrixXd own_columns(own_, borders), own_borders(own_, borders);
  for (Eigen::Index i = 0; i < borders; ++i) {
    const Eigen::VectorXd force = forces_on(columns_.col(i)), border = rows_.col(i).head(begin);
    moved_by.push_back(on_modes(force));
    divide(moved_by.back(), false);
    qb.col(i) = asked(moved_by.back(), force);
    own_columns.col(i) = own_of(columns_.col(i));
    own_borders.col(i) = rows_.col(i).tail(own_).cwiseQuotient(own_units);
    // Aᵀ Wᵀ Z⁻ᵀ C, less what the borders ask of inputs that are unknowns, and of own unknowns.
    on_border.push_back(on_modes(border));
    Eigen::MatrixXd through = on_border.back();
    divide(through, true);
    row.col(i) = element_transposed(product(share_->at_joints, through).reshaped());
    if (own_ > 0) row.col(i) -= inputs_of_own(own_borders.col(i));
    Eigen::Map<Eigen::MatrixXd> per_input(row.col(i).data(), count_, width_);
    for (const Element& e : elements_)
      e.slot->subtract_border(rows_of(border, stride_), per_input.middleRows(e.first, e.inputs));
    pb.col(i) = precondition(qb.col(i));
  }
  Eigen::MatrixXd corner = corner_ - own_borders.transpose() * own_columns;
  Eigen::VectorXd right_corner = rhs.tail(borders) - own_borders.transpose() * right_own;
  for (Eigen::Index i = 0; i < borders; ++i) {
    const Eigen::MatrixXd& on = on_border[static_cast<std::size_t>(i)];
    right_corner[i] -= on.cwiseProduct(moved).sum();
    for (Eigen::Index j = 0; j < borders; ++j)
      corner(i, j) -= on.cwiseProduct(moved_by[static_cast<std::size_t>(j)]).sum();
  }

  // The borders are eliminated with the preconditioner in place of the matrix. Their unknowns are
  // measured by what they move, so that GMRES sees all in the same units.
  const dense::Lu pivot(corner + row.transpose() * pb);
  const Eigen::VectorXd unit =
      pb.colwise().norm().unaryExpr([](double length) { return length > 0 ? 1 / length : 1.0; });
  const auto preconditioned = [&](const Eigen::VectorXd& q, const Eigen::VectorXd& s) {
    Eigen::VectorXd result(small + borders);
    const Eigen::VectorXd pq = precondition(q);
    const Eigen::VectorXd eliminated = pivot.solve(s + row.transpose() * pq);
    result.head(small) = pq - pb * eliminated;
    result.tail(borders) = eliminated.cwiseQuotient(unit);
    return result;
  };
  const auto apply = [&](const Eigen::VectorXd& v) {
    const Eigen::VectorXd q = v.head(small);
    const Eigen::VectorXd s = v.tail(borders).cwiseProduct(unit);
    return preconditioned(q + receptance(element_forces(q)) + qb * s,
                          corner * s - row.transpose() * q);
  };
  const Eigen::VectorXd right = preconditioned(asked(moved, right_force), right_corner);
  Eigen::VectorXd answer;
  const int iterations = gmres(apply, right, answer);
  if (iterations < 0) return iterations;
  const Eigen::VectorXd q = answer.head(small), s = answer.tail(borders).cwiseProduct(unit);
  z.resize(size + borders);
  z.tail(borders) = s;
  Eigen::MatrixXd joint_forces =
      product(share_->at_joints.transpose(), rows_of(element_forces(q), count_));
  divide(joint_forces, false);
  moved -= joint_forces;
  for (Eigen::Index i = 0; i < borders; ++i) moved -= s[i] * moved_by[static_cast<std::size_t>(i)];
  Eigen::Map<Eigen::MatrixXd> unknowns(z.data(), stride_, width_);
  unknowns.setZero();
  unknowns.topRows(dofs_) = product(share_->shapes, moved);
  for (const Element& e : elements_) {
    const Eigen::VectorXd input = part(q, e);
    e.slot->write_inputs(input.reshaped(e.inputs, width_), unknowns);
    if (e.own() == 0) continue;
    const Eigen::Index place = e.slot->own - begin;
    z.segment(e.slot->own, e.own()) = (e.follow * input + right_own.segment(place, e.own()) -
                                       own_columns.middleRows(place, e.own()) * s)
                                          .cwiseQuotient(e.slot->own_units);
  }
  z.head(size) = z.head(size).cwiseQuotient(units_).eval();
  return z.allFinite() ? iterations : -1;
}

}  // namespace microslip::dynamics
