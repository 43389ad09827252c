// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches cut and joined to batches of other sizes.
#include "lib/Pipelines/Datasets.h"
#include "lib/Pipelines/Rows.h"
#include "lib/Support/Elements.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

class Rebatched final : public Dataset {
public:
  Rebatched(DatasetPtr input, RebatchSpec spec)
      : Dataset(input), input(std::move(input)), spec(std::move(spec)) {}
  StatusOr<IteratorPtr> iterate(IterationState &state) const override;

private:
  const DatasetPtr input;
  const RebatchSpec spec;
};

class RebatchedIterator final : public DatasetIterator {
public:
  RebatchedIterator(IteratorPtr input, RebatchSpec spec)
      : input(std::move(input)), spec(std::move(spec)) {}

  StatusOr<bool> next(Element &element, PullContext &pull) override {
    element.clear();
    if (!input)
      return false;
    const int64_t wanted = spec.sizes[turn];
    std::vector<Part> parts;
    HeldBytes held(spec.maxBytes);
    int64_t count = 0;
    while (count < wanted) {
      KILN_RETURN_IF_ERROR(pull.poll());
      if (batch.empty()) {
        KILN_ASSIGN_OR_RETURN(const bool has, input->next(batch, pull));
        if (!has) {
          batch.clear();
          input.reset();
          break;
        }
        row = 0;
        KILN_RETURN_IF_ERROR(checkBatch());
        KILN_RETURN_IF_ERROR(held.add(batch));
      }
      const int64_t rows = batch[0].dim(0);
      const int64_t end = row + std::min(wanted - count, rows - row);
      parts.push_back({batch, row, end});
      count += end - row;
      row = end;
      if (row == rows)
        batch.clear();
    }
    turn = (turn + 1) % spec.sizes.size();
    if ((count == 0 && wanted > 0) || (spec.dropsRemainder && count < wanted))
      return false;
    if (wanted == 0)
      return giveNothing(element);
    KILN_RETURN_IF_ERROR(join(parts, count, element));
    return true;
  }

  Status save(StateWriter &to) const override {
    to.name("Rebatch");
    to.number(static_cast<int64_t>(turn));
    to.number(row);
    to.element(batch);
    return saveInput(input, to);
  }
  Status restore(StateReader &from, PullContext &pull) override {
    int64_t number;
    KILN_RETURN_IF_ERROR(from.name("Rebatch"));
    KILN_RETURN_IF_ERROR(
        from.number(number, 0, static_cast<int64_t>(spec.sizes.size()) - 1));
    turn = static_cast<size_t>(number);
    KILN_RETURN_IF_ERROR(from.number(row, 0));
    KILN_RETURN_IF_ERROR(from.element(batch));
    if (!batch.empty()) {
      const int64_t at = row;
      KILN_RETURN_IF_ERROR(checkBatch());
      if (at > batch[0].dim(0))
        return invalidArgumentError("expected a row of the batch");
    }
    return restoreInput(input, from, pull);
  }

private:
  /// Rows of a batch.
  struct Part {
    Element batch;
    int64_t begin, end;
  };

  Status checkBatch() {
    for (size_t i = 0; i < batch.size(); ++i) {
      if (batch[i].rank() == 0) {
        batch.clear();
        return invalidArgumentError("Input element must be a non-scalar value "
                                    "in each component.");
      }
      if (batch[i].dim(0) != batch[0].dim(0)) {
        const int64_t first = batch[0].dim(0), other = batch[i].dim(0);
        batch.clear();
        return invalidArgumentError(
            strCat("Input element must have the same batch size in each "
                   "component. Component 0 had size ",
                   first, " but component ", i, " had size, ", other, "."));
      }
    }
    return okStatus();
  }

  /// The rows of the parts, one behind the other.
  Status join(const std::vector<Part> &parts, int64_t count,
              Element &element) const {
    for (size_t i = 0; i < parts[0].batch.size(); ++i) {
      const Tensor &first = parts[0].batch[i];
      const auto inner = first.shape().dims().subspan(1);
      std::vector<int64_t> dims{count};
      dims.insert(dims.end(), inner.begin(), inner.end());
      if (first.dtype() == DType::Variant) {
        KILN_ASSIGN_OR_RETURN(element.emplace_back(),
                              joinVariants(parts, i, Shape(dims)));
        continue;
      }
      KILN_ASSIGN_OR_RETURN(Tensor whole,
                            Tensor::create(first.dtype(), Shape(dims)));
      int64_t at = 0;
      for (const Part &part : parts) {
        const Tensor &from = part.batch[i];
        if (from.dtype() != first.dtype() ||
            !std::ranges::equal(from.shape().dims().subspan(1), inner))
          return invalidArgumentError(strCat("expected rows like those of ",
                                             first.shape().toString(), ", got ",
                                             from.shape().toString()));
        const int64_t each =
            from.dim(0) == 0 ? 0 : from.numElements() / from.dim(0);
        const int64_t size = (part.end - part.begin) * each;
        copyElements(whole, at, from, part.begin * each, size);
        at += size;
      }
      element.push_back(std::move(whole));
    }
    return okStatus();
  }

  static StatusOr<Tensor> joinVariants(const std::vector<Part> &parts,
                                       size_t component, const Shape &shape) {
    std::vector<VariantPtr> all;
    for (const Part &part : parts) {
      const Tensor &from = part.batch[component];
      const auto variants = variantsOf(from);
      const size_t each =
          from.dim(0) == 0 ? 0
                           : variants.size() / static_cast<size_t>(from.dim(0));
      const auto rows =
          variants.subspan(static_cast<size_t>(part.begin) * each,
                           static_cast<size_t>(part.end - part.begin) * each);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return tensorOfVariants(shape, std::move(all));
  }

  /// A batch of 0 elements, of the shapes that the node says.
  StatusOr<bool> giveNothing(Element &element) const {
    for (size_t i = 0; i < spec.types.size(); ++i) {
      std::vector<int64_t> dims;
      if (i < spec.shapes.size() && spec.shapes[i].hasRank())
        for (int64_t extent : spec.shapes[i].dims())
          dims.push_back(dims.empty() ? 0 : std::max<int64_t>(extent, 0));
      if (dims.empty())
        dims.push_back(0);
      KILN_ASSIGN_OR_RETURN(element.emplace_back(),
                            Tensor::create(spec.types[i], Shape(dims)));
    }
    return true;
  }

  IteratorPtr input; ///< null behind its last element
  const RebatchSpec spec;
  Element batch;   ///< of which rows are left; empty: none
  int64_t row = 0; ///< the first one of them
  size_t turn = 0; ///< of the sizes
};

StatusOr<IteratorPtr> Rebatched::iterate(IterationState &state) const {
  KILN_ASSIGN_OR_RETURN(IteratorPtr of, input->iterate(state.input(0)));
  return std::make_unique<RebatchedIterator>(std::move(of), spec);
}

} // namespace

StatusOr<DatasetPtr> rebatched(DatasetPtr input, RebatchSpec spec) {
  if (spec.sizes.empty())
    return invalidArgumentError("expected at least one batch size, got none");
  for (int64_t size : spec.sizes)
    if (size < 0)
      return invalidArgumentError(
          strCat("expected batch sizes of 0 or more, got ", size));
  return DatasetPtr(
      std::make_shared<Rebatched>(std::move(input), std::move(spec)));
}

} // namespace kiln
