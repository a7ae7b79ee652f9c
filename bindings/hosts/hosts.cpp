/// Entry points for programs with user routines, in the calling convention of Fortran: every
/// argument is an address, names have an underscore at the end.
/// What the state variables hold is said in laws.hpp.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

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
    message = "the material has " + std::to_string(*ntens) + " components; joints have one";
  if (info == host_cut_back) {
    *pnewdt = 0.25;
    return;
  }
  if (info == host_bad_input) {
    // There is no other way to say it; numbers that are none stop the host.
    std::fprintf(stderr, "microslip: %s\n", message.c_str());
    stress[0] = ddsdde[0] = std::nan("");
    return;
  }
  stress[0] = answer.force;
  ddsdde[0] = answer.tangent;
  *sse = answer.stored;
  *spd = answer.energy;
}

/// A user element: a spring between two degrees of freedom, or from one to the ground. The type of
/// the element is the place of the law in the list of `microslip models`, counted from 1.
void uel_(double* rhs, double* amatrx, double* svars, double* energy, const int* ndofel,
          const int* nrhs, const int* nsvars, const double* props, const int* nprops, const double*,
          const int*, const int*, const double* u, const double*, const double*, const double*,
          const int* jtype, const double*, const double* dtime, const int*, const int*, const int*,
          const double*, const int*, const int*, const double*, const double*, const int*,
          const int* lflags, const int* mlvarx, const double*, const int*, double* pnewdt,
          const int*, const int*, const double*) {
  const int n = *ndofel;
  std::fill(amatrx, amatrx + n * n, 0.0);
  for (int column = 0; column < *nrhs; ++column)
    std::fill(rhs + column * *mlvarx, rhs + column * *mlvarx + n, 0.0);
  const int asked = lflags[2];
  if (asked == 4 || asked == 6) return;  // mass matrices: a spring has none
  Answer answer{};
  std::string message;
  int info = host_bad_input;
  const auto laws = catalog::laws();
  if (n != 1 && n != 2)
    message = "the element has " + std::to_string(n) + " degrees of freedom; 1 or 2 are allowed";
  else if (*jtype < 1 || *jtype > static_cast<int>(laws.size()))
    message = "the type " + std::to_string(*jtype) + " of the element must lie in [1, " +
              std::to_string(laws.size()) + "]";
  else
    info = guarded_step(laws[static_cast<std::size_t>(*jtype - 1)].description.name, props, *nprops,
                        n == 1 ? u[0] : u[1] - u[0], *dtime, svars, *nsvars, answer, message);
  if (info == host_cut_back) {
    *pnewdt = 0.25;
    return;
  }
  if (info == host_bad_input) std::fprintf(stderr, "microslip: %s\n", message.c_str());
  const double w[] = {n == 1 ? 1.0 : -1.0, 1.0};
  for (int i = 0; i < n && i < 2; ++i) {
    rhs[i] = -w[i] * answer.force;
    for (int j = 0; j < n; ++j) amatrx[i + j * n] = w[i] * w[j] * answer.tangent;
  }
  energy[1] = answer.stored;
  energy[3] = answer.energy;
}

}  // extern "C"
