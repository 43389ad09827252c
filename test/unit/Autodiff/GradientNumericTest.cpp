// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of every differentiable op against central differences, with
// known and with unknown shapes; and which ops have one, beside TensorFlow's.
#include "kiln/Gradients.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/Session.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/OpDefs/OpDef.h"
#include "test/unit/Autodiff/GradientCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace kiln::testing {
namespace {

/// Numbers between 0 and 1 that are spread evenly and all distinct.
class Spread {
public:
  double next() {
    at = std::fmod(at + 0.6180339887498949, 1.0);
    return at;
  }

private:
  double at = 0.35;
};

double inRange(Range range, double portion) {
  switch (range) {
  case Range::Positive:
    return 0.5 + 1.5 * portion;
  case Range::Unit:
    return -0.8 + 1.6 * portion;
  case Range::Portion:
    return 0.1 + 0.8 * portion;
  case Range::AboveOne:
    return 1.2 + 1.8 * portion;
  default: {
    double value = -2 + 4 * portion;
    // Functions may have steps and corners at multiples of a half.
    double nearest = std::round(value * 2) / 2;
    if (std::abs(value - nearest) < 0.05)
      value = nearest + (value < nearest ? -0.05 : 0.05) -
              (value < nearest ? portion : -portion) * 0.05;
    return value;
  }
  }
}

std::vector<double> elementsOf(const Varied &varied, Spread &spread) {
  size_t count = static_cast<size_t>(varied.shape.numElements().valueOr(0));
  std::vector<double> values(count);
  for (double &value : values)
    value = inRange(varied.range, spread.next());
  if (varied.range == Range::Square || varied.range == Range::Symmetric) {
    size_t columns = static_cast<size_t>(varied.shape.dim(-1));
    size_t rows = static_cast<size_t>(varied.shape.dim(-2));
    for (size_t i = 0; i < count; ++i) {
      size_t row = i / columns % rows, column = i % columns;
      values[i] = 0.3 * values[i] +
                  (row == column ? 2.0 + 0.7 * static_cast<double>(row) : 0.0);
    }
  }
  return values;
}

Tensor tensorOf(const Shape &shape, const std::vector<double> &values) {
  return Tensor::fromValues<double>(shape, values).valueOr(Tensor());
}

/// The case's graph: placeholders, the op, a weighted sum of its outputs, and
/// the gradients of that.
struct Checked {
  GraphBuilder graph;
  std::vector<Varied> varied;
  std::vector<std::vector<double>> values;
  std::vector<Output> places;
  Output loss;
  std::vector<Gradient> found;
  std::vector<Output> gradientTensors;

  Checked(const GradientCase &test, bool isUnknown) {
    GraphScope scope(graph);
    Spread spread;
    OpSpec spec{.op = test.op, .attrs = test.attrs};
    auto place = [&](const Varied &input) -> Input {
      varied.push_back(input);
      values.push_back(elementsOf(input, spread));
      places.push_back(ops::placeholder(
          DType::Float64,
          isUnknown ? Shape::unknownDims(input.shape.rank()) : input.shape));
      Output value = places.back();
      // Ops that read one triangle have gradients of what is symmetric.
      if (input.range == Range::Symmetric)
        value =
            (value + ops::transpose(value, Input(std::vector<int32_t>{1, 0}))) /
            2.0;
      return ops::cast(value, test.dtype);
    };
    for (const CaseInput &input : test.inputs) {
      if (const auto *single = std::get_if<Varied>(&input)) {
        spec.inputs.push_back(place(*single));
      } else if (const auto *several =
                     std::get_if<std::vector<Varied>>(&input)) {
        std::vector<Input> list;
        for (const Varied &each : *several)
          list.push_back(place(each));
        spec.inputs.push_back(InputList(list));
      } else if (const auto *list = std::get_if<InputList>(&input)) {
        spec.inputs.push_back(*list);
      } else {
        spec.inputs.push_back(std::get<Input>(input));
      }
    }
    const Node *node = graph.addOp(spec);
    if (!node)
      return;
    std::vector<Output> terms;
    for (int i = 0; i < node->numOutputs(); ++i) {
      Output output{node, i};
      bool isWanted = test.outputs.empty()
                          ? isFloating(output.dtype())
                          : std::ranges::count(test.outputs, i) > 0;
      if (!isWanted)
        continue;
      Output flat = ops::cast(output, DType::Float64);
      // Weights that differ tell elements apart, whatever their number.
      Output numbers =
          ops::cast(ops::range(0, ops::size(flat)), DType::Float64);
      Output weights = 1.0 + 0.25 * numbers;
      GraphBuilder builder = graph;
      Output line{builder.addOp({.op = "Reshape",
                                 .inputs = {Input(flat),
                                            Input(std::vector<int32_t>{-1})}}),
                  0};
      terms.push_back(ops::reduceSum(line * weights, Input(0)));
    }
    loss = ops::addN(terms);
    found = gradients({loss}, InputList(places));
    for (const Gradient &gradient : found)
      gradientTensors.push_back(gradient.toTensor());
  }
};

std::string describe(const GradientCase &test, bool isUnknown) {
  std::string text = test.op;
  for (const NamedAttr &attr : test.attrs)
    if (const auto *value = attr.value.getIf<bool>())
      text += " " + attr.name + "=" + (*value ? "true" : "false");
    else if (const auto *word = attr.value.getIf<std::string>())
      text += " " + attr.name + "=" + *word;
  return text + (isUnknown ? ", unknown shapes" : "");
}

void check(const GradientCase &test, bool isUnknown) {
  SCOPED_TRACE(describe(test, isUnknown));
  Checked checked(test, isUnknown);
  ASSERT_TRUE(checked.graph.status().ok()) << checked.graph.status().toString();
  auto session = Session::create(checked.graph.graph(),
                                 {.mode = ExecutionMode::EvaluatorOnly});
  ASSERT_TRUE(session.ok()) << session.status().toString();
  auto run = [&](const std::vector<Fetch> &fetches) {
    std::vector<Feed> feeds;
    for (size_t i = 0; i < checked.places.size(); ++i)
      feeds.push_back({checked.places[i],
                       tensorOf(checked.varied[i].shape, checked.values[i])});
    return (*session)->run(feeds, fetches);
  };
  std::vector<Fetch> fetches;
  for (const Output &tensor : checked.gradientTensors)
    if (tensor.node)
      fetches.emplace_back(tensor);
  std::vector<Tensor> analytic;
  if (!fetches.empty()) {
    auto results = run(fetches);
    ASSERT_TRUE(results.ok()) << results.status().toString();
    analytic = *results;
  }
  bool isDouble = test.dtype == DType::Float64;
  double step = isDouble ? 1e-5 : 1e-2, tolerance = isDouble ? 1e-5 : 3e-2;
  size_t at = 0;
  for (size_t i = 0; i < checked.places.size(); ++i) {
    bool isThere = checked.gradientTensors[i].node != nullptr;
    const Tensor *gradient = isThere ? &analytic[at++] : nullptr;
    if (gradient)
      ASSERT_EQ(gradient->shape(), checked.varied[i].shape) << "input " << i;
    for (size_t e = 0; e < checked.values[i].size(); ++e) {
      double kept = checked.values[i][e], sides[2];
      for (int side = 0; side < 2; ++side) {
        checked.values[i][e] = kept + (side ? step : -step);
        auto result = run({Fetch(checked.loss)});
        ASSERT_TRUE(result.ok()) << result.status().toString();
        sides[side] = (*result)[0].data<double>()[0];
      }
      checked.values[i][e] = kept;
      double expected = (sides[1] - sides[0]) / (2 * step);
      double got = gradient ? gradient->data<double>()[e] : 0.0;
      ASSERT_NEAR(got, expected, tolerance * std::max(1.0, std::abs(expected)))
          << "input " << i << ", element " << e;
    }
  }
}

void checkAll(const std::vector<GradientCase> &cases) {
  for (const GradientCase &test : cases) {
    check(test, false);
    if (test.mayBeUnknown)
      check(test, true);
  }
}

TEST(GradientNumeric, Elements) { checkAll(elementCases()); }
TEST(GradientNumeric, Arrays) { checkAll(arrayCases()); }
TEST(GradientNumeric, Networks) { checkAll(networkCases()); }

/// Differentiable ops without a case here.
const std::map<std::string, std::string> &unchecked() {
  static const std::map<std::string, std::string> ops = {
      {"ArgMax", "gives integers"},
      {"Angle", "complex_gradients"},
      {"Complex", "complex_gradients"},
      {"ComplexAbs", "complex_gradients"},
      {"Conj", "complex_gradients"},
      {"Eig", "complex_eigenvalues: gives complex numbers"},
      {"Imag", "complex_gradients"},
      {"Real", "complex_gradients"},
      {"FFT", "fourier_gradients"},
      {"FFT2D", "fourier_gradients"},
      {"FFT3D", "fourier_gradients"},
      {"IFFT", "fourier_gradients"},
      {"IFFT2D", "fourier_gradients"},
      {"IFFT3D", "fourier_gradients"},
      {"IRFFT", "fourier_gradients"},
      {"IRFFT2D", "fourier_gradients"},
      {"RFFT", "fourier_gradients"},
      {"RFFT2D", "fourier_gradients"},
      {"BlockLSTM", "block_sequences: of two of its outputs alone"},
      {"BlockLSTMV2", "block_sequences: of two of its outputs alone"},
      {"FractionalAvgPool", "fractional_avg_gradients: gives places"},
      {"FractionalMaxPool", "fractional_max_gradients: gives places"},
      {"FusedBatchNormGrad", "GradientValuesTest: as FusedBatchNormGradV3"},
      {"FusedBatchNormGradV2", "GradientValuesTest: as FusedBatchNormGradV3"},
      {"FusedBatchNormGradV3",
       "GradientValuesTest: its statistics count as constants"},
      {"FakeQuantWithMinMaxArgs", "GradientValuesTest: not the derivative"},
      {"FakeQuantWithMinMaxVars", "GradientValuesTest: not the derivative"},
      {"FakeQuantWithMinMaxVarsPerChannel",
       "GradientValuesTest: not the derivative"},
      {"QuantizeAndDequantize", "GradientValuesTest: not the derivative"},
      {"QuantizeAndDequantizeV2", "GradientValuesTest: not the derivative"},
      {"QuantizeAndDequantizeV3", "GradientValuesTest: not the derivative"},
      {"QuantizeAndDequantizeV4", "GradientValuesTest: not the derivative"},
      {"QuantizeAndDequantizeV4Grad",
       "GradientValuesTest: TensorFlow's function fails"},
      {"RandomGamma",
       "GradientValuesTest: at the same place of the distribution"},
      {"StatelessRandomGammaV2",
       "GradientValuesTest: at the same place of the distribution"},
      {"StatelessRandomGammaV3",
       "GradientValuesTest: at the same place of the distribution"},
      {"StatelessParameterizedTruncatedNormal",
       "GradientValuesTest: at the same place of the distribution"},
      {"Case", "GradientValuesTest"},
      {"If", "GradientValuesTest, FunctionProgramsTest"},
      {"StatelessCase", "GradientValuesTest"},
      {"StatelessIf", "GradientValuesTest, FunctionProgramsTest"},
      {"StatelessWhile", "GradientValuesTest, FunctionProgramsTest"},
      {"While", "GradientValuesTest, FunctionProgramsTest"},
      {"OptionalFromValue", "GradientValuesTest"},
      {"OptionalGetValue", "GradientValuesTest"},
      {"TensorListConcat", "GradientValuesTest"},
      {"TensorListConcatV2", "GradientValuesTest"},
      {"TensorListFromTensor", "GradientValuesTest"},
      {"TensorListGather", "GradientValuesTest"},
      {"TensorListGetItem", "GradientValuesTest"},
      {"TensorListPopBack", "GradientValuesTest"},
      {"TensorListPushBack", "GradientValuesTest"},
      {"TensorListResize", "GradientValuesTest"},
      {"TensorListScatter", "GradientValuesTest"},
      {"TensorListScatterIntoExistingList", "GradientValuesTest"},
      {"TensorListScatterV2", "GradientValuesTest"},
      {"TensorListSetItem", "GradientValuesTest"},
      {"TensorListSplit", "GradientValuesTest"},
      {"TensorListStack", "GradientValuesTest"},
      {"TensorArrayConcatV2",
       "GradientValuesTest: TensorFlow's functions fail"},
      {"TensorArrayGatherV2",
       "GradientValuesTest: TensorFlow's functions fail"},
      {"TensorArrayReadV2", "GradientValuesTest: TensorFlow's functions fail"},
      {"TensorArrayScatterV2",
       "GradientValuesTest: TensorFlow's functions fail"},
      {"TensorArraySplitV2", "GradientValuesTest: TensorFlow's functions fail"},
      {"TensorArrayWriteV2", "GradientValuesTest: TensorFlow's functions fail"},
      {"ArgMin", "gives integers"},
      {"MaxPoolGrad", "GradientsTest: flat in its first two inputs"},
      {"MaxPoolGradGrad", "GradientsTest: flat in its first two inputs"},
      {"MaxPool3DGrad", "GradientsTest: as MaxPoolGrad"},
      {"MaxPool3DGradGrad", "GradientsTest: as MaxPoolGradGrad"},
      {"MaxPoolGradV2", "GradientsTest: as MaxPoolGrad"},
      {"Enter", "LoopGradientsTest"},
      {"Exit", "LoopGradientsTest"},
      {"LoopCond", "LoopGradientsTest"},
      {"Merge", "GradientsTest.Conditional"},
      {"NextIteration", "LoopGradientsTest"},
      {"RefEnter", "as Enter"},
      {"RefExit", "as Exit"},
      {"RefNextIteration", "as NextIteration"},
      {"RefMerge", "as Merge"},
      {"RefIdentity", "as Identity"},
      {"RefSwitch", "as Switch"},
      {"SparseDenseCwiseAdd", "TensorFlow's function fails"},
      {"SparseSparseMaximum", "TensorFlow's function fails"},
      {"SparseSparseMinimum", "TensorFlow's function fails"},
      {"Switch", "GradientsTest.Conditional"},
      {"TensorArrayConcatV3", "LoopGradientsTest"},
      {"TensorArrayGatherV3", "LoopGradientsTest"},
      {"TensorArrayReadV3", "LoopGradientsTest"},
      {"TensorArrayScatterV3", "LoopGradientsTest"},
      {"TensorArraySplitV3", "LoopGradientsTest"},
      {"TensorArrayWriteV3", "LoopGradientsTest"},
      {"PlaceholderWithDefault", "as Identity"},
      {"PreventGradient", "GradientsTest.PreventGradient"},
      {"Print", "as Identity"},
      {"ReadVariableOp", "GradientsTest.ResourceVariable"},
      {"ResourceGather", "GradientsTest.ResourceVariable"},
      {"ResourceGatherNd", "as GatherNd"}};
  return ops;
}

/// TensorFlow's gradients of these go through variants, which Kiln's do not.
const std::set<std::string> &withoutGradient() {
  static const std::set<std::string> ops = {"RaggedTensorFromVariant",
                                            "RaggedTensorToVariant"};
  return ops;
}

TEST(GradientCoverage, EveryOpThatTensorFlowDifferentiates) {
  std::set<std::string> checked;
  int graphs = 0;
  for (const auto &cases : {elementCases(), arrayCases(), networkCases()})
    for (const GradientCase &test : cases) {
      checked.insert(test.op);
      graphs += test.mayBeUnknown ? 2 : 1;
    }
  std::ifstream list(std::string(KILN_SOURCE_DIR) +
                     "/test/tensorflow/gradients.txt");
  ASSERT_TRUE(list.good());
  std::string op, says;
  int all = 0, known = 0, covered = 0, absent = 0, differentiable = 0;
  while (list >> op >> says) {
    ++all;
    if (!lookupOp(op)) {
      ++absent;
      continue;
    }
    ++known;
    GradientSupport support = gradientSupport(op);
    GradientSupport wanted = says == "yes" ? GradientSupport::Differentiable
                                           : GradientSupport::NotDifferentiable;
    if (withoutGradient().contains(op)) {
      EXPECT_EQ(support, GradientSupport::Unknown) << op;
      --known;
      continue;
    }
    EXPECT_EQ(support, wanted) << op;
    covered += support == wanted;
    differentiable += support == GradientSupport::Differentiable;
    if (says == "yes")
      EXPECT_TRUE(checked.contains(op) != unchecked().contains(op))
          << op << " needs a case, or a reason for having none";
  }
  std::cout << "TensorFlow registers " << all << " ops; Kiln has " << known
            << " of them, and gradients, or their absence, of " << covered
            << " (" << differentiable << " differentiable); " << absent
            << " ops it does not have; checked against differences: "
            << checked.size() << " ops in " << graphs << " graphs\n";
  EXPECT_EQ(all, 609);
  EXPECT_EQ(known, covered);
}

} // namespace
} // namespace kiln::testing
