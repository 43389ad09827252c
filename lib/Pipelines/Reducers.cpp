// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All elements of a key as one.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/StatusMacros.h"

#include <map>
#include <utility>

namespace kiln {
namespace {

class ReducedByKey final : public Dataset {
public:
  ReducedByKey(DatasetPtr input, ReduceFunctions functions)
      : Dataset(input), input(std::move(input)),
        functions(std::move(functions)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;

private:
  const DatasetPtr input;
  const ReduceFunctions functions;
};

class ReducedByKeyIterator final : public DatasetIterator {
public:
  ReducedByKeyIterator(IteratorPtr input, ReduceFunctions functions)
      : input(std::move(input)), functions(std::move(functions)),
        held(this->functions.maxBytes) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (input) {
      KILN_RETURN_IF_ERROR(pull.poll());
      Element taken;
      KILN_ASSIGN_OR_RETURN(const bool has, input->next(taken, pull));
      if (has)
        KILN_RETURN_IF_ERROR(reduce(taken, pull));
      else
        input.reset();
    }
    if (states.empty())
      return false;
    const auto first = states.extract(states.begin());
    held.remove(first.mapped());
    element.clear();
    KILN_RETURN_IF_ERROR(
        functions.finalize.call(first.mapped(), element, pull));
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("GroupByReducer");
    for (const CapturedFunction *function :
         {&functions.key, &functions.init, &functions.reduce,
          &functions.finalize})
      KILN_RETURN_IF_ERROR(to.allow(*function));
    to.number(static_cast<int64_t>(states.size()));
    for (const auto &[key, state] : states) {
      to.number(key);
      to.element(state);
    }
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("GroupByReducer"));
    int64_t count;
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    states.clear();
    held.clear();
    for (int64_t i = 0; i < count; ++i) {
      int64_t key;
      KILN_RETURN_IF_ERROR(from.number(key));
      KILN_RETURN_IF_ERROR(from.element(states[key]));
      KILN_RETURN_IF_ERROR(held.add(states[key]));
    }
    return restoreInput(input, from, pull);
  }

private:
  Status reduce(const Element &taken, PullContext &pull) {
    Element results;
    KILN_RETURN_IF_ERROR(functions.key.call(taken, results, pull));
    KILN_ASSIGN_OR_RETURN(const int64_t key, numberIn(results, "key_func"));
    auto [place, isNew] = states.try_emplace(key);
    if (isNew) {
      Status status =
          functions.init.call({Tensor::scalar(key)}, place->second, pull);
      if (!status.ok())
        states.erase(place);
      KILN_RETURN_IF_ERROR(status);
    }
    Element arguments = place->second, state;
    arguments.insert(arguments.end(), taken.begin(), taken.end());
    KILN_RETURN_IF_ERROR(functions.reduce.call(arguments, state, pull));
    if (!isNew)
      held.remove(place->second);
    place->second = std::move(state);
    return held.add(place->second);
  }

  IteratorPtr input; ///< null behind its last element
  const ReduceFunctions functions;
  HeldBytes held; ///< of the states
  std::map<int64_t, Element> states;
};

StatusOr<IteratorPtr> ReducedByKey::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<ReducedByKeyIterator>(std::move(of), functions);
}

} // namespace

DatasetPtr reducedByKey(DatasetPtr input, ReduceFunctions functions) {
  return std::make_shared<ReducedByKey>(std::move(input), std::move(functions));
}

} // namespace kiln
