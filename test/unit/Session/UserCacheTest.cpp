// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The folder for compiled code that the user's environment names, and sessions
// that go without where it cannot be used.
#include "kiln/Session.h"

#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {
namespace {

namespace fs = std::filesystem;
using testing::isOk;
using testing::scaleGraph;

class UserCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    for (const char *name : {"KILN_CACHE", "XDG_CACHE_HOME", "HOME"}) {
      const char *value = getenv(name);
      before[name] = value ? std::optional<std::string>(value) : std::nullopt;
      unsetenv(name);
    }
    std::string pattern = ::testing::TempDir() + "kiln_home_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    home = pattern;
  }
  void TearDown() override {
    for (const auto &[name, value] : before)
      if (value)
        setenv(name.c_str(), value->c_str(), 1);
      else
        unsetenv(name.c_str());
    fs::remove_all(home);
  }

  static std::string folder() { return DiskCacheOptions::ofUser().folder; }
  /// Runs natively with the user's cache; how many entries that stored.
  static StatusOr<int64_t> storesOfARun() {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    options.diskCache = DiskCacheOptions::ofUser();
    auto session = Session::create(scaleGraph(), options);
    if (!session.ok())
      return session.status();
    auto made = (*session)->run({}, {}, {"init"});
    if (!made.ok())
      return made.status();
    return (*session)->stats().diskStores;
  }

  std::string home;
  std::map<std::string, std::optional<std::string>> before;
};

TEST_F(UserCacheTest, LiesInTheHomeFolder) {
  setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(folder(), home + "/.cache/kiln");
  auto stores = storesOfARun();
  ASSERT_THAT(stores, isOk());
  EXPECT_EQ(*stores, 1);
  for (std::string made : {home + "/.cache", home + "/.cache/kiln"}) {
    struct stat info;
    ASSERT_EQ(stat(made.c_str(), &info), 0) << made;
    EXPECT_EQ(info.st_mode & 0777, 0700u) << made;
  }
}

TEST_F(UserCacheTest, VariablesNameAnotherFolder) {
  setenv("HOME", home.c_str(), 1);
  setenv("XDG_CACHE_HOME", (home + "/xdg").c_str(), 1);
  EXPECT_EQ(folder(), home + "/xdg/kiln");
  setenv("XDG_CACHE_HOME", "relative", 1); // to be ignored, says the standard
  EXPECT_EQ(folder(), home + "/.cache/kiln");
  setenv("KILN_CACHE", (home + "/own").c_str(), 1);
  EXPECT_EQ(folder(), home + "/own");
  setenv("KILN_CACHE", "off", 1);
  EXPECT_EQ(folder(), "");
}

TEST_F(UserCacheTest, WithoutAUsableFolderSessionsGoWithout) {
  EXPECT_EQ(folder(), ""); // no HOME
  setenv("HOME", (home + "/none").c_str(), 1);
  EXPECT_EQ(folder(), ""); // and it is not made
  setenv("HOME", home.c_str(), 1);
  fs::create_directories(home + "/.cache");
  std::ofstream(home + "/.cache/kiln") << "a file";
  auto stores = storesOfARun();
  ASSERT_THAT(stores, isOk());
  EXPECT_EQ(*stores, 0);
}

TEST_F(UserCacheTest, AFolderThatTheUserNamedIsRequired) {
  std::ofstream(home + "/file") << "a file";
  setenv("KILN_CACHE", (home + "/file").c_str(), 1);
  EXPECT_EQ(storesOfARun().status().code(), StatusCode::InvalidArgument);
}

TEST_F(UserCacheTest, AnotherUsersHomeIsLeftAlone) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs to give a folder away";
  ASSERT_EQ(chown(home.c_str(), 65534, 65534), 0);
  setenv("HOME", home.c_str(), 1);
  EXPECT_EQ(folder(), "");
  EXPECT_FALSE(fs::exists(home + "/.cache"));
}

} // namespace
} // namespace kiln
