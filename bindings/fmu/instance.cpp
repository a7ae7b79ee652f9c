#include "instance.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "bytes.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/file.hpp"

namespace microslip::fmu {
namespace {

constexpr std::string_view magic = "MSLIPFM4";

}  // namespace

std::unique_ptr<Unit> read_unit(const std::string& resources) {
  const std::filesystem::path structure = resources + "/structure.json";
  if (std::filesystem::exists(structure)) return make_structure(io::read_file(structure));
  return make_joint(resources + "/model.json");
}

const Variable& Instance::find(unsigned reference) const {
  for (const Variable& v : contents().variables)
    if (v.reference == reference) return v;
  throw Error("there is no variable with the value reference " + std::to_string(reference));
}

const Variable& Instance::real(unsigned reference) const {
  const Variable& v = find(reference);
  if (v.boolean) throw Error(v.name + " is a Boolean, not a real number");
  return v;
}

const Variable& Instance::boolean(unsigned reference) const {
  const Variable& v = find(reference);
  if (!v.boolean) throw Error("this FMU has real variables there: " + v.name + " is no Boolean");
  return v;
}

void Instance::begin() {
  phase = instantiated;
  for (auto* list : {&values, &inputs, &outputs}) list->clear();
  for (const Variable& v : contents().variables) {
    std::vector<double>& list = v.role == Role::parameter ? values
                                : v.role == Role::input   ? inputs
                                                          : outputs;
    list.resize(std::max(list.size(), v.index + 1), 0.0);
    list[v.index] = v.start;
  }
  slopes.assign(inputs.size(), 0.0);
  built = initialized = has_slope = false;
  t = 0;
  stop = std::numeric_limits<double>::infinity();
}

void Instance::set_times(double start, bool stop_defined, double stop_time) {
  if (!std::isfinite(start)) throw Error("the start time must be a finite number");
  if (stop_defined && !(stop_time >= start))
    throw Error("the stop time lies before the start time");
  t = start;
  stop = stop_defined ? stop_time : std::numeric_limits<double>::infinity();
}

void Instance::build() {
  if (!built) unit->build(values);
  built = true;
}

void Instance::initialize() {
  if (initialized) return;
  build();
  unit->initialize(t, inputs, outputs);
  initialized = true;
}

void Instance::set(const Variable& v, double x) {
  if (v.role == Role::output) throw Error(v.name + " is an output and cannot be set");
  if (v.role == Role::input) {
    if (!std::isfinite(x)) throw Error(v.name + " must be a finite number");
    inputs[v.index] = x;
    if (phase != step_complete) initialized = false;
    return;
  }
  if (phase == step_complete)
    throw Error(v.name + " is a fixed parameter: it is set before the end of initialization");
  if (!std::isfinite(x) && x != v.start) throw Error(v.name + " must be a finite number");
  if (std::isfinite(x) && !v.bounds.contains(x))
    throw Error(contents().prefix + v.name + " = " + number_text(x) + " must lie in " +
                v.bounds.text());
  values[v.index] = x;
  built = initialized = false;
}

double Instance::get(const Variable& v) {
  if (v.role == Role::output && phase == initializing) initialize();
  return (v.role == Role::input ? inputs : v.role == Role::parameter ? values : outputs)[v.index];
}

void Instance::derivative(const unsigned* unknowns, std::size_t unknown_count,
                          const unsigned* knowns, std::size_t known_count, const double* changes,
                          double* answers) {
  if (phase == initializing) initialize();
  for (std::size_t i = 0; i < unknown_count; ++i) {
    answers[i] = 0;
    for (std::size_t k = 0; k < known_count; ++k)
      answers[i] += unit->derivative(find(unknowns[i]), find(knowns[k]), outputs) * changes[k];
  }
}

void Instance::step(double from, double size) {
  const double scale = std::max({std::abs(t), std::abs(from), size});
  if (!std::isfinite(size) || !(size > 0))
    throw Error("the communication step size " + number_text(size) + " must be positive");
  if (!(std::abs(from - t) <= 1e-9 * scale))
    throw Error("the step begins at t = " + number_text(from) +
                ", but the instance is at t = " + number_text(t));
  if (from + size > stop + 1e-9 * scale)
    throw Error("the step ends after the stop time " + number_text(stop));
  std::vector<double> to = inputs;
  for (std::size_t i = 0; i < to.size() && has_slope; ++i) to[i] += size * slopes[i];
  std::vector<double> answers = outputs;
  unit->step(from, size, to, answers);
  outputs = std::move(answers);
  inputs = std::move(to);
  has_slope = false;
  t = from + size;
}

// ------------------------------------------------------------------------------------------ states

State state_of(const Instance& c) {
  return {
      c.phase,  c.has_slope, c.initialized, c.t,       c.stop,
      c.values, c.inputs,    c.slopes,      c.outputs, c.initialized ? c.unit->memory() : Memory{}};
}

void restore(Instance& c, const State& state) {
  if (state.values != c.values) c.built = false;
  c.values = state.values;
  c.build();
  if (state.initialized) c.unit->restore(state.memory);
  c.phase = state.phase;
  c.has_slope = state.has_slope;
  c.initialized = state.initialized;
  c.t = state.t;
  c.stop = state.stop;
  c.inputs = state.inputs;
  c.slopes = state.slopes;
  c.outputs = state.outputs;
}

std::string bytes_of(const Instance& c, const State& state) {
  std::string bytes(magic);
  bytes += c.contents().guid;
  for (const double x : {double(state.phase), double(state.has_slope), double(state.initialized),
                         state.t, state.stop})
    put_number(bytes, x);
  for (const auto* list : {&state.values, &state.inputs, &state.slopes, &state.outputs})
    for (const double x : *list) put_number(bytes, x);
  bytes += c.unit->bytes(state.memory);
  put_bits(bytes, hash_of(bytes));
  return bytes;
}

State state_from(const Instance& c, std::string_view bytes) {
  const std::string& guid = c.contents().guid;
  const std::uint64_t whole =
      hash_of(bytes.substr(0, bytes.size() - std::min<std::size_t>(bytes.size(), 8)));
  if (!bytes.starts_with(std::string(magic) + guid))
    throw Error("these bytes are no state of this FMU");
  bytes.remove_prefix(magic.size() + guid.size());
  if (bytes.size() < 8) throw Error("the bytes of this state are damaged");
  std::string_view hash = bytes.substr(bytes.size() - 8);
  bytes.remove_suffix(8);
  if (take_bits(hash) != whole) throw Error("the bytes of this state are damaged");
  State state{static_cast<Phase>(static_cast<unsigned>(take_number(bytes))),
              false,
              false,
              0,
              0,
              c.values,
              c.inputs,
              c.slopes,
              c.outputs,
              {}};
  state.has_slope = take_number(bytes) != 0;
  state.initialized = take_number(bytes) != 0;
  state.t = take_number(bytes);
  state.stop = take_number(bytes);
  for (auto* list : {&state.values, &state.inputs, &state.slopes, &state.outputs})
    for (double& x : *list) x = take_number(bytes);
  state.memory.bytes = bytes;
  return state;
}

namespace {

const State& checked(void* state) {
  require(static_cast<State*>(state), 1, "the state");
  return *static_cast<const State*>(state);
}

/// Into the state that is there, or a new one.
void keep(State made, void** state) {
  if (*state)
    *static_cast<State*>(*state) = std::move(made);
  else
    *state = new State(std::move(made));
}

}  // namespace

void get_state(const Instance& instance, void** state) {
  require(state, 1, "the state");
  keep(state_of(instance), state);
}

void set_state(Instance& instance, void* state) { restore(instance, checked(state)); }

void free_state(void** state) {
  if (!state) return;
  delete static_cast<State*>(*state);
  *state = nullptr;
}

std::size_t serialized_size(const Instance& instance, void* state) {
  return bytes_of(instance, checked(state)).size();
}

void serialize(const Instance& instance, void* state, void* bytes, std::size_t size) {
  const std::string all = bytes_of(instance, checked(state));
  require(static_cast<char*>(bytes), all.size(), "serializedState");
  if (size < all.size())
    throw Error("the state takes " + std::to_string(all.size()) + " bytes; there is room for " +
                std::to_string(size));
  std::memcpy(bytes, all.data(), all.size());
}

void deserialize(const Instance& instance, const void* bytes, std::size_t size, void** state) {
  require(static_cast<const char*>(bytes), size, "serializedState");
  require(state, 1, "the state");
  keep(state_from(instance, {static_cast<const char*>(bytes), size}), state);
}

}  // namespace microslip::fmu
