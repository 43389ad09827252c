// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How like two images are, and where one changes, as TensorFlow's Python
// functions compute it.
#ifndef KILN_OPS_IMAGEQUALITYOPS_H
#define KILN_OPS_IMAGEQUALITYOPS_H

#include "kiln/OpOptions.h"

#include <vector>

namespace kiln::ops {

/// The sum of absolute differences of neighbors, one of each image. **Source**:
/// tf.image.total_variation, "total_variation".
KILN_EXPORT Output totalVariation(const Input &images,
                                  const OpOptions &options = {});

// Both images have the same last three dimensions, and maxVal is the distance
// between the largest and the smallest value that is possible. One number comes
// of each pair.

/// The ratio of signal to noise in decibels. **Source**: tf.image.psnr, "PSNR".
KILN_EXPORT Output psnr(const Input &a, const Input &b, const Input &maxVal,
                        const OpOptions &options = {});

struct SsimOptions {
  int64_t filterSize = 11;
  double filterSigma = 1.5;
  double k1 = 0.01;
  double k2 = 0.03;
};
/// The index of structural similarity: at most 1, for equal images. **Source**:
/// tf.image.ssim, "SSIM".
KILN_EXPORT Output ssim(const Input &img1, const Input &img2,
                        const Input &maxVal, const SsimOptions &options = {});
struct SsimMultiscaleOptions {
  /// The weight of each scale.
  std::vector<double> powerFactors = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};
  int64_t filterSize = 11;
  double filterSigma = 1.5;
  double k1 = 0.01;
  double k2 = 0.03;
};
/// The same over several scales, each of half the size of the one before.
/// **Source**: tf.image.ssim_multiscale, "MS-SSIM".
KILN_EXPORT Output ssimMultiscale(const Input &img1, const Input &img2,
                                  const Input &maxVal,
                                  const SsimMultiscaleOptions &options = {});

struct ImageGradients {
  Output dy, dx;
};
/// The differences of neighboring rows and of neighboring columns, 0 at the
/// end. **Shapes**: image: [batch, height, width, channels]. **Source**:
/// tf.image.image_gradients.
KILN_EXPORT ImageGradients imageGradients(const Input &image);
/// What Sobel's filters give, first of rows, then of columns. **Shapes**:
/// image: [batch, height, width, channels]; the result has an axis of 2 behind
/// these. **Source**: tf.image.sobel_edges.
KILN_EXPORT Output sobelEdges(const Input &image);

} // namespace kiln::ops

#endif // KILN_OPS_IMAGEQUALITYOPS_H
