// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States of random generators that a graph holds itself: made of seeds, of keys
// and counters, or kept in a variable; numbers that cannot be repeated; and the
// places of a permutation.
#include "lib/Support/Strings.h"
#include "runtime/kernels/KernelCall.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/random/RandomScalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace kiln {
namespace {

using random::PhiloxState;

/// TensorFlow's numbers of algorithms.
constexpr int64_t philox = 1, threeFry = 2, anyAlgorithm = 3;

int64_t integerOf(const KernelCall &call, int input, int64_t i) noexcept {
  return call.inputDType(input) == DType::Int32 ? call.input<int32_t>(input)[i]
                                                : call.input<int64_t>(input)[i];
}

Status unsupportedAlgorithm(int64_t number) {
  return invalidArgumentError(strCat("Unsupported algorithm id: ", number));
}

//===--- Seeds, keys and counters -----------------------------------------===//

/// Two seeds as a place in a stream, mixed so that no bit of them is a weak
/// one.
PhiloxState stateOfSeeds(const KernelCall &call) noexcept {
  const auto first = static_cast<uint64_t>(integerOf(call, 0, 0)),
             second = static_cast<uint64_t>(integerOf(call, 0, 1));
  const auto mixed =
      random::philoxWords({{uint32_t(first), uint32_t(first >> 32),
                            uint32_t(second), uint32_t(second >> 32)},
                           {0x3ec8f720, 0x02461e29}});
  return {{0, 0, mixed[2], mixed[3]}, {mixed[0], mixed[1]}};
}

/// seeds : [2] -> state : [6] x int32
int32_t seedState(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  *call.output<PhiloxState>(0) = stateOfSeeds(call);
  return 0;
}

/// seeds : [2] -> key : [1] x uint64, counter : [2] x uint64
int32_t seedKeyAndCounter(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const PhiloxState state = stateOfSeeds(call);
  std::memcpy(call.output<uint64_t>(0), state.key, sizeof state.key);
  std::memcpy(call.output<uint64_t>(1), state.counter, sizeof state.counter);
  return 0;
}

/// key : [1] x uint64, counter : [at least 2] x uint64, algorithm, the shape of
/// the outputs -> state : [6] x int32. Where no output is asked for, any
/// algorithm will do.
int32_t keyAndCounterState(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t algorithm = integerOf(call, 2, 0);
  // TensorFlow takes the algorithm's number for the least length.
  const int64_t least =
      algorithm == anyAlgorithm ? 2 : std::max<int64_t>(algorithm, 2);
  if (call.inputElements(1) < least)
    return !call.fail(invalidArgumentError(
        strCat("counter must be a vector with length at least ", least,
               "; got shape: [", call.inputElements(1),
               "]. (Note that batched counters are not supported yet.)")));
  bool isEmpty = false;
  for (int64_t i = 0; i < call.inputElements(3); ++i)
    isEmpty |= integerOf(call, 3, i) == 0;
  if (!isEmpty && algorithm != philox && algorithm != anyAlgorithm)
    return !call.fail(unsupportedAlgorithm(algorithm));
  PhiloxState &state = *call.output<PhiloxState>(0);
  std::memcpy(state.key, call.input<uint64_t>(0), sizeof state.key);
  std::memcpy(state.counter, call.input<uint64_t>(1), sizeof state.counter);
  return 0;
}

//===--- Variables --------------------------------------------------------===//

Status checkAlgorithm(int64_t algorithm, bool mayChoose) {
  if (algorithm == philox || (mayChoose && algorithm == anyAlgorithm))
    return okStatus();
  return algorithm == threeFry && mayChoose
             ? unimplementedError(
                   "Non-XLA devices don't support the ThreeFry algorithm.")
             : unsupportedAlgorithm(algorithm);
}

/// As random::skip(), but for the carry that TensorFlow's loses where the upper
/// half of \p samples and its own carry are 2^32.
void skipOfVariable(PhiloxState &state, uint64_t samples) noexcept {
  const auto low = uint32_t(samples);
  auto high = uint32_t(samples >> 32);
  state.counter[0] += low;
  high += state.counter[0] < low;
  state.counter[1] += high;
  if (state.counter[1] < high && ++state.counter[2] == 0)
    ++state.counter[3];
}

/// The variable : [n] x int64, what is taken, in outputs : int64, the algorithm
/// unless the variable has it in front -> state : [6] x int32, the variable
/// behind that; [whether any algorithm may be chosen]
int32_t takeOfGenerator(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t size = call.inputElements(0);
  const int64_t tag = call.numInputs() == 3 ? 0 : 1;
  const bool mayChoose = call.number(0) != 0;
  if (size < tag)
    return !call.fail(
        invalidArgumentError("Size of tensor must be at least 1"));
  const auto *before = call.input<int64_t>(0);
  const int64_t algorithm = tag ? before[0] : integerOf(call, 2, 0);
  if (Status status = checkAlgorithm(algorithm, mayChoose); !status.ok())
    return !call.fail(std::move(status));
  if (size < tag + 3)
    return !call.fail(invalidArgumentError(
        strCat("For ", mayChoose ? "the " : "",
               "Philox algorithm, the size of state must be at least ", tag + 3,
               "; got ", size)));
  PhiloxState state;
  std::memcpy(&state, before + tag, sizeof state);
  *call.output<PhiloxState>(0) = state;
  auto *after = call.output<int64_t>(1);
  if (after != before)
    std::copy_n(before, size, after);
  skipOfVariable(state, random::samplesTaken(
                            static_cast<uint64_t>(*call.input<int64_t>(1))));
  std::memcpy(after + tag, &state, sizeof state);
  return 0;
}

//===--- Without a seed ---------------------------------------------------===//

/// nothing -> words of the system's entropy : integers of 32 or 64 bits
int32_t systemNumbers(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  std::random_device entropy;
  const bool isWide = dtypeSize(call.outputDType(0)) == 8;
  auto *words = call.output<uint32_t>(0);
  return call.forEach(call.outputElements(0) * (isWide ? 2 : 1),
                      [&](int64_t i) {
                        words[i] = entropy();
                        return true;
                      });
}

//===--- Permutations -----------------------------------------------------===//

/// The block cipher Simon with words of any width and few rounds, as TensorFlow
/// shuffles indices with it (random_index_shuffle.cc).
class IndexCipher {
public:
  IndexCipher(const int64_t *seed, uint64_t largest, int64_t rounds) noexcept
      : largest(largest), rounds(rounds) {
    const auto bits =
        static_cast<int>(std::ceil(std::log2(static_cast<double>(largest))));
    width = std::max(bits + bits % 2, 16) / 2;
    mask = (uint64_t(1) << width) - 1;
    for (int i = 0; i < 3; ++i)
      begin[i] = static_cast<uint32_t>(seed[i]) & mask;
  }

  uint64_t permute(uint64_t index) const noexcept {
    do
      index = encrypt(index);
    while (index > largest);
    return index;
  }

private:
  uint64_t left(uint64_t x, int by) const noexcept {
    return (x << by | x >> (width - by)) & mask;
  }
  uint64_t right(uint64_t x, int by) const noexcept {
    return (x >> by | x << (width - by)) & mask;
  }
  uint64_t mix(uint64_t x) const noexcept {
    return (left(x, 1) & left(x, 8 % width)) ^ left(x, 2);
  }
  uint64_t encrypt(uint64_t value) const noexcept {
    uint64_t x = value & mask, y = value >> width & mask;
    uint64_t keys[3] = {begin[0], begin[1], begin[2]};
    uint64_t sequence = 0x7369f885192c0ef5 & mask;
    for (int64_t round = 0; round < rounds; ++round) {
      uint64_t &key = keys[round % 3];
      if (round >= 3) {
        const uint64_t last = keys[(round + 2) % 3];
        key ^= (0xfffffffc & mask) ^ (sequence & 1) ^ right(last, 3) ^
               right(last, 4);
        sequence >>= 1;
      }
      uint64_t &changed = round % 2 ? x : y;
      changed ^= mix(round % 2 ? y : x) ^ key;
    }
    return y << width | x;
  }

  uint64_t largest, mask;
  int64_t rounds;
  int width;
  uint64_t begin[3];
};

/// index : [n] x int64, seeds : [n, 3] x int64, largest index : [n] x int64 ->
/// [n] x int64; [rounds, whether they are unsigned]
int32_t shuffleIndices(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const bool isUnsigned = call.number(1) != 0;
  return call.forEach(call.outputElements(0), [&](int64_t i) {
    const int64_t index = call.input<int64_t>(0)[i],
                  largest = call.input<int64_t>(2)[i];
    if (index < 0 && !isUnsigned)
      return call.fail(
          invalidArgumentError(strCat("index must be >= 0 but was ", index)));
    if (largest < 0 && !isUnsigned)
      return call.fail(invalidArgumentError(
          strCat("max_index must be >= 0 but was ", largest)));
    if (static_cast<uint64_t>(largest) < static_cast<uint64_t>(index))
      return call.fail(invalidArgumentError(
          strCat("max_index must be >= index, but ",
                 isUnsigned ? std::to_string(static_cast<uint64_t>(largest))
                            : std::to_string(largest),
                 " < ",
                 isUnsigned ? std::to_string(static_cast<uint64_t>(index))
                            : std::to_string(index))));
    call.output<int64_t>(0)[i] =
        largest == 0
            ? 0
            : static_cast<int64_t>(IndexCipher(call.input<int64_t>(1) + 3 * i,
                                               static_cast<uint64_t>(largest),
                                               call.number(0))
                                       .permute(static_cast<uint64_t>(index)));
    return true;
  });
}

} // namespace

std::vector<Kernel> generatorKernels() {
  return {{"KeyAndCounterState", keyAndCounterState},
          {"SeedKeyAndCounter", seedKeyAndCounter, /*hasEffects=*/false,
           /*mayFail=*/false},
          {"SeedState", seedState, /*hasEffects=*/false, /*mayFail=*/false},
          {"ShuffleIndices", shuffleIndices},
          {"SystemNumbers", systemNumbers, /*hasEffects=*/true,
           /*mayFail=*/false, /*effectsEndWithRun=*/true},
          {"TakeOfGenerator", takeOfGenerator}};
}

} // namespace kiln
