#include "laws/subject.hpp"

#include <cstring>

#include "microslip/core/text.hpp"

namespace microslip::laws {

ParameterValues Subject::complete(const ParameterValues& given) const {
  ParameterValues all = given;
  for (const ParameterInfo& p : law.description.parameters) all.emplace(p.name, p.default_value);
  return all;
}

std::string text(double x) { return number_text(x); }
std::vector<double> numbers(const Response<double>& r) {
  return {r.force, r.tangent, r.dissipated, static_cast<double>(r.status)};
}
std::vector<double> numbers(const StateRecord& record) {
  std::vector<double> result;
  for (const auto& field : record)
    result.insert(result.end(), field.second.begin(), field.second.end());
  return result;
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

namespace {

bool loads(const AnyModel& model, const StateRecord& record) {
  try {
    model.load(record);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// One more turning point than there is, or else not a number, or else, where only whole numbers
/// go, an unlikely one.
void poison_field(const AnyModel& model, StateRecord& record, std::vector<double>& field) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t size = field.size();
  for (const std::vector<double>& poison :
       {std::vector<double>(size + 3, nan), std::vector<double>(size, nan),
        std::vector<double>(size, 77.0)}) {
    field = poison;
    if (loads(model, record)) return;
  }
  throw Error("a state of " + model.description().name + " has a field that takes no other number");
}

}  // namespace

template <class P>
Model<P>::Model(AnyModel model) : model_(std::move(model)), rest_(model_.rest()) {
  const StateRecord record = model_.save(rest_.hidden);
  const auto read = [&](std::string_view name, P& x) {
    const std::vector<double>& field = record.find(name)->second;
    if constexpr (planar<P>)
      x = Eigen::Map<const P>(field.data());
    else
      x = field.at(0);
  };
  read("u", rest_.u);
  read("f", rest_.f);
}

template <class P>
State<P> Model<P>::poisoned(StateRecord record) const {
  for (auto& field : record) poison_field(model_, record, field.second);
  return State<P>(model_.load(record));
}
template class Model<double>;
template class Model<Vec2<double>>;
template class Model<Vec<double, 3>>;

std::vector<Entry> entries(const Subject& subject, const ParameterValues& values) {
  std::vector<Entry> result;
  for (const ParameterInfo& p : subject.law.description.parameters) {
    if (p.kind != Kind::scalar && p.kind != Kind::vector) continue;
    const Value& value = values.at(p.name);
    if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
      for (std::size_t i = 0; i < numbers->size(); ++i)
        result.push_back({p.name + "[" + std::to_string(i + 1) + "]", p.name, i, p.bounds});
    } else {
      result.push_back({p.name, p.name, 0, p.bounds});
    }
  }
  return result;
}

double& entry(ParameterValues& values, const Entry& which) {
  Value& value = values.at(which.parameter);
  if (auto* numbers = std::get_if<std::vector<double>>(&value)) return numbers->at(which.index);
  return std::get<double>(value);
}
double entry(const ParameterValues& values, const Entry& which) {
  const Value& value = values.at(which.parameter);
  if (const auto* numbers = std::get_if<std::vector<double>>(&value))
    return numbers->at(which.index);
  return std::get<double>(value);
}

std::string text_of(const Subject& subject, const ParameterValues& values) {
  std::string result;
  for (const Entry& e : entries(subject, values))
    result += (result.empty() ? "" : ", ") + e.name + " = " + text(entry(values, e));
  for (const auto& [name, value] : values)
    if (const auto* formula = std::get_if<std::string>(&value))
      result += (result.empty() ? "" : ", ") + name + " = " + *formula;
  return result;
}

}  // namespace microslip::laws
