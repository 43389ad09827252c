// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are kept in memory.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <memory>
#include <utility>
#include <vector>

namespace kiln {
namespace {

/// All elements of a dataset, as one; null until they are there.
struct KeptElements {
  DatasetPtr all;
};

class Cached final : public Dataset {
public:
  Cached(DatasetPtr input, int64_t maxBytes)
      : Dataset(input), input(std::move(input)), maxBytes(maxBytes) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override { return input->cardinality(); }

private:
  const DatasetPtr input;
  const int64_t maxBytes;
};

/// Keeps what it gives; or gives what was kept.
class CachingIterator final : public DatasetIterator {
public:
  /// One of the two is null: an iterator of the input, and one of what is kept.
  CachingIterator(IteratorPtr input, IteratorPtr again,
                  std::shared_ptr<KeptElements> kept, int64_t maxBytes)
      : input(std::move(input)), again(std::move(again)), kept(std::move(kept)),
        held(maxBytes) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    if (again)
      return again->next(element, pull);
    KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
    if (has) {
      KILN_RETURN_IF_ERROR(held.add(element));
      seen.push_back(element);
    } else if (!std::exchange(hasEnded, true) && !kept->all) {
      kept->all = ofElements(std::move(seen));
    }
    return has;
  }

  /// All that is kept is saved, too: whoever goes on has no other.
  Status save(StateWriter &to) const override {
    to.name("Cache");
    to.flag(again != nullptr);
    to.flag(hasEnded);
    to.flag(kept->all != nullptr);
    if (kept->all) {
      KILN_RETURN_IF_ERROR(saveElements(to));
    } else {
      to.number(static_cast<int64_t>(seen.size()));
      for (const Element &element : seen)
        to.element(element);
    }
    return (again ? again : input)->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Cache"));
    bool isAgain, isKept;
    int64_t count;
    KILN_RETURN_IF_ERROR(from.flag(isAgain));
    KILN_RETURN_IF_ERROR(from.flag(hasEnded));
    KILN_RETURN_IF_ERROR(from.flag(isKept));
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    std::vector<Element> elements;
    held.clear();
    for (int64_t i = 0; i < count; ++i) {
      KILN_RETURN_IF_ERROR(from.element(elements.emplace_back()));
      KILN_RETURN_IF_ERROR(held.add(elements.back()));
    }
    if (isKept)
      kept->all = ofElements(std::move(elements));
    else
      seen = std::move(elements);
    if (!isAgain && !input)
      return invalidArgumentError("expected a cache that is not full yet");
    if (isAgain && !isKept)
      return invalidArgumentError("expected a full cache");
    if (!isAgain)
      return input->restore(from, pull);
    KILN_ASSIGN_OR_RETURN(again, kept->all->iterate(place));
    return again->restore(from, pull);
  }

private:
  Status saveElements(StateWriter &to) const {
    IterationState state;
    KILN_ASSIGN_OR_RETURN(const IteratorPtr all, kept->all->iterate(state));
    PullContext pull;
    to.number(kept->all->cardinality());
    for (Element element;;) {
      KILN_ASSIGN_OR_RETURN(const bool has, all->next(element, pull));
      if (!has)
        return okStatus();
      to.element(element);
    }
  }

  IterationState place; ///< of `again`
  const IteratorPtr input;
  IteratorPtr again;
  const std::shared_ptr<KeptElements> kept;
  HeldBytes held;
  std::vector<Element> seen;
  bool hasEnded = false;
};

StatusOr<IteratorPtr> Cached::iterate(IterationState &state) const {
  auto kept = state.keep<KeptElements>([] { return new KeptElements; });
  IteratorPtr begun, again;
  if (kept->all) {
    KILN_ASSIGN_OR_RETURN(again, kept->all->iterate(state.input(1)));
  } else {
    KILN_ASSIGN_OR_RETURN(begun, input->iterate(state.input(0)));
  }
  return std::make_unique<CachingIterator>(std::move(begun), std::move(again),
                                           std::move(kept), maxBytes);
}

} // namespace

DatasetPtr cached(DatasetPtr input, int64_t maxBytes) {
  return std::make_shared<Cached>(std::move(input), maxBytes);
}

} // namespace kiln
