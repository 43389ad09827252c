// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates drawn by weights that a session keeps: those of a list or a file,
// and those that a sampler counts from run to run.
#include "lib/Support/File.h"
#include "lib/Support/FileAccess.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/Candidates.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"
#include "runtime/random/RandomStream.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <new>
#include <string>
#include <vector>

namespace kiln {
namespace {

RandomStream &streamOf(const KernelCall &call) noexcept {
  return *call.context().streams[static_cast<size_t>(call.number(0))];
}

//===--- Weights that are given -------------------------------------------===//

/// A table of aliases (Walker's method): a place is drawn, then its own number
/// or its alias. As TensorFlow's DistributionSampler builds it, for the numbers
/// drawn depend on it.
class AliasTable final : public StreamMemory {
public:
  explicit AliasTable(std::vector<float> weights);

  int64_t draw(WordSource &words) const noexcept {
    const float x = words.unitFloat();
    const uint32_t place = words.below(static_cast<uint32_t>(own.size()));
    return x < own[place] ? place : aliases[place];
  }
  float probability(int64_t number) const noexcept {
    return number < 0 || number >= static_cast<int64_t>(own.size())
               ? 0
               : probabilities[static_cast<size_t>(number)];
  }

private:
  std::vector<float> own; ///< the probability of a place's own number
  std::vector<int32_t> aliases;
  std::vector<float> probabilities;
};

AliasTable::AliasTable(std::vector<float> weights)
    : own(weights.size(), 1), aliases(weights.size()),
      probabilities(std::move(weights)) {
  const size_t n = own.size();
  double sum = 0;
  float total = 0;
  for (float weight : probabilities) {
    sum += weight;
    total += weight;
  }
  std::vector<double> shares(n);
  std::vector<size_t> high, low;
  for (size_t i = 0; i < n; ++i) {
    aliases[i] = static_cast<int32_t>(i);
    shares[i] = probabilities[i] * static_cast<float>(n) / sum;
    (shares[i] < 1 ? low : high).push_back(i);
  }
  while (!high.empty() && !low.empty()) {
    const size_t poor = low.back(), rich = high.back();
    low.pop_back();
    high.pop_back();
    aliases[poor] = static_cast<int32_t>(rich);
    own[poor] = static_cast<float>(shares[poor]);
    shares[rich] -= 1 - shares[poor];
    (shares[rich] < 1 ? low : high).push_back(rich);
  }
  // What is left is 1 but for rounding.
  for (float &weight : probabilities)
    weight /= total;
}

/// What the attributes say of the classes that are this shard's.
struct Shard {
  explicit Shard(const KernelCall &call)
      : range(call.number(1)), reserved(call.number(3)), shards(call.number(4)),
        shard(call.number(5)),
        distortion(std::bit_cast<float>(static_cast<int32_t>(call.number(6)))) {
    for (int64_t number = 0; number < reserved; ++number)
      if (number % shards == shard)
        weights.push_back(0);
    next = static_cast<int64_t>(weights.size());
  }

  bool isNext() const { return next % shards == shard; }
  void skip() { ++next; }
  void add(float weight) {
    weights.push_back(std::pow(weight, distortion));
    ++next;
  }
  Status check() const {
    if (static_cast<int64_t>(weights.size()) == range)
      return okStatus();
    return invalidArgumentError(strCat("range is ", range,
                                       " must be equal to weights size  ",
                                       weights.size()));
  }

  int64_t range, reserved, shards, shard;
  float distortion;
  std::vector<float> weights;
  int64_t next = 0; ///< the number of the next class, of all shards
};

bool readWeight(std::string_view text, float &weight) {
  constexpr std::string_view blanks = " \t\v\f";
  const size_t begin = text.find_first_not_of(blanks);
  text.remove_prefix(begin == text.npos ? text.size() : begin);
  text = text.substr(0, text.find_last_not_of(blanks) + 1);
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), weight);
  return error == std::errc() && end == text.data() + text.size();
}

/// Lines of fields between commas, of which the last is the weight.
Status addWeightsOfFile(const KernelCall &call, const std::string &path,
                        Shard &shard) {
  constexpr size_t maxBytes = size_t(2) << 30;
  if (const FileAccess *files = streamOf(call).files)
    KILN_RETURN_IF_ERROR(files->check(path));
  KILN_ASSIGN_OR_RETURN(FileBytes bytes, readFile(path, maxBytes));
  for (std::string_view text = bytes.view(); !text.empty();) {
    const size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    std::erase(line, '\r');
    if (line.empty())
      continue;
    if (!shard.isNext()) {
      shard.skip();
      continue;
    }
    float weight = 0;
    if (!readWeight(std::string_view(line).substr(line.rfind(',') + 1), weight))
      return invalidArgumentError(
          strCat("Wrong vocabulary format at line: ", line));
    shard.add(weight);
  }
  return okStatus();
}

StatusOr<std::unique_ptr<AliasTable>> makeTable(const StringKernel &call) {
  try {
    Shard shard(call);
    const std::string path(call.text(2, 0));
    if (path.empty()) {
      for (int64_t i = 0; i < call.inputElements(1); ++i)
        if (shard.isNext())
          shard.add(call.input<float>(1)[i]);
        else
          shard.skip();
    } else {
      KILN_RETURN_IF_ERROR(addWeightsOfFile(call, path, shard));
    }
    KILN_RETURN_IF_ERROR(shard.check());
    return std::make_unique<AliasTable>(std::move(shard.weights));
  } catch (const std::bad_alloc &) {
    return resourceExhaustedError("OOM when allocating a sampler's weights");
  }
}

/// true classes : [batch, k] x int64, weights : [n] x float32, or the path of a
/// file of them -> as giveCandidates(); [stream, range, whether no candidate
/// comes twice, reserved classes, shards, this shard, the bits of the
/// distortion]
int32_t sampleFixed(const KilnKernelCall *raw) noexcept {
  StringKernel call(raw);
  RandomStream &stream = streamOf(call);
  const AliasTable *table;
  {
    std::lock_guard guard(stream.memoryMutex);
    if (!stream.memory) {
      auto made = makeTable(call);
      if (!made.ok())
        return !call.KernelCall::fail(std::move(made).status());
      stream.memory = std::move(*made);
    }
    table = static_cast<const AliasTable *>(stream.memory.get());
  }
  if (Status status =
          checkCandidates(call, call.number(1), call.number(2) != 0);
      !status.ok())
    return !call.KernelCall::fail(std::move(status));
  return !giveCandidates(call, *table);
}

//===--- Weights that are counted -----------------------------------------===//

/// How often each class was a true one, plus 1, and the sums of halves,
/// quarters and so on of all classes: a binary tree in one array, its root
/// at 1.
class ClassCounts final : public StreamMemory {
public:
  /// Null where there is no memory.
  static std::unique_ptr<ClassCounts> create(int64_t range) noexcept {
    const uint64_t leaves = std::bit_ceil(static_cast<uint64_t>(range));
    std::unique_ptr<ClassCounts> counts(new (std::nothrow) ClassCounts);
    if (!counts)
      return nullptr;
    counts->tree.reset(new (std::nothrow) int32_t[2 * leaves]);
    if (!counts->tree)
      return nullptr;
    counts->leaves = leaves;
    int32_t *tree = counts->tree.get();
    std::fill_n(tree + leaves, range, 1);
    std::fill(tree + leaves + range, tree + 2 * leaves, 0);
    for (uint64_t i = leaves - 1; i > 0; --i)
      tree[i] = tree[2 * i] + tree[2 * i + 1];
    return counts;
  }

  int64_t draw(WordSource &words) const noexcept {
    auto position =
        static_cast<int32_t>(words.below(static_cast<uint32_t>(total())));
    uint64_t at = 1;
    while (at < leaves) {
      at *= 2;
      if (position >= tree[at])
        position -= tree[at++];
    }
    return static_cast<int64_t>(at - leaves);
  }
  float probability(int64_t number) const noexcept {
    return static_cast<float>(tree[leaves + static_cast<uint64_t>(number)]) /
           static_cast<float>(total());
  }
  void count(const int64_t *numbers, int64_t size) noexcept {
    size =
        std::min<int64_t>(size, std::numeric_limits<int32_t>::max() - total());
    for (int64_t i = 0; i < size; ++i)
      for (uint64_t at = leaves + static_cast<uint64_t>(numbers[i]); at > 0;
           at /= 2)
        ++tree[at];
  }

private:
  int32_t total() const noexcept { return tree[1]; }

  std::unique_ptr<int32_t[]> tree;
  uint64_t leaves = 0;
};

/// true classes : [batch, k] x int64 -> as giveCandidates(); [stream, range,
/// whether no candidate comes twice]. Counts the true classes.
int32_t sampleCounted(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t range = call.number(1);
  if (Status status = checkCandidates(call, range, call.number(2) != 0);
      !status.ok())
    return !call.fail(std::move(status));
  RandomStream &stream = streamOf(call);
  std::lock_guard guard(stream.memoryMutex);
  if (!stream.memory)
    stream.memory = ClassCounts::create(range);
  if (!stream.memory)
    return !call.fail(ErrorKind::OutOfMemory, range * 8);
  auto &counts = static_cast<ClassCounts &>(*stream.memory);
  if (!giveCandidates(call, counts))
    return 1;
  counts.count(call.input<int64_t>(0), call.inputElements(0));
  return 0;
}

} // namespace

std::vector<Kernel> unigramSamplerKernels() {
  return {{"SampleCounted", sampleCounted, /*hasEffects=*/true},
          // A run that begins again draws the same numbers again.
          {"SampleFixed", sampleFixed, /*hasEffects=*/true, /*mayFail=*/true,
           /*effectsEndWithRun=*/true}};
}

} // namespace kiln
