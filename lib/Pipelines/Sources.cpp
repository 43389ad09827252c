// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets that are made of tensors and numbers.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

class OneElement final : public Dataset {
public:
  explicit OneElement(Element element) : element(std::move(element)) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;
  int64_t cardinality() const override { return 1; }

  const Element element;
};

class OneElementIterator final : public DatasetIterator {
public:
  explicit OneElementIterator(Element element) : element(std::move(element)) {}
  StatusOr<bool> next(Element &given, PullContext &) override {
    given = std::move(element);
    element.clear();
    return !std::exchange(wasGiven, true);
  }

  Status save(StateWriter &to) const override {
    to.name("Tensor");
    to.flag(wasGiven);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Tensor"));
    return from.flag(wasGiven);
  }

private:
  Element element;
  bool wasGiven = false;
};

StatusOr<IteratorPtr> OneElement::iterate(IterationState &) const {
  return std::make_unique<OneElementIterator>(element);
}

class Elements final : public Dataset,
                       public std::enable_shared_from_this<Elements> {
public:
  explicit Elements(std::vector<Element> all) : all(std::move(all)) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;
  int64_t cardinality() const override {
    return static_cast<int64_t>(all.size());
  }

  const std::vector<Element> all;
};

/// Tensors are shared, and nobody writes them.
class ElementsIterator final : public DatasetIterator {
public:
  explicit ElementsIterator(std::shared_ptr<const Elements> dataset)
      : dataset(std::move(dataset)) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    if (at == dataset->all.size())
      return false;
    element = dataset->all[at++];
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Elements");
    to.number(static_cast<int64_t>(at));
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Elements"));
    int64_t place;
    KILN_RETURN_IF_ERROR(
        from.number(place, 0, static_cast<int64_t>(dataset->all.size())));
    at = static_cast<size_t>(place);
    return okStatus();
  }

private:
  const std::shared_ptr<const Elements> dataset;
  size_t at = 0;
};

StatusOr<IteratorPtr> Elements::iterate(IterationState &) const {
  return std::make_unique<ElementsIterator>(shared_from_this());
}

class Rows final : public Dataset {
public:
  explicit Rows(Element components) : components(std::move(components)) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;
  int64_t cardinality() const override { return components[0].dim(0); }

  const Element components;
};

class RowsIterator final : public DatasetIterator {
public:
  explicit RowsIterator(Element given)
      : components(std::move(given)), count(components[0].dim(0)) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    element.clear();
    if (row == count)
      return false;
    for (const Tensor &component : components) {
      KILN_ASSIGN_OR_RETURN(element.emplace_back(), rowOf(component, row));
    }
    ++row;
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Slices");
    to.number(row);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Slices"));
    return from.number(row, 0, count);
  }

private:
  const Element components;
  const int64_t count;
  int64_t row = 0;
};

StatusOr<IteratorPtr> Rows::iterate(IterationState &) const {
  return std::make_unique<RowsIterator>(components);
}

class Range final : public Dataset {
public:
  Range(int64_t start, int64_t stop, int64_t step, DType dtype)
      : start(start), stop(stop), step(step), dtype(dtype) {}
  StatusOr<IteratorPtr> iterate(IterationState &) const override;
  int64_t cardinality() const override;

  const int64_t start, stop, step;
  const DType dtype;
};

class RangeIterator final : public DatasetIterator {
public:
  explicit RangeIterator(const Range &range)
      : at(range.start), stop(range.stop), step(range.step),
        dtype(range.dtype) {}
  StatusOr<bool> next(Element &element, PullContext &) override {
    if (step > 0 ? at >= stop : at <= stop)
      return false;
    element.assign(1, dispatchElement(dtype, [&]<class T>(T) {
                     return Tensor::scalar(static_cast<T>(at));
                   }));
    if (!element[0].isValid())
      return resourceExhaustedError("OOM when allocating a number of a range");
    // What overflows is behind the end.
    if (__builtin_add_overflow(at, step, &at))
      at = stop;
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Range");
    to.number(at);
    return okStatus();
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Range"));
    return from.number(at);
  }

private:
  int64_t at;
  const int64_t stop, step;
  const DType dtype;
};

int64_t Range::cardinality() const {
  if (stop == INT64_MAX) // as enumerate() has it
    return infinite;
  if (step > 0 ? start >= stop : start <= stop)
    return 0;
  const auto wide = [](int64_t number) {
    return static_cast<uint64_t>(number);
  };
  const uint64_t span =
      step > 0 ? wide(stop) - wide(start) : wide(start) - wide(stop);
  const uint64_t hop = step > 0 ? wide(step) : 0 - wide(step);
  const uint64_t count = span / hop + (span % hop != 0);
  return static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX));
}

StatusOr<IteratorPtr> Range::iterate(IterationState &) const {
  return std::make_unique<RangeIterator>(*this);
}

} // namespace

DatasetPtr ofElements(std::vector<Element> elements) {
  return std::make_shared<Elements>(std::move(elements));
}

DatasetPtr oneElement(Element element) {
  return std::make_shared<OneElement>(std::move(element));
}

StatusOr<DatasetPtr> rowsOf(Element components) {
  for (const Tensor &component : components) {
    if (component.rank() == 0)
      return invalidArgumentError(
          "All components must be at least 1-dimensional");
    if (component.dim(0) != components[0].dim(0))
      return invalidArgumentError(
          strCat("All components must have the same size in the 0th dimension, "
                 "got ",
                 components[0].dim(0), " and ", component.dim(0)));
  }
  if (components.empty())
    return invalidArgumentError("expected at least one component, got none");
  return DatasetPtr(std::make_shared<Rows>(std::move(components)));
}

StatusOr<DatasetPtr> rangeOf(int64_t start, int64_t stop, int64_t step,
                             DType dtype) {
  if (step == 0)
    return invalidArgumentError("step must be a non-zero integer.");
  return DatasetPtr(std::make_shared<Range>(start, stop, step, dtype));
}

} // namespace kiln
