#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "reproduce/computed.hpp"
#include "support/paths.hpp"
#include "support/random.hpp"

// docs/inventory.md says what is covered; these tests read it.

namespace microslip::reproduce {
namespace inventory_test {

/// The cells of each row of docs/inventory.md that has a state; an escaped bar is no border.
std::vector<std::vector<std::string>> inventory() {
  std::ifstream file(std::filesystem::path(source_dir) / "docs" / "inventory.md");
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| ", 0) != 0) continue;
    std::vector<std::string> cells{""};
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (line[i] == '|' && line[i - 1] != '\\')
        cells.emplace_back();
      else
        cells.back() += line[i];
    }
    cells.pop_back();
    for (std::string& cell : cells) {
      cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
      cell.erase(cell.find_last_not_of(' ') + 1);
    }
    rows.push_back(cells);
  }
  return rows;
}

/// What stands between backquotes.
std::vector<std::string> quoted(const std::string& cell) {
  std::vector<std::string> words;
  for (std::size_t at = cell.find('`'); at != std::string::npos;) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == std::string::npos) break;
    words.push_back(cell.substr(at + 1, end - at - 1));
    at = cell.find('`', end + 1);
  }
  return words;
}

bool is_test(const std::string& word) {
  return word.rfind("tests/", 0) == 0 &&
         std::filesystem::exists(std::filesystem::path(source_dir) / word);
}

/// Whether `id` or `id#beginning of comparisons` names something that could have failed.
bool shows(const std::string& word) {
  const std::size_t mark = word.find('#');
  const Entry* entry = nullptr;
  try {
    entry = &find_entry(word.substr(0, mark));
  } catch (const Error&) {
    return false;  // a law, a command
  }
  if (entry->mutation.noticed_by.empty()) return false;
  if (mark == std::string::npos || (entry->slow && !testing::full_sweep())) return true;
  const std::string beginning = word.substr(mark + 1);
  const std::vector<Comparison>& all = computed(*entry).comparisons;
  return std::any_of(all.begin(), all.end(), [&](const Comparison& one) {
    return one.could_fail() && one.what.rfind(beginning, 0) == 0;
  });
}

TEST(Inventory, each_covered_row_names_what_could_have_failed) {
  std::size_t covered = 0;
  for (const auto& row : inventory()) {
    if (row.size() != 4 || row[2] != "covered") continue;
    ++covered;
    const auto words = quoted(row[3]);
    EXPECT_TRUE(std::any_of(words.begin(), words.end(),
                            [](const std::string& w) { return is_test(w) || shows(w); }))
        << row[0] << ": " << row[3];
    for (const std::string& word : words) {
      if (word.rfind("tests/", 0) == 0) {
        EXPECT_TRUE(is_test(word)) << word;
      }
      if (word.find('#', 1) != std::string::npos) {
        EXPECT_TRUE(shows(word)) << word << " names no comparison that could have failed";
      }
    }
  }
  EXPECT_GT(covered, 100u);
}

TEST(Inventory, the_totals_are_counted) {
  const std::vector<std::string> states{"covered", "partly", "circular",
                                        "not decidable from the text"};
  std::vector<std::size_t> counted(states.size()), printed(states.size());
  for (const auto& row : inventory()) {
    if (row.size() == 4 && row[2] != "state" && row[2] != "---") {
      const auto state = std::find(states.begin(), states.end(), row[2]);
      ASSERT_NE(state, states.end()) << row[0] << " is " << row[2];
      ++counted[static_cast<std::size_t>(state - states.begin())];
    } else if (row.size() == 5 && row[0] == "all") {
      for (std::size_t i = 0; i < states.size(); ++i) printed[i] = std::stoul(row[i + 1]);
    }
  }
  EXPECT_EQ(printed, counted);
}

TEST(Inventory, names_reproductions_that_exist) {
  std::ifstream file(std::filesystem::path(source_dir) / "docs" / "inventory.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  std::size_t named = 0;
  for (const char* source :
       {"`biswas2018-", "`biswas2015-", "`miller2009-", "`gavin2018-", "`mathis2020-"})
    for (std::size_t at = page.find(source); at != std::string::npos;
         at = page.find(source, at + 1), ++named) {
      const std::string word = page.substr(at + 1, page.find('`', at + 1) - at - 1);
      EXPECT_NO_THROW(find_entry(word.substr(0, word.find('#')))) << word;
    }
  EXPECT_GT(named, 60u);
}

}  // namespace inventory_test
}  // namespace microslip::reproduce
