// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets of datasets, and those that choose among others.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace kiln {
namespace {

class Windows final : public Dataset {
public:
  Windows(DatasetPtr input, const WindowSpec &spec)
      : Dataset(input), input(std::move(input)), spec(spec) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    const int64_t all = input->cardinality();
    if (all < 0)
      return all;
    if (!spec.dropsRemainder)
      return all / spec.shift + (all % spec.shift != 0);
    const int64_t rest = all - ((spec.size - 1) * spec.stride + 1);
    return rest < 0 ? 0 : rest / spec.shift + 1;
  }

  const DatasetPtr input;
  const WindowSpec spec;
};

class WindowIterator final : public DatasetIterator {
public:
  WindowIterator(IteratorPtr input, const WindowSpec &spec)
      : input(std::move(input)), spec(spec), held(spec.maxBytes) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (input && static_cast<int64_t>(ahead.size()) - 1 <
                        (spec.size - 1) * spec.stride)
      KILN_RETURN_IF_ERROR(takeOne(pull));
    const auto count = static_cast<int64_t>(ahead.size());
    if (count == 0 ||
        (spec.dropsRemainder && count - 1 < (spec.size - 1) * spec.stride)) {
      ahead.clear();
      return false;
    }
    std::vector<Element> window;
    Status status;
    for (int64_t i = 0; i < count; i += spec.stride) {
      const Taken &taken = ahead[static_cast<size_t>(i)];
      if (status.ok())
        status = taken.status;
      window.push_back(taken.element);
    }
    KILN_RETURN_IF_ERROR(shift(pull));
    KILN_RETURN_IF_ERROR(status);
    KILN_RETURN_IF_ERROR(checkAlike(window));
    element.clear();
    for (size_t component = 0; component < window[0].size(); ++component) {
      std::vector<Element> parts;
      for (const Element &each : window)
        parts.push_back({each[component]});
      KILN_ASSIGN_OR_RETURN(element.emplace_back(),
                            tensorOf(ofElements(std::move(parts))));
    }
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Window");
    to.number(static_cast<int64_t>(ahead.size()));
    for (const Taken &taken : ahead) {
      to.element(taken.element);
      to.status(taken.status);
    }
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Window"));
    int64_t count;
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    ahead.clear();
    held.clear();
    for (int64_t i = 0; i < count; ++i) {
      Taken &taken = ahead.emplace_back();
      KILN_RETURN_IF_ERROR(from.element(taken.element));
      KILN_RETURN_IF_ERROR(from.status(taken.status));
      KILN_RETURN_IF_ERROR(held.add(taken.element));
    }
    return restoreInput(input, from, pull);
  }

private:
  struct Taken {
    Element element;
    Status status;
  };

  Status takeOne(PullContext &pull) {
    KILN_RETURN_IF_ERROR(pull.poll());
    Taken taken;
    auto has = input->next(taken.element, pull);
    taken.status = has.status();
    if (has.ok() && !*has) {
      input.reset();
      return okStatus();
    }
    ahead.push_back(std::move(taken));
    return held.add(ahead.back().element);
  }

  /// Goes on by the shift, which may be behind what is there.
  Status shift(PullContext &pull) {
    int64_t left = spec.shift;
    for (; left > 0 && !ahead.empty(); --left) {
      held.remove(ahead.front().element);
      ahead.pop_front();
    }
    for (; left > 0 && input; --left) {
      KILN_RETURN_IF_ERROR(takeOne(pull));
      ahead.clear();
      held.clear();
    }
    return okStatus();
  }

  IteratorPtr input; ///< null behind its last element
  const WindowSpec spec;
  HeldBytes held;
  std::deque<Taken> ahead;
};

StatusOr<IteratorPtr> Windows::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<WindowIterator>(std::move(of), spec);
}

class Grouped final : public Dataset {
public:
  Grouped(DatasetPtr input, GroupFunctions functions)
      : Dataset(input), input(std::move(input)),
        functions(std::move(functions)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    return input->cardinality() == infinite ? infinite : unknown;
  }

  const DatasetPtr input;
  const GroupFunctions functions;
};

class GroupedIterator final : public DatasetIterator {
public:
  GroupedIterator(IteratorPtr input, GroupFunctions functions)
      : input(std::move(input)), functions(std::move(functions)),
        held(this->functions.maxBytes) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      if (current) {
        pull.depth += depth;
        auto next = current->next(element, pull);
        pull.depth -= depth;
        KILN_ASSIGN_OR_RETURN(bool has, std::move(next));
        if (has)
          return true;
        current.reset();
      }
      if (input) {
        KILN_RETURN_IF_ERROR(takeOne(pull));
        continue;
      }
      if (groups.empty())
        return false;
      // What is left, in the order of the keys.
      auto first = groups.extract(groups.begin());
      KILN_RETURN_IF_ERROR(
          reduce(first.key(), std::move(first.mapped().elements), pull));
    }
  }

  Status save(StateWriter &to) const override {
    to.name("GroupByWindow");
    for (const CapturedFunction *function :
         {&functions.key, &functions.reduce, &functions.size})
      KILN_RETURN_IF_ERROR(to.allow(*function));
    to.number(static_cast<int64_t>(groups.size()));
    for (const auto &[key, group] : groups) {
      to.number(key);
      to.number(group.size);
      saveElements(group.elements, to);
    }
    to.number(currentKey);
    saveElements(current ? currentElements : std::vector<Element>(), to);
    KILN_RETURN_IF_ERROR(saveInput(current, to));
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("GroupByWindow"));
    int64_t count;
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    groups.clear();
    held.clear();
    for (int64_t i = 0; i < count; ++i) {
      int64_t key;
      KILN_RETURN_IF_ERROR(from.number(key));
      Group &group = groups[key];
      KILN_RETURN_IF_ERROR(from.number(group.size));
      KILN_RETURN_IF_ERROR(restoreElements(group.elements, from));
      for (const Element &element : group.elements)
        KILN_RETURN_IF_ERROR(held.add(element));
    }
    std::vector<Element> elements;
    KILN_RETURN_IF_ERROR(from.number(currentKey));
    KILN_RETURN_IF_ERROR(restoreElements(elements, from));
    current.reset();
    if (!elements.empty())
      KILN_RETURN_IF_ERROR(begin(currentKey, std::move(elements), pull));
    KILN_RETURN_IF_ERROR(restoreInput(current, from, pull));
    return restoreInput(input, from, pull);
  }

private:
  struct Group {
    int64_t size = 0; ///< elements of a window
    std::vector<Element> elements;
  };

  Status takeOne(PullContext &pull) {
    Element element, results;
    KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
    if (!has) {
      input.reset();
      return okStatus();
    }
    KILN_RETURN_IF_ERROR(functions.key.call(element, results, pull));
    KILN_ASSIGN_OR_RETURN(const int64_t key, numberIn(results, "key_func"));
    auto [place, isNew] = groups.try_emplace(key);
    if (isNew) {
      auto size = sizeFor(key, pull);
      if (!size.ok())
        groups.erase(place);
      KILN_ASSIGN_OR_RETURN(place->second.size, std::move(size));
    }
    KILN_RETURN_IF_ERROR(held.add(element));
    place->second.elements.push_back(std::move(element));
    if (static_cast<int64_t>(place->second.elements.size()) <
        place->second.size)
      return okStatus();
    auto full = groups.extract(place);
    return reduce(key, std::move(full.mapped().elements), pull);
  }

  StatusOr<int64_t> sizeFor(int64_t key, PullContext &pull) const {
    Element results;
    KILN_RETURN_IF_ERROR(
        functions.size.call({Tensor::scalar(key)}, results, pull));
    KILN_ASSIGN_OR_RETURN(const int64_t size,
                          numberIn(results, "window_size_func"));
    if (size <= 0)
      return invalidArgumentError(
          strCat("Window size must be greater than zero, but got ", size, "."));
    return size;
  }

  Status reduce(int64_t key, std::vector<Element> elements, PullContext &pull) {
    for (const Element &element : elements)
      held.remove(element);
    return begin(key, std::move(elements), pull);
  }

  /// Walks what becomes of a group.
  Status begin(int64_t key, std::vector<Element> elements, PullContext &pull) {
    // A group of several components is several datasets for the function.
    Element arguments{Tensor::scalar(key)};
    KILN_ASSIGN_OR_RETURN(arguments.emplace_back(),
                          tensorOf(ofElements(elements)));
    KILN_ASSIGN_OR_RETURN(DatasetPtr made,
                          functions.reduce.dataset(arguments, pull));
    KILN_RETURN_IF_ERROR(checkDatasetDepth(pull.depth + made->depth));
    state = std::make_unique<IterationState>();
    KILN_ASSIGN_OR_RETURN(current, made->iterate(*state));
    depth = made->depth;
    currentKey = key;
    currentElements = std::move(elements);
    return okStatus();
  }

  static void saveElements(const std::vector<Element> &elements,
                           StateWriter &to) {
    to.number(static_cast<int64_t>(elements.size()));
    for (const Element &element : elements)
      to.element(element);
  }
  static Status restoreElements(std::vector<Element> &elements,
                                StateReader &from) {
    int64_t count;
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    for (int64_t i = 0; i < count; ++i)
      KILN_RETURN_IF_ERROR(from.element(elements.emplace_back()));
    return okStatus();
  }

  IteratorPtr input; ///< null behind its last element
  const GroupFunctions functions;
  HeldBytes held; ///< of the groups
  std::map<int64_t, Group> groups;
  std::unique_ptr<IterationState> state; ///< of the current one
  IteratorPtr current;
  int64_t currentKey = 0;
  std::vector<Element> currentElements; ///< which share their memory
  int depth = 0;
};

StatusOr<IteratorPtr> Grouped::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<GroupedIterator>(std::move(of), functions);
}

class Directed final : public Dataset {
public:
  Directed(DatasetPtr given, std::vector<DatasetPtr> all, bool stops)
      : selector(std::move(given)), inputs(std::move(all)), stops(stops) {
    depth = selector->depth + 1;
    for (const DatasetPtr &input : inputs)
      depth = std::max(depth, input->depth + 1);
  }
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;
  int64_t cardinality() const override {
    for (const DatasetPtr &input : inputs)
      if (input->cardinality() == infinite)
        return infinite;
    return unknown;
  }

  const DatasetPtr selector;
  const std::vector<DatasetPtr> inputs;
  const bool stops; ///< where the one that is chosen has ended
};

class DirectedIterator final : public DatasetIterator {
public:
  DirectedIterator(IteratorPtr selector, std::vector<IteratorPtr> inputs,
                   bool stops)
      : selector(std::move(selector)), inputs(std::move(inputs)), stops(stops),
        numLeft(this->inputs.size()) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    while (numLeft != 0) {
      KILN_RETURN_IF_ERROR(pull.poll());
      Element chosen;
      KILN_ASSIGN_OR_RETURN(bool has, selector->next(chosen, pull));
      if (!has)
        break;
      KILN_ASSIGN_OR_RETURN(const int64_t number,
                            numberIn(chosen, "selector_input"));
      if (number < 0 || number >= static_cast<int64_t>(inputs.size()))
        return invalidArgumentError(strCat(
            "Selector index out of range: ", number, " >= ", inputs.size()));
      IteratorPtr &input = inputs[static_cast<size_t>(number)];
      if (!input)
        continue;
      KILN_ASSIGN_OR_RETURN(has, input->next(element, pull));
      if (has)
        return true;
      input.reset();
      numLeft = stops ? 0 : numLeft - 1;
    }
    numLeft = 0;
    return false;
  }

  Status save(StateWriter &to) const override {
    to.name("DirectedInterleave");
    to.number(static_cast<int64_t>(numLeft));
    for (const IteratorPtr &input : inputs)
      KILN_RETURN_IF_ERROR(saveInput(input, to));
    return selector->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("DirectedInterleave"));
    int64_t left;
    KILN_RETURN_IF_ERROR(
        from.number(left, 0, static_cast<int64_t>(inputs.size())));
    numLeft = static_cast<size_t>(left);
    for (IteratorPtr &input : inputs)
      KILN_RETURN_IF_ERROR(restoreInput(input, from, pull));
    return selector->restore(from, pull);
  }

private:
  const IteratorPtr selector;
  std::vector<IteratorPtr> inputs; ///< null: it has ended
  const bool stops;
  size_t numLeft;
};

StatusOr<IteratorPtr> Directed::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr chooser, selector->iterate(state.input(0)));
  std::vector<IteratorPtr> begun;
  for (size_t i = 0; i < inputs.size(); ++i) {
    KILN_ASSIGN_OR_RETURN(begun.emplace_back(),
                          inputs[i]->iterate(state.input(i + 1)));
  }
  return std::make_unique<DirectedIterator>(std::move(chooser),
                                            std::move(begun), stops);
}

class Unique final : public Dataset {
public:
  explicit Unique(DatasetPtr input) : Dataset(input), input(std::move(input)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;

  const DatasetPtr input;
};

class UniqueIterator final : public DatasetIterator {
public:
  explicit UniqueIterator(IteratorPtr input) : input(std::move(input)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    for (;;) {
      KILN_RETURN_IF_ERROR(pull.poll());
      KILN_ASSIGN_OR_RETURN(bool has, input->next(element, pull));
      if (!has || seen.insert(contentsOf(element)).second)
        return has;
    }
  }

  Status save(StateWriter &to) const override {
    to.name("Unique");
    to.number(static_cast<int64_t>(seen.size()));
    for (const std::string &contents : seen)
      to.text(contents);
    return input->save(to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    KILN_RETURN_IF_ERROR(from.name("Unique"));
    int64_t count;
    KILN_RETURN_IF_ERROR(from.number(count, 0));
    seen.clear();
    for (int64_t i = 0; i < count; ++i) {
      std::string contents;
      KILN_RETURN_IF_ERROR(from.text(contents));
      seen.insert(std::move(contents));
    }
    return input->restore(from, pull);
  }

private:
  /// Texts that are equal where all components are.
  static std::string contentsOf(const Element &element) {
    std::string contents;
    for (const Tensor &part : element) {
      contents += strCat(part.shape().toString(), ":");
      if (part.dtype() == DType::String)
        for (const String &text : part.data<String>())
          contents += strCat(text.view().size(), ":", text.view());
      else
        contents.append(static_cast<const char *>(part.rawData()),
                        part.byteSize());
    }
    return contents;
  }

  const IteratorPtr input;
  std::set<std::string> seen;
};

StatusOr<IteratorPtr> Unique::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<UniqueIterator>(std::move(of));
}

} // namespace

StatusOr<DatasetPtr> windows(DatasetPtr input, const WindowSpec &spec) {
  if (spec.size <= 0)
    return invalidArgumentError("Window size must be greater than zero.");
  if (spec.shift <= 0)
    return invalidArgumentError("Window shift must be greater than zero.");
  if (spec.stride <= 0)
    return invalidArgumentError("Window stride must be greater than zero.");
  int64_t reach;
  if (__builtin_mul_overflow(spec.size, spec.stride, &reach))
    return invalidArgumentError(strCat("expected a window of at most 2^63 - 1 "
                                       "elements, got ",
                                       spec.size, " * ", spec.stride));
  return DatasetPtr(std::make_shared<Windows>(std::move(input), spec));
}

DatasetPtr grouped(DatasetPtr input, GroupFunctions functions) {
  return std::make_shared<Grouped>(std::move(input), std::move(functions));
}

DatasetPtr directed(DatasetPtr selector, std::vector<DatasetPtr> inputs,
                    bool stopsWhereOneEnds) {
  return std::make_shared<Directed>(std::move(selector), std::move(inputs),
                                    stopsWhereOneEnds);
}

DatasetPtr unique(DatasetPtr input) {
  return std::make_shared<Unique>(std::move(input));
}

} // namespace kiln
