#include <algorithm>

#include "microslip/catalog/files/addresses.hpp"
#include "microslip/catalog/files/identification_file.hpp"
#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/jobs/identify.hpp"
#include "microslip/jobs/respond.hpp"
#include "study/varied_job.hpp"

namespace microslip::study {
namespace {

class StructureJob : public VariedJob {
 public:
  std::vector<std::string> expanded(const std::string& address) const override {
    return catalog::expanded(file(), address);
  }
  double own(const std::string& address) const override {
    return catalog::value_at(file(), catalog::address_of(file(), address));
  }
  std::string law_at(const std::string& address) const override {
    for (std::size_t j = 0; j < file().laws.size(); ++j)
      if (address == "joint[" + std::to_string(j + 1) + "]") return file().laws[j].model;
    return "";
  }
  void bind(const std::vector<std::string>& addresses) override {
    for (const std::string& address : addresses) {
      const catalog::Address found = catalog::address_of(file(), address);
      for (const catalog::Address& other : addresses_)
        if (other.kind == found.kind && other.place == found.place && other.row == found.row &&
            other.column == found.column && other.matrix == found.matrix &&
            other.parameter == found.parameter && other.element == found.element)
          throw Error("'" + address + "' is varied twice");
      addresses_.push_back(found);
    }
  }

 protected:
  virtual const catalog::StructureFile& file() const = 0;

  void change(catalog::StructureFile& file, std::span<const double> values) const {
    catalog::AddressedValues changes;
    for (std::size_t i = 0; i < values.size(); ++i) changes.emplace_back(addresses_[i], values[i]);
    catalog::set_values(file, changes);
  }

 private:
  std::vector<catalog::Address> addresses_;
};

template <class Result>
Answer answer_of(const Result& result) {
  Answer answer;
  answer.json = Json::parse(jobs::to_text(result, -1, answer.columns));
  return answer;
}

class RespondJob : public StructureJob {
 public:
  RespondJob(const std::filesystem::path& path, const Json& keys) {
    if (!keys.empty())
      throw Error("job: unknown key '" + keys.begin().key() + "'; a structure takes kind and file");
    request_.name = io::source_name(path);
    request_.structure = catalog::read_structure(path);
    request_.linear_modes = false;
    if (request_.structure.analyses.empty())
      throw Error(request_.name + " has no [[analysis]] to run");
    // The tables stay in the result.
    for (catalog::Analysis& analysis : request_.structure.analyses)
      analysis.output.clear(), analysis.plot.clear();
    jobs::check_analyses(request_.structure);
  }
  Answer run(std::span<const double> values, const jobs::Control& control) const override {
    jobs::RespondRequest request = request_;
    change(request.structure, values);
    jobs::RespondResult result = jobs::respond(request, control);
    if (result.interrupted) throw jobs::Interrupted();
    if (!result.failure.empty()) throw jobs::Failure(result.failure);
    return answer_of(result);
  }
  std::string identity() const override { return "respond " + jobs::to_text(request_, -1); }
  std::string kind() const override { return "respond"; }

 protected:
  const catalog::StructureFile& file() const override { return request_.structure; }

 private:
  jobs::RespondRequest request_;
};

class IdentifyJob : public StructureJob {
 public:
  IdentifyJob(const std::filesystem::path& path, const Json& keys) {
    Json request = keys;
    request["name"] = io::source_name(path);
    request_ = jobs::from_text<jobs::IdentifyRequest>(
        [&] {
          jobs::IdentifyRequest plain;
          plain.file = catalog::read_identification(path);
          Json whole = Json::parse(jobs::to_text(plain, -1));
          whole.update(request);
          return whole.dump();
        }(),
        "job");
  }
  Answer run(std::span<const double> values, const jobs::Control& control) const override {
    jobs::IdentifyRequest request = request_;
    change(request.file.structure, values);
    const jobs::FitResult result = jobs::identify(request, control);
    if (result.interrupted) throw jobs::Interrupted();
    if (result.fits.empty() || !result.fits.front().parameters)
      throw jobs::Failure(result.fits.empty() ? "nothing was identified"
                                              : result.fits.front().message);
    return answer_of(result);
  }
  std::string identity() const override { return "identify " + jobs::to_text(request_, -1); }
  std::string kind() const override { return "identify"; }

 protected:
  const catalog::StructureFile& file() const override { return request_.file.structure; }

 private:
  jobs::IdentifyRequest request_;
};

}  // namespace

std::unique_ptr<VariedJob> structure_job(const std::string& kind, const std::filesystem::path& file,
                                         const Json& keys) {
  if (kind == "respond") return std::make_unique<RespondJob>(file, keys);
  return std::make_unique<IdentifyJob>(file, keys);
}

}  // namespace microslip::study
