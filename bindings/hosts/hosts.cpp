/// Entry points for programs with user routines, in the calling convention of Fortran: every
/// argument is an address, names have an underscore at the end.
///
/// The host keeps the memory of the law in its own state variables, so that increments which it
/// rejects, and restarts, need nothing from us:
///
///     1       how many of them are in use; 0: at rest
///     2       energy dissipated so far
///     then, for each field of the law's state in alphabetical order, how many numbers it has and
///     these numbers
///
/// They are ordinary numbers, so a host may print, store and restore them as it likes.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../c/handles.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/core/text.hpp"

namespace microslip::hosts {
namespace {

/// A law by name, with its numbers in the order of its table; a list of n elements takes n of them.
AnyModel law_from(const std::string& name, const double* props, int count) {
  AnyModel law = catalog::make({name, {}, {}});
  if (law.description().family == Family::planar)
    throw Error(name + " is a planar law; these elements have one displacement");
  ParameterValues values;
  int used = 0;
  const auto next = [&](const std::string& parameter) {
    if (used == count)
      throw Error(name + " needs more than the " + std::to_string(count) +
                  " numbers given: the next one is " + parameter);
    return props[used++];
  };
  for (const ParameterInfo& info : law.description().parameters) {
    const Value& standard = law.parameters().at(info.name);
    if (const auto* list = std::get_if<std::vector<double>>(&standard)) {
      // One list takes what is left after the other numbers, and several share it.
      std::size_t lists = 0, numbers = 0;
      for (const ParameterInfo& other : law.description().parameters)
        (std::holds_alternative<std::vector<double>>(law.parameters().at(other.name)) ? lists
                                                                                      : numbers)++;
      const std::size_t length =
          count == 0 ? list->size() : (static_cast<std::size_t>(count) - numbers) / lists;
      std::vector<double> elements(length);
      for (double& x : elements) x = next(info.name);
      values[info.name] = elements;
    } else if (std::holds_alternative<double>(standard)) {
      values[info.name] = next(info.name);
    } else {
      throw Error(name + "." + info.name + " is not a number, which is all that a host can give");
    }
  }
  if (used != count)
    throw Error(name + " has " + std::to_string(used) + " numbers, but " + std::to_string(count) +
                " are given");
  return law.with(values);
}

/// Laws are immutable, so keeping those that a thread has used changes nothing but the time.
const AnyModel& kept_law(const std::string& name, const double* props, int count) {
  thread_local std::map<std::pair<std::string, std::vector<double>>, AnyModel> kept;
  std::pair<std::string, std::vector<double>> key{name, {props, props + count}};
  if (const auto found = kept.find(key); found != kept.end()) return found->second;
  if (kept.size() >= 1000) kept.clear();
  AnyModel law = law_from(name, props, count);
  return kept.emplace(std::move(key), std::move(law)).first->second;
}

AnyState unpacked(const AnyModel& law, const double* statev, int count) {
  if (count < 1 || statev[0] == 0) return law.rest();
  const StateRecord fields = law.save(law.rest());
  const auto used = static_cast<int>(statev[0]);
  if (!(statev[0] >= 2) || used > count) throw Error("the state variables are damaged");
  StateRecord record;
  int at = 2;
  for (const auto& [name, numbers] : fields) {
    const auto size = at < used ? statev[at++] : -1;
    if (!(size >= 0) || at + size > used) throw Error("the state variables are damaged");
    record[name].assign(statev + at, statev + at + static_cast<int>(size));
    at += static_cast<int>(size);
  }
  if (at != used) throw Error("the state variables are damaged");
  return law.load(record);
}

std::vector<double> packed(const AnyModel& law, const AnyState& state, double energy) {
  std::vector<double> all{0, energy};
  for (const auto& [name, numbers] : law.save(state)) {
    all.push_back(static_cast<double>(numbers.size()));
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  all[0] = static_cast<double>(all.size());
  return all;
}

struct Answer {
  double force, tangent, energy, stored;
};

/// From the state variables at the start of the increment to those at its end.
Answer step(const std::string& name, const double* props, int prop_count, double u, double dt,
            double* statev, int state_count) {
  const AnyModel& law = kept_law(name, props, prop_count);
  if (!std::isfinite(u)) throw Error("the displacement must be a finite number");
  const bool timed = law.description().family == Family::rate_dependent;
  AnyState state = unpacked(law, statev, state_count);
  const double before = state_count > 1 && statev[0] != 0 ? statev[1] : 0;
  const Response<double> reply =
      law.step(state, u, timed && !(dt > 0) ? std::numeric_limits<double>::infinity() : dt, state);
  if (reply.status != Status::ok)
    throw c::Stopped{static_cast<int>(reply.status), 0,
                     name + " stopped: " + std::string(explain(reply.status))};
  const double energy = before + reply.dissipated;
  const std::vector<double> all = packed(law, state, energy);
  if (all.size() > static_cast<std::size_t>(state_count))
    throw Error(name + " needs " + std::to_string(all.size()) + " state variables by now, but " +
                std::to_string(state_count) +
                " are given; memories of turning points grow with the history");
  std::fill(statev, statev + state_count, 0.0);
  std::copy(all.begin(), all.end(), statev);
  return {reply.force, reply.tangent, energy, law.stored(state)};
}

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
    answer = step(name, props, prop_count, u, dt, statev, state_count);
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
/// they go on: add two for each reversal that may be open at a time.
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
