#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "microslip/study/study.hpp"

/// Results of runs on disk: one SQLite file for a shard or a whole study. What was put there stays
/// through a killed process, a power failure or a full disk; what was not is done again.
///
///     study(key, value)              schema, fingerprint, version, study: its text as JSON, numbers
///     run(i, failure, numbers, found, seconds)
///                                    NULL in failure: the run succeeded; numbers and found are the draws and
///                                    the collected values as doubles of 8 bytes, lowest byte first
namespace microslip::study {

class Store {
 public:
  /// Opens the results of this study, or begins with none. Throws Error for a file of another study or
  /// version, one that is damaged or in use, jobs::Failure for one that cannot be written.
  Store(const std::filesystem::path& path, const Study& study);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  struct Row {
    std::uint64_t i = 0;
    Outcome outcome{};
  };
  /// All of them or none.
  void put(const std::vector<Row>& rows);
  /// Which runs are there.
  std::vector<bool> done(std::uint64_t runs) const;
  /// Rows in the order of i.
  void each(const std::function<void(const Row&)>& take) const;
  /// Takes over what another file has and this one has not. Of two results of one run the same is
  /// kept whichever came first; they may differ by rounding, not by more. Returns how many are new.
  std::uint64_t merge(const std::filesystem::path& other);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace microslip::study
