// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a node tells of itself.
#include "kiln/Node.h"

#include "lib/Graph/TensorText.h"
#include "lib/Support/Strings.h"

namespace kiln {

std::string Output::name() const {
  return node ? strCat(node->name(), ":", index) : std::string();
}

DType Output::dtype() const noexcept {
  return node ? node->outputDType(index) : DType::Invalid;
}

const Shape &Output::shape() const noexcept {
  static const Shape unknown = Shape::unknownRank();
  return node ? node->outputShape(index) : unknown;
}

std::string tensorText(const Output &tensor) {
  const Shape &shape = tensor.shape();
  std::string text = strCat("Tensor(\"", tensor.name(), "\"");
  if (shape.hasRank())
    text += strCat(", shape=", shape.toTupleString());
  DType dtype = tensor.dtype();
  bool isRef = tensor.node && tensor.node->output(tensor.index).isRef;
  text += strCat(", dtype=", dtypeName(dtype), isRef ? "_ref" : "");
  if (tensor.node && !tensor.node->device().empty())
    text += strCat(", device=", tensor.node->device());
  return text + ")";
}

std::string tensorRepr(const Output &tensor) {
  const Shape &shape = tensor.shape();
  bool isRef = tensor.node && tensor.node->output(tensor.index).isRef;
  return strCat("<tf.Tensor '", tensor.name(), "' shape=",
                shape.hasRank() ? shape.toTupleString() : "<unknown>",
                " dtype=", dtypeName(tensor.dtype()), isRef ? "_ref" : "", ">");
}

const OutputInfo &Node::output(int i) const noexcept {
  static const OutputInfo unknown;
  const std::vector<OutputInfo> &known = parts().outputs;
  return i >= 0 && static_cast<size_t>(i) < known.size()
             ? known[static_cast<size_t>(i)]
             : unknown;
}

void Node::setDefaultAttr(std::string_view attrName, AttrValue value) {
  if (!own.attributes.find(attrName))
    own.attributes.set(std::string(attrName), std::move(value));
}

Status Node::attrKindError(std::string_view attrName,
                           std::string_view expected) const {
  const AttrValue *value = findAttr(attrName);
  std::string got =
      value ? std::string(value->kindName()) : "no such attribute";
  return invalidArgumentError(strCat("attribute ", quote(attrName), " of node ",
                                     quote(nodeName), " (op ", quote(opType),
                                     "): expected ", expected, ", got ", got))
      .withNode(nodeName);
}

} // namespace kiln
