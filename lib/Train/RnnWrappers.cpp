// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells of recurrent networks around other ones.
#include "kiln/RnnWrappers.h"

#include "kiln/BuildOps.h"
#include "kiln/Operators.h"
#include "lib/Support/Md5.h"
#include "lib/Support/Strings.h"
#include "lib/Train/Helpers.h"

namespace kiln {

Outputs ResidualWrapper::zeros(const Input &batch, DType dtype) const {
  return cell->zeroState(batch, dtype);
}

RnnCell::Step ResidualWrapper::call(const Outputs &inputs,
                                    const Outputs &state) {
  Step result = (*cell)(inputs, state);
  if (!result.output.node)
    return {};
  if (inputs.size() != result.moreOutputs.size() + 1) {
    GraphBuilder::of(result.output)
        .fail(invalidArgumentError(
            strCat("expected as many outputs as inputs, got ",
                   result.moreOutputs.size() + 1, " and ", inputs.size())));
    return {};
  }
  auto joined = [&](const Output &input, const Output &output) {
    return function ? function(input, output) : input + output;
  };
  result.output = joined(inputs[0], result.output);
  for (size_t i = 1; i < inputs.size(); ++i)
    result.moreOutputs[i - 1] = joined(inputs[i], result.moreOutputs[i - 1]);
  return result;
}

namespace {

bool mayDrop(const Input &probability) {
  std::optional<double> number = numberOf(probability);
  return !number || *number < 1;
}

} // namespace

DropoutWrapper::DropoutWrapper(std::shared_ptr<RnnCell> wrapped,
                               DropoutWrapperOptions given)
    : cell(std::move(wrapped)), options(std::move(given)) {
  GraphBuilder graph = GraphBuilder::current();
  auto refuse = [&](std::string text) {
    graph.fail(invalidArgumentError(std::move(text)));
  };
  {
    NameScope names(graph, "DropoutWrapperInit");
    for (auto [probability, what] :
         {std::pair(&options.inputKeepProb, "input_keep_prob"),
          std::pair(&options.stateKeepProb, "state_keep_prob"),
          std::pair(&options.outputKeepProb, "output_keep_prob")}) {
      std::optional<double> number = numberOf(*probability);
      if (number && !(*number >= 0 && *number <= 1)) {
        refuse(strCat("Parameter ", what, " must be between 0 and 1: ",
                      static_cast<int64_t>(*number)));
        return;
      }
      // As Python's constructor does, though nothing takes it.
      if (number)
        ops::constant(*probability);
    }
  }
  if (!options.variationalRecurrent)
    return;
  if (options.dtype == DType::Invalid) {
    refuse("When variational_recurrent=True, dtype must be provided");
    return;
  }
  auto noise = [&](const Shape &shape, const std::string &salt) {
    Output extents = ops::concat({Input{1}, Input(shape)}, 0);
    return ops::randomUniform(extents,
                              {.dtype = options.dtype, .seed = seedFor(salt)});
  };
  if (mayDrop(options.inputKeepProb)) {
    if (options.inputSize < 0) {
      refuse("When variational_recurrent=True and input_keep_prob < 1.0 or is "
             "unknown, input_size must be provided");
      return;
    }
    inputNoise = noise({options.inputSize}, "input_0");
  }
  std::vector<Shape> states = cell->stateShapes();
  for (size_t i = 0; i < states.size(); ++i)
    stateNoise.push_back(noise(states[i], strCat("state_", i)));
  std::vector<Shape> outputs = cell->outputShapes();
  for (size_t i = 0; i < outputs.size(); ++i)
    outputNoise.push_back(noise(outputs[i], strCat("output_", i)));
}

std::optional<int64_t> DropoutWrapper::seedFor(const std::string &salt) const {
  if (!options.seed)
    return {};
  return seedOf(strCat(*options.seed, salt));
}

Outputs DropoutWrapper::zeros(const Input &batch, DType dtype) const {
  return cell->zeroState(batch, dtype);
}

Output DropoutWrapper::keep(const Output &x, const Input &probability,
                            const std::string &salt,
                            const Output &noise) const {
  if (!x.node || !mayDrop(probability))
    return x;
  if (options.variationalRecurrent) {
    Output kept = ops::floor(binary("add", probability, noise));
    Output scaled = binary("truediv", x, probability);
    return scaled * kept;
  }
  std::optional<double> number = numberOf(probability);
  return ops::dropout(x,
                      number ? Input(1.0 - static_cast<float>(*number))
                             : Input(binary("sub", 1.0, probability)),
                      {.seed = seedFor(salt)});
}

RnnCell::Step DropoutWrapper::call(const Outputs &inputs,
                                   const Outputs &state) {
  Outputs kept;
  for (size_t i = 0; i < inputs.size(); ++i)
    kept.push_back(keep(inputs[i], options.inputKeepProb, strCat("input_", i),
                        inputNoise));
  Step result = (*cell)(kept, state);
  auto keepOf = [&](Output &x, const Input &probability, const char *what,
                    const std::vector<Output> &noise, size_t i) {
    x = keep(x, probability, strCat(what, i),
             noise.empty() ? Output() : noise[i]);
  };
  std::vector<bool> drops = dropsState();
  for (size_t i = 0; i < result.state.size(); ++i)
    if (drops[i])
      keepOf(result.state[i], options.stateKeepProb, "state_", stateNoise, i);
  keepOf(result.output, options.outputKeepProb, "output_", outputNoise, 0);
  for (size_t i = 0; i < result.moreOutputs.size(); ++i)
    keepOf(result.moreOutputs[i], options.outputKeepProb, "output_",
           outputNoise, i + 1);
  return result;
}

} // namespace kiln
