// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions, pools, normalizations and images.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// Windows over the spatial dimensions of an image or volume.
struct Windows {
  bool isChannelFirst = false;
  Extent batch, channels;
  std::vector<int64_t> sizes, steps, gaps;
  Extents inputs, outputs;
  std::string padding;
  std::vector<int64_t> explicitPaddings;

  /// Batch, spatial ones and channels, in the order of the format.
  template <class T>
  std::vector<T> ordered(T first, const std::vector<T> &spatial, T last) const {
    std::vector<T> list = {first};
    if (isChannelFirst)
      list.push_back(last);
    list.insert(list.end(), spatial.begin(), spatial.end());
    if (!isChannelFirst)
      list.push_back(last);
    return list;
  }
  Extents image(const Extent &depth) const {
    return ordered(batch, inputs, depth);
  }
  Extents result(const Extent &depth) const {
    return ordered(batch, outputs, depth);
  }
};

/// Chooses windows and sets the attributes that say so.
Windows chooseWindows(Call &call, int spatial, bool isPool) {
  Random &random = call.random;
  Windows windows;
  bool isDilated = call.has("dilations") && random.chance(20);
  windows.isChannelFirst = call.has("data_format") && random.chance(15);
  windows.padding = random.among({"SAME", "VALID"});
  if (call.has("explicit_paddings") && random.chance(15))
    windows.padding = "EXPLICIT";
  windows.batch = random.chance(50) ? call.maker.randomExtent() : Extent(1);
  if (std::max(windows.batch.of[0], windows.batch.of[1]) > 5)
    windows.batch = 2;
  // The gradient of a filter has code of its own for many channels.
  windows.channels = !isPool && random.chance(15) ? random.between(16, 20)
                                                  : random.between(1, 4);
  std::vector<int64_t> paddings;
  int64_t common = random.between(1, 2);
  for (int i = 0; i < spatial; ++i) {
    int64_t size = random.between(1, 3), step = random.between(1, 2),
            gap = isDilated ? random.between(1, 2) : 1;
    if (call.def.name.starts_with("Depthwise"))
      step = common;
    if (gap > 1)
      step = 1;
    if (isPool && call.def.name.find("GradGrad") != std::string::npos)
      size = std::max(size, step);
    int64_t reach = (size - 1) * gap + 1, before = 0, after = 0;
    if (windows.padding == "EXPLICIT") {
      before = random.below(int(reach));
      after = random.below(int(reach));
    }
    paddings.push_back(before);
    paddings.push_back(after);
    Extent input = reach + random.below(spatial == 2 ? 6 : 3);
    if (random.chance(30))
      input.of[1] = reach + random.below(5);
    windows.sizes.push_back(size);
    windows.steps.push_back(step);
    windows.gaps.push_back(gap);
    windows.inputs.push_back(input);
    windows.outputs.push_back(each(
        [&](int64_t n) {
          return windows.padding == "SAME"
                     ? (n + step - 1) / step
                     : (n + before + after - reach) / step + 1;
        },
        input));
  }
  auto list = [&](const std::vector<int64_t> &inner) {
    return windows.ordered<int64_t>(1, inner, 1);
  };
  call.set("padding", windows.padding);
  call.setIf("strides", list(windows.steps));
  if (isPool)
    call.setIf("ksize", list(windows.sizes));
  call.setIf("dilations", list(windows.gaps));
  if (call.def.name == "Conv")
    call.set("data_format",
             windows.isChannelFirst ? "CHANNELS_FIRST" : "CHANNELS_LAST");
  else if (call.has("data_format"))
    call.set("data_format", spatial == 3
                                ? (windows.isChannelFirst ? "NCDHW" : "NDHWC")
                                : (windows.isChannelFirst ? "NCHW" : "NHWC"));
  if (windows.padding == "EXPLICIT") {
    std::vector<int64_t> all(2, 0);
    if (windows.isChannelFirst)
      all.insert(all.end(), {0, 0});
    all.insert(all.end(), paddings.begin(), paddings.end());
    if (!windows.isChannelFirst)
      all.insert(all.end(), {0, 0});
    call.set("explicit_paddings", all);
  }
  return windows;
}

int spatialOf(const Call &call) {
  return call.def.name.find("3D") != std::string::npos ? 3 : 2;
}

/// Forward, the gradient of the input and that of the filter.
bool convolution(Call &call) {
  Windows windows = chooseWindows(call, spatialOf(call), false);
  bool isDepthwise = call.def.name.starts_with("Depthwise"),
       hasGroups = !isDepthwise && spatialOf(call) == 2 && !call.has("groups");
  int64_t groups = hasGroups && call.random.chance(15) ? 2 : 1;
  Extent depth = windows.channels * Extent(groups),
         more = call.random.between(1, 3) * groups;
  Extents filter(windows.sizes.begin(), windows.sizes.end());
  filter.push_back(isDepthwise ? depth : windows.channels);
  filter.push_back(more);
  Extents image = windows.image(depth),
          result = windows.result(isDepthwise ? depth * more : more);
  bool ofInput = call.def.name.find("BackpropInput") != std::string::npos,
       ofFilter = call.def.name.find("BackpropFilter") != std::string::npos;
  // Whether the next input is the sizes of a tensor, not one like it.
  auto takesSizes = [&] {
    return call.def.inputs[call.inputs.size()].name.ends_with("_sizes");
  };
  if (ofInput && takesSizes())
    call.in(call.maker.shapeValue(call.next(), image));
  else
    call.like(image);
  if (ofFilter && takesSizes())
    call.in(call.maker.shapeValue(call.next(), filter));
  else
    call.like(filter);
  if (ofInput || ofFilter)
    call.like(result);
  return call.done();
}

bool pool(Call &call) {
  Windows windows = chooseWindows(call, spatialOf(call), true);
  Extents image = windows.image(windows.channels),
          result = windows.result(windows.channels);
  bool isGrad = call.def.name.find("Grad") != std::string::npos;
  if (!isGrad) {
    call.like(image);
  } else if (call.def.name.starts_with("Avg")) {
    call.in(call.maker.shapeValue(call.next(), image));
    call.like(result);
  } else {
    // The gradient is defined for what the pool itself gave alone.
    DType dtype = call.next();
    Value x = call.like(image);
    bool isComputed = call.def.name.ends_with("V2");
    AttrMap attrs = {{"T", dtype}};
    for (const char *attr : {"ksize", "strides", "padding", "data_format"})
      if (const AttrValue *value = call.attrs.find(attr))
        attrs.set(attr, *value);
    if (isComputed) {
      auto list = [&](const std::vector<int64_t> &inner) {
        return AttrValue(windows.ordered<int64_t>(1, inner, 1));
      };
      attrs.set("ksize", list(windows.sizes));
      attrs.set("strides", list(windows.steps));
    }
    if (const AttrValue *value = call.attrs.find("explicit_paddings"))
      attrs.set("explicit_paddings", *value);
    auto pooled = call.maker.add(spatialOf(call) == 3 ? "MaxPool3D" : "MaxPool",
                                 {x}, attrs);
    if (!pooled)
      return false;
    call.in(pooled->front());
    call.like(call.def.name.find("GradGrad") != std::string::npos ? image
                                                                  : result);
  }
  if (call.def.name.ends_with("V2")) {
    call.integers(windows.ordered<Extent>(
        1, Extents(windows.sizes.begin(), windows.sizes.end()), 1));
    call.integers(windows.ordered<Extent>(
        1, Extents(windows.steps.begin(), windows.steps.end()), 1));
  }
  return call.done();
}

bool patches(Call &call) {
  int spatial = call.def.name == "ExtractVolumePatches" ? 3 : 2;
  std::vector<int64_t> sizes = {1}, strides = {1}, rates = {1};
  Extents dims = {call.random.between(1, 2)};
  for (int i = 0; i < spatial; ++i) {
    sizes.push_back(call.random.between(1, 3));
    strides.push_back(call.random.between(1, 2));
    rates.push_back(call.has("rates") ? call.random.between(1, 2) : 1);
    dims.push_back((sizes.back() - 1) * rates.back() +
                   call.random.between(1, 4));
  }
  for (auto *list : {&sizes, &strides, &rates})
    list->push_back(1);
  dims.push_back(call.random.between(1, 3));
  call.set("ksizes", sizes);
  call.set("strides", strides);
  call.setIf("rates", rates);
  call.like(dims);
  return call.done();
}

bool batchNorm(Call &call) {
  std::string format = call.text("data_format");
  bool isFirst = format == "NCHW" || format == "NCDHW";
  int rank = format.size() == 5 ? 5 : 4;
  Extents dims = call.maker.dimsOfRank(rank);
  for (Extent &dim : dims)
    if (dim.least() == 0 || std::max(dim.of[0], dim.of[1]) > 9)
      dim = 2;
  Extents channels = {isFirst ? dims[1] : dims.back()};
  call.set("epsilon", 0.001f);
  bool isGrad = call.def.name.find("Grad") != std::string::npos;
  call.like(dims);
  if (isGrad)
    call.like(dims);
  call.like(channels); // scale
  if (!isGrad)
    call.like(channels);
  bool isTraining = call.flag("is_training");
  for (int i = 0; i < 2; ++i)
    if (!isGrad && isTraining)
      call.fresh({0}, anything());
    else
      call.fresh(channels, between(0.25, 3));
  while (call.next() != DType::Invalid)
    call.like(channels);
  return call.done();
}

bool globalNorm(Call &call) {
  Extents dims = call.maker.dimsOfRank(4);
  call.like(dims);
  for (int i = 0; i < 4; ++i)
    call.fresh({dims[3]}, between(0.25, 3));
  return call.done();
}

bool localNorm(Call &call) {
  Extents dims = call.maker.dimsOfRank(4);
  call.set("depth_radius", call.random.between(0, 3));
  call.set("alpha", static_cast<float>(call.random.between(0, 4)) / 4);
  call.like(dims);
  while (call.next() != DType::Invalid)
    call.like(dims);
  return call.done();
}

bool resize(Call &call) {
  if (call.flag("align_corners"))
    call.setIf("half_pixel_centers", false);
  Extents dims = {call.random.between(1, 2), call.random.between(1, 5),
                  call.random.between(1, 5), call.random.between(1, 3)};
  Extents size = {call.random.between(1, 7), call.random.between(1, 7)};
  call.like(dims);
  if (call.def.name == "ResizeBilinearGrad" ||
      call.def.name == "ResizeBicubicGrad") {
    Extents original = dims;
    original[1] = size[0];
    original[2] = size[1];
    call.like(original);
  } else {
    call.integers(size);
  }
  return call.done();
}

/// Windows of two sizes. Their gradients take windows of equal ones.
bool fractionalPool(Call &call) {
  const int64_t batch = call.random.between(1, 3),
                depth = call.random.between(1, 3);
  const bool isBack = call.def.name.ends_with("Grad"),
             isMax = call.def.name.starts_with("FractionalMax");
  if (!isBack) {
    call.set("pooling_ratio", std::vector<float>{1, 1.5f, 2.25f, 1});
    call.set("deterministic", true);
    call.set("seed", call.random.between(1, 9));
    call.set("seed2", call.random.between(0, 9));
    Extent rows = call.random.between(3, 9);
    if (call.random.chance(30))
      rows.of[1] = call.random.between(3, 9);
    call.fresh({batch, rows, call.random.between(3, 9), depth}, between(-9, 9));
    return call.done();
  }
  const Extents image = {batch, 4, 6, depth}, pooled = {batch, 2, 3, depth};
  if (isMax) {
    // Zeros, whose largest are zeros.
    Extents zeros(static_cast<size_t>(batch * 4 * 6 * depth), Extent(0)),
        results(static_cast<size_t>(batch * 2 * 3 * depth), Extent(0));
    call.fresh(image, exactly(zeros));
    call.fresh(pooled, exactly(results));
  } else {
    call.integers(image);
  }
  call.fresh(pooled, between(-9, 9));
  call.integers({0, 2, 4});
  call.integers({0, 2, 4, 6});
  return call.done();
}

constexpr Recipe recipes[] = {
    {"FractionalMaxPool FractionalAvgPool FractionalMaxPoolGrad "
     "FractionalAvgPoolGrad",
     fractionalPool},
    {"Conv Conv2D Conv2DBackpropInput Conv2DBackpropFilter Conv3D "
     "Conv3DBackpropInput Conv3DBackpropInputV2 Conv3DBackpropFilter "
     "Conv3DBackpropFilterV2 DepthwiseConv2dNative "
     "DepthwiseConv2dNativeBackpropInput DepthwiseConv2dNativeBackpropFilter",
     convolution},
    {"MaxPool MaxPoolV2 MaxPoolGrad MaxPoolGradV2 MaxPoolGradGrad "
     "MaxPoolGradGradV2 MaxPool3DGradGrad "
     "MaxPoolWithArgmax AvgPool AvgPoolGrad MaxPool3D MaxPool3DGrad AvgPool3D "
     "AvgPool3DGrad",
     pool},
    {"ExtractImagePatches ExtractVolumePatches", patches},
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 FusedBatchNormGrad "
     "FusedBatchNormGradV2 FusedBatchNormGradV3",
     batchNorm},
    {"BatchNormWithGlobalNormalization", globalNorm},
    {"LRN LRNGrad", localNorm},
    {"ResizeBilinear ResizeBilinearGrad ResizeNearestNeighbor "
     "ResizeNearestNeighborGrad ResizeBicubic ResizeBicubicGrad ResizeArea",
     resize},
};

} // namespace

std::span<const Recipe> windowRecipes() { return recipes; }

} // namespace kiln::fuzz
