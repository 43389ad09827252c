// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of nodes each of which has an attribute or a number that is refused
// in the run.
#include "test/fuzz/graphs/BadNodes.h"

#include "lib/IO/AttrCodec.h"

namespace kiln::fuzz {
namespace {

using Ints = std::vector<int64_t>;

struct BadNode {
  std::string_view op;
  /// Constants behind the first input, which has no shape.
  std::vector<Ints> numbers;
  AttrMap attrs;
};

AttrMap numeric(std::initializer_list<NamedAttr> more = {}) {
  AttrMap attrs;
  attrs.set("T", DType::Float32);
  for (const NamedAttr &attr : more)
    attrs.set(attr.name, attr.value);
  return attrs;
}

std::vector<BadNode> badNodes() {
  const DType i32 = DType::Int32;
  const Ints ones = {1, 1, 1, 1};
  return {
      {"ResizeBilinear",
       {{3, 3}},
       numeric({{"align_corners", true}, {"half_pixel_centers", true}})},
      {"ResizeNearestNeighbor",
       {{3, 3}},
       numeric({{"align_corners", true}, {"half_pixel_centers", true}})},
      {"ResizeBicubic", {{0, 3}}, numeric()},
      {"ArgMax",
       {{9}},
       numeric({{"Tidx", i32}, {"output_type", DType::Int64}})},
      {"Sum", {{17}}, numeric({{"Tidx", i32}, {"keep_dims", false}})},
      {"Cumsum",
       {{9}},
       numeric({{"Tidx", i32}, {"exclusive", false}, {"reverse", false}})},
      {"Transpose", {{0, 0}}, numeric({{"Tperm", i32}})},
      {"Tile", {{-1}}, numeric({{"Tmultiples", i32}})},
      {"ExpandDims", {{40}}, numeric({{"Tdim", i32}})},
      {"Squeeze", {}, numeric({{"squeeze_dims", Ints{9}}})},
      {"SpaceToDepth",
       {},
       numeric({{"block_size", int64_t(1000)}, {"data_format", "NHWC"}})},
      {"FakeQuantWithMinMaxArgs",
       {},
       [] {
         AttrMap attrs;
         attrs.set("min", 5.0f);
         attrs.set("max", 1.0f);
         attrs.set("num_bits", int64_t(8));
         attrs.set("narrow_range", false);
         return attrs;
       }()},
      {"AvgPool",
       {},
       numeric({{"ksize", Ints{2, 2, 2, 1}},
                {"strides", ones},
                {"padding", "SAME"},
                {"data_format", "NHWC"}})},
      {"MaxPool",
       {},
       numeric({{"ksize", Ints{2, 1, 1, 1}},
                {"strides", ones},
                {"padding", "SAME"},
                {"data_format", "NHWC"}})},
      {"Reshape", {{-1, -1}}, numeric({{"Tshape", i32}})},
      {"MirrorPad",
       {{9, 9, 9, 9}},
       numeric({{"Tpaddings", i32}, {"mode", "REFLECT"}})},
      {"Unpack", {}, numeric({{"num", int64_t(3)}, {"axis", int64_t(7)}})},
      {"EnsureShape", {}, numeric({{"shape", Shape{77, 3, 77}}})},
      {"LRN",
       {},
       numeric({{"depth_radius", int64_t(-3)},
                {"bias", 1.0f},
                {"alpha", 1.0f},
                {"beta", 0.5f}})},
  };
}

} // namespace

void addBadNodes(Maker &maker) {
  static const std::vector<BadNode> all = badNodes();
  auto add = [&](std::string_view op) -> proto::NodeDef & {
    proto::NodeDef &node = *maker.program.graph.add_node();
    node.set_name(maker.freshName(badPrefix));
    node.set_op(std::string(op));
    return node;
  };
  auto set = [](proto::NodeDef &node, const NamedAttr &attr) {
    io::encodeAttr(attr.value, (*node.mutable_attr())[attr.name]);
  };
  proto::NodeDef &input = add("Placeholder");
  std::string x = input.name();
  set(input, {"dtype", DType::Float32});
  for (int64_t i = maker.random.between(1, 3); i > 0; --i) {
    const BadNode &bad = maker.random.pick(all);
    std::vector<std::string> inputs = {x};
    for (const Ints &numbers : bad.numbers) {
      proto::NodeDef &constant = add("Const");
      Extents dims = {int64_t(numbers.size())};
      if (numbers.size() == 1 && bad.op != "Tile")
        dims.clear();
      if (bad.op == "MirrorPad")
        dims = {2, 2};
      set(constant, {"dtype", DType::Int32});
      set(constant,
          {"value", makeTensor(DType::Int32, shapeOf(dims, 0),
                               exactly(Extents(numbers.begin(), numbers.end())),
                               0, maker.random)});
      inputs.push_back(constant.name());
    }
    proto::NodeDef &node = add(bad.op);
    for (const std::string &name : inputs)
      node.add_input(name);
    for (const NamedAttr &attr : bad.attrs)
      set(node, attr);
  }
}

} // namespace kiln::fuzz
