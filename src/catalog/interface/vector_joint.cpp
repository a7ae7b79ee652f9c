#include "microslip/catalog/vector_joint.hpp"

#include <utility>

#include "microslip/core/error.hpp"

namespace microslip::catalog {
namespace {

class VectorJoint final : public dynamics::InterfaceLaw {
 public:
  explicit VectorJoint(AnyModel law) : law_(std::move(law)) {}

  std::string name() const override { return law_.description().name; }
  Eigen::Index size() const override { return static_cast<Eigen::Index>(law_.directions().size()); }
  const AnyModel* model() const override { return &law_; }
  std::unique_ptr<Walk> walk() const override { return law_.walk(); }

  AnyState rest() const override { return law_.rest(); }
  using InterfaceLaw::step;
  void step(const AnyState& from, const Eigen::VectorXd& u, AnyState& to,
            dynamics::InterfaceReply& reply) const override {
    const AnyResponse<double> answer = law_.step(from, AnyVec<double>(u), to);
    reply.force = answer.force;
    reply.tangent = answer.tangent;
    reply.dissipated = answer.dissipated;
    reply.status = answer.status;
  }
  double stored(const AnyState& state) const override { return law_.stored(state); }

 private:
  AnyModel law_;
};

}  // namespace

std::shared_ptr<const dynamics::InterfaceLaw> vector_joint(AnyModel law) {
  if (law.directions().empty()) throw Error(law.description().name + " has one direction");
  return std::make_shared<VectorJoint>(std::move(law));
}

}  // namespace microslip::catalog
