// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel that checks the labels of a sparse cross entropy.
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"
#include "runtime/KernelCall.h"
#include "runtime/kernels/Kernels.h"

#include <algorithm>
#include <string>

namespace kiln {
namespace {

/// Labels that a message shows; TensorFlow shows all of them.
constexpr int64_t maxShown = 1000;

template <class T>
std::string messageOf(T label, const T *labels, int64_t count,
                      int64_t classes) {
  std::string text =
      strCat("Received a label value of ", static_cast<int64_t>(label),
             " which is outside the valid range of [0, ", classes,
             ").  Label values:");
  for (int64_t i = 0; i < std::min(count, maxShown); ++i)
    text += strCat(" ", static_cast<int64_t>(labels[i]));
  return count > maxShown ? text + " ..." : text;
}

/// labels : integers, how many classes there are : int64 -> nothing
int32_t checkLabels(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const int64_t classes = *call.input<int64_t>(1);
  if (classes == 0)
    return !call.fail(invalidArgumentError(
        strCat("Must have at least one class, but got logits shape [",
               call.inputElements(0), ",0]")));
  return dispatchInteger(call.inputDType(0), [&]<class T>(T) -> int32_t {
    const T *labels = call.input<T>(0);
    const int64_t count = call.inputElements(0);
    return call.forEach(count, [&](int64_t i) {
      const auto label = static_cast<int64_t>(labels[i]);
      return (label >= 0 && label < classes) ||
             call.fail(invalidArgumentError(
                 messageOf(labels[i], labels, count, classes)));
    });
  });
}

} // namespace

std::vector<Kernel> labelKernels() {
  return {{"CheckLabels", checkLabels, /*hasEffects=*/true, /*mayFail=*/true,
           /*effectsEndWithRun=*/true}};
}

} // namespace kiln
