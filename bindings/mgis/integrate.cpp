#include <cmath>
#include <limits>
#include <string>

#include "../c/handles.hpp"
#include "behaviour.hpp"
#include "laws.hpp"

namespace microslip::mgis {
namespace {

/// What K[0] asks for.
struct Asked {
  bool step = true;  ///< otherwise only the operator, before a step
  enum { nothing, elastic, tangent } operator_ = nothing;
};

Asked asked_for(double k) {
  if (k > 50) throw Error("a joint has no speed of sound");
  Asked asked;
  asked.step = k > -0.5;
  const double kind = std::abs(k);
  if (kind > 2.5)
    asked.operator_ = Asked::tangent;
  else if (kind > 1.5)
    throw Error("the secant operator is not defined; elastic and tangent operators are");
  else if (kind > 0.5)
    asked.operator_ = Asked::elastic;
  return asked;
}

void run(const Behaviour& behaviour, microslip_mgis_data& d) {
  const auto need = [](const void* pointer, const char* name) {
    if (!pointer) throw Error(std::string(name) + " is not given");
  };
  const microslip_mgis_state &s0 = d.s0, &s1 = d.s1;
  need(d.K, "the operator K");
  need(s0.gradients, "the gradient at the beginning");
  need(s0.internal_state_variables, "the state at the beginning");
  if (behaviour.properties > 0) need(s1.material_properties, "the list of material properties");
  const Asked asked = asked_for(d.K[0]);
  const AnyModel& law =
      hosts::kept_law(behaviour.law, s1.material_properties, behaviour.properties);
  // On a zero step the tangent is that of the last direction, and at rest the elastic one.
  const auto tangent_at = [&](AnyState state, double u) {
    const double still = std::numeric_limits<double>::infinity();
    return law.step(state, u, still, state).tangent;
  };
  if (asked.step) {
    need(s1.gradients, "the gradient at the end");
    need(s1.thermodynamic_forces, "the force at the end");
    need(s1.internal_state_variables, "the state at the end");
    const hosts::Answer answer = hosts::step(
        behaviour.law, s1.material_properties, behaviour.properties, s1.gradients[0], d.dt,
        s0.internal_state_variables, s1.internal_state_variables, behaviour.states);
    s1.thermodynamic_forces[0] = answer.force;
    if (s1.stored_energy) *s1.stored_energy = answer.stored;
    if (s1.dissipated_energy) *s1.dissipated_energy = answer.energy;
    if (asked.operator_ == Asked::tangent) d.K[0] = answer.tangent;
  } else if (asked.operator_ == Asked::tangent) {
    d.K[0] = tangent_at(hosts::unpacked(law, s0.internal_state_variables, behaviour.states),
                        s0.gradients[0]);
  }
  if (asked.operator_ == Asked::elastic) d.K[0] = tangent_at(law.rest(), 0);
}

void say(char* buffer, const std::string& sentence) noexcept {
  if (!buffer) return;
  const std::size_t size = std::min<std::size_t>(sentence.size(), 511);
  std::memcpy(buffer, sentence.data(), size);
  buffer[size] = '\0';
}

}  // namespace

int integrate(const Behaviour& behaviour, microslip_mgis_data* data) noexcept {
  if (!data) return -1;
  std::string sentence = "an unknown failure inside microslip";
  try {
    run(behaviour, *data);
    return 1;
  } catch (const c::Stopped& stopped) {
    if (data->rdt) *data->rdt = 0.25;  // a smaller step may have an answer
    sentence = stopped.sentence;
  } catch (const std::exception& error) {
    sentence = error.what();
  } catch (...) {
  }
  say(data->error_message, sentence);
  return -1;
}

}  // namespace microslip::mgis
