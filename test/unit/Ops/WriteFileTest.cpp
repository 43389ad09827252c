// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What WriteFile replaces, what it writes into, and the rights of its files.
// What else it does the golden cases test/golden_kiln/files_* say.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::testing {
namespace {

namespace fs = std::filesystem;

class WriteFileTest : public SessionTest {
protected:
  Status write(const std::string &path, std::string_view contents) {
    GraphWriter writer;
    writer.constant("path", Tensor::scalar(path));
    writer.constant("contents", Tensor::scalar(contents));
    writer.add("write", "WriteFile", {"path", "contents"});
    return open(writer.graph)->run({}, {}, {"write"}).status();
  }

  TemporaryFolder folder;
};

/// Sets the process's mask of rights while it lives.
class MaskScope {
public:
  explicit MaskScope(mode_t mask) : before(::umask(mask)) {}
  ~MaskScope() { ::umask(before); }
  MaskScope(const MaskScope &) = delete;
  MaskScope &operator=(const MaskScope &) = delete;

private:
  mode_t before;
};

mode_t rightsOf(const std::string &path) {
  struct stat info{};
  EXPECT_EQ(::stat(path.c_str(), &info), 0);
  return info.st_mode & 0777;
}

TEST_P(WriteFileTest, NewFilesHaveTheRightsOfTheProcess) {
  for (mode_t mask : {077u, 002u, 022u}) {
    MaskScope scope(mask);
    std::string path = folder / std::to_string(mask);
    ASSERT_THAT(write(path, "x"), isOk());
    EXPECT_EQ(rightsOf(path), 0666 & ~mask);
  }
  std::string known = folder / "known";
  writeFileOf(known, "x");
  ASSERT_EQ(::chmod(known.c_str(), 0640), 0);
  ASSERT_THAT(write(known, "y"), isOk());
  EXPECT_EQ(rightsOf(known), 0640u);
}

TEST_P(WriteFileTest, WritesWhatALinkPointsAt) {
  writeFileOf(folder / "file", "old");
  fs::create_symlink("file", folder / "link");
  ASSERT_THAT(write(folder / "link", "new"), isOk());
  EXPECT_EQ(readFileOf(folder / "file"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  fs::create_symlink("none", folder / "dangling");
  ASSERT_THAT(write(folder / "dangling", "made"), isOk());
  EXPECT_EQ(readFileOf(folder / "none"), "made");
  fs::create_symlink("loop", folder / "loop");
  EXPECT_THAT(write(folder / "loop", "x"),
              fails(StatusCode::Unknown, ::testing::HasSubstr("loop; ")));
  EXPECT_TRUE(fs::is_symlink(folder / "loop"));
}

TEST_P(WriteFileTest, WritesIntoPipesAndDevices) {
  std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Nobody reads yet: an error, which does not wait.
  EXPECT_FALSE(write(pipe, "hi").ok());
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_THAT(write(pipe, "hi"), isOk());
  char got[8];
  EXPECT_EQ(::read(reader, got, sizeof got), 2);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_THAT(write("/dev/null", "hi"), isOk());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

INSTANTIATE_TEST_SUITE_P(Modes, WriteFileTest,
                         ::testing::Values(ExecutionMode::EvaluatorOnly));

} // namespace
} // namespace kiln::testing
