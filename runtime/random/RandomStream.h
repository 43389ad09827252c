// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The position of one random node in its Philox stream.
#ifndef KILN_RUNTIME_RANDOM_RANDOMSTREAM_H
#define KILN_RUNTIME_RANDOM_RANDOMSTREAM_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace kiln {

class FileAccess;

/// What a kernel keeps with the stream of its node, from run to run.
struct StreamMemory {
  virtual ~StreamMemory() = default;
};

/// A Philox-4x32-10 stream that runs draw from without overlap.
///
/// Invariants: (1) the key is seed, the upper half of the counter starts as
/// seed2, the lower half as 0, as TensorFlow's GuardedPhiloxRandom; (2)
/// reserve() hands out disjoint intervals in the order of the calls. The lower
/// half counts 2^64 samples of 128 bits; a carry out of it is out of reach.
/// Thread safety: reserve() from any number of threads; `memoryMutex` guards
/// `memory`.
class RandomStream {
public:
  RandomStream(uint64_t seed, uint64_t seed2) noexcept
      : seed(seed), seed2(seed2) {}
  /// The stream of seeds that a graph gives. **Edges**: both 0 draws them from
  /// the system.
  static std::unique_ptr<RandomStream> create(int64_t seed, int64_t seed2);

  /// Takes `samples` samples of 128 bits and writes where they begin: counter
  /// words 0 to 3, then key words 0 and 1.
  void reserve(uint64_t samples, uint32_t *words) noexcept {
    locate(position.fetch_add(samples, std::memory_order_relaxed), words);
  }
  /// Writes where sample number `first` begins.
  void locate(uint64_t first, uint32_t *words) const noexcept {
    words[0] = static_cast<uint32_t>(first);
    words[1] = static_cast<uint32_t>(first >> 32);
    words[2] = static_cast<uint32_t>(seed2);
    words[3] = static_cast<uint32_t>(seed2 >> 32);
    words[4] = static_cast<uint32_t>(seed);
    words[5] = static_cast<uint32_t>(seed >> 32);
  }
  /// The number of the sample that reserve() or locate() wrote.
  static uint64_t positionIn(const uint32_t *words) noexcept {
    return words[0] | uint64_t(words[1]) << 32;
  }
  /// Samples taken so far.
  uint64_t samplesTaken() const noexcept {
    return position.load(std::memory_order_relaxed);
  }

  const uint64_t seed;
  const uint64_t seed2;

  /// Made by the kernel of the node.
  std::unique_ptr<StreamMemory> memory;
  /// An ordinary one, which kernels hold for long: what runs of other threads
  /// used when the process forked is lost for a child.
  std::mutex memoryMutex;
  /// The files that it may read; null for any. Constant once the stream is in a
  /// table.
  const FileAccess *files = nullptr;

private:
  std::atomic<uint64_t> position{0};
};

} // namespace kiln

#endif // KILN_RUNTIME_RANDOM_RANDOMSTREAM_H
