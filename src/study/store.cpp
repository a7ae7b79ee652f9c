#include "microslip/study/store.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "microslip/core/error.hpp"
#include "microslip/io/file.hpp"
#include "microslip/version.hpp"

namespace microslip::study {
namespace {

constexpr const char* schema = "microslip.study-store/1";

std::string bytes_of(const std::vector<double>& numbers) {
  std::string bytes(8 * numbers.size(), '\0');
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    // One bit pattern for all that is not a number.
    const auto bits = std::isnan(numbers[k]) ? std::uint64_t{0x7ff8000000000000}
                                             : std::bit_cast<std::uint64_t>(numbers[k]);
    for (unsigned b = 0; b < 8; ++b)
      bytes[8 * k + b] = static_cast<char>(static_cast<unsigned char>(bits >> (8 * b)));
  }
  return bytes;
}

std::vector<double> numbers_of(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::vector<double> numbers(size / 8);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::uint64_t bits = 0;
    for (unsigned b = 0; b < 8; ++b) bits |= std::uint64_t{bytes[8 * k + b]} << (8 * b);
    numbers[k] = std::bit_cast<double>(bits);
  }
  return numbers;
}

bool differ_by_rounding(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (std::isnan(a[k]) != std::isnan(b[k])) return false;
    if (std::abs(a[k] - b[k]) > 1e-6 * std::max(std::abs(a[k]), std::abs(b[k]))) return false;
  }
  return true;
}

}  // namespace

struct Store::File {
  File(std::filesystem::path of, bool create) : path(std::move(of)) {
    const int flags = create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    // Absolute, so that no name is taken for an address or for a database in memory.
    const std::string name = std::filesystem::absolute(path).string();
    const int code = sqlite3_open_v2(name.c_str(), &db, flags, nullptr);
    if (code != SQLITE_OK) {
      const std::string reason = db ? sqlite3_errmsg(db) : "no memory";
      sqlite3_close(db);
      throw Error("cannot open " + path.string() + ": " + reason);
    }
    sqlite3_extended_result_codes(db, 1);
    // Two processes that begin at the same time wait for one another here, not for the whole work.
    sqlite3_busy_timeout(db, 2000);
  }
  ~File() {
    for (const auto& [text, statement] : statements) sqlite3_finalize(statement);
    sqlite3_close(db);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[noreturn]] void fail() const {
    const std::string name = path.string();
    const std::string reason = sqlite3_errmsg(db);
    switch (sqlite3_errcode(db)) {
      case SQLITE_NOTADB:
      case SQLITE_CORRUPT:
        throw Error(name + " is no store of a study, or it is damaged (" + reason +
                    "); it was left as it is");
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        throw Error(name + " is in use by another process");
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
      case SQLITE_PERM:
        throw Error(name + " cannot be written: " + reason);
      case SQLITE_FULL:
        throw jobs::Failure(name +
                            ": the disk is full; what was stored stays, and the same call goes "
                            "on from there");
      default:
        break;
    }
    if ((sqlite3_extended_errcode(db) & 0xff) == SQLITE_BUSY)
      throw Error(name + " is in use by another process");
    throw jobs::Failure(name + ": " + reason +
                        "; what was stored stays, and the same call goes on "
                        "from there");
  }

  void execute(const char* sql) {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  sqlite3_stmt* statement(const char* sql) {
    sqlite3_stmt*& found = statements[sql];
    if (!found && sqlite3_prepare_v2(db, sql, -1, &found, nullptr) != SQLITE_OK) fail();
    sqlite3_reset(found);
    return found;
  }

  bool step(sqlite3_stmt* s) const {
    const int code = sqlite3_step(s);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail();
    return code == SQLITE_ROW;
  }

  std::string text(const char* key) {
    sqlite3_stmt* s = statement("SELECT value FROM study WHERE key = ?1");
    sqlite3_bind_text(s, 1, key, -1, SQLITE_TRANSIENT);
    if (!step(s)) return "";
    const auto* value = sqlite3_column_text(s, 0);
    std::string result = value ? reinterpret_cast<const char*>(value) : "";
    sqlite3_reset(s);
    return result;
  }

  void set_text(const char* key, const std::string& value) {
    sqlite3_stmt* s = statement("INSERT OR REPLACE INTO study VALUES (?1, ?2)");
    sqlite3_bind_text(s, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(s, 2, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    step(s);
  }

  /// Throws unless this is a store of the same study and version.
  void check(const std::string& fingerprint) {
    const std::string name = path.string();
    const std::string found = text("schema");
    if (found != schema) throw Error(name + " is no store of a study that this version reads");
    if (text("fingerprint") != fingerprint)
      throw Error(name +
                  " holds runs of another study: its file, its job or what they name "
                  "has changed; move it away, or give another store");
    if (text("version") != version)
      throw Error(name + " was written by microslip " + text("version") + ", this is " +
                  std::string(version) + ": results of different versions are not mixed");
  }

  bool has_tables() {
    sqlite3_stmt* s = statement("SELECT count(*) FROM sqlite_schema WHERE type = 'table'");
    step(s);
    const bool any = sqlite3_column_int(s, 0) > 0;
    sqlite3_reset(s);
    return any;
  }

  void insert(const Row& row) {
    sqlite3_stmt* s = statement("INSERT OR REPLACE INTO run VALUES (?1, ?2, ?3, ?4, ?5)");
    sqlite3_bind_int64(s, 1, static_cast<sqlite3_int64>(row.i));
    const Outcome& o = row.outcome;
    if (o.failure.empty())
      sqlite3_bind_null(s, 2);
    else
      sqlite3_bind_text(s, 2, o.failure.data(), static_cast<int>(o.failure.size()),
                        SQLITE_TRANSIENT);
    const std::string numbers = bytes_of(o.numbers), found = bytes_of(o.values);
    sqlite3_bind_blob(s, 3, numbers.data(), static_cast<int>(numbers.size()), SQLITE_TRANSIENT);
    sqlite3_bind_blob(s, 4, found.data(), static_cast<int>(found.size()), SQLITE_TRANSIENT);
    sqlite3_bind_double(s, 5, o.seconds);
    step(s);
    sqlite3_reset(s);
  }

  static Row row_of(sqlite3_stmt* s) {
    Row row;
    row.i = static_cast<std::uint64_t>(sqlite3_column_int64(s, 0));
    if (const auto* failure = sqlite3_column_text(s, 1))
      row.outcome.failure = reinterpret_cast<const char*>(failure);
    const auto blob = [&](int column) {
      const void* data = sqlite3_column_blob(s, column);
      return numbers_of(data, static_cast<std::size_t>(sqlite3_column_bytes(s, column)));
    };
    row.outcome.numbers = blob(2);
    row.outcome.values = blob(3);
    row.outcome.seconds = sqlite3_column_double(s, 4);
    return row;
  }

  std::filesystem::path path;
  sqlite3* db = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> statements{};
};

namespace {

/// Takes back what was begun unless it came to its end.
template <class File>
class Transaction {
 public:
  explicit Transaction(File& file) : file_(file) { file.execute("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (!done_) sqlite3_exec(file_.db, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    file_.execute("COMMIT");
    done_ = true;
  }

 private:
  File& file_;
  bool done_ = false;
};

std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

}  // namespace

Store::Store(const std::filesystem::path& path, const Study& study)
    : file_(std::make_unique<File>(path, true)) {
  // A journal that is rolled back: it also works where files lie on another machine, unlike a log that
  // processes share by memory. The lock is kept, so that a second process of this shard ends with a sentence.
  file_->execute("PRAGMA locking_mode = EXCLUSIVE");
  file_->execute("PRAGMA synchronous = FULL");
  Transaction begin(*file_);
  if (!file_->has_tables()) {
    file_->execute(
        "CREATE TABLE study(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;"
        "CREATE TABLE run(i INTEGER PRIMARY KEY, failure TEXT, numbers BLOB, found BLOB, "
        "seconds REAL)");
    file_->set_text("schema", schema);
    file_->set_text("fingerprint", study.fingerprint());
    file_->set_text("version", std::string(version));
    file_->set_text("study", study.text());
    file_->set_text("numbers", lines_of(study.numbers()));
  } else {
    file_->check(study.fingerprint());
  }
  begin.commit();
}

Store::~Store() = default;

void Store::put(const std::vector<Row>& rows) {
  Transaction all(*file_);
  for (const Row& row : rows) file_->insert(row);
  all.commit();
}

std::vector<bool> Store::done(std::uint64_t runs) const {
  std::vector<bool> there(runs, false);
  sqlite3_stmt* s = file_->statement("SELECT i FROM run");
  while (file_->step(s)) {
    const auto i = static_cast<std::uint64_t>(sqlite3_column_int64(s, 0));
    if (i < runs) there[i] = true;
  }
  sqlite3_reset(s);
  return there;
}

void Store::each(const std::function<void(const Row&)>& take) const {
  sqlite3_stmt* s = file_->statement(
      "SELECT i, failure, numbers, found, seconds FROM run "
      "ORDER BY i");
  while (file_->step(s)) take(File::row_of(s));
  sqlite3_reset(s);
}

std::uint64_t Store::merge(const std::filesystem::path& other) {
  if (!std::filesystem::exists(other)) throw Error("there is no store " + other.string());
  std::error_code ignored;
  if (std::filesystem::equivalent(other, file_->path, ignored))
    throw Error(other.string() + " is the store into which others are merged");
  File from(other, false);
  if (!from.has_tables()) throw Error(other.string() + " is no store of a study: it is empty");
  from.check(file_->text("fingerprint"));
  std::uint64_t added = 0;
  Transaction all(*file_);
  sqlite3_stmt* s =
      from.statement("SELECT i, failure, numbers, found, seconds FROM run ORDER BY i");
  while (from.step(s)) {
    const Row row = File::row_of(s);
    sqlite3_stmt* mine =
        file_->statement("SELECT i, failure, numbers, found, seconds FROM run WHERE i = ?1");
    sqlite3_bind_int64(mine, 1, static_cast<sqlite3_int64>(row.i));
    if (!file_->step(mine)) {
      file_->insert(row);
      ++added;
      continue;
    }
    const Row own = File::row_of(mine);
    sqlite3_reset(mine);
    const Outcome& a = own.outcome;
    const Outcome& b = row.outcome;
    if (a.failure.empty() && b.failure.empty() && !differ_by_rounding(a.values, b.values))
      throw Error("run " + std::to_string(row.i) + " of " + other.string() +
                  " differs from that in " + file_->path.string() +
                  " by more than rounding; nothing of it was taken");
    // A result before a failure; of two the one whose bytes are smaller, whichever was first.
    const auto rank = [](const Outcome& o) {
      return std::pair(!o.failure.empty(), o.failure + bytes_of(o.values));
    };
    if (rank(b) < rank(a)) file_->insert(row);
  }
  all.commit();
  return added;
}

}  // namespace microslip::study
