#include "microslip/io/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "microslip/core/error.hpp"
#include "support/message_of.hpp"

namespace fs = std::filesystem;
using microslip::Error;
using microslip::io::AtomicFile;
using microslip::io::read_file;
using microslip::io::write_file;

namespace file_test {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "microslip-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    ::chmod(folder.c_str(), 0755);
    fs::remove_all(folder);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

// The superuser may write anywhere, so these tests act as somebody else.
class AsOrdinaryUser {
 public:
  explicit AsOrdinaryUser(const fs::path& owned) : superuser(::geteuid() == 0) {
    constexpr uid_t nobody = 65534;
    if (!superuser) return;
    for (const auto& entry : fs::directory_iterator(owned)) {
      EXPECT_EQ(::chown(entry.path().c_str(), nobody, nobody), 0);
    }
    EXPECT_EQ(::chown(owned.c_str(), nobody, nobody), 0);
    EXPECT_EQ(::seteuid(nobody), 0);
  }
  ~AsOrdinaryUser() {
    if (superuser) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }
  AsOrdinaryUser(const AsOrdinaryUser&) = delete;
  AsOrdinaryUser& operator=(const AsOrdinaryUser&) = delete;

 private:
  bool superuser;
};

using microslip::testing::message_of;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(FileTest, returns_what_was_written) {
  std::string content = "a\r\nb";
  content += '\0';
  content += "\xff end without newline";
  write_file(folder / "x", content);
  EXPECT_EQ(read_file(folder / "x"), content);
  write_file(folder / "x", "");
  EXPECT_EQ(read_file(folder / "x"), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, read_names_the_reason) {
  EXPECT_EQ(message_of([&] { read_file(folder / "none"); }),
            "cannot read '" + (folder / "none").string() + "': it does not exist");
  EXPECT_TRUE(contains(message_of([&] { read_file(folder); }), "it is a folder"));
  write_file(folder / "secret", "x");
  fs::permissions(folder / "secret", fs::perms::none);
  const AsOrdinaryUser user(folder);
  EXPECT_TRUE(contains(message_of([&] { read_file(folder / "secret"); }), "no permission"));
}

TEST_F(FileTest, reads_streams_of_unknown_size) {
  // /proc reports size 0 for files that are not empty.
  if (fs::exists("/proc/self/status")) {
    EXPECT_TRUE(contains(read_file("/proc/self/status"), "Pid:"));
  }
}

TEST_F(FileTest, appears_only_on_commit) {
  write_file(folder / "x", "old");
  {
    AtomicFile file(folder / "x");
    file.write("new");
    EXPECT_EQ(read_file(folder / "x"), "old");
    file.commit();
    EXPECT_EQ(read_file(folder / "x"), "new");
    EXPECT_THROW(file.write("more"), Error);
    EXPECT_THROW(file.commit(), Error);
  }
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, without_commit_nothing_happens) {
  write_file(folder / "x", "old");
  {
    AtomicFile file(folder / "x");
    file.write(std::string(3'000'000, 'a'));  // longer than the buffer, so some bytes are on disk
    EXPECT_EQ(files(), 2u);
  }
  EXPECT_EQ(read_file(folder / "x"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, long_content_in_small_pieces) {
  std::string expected;
  AtomicFile file(folder / "x");
  for (int i = 0; i < 400'000; ++i) {
    const std::string piece = std::to_string(i) + '\n';
    file.write(piece);
    expected += piece;
  }
  file.commit();
  EXPECT_EQ(read_file(folder / "x"), expected);
}

TEST_F(FileTest, write_names_the_reason) {
  EXPECT_TRUE(contains(message_of([&] { write_file(folder / "no" / "x", "a"); }),
                       "the folder '" + (folder / "no").string() + "' does not exist"));
  EXPECT_TRUE(contains(message_of([&] { write_file(folder, "a"); }), "it is a folder"));
  EXPECT_TRUE(contains(message_of([&] { write_file("", "a"); }), "without a name"));
  EXPECT_EQ(files(), 0u);
}

TEST_F(FileTest, unwritable_folder_keeps_the_old_file) {
  write_file(folder / "x", "old");
  ASSERT_EQ(::chmod(folder.c_str(), 0555), 0);
  const AsOrdinaryUser user(folder);
  EXPECT_TRUE(contains(message_of([&] { write_file(folder / "x", "new"); }), "no permission"));
  EXPECT_EQ(read_file(folder / "x"), "old");
}

TEST_F(FileTest, write_protected_file_is_refused) {
  write_file(folder / "x", "old");
  ASSERT_EQ(::chmod((folder / "x").c_str(), 0444), 0);
  const AsOrdinaryUser user(folder);
  EXPECT_TRUE(contains(message_of([&] { write_file(folder / "x", "new"); }), "write-protected"));
  EXPECT_EQ(read_file(folder / "x"), "old");
}

// A rename onto a folder fails even for the superuser, as a disk failure at the last moment would.
TEST_F(FileTest, failed_rename_leaves_nothing_behind) {
  AtomicFile file(folder / "x");
  file.write("new");
  fs::create_directories(folder / "x" / "inner");
  EXPECT_TRUE(contains(message_of([&] { file.commit(); }), "cannot write"));
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(fs::is_directory(folder / "x" / "inner"));
}

TEST_F(FileTest, full_disk_is_reported) {
  EXPECT_TRUE(contains(message_of([] { write_file("/dev/full", "a"); }), "cannot write"));
}

TEST_F(FileTest, a_full_disk_is_no_bad_input) {
  EXPECT_THROW(write_file("/dev/full", "a"), microslip::io::WriteError);
  EXPECT_THROW(write_file(folder / "no" / "x", "a"), Error);
}

TEST_F(FileTest, gzip_is_unpacked) {
  // "u,f\n0,0\n1,2\n" compressed by gzip.
  constexpr char packed[] =
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xd5\x49\xe3\x32\xd0\x31\xe0\x32\xd4"
      "\x31\xe2\x02\x00\x84\x51\x12\xb5\x0c\x00\x00\x00";
  const std::string content(packed, sizeof packed - 1);
  write_file(folder / "x.csv.gz", content);
  EXPECT_EQ(read_file(folder / "x.csv.gz"), "u,f\n0,0\n1,2\n");
  write_file(folder / "x.csv.gz", content + content);  // appended files are one
  EXPECT_EQ(read_file(folder / "x.csv.gz"), "u,f\n0,0\n1,2\nu,f\n0,0\n1,2\n");
  for (std::size_t bytes = 3; bytes < content.size(); ++bytes) {
    write_file(folder / "x.csv.gz", content.substr(0, bytes));
    EXPECT_TRUE(
        contains(message_of([&] { read_file(folder / "x.csv.gz"); }), "gzip data are cut off"))
        << bytes;
  }
  std::string damaged = content;
  damaged[12] = static_cast<char>(damaged[12] ^ 0x55);
  write_file(folder / "x.csv.gz", damaged);
  EXPECT_TRUE(contains(message_of([&] { read_file(folder / "x.csv.gz"); }), "gzip data are"));
}

/// 600 kB became 600 MB, and 2 MB as much as the memory took.
TEST_F(FileTest, gzip_that_fills_the_memory_is_refused) {
  // Stored by zlib itself: zeros shrink to a thousandth.
  const fs::path packed = folder / "zeros.gz";
  ASSERT_EQ(std::system(("head -c 100000000 /dev/zero | gzip > " + packed.string()).c_str()), 0);
  EXPECT_TRUE(contains(message_of([&] { read_file(packed); }),
                       "more than 100 times as large when they are unpacked"));
  // A long constant record is no danger.
  ASSERT_EQ(std::system(("head -c 20000000 /dev/zero | gzip > " + packed.string()).c_str()), 0);
  EXPECT_EQ(read_file(packed).size(), 20000000u);
}

TEST_F(FileTest, devices_are_written_and_stay_devices) {
  write_file("/dev/null", "a");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileTest, symbolic_links_stay_links) {
  fs::create_directory(folder / "inner");
  write_file(folder / "inner" / "real", "old");
  fs::create_symlink("inner/real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "inner" / "real"), "new");

  fs::create_symlink("inner/later", folder / "dangling");
  write_file(folder / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder / "dangling"));
  EXPECT_EQ(read_file(folder / "inner" / "later"), "made");

  fs::create_symlink("circle", folder / "circle");
  EXPECT_THROW(write_file(folder / "circle" / "x", "a"), Error);
}

TEST_F(FileTest, permissions_are_kept_and_new_files_follow_the_mask) {
  write_file(folder / "x", "old");
  ASSERT_EQ(::chmod((folder / "x").c_str(), 0640), 0);
  write_file(folder / "x", "new");
  EXPECT_EQ(fs::status(folder / "x").permissions(), fs::perms{0640});

  const mode_t before = ::umask(0027);
  write_file(folder / "y", "new");
  ::umask(before);
  EXPECT_EQ(fs::status(folder / "y").permissions(), fs::perms{0640});
}

TEST_F(FileTest, relative_names_survive_a_change_of_folder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  AtomicFile file("x");
  fs::current_path(before);
  file.write("a");
  file.commit();
  EXPECT_EQ(read_file(folder / "x"), "a");
}

TEST_F(FileTest, long_names_fit) {
  const std::string name(255, 'n');  // the longest name of the usual file systems
  write_file(folder / name, "a");
  EXPECT_EQ(read_file(folder / name), "a");
}

TEST_F(FileTest, many_files_at_once_and_slots_are_returned) {
  for (int round = 0; round < 5; ++round) {
    std::vector<std::unique_ptr<AtomicFile>> open;
    for (int i = 0; i < 100; ++i) {
      open.push_back(std::make_unique<AtomicFile>(folder / std::to_string(i)));
    }
    for (int i = 0; i < 50; ++i) open[static_cast<std::size_t>(i)]->commit();
  }
  EXPECT_EQ(files(), 50u);
}

TEST_F(FileTest, signal_removes_unfinished_files_only) {
  write_file(folder / "x", "old");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      microslip::io::remove_unfinished_files();
      ::_exit(7);
    });
    write_file(folder / "done", "complete");
    AtomicFile file(folder / "x");
    file.write(std::string(3'000'000, 'a'));
    std::raise(SIGTERM);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(read_file(folder / "x"), "old");
  EXPECT_EQ(read_file(folder / "done"), "complete");
  EXPECT_EQ(files(), 2u);
}

TEST_F(FileTest, commit_after_removal_fails) {
  AtomicFile file(folder / "x");
  file.write("a");
  microslip::io::remove_unfinished_files();
  EXPECT_THROW(file.commit(), Error);
  EXPECT_EQ(files(), 0u);
}

}  // namespace file_test
