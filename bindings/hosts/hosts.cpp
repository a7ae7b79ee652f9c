/// Entry points for programs with user routines, in the calling convention of Fortran: every
/// argument is an address, names have an underscore at the end.
/// What the state variables hold is said in laws.hpp.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../c/handles.hpp"
#include "laws.hpp"
#include "microslip/catalog/catalog.hpp"

namespace microslip::hosts {
namespace {

/// A text of Fortran: blanks at its end, letters of either case, underscores for hyphens.
std::string law_name(const char* text, std::size_t length) {
  std::string name(text, text + length);
  name.erase(name.find_last_not_of(std::string_view(" \0", 2)) + 1);
  for (char& c : name)
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.starts_with("microslip-")) name.erase(0, 10);
  return name;
}

constexpr int host_fine = 0, host_cut_back = 1, host_bad_input = 2;

/// 0 fine; 1 the law has no answer, so a smaller increment may help; 2 bad input. The state
/// variables change only when it is fine.
int guarded_step(const std::string& name, const double* props, int prop_count, double u, double dt,
                 double* statev, int state_count, Answer& answer, std::string& message) noexcept {
  try {
    answer = step(name, props, prop_count, u, dt, statev, statev, state_count);
    return host_fine;
  } catch (const c::Stopped& stopped) {
    message = stopped.sentence;
    return host_cut_back;
  } catch (const std::exception& error) {
    message = error.what();
  } catch (...) {
    message = "an unknown failure inside microslip";
  }
  answer = {std::nan(""), std::nan(""), 0, 0};
  return host_bad_input;
}

/// There is no other way to say it; once for each sentence, not at every iteration of every element.
void complain(const std::string& message) {
  static std::mutex one_at_a_time;
  static std::set<std::string> said;
  const std::lock_guard lock(one_at_a_time);
  if (said.size() < 1000 && said.insert(message).second)
    std::fprintf(stderr, "microslip: %s\n", message.c_str());
}

/// How the degrees of freedom of an element enter its displacement: u = w . (its degrees of freedom).
/// jprops[0] is the direction: a degree of freedom of a node, counted from 1; 0 or none: the line between
/// the nodes; -1: the last numbers of the properties are a vector.
std::vector<double> direction_of(int dofs, int nodes, int dimension, const double* coords,
                                 const int* jprops, int jprop_count, const double* props,
                                 int& prop_count) {
  if (dofs == 1) return {1};
  if (dofs == 2 && nodes != 1) return {-1, 1};
  if (nodes != 1 && nodes != 2)
    throw Error("the element has " + std::to_string(nodes) + " nodes; 1 or 2 are allowed");
  const int each = dofs / nodes;
  if (each * nodes != dofs || (each != 1 && each != 2 && each != 3 && each != 6))
    throw Error("the element has " + std::to_string(dofs) + " degrees of freedom at " +
                std::to_string(nodes) + " nodes; 1, 2, 3 or 6 a node are allowed");
  const int translations = std::min(each, 3);
  const int asked = jprop_count > 0 ? jprops[0] : 0;
  std::vector<double> n(static_cast<std::size_t>(each), 0.0);
  if (asked > each || asked < -1)
    throw Error("the direction " + std::to_string(asked) + " of the element must lie in [-1, " +
                std::to_string(each) + "]");
  if (asked > 0) {
    n[static_cast<std::size_t>(asked - 1)] = 1;
  } else {
    double square = 0;
    if (asked == -1) {
      if (prop_count < translations)
        throw Error("the properties end with the direction, which is missing");
      prop_count -= translations;
    } else if (nodes == 1) {
      throw Error("an element with one node needs its direction as the first integer property");
    }
    for (int i = 0; i < translations; ++i) {
      const double x = asked == -1     ? props[prop_count + i]
                       : i < dimension ? coords[dimension + i] - coords[i]
                                       : 0.0;
      n[static_cast<std::size_t>(i)] = x;
      square += x * x;
    }
    if (!(square > 0) || !std::isfinite(square))
      throw Error(asked == -1
                      ? "the direction of the element has no length"
                      : "the nodes of the element lie at one place; its direction has to be the "
                        "first integer property");
    for (double& x : n) x /= std::sqrt(square);
  }
  if (nodes == 1) return n;
  std::vector<double> both;
  for (const double x : n) both.push_back(-x);
  both.insert(both.end(), n.begin(), n.end());
  return both;
}

double component(const std::vector<double>& w, const double* x) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * x[i];
  return sum;
}

/// What an element is asked for, LFLAGS(3) of the manual.
enum Asked { residual_and_stiffness = 1, stiffness, damping, mass, residual, initial_mass };

}  // namespace
}  // namespace microslip::hosts

using namespace microslip;
using namespace microslip::hosts;

extern "C" {

/// A spring with any law, for hosts of one's own.
///
///     call microslip_spring(name, props, nprops, u, dt, statev, nstatv, force, tangent,
///                           dissipated, stored, info, message)
///
/// name, message: character(*); info: 0 fine, 1 cut the increment back, 2 bad input.
void microslip_spring_(const char* name, const double* props, const int* nprops, const double* u,
                       const double* dt, double* statev, const int* nstatv, double* force,
                       double* tangent, double* dissipated, double* stored, int* info,
                       char* message, std::size_t name_length, std::size_t message_length) {
  Answer answer{std::nan(""), std::nan(""), 0, 0};
  std::string text;
  *info = guarded_step(law_name(name, name_length), props, *nprops, *u, *dt, statev, *nstatv,
                       answer, text);
  text.resize(message_length, ' ');
  std::memcpy(message, text.data(), message_length);
  if (*info == host_cut_back) return;
  *force = answer.force;
  *tangent = answer.tangent;
  *dissipated = answer.energy;
  *stored = answer.stored;
}

/// How many state variables a law needs at rest. Laws that remember turning points need more as
/// they go on: add three for each reversal that may be open at a time.
void microslip_states_(const char* name, const double* props, const int* nprops, int* count,
                       std::size_t name_length) {
  *count = -1;
  try {
    const AnyModel& law = kept_law(law_name(name, name_length), props, *nprops);
    *count = static_cast<int>(packed(law, law.rest(), 0).size());
  } catch (...) {
  }
}

/// A user material of one component (trusses, connectors): strain is displacement, stress is force.
/// The material is named after the law, MICROSLIP_IWAN4; its constants are the law's numbers.
void umat_(double* stress, double* statev, double* ddsdde, double* sse, double* spd, double*,
           double*, double*, double*, double*, const double* stran, const double* dstran,
           const double*, const double* dtime, const double*, const double*, const double*,
           const double*, const char* cmname, const int*, const int*, const int* ntens,
           const int* nstatv, const double* props, const int* nprops, const double*, const double*,
           double* pnewdt, const double*, const double*, const double*, const int*, const int*,
           const int*, const int*, const int*, const int*, std::size_t) {
  Answer answer{};
  std::string message;
  int info = host_bad_input;
  if (*ntens == 1)
    info = guarded_step(law_name(cmname, 80), props, *nprops, stran[0] + dstran[0], *dtime, statev,
                        *nstatv, answer, message);
  else
    message =
        "the material has " + std::to_string(*ntens) +
        " components; joints have one (a truss; CalculiX gives every material six, so it cannot "
        "use them)";
  if (info == host_cut_back) {
    *pnewdt = std::min(*pnewdt, 0.25);
    return;
  }
  if (info == host_bad_input) {
    // Numbers that are none stop the host.
    complain(message);
    std::fill(stress, stress + *ntens, std::nan(""));
    std::fill(ddsdde, ddsdde + *ntens * *ntens, std::nan(""));
    return;
  }
  stress[0] = answer.force;
  ddsdde[0] = answer.tangent;
  *sse = answer.stored;
  *spd = answer.energy;
}

/// A user element: a spring with any law between two nodes, or from one to the ground. The type of the
/// element is the place of the law in the list of `microslip models`, counted from 1. The last state
/// variable holds the force at the end of the increment, which the operator of Hilber, Hughes and Taylor
/// asks for in the next one.
void uel_(double* rhs, double* amatrx, double* svars, double* energy, const int* ndofel,
          const int* nrhs, const int* nsvars, const double* props, const int* nprops,
          const double* coords, const int* mcrd, const int* nnode, const double* u, const double*,
          const double*, const double*, const int* jtype, const double*, const double* dtime,
          const int*, const int*, const int*, const double* params, const int*, const int*,
          const double*, const double*, const int*, const int* lflags, const int* mlvarx,
          const double*, const int*, double* pnewdt, const int* jprops, const int* njprop,
          const double*) {
  const int n = *ndofel;
  std::fill(amatrx, amatrx + n * n, 0.0);
  for (int column = 0; column < *nrhs; ++column)
    std::fill(rhs + column * *mlvarx, rhs + column * *mlvarx + n, 0.0);
  const int asked = lflags[2];
  if (asked == mass || asked == initial_mass) return;  // a spring has none
  std::vector<double> w;
  std::string message, law;
  int law_props = *nprops;
  int info = host_bad_input;
  try {
    const auto laws = catalog::laws();
    if (*jtype < 1 || *jtype > static_cast<int>(laws.size()))
      throw Error("the type " + std::to_string(*jtype) + " of the element must lie in [1, " +
                  std::to_string(laws.size()) + "]");
    if (*nsvars < 1) throw Error("the element has no state variables");
    law = laws[static_cast<std::size_t>(*jtype - 1)].description.name;
    w = direction_of(n, *nnode, *mcrd, coords, jprops, *njprop, props, law_props);
    info = host_fine;
  } catch (const std::exception& error) {
    message = error.what();
  }
  // Stiffness and damping alone are questions, and so is the residual at half an increment: the state stays.
  const bool dynamics = lflags[0] == 11 || lflags[0] == 12;
  const bool matrix_only = asked == stiffness || asked == damping;
  const bool question = matrix_only || (dynamics && asked == residual);
  std::vector<double> copy;
  double* state = svars;
  if (question) {
    copy.assign(svars, svars + *nsvars);
    state = copy.data();
  }
  Answer answer{}, still{};
  const double before = *nsvars > 0 ? svars[*nsvars - 1] : 0;
  const auto step_in = [&](double dt, double* variables, Answer& found) {
    return guarded_step(law, props, law_props, component(w, u), dt, variables, *nsvars - 1, found,
                        message);
  };
  if (info == host_fine) info = step_in(*dtime, state, answer);
  double tangent = answer.tangent;
  if (info == host_fine && asked == damping) {
    // The part of the tangent that a slow increment does not have is that of the velocity.
    copy.assign(svars, svars + *nsvars);
    info = step_in(std::numeric_limits<double>::infinity(), copy.data(), still);
    tangent = *dtime > 0 ? (answer.tangent - still.tangent) * *dtime : 0;
  }
  if (info == host_cut_back) {
    *pnewdt = std::min(*pnewdt, 0.25);
    return;
  }
  if (info == host_bad_input) {
    // Numbers that are none stop the host; zeros would let it go on without the joint.
    complain(message);
    std::fill(amatrx, amatrx + n * n, std::nan(""));
    std::fill(rhs, rhs + n, std::nan(""));
    return;
  }
  // Implicit dynamics: the force of both ends of the increment, with the part alpha of the earlier one.
  const double alpha = dynamics && asked != damping ? params[0] : 0;
  const double force = (1 + alpha) * answer.force - alpha * before;
  for (int i = 0; i < n; ++i) {
    const double wi = w[static_cast<std::size_t>(i)];
    if (!matrix_only) rhs[i] = -wi * force;
    if (asked != residual)
      for (int j = 0; j < n; ++j)
        amatrx[i + j * n] = (1 + alpha) * wi * w[static_cast<std::size_t>(j)] * tangent;
  }
  if (question) return;
  svars[*nsvars - 1] = answer.force;
  energy[1] = answer.stored;
  energy[3] = answer.energy;
}

}  // extern "C"
