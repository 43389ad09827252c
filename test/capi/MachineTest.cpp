// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, threads and libraries by TensorFlow's C interface; codes and texts are
// TensorFlow 2.21's.
#include "test/capi/CFixture.h"
#include "test/unit/TemporaryFolder.h"

#include "tensorflow/c/env.h"

namespace kiln {
namespace {

class CMachine : public CFixture {};

TEST_F(CMachine, FilesAreWrittenAndDeleted) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "made";
  TF_CreateDir(path.c_str(), status);
  EXPECT_EQ(failure(), "");
  TF_CreateDir(path.c_str(), status);
  EXPECT_EQ(failure(), "6: " + path + "; File exists");
  TF_WritableFileHandle *file = nullptr;
  TF_NewWritableFile((path + "/f").c_str(), &file, status);
  ASSERT_EQ(failure(), "");
  TF_AppendWritableFile(file, "abc", 3, status);
  TF_SyncWritableFile(file, status);
  TF_CloseWritableFile(file, status);
  EXPECT_EQ(failure(), "");
  TF_FileStatistics statistics;
  TF_FileStat((path + "/f").c_str(), &statistics, status);
  EXPECT_EQ(statistics.length, 3);
  EXPECT_FALSE(statistics.is_directory);
  TF_NewWritableFile((path + "/none/f").c_str(), &file, status);
  EXPECT_EQ(failure(), "5: " + path + "/none/f; No such file or directory");
  EXPECT_EQ(file, nullptr);
  TF_DeleteDir(path.c_str(), status);
  EXPECT_EQ(failure(), "9: " + path + "; Directory not empty");
  TF_StringStream *children = TF_GetChildren(path.c_str(), status);
  const char *name = nullptr;
  EXPECT_TRUE(TF_StringStreamNext(children, &name));
  EXPECT_STREQ(name, "f");
  EXPECT_FALSE(TF_StringStreamNext(children, &name));
  TF_StringStreamDone(children);
  int64_t files = -1, folders = -1;
  TF_DeleteRecursively(path.c_str(), &files, &folders, status);
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(files + folders, 0);
  TF_DeleteRecursively(path.c_str(), &files, &folders, status);
  EXPECT_EQ(failure(), "5: " + path + " not found");
  char *temporary = TF_GetTempFileName(".txt");
  ASSERT_NE(temporary, nullptr);
  EXPECT_TRUE(std::string_view(temporary).ends_with(".txt"));
  std::free(temporary);
}

TEST_F(CMachine, ThreadsAreJoined) {
  TF_ThreadOptions options;
  TF_DefaultThreadOptions(&options);
  int ran = 0;
  TF_JoinThread(TF_StartThread(
      &options, "a name that is longer than the system's",
      [](void *count) { ++*static_cast<int *>(count); }, &ran));
  EXPECT_EQ(ran, 1);
  const uint64_t before = TF_NowMicros();
  EXPECT_GE(TF_NowNanos(), before * 1000);
}

TEST_F(CMachine, LibrariesAreLoaded) {
  EXPECT_EQ(TF_LoadSharedLibrary("/nope.so", status), nullptr);
  EXPECT_EQ(failure(), "5: /nope.so: cannot open shared object file: No such "
                       "file or directory");
  void *library = TF_LoadSharedLibrary("libm.so.6", status);
  EXPECT_NE(TF_GetSymbolFromLibrary(library, "cos", status), nullptr);
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(TF_GetSymbolFromLibrary(library, "nope", status), nullptr);
  EXPECT_THAT(failure(), ::testing::HasSubstr("undefined symbol: nope"));
}

} // namespace
} // namespace kiln
