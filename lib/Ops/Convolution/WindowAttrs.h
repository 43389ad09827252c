// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What attributes say of the windows of convolutions and pools.
#ifndef KILN_LIB_OPS_CONVOLUTION_WINDOWATTRS_H
#define KILN_LIB_OPS_CONVOLUTION_WINDOWATTRS_H

#include "lib/OpDefs/Inference.h"
#include "lib/Shape/Windows.h"

namespace kiln {

/// Whether the channels come before the spatial dimensions: "NCHW", "NCDHW",
/// "CHANNELS_FIRST".
inline bool isChannelsFirst(std::string_view format) {
  return format[1] == 'C' || format == "CHANNELS_FIRST";
}

/// The attributes data_format, strides, dilations, ksize, padding and
/// explicit_paddings, where the op has them; lists have an entry for each
/// spatial dimension.
struct WindowSpec {
  bool channelsFirst = false;
  Padding padding = Padding::Valid;
  std::vector<int64_t> strides, dilations, window;
  std::vector<int64_t> low, high; ///< of Padding::Explicit

  size_t rank() const { return strides.size(); }
  /// The windows over these extents; `window` is of filters. **Errors**: as
  /// planWindow().
  StatusOr<std::vector<WindowDim>> plan(DimSpace &space, const Dims &inputs,
                                        const Dims &windows) const;
};

/// The windows of an op with this many spatial dimensions, whose attributes
/// have been checked.
template <class Context>
WindowSpec windowSpecOf(const Context &context, const OpDef &def, int spatial) {
  auto has = [&](std::string_view name) { return def.findAttr(name); };
  WindowSpec spec;
  spec.channelsFirst =
      has("data_format") && isChannelsFirst(context.stringAttr("data_format"));
  auto first = spec.channelsFirst ? 2 : 1;
  auto spatialOf = [&](std::string_view name) {
    std::vector<int64_t> all = context.intsAttr(name);
    if (all.empty()) // Conv has no dilations then
      all.assign(static_cast<size_t>(spatial) + 2, 1);
    return std::vector<int64_t>(all.begin() + first,
                                all.begin() + first + spatial);
  };
  std::vector<int64_t> ones(static_cast<size_t>(spatial), 1);
  spec.strides = has("strides") ? spatialOf("strides") : ones;
  spec.dilations = has("dilations") ? spatialOf("dilations") : ones;
  spec.window = has("ksize") ? spatialOf("ksize") : ones;
  std::string padding = context.stringAttr("padding");
  spec.padding = padding == "SAME"    ? Padding::Same
                 : padding == "VALID" ? Padding::Valid
                                      : Padding::Explicit;
  if (spec.padding == Padding::Explicit) {
    std::vector<int64_t> pads = context.intsAttr("explicit_paddings");
    for (int i = 0; i < spatial; ++i) {
      auto at = static_cast<size_t>(2 * (first + i));
      spec.low.push_back(pads[at]);
      spec.high.push_back(pads[at + 1]);
    }
  }
  return spec;
}

/// **Errors**: INVALID_ARGUMENT and UNIMPLEMENTED with TensorFlow's texts about
/// the attributes that windowSpecOf() reads.
Status checkWindowAttrs(const InferenceContext &context, int spatial);

/// What the attribute explicit_paddings may be for images of this rank.
/// **Errors**: INVALID_ARGUMENT with TensorFlow's texts.
Status checkPaddings(const InferenceContext &context, size_t rank,
                     size_t channel);

/// Dimensions with the channels as the last, or back.
Dims channelsLast(const Dims &dims, bool channelsFirst);
Dims fromChannelsLast(Dims dims, bool channelsFirst);

/// What lies between the first dimension and the last.
inline Dims spatialOf(const Dims &dims) {
  return Dims(dims.begin() + 1, dims.end() - 1);
}

} // namespace kiln

#endif // KILN_LIB_OPS_CONVOLUTION_WINDOWATTRS_H
