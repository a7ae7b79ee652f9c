#include "microslip/catalog/vector_joint.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "microslip/core/error.hpp"

namespace microslip::catalog {
namespace {

/// The slider that a law is, if it is one.
std::optional<dynamics::PlanarSlider> slider_of(const AnyModel& law) {
  const auto value = [&](const char* name) { return std::get<double>(law.parameters().at(name)); };
  const std::string& name = law.description().name;
  if (name == "contact-planar")
    return dynamics::PlanarSlider{law, value("kt"), value("kn"), value("mu"), value("N0")};
  if (name != "jenkins-planar") return {};
  const auto method = law.options().find("method");
  const bool exact = method == law.options().end() || method->second == OptionValue("exact");
  if (!exact) return {};
  return dynamics::PlanarSlider{law, value("k"), 0, 1, value("phi")};
}

class VectorJoint final : public dynamics::InterfaceLaw {
 public:
  explicit VectorJoint(AnyModel law) : law_(std::move(law)) {}

  std::string name() const override { return law_.description().name; }
  Eigen::Index size() const override { return static_cast<Eigen::Index>(law_.directions().size()); }
  const AnyModel* model() const override { return &law_; }
  std::unique_ptr<Walk> walk() const override { return law_.walk(); }

  std::vector<dynamics::PlanarSlider> sliders() const override {
    std::vector<AnyModel> terms = law_.terms();
    if (terms.empty()) terms.push_back(law_);
    std::vector<dynamics::PlanarSlider> all;
    for (const AnyModel& term : terms) {
      const auto slider = slider_of(term);
      if (!slider) return {};
      all.push_back(*slider);
    }
    return all;
  }

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
