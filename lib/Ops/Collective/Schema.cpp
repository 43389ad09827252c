// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schemas of Collective: what the processes that train together do with
// each other's tensors, under Horovod's names.
#include "lib/Ops/Collective/Shape.h"
#include "lib/Ops/Families.h"

namespace kiln {
namespace {

using namespace shapes;

constexpr uint32_t flagsOfExchange = stateful | acts | hostBody;
constexpr uint32_t flagsOfFact = stateful | hostBody | stopsGradient;

constexpr OpRecord records[] = {
#define KILN_COLLECTIVE(name, inputs, outputs, attrs, shape, kind, doc)        \
  {#name, inputs, outputs, attrs, doc, infer##shape, flagsOf##kind},
#include "lib/Ops/Collective/Collectives.def"
};

} // namespace

OpFamily collectiveFamily() {
  return {"Collective", "what processes that train together exchange", records};
}

} // namespace kiln
