#include "structure.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "bytes.hpp"
#include "microslip/catalog/catalog.hpp"
#include "microslip/catalog/files/parameter_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/parameters.hpp"
#include "unit.hpp"

namespace microslip::fmu {
namespace {

using dynamics::Stepper;
using Json = nlohmann::json;
using Eigen::Index;

/// As in structure files.
constexpr std::array method_names{"events", "midpoint",          "newmark",
                                  "hht",    "generalized-alpha", "cvode"};

Json matrix_json(const dynamics::SparseMatrix& matrix) {
  Json list = Json::array();
  for (Index k = 0; k < matrix.outerSize(); ++k)
    for (dynamics::SparseMatrix::InnerIterator entry(matrix, k); entry; ++entry)
      list.push_back({entry.row(), entry.col(), entry.value()});
  return list;
}

dynamics::SparseMatrix matrix_of(const Json& list, Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Json& entry : list)
    entries.emplace_back(entry.at(0).get<int>(), entry.at(1).get<int>(), entry.at(2).get<double>());
  dynamics::SparseMatrix matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Json vector_json(const Eigen::VectorXd& v) {
  return std::vector<double>(v.data(), v.data() + v.size());
}

Eigen::VectorXd vector_of(const Json& list) {
  const auto numbers = list.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

struct Moment {
  std::unique_ptr<const Stepper> stepper;
  double t0;
  std::vector<double> first;  ///< inputs at the beginning
};

class MovingStructure final : public Unit {
 public:
  explicit MovingStructure(std::string_view text) : driven_(parse_driven(text)) {
    contents_ = contents_of(driven_);
    contents_.guid = guid_of(text);
    structure_ = driven_.structure;
  }

  void build(std::span<const double> parameters) override {
    structure_ = driven_.structure;
    for (std::size_t j = 0; j < structure_.joints.size(); ++j)
      structure_.joints[j].model = with_parameters(structure_.joints[j].model, contents_.variables,
                                                   j + 1, parameters.data());
  }

  void initialize(double t, std::span<const double> inputs, std::span<double> outputs) override {
    begin(t, {inputs.begin(), inputs.end()});
    report(outputs);
  }

  void step(double t, double size, std::span<const double> inputs,
            std::span<double> outputs) override {
    go(t, size, inputs);
    report(outputs);
  }

  double derivative(const Variable&, const Variable&, std::span<const double>) const override {
    throw Error("the motion of a structure has no derivative with respect to a load at one moment");
  }

  Memory memory() const override {
    return {{},
            std::shared_ptr<const Moment>(
                new Moment{std::make_unique<const Stepper>(*stepper_), t0_, first_})};
  }

  /// Bytes hold where the motion is, whatever led there: the same steps give the same bits.
  void restore(const Memory& memory) override {
    if (memory.live) {
      const auto& moment = *static_cast<const Moment*>(memory.live.get());
      stepper_ = std::make_unique<Stepper>(*moment.stepper);
      t0_ = moment.t0;
      first_ = moment.first;
      return;
    }
    std::string_view bytes = memory.bytes;
    std::vector<double> inputs(structure_.loads.size());
    const double t0 = take_number(bytes);
    for (double& x : inputs) x = take_number(bytes);
    begin(t0, inputs);
    StateRecord numbers;
    while (!bytes.empty()) {
      std::string name(take_text(bytes));
      std::vector<double> list(take_count(bytes));
      for (double& x : list) x = take_number(bytes);
      numbers.emplace(std::move(name), std::move(list));
    }
    stepper_->load(numbers);
  }

  std::string bytes(const Memory& memory) const override {
    if (!memory.live) return memory.bytes;
    const auto& moment = *static_cast<const Moment*>(memory.live.get());
    std::string bytes;
    put_number(bytes, moment.t0);
    for (const double x : moment.first) put_number(bytes, x);
    for (const auto& [name, list] : moment.stepper->save()) {
      put_text(bytes, name);
      put_bits(bytes, list.size());
      for (const double x : list) put_number(bytes, x);
    }
    return bytes;
  }

 private:
  /// Static loads, as they are at the beginning, are loads of the stepper.
  void begin(double t, std::vector<double> inputs) {
    dynamics::StepperOptions options = driven_.options;
    options.t0 = t0_ = t;
    first_ = std::move(inputs);
    for (std::size_t i = 0; i < first_.size(); ++i)
      if (is_static(i)) structure_.loads[i].signal = dynamics::Constant{first_[i]};
    options.from_equilibrium = options.x0.size() == 0 && dynamics::is_preloaded(structure_);
    stepper_ = std::make_unique<Stepper>(structure_, options);
  }

  bool is_static(std::size_t load) const {
    return std::holds_alternative<dynamics::Constant>(structure_.loads[load].signal);
  }

  void go(double t, double size, std::span<const double> inputs) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(structure_.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      force += (inputs[i] - (is_static(i) ? first_[i] : 0)) * structure_.loads[i].direction;
    auto trial = std::make_unique<Stepper>(*stepper_);
    trial->set_force(force);
    if (!trial->advance(t + size)) throw Discarded{trial->message()};
    stepper_ = std::move(trial);
  }

  /// In the order of the contents.
  void report(std::span<double> outputs) const {
    const Eigen::VectorXd x = stepper_->x(), v = stepper_->v(), f = stepper_->joint_forces();
    auto out = outputs.begin();
    for (Index i = 0; i < x.size(); ++i) {
      *out++ = x[i];
      *out++ = v[i];
    }
    for (const dynamics::Sensor& sensor : structure_.sensors) {
      *out++ = sensor.w.dot(x);
      *out++ = sensor.w.dot(v);
    }
    for (Index j = 0; j < f.size(); ++j) *out++ = f[j];
    *out = 0;
    for (std::size_t j = 0; j < structure_.joints.size(); ++j) *out += stepper_->joint_energy(j);
  }

  DrivenStructure driven_;
  dynamics::Structure structure_;  ///< with the parameters of this instance
  std::unique_ptr<Stepper> stepper_;
  double t0_ = 0;
  std::vector<double> first_;  ///< inputs at the beginning
};

}  // namespace

std::string text_of(const DrivenStructure& driven) {
  const dynamics::Structure& s = driven.structure;
  dynamics::refuse_interfaces(s, "an FMU");
  Json json{{"size", s.size()},       {"M", matrix_json(s.M)},   {"C", matrix_json(s.C)},
            {"K", matrix_json(s.K)},  {"labels", driven.labels}, {"joints", Json::array()},
            {"loads", Json::array()}, {"sensors", Json::array()}};
  for (const dynamics::JointElement& joint : s.joints) {
    const AnyModel& law = joint.model;
    json["joints"].push_back(
        {{"name", joint.name},
         {"law", io::parameters_text({law.description().name, law.parameters(), law.options()})},
         {"w", vector_json(joint.w.dense())}});
  }
  for (std::size_t i = 0; i < s.loads.size(); ++i) {
    const auto* constant = std::get_if<dynamics::Constant>(&s.loads[i].signal);
    json["loads"].push_back(
        {{"unit", driven.load_units[i]}, {"w", vector_json(s.loads[i].direction)}});
    if (constant) json["loads"].back()["static"] = constant->value;
  }
  for (const dynamics::Sensor& sensor : s.sensors)
    json["sensors"].push_back({{"name", sensor.name}, {"w", vector_json(sensor.w.dense())}});
  const dynamics::StepperOptions& o = driven.options;
  json["time"] = {{"method", method_names[static_cast<std::size_t>(o.method)]},
                  {"step", o.step},
                  {"tolerance", o.tolerance},
                  {"x0", vector_json(o.x0)},
                  {"v0", vector_json(o.v0)}};
  return json.dump() + "\n";
}

DrivenStructure parse_driven(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    DrivenStructure driven;
    dynamics::Structure& s = driven.structure;
    const Index n = json.at("size").get<Index>();
    s.M = matrix_of(json.at("M"), n);
    s.C = matrix_of(json.at("C"), n);
    s.K = matrix_of(json.at("K"), n);
    driven.labels = json.at("labels").get<std::vector<std::string>>();
    for (const Json& joint : json.at("joints"))
      s.joints.push_back(
          {catalog::make(
               catalog::parse_parameters(joint.at("law").get<std::string>(), "joint").front()),
           vector_of(joint.at("w")), joint.at("name").get<std::string>()});
    for (const Json& load : json.at("loads")) {
      s.loads.push_back({vector_of(load.at("w")), dynamics::Tones{}});
      if (load.contains("static"))
        s.loads.back().signal = dynamics::Constant{load.at("static").get<double>()};
      driven.load_units.push_back(load.at("unit").get<std::string>());
    }
    for (const Json& sensor : json.at("sensors"))
      s.sensors.push_back({sensor.at("name").get<std::string>(), vector_of(sensor.at("w"))});
    const Json& time = json.at("time");
    const auto method =
        std::find(method_names.begin(), method_names.end(), time.at("method").get<std::string>());
    driven.options.method = static_cast<dynamics::Method>(method - method_names.begin());
    driven.options.step = time.at("step").get<double>();
    driven.options.tolerance = time.at("tolerance").get<double>();
    driven.options.x0 = vector_of(time.at("x0"));
    driven.options.v0 = vector_of(time.at("v0"));
    return driven;
  } catch (const Json::exception& error) {
    throw Error(std::string("the structure in the resources cannot be read: ") + error.what());
  }
}

Contents contents_of(const DrivenStructure& driven) {
  const dynamics::Structure& s = driven.structure;
  Contents result;
  result.sentence = "A structure with " + std::to_string(s.size()) + " degrees of freedom and " +
                    std::to_string(s.joints.size()) + " joints.";
  result.resource = "structure.json";
  result.text = text_of(driven);
  result.guid = guid_of(result.text);
  std::vector<Variable>& all = result.variables;
  unsigned reference = 0;
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < s.loads.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    all.push_back({"load" + number, reference++, Role::input, driven.load_units[i],
                   "load " + number + " of the structure, held during a step", i});
    if (const auto* constant = std::get_if<dynamics::Constant>(&s.loads[i].signal))
      all.back().start = constant->value;
  }
  const auto output = [&](const std::string& name, const std::string& unit,
                          const std::string& sentence) {
    all.push_back({name, reference++, Role::output, unit, sentence, outputs++});
  };
  const auto motion = [&](const std::string& label, const std::string& of) {
    output("x" + label, "L", "displacement of " + of);
    output("v" + label, "L/T", "velocity of " + of);
  };
  for (const std::string& label : driven.labels) motion(label, "degree of freedom " + label);
  for (const dynamics::Sensor& sensor : s.sensors) motion("_" + sensor.name, "the sensor");
  for (std::size_t j = 1; j <= s.joints.size(); ++j)
    output("f_joint" + std::to_string(j), "F", "force of joint " + std::to_string(j));
  output("energy", "F*L", "dissipated in the joints so far");
  std::size_t parameters = 0;
  for (std::size_t j = 0; j < s.joints.size(); ++j) {
    const std::size_t first = all.size();
    add_parameters(s.joints[j].model, reference, parameters, all);
    for (std::size_t i = first; i < all.size(); ++i) {
      all[i].name = "joint" + std::to_string(j + 1) + "." + all[i].name;
      all[i].joint = j + 1;
    }
    parameters += all.size() - first;
    reference += static_cast<unsigned>(all.size() - first);
  }
  return result;
}

std::unique_ptr<Unit> make_structure(std::string_view text) {
  return std::make_unique<MovingStructure>(text);
}

}  // namespace microslip::fmu
