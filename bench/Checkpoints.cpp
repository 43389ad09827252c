// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a checkpoint of 1 GiB is written and read, beside the limits of the
// folder that it is in: plain writes with a sync, plain reads into memory that
// is new, and a copy in memory.
//
// Checkpoint/WHAT/f32/BYTES. It does not measure the session's part of a save.
// KILN_BENCH_FOLDER names the folder, the current one by default.
#include "lib/IO/BundleReader.h"
#include "lib/IO/BundleWriter.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace kiln::bench {
namespace {

constexpr int64_t numTensors = 16, elements = int64_t(1) << 24;
constexpr int64_t bytesInAll = numTensors * elements * 4;

std::string folder() {
  const char *named = std::getenv("KILN_BENCH_FOLDER");
  std::string path = std::string(named ? named : ".") + "/checkpoint_bench";
  std::filesystem::create_directories(path);
  return path;
}

const Tensor &values() {
  static const Tensor tensor = [] {
    Tensor made = *Tensor::create(DType::Float32, {elements});
    for (size_t i = 0; float &value : made.mutableData<float>())
      value = static_cast<float>(i++ * 2654435761u);
    return made;
  }();
  return tensor;
}

std::string_view bytesOf(const Tensor &tensor) {
  return {static_cast<const char *>(tensor.rawData()), tensor.byteSize()};
}

bool failed(benchmark::State &state, const Status &status) {
  if (!status.ok())
    state.SkipWithError(status.toString().c_str());
  return !status.ok();
}

Status writeCheckpoint(const std::string &prefix) {
  auto writer = io::BundleWriter::create(prefix);
  Status status = writer.status();
  for (int64_t i = 0; i < numTensors && status.ok(); ++i)
    status = writer->add("tensor" + std::to_string(i), values());
  return status.ok() ? writer->finish() : status;
}

void write(benchmark::State &state) {
  std::string prefix = folder() + "/model";
  for (auto _ : state)
    if (failed(state, writeCheckpoint(prefix)))
      return;
  state.SetBytesProcessed(state.iterations() * bytesInAll);
}

void plainWrite(benchmark::State &state) {
  std::string path = folder() + "/plain";
  for (auto _ : state) {
    auto file = FileWriter::create(path);
    Status status = file.status();
    for (int64_t i = 0; i < numTensors && status.ok(); ++i)
      status = file->append(bytesOf(values()));
    if (status.ok())
      status = file->sync();
    if (status.ok())
      status = file->commit();
    if (failed(state, status))
      return;
  }
  state.SetBytesProcessed(state.iterations() * bytesInAll);
}

void read(benchmark::State &state) {
  std::string prefix = folder() + "/model";
  if (failed(state, writeCheckpoint(prefix)))
    return;
  for (auto _ : state) {
    auto reader = io::BundleReader::open(prefix);
    if (failed(state, reader.status()))
      return;
    for (int64_t i = 0; i < numTensors; ++i) {
      std::string name = "tensor" + std::to_string(i);
      auto stored = reader->find(name);
      if (failed(state, stored.status()) ||
          failed(state, reader->read(name, *stored).status()))
        return;
    }
  }
  state.SetBytesProcessed(state.iterations() * bytesInAll);
}

void plainRead(benchmark::State &state) {
  std::string path = folder() + "/plain";
  auto file = FileReader::open(path);
  if (failed(state, file.status()))
    return;
  for (auto _ : state)
    for (int64_t i = 0; i < numTensors; ++i) {
      Tensor to = *Tensor::create(DType::Float32, {elements});
      const auto size = static_cast<int64_t>(to.byteSize());
      if (failed(state,
                 file->read(i * size, static_cast<char *>(to.mutableRawData()),
                            size)
                     .status()))
        return;
    }
  state.SetBytesProcessed(state.iterations() * bytesInAll);
}

void copy(benchmark::State &state) {
  for (auto _ : state)
    for (int64_t i = 0; i < numTensors; ++i) {
      Tensor to = *Tensor::create(DType::Float32, {elements});
      std::memcpy(to.mutableRawData(), values().rawData(), to.byteSize());
      benchmark::DoNotOptimize(to.rawData());
    }
  state.SetBytesProcessed(state.iterations() * bytesInAll);
}

#define KILN_CHECKPOINT_BENCH(function, name)                                  \
  BENCHMARK(function)                                                          \
      ->Name("Checkpoint/" name "/f32/1GiB")                                   \
      ->Unit(benchmark::kMillisecond)                                          \
      ->UseRealTime()                                                          \
      ->Iterations(3)
KILN_CHECKPOINT_BENCH(write, "write");
KILN_CHECKPOINT_BENCH(plainWrite, "plain write and sync");
KILN_CHECKPOINT_BENCH(read, "read");
KILN_CHECKPOINT_BENCH(plainRead, "plain read");
KILN_CHECKPOINT_BENCH(copy, "copy");

} // namespace
} // namespace kiln::bench
