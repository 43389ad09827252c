// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets that give the elements of others, or some of them.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace kiln {
namespace {

/// A dataset whose iterators are made of it and of an iterator of its input.
template <class Iterator, class... State> class Derived final : public Dataset {
public:
  Derived(DatasetPtr input, int64_t count, State... state)
      : Dataset(input), input(std::move(input)), count(count),
        state(std::move(state)...) {}
  int64_t cardinality() const override { return count; }
  StatusOr<IteratorPtr> iterate(IterationState &place) const override {
    KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(place.input(0)));
    return std::apply(
        [&](const State &...values) -> IteratorPtr {
          return std::make_unique<Iterator>(std::move(of), values...);
        },
        state);
  }

private:
  const DatasetPtr input;
  const int64_t count;
  const std::tuple<State...> state;
};

/// \p count is how many elements it has.
template <class Iterator, class... State>
DatasetPtr derived(DatasetPtr input, int64_t count, State... state) {
  return std::make_shared<Derived<Iterator, State...>>(std::move(input), count,
                                                       std::move(state)...);
}

constexpr int64_t infinite = Dataset::infinite, unknown = Dataset::unknown;

class FirstIterator final : public DatasetIterator {
public:
  FirstIterator(IteratorPtr input, int64_t count)
      : input(std::move(input)), left(count) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (left == 0 || !input)
      return false;
    KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
    left -= has && left > 0;
    if (!has || left == 0)
      input.reset();
    return has;
  }

  Status save(StateWriter &to) const override {
    to.name("Take");
    to.number(left);
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Take"));
    KILN_RETURN_IF_ERROR(from.number(left));
    return restoreInput(input, from, pull);
  }

private:
  IteratorPtr input;
  int64_t left; ///< below 0: all
};

class RestIterator final : public DatasetIterator {
public:
  RestIterator(IteratorPtr input, int64_t count)
      : input(std::move(input)), toSkip(count) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (toSkip < 0)
      return false;
    for (; toSkip > 0; --toSkip) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
      if (!has) {
        toSkip = -1;
        return false;
      }
    }
    return input->next(element, pull);
  }

  Status save(StateWriter &to) const override {
    to.name("Skip");
    to.number(toSkip);
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Skip"));
    KILN_RETURN_IF_ERROR(from.number(toSkip));
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
  int64_t toSkip; ///< below 0: nothing is left
};

class ShardIterator final : public DatasetIterator {
public:
  ShardIterator(IteratorPtr input, int64_t shards, int64_t index)
      : input(std::move(input)), shards(shards), index(index) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
      if (!has)
        return false;
      if (std::exchange(at, (at + 1) % shards) == index)
        return true;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("Shard");
    to.number(at);
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Shard"));
    KILN_RETURN_IF_ERROR(from.number(at, 0, shards - 1));
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
  const int64_t shards, index;
  int64_t at = 0; ///< modulo the number of shards
};

/// The elements of its input.
class SameIterator final : public DatasetIterator {
public:
  explicit SameIterator(IteratorPtr input) : input(std::move(input)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    return input->next(element, pull);
  }

  Status save(StateWriter &to) const override { return input->save(to); }
  Status restore(StateReader &from, PullContext &pull) override {
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
};

class ErrorlessIterator final : public DatasetIterator {
public:
  explicit ErrorlessIterator(IteratorPtr input) : input(std::move(input)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      auto has = input->next(element, pull);
      if (has.ok() || has.status().code() == StatusCode::Cancelled)
        return has;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("IgnoreErrors");
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("IgnoreErrors"));
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
};

class UnbatchedIterator final : public DatasetIterator {
public:
  explicit UnbatchedIterator(IteratorPtr input) : input(std::move(input)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (row == numRows) {
      KILN_RETURN_IF_ERROR(pull.poll());
      row = numRows = 0;
      KILN_ASSIGN_OR_RETURN(bool has, input->next(batch, pull));
      if (!has)
        return false;
      KILN_ASSIGN_OR_RETURN(numRows, rowsOfBatch());
    }
    element.clear();
    for (const Tensor &component : batch) {
      KILN_ASSIGN_OR_RETURN(element.emplace_back(), rowOf(component, row));
    }
    ++row;
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Unbatch");
    to.number(row);
    to.number(numRows);
    to.element(row < numRows ? batch : Element());
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Unbatch"));
    KILN_RETURN_IF_ERROR(from.number(row, 0));
    KILN_RETURN_IF_ERROR(from.number(numRows, row));
    KILN_RETURN_IF_ERROR(from.element(batch));
    if (row < numRows) {
      KILN_ASSIGN_OR_RETURN(const int64_t rows, rowsOfBatch());
      if (rows != numRows)
        return invalidArgumentError(
            strCat("expected a batch of ", numRows, " rows, got ", rows));
    }
    return input->restore(from, pull);
  }

private:
  StatusOr<int64_t> rowsOfBatch() const {
    for (const Tensor &component : batch) {
      if (component.rank() == 0)
        return invalidArgumentError(
            "Input element must have a non-scalar value in each component.");
      if (component.dim(0) != batch[0].dim(0))
        return invalidArgumentError(
            strCat("Input element must have the same batch size in each "
                   "component. Component 0 had size ",
                   batch[0].dim(0), " but component ", &component - &batch[0],
                   " had size, ", component.dim(0), "."));
    }
    return batch.empty() ? 0 : batch[0].dim(0);
  }

  const IteratorPtr input;
  Element batch;
  int64_t row = 0, numRows = 0;
};

class CountedIterator final : public DatasetIterator {
public:
  CountedIterator(IteratorPtr input, int64_t expected)
      : input(std::move(input)), expected(expected) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
    count += has;
    if (expected == unknown)
      return has;
    if (!has && count != expected)
      return failedPreconditionError(
          strCat("Input dataset was expected to contain ", textOf(expected),
                 " but contained only ", textOf(count), "."));
    if (has && expected != infinite && count > expected)
      return failedPreconditionError(
          strCat("Input dataset was expected to contain ", textOf(expected),
                 " but contained at least ", textOf(count), "."));
    return has;
  }

  Status save(StateWriter &to) const override {
    to.name("AssertCardinality");
    to.number(count);
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("AssertCardinality"));
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    return input->restore(from, pull);
  }

private:
  static std::string textOf(int64_t number) {
    return number == -1
               ? "an infinite number of elements"
               : strCat(number, number == 1 ? " element" : " elements");
  }
  const IteratorPtr input;
  const int64_t expected;
  int64_t count = 0;
};

/// An iterator of one dataset after the other: again the same, or another one.
class Repeated final : public Dataset {
public:
  Repeated(DatasetPtr input, int64_t count)
      : Dataset(input), input(std::move(input)), count(count) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    const int64_t each = input->cardinality();
    if (count < 0)
      return each == 0 ? 0 : infinite;
    if (count == 0)
      return 0;
    if (each < 0)
      return each;
    return checkedMul(each, count).value_or(INT64_MAX);
  }

  const DatasetPtr input;
  const int64_t count;
};

class RepeatedIterator final : public DatasetIterator {
public:
  RepeatedIterator(DatasetPtr input, int64_t count, IterationState &state)
      : input(std::move(input)), state(state), left(count) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (left != 0) {
      KILN_RETURN_IF_ERROR(pull.poll());
      const bool isFirst = !current;
      if (isFirst) {
        KILN_ASSIGN_OR_RETURN(current, input->iterate(state));
      }
      KILN_ASSIGN_OR_RETURN(bool has, current->next(element, pull));
      if (has)
        return true;
      current.reset();
      left -= left > 0;
      // Endless nothing ends.
      if (isFirst && left < 0)
        left = 0;
    }
    return false;
  }

  Status save(StateWriter &to) const override {
    to.name("Repeat");
    to.number(left);
    return saveInput(current, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Repeat"));
    bool isThere;
    KILN_RETURN_IF_ERROR(from.number(left));
    KILN_RETURN_IF_ERROR(from.flag(isThere));
    current.reset();
    if (!isThere)
      return okStatus();
    KILN_ASSIGN_OR_RETURN(current, input->iterate(state));
    return current->restore(from, pull);
  }

private:
  const DatasetPtr input;
  IterationState &state; ///< of the input
  int64_t left;          ///< below 0: endless
  IteratorPtr current;
};

StatusOr<IteratorPtr> Repeated::iterate(IterationState &state) const {
  return std::make_unique<RepeatedIterator>(input, count, state.input(0));
}

class Concatenated final : public Dataset {
public:
  Concatenated(DatasetPtr before, DatasetPtr behind)
      : first(std::move(before)), second(std::move(behind)) {
    depth = std::max(first->depth, second->depth) + 1;
  }
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    const int64_t a = first->cardinality(), b = second->cardinality();
    if (a == infinite || b == infinite)
      return infinite;
    if (a == unknown || b == unknown)
      return unknown;
    return checkedAdd(a, b).value_or(INT64_MAX);
  }

  const DatasetPtr first, second;
};

class ConcatenatedIterator final : public DatasetIterator {
public:
  ConcatenatedIterator(IteratorPtr first, DatasetPtr second,
                       IterationState &state)
      : current(std::move(first)), second(std::move(second)), state(state) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    KILN_ASSIGN_OR_RETURN(bool has, current->next(element, pull));
    if (has || !second)
      return has;
    KILN_ASSIGN_OR_RETURN(current, second->iterate(state));
    second = nullptr;
    return current->next(element, pull);
  }

  Status save(StateWriter &to) const override {
    to.name("Concatenate");
    to.flag(!second);
    return current->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Concatenate"));
    bool isBehind;
    KILN_RETURN_IF_ERROR(from.flag(isBehind));
    if (isBehind && second) {
      KILN_ASSIGN_OR_RETURN(current, second->iterate(state));
      second = nullptr;
    }
    return current->restore(from, pull);
  }

private:
  IteratorPtr current;
  DatasetPtr second;     ///< null once it has begun
  IterationState &state; ///< of the second
};

StatusOr<IteratorPtr> Concatenated::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr begun, first->iterate(state.input(0)));
  return std::make_unique<ConcatenatedIterator>(std::move(begun), second,
                                                state.input(1));
}

class Zipped final : public Dataset {
public:
  explicit Zipped(std::vector<DatasetPtr> all) : inputs(std::move(all)) {
    for (const DatasetPtr &input : inputs)
      depth = std::max(depth, input->depth + 1);
  }
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    int64_t least = infinite;
    for (const DatasetPtr &input : inputs) {
      const int64_t count = input->cardinality();
      if (count == unknown)
        return unknown;
      if (count != infinite && (least == infinite || count < least))
        least = count;
    }
    return least;
  }

  const std::vector<DatasetPtr> inputs;
};

class ZippedIterator final : public DatasetIterator {
public:
  explicit ZippedIterator(std::vector<IteratorPtr> inputs)
      : inputs(std::move(inputs)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    element.clear();
    if (isAtEnd)
      return false;
    // All of them go on, whatever one says.
    Status status;
    Element part;
    for (const IteratorPtr &input : inputs) {
      auto has = input->next(part, pull);
      if (!has.ok()) {
        if (status.ok())
          status = has.status();
        continue;
      }
      isAtEnd |= !*has;
      // The others are asked all the same: caches of one length all end.
      if (isAtEnd)
        continue;
      std::move(part.begin(), part.end(), std::back_inserter(element));
    }
    if (isAtEnd)
      return false;
    KILN_RETURN_IF_ERROR(status);
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Zip");
    to.flag(isAtEnd);
    for (const IteratorPtr &input : inputs)
      KILN_RETURN_IF_ERROR(input->save(to));
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Zip"));
    KILN_RETURN_IF_ERROR(from.flag(isAtEnd));
    for (const IteratorPtr &input : inputs)
      KILN_RETURN_IF_ERROR(input->restore(from, pull));
    return okStatus();
  }

private:
  const std::vector<IteratorPtr> inputs;
  bool isAtEnd = false;
};

StatusOr<IteratorPtr> Zipped::iterate(IterationState &state) const {
  std::vector<IteratorPtr> begun;
  for (size_t i = 0; i < inputs.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(begun.emplace_back(),
                          inputs[i]->iterate(state.input(i)));
  }
  return std::make_unique<ZippedIterator>(std::move(begun));
}

} // namespace

DatasetPtr repeated(DatasetPtr input, int64_t count) {
  return std::make_shared<Repeated>(std::move(input), count);
}

DatasetPtr firstOf(DatasetPtr input, int64_t count) {
  int64_t all = input->cardinality();
  if (all == infinite)
    all = count < 0 ? infinite : count;
  else if (all >= 0 && count >= 0)
    all = std::min(all, count);
  return derived<FirstIterator>(std::move(input), all, count);
}

DatasetPtr restOf(DatasetPtr input, int64_t count) {
  int64_t all = input->cardinality();
  if (count < 0)
    all = 0;
  else if (all >= 0)
    all = std::max<int64_t>(all - count, 0);
  return derived<RestIterator>(std::move(input), all, count);
}

StatusOr<DatasetPtr> shardOf(DatasetPtr input, int64_t shards, int64_t index) {
  if (shards < 1)
    return invalidArgumentError(
        strCat("Number of shards must be greater than zero (currently "
               "num_shards = ",
               shards, ")."));
  if (index < 0 || index >= shards)
    return invalidArgumentError(strCat("Index must be between 0 and ",
                                       shards - 1,
                                       " (currently index = ", index, ")."));
  int64_t all = input->cardinality();
  if (all >= 0)
    all = all / shards + (index < all % shards);
  return derived<ShardIterator>(std::move(input), all, shards, index);
}

DatasetPtr concatenated(DatasetPtr first, DatasetPtr second) {
  return std::make_shared<Concatenated>(std::move(first), std::move(second));
}

DatasetPtr zipped(std::vector<DatasetPtr> inputs) {
  return std::make_shared<Zipped>(std::move(inputs));
}

DatasetPtr withoutErrors(DatasetPtr input) {
  return derived<ErrorlessIterator>(std::move(input), unknown);
}

DatasetPtr unbatched(DatasetPtr input) {
  int64_t all = input->cardinality();
  const int64_t rows = input->rowsOfElements();
  if (all > 0)
    all = rows < 0 ? unknown : checkedMul(all, rows).value_or(INT64_MAX);
  return derived<UnbatchedIterator>(std::move(input), all);
}

DatasetPtr ofLength(DatasetPtr input, int64_t cardinality) {
  if (input->cardinality() == cardinality)
    return input;
  return derived<SameIterator>(std::move(input), cardinality);
}

DatasetPtr counted(DatasetPtr input, int64_t cardinality) {
  return derived<CountedIterator>(std::move(input), cardinality, cardinality);
}

} // namespace kiln
