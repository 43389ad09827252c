// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images that are mirrored and turned.
#include "kiln/ControlFlow.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ImageOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/RandomOps.h"
#include "lib/Build/Ops/ImageOpsHelpers.h"
#include "lib/Support/Strings.h"

namespace kiln::ops {
namespace {

/// What is known of the shape of an image that is mirrored. **Source**:
/// image_ops_impl.fix_image_flip_shape.
Shape shapeOfMirrored(const Output &image) {
  return image.shape().hasRank() ? image.shape() : Shape::unknownDims(3);
}

/// **Source**: image_ops_impl._flip.
Output flip(const Input &image, int64_t axis, const char *function) {
  FunctionScope scope("", function, {&image});
  Output x = withPositiveExtents(convert(image, "image"), scope);
  return byRank(
      x, scope,
      [&](bool isBatch) {
        return isBatch ? rawOps::reverseV2(x, {axis + 1})
                       : withShape(shapeOfMirrored(x), [&] {
                           return rawOps::reverseV2(x, {axis});
                         });
      },
      "must have either 3 or 4 dimensions.");
}

/// **Source**: image_ops_impl._random_flip.
Output randomFlip(const Input &image, int64_t axis, const char *function,
                  const RandomFlipOptions &options) {
  FunctionScope scope("", function, {&image});
  Output x = withPositiveExtents(convert(image, "image"), scope);
  return byRank(x, scope, [&](bool isBatch) -> Output {
    if (!isBatch) {
      Output chance =
          randomUniform(Input::List(), 0, 1.0, {.seed = options.seed});
      Output isMirrored = rawOps::less(chance, 0.5);
      return withShape(shapeOfMirrored(x), [&]() -> Output {
        return cond(
            isMirrored, [&] { return rawOps::reverseV2(x, {axis}); },
            [&] { return x; }, {.name = scope});
      });
    }
    Output count = shape(x)[0];
    Output chance =
        randomUniform(Input::List{count}, 0, 1.0, {.seed = options.seed});
    Output flips = rawOps::round(rawOps::reshape(chance, {count, 1, 1, 1}));
    if (!flips.node)
      return {};
    flips = cast(flips, x.dtype());
    Output flipped = flips * rawOps::reverseV2(x, {axis + 1});
    return flipped + (1 - flips) * x;
  });
}

/// The first of the branches whose predicate holds, of which none but one may.
/// **Source**: tf.case(exclusive=True), inside of the scope.
Output exclusiveCase(const std::vector<std::pair<Output, Branch>> &cases,
                     const Branch &otherwise, const std::string &scope) {
  NameScope again(scope);
  std::vector<Input> predicates;
  std::string names;
  for (const auto &[predicate, branch] : cases) {
    if (!predicate.node)
      return {};
    predicates.push_back(predicate);
    names += (names.empty() ? "" : ", ") + predicate.name();
  }
  Output all = stack(predicates, {.name = "preds_c"});
  Output count = reduceSum(cast(all, DType::Int32), {.name = "num_true_conds"});
  Output most = constant(1, {.name = "n_true_conds"});
  Output isRight = rawOps::lessEqual(count, most);
  ControlScope checked({assertThat(
      isRight,
      {strCat("Input error: exclusive=True: more than 1 conditions (", names,
              ") evaluated as True:"),
       all},
      {.summarize = static_cast<int64_t>(cases.size())})});
  Branch next = otherwise;
  for (size_t i = cases.size(); i-- > 0;)
    next = [&, i, next] {
      return BranchResult(cond(cases[i].first, cases[i].second, next));
    };
  BranchResult result = next();
  return result.outputs.empty() ? Output() : result.outputs[0];
}

Output swapped(const Output &image, bool isBatch) {
  return isBatch ? transpose(image, {0, 2, 1, 3}) : transpose(image, {1, 0, 2});
}

/// **Source**: image_ops_impl._rot90_3D, _rot90_4D.
Output turned(const Output &image, const Output &k, bool isBatch,
              const std::string &scope) {
  const int64_t rows = isBatch ? 1 : 0, columns = rows + 1;
  std::vector<std::pair<Output, Branch>> cases;
  auto add = [&](int64_t number, const Branch &branch) {
    cases.emplace_back(rawOps::equal(k, number), branch);
  };
  add(1, [&] { return swapped(rawOps::reverseV2(image, {columns}), isBatch); });
  add(2, [&] { return rawOps::reverseV2(image, {rows, columns}); });
  add(3, [&] { return rawOps::reverseV2(swapped(image, isBatch), {columns}); });
  const Shape known =
      isBatch ? Shape::unknownRank() : Shape{-1, -1, image.shape().dim(2)};
  return withShape(known, [&] {
    return exclusiveCase(cases, [&] { return image; }, scope);
  });
}

} // namespace

Output flipLeftRight(const Input &image) {
  return flip(image, 1, "flip_left_right");
}
Output flipUpDown(const Input &image) { return flip(image, 0, "flip_up_down"); }

Output randomFlipLeftRight(const Input &image,
                           const RandomFlipOptions &options) {
  return randomFlip(image, 1, "random_flip_left_right", options);
}
Output randomFlipUpDown(const Input &image, const RandomFlipOptions &options) {
  return randomFlip(image, 0, "random_flip_up_down", options);
}

Output rot90(const Input &image, const Rot90Options &options) {
  FunctionScope scope(options.name, "rot90", {&image, &options.k});
  Output x = withPositiveExtents(convert(image, "image"), scope);
  Output k = convert(options.k, "k", DType::Int32);
  if (!x.node || !k.node)
    return {};
  if (k.shape().hasRank() && k.shape().rank() != 0)
    return failed(
        invalidArgumentError(
            strCat("Shape ", k.shape().toTupleString(), " must have rank 0")),
        scope);
  k = k % 4;
  return byRank(x, scope,
                [&](bool isBatch) { return turned(x, k, isBatch, scope); });
}

Output transposeImage(const Input &image, const OpOptions &options) {
  FunctionScope scope(options.name, "transpose", {&image});
  Output x = withPositiveExtents(convert(image, "image"), scope);
  return byRank(x, scope, [&](bool isBatch) {
    return isBatch ? transpose(x, {0, 2, 1, 3}, {.name = options.name})
                   : transpose(x, {1, 0, 2}, {.name = options.name});
  });
}

} // namespace kiln::ops
