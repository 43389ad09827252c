// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trains a small model of a picture, writes what TensorBoard shows and
// checkpoints, and goes on from the last one: save_and_log FOLDER.
#include "examples/common/Check.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"
#include "kiln/Gradients.h"
#include "kiln/SavedModel.h"
#include "kiln/Saver.h"
#include "kiln/Summary.h"

using namespace kiln;
using examples::check;

namespace {

/// Rings, 32 x 32.
Output target() {
  Output axis = ops::range(-16., 16., 1.) / 16.;
  Output squares = ops::square(axis);
  Output radius = ops::sqrt(ops::reshape(squares, {32, 1}) +
                            ops::reshape(squares, {1, 32}));
  return ops::sin(radius * 9.) * 0.5 + 0.5;
}

} // namespace

int main(int argc, char **argv) {
  const std::string folder = argc > 1 ? argv[1] : "save_and_log.out";
  setRandomSeed(7);
  Output wanted = target();
  Variable left(ops::randomNormal({32, 8}) * 0.5, {.name = "left"});
  Variable right(ops::randomNormal({8, 32}) * 0.5, {.name = "right"});
  Variable step(0, {.trainable = false, .name = "global_step"});
  Output made = ops::matMul(left, right, {.name = "made"});
  Output loss;
  const Node *train;
  {
    NameScope scope("train");
    loss = ops::reduceMean(ops::square(made - wanted), {.name = "loss"});
    auto slopes = gradients({loss}, {left, right});
    train = ops::group({left.assignSub(20. * slopes[0].toTensor()),
                        right.assignSub(20. * slopes[1].toTensor()),
                        step.assignAdd(1)},
                       {.name = "step"});
  }
  summary::scalar("loss", loss);
  summary::histogram("left", left);
  summary::histogram("right", right);
  summary::image("picture", ops::reshape(made, {1, 32, 32, 1}),
                 {.maxOutputs = 1});
  summary::text("note", ops::constant("rings of a product of two matrices"));
  summary::audio(
      "tone",
      ops::reshape(ops::sin(ops::range(0., 2000., 1.) * 0.3), {1, 2000}), 8000.,
      {.maxOutputs = 1});
  Output summaries = summary::mergeAll();
  const Node *init = globalVariablesInitializer();
  Saver saver({.maxToKeep = 2, .saveRelativePaths = true});
  Saver latest({.name = "save_latest", .saveRelativePaths = true});

  auto session = check(makeSession());
  check(run(*session, init));
  auto log = check(summary::FileWriter::create(folder + "/log"));
  check(log.addGraph(GraphBuilder::current()));
  for (int64_t i = 0; i <= 200; ++i) {
    if (i % 10 == 0) {
      auto shown = check(fetch(*session, summaries));
      check(log.addSummary(shown, i));
    }
    if (i % 50 == 0) {
      check(
          saver.save(*session, folder + "/steps/model", {.globalStep = step}));
      // The same name each time; the last one stays until the new one is there.
      if (i > 0)
        check(latest.save(*session, folder + "/latest/model"));
    }
    check(run(*session, train));
  }
  RunStats stats;
  check(session->run({}, {}, {train}, {.regions = true}, &stats).status());
  check(log.addRunMetadata(stats, "step 201", 201));
  check(log.close());

  std::string last = check(latestCheckpoint(folder + "/steps"));
  check(saver.restore(*session, last));
  auto [at, restored] = check(fetch(*session, std::pair(step, loss)));
  SavedModelBuilder model(folder + "/model");
  check(model.addMetaGraphAndVariables(
      *session,
      {.tags = {"serve"},
       .signatures = {{"serving_default",
                       {.outputs = {{"made", tensorInfo(made)},
                                    {"loss", tensorInfo(loss)}},
                        .methodName = "tensorflow/serving/predict"}}}}));
  check(model.save());
  std::cout << "restored step " << at.data<int32_t>()[0] << ", loss "
            << restored.data<float>()[0] << "\n";
}
