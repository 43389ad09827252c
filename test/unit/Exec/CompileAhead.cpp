// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles functions of a small graph into the folder that is its argument, for
// RunningHalfTest.
#include "lib/Compile/ProgramCompiler.h"
#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"

#include <cstdio>
#include <fstream>

namespace kiln {
namespace {

/// What is compiled, and the name of its file.
struct Wanted {
  std::string file;
  std::vector<std::string> feeds, fetches, targets;
};

Status write(const Graph &graph, const Wanted &wanted,
             const std::string &folder) {
  SessionServices services({}, std::make_shared<ResourceTable>());
  auto request = testing::resolveNames(graph, wanted.feeds, wanted.fetches,
                                       wanted.targets);
  if (!request.ok())
    return request.status();
  const Tensor x = testing::countingMatrix(4, 3);
  std::vector<FeedView> feeds(wanted.feeds.size(), FeedView(x));
  auto function = compileAhead(graph, *request, feeds, {services, nullptr}, {});
  if (!function.ok())
    return function.status();
  std::ofstream file(folder + "/" + wanted.file, std::ios::binary);
  file << encode(*function);
  return file.flush() ? okStatus() : unknownError("cannot write a file");
}

} // namespace
} // namespace kiln

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  auto graph = kiln::testing::scaleGraph();
  for (const kiln::Wanted &wanted :
       {kiln::Wanted{"init", {}, {}, {"init"}},
        kiln::Wanted{"rows", {"x:0"}, {"rows:0"}, {}},
        kiln::Wanted{"bump", {}, {}, {"bump"}}})
    if (kiln::Status status = kiln::write(*graph, wanted, argv[1]);
        !status.ok()) {
      std::fprintf(stderr, "%s: %s\n", wanted.file.c_str(),
                   status.toString().c_str());
      return 1;
    }
  return 0;
}
