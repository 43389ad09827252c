// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets whose elements functions make or choose.
#include "lib/Pipelines/Datasets.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace kiln {

Status CapturedFunction::call(const Element &element, Element &results,
                              const PullContext &pull) const {
  if (captured.empty())
    return function->call(element, results, pull);
  Element arguments = element;
  arguments.insert(arguments.end(), captured.begin(), captured.end());
  return function->call(arguments, results, pull);
}

std::optional<CapturedFunction>
CapturedFunction::then(const CapturedFunction &next) const {
  if (!isPure() || !next.isPure())
    return std::nullopt;
  FunctionPtr both = function->then(next.function);
  if (!both)
    return std::nullopt;
  Element all = captured;
  all.insert(all.end(), next.captured.begin(), next.captured.end());
  return CapturedFunction(std::move(both), std::move(all));
}

StatusOr<bool> CapturedFunction::test(const Element &element,
                                      const PullContext &pull) const {
  Element results;
  KILN_RETURN_IF_ERROR(call(element, results, pull));
  if (results.size() != 1 || results[0].dtype() != DType::Bool ||
      results[0].numElements() != 1)
    return invalidArgumentError(
        "`predicate` must return a scalar bool tensor.");
  return results[0].data<bool>()[0];
}

StatusOr<DatasetPtr> CapturedFunction::dataset(const Element &element,
                                               const PullContext &pull) const {
  Element results;
  KILN_RETURN_IF_ERROR(call(element, results, pull));
  DatasetPtr made = results.size() == 1 ? datasetOf(results[0]) : nullptr;
  if (!made)
    return invalidArgumentError(
        "Function must return a single scalar of dtype DT_VARIANT.");
  return made;
}

namespace {

/// A dataset of an input and a function. Its iterators are made of an iterator
/// of the input, of the function, and of more that the dataset keeps.
template <class Iterator, class... State>
class OfFunction final : public Dataset {
public:
  OfFunction(DatasetPtr input, CapturedFunction function, State... state)
      : Dataset(input), input(std::move(input)), function(std::move(function)),
        state(std::move(state)...) {}
  StatusOr<IteratorPtr> iterate(IterationState &place) const override {
    KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(place.input(0)));
    return std::apply(
        [&](const State &...values) -> IteratorPtr {
          return std::make_unique<Iterator>(std::move(of), function, values...);
        },
        state);
  }

private:
  const DatasetPtr input;
  const CapturedFunction function;
  const std::tuple<State...> state;
};

class MapIterator final : public DatasetIterator {
public:
  MapIterator(IteratorPtr input, CapturedFunction function)
      : input(std::move(input)), function(std::move(function)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    KILN_ASSIGN_OR_RETURN(bool has, input->next(taken, pull));
    if (!has)
      return false;
    element.clear();
    KILN_RETURN_IF_ERROR(function.call(taken, element, pull));
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Map");
    KILN_RETURN_IF_ERROR(to.allow(function));
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Map"));
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
  const CapturedFunction function;
  Element taken;
};

/// Takes some elements of its input ahead and maps them together.
class MapTogetherIterator final : public DatasetIterator {
public:
  MapTogetherIterator(IteratorPtr input, CapturedFunction function,
                      size_t calls)
      : input(std::move(input)), function(std::move(function)), calls(calls) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (place == made.size())
      KILN_RETURN_IF_ERROR(makeSome(pull));
    if (made.empty())
      return false;
    Made &next = made[place++];
    KILN_RETURN_IF_ERROR(next.status);
    element = std::move(next.element);
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("ParallelMap");
    KILN_RETURN_IF_ERROR(to.allow(function));
    to.number(static_cast<int64_t>(made.size() - place));
    for (size_t i = place; i < made.size(); ++i) {
      to.status(made[i].status);
      if (made[i].status.ok())
        to.element(made[i].element);
    }
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("ParallelMap"));
    int64_t count = 0;
    KILN_RETURN_IF_ERROR(from.number(count, 0, mostCalls));
    made.assign(static_cast<size_t>(count), {});
    place = 0;
    for (Made &each : made) {
      KILN_RETURN_IF_ERROR(from.status(each.status));
      if (each.status.ok())
        KILN_RETURN_IF_ERROR(from.element(each.element));
    }
    return restoreInput(input, from, pull);
  }

  static constexpr int64_t mostCalls = 256;

private:
  struct Made {
    Element element; ///< of the input, then of the function
    Status status;
  };

  Status makeSome(PullContext &pull) {
    made.clear();
    place = 0;
    while (input && made.size() < calls) {
      Made next;
      auto has = input->next(next.element, pull);
      if (has.ok() && !*has) {
        input.reset();
        break;
      }
      next.status = has.status();
      made.push_back(std::move(next));
    }
    auto body = [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Made &next = made[static_cast<size_t>(i)];
        if (!next.status.ok())
          continue;
        Element results;
        next.status = function.call(next.element, results, pull);
        next.element = std::move(results);
      }
    };
    ThreadPool::process().parallelFor(
        [](void *context, int64_t begin, int64_t end) {
          (*static_cast<decltype(body) *>(context))(begin, end);
        },
        &body, static_cast<int64_t>(made.size()), /*grain=*/1, pull.state);
    const Status status = pull.poll();
    if (!status.ok()) // some have been left out
      made.clear();
    return status;
  }

  IteratorPtr input; ///< null behind its last element
  const CapturedFunction function;
  const size_t calls;
  std::vector<Made> made;
  size_t place = 0;
};

/// A map; a chain of those whose functions are pure is one.
class Mapped final : public Dataset {
public:
  Mapped(DatasetPtr input, CapturedFunction function, size_t calls,
         int64_t count)
      : Dataset(input), input(std::move(input)), function(std::move(function)),
        calls(calls), count(count) {}

  static DatasetPtr make(DatasetPtr input, CapturedFunction function,
                         size_t calls, int64_t count) {
    if (const auto *inner = dynamic_cast<const Mapped *>(input.get()))
      if (auto both = inner->function.then(function))
        return std::make_shared<Mapped>(inner->input, *std::move(both),
                                        std::max(inner->calls, calls), count);
    return std::make_shared<Mapped>(std::move(input), std::move(function),
                                    calls, count);
  }

  int64_t cardinality() const override { return count; }

  StatusOr<IteratorPtr> iterate(IterationState &place) const override {
    KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(place.input(0)));
    if (calls == 1)
      return std::make_unique<MapIterator>(std::move(of), function);
    return std::make_unique<MapTogetherIterator>(std::move(of), function,
                                                 calls);
  }

private:
  const DatasetPtr input;
  const CapturedFunction function;
  const size_t calls; ///< at a time
  const int64_t count;
};

class FilterIterator final : public DatasetIterator {
public:
  FilterIterator(IteratorPtr input, CapturedFunction predicate)
      : input(std::move(input)), predicate(std::move(predicate)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
      if (!has)
        return false;
      KILN_ASSIGN_OR_RETURN(bool isIn, predicate.test(element, pull));
      if (isIn)
        return true;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("Filter");
    KILN_RETURN_IF_ERROR(to.allow(predicate));
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Filter"));
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
  const CapturedFunction predicate;
};

class WhileTrueIterator final : public DatasetIterator {
public:
  WhileTrueIterator(IteratorPtr input, CapturedFunction predicate)
      : input(std::move(input)), predicate(std::move(predicate)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (!input)
      return false;
    KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
    if (has) {
      KILN_ASSIGN_OR_RETURN(has, predicate.test(element, pull));
    }
    if (!has)
      input.reset();
    return has;
  }

  Status save(StateWriter &to) const override {
    to.name("TakeWhile");
    KILN_RETURN_IF_ERROR(to.allow(predicate));
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("TakeWhile"));
    return restoreInput(input, from, pull);
  }

private:
  IteratorPtr input; ///< null behind the end
  const CapturedFunction predicate;
};

class ScanIterator final : public DatasetIterator {
public:
  ScanIterator(IteratorPtr input, CapturedFunction function, Element state)
      : input(std::move(input)), function(std::move(function)),
        state(std::move(state)) {}
  StatusOr<bool> next(Element &element, PullContext &pull) override {
    Element taken, results, arguments = state;
    KILN_ASSIGN_OR_RETURN(bool has, input->next(taken, pull));
    if (!has)
      return false;
    arguments.insert(arguments.end(), taken.begin(), taken.end());
    KILN_RETURN_IF_ERROR(function.call(arguments, results, pull));
    if (results.size() < state.size())
      return invalidArgumentError(
          strCat("expected a function that gives ", state.size(),
                 " tensors of state, got ", results.size()));
    const auto given = results.begin() + static_cast<ptrdiff_t>(state.size());
    element.assign(std::move_iterator(given),
                   std::move_iterator(results.end()));
    std::move(results.begin(), given, state.begin());
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Scan");
    KILN_RETURN_IF_ERROR(to.allow(function));
    to.element(state);
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Scan"));
    Element saved;
    KILN_RETURN_IF_ERROR(from.element(saved));
    if (saved.size() != state.size())
      return invalidArgumentError(strCat(
          "expected ", state.size(), " tensors of state, got ", saved.size()));
    state = std::move(saved);
    return input->restore(from, pull);
  }

private:
  const IteratorPtr input;
  const CapturedFunction function;
  Element state;
};

/// Datasets in a cycle, from each of which a block of elements is taken in
/// turn.
class InterleaveIterator final : public DatasetIterator {
public:
  InterleaveIterator(IteratorPtr input, CapturedFunction function,
                     InterleaveSpec spec)
      : input(std::move(input)), function(std::move(function)), spec(spec),
        cycle(static_cast<size_t>(spec.cycle)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    // As TensorFlow's: a place that is empty when its turn comes is filled.
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      Open &current = cycle[place];
      if (current.iterator) {
        pull.depth += current.depth;
        auto next = current.iterator->next(element, pull);
        pull.depth -= current.depth;
        KILN_ASSIGN_OR_RETURN(bool has, std::move(next));
        if (has) {
          if (++inBlock == spec.block)
            advance();
          return true;
        }
        current.iterator.reset();
        current.state.reset();
        --numOpen;
        advance();
        continue;
      }
      if (!input) {
        if (numOpen == 0)
          return false;
        advance();
        continue;
      }
      Element taken;
      KILN_ASSIGN_OR_RETURN(bool has, input->next(taken, pull));
      if (!has) {
        input.reset();
        continue;
      }
      KILN_RETURN_IF_ERROR(begin(current, std::move(taken), pull));
      ++numOpen;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("Interleave");
    KILN_RETURN_IF_ERROR(to.allow(function));
    to.number(static_cast<int64_t>(place));
    to.number(inBlock);
    for (const Open &open : cycle) {
      if (open.iterator)
        to.element(open.argument);
      else
        to.element({});
      KILN_RETURN_IF_ERROR(saveInput(open.iterator, to));
    }
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Interleave"));
    int64_t at;
    KILN_RETURN_IF_ERROR(from.number(at, 0, spec.cycle - 1));
    place = static_cast<size_t>(at);
    KILN_RETURN_IF_ERROR(from.number(inBlock, 0, spec.block - 1));
    numOpen = 0;
    for (Open &open : cycle) {
      Element argument;
      KILN_RETURN_IF_ERROR(from.element(argument));
      if (!argument.empty())
        KILN_RETURN_IF_ERROR(begin(open, std::move(argument), pull));
      KILN_RETURN_IF_ERROR(restoreInput(open.iterator, from, pull));
      numOpen += open.iterator != nullptr;
    }
    return restoreInput(input, from, pull);
  }

private:
  /// A dataset that is being walked; without an iterator an empty place.
  struct Open {
    Element argument; ///< that the function has made it of
    std::unique_ptr<IterationState> state;
    IteratorPtr iterator;
    int depth = 0;
  };

  Status begin(Open &open, Element argument, PullContext &pull) const {
    KILN_ASSIGN_OR_RETURN(DatasetPtr dataset, function.dataset(argument, pull));
    KILN_RETURN_IF_ERROR(checkDatasetDepth(pull.depth + dataset->depth));
    auto state = std::make_unique<IterationState>();
    KILN_ASSIGN_OR_RETURN(open.iterator, dataset->iterate(*state));
    open.argument = std::move(argument);
    open.state = std::move(state);
    open.depth = dataset->depth;
    return okStatus();
  }

  void advance() {
    inBlock = 0;
    place = (place + 1) % cycle.size();
  }

  IteratorPtr input; ///< null behind its last element
  const CapturedFunction function;
  const InterleaveSpec spec;
  std::vector<Open> cycle;
  size_t place = 0;
  int64_t inBlock = 0, numOpen = 0;
};

class Generated final : public Dataset {
public:
  Generated(CapturedFunction begin, CapturedFunction next, CapturedFunction end)
      : begin(std::move(begin)), next(std::move(next)), end(std::move(end)) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;

  const CapturedFunction begin, next, end;
};

class GeneratedIterator final : public DatasetIterator {
public:
  GeneratedIterator(CapturedFunction begin, CapturedFunction step,
                    CapturedFunction end)
      : begin(std::move(begin)), step(std::move(step)), end(std::move(end)) {}
  ~GeneratedIterator() override {
    Element results;
    if (hasBegun && !hasEnded)
      static_cast<void>(end.call(state, results, {}));
  }

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (!std::exchange(hasBegun, true)) {
      Status status = begin.call({}, state, pull);
      hasEnded = !status.ok();
      KILN_RETURN_IF_ERROR(status);
    }
    if (hasEnded)
      return false;
    element.clear();
    Status status = step.call(state, element, pull);
    if (status.ok())
      return true;
    if (status.code() != StatusCode::OutOfRange)
      return status;
    hasEnded = true;
    Element results;
    KILN_RETURN_IF_ERROR(end.call(state, results, pull));
    return false;
  }

private:
  const CapturedFunction begin, step, end;
  Element state;
  bool hasBegun = false, hasEnded = false;
};

StatusOr<IteratorPtr> Generated::iterate(IterationState &) const {
  return std::make_unique<GeneratedIterator>(begin, next, end);
}

} // namespace

DatasetPtr mapped(DatasetPtr input, CapturedFunction function, int64_t count) {
  return Mapped::make(std::move(input), std::move(function), /*calls=*/1,
                      count);
}

DatasetPtr mappedTogether(DatasetPtr input, CapturedFunction function,
                          int64_t calls, int64_t count) {
  // Two at least, so that a saved iterator is the same on any machine.
  const int64_t wanted = calls < 1 ? std::max(availableThreads(), 2) : calls;
  const bool isAlone = wanted == 1 || !function.isPure();
  return Mapped::make(std::move(input), std::move(function),
                      isAlone ? 1
                              : static_cast<size_t>(std::min(
                                    wanted, MapTogetherIterator::mostCalls)),
                      count);
}

DatasetPtr filtered(DatasetPtr input, CapturedFunction predicate) {
  return std::make_shared<OfFunction<FilterIterator>>(std::move(input),
                                                      std::move(predicate));
}

DatasetPtr whileTrue(DatasetPtr input, CapturedFunction predicate) {
  return std::make_shared<OfFunction<WhileTrueIterator>>(std::move(input),
                                                         std::move(predicate));
}

StatusOr<DatasetPtr> interleaved(DatasetPtr input, CapturedFunction function,
                                 InterleaveSpec spec) {
  if (spec.cycle <= 0)
    return invalidArgumentError("cycle_length must be greater than zero.");
  if (spec.block <= 0)
    return invalidArgumentError("block_length must be greater than zero.");
  return DatasetPtr(
      std::make_shared<OfFunction<InterleaveIterator, InterleaveSpec>>(
          std::move(input), std::move(function), spec));
}

DatasetPtr scanned(DatasetPtr input, Element state, CapturedFunction function) {
  return std::make_shared<OfFunction<ScanIterator, Element>>(
      std::move(input), std::move(function), std::move(state));
}

DatasetPtr generated(CapturedFunction begin, CapturedFunction next,
                     CapturedFunction end) {
  return std::make_shared<Generated>(std::move(begin), std::move(next),
                                     std::move(end));
}

} // namespace kiln
