// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many random numbers a second the random ops draw, by distribution, and
// how far that is from writing memory at full speed.
//
// Random/DISTRIBUTION/DTYPE/ELEMENTS/THREADS, with draws_per_second; the limit
// is a triad on arrays of the same bytes, of which drawing only writes one. It
// does not measure compiling, nor draws that are fused with what uses them.
// Small arrays include the call (Call).
#include "bench/MicroGraph.h"

namespace kiln::bench {
namespace {

StatusOr<Bound> bindDraw(const char *op, DType dtype, int64_t elements,
                         int threads) {
  GraphWriter writer;
  writer.vector("shape", {static_cast<int32_t>(elements)});
  writer.add("draws", op, {"shape"},
             {{"T", DType::Int32},
              {"dtype", dtype},
              {"seed", int64_t(1)},
              {"seed2", int64_t(2)}});
  return bindSignature(writer, {}, {}, {"draws:0"}, {}, {.threads = threads});
}

void draw(benchmark::State &state, const char *op, DType dtype,
          int64_t elements, int threads) {
  StatusOr<Bound> bound = bindDraw(op, dtype, elements, threads);
  int64_t bytes = elements * static_cast<int64_t>(dtypeSize(dtype));
  timeSteps(
      state, bound,
      {.bytes = static_cast<double>(bytes),
       .limitGbs = cachedTrafficLimit(Traffic::Triad, bytes / 4, threads)});
}

const bool registered = [] {
  for (const char *op :
       {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"})
    for (DType dtype : {DType::Float32, DType::Float64})
      for (int64_t elements : {1 << 8, 1 << 16, 1 << 22})
        for (int threads : threadCounts()) {
          std::string name = std::string("Random/") + op + "/" +
                             shortName(dtype) + "/" + std::to_string(elements) +
                             "/" + std::to_string(threads);
          benchmark::RegisterBenchmark(name.c_str(), draw, op, dtype, elements,
                                       threads);
        }
  return true;
}();

} // namespace
} // namespace kiln::bench
