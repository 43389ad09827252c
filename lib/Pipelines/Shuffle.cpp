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
#include <utility>

namespace kiln {
namespace {

/// The words of a stream, one after the other; two make a number of 64 bits.
class Words {
public:
  Words(int64_t seed, int64_t seed2)
      : stream(RandomStream::create(seed, seed2)) {}

  uint32_t next() noexcept {
    if (used == block.size()) {
      random::PhiloxState state;
      stream->reserve(1, state.counter);
      block = random::philoxWords(state);
      used = 0;
    }
    return block[used++];
  }

private:
  std::unique_ptr<RandomStream> stream;
  std::array<uint32_t, 4> block{};
  size_t used = block.size();
};

/// Gives each walk of a dataset, at one place in a tree of them, its seeds.
class SeedSource {
public:
  explicit SeedSource(const ShuffleSpec &spec)
      : seed(spec.seed), seed2(spec.seed2), reshuffles(spec.reshuffles),
        words(spec.seed, spec.seed2) {
    if (seed == 0 && seed2 == 0) { // the stream has drawn its own
      seed = words.next();
      seed2 = words.next();
    }
  }

  std::pair<int64_t, int64_t> next() {
    if (!reshuffles)
      return {seed, seed2};
    const int64_t first = words.next();
    return {first, words.next()};
  }

private:
  int64_t seed, seed2; ///< of each walk, where it does not reshuffle
  const bool reshuffles;
  Words words;
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
                   std::pair<int64_t, int64_t> seeds)
      : input(std::move(input)),
        bufferSize(static_cast<size_t>(spec.bufferSize)), held(spec.maxBytes),
        words(seeds.first, seeds.second) {}

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
    const size_t drawn = words.next() % buffer.size();
    element = std::move(buffer[drawn]);
    buffer[drawn] = std::move(buffer.front());
    buffer.pop_front();
    held.remove(element);
    return true;
  }

private:
  IteratorPtr input; ///< null behind its last element
  const size_t bufferSize;
  HeldBytes held;
  Words words;
  std::deque<Element> buffer;
};

StatusOr<IteratorPtr> Shuffled::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  auto seeds = state.keep<SeedSource>([&] { return new SeedSource(spec); });
  return std::make_unique<ShuffledIterator>(std::move(of), spec, seeds->next());
}

class RandomNumbers final : public Dataset {
public:
  RandomNumbers(int64_t seed, int64_t seed2) : seed(seed), seed2(seed2) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return infinite; }

  const int64_t seed, seed2;
};

class RandomNumberIterator final : public DatasetIterator {
public:
  RandomNumberIterator(int64_t seed, int64_t seed2) : words(seed, seed2) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    element.assign(1, Tensor::scalar(int64_t(words.next())));
    if (!element[0].isValid())
      return resourceExhaustedError("OOM when allocating a random number");
    return true;
  }

private:
  Words words;
};

StatusOr<IteratorPtr> RandomNumbers::iterate(IterationState &state) const {
  // Seeds that are drawn stay those of the place.
  auto seeds = state.keep<SeedSource>([&] {
    return new SeedSource({.seed = seed, .seed2 = seed2, .reshuffles = false});
  });
  const auto [first, second] = seeds->next();
  return std::make_unique<RandomNumberIterator>(first, second);
}

} // namespace

DatasetPtr randomNumbers(int64_t seed, int64_t seed2) {
  return std::make_shared<RandomNumbers>(seed, seed2);
}

StatusOr<DatasetPtr> shuffled(DatasetPtr input, const ShuffleSpec &spec) {
  if (spec.bufferSize <= 0)
    return invalidArgumentError("buffer_size must be greater than zero.");
  return DatasetPtr(std::make_shared<Shuffled>(std::move(input), spec));
}

} // namespace kiln
