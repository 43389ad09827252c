// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions of images are written with: extents that are known or not
// while the graph is built, and checks of both kinds.
#ifndef KILN_LIB_BUILD_OPS_IMAGEOPSHELPERS_H
#define KILN_LIB_BUILD_OPS_IMAGEOPSHELPERS_H

#include "kiln/GraphScopes.h"
#include "lib/Build/Ops/Helpers.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kiln::ops {

/// The number, where the value is one and no tensor of a graph.
std::optional<double> knownNumber(const Input &value);

/// A height, width or offset: a number that is known while the graph is built,
/// or a tensor. Operators on two numbers give a number, and add what Python's
/// add where one is a tensor.
class Extent {
public:
  Extent(int64_t number) : value(number), known(number) {}
  Extent(const Input &value);

  bool isKnown() const { return known.has_value(); }
  int64_t number() const { return *known; }
  const Input &input() const { return value; }
  /// As a dimension of a shape.
  int64_t dim() const { return known ? *known : Shape::unknownDim; }

private:
  Input value;
  std::optional<int64_t> known;
};

Extent operator+(const Extent &a, const Extent &b);
Extent operator-(const Extent &a, const Extent &b);
Extent operator*(const Extent &a, const Extent &b);
Extent operator-(const Extent &a);
/// Rounds down.
Extent halfOf(const Extent &a);
Extent larger(const Extent &a, const Extent &b);
Extent smaller(const Extent &a, const Extent &b);

/// The extents of an image of this rank, each known or an element of what Shape
/// gives. **Source**: image_ops_impl._ImageDimensions.
std::vector<Extent> extentsOf(const Output &image, int rank);

/// Conditions that hold or end the construction, and others that end a run: for
/// those there is an operation. After an error nothing more is added.
/// **Source**: image_ops_impl._assert.
class ImageChecks {
public:
  explicit ImageChecks(const std::string &scope) : scope(scope) {}

  /// The last three dimensions are positive, and there are as many. **Source**:
  /// image_ops_impl._CheckAtLeast3DImage.
  void imageHasPositiveExtents(const Output &image);
  /// Images of one channel. **Source**: image_ops_impl._CheckGrayscaleImage.
  void imageIsGrayscale(const Output &image);
  void atLeast(const Extent &a, const Extent &b, const char *words);
  void above(const Extent &a, const Extent &b, const char *words);
  void equal(const Extent &a, const Extent &b, const char *words);
  void holds(bool condition, const std::string &words);
  void holds(const Output &condition, const char *words);

  bool failed() const { return hasFailed; }
  const std::vector<ControlInput> &operations() const { return added; }
  /// The image, once the checks are done; without a node after an error.
  Output before(const Output &image) const;
  Extent before(const Extent &extent) const;

private:
  const std::string &scope;
  std::vector<ControlInput> added;
  bool hasFailed = false;
};

/// **Source**: image_ops_impl._AssertAtLeast3DImage.
Output withPositiveExtents(const Output &image, const std::string &scope);

/// Images as a batch: one image becomes a batch of one.
struct ImageBatch {
  Output images; ///< without a node after an error
  bool isBatch = true;

  /// The images of a result, without the axis that was added.
  Output result(const Output &images) const;
};
/// **Errors** of the graph: INVALID_ARGUMENT for another rank than 3 and 4.
ImageBatch asBatch(const Output &image, const std::string &scope);

/// Calls the function for an image or a batch, or adds a conditional on the
/// rank where it is unknown. **Errors** of the graph: INVALID_ARGUMENT for
/// another rank, whose words follow the image's shape.
Output byRank(const Output &image, const std::string &scope,
              const std::function<Output(bool isBatch)> &function,
              const char *refusal = " must have either 3 or 4 dimensions.");

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_IMAGEOPSHELPERS_H
