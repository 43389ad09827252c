// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs what another process compiled, in a program that has no compiler: it
// links lib/Exec and lib/Loader, and neither lib/Compile nor MLIR.
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Exec/FrameLease.h"
#include "lib/Exec/NativeFrame.h"
#include "lib/Loader/Linker.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

#include <cstdlib>
#include <fstream>
#include <link.h>
#include <sstream>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;

/// Whether a library whose path has the name is loaded.
bool isLoaded(const char *name) {
  auto has = [](dl_phdr_info *object, size_t, void *wanted) {
    return std::string_view(object->dlpi_name)
                       .find(static_cast<const char *>(wanted)) !=
                   std::string_view::npos
               ? 1
               : 0;
  };
  return dl_iterate_phdr(has, const_cast<char *>(name)) != 0;
}

/// Functions that a process with a compiler wrote, and sessions of this one.
class RunningHalf : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    folder = new testing::TemporaryFolder;
    ASSERT_EQ(std::system((std::string(KILN_COMPILE_AHEAD) + " '" +
                           folder->name() + "'")
                              .c_str()),
              0);
  }
  static void TearDownTestSuite() { delete folder; }

  static StatusOr<CompiledFunction> read(const std::string &name) {
    std::ifstream file(folder->name() + "/" + name, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return decodeCompiledFunction(bytes.str());
  }

  static std::unique_ptr<SessionServices> openServices() {
    return std::make_unique<SessionServices>(SessionOptions(),
                                             std::make_shared<ResourceTable>());
  }

  static StatusOr<ProgramPtr> load(const std::string &name,
                                   SessionServices &services) {
    KILN_ASSIGN_OR_RETURN(CompiledFunction function, read(name));
    KILN_ASSIGN_OR_RETURN(auto linked,
                          linkObjects(function.code.objects, codeEntryName));
    KILN_ASSIGN_OR_RETURN(
        auto executor,
        NativeExecutor::make(std::move(linked), function.code.layout));
    std::vector<Tensor> constants;
    for (const Digest &digest : function.constants)
      constants.push_back(function.ownConstants.at(digest));
    KILN_ASSIGN_OR_RETURN(auto program,
                          makeNativeProgram(std::move(function),
                                            std::move(constants),
                                            std::move(executor), services));
    return ProgramPtr(std::move(program));
  }

  /// Runs a program with these feeds, for all that it gives.
  static StatusOr<std::vector<Tensor>> run(const ProgramPtr &program,
                                           const std::vector<Tensor> &feeds) {
    std::vector<FeedView> views(feeds.begin(), feeds.end());
    if (!program->matches(views))
      return failedPreconditionError("the program is for other feeds");
    std::vector<int> places(program->interface().fetches.size());
    for (size_t i = 0; i < places.size(); ++i)
      places[i] = static_cast<int>(i);
    std::vector<Tensor> results(places.size());
    FrameLease lease(program);
    KILN_RETURN_IF_ERROR(
        bindAndRun(lease, {views, feeds, places, results, RunControl()}));
    return results;
  }

  static testing::TemporaryFolder *folder;
};

testing::TemporaryFolder *RunningHalf::folder = nullptr;

Tensor matrix(int64_t rows) {
  Tensor x = *Tensor::create(DType::Float32, Shape({rows, 3}));
  for (int64_t i = 0; i < 3 * rows; ++i)
    x.mutableData<float>()[i] = static_cast<float>(i);
  return x;
}

std::vector<float> elementsOf(const Tensor &tensor) {
  auto all = tensor.data<float>();
  return {all.begin(), all.end()};
}

TEST_F(RunningHalf, HasNoCompiler) {
  EXPECT_TRUE(isLoaded("libc.so"));
  EXPECT_FALSE(isLoaded("libMLIR"));
}

TEST_F(RunningHalf, RunsCodeOfAnotherProcessOnItsOwnVariables) {
  auto services = openServices();
  auto init = load("init", *services), rows = load("rows", *services),
       bump = load("bump", *services);
  ASSERT_THAT(init, isOk());
  ASSERT_THAT(rows, isOk());
  ASSERT_THAT(bump, isOk());
  ASSERT_THAT(run(*init, {}), isOk());
  // rows = sum(x * w, 1) with w = [1, 2, 3], for any number of rows.
  for (int64_t n : {4, 2, 7}) {
    auto given = run(*rows, {matrix(n)});
    ASSERT_THAT(given, isOk());
    std::vector<float> expected;
    for (int64_t i = 0; i < n; ++i)
      expected.push_back(static_cast<float>(18 * i + 8));
    EXPECT_EQ(elementsOf((*given)[0]), expected);
  }
  ASSERT_THAT(run(*bump, {}), isOk()); // w = [2, 3, 4]
  auto after = run(*rows, {matrix(2)});
  ASSERT_THAT(after, isOk());
  EXPECT_EQ(elementsOf((*after)[0]), (std::vector<float>{11, 38}));
}

TEST_F(RunningHalf, EachSessionHasVariablesOfItsOwn) {
  auto first = openServices(), second = openServices();
  auto init = load("init", *first), rows = load("rows", *second);
  ASSERT_THAT(init, isOk());
  ASSERT_THAT(rows, isOk());
  ASSERT_THAT(run(*init, {}), isOk());
  EXPECT_THAT(run(*rows, {matrix(2)}),
              fails(StatusCode::FailedPrecondition,
                    HasSubstr("uninitialized value w")));
}

TEST_F(RunningHalf, CodeThatCallsWhatIsNotThereIsRefused) {
  auto function = read("rows");
  ASSERT_THAT(function, isOk());
  function->code.layout.kernels.push_back({"no such kernel", -1});
  auto linked = linkObjects(function->code.objects, codeEntryName);
  ASSERT_THAT(linked, isOk());
  EXPECT_THAT(NativeExecutor::make(*std::move(linked), function->code.layout),
              fails(StatusCode::Internal, HasSubstr("no such kernel")));
}

} // namespace
} // namespace kiln
