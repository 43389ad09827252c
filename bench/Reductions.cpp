// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How close reductions come to reading memory at full speed, by axis: the
// innermost is a sum within vectors, the others are sums of vectors.
//
// Reduce/OP_AXES/DTYPE/SHAPE/THREADS, gbs of the bytes read; the limit is a
// plain sum over the same bytes in this run. It does not measure compiling, nor
// reductions that are fused with what comes before them.
#include "bench/MicroGraph.h"

namespace kiln::bench {
namespace {

struct Reduction {
  const char *name;
  const char *op;
  std::vector<int32_t> axes;
  Shape shape;
};

std::string shapeText(const Shape &shape) {
  std::string text;
  for (int i = 0; i < shape.rank(); ++i)
    text += (i ? "x" : "") + std::to_string(shape.dim(i));
  return text;
}

StatusOr<Bound> bindReduction(const Reduction &reduction, DType dtype,
                              int threads) {
  GraphWriter writer;
  const std::vector<int64_t> unknown(reduction.shape.rank(), -1);
  writer.placeholder("x", dtype, Shape(std::span<const int64_t>(unknown)));
  writer.vector("axes", reduction.axes);
  writer.add("result", reduction.op, {"x", "axes"},
             {{"T", dtype}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  StatusOr<Tensor> feed = makeNumbers(dtype, reduction.shape);
  if (!feed.ok())
    return feed.status();
  return bindSignature(writer, {"x:0"}, {*std::move(feed)}, {"result:0"}, {},
                       {.threads = threads});
}

void reduce(benchmark::State &state, const Reduction &reduction, DType dtype,
            int threads) {
  StatusOr<Bound> bound = bindReduction(reduction, dtype, threads);
  int64_t bytes = static_cast<int64_t>(dtypeSize(dtype));
  for (int i = 0; i < reduction.shape.rank(); ++i)
    bytes *= reduction.shape.dim(i);
  timeSteps(state, bound,
            {.bytes = static_cast<double>(bytes),
             .limitGbs = cachedTrafficLimit(Traffic::Sum, bytes / 4, threads)});
}

const bool registered = [] {
  // 256 KiB and 64 MiB of float32.
  const Shape matrices[] = {{256, 256}, {4096, 4096}};
  const Shape cubes[] = {{32, 64, 32}, {128, 1024, 128}};
  std::vector<Reduction> reductions;
  for (const char *op : {"Sum", "Max", "Mean"}) {
    for (const Shape &shape : matrices) {
      reductions.push_back({"rows", op, {1}, shape});
      reductions.push_back({"columns", op, {0}, shape});
      reductions.push_back({"all", op, {0, 1}, shape});
    }
    for (const Shape &shape : cubes)
      reductions.push_back({"middle", op, {1}, shape});
  }
  for (const Reduction &reduction : reductions)
    for (DType dtype : {DType::Float32, DType::Float64})
      for (int threads : threadCounts()) {
        std::string name = std::string("Reduce/") + reduction.op + "_" +
                           reduction.name + "/" + shortName(dtype) + "/" +
                           shapeText(reduction.shape) + "/" +
                           std::to_string(threads);
        benchmark::RegisterBenchmark(name.c_str(), reduce, reduction, dtype,
                                     threads);
      }
  return true;
}();

} // namespace
} // namespace kiln::bench
