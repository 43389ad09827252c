// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws the next element from a buffer, in TensorFlow's order. **Source**:
// ShuffleDataset of TensorFlow.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/random/RandomScalar.h"
#include "runtime/random/RandomStream.h"

#include <array>
#include <deque>
#include <memory>
#include <tuple>
#include <utility>

namespace kiln {
namespace {

/// The words of a stream, one after the other; two make a number of 64 bits.
class Words {
public:
  Words(int64_t seed, int64_t seed2)
      : stream(RandomStream::create(seed, seed2)) {}

  /// How many have been taken.
  int64_t taken() const { return numTaken; }
  /// Behind so many, from before the first.
  void skip(int64_t count) noexcept {
    random::PhiloxState state;
    constexpr int64_t inBlock = 4;
    if (count / inBlock > 0)
      stream->reserve(static_cast<uint64_t>(count / inBlock), state.counter);
    numTaken = count - count % inBlock;
    while (numTaken < count)
      next();
  }

  uint32_t next() noexcept {
    if (used == block.size()) {
      random::PhiloxState state;
      stream->reserve(1, state.counter);
      block = random::philoxWords(state);
      used = 0;
    }
    ++numTaken;
    return block[used++];
  }

private:
  std::unique_ptr<RandomStream> stream;
  std::array<uint32_t, 4> block{};
  size_t used = block.size();
  int64_t numTaken = 0;
};

/// Two seeds that are not both 0: those that are given, or drawn ones.
std::pair<int64_t, int64_t> seedsOr(int64_t seed, int64_t seed2) {
  if (seed != 0 || seed2 != 0)
    return {seed, seed2};
  Words drawn(0, 0);
  const int64_t first = drawn.next();
  return {first, int64_t(drawn.next()) | 1};
}

/// Gives each walk of a dataset, at one place in a tree of them, its seeds.
class SeedSource {
public:
  explicit SeedSource(const ShuffleSpec &spec)
      : seeds(seedsOr(spec.seed, spec.seed2)), reshuffles(spec.reshuffles),
        words(std::make_unique<Words>(seeds.first, seeds.second)) {}

  std::pair<int64_t, int64_t> next() {
    if (!reshuffles)
      return seeds;
    const int64_t first = words->next();
    return {first, words->next()};
  }

  void save(StateWriter &to) const {
    to.number(seeds.first);
    to.number(seeds.second);
    to.number(words->taken());
  }
  Status restore(StateReader &from) {
    int64_t taken;
    KILN_RETURN_IF_ERROR(from.number(seeds.first));
    KILN_RETURN_IF_ERROR(from.number(seeds.second));
    KILN_RETURN_IF_ERROR(from.number(taken, 0));
    words = std::make_unique<Words>(seeds.first, seeds.second);
    words->skip(taken);
    return okStatus();
  }

private:
  std::pair<int64_t, int64_t> seeds; ///< of each walk, if it does not reshuffle
  const bool reshuffles;
  std::unique_ptr<Words> words;
};

class Shuffled final : public Dataset {
public:
  Shuffled(DatasetPtr input, const ShuffleSpec &spec)
      : Dataset(input), input(std::move(input)), spec(spec) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return input->cardinality(); }

  const DatasetPtr input;
  const ShuffleSpec spec;
};

class ShuffledIterator final : public DatasetIterator {
public:
  ShuffledIterator(IteratorPtr input, const ShuffleSpec &spec,
                   std::shared_ptr<SeedSource> source)
      : input(std::move(input)), source(std::move(source)),
        bufferSize(static_cast<size_t>(spec.bufferSize)), held(spec.maxBytes),
        seeds(this->source->next()),
        words(std::make_unique<Words>(seeds.first, seeds.second)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (input && buffer.size() < bufferSize) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
      if (!has) {
        input.reset();
        break;
      }
      Status fits = held.add(element);
      if (!fits.ok())
        held.remove(element);
      KILN_RETURN_IF_ERROR(fits);
      buffer.push_back(std::move(element));
    }
    if (buffer.empty())
      return false;
    // The oldest element takes the place of the one that is drawn.
    const size_t drawn = words->next() % buffer.size();
    element = std::move(buffer[drawn]);
    buffer[drawn] = std::move(buffer.front());
    buffer.pop_front();
    held.remove(element);
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Shuffle");
    source->save(to);
    to.number(seeds.first);
    to.number(seeds.second);
    to.number(words->taken());
    to.number(static_cast<int64_t>(buffer.size()));
    for (const Element &element : buffer)
      to.element(element);
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Shuffle"));
    int64_t taken, count;
    KILN_RETURN_IF_ERROR(source->restore(from));
    KILN_RETURN_IF_ERROR(from.number(seeds.first));
    KILN_RETURN_IF_ERROR(from.number(seeds.second));
    KILN_RETURN_IF_ERROR(from.number(taken, 0));
    words = std::make_unique<Words>(seeds.first, seeds.second);
    words->skip(taken);
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    buffer.clear();
    held.clear();
    for (int64_t i = 0; i < count; ++i) {
      KILN_RETURN_IF_ERROR(from.element(buffer.emplace_back()));
      KILN_RETURN_IF_ERROR(held.add(buffer.back()));
    }
    return restoreInput(input, from, pull);
  }

private:
  IteratorPtr input; ///< null behind its last element
  const std::shared_ptr<SeedSource> source;
  const size_t bufferSize;
  HeldBytes held;
  std::pair<int64_t, int64_t> seeds;
  std::unique_ptr<Words> words;
  std::deque<Element> buffer;
};

StatusOr<IteratorPtr> Shuffled::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  auto seeds = state.keep<SeedSource>([&] { return new SeedSource(spec); });
  return std::make_unique<ShuffledIterator>(std::move(of), spec,
                                            std::move(seeds));
}

class RandomNumbers final : public Dataset {
public:
  RandomNumbers(int64_t seed, int64_t seed2, bool isNewEachTime)
      : seed(seed), seed2(seed2), isNewEachTime(isNewEachTime) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return infinite; }

  const int64_t seed, seed2;
  const bool isNewEachTime;
};

class RandomNumberIterator final : public DatasetIterator {
public:
  explicit RandomNumberIterator(std::shared_ptr<SeedSource> source)
      : source(std::move(source)), seeds(this->source->next()),
        words(std::make_unique<Words>(seeds.first, seeds.second)) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    element.assign(1, Tensor::scalar(int64_t(words->next())));
    if (!element[0].isValid())
      return resourceExhaustedError("OOM when allocating a random number");
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Random");
    source->save(to);
    to.number(seeds.first);
    to.number(seeds.second);
    to.number(words->taken());
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Random"));
    int64_t taken;
    KILN_RETURN_IF_ERROR(source->restore(from));
    KILN_RETURN_IF_ERROR(from.number(seeds.first));
    KILN_RETURN_IF_ERROR(from.number(seeds.second));
    KILN_RETURN_IF_ERROR(from.number(taken, 0));
    words = std::make_unique<Words>(seeds.first, seeds.second);
    words->skip(taken);
    return okStatus();
  }

private:
  const std::shared_ptr<SeedSource> source;
  std::pair<int64_t, int64_t> seeds;
  std::unique_ptr<Words> words;
};

StatusOr<IteratorPtr> RandomNumbers::iterate(IterationState &state) const {
  // Seeds that are drawn stay those of the place.
  auto seeds = state.keep<SeedSource>([&] {
    return new SeedSource(
        {.seed = seed, .seed2 = seed2, .reshuffles = isNewEachTime});
  });
  return std::make_unique<RandomNumberIterator>(std::move(seeds));
}

} // namespace

DatasetPtr randomNumbers(int64_t seed, int64_t seed2, bool isNewEachTime) {
  return std::make_shared<RandomNumbers>(seed, seed2, isNewEachTime);
}

StatusOr<DatasetPtr> shuffled(DatasetPtr input, const ShuffleSpec &spec) {
  ShuffleSpec whole = spec;
  // TensorFlow's number of a length that nobody knows.
  if (spec.bufferSize == Dataset::unknown)
    whole.bufferSize = INT64_MAX;
  else if (spec.bufferSize <= 0)
    return invalidArgumentError("buffer_size must be greater than zero.");
  // Drawn seeds are the dataset's: an iterator that is put back to its
  // beginning gives the same order.
  std::tie(whole.seed, whole.seed2) = seedsOr(spec.seed, spec.seed2);
  return DatasetPtr(std::make_shared<Shuffled>(std::move(input), whole));
}

} // namespace kiln
