#include "microslip/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "microslip/core/error.hpp"
#include "microslip/core/text.hpp"
#include "microslip/io/csv.hpp"
#include "microslip/io/document.hpp"
#include "microslip/io/file.hpp"
#include "study/formula.hpp"
#include "study/reader.hpp"

namespace microslip::study {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Two hashes of 64 bits (FNV-1a, two bases), to tell studies apart, not to keep secrets.
std::string hash_text(std::string_view text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x84222325cbf29ce4;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    b = (b ^ static_cast<unsigned char>(c) ^ (b >> 29)) * 0x9E3779B97F4A7C15;
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

}  // namespace

/// Takes the quantities out of an answer.
struct Study::Collector {
  struct Entry {
    std::optional<Reduction> reduction{};
    std::vector<std::string> path{};
    std::optional<RowFormula> row{};
  };
  std::vector<Entry> entries;

  explicit Collector(const std::vector<Quantity>& quantities) {
    for (const Quantity& q : quantities) {
      Entry entry;
      if (q.is_curve())
        entry.row.emplace(q.value);
      else if (is_path(q.value))
        entry.path = path_steps(q.value);
      else
        entry.reduction.emplace(q.value);
      entries.push_back(std::move(entry));
    }
  }

  void collect(const std::vector<Quantity>& quantities, const Answer& answer,
               std::vector<double>& values) const {
    const std::vector<ResultTable> tables = answer.tables();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const Quantity& q = quantities[k];
      const std::string where = "collect '" + q.name + "': ";
      if (entries[k].row) {
        curve(*entries[k].row, q, tables, where, values);
      } else if (entries[k].reduction) {
        try {
          values.push_back(entries[k].reduction->evaluate(tables, q.table));
        } catch (const Error& error) {
          throw StudyError(where + error.what());
        }
      } else {
        const Json* there = at_path(answer.json, entries[k].path);
        if (there && there->is_boolean())
          values.push_back(there->get<bool>() ? 1 : 0);
        else if (there && there->is_number())
          values.push_back(there->get<double>());
        else if (there && there->is_null())
          values.push_back(missing);
        else
          throw StudyError(where + "there is no number at '" + q.value + "' of the result");
      }
      if (!q.is_curve() && std::isinf(values.back())) values.back() = missing;
    }
  }

  /// Values × numbers.
  Eigen::MatrixXd slopes(const std::vector<Quantity>& quantities, const Answer& answer,
                         const std::vector<TableSlopes>& slopes, Eigen::Index numbers) const {
    const std::vector<ResultTable> tables = answer.tables();
    std::vector<Eigen::VectorXd> rows;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const Quantity& q = quantities[k];
      if (entries[k].reduction) {
        rows.push_back(entries[k].reduction->slope(tables, slopes, q.table, numbers));
        continue;
      }
      if (!entries[k].row) throw Error("a path into the result has no derivative");
      for (std::size_t t = 0; t < tables.size(); ++t) {
        std::vector<double> ys;
        std::vector<std::size_t> kept;
        const std::vector<double>* xs = column_of(tables[t], q.abscissa);
        if ((q.table != 0 && t + 1 != q.table) || !xs || !entries[k].row->evaluate(tables[t], ys) ||
            !rows_kept(tables[t], q.keep, kept))
          continue;
        for (const double x : q.grid) {
          RowWeights weights;
          interpolated(*xs, ys, kept, x, &weights);
          Eigen::VectorXd slope = Eigen::VectorXd::Zero(numbers);
          for (const auto& [row, weight] : weights)
            slope += weight * entries[k].row->slope(tables[t], slopes[t], row, numbers);
          rows.push_back(std::move(slope));
        }
        break;
      }
    }
    Eigen::MatrixXd all(static_cast<Eigen::Index>(rows.size()), numbers);
    for (std::size_t r = 0; r < rows.size(); ++r)
      all.row(static_cast<Eigen::Index>(r)) = rows[r].transpose();
    return all;
  }
  bool has_paths() const {
    return std::any_of(entries.begin(), entries.end(),
                       [](const Entry& entry) { return !entry.path.empty(); });
  }

  /// What is wrong with the study, not with one of its runs.
  struct StudyError : Error {
    using Error::Error;
  };

 private:
  static void curve(const RowFormula& formula, const Quantity& q,
                    const std::vector<ResultTable>& tables, const std::string& where,
                    std::vector<double>& values) {
    std::vector<double> ys;
    std::vector<std::size_t> rows;
    for (std::size_t t = 0; t < tables.size(); ++t) {
      if (q.table != 0 && t + 1 != q.table) continue;
      const std::vector<double>* xs = column_of(tables[t], q.abscissa);
      if (!xs || !formula.evaluate(tables[t], ys) || !rows_kept(tables[t], q.keep, rows)) continue;
      for (const double x : q.grid) values.push_back(interpolated(*xs, ys, rows, x));
      return;
    }
    throw StudyError(where + "no table of the result has '" + q.value + "' beside '" + q.abscissa +
                     "'; " + headings_of(tables));
  }
};

struct Study::Reader {
  const std::filesystem::path name;
  Json root;
  Study study{};
  std::shared_ptr<VariedJob> job{};

  Reader(std::filesystem::path of, Json tree) : name(std::move(of)), root(std::move(tree)) {}

  Study read() {
    static const std::vector<std::string> keys{"seed", "samples", "design",  "list", "indices",
                                               "job",  "vary",    "collect", "fail"};
    for (const auto& [key, value] : root.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        throw Error("unknown key '" + key + "'" + suggestion(key, keys));
    study.name_ = io::source_name(name);
    study.seed_ = whole("seed", 1, 0);
    if (!root.contains("job")) throw Error("[job] is missing: which job is run, with which file");
    job = read_job(root["job"], name);
    study.kind_ = job->kind();
    read_design();
    read_quantities();
    read_fail();
    study.job_ = job;
    study.collector_ = std::make_shared<Collector>(study.quantities_);
    study.text_ = root.dump();
    std::string identity = job->identity() + "\n" + kept_text() + "\n";
    for (const Group& group : study.groups_) {
      identity += group.name;
      for (Eigen::Index i = 0; i < group.center.size(); ++i)
        identity += " " + io::exact_text(group.center[i]);
      for (const double x : group.root.reshaped()) identity += " " + io::exact_text(x);
      for (const double x : group.rows.reshaped()) identity += " " + io::exact_text(x);
    }
    for (const double x : study.list_.reshaped()) identity += " " + io::exact_text(x);
    study.fingerprint_ = hash_text(identity);
    return std::move(study);
  }

 private:
  /// What may be changed without new runs is left out; so is the number of samples where run i does not
  /// depend on it: more of them can be added.
  std::string kept_text() const {
    Json text = root;
    text.erase("fail");
    for (Json& entry : text["collect"]) entry.erase("limit");
    if (study.design_ == "sobol" || study.design_ == "random") text.erase("samples");
    return text.dump();
  }

  std::uint64_t whole(const char* key, std::uint64_t otherwise, std::uint64_t least) {
    if (!root.contains(key)) return otherwise;
    const double x = plain_number(root[key], key);
    if (!(x >= static_cast<double>(least) && x <= 9e15) || x != std::floor(x))
      throw Error(std::string(key) + " = " + number_text(x) + " must be a whole number from " +
                  std::to_string(least));
    return static_cast<std::uint64_t>(x);
  }

  void read_design() {
    study.design_ = root.contains("design") ? whole_text(root["design"], "design") : "sobol";
    if (root.contains("indices")) {
      if (!root["indices"].is_boolean()) throw Error("indices must be true or false");
      study.indices_ = root["indices"].get<bool>();
    }
    if (study.design_ == "list") return read_list();
    static const std::vector<std::string> designs{"sobol", "latin-hypercube", "random", "grid",
                                                  "list"};
    const auto found = std::find(designs.begin(), designs.end(), study.design_);
    if (found == designs.end())
      throw Error("unknown design '" + study.design_ + "'" + suggestion(study.design_, designs));
    if (root.contains("list")) throw Error("list needs design = \"list\"");
    if (!root.contains("samples")) throw Error("'samples' is missing: how many runs");
    study.samples_ = whole("samples", 0, 1);
    if (!root.contains("vary") || !root["vary"].is_object() || root["vary"].empty())
      throw Error("[vary] is missing: what varies, and how");
    for (const auto& [address, entry] : root["vary"].items())
      for (Group& group : read_group(*job, address, entry, name.parent_path()))
        study.groups_.push_back(std::move(group));
    std::size_t dimension = 0;
    for (const Group& group : study.groups_) {
      dimension += group.dimension();
      study.numbers_.insert(study.numbers_.end(), group.numbers.begin(), group.numbers.end());
    }
    bind();
    const auto kind = static_cast<DesignKind>(found - designs.begin());
    if (study.indices_ && kind == DesignKind::grid)
      throw Error("indices need design = \"sobol\", \"latin-hypercube\" or \"random\"");
    study.plan_.emplace(kind, study.seed_, study.samples_,
                        study.indices_ ? 2 * dimension : dimension);
    study.runs_ = study.plan_->points() * (study.indices_ ? study.groups_.size() + 2 : 1);
  }

  void bind() {
    job->bind(study.numbers_);
    for (const std::string& number : study.numbers_) study.own_.push_back(job->own(number));
  }

  void read_list() {
    if (study.indices_) throw Error("indices need a design of their own, not a list");
    if (root.contains("vary"))
      throw Error(
          "design = \"list\" takes what varies from the columns of the list; leave out "
          "[vary]");
    if (!root.contains("list")) throw Error("design = \"list\" needs list = \"draws.csv\"");
    const std::filesystem::path path = name.parent_path() / whole_text(root["list"], "list");
    const std::string text = io::read_file(path);
    // The headings are addresses; a first column `run` is that of an exported table.
    std::vector<std::string> headings;
    std::string_view rest = text;
    while (rest.starts_with("#")) rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1));
    std::string cell;
    bool quoted = false;
    for (const char c : rest.substr(0, rest.find('\n'))) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted)
        headings.push_back(std::exchange(cell, {}));
      else if (c != '"' && c != '\r')
        cell += c;
    }
    headings.push_back(cell);
    io::Wanted wanted{{}, {}, {}};
    for (std::size_t h = 0; h < headings.size(); ++h)
      if (headings[h] != "run") wanted.named["c" + std::to_string(h)] = std::to_string(h + 1);
    const io::Table table = io::read_csv(path, wanted);
    if (table.rows() == 0) throw Error("list: " + path.string() + " has no rows");
    study.list_.resize(static_cast<Eigen::Index>(table.rows()), 0);
    for (std::size_t h = 0; h < headings.size(); ++h) {
      if (headings[h] == "run") continue;
      const auto& values = table.at("c" + std::to_string(h)).values;
      study.list_.conservativeResize(Eigen::NoChange, study.list_.cols() + 1);
      study.list_.rightCols(1) = Eigen::Map<const Eigen::VectorXd>(
          values.data(), static_cast<Eigen::Index>(values.size()));
      job->own(headings[h]);
      Group group;
      group.name = headings[h];
      group.numbers = {headings[h]};
      study.groups_.push_back(std::move(group));
      study.numbers_.push_back(headings[h]);
    }
    bind();
    study.samples_ = study.runs_ = table.rows();
  }

  void read_quantities() {
    if (!root.contains("collect") || !root["collect"].is_array() || root["collect"].empty())
      throw Error("[[collect]] is missing: what is kept of each run");
    std::set<std::string> names{"run", "failure"};
    names.insert(study.numbers_.begin(), study.numbers_.end());
    std::size_t count = 0;
    for (const Json& entry : root["collect"]) {
      Quantity q = read_quantity(entry, "collect " + std::to_string(++count));
      if (!names.insert(q.name).second)
        throw Error("collect: the name '" + q.name + "' is taken already");
      study.quantities_.push_back(std::move(q));
    }
  }

  void read_fail() {
    if (!root.contains("fail")) return;
    for (const auto& [key, value] : root["fail"].items()) {
      if (key == "most") {
        study.most_failures_ = plain_number(value, "fail: most");
        if (!(study.most_failures_ >= 0 && study.most_failures_ <= 1))
          throw Error("fail: most must be a share from 0 to 1");
      } else if (key == "value") {
        study.missing_text_ = whole_text(value, "fail: value");
        if (study.missing_text_.find_first_of(",\"\n") != std::string::npos)
          throw Error("fail: value must be a word without commas and quotes");
      } else {
        throw Error("fail: unknown key '" + key + "'; there are: most, value");
      }
    }
  }
};

Study::Study() = default;
Study::~Study() = default;
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;

Study Study::parse(std::string_view text, const std::filesystem::path& name) {
  const std::string source = io::source_name(name);
  Json root = Json::parse(io::json_document(text, source));
  if (!root.is_object()) throw Error(source + ": a study is a table");
  try {
    return Reader(name, std::move(root)).read();
  } catch (const Error& error) {
    const std::string sentence = error.what();
    if (sentence.starts_with(source)) throw;
    throw Error(source + ": " + sentence);
  }
}

Study Study::read(const std::filesystem::path& path) { return parse(io::read_file(path), path); }

std::size_t Study::values() const {
  std::size_t count = 0;
  for (const Quantity& q : quantities_) count += q.size();
  return count;
}

std::vector<double> Study::draw(std::uint64_t i) const {
  std::vector<double> values(numbers_.size());
  if (!plan_) {
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = list_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    return values;
  }
  std::vector<double> u(plan_->dimension());
  const std::uint64_t block = indices_ ? groups_.size() + 2 : 1;
  // Of Saltelli's design: 0 is A, 1 is B, 2 + k is A with group k of B.
  const std::uint64_t column = i % block;
  plan_->point(i / block, u);
  const std::size_t half = indices_ ? u.size() / 2 : u.size();
  std::size_t place = 0, number = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t size = groups_[g].dimension();
    const bool second = indices_ && (column == 1 || column == g + 2);
    groups_[g].draw(std::span<const double>(u).subspan(place + (second ? half : 0), size),
                    std::span<double>(values).subspan(number, groups_[g].numbers.size()));
    place += size;
    number += groups_[g].numbers.size();
  }
  return values;
}

Outcome Study::run(std::uint64_t i, const jobs::Control& control) const {
  return evaluate(draw(i), control);
}

Outcome Study::evaluate(std::vector<double> numbers, const jobs::Control& control) const {
  Outcome outcome;
  outcome.numbers = std::move(numbers);
  const auto begin = std::chrono::steady_clock::now();
  try {
    const Answer answer = job_->run(outcome.numbers, control);
    collector_->collect(quantities_, answer, outcome.values);
  } catch (const jobs::Interrupted&) {
    throw;
  } catch (const Collector::StudyError&) {
    throw;
  } catch (const Error& error) {
    outcome.failure = error.what();
  } catch (const jobs::Failure& failure) {
    outcome.failure = failure.what();
  }
  if (!outcome.failure.empty()) outcome.values.assign(values(), missing);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

bool Study::differentiates() const { return job_->differentiates() && !collector_->has_paths(); }

Eigen::MatrixXd Study::jacobian(const std::vector<double>& numbers) const {
  std::vector<TableSlopes> slopes;
  const Answer answer = job_->run_with_slopes(numbers, slopes);
  return collector_->slopes(quantities_, answer, slopes, static_cast<Eigen::Index>(numbers.size()));
}

}  // namespace microslip::study
