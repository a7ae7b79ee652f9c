#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "handles.hpp"

namespace microslip::c {
namespace {

// ------------------------------------------------------------------------------ states as bytes
//
// All numbers are 64 bits, least significant byte first:
//   "MSLIPST1" · name of the law · energy · origin x · origin y · t · has time · number of fields ·
//   fields (name, count, numbers) · FNV-1a hash of everything before it
// A name is its length and its bytes.

constexpr std::string_view magic = "MSLIPST1";

class Writer {
 public:
  void number(std::uint64_t x) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(x >> (8 * i)));
  }
  void number(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    number(bits);
  }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    bytes_.append(text);
  }
  void raw(std::string_view text) { bytes_.append(text); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

[[noreturn]] void refuse_bytes(const char* why) {
  throw Error(std::string("these bytes are not a saved state: ") + why);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  std::string_view raw(std::uint64_t size) {
    if (size > left_.size()) refuse_bytes("they end too early");
    const std::string_view part = left_.substr(0, size);
    left_.remove_prefix(size);
    return part;
  }
  std::uint64_t whole() {
    std::uint64_t x = 0;
    const std::string_view eight = raw(8);
    for (int i = 0; i < 8; ++i)
      x |=
          static_cast<std::uint64_t>(static_cast<unsigned char>(eight[static_cast<std::size_t>(i)]))
          << (8 * i);
    return x;
  }
  double number() {
    const std::uint64_t bits = whole();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  std::string text() { return std::string(raw(whole())); }
  std::vector<double> numbers() {
    const std::uint64_t count = whole();
    if (count > left_.size() / 8) refuse_bytes("they end too early");
    std::vector<double> list(count);
    for (double& x : list) x = number();
    return list;
  }
  bool done() const { return left_.empty(); }

 private:
  std::string_view left_;
};

std::uint64_t hash(std::string_view bytes) {
  std::uint64_t h = 14695981039346656037ull;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return h;
}

std::string bytes_of(const microslip_model& model, const microslip_state& state) {
  const StateRecord record = model.law.save(state.at.state);
  Writer out;
  out.raw(magic);
  out.text(model.name());
  for (const double x : {state.at.energy, state.at.origin, state.at.origin_y, state.at.t})
    out.number(x);
  out.number(static_cast<std::uint64_t>(state.has_time));
  out.number(static_cast<std::uint64_t>(record.size()));
  for (const auto& [name, numbers] : record) {
    out.text(name);
    out.number(static_cast<std::uint64_t>(numbers.size()));
    for (const double x : numbers) out.number(x);
  }
  if (state.at.origin_n != 0) out.number(state.at.origin_n);
  out.number(hash(out.bytes()));
  return out.bytes();
}

std::unique_ptr<microslip_state> state_from(const microslip_model& model, std::string_view bytes) {
  if (!bytes.starts_with(magic)) refuse_bytes("they begin in another way");
  if (bytes.size() < magic.size() + 8) refuse_bytes("they end too early");
  const std::size_t end = bytes.size() - 8;
  if (Reader(bytes.substr(end)).whole() != hash(bytes.substr(0, end)))
    refuse_bytes("they are damaged");
  Reader in(bytes.substr(magic.size(), end - magic.size()));
  if (const std::string name = in.text(); name != model.name())
    throw Error("this is a state of " + name + ", not of " + model.name());
  auto state = std::make_unique<microslip_state>();
  state->owner = model.label;
  state->at.energy = in.number();
  state->at.origin = in.number();
  state->at.origin_y = in.number();
  state->at.t = in.number();
  state->has_time = in.whole() != 0;
  StateRecord record;
  for (std::uint64_t fields = in.whole(); fields > 0; --fields) {
    std::string name = in.text();
    record[std::move(name)] = in.numbers();
  }
  if (!in.done()) state->at.origin_n = in.number();
  if (!in.done()) refuse_bytes("they end too late");
  state->at.state = model.law.load(record);
  return state;
}

// ------------------------------------------------------------------------------------------ steps

void assign(microslip_state& to, const microslip_state& from) {
  if (&to == &from) return;
  to.at.energy = from.at.energy;
  to.at.origin = from.at.origin;
  to.at.origin_y = from.at.origin_y;
  to.at.origin_n = from.at.origin_n;
  to.at.t = from.at.t;
  to.has_time = from.has_time;
}

void require_finite(double x, const char* name) {
  if (!std::isfinite(x))
    throw Error(std::string(name) + " = " +
                (std::isnan(x) ? "nan"
                 : x > 0       ? "inf"
                               : "-inf") +
                " must be a finite number");
}

[[noreturn]] void stop(const microslip_model& model, Status status) {
  throw Stopped{static_cast<int>(status), 0,
                model.name() + " stopped: " + std::string(explain(status))};
}
[[noreturn]] void stop_infinite(const microslip_model& model) {
  throw Stopped{MICROSLIP_STATUS_INFINITE, 0,
                model.name() + " stopped: force or energy is too large for a number"};
}

void step(const microslip_model& model, const microslip_state& from, double u, double dt,
          microslip_state& to, microslip_response& response) {
  check_owner(model, from);
  check_owner(model, to);
  require_finite(u, "u");
  const bool timed = model.law.description().family == Family::rate_dependent;
  if (timed && !(dt > 0)) throw Error(model.name() + " depends on the rate: dt must be positive");
  const Response<double> reply =
      model.law.step(from.at.state, u - from.at.origin, timed ? dt : 0, to.at.state);
  if (reply.status != Status::ok) stop(model, reply.status);
  if (!std::isfinite(reply.force) || !std::isfinite(reply.dissipated)) stop_infinite(model);
  assign(to, from);
  to.at.energy += reply.dissipated;
  if (timed && std::isfinite(dt) && from.has_time) to.at.t += dt;
  response = {reply.force, reply.tangent, reply.dissipated};
}

/// A step of a law with `u.size()` directions.
AnyResponse<double> step(const microslip_model& model, const microslip_state& from,
                         AnyVec<double> u, microslip_state& to) {
  check_owner(model, from);
  check_owner(model, to);
  const auto& directions = model.law.directions();
  if (directions.size() != static_cast<std::size_t>(u.size()))
    throw Error(model.name() + (directions.empty() ? " is a scalar law: it has one displacement"
                                                   : " has " + std::to_string(directions.size()) +
                                                         " directions: it needs as many "
                                                         "displacements"));
  for (std::size_t i = 0; i < directions.size(); ++i) {
    double& x = u[static_cast<Eigen::Index>(i)];
    require_finite(x, ("u" + directions[i]).c_str());
    x -= from.at.origin_along(directions[i]);
  }
  const AnyResponse<double> reply = model.law.step(from.at.state, u, to.at.state);
  if (reply.status != Status::ok) stop(model, reply.status);
  if (!reply.force.allFinite() || !std::isfinite(reply.dissipated)) stop_infinite(model);
  assign(to, from);
  to.at.energy += reply.dissipated;
  return reply;
}

void step(const microslip_model& model, const microslip_state& from, double ux, double uy,
          microslip_state& to, microslip_planar_response& response) {
  const AnyResponse<double> reply = step(model, from, Vec2<double>(ux, uy), to);
  response = {{reply.force[0], reply.force[1]},
              {reply.tangent(0, 0), reply.tangent(0, 1), reply.tangent(1, 0), reply.tangent(1, 1)},
              reply.dissipated};
}

void step(const microslip_model& model, const microslip_state& from, const double* u,
          microslip_state& to, microslip_vector_response& response) {
  const auto n = static_cast<Eigen::Index>(model.law.description().direction_count());
  AnyVec<double> target(n);
  std::copy_n(u, n, target.data());
  const AnyResponse<double> reply = step(model, from, std::move(target), to);
  response = {};
  for (Eigen::Index i = 0; i < n; ++i) {
    response.force[i] = reply.force[i];
    for (Eigen::Index j = 0; j < n; ++j) response.tangent[i * n + j] = reply.tangent(i, j);
  }
  response.dissipated = reply.dissipated;
}

/// A trial, and whether it can be committed.
template <class Try>
int trial(microslip_joint* joint, microslip_error* error, Try&& try_step) noexcept {
  return guarded(error, [&] {
    require(joint, "joint");
    joint->last = microslip_joint::Trial::failed;
    try_step();
    joint->last = microslip_joint::Trial::good;
  });
}

}  // namespace
}  // namespace microslip::c

using namespace microslip;
using namespace microslip::c;

int microslip_rest(const microslip_model* model, microslip_state** out, microslip_error* error) {
  return microslip_rest_at(model, 0, 0, out, error);
}

int microslip_rest_at(const microslip_model* model, double x, double y, microslip_state** out,
                      microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(out, "out");
    require_finite(x, "x");
    require_finite(y, "y");
    *out = new microslip_state(rest_of(*model, x, y));
  });
}

int microslip_rest_at_vector(const microslip_model* model, const double* at, microslip_state** out,
                             microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(at, "at");
    require(out, "out");
    microslip_state state = rest_of(*model);
    const auto& directions = model->law.directions();
    for (std::size_t i = 0; i < model->law.description().direction_count(); ++i) {
      require_finite(at[i], "at");
      state.at.origin_along(directions.empty() ? "x" : directions[i]) = at[i];
    }
    *out = new microslip_state(std::move(state));
  });
}

int microslip_state_copy(const microslip_state* state, microslip_state** out,
                         microslip_error* error) {
  return guarded(error, [&] {
    require(state, "state");
    require(out, "out");
    *out = new microslip_state(*state);
  });
}

void microslip_state_destroy(microslip_state* state) { delete state; }

double microslip_state_energy(const microslip_state* state) {
  return state ? state->at.energy : std::numeric_limits<double>::quiet_NaN();
}

int microslip_stored(const microslip_model* model, const microslip_state* state, double* stored,
                     microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(state, "state");
    require(stored, "stored");
    check_owner(*model, *state);
    *stored = model->law.stored(state->at.state);
  });
}

int microslip_state_save(const microslip_model* model, const microslip_state* state, void* bytes,
                         std::size_t capacity, std::size_t* size, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(state, "state");
    require(size, "size");
    check_owner(*model, *state);
    const std::string all = bytes_of(*model, *state);
    *size = all.size();
    if (!bytes) return;
    if (capacity < all.size())
      throw Error("the state takes " + std::to_string(all.size()) + " bytes; there is room for " +
                  std::to_string(capacity));
    std::memcpy(bytes, all.data(), all.size());
  });
}

int microslip_state_load(const microslip_model* model, const void* bytes, std::size_t size,
                         microslip_state** out, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(bytes, "bytes");
    require(out, "out");
    *out = state_from(*model, {static_cast<const char*>(bytes), size}).release();
  });
}

int microslip_step(const microslip_model* model, const microslip_state* from, double u, double dt,
                   microslip_state* to, microslip_response* response, microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(from, "from");
    require(to, "to");
    require(response, "response");
    step(*model, *from, u, dt, *to, *response);
  });
}

int microslip_step_planar(const microslip_model* model, const microslip_state* from, double ux,
                          double uy, microslip_state* to, microslip_planar_response* response,
                          microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(from, "from");
    require(to, "to");
    require(response, "response");
    step(*model, *from, ux, uy, *to, *response);
  });
}

int microslip_step_vector(const microslip_model* model, const microslip_state* from,
                          const double* u, microslip_state* to, microslip_vector_response* response,
                          microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(from, "from");
    require(u, "u");
    require(to, "to");
    require(response, "response");
    step(*model, *from, u, *to, *response);
  });
}

int microslip_joint_create(const microslip_model* model, microslip_joint** out,
                           microslip_error* error) {
  return guarded(error, [&] {
    require(model, "model");
    require(out, "out");
    const microslip_state rest = rest_of(*model);
    *out = new microslip_joint{*model, rest, rest};
  });
}

void microslip_joint_destroy(microslip_joint* joint) { delete joint; }

int microslip_joint_trial(microslip_joint* joint, double u, double dt, microslip_response* response,
                          microslip_error* error) {
  return trial(joint, error, [&] {
    require(response, "response");
    step(joint->law, joint->committed, u, dt, joint->trial, *response);
  });
}

int microslip_joint_trial_planar(microslip_joint* joint, double ux, double uy,
                                 microslip_planar_response* response, microslip_error* error) {
  return trial(joint, error, [&] {
    require(response, "response");
    step(joint->law, joint->committed, ux, uy, joint->trial, *response);
  });
}

int microslip_joint_trial_vector(microslip_joint* joint, const double* u,
                                 microslip_vector_response* response, microslip_error* error) {
  return trial(joint, error, [&] {
    require(u, "u");
    require(response, "response");
    step(joint->law, joint->committed, u, joint->trial, *response);
  });
}

int microslip_joint_commit(microslip_joint* joint, microslip_error* error) {
  return guarded(error, [&] {
    require(joint, "joint");
    if (joint->last == microslip_joint::Trial::failed)
      throw Error("the last trial of " + joint->law.name() +
                  " failed, so there is nothing to commit; try another motion first");
    if (joint->last == microslip_joint::Trial::good) std::swap(joint->committed, joint->trial);
    joint->last = microslip_joint::Trial::none;
  });
}

int microslip_joint_state(const microslip_joint* joint, microslip_state** out,
                          microslip_error* error) {
  return guarded(error, [&] {
    require(joint, "joint");
    require(out, "out");
    *out = new microslip_state(joint->committed);
  });
}

int microslip_joint_restore(microslip_joint* joint, const microslip_state* state,
                            microslip_error* error) {
  return guarded(error, [&] {
    require(joint, "joint");
    require(state, "state");
    check_owner(joint->law, *state);
    joint->committed = *state;
    joint->trial = *state;
    joint->last = microslip_joint::Trial::none;
  });
}
