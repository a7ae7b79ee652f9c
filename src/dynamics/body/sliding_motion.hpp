#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <utility>
#include <vector>

#include "dynamics/body/sliding_course.hpp"
#include "dynamics/body/sliding_stepper.hpp"
#include "dynamics/joint/periodic_force.hpp"

namespace microslip::dynamics {

/// One period of a body with rigid friction, from one event to the next: a joint stops, stuck joints
/// let go, a law has a kink.
class SlidingMotion final : public SlidingStepper {
 public:
  /// Of one of the joints; where nothing tells, stuck ones hold in proportion to their limits.
  struct JointAnswer {
    PeriodicForce force;  ///< without derivatives
    JointLoop loop;
    SlidingCourse course;
  };

  SlidingMotion(ContactSet contacts, int harmonics, const Eigen::MatrixXd& damping,
                const Eigen::MatrixXd& stiffness, const Eigen::VectorXd& at)
      : SlidingStepper(std::move(contacts), harmonics, damping, stiffness, at),
        answers_(contacts_.size()) {}

  void begin(const Eigen::VectorXd& excitation, double omega);
  /// From u and v over the period, with so many columns of derivatives besides those by the start.
  bool run(const Eigen::VectorXd& u, const Eigen::VectorXd& v, bool recording,
           Eigen::Index columns);

  Status status() const { return status_; }
  void fail(Status status) { status_ = status; }

  /// Of a recorded period, a row for each node: Fourier functions times the weight, q, and its
  /// derivatives.
  auto node_rows() const { return node_rows_.topRows(nodes_); }
  auto node_u() const { return node_u_.topRows(nodes_); }
  auto wrt_u() const { return wrt_u_.topRows(nodes_); }
  std::vector<JointAnswer>& answers() { return answers_; }
  const std::vector<JointAnswer>& answers() const { return answers_; }

 private:
  struct Event {
    enum class Kind { none, stop, kink, release };
    Kind kind = Kind::none;
    double length = 0;  ///< until then, an angle
    std::size_t joint = 0;
    double kink = 0;
    ContactSet::Plane plane{};  ///< of a release
  };

  void advance(double theta, bool recording, int depth);
  Event first_event(const Step& step);
  void look_for_stop(const Step& step, std::size_t slipping, Event& first);
  void look_for_kink(const Step& step, std::size_t slipping, Event& first);
  void look_for_release(const Step& step, Event& first);
  void trace_release(double length, ContactSet::Decision beyond, Event& first);
  double length_to_slowest(const Step& step, std::size_t slipping);
  void take(const Step& step, const Event& event, bool recording);
  void stop(std::size_t j, bool recording);
  void release(const ContactSet::Plane& plane, bool recording);
  void choose_sides();
  void make_room();
  void note(const Step& step, int stage);
  void record_rests(const std::vector<int>& before);

  Status status_ = Status::ok;
  Step step_;
  double stuck_until_ = 0;  ///< angle until which nothing lets go, after a rejected start of slip
  int events_ = 0;

  Eigen::Index nodes_ = 0;  ///< recorded so far
  RowMatrix node_rows_, node_u_, wrt_u_;
  std::vector<JointAnswer> answers_;
};

}  // namespace microslip::dynamics
