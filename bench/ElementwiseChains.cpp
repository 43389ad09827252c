// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How close chains of elementwise ops come to what the machine moves, from
// arrays in the first cache to arrays in memory, on one thread and on all.
//
// Elementwise/CHAIN/DTYPE/ELEMENTS/THREADS. mul_addN: N times
// r = r * 0.5 + y, begun with r = x: reads two arrays and writes one, as the
// triad that is the limit does on arrays of the same bytes; with a growing N
// arithmetic takes over. tanh, exp: one elementary function, read and written.
// It does not measure compiling, nor what is not fused into one loop. Small
// arrays include the call (Call).
#include "bench/MicroGraph.h"

namespace kiln::bench {
namespace {

struct Chain {
  const char *name;
  int mulAdds;          ///< or
  const char *function; ///< one op
};

StatusOr<Bound> bindChain(const Chain &chain, DType dtype, int64_t elements,
                          int threads) {
  GraphWriter writer;
  writer.placeholder("x", dtype, {-1});
  writer.placeholder("y", dtype, {-1});
  writer.scalar("half", dtype, 0.5);
  std::string result = "x";
  for (int i = 0; i < chain.mulAdds; ++i) {
    std::string number = std::to_string(i);
    writer.math("mul" + number, "Mul", {result, "half"}, dtype);
    writer.math("add" + number, "Add", {"mul" + number, "y"}, dtype);
    result = "add" + number;
  }
  std::vector<TensorId> names = {"x:0", "y:0"};
  if (chain.function) {
    writer.math("function", chain.function, {"x"}, dtype);
    result = "function";
    names.pop_back();
  }
  std::vector<Tensor> feeds;
  for (size_t i = 0; i < names.size(); ++i) {
    StatusOr<Tensor> feed = makeNumbers(dtype, {elements});
    if (!feed.ok())
      return feed.status();
    feeds.push_back(*std::move(feed));
  }
  return bindSignature(writer, names, std::move(feeds), {result + ":0"}, {},
                       {.threads = threads});
}

void elementwise(benchmark::State &state, const Chain &chain, DType dtype,
                 int64_t elements, int threads) {
  StatusOr<Bound> bound = bindChain(chain, dtype, elements, threads);
  int64_t arrayBytes = elements * static_cast<int64_t>(dtypeSize(dtype));
  int arrays = chain.function ? 2 : 3;
  timeSteps(state, bound,
            {.bytes = static_cast<double>(arrays * arrayBytes),
             .limitGbs =
                 cachedTrafficLimit(Traffic::Triad, arrayBytes / 4, threads)});
}

// Three arrays of float32 in the first cache, the second, the third, memory.
constexpr int64_t sizes[] = {1 << 11, 1 << 15, 1 << 20, 1 << 24};
constexpr Chain chains[] = {{"mul_add1", 1, nullptr},
                            {"mul_add4", 4, nullptr},
                            {"mul_add16", 16, nullptr},
                            {"tanh", 0, "Tanh"},
                            {"exp", 0, "Exp"}};

const bool registered = [] {
  for (const Chain &chain : chains)
    for (DType dtype : {DType::Float32, DType::Float64})
      for (int64_t elements : sizes)
        for (int threads : threadCounts()) {
          std::string name = std::string("Elementwise/") + chain.name + "/" +
                             shortName(dtype) + "/" + std::to_string(elements) +
                             "/" + std::to_string(threads);
          benchmark::RegisterBenchmark(name.c_str(), elementwise, chain, dtype,
                                       elements, threads);
        }
  return true;
}();

} // namespace
} // namespace kiln::bench
