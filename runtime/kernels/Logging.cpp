// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that print, end a run because the graph says so, or make the text
// that is printed.
#include "lib/Support/File.h"
#include "lib/Support/FileAccess.h"
#include "runtime/kernels/Kernels.h"
#include "runtime/kernels/Strings.h"
#include "runtime/kernels/Summaries.h"
#include "runtime/random/Random.h"
#include "runtime/random/RandomStream.h"

#include <chrono>
#include <cstdio>
#include <new>
#include <string>

namespace kiln {
namespace {

/// []; [the number that the message names]
template <ErrorKind kind> int32_t fail(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return !call.fail(kind, call.number(0));
}

/// start, limit, delta
int32_t failFor(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  return !call.fail(ErrorKind::EndlessFor, *call.input<int32_t>(0),
                    *call.input<int32_t>(1), *call.input<int32_t>(2));
}

template <class T> int64_t elementAt(const KernelCall &call, int i, int64_t k) {
  return call.input<T>(i)[k];
}
int64_t integerAt(const KernelCall &call, int i, int64_t k) {
  return call.inputDType(i) == DType::Int64 ? elementAt<int64_t>(call, i, k)
                                            : elementAt<int32_t>(call, i, k);
}

/// low, high, shape: fails where numbers of [low, high) are asked for and there
/// are none.
int32_t failRange(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  int64_t low = integerAt(call, 0, 0), high = integerAt(call, 1, 0);
  bool isEmpty = false;
  for (int64_t k = 0; call.numInputs() > 2 && k < call.inputElements(2); ++k)
    isEmpty |= integerAt(call, 2, k) == 0;
  return low >= high && !isEmpty &&
         !call.fail(ErrorKind::RandomIntRangeEmpty, low, high);
}

// What optimizer steps refuse.
constexpr char innerDimension[] =
    "Inner dimension should be greater than zero.";
constexpr char ftrlRate[] = "lr is not a positive scalar (or zero if "
                            "multiply_linear_by_lr is set): []";
constexpr char shrinkage[] = "l2 shrinkage regularization strength is not a "
                             "non-negative scalar: []";
constexpr char power[] = "lr_power is not a non-positive scalar: []";

template <const char *message>
int32_t failWith(const KilnKernelCall *raw) noexcept {
  return !KernelCall(raw).fail(invalidArgumentError(message));
}

/// Calls `body`, which makes texts. Returns what a kernel does.
template <class Body>
int32_t withTexts(const StringKernel &kernel, Body body) noexcept {
  try {
    return !body();
  } catch (const std::bad_alloc &) {
    return !kernel.fail(ErrorKind::OutOfStrings, 0);
  }
}

/// Inputs from `first` to before `last`, each in brackets.
std::string allInBrackets(const KilnKernelCall &call, int first, int last,
                          std::string_view between) {
  std::string text;
  for (int i = first; i < last; ++i) {
    text += i > first ? between : "";
    text += "[" + summaryOfFirst(call.ins[i], call.numbers[0]) + "]";
  }
  return text;
}

/// data...; [how many elements of each are shown]
int32_t assertion(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return withTexts(kernel, [&] {
    StringHandle text = 0;
    return kernel.make(allInBrackets(*call, 0, call->numIns, " "), text) &&
           kernel.fail(ErrorKind::AssertionFailed, static_cast<int64_t>(text));
  });
}

/// what the error says
int32_t abort(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return withTexts(kernel, [&] {
    return kernel.fail(abortedError(std::string(kernel.text(0, 0))));
  });
}

/// message, data...; [how many elements of each are shown]. With a limit on how
/// often it prints as the second number, the last input is the place in a
/// stream that counts.
int32_t print(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  const bool isLimited = kernel.numNumbers() > 1;
  const int last = kernel.numInputs() - isLimited;
  if (isLimited && RandomStream::positionIn(kernel.input<uint32_t>(last)) /
                           random::samplesTaken(1) >=
                       static_cast<uint64_t>(kernel.number(1)))
    return 0;
  return withTexts(kernel, [&] {
    std::string line(kernel.text(0, 0));
    line += allInBrackets(*call, 1, last, "") + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
    return true;
  });
}

/// text, what follows it; [1 for the standard output, 0 for errors]
int32_t printText(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return withTexts(kernel, [&] {
    std::string line(kernel.text(0, 0));
    line += kernel.text(1, 0);
    std::FILE *stream = kernel.number(0) != 0 ? stdout : stderr;
    std::fwrite(line.data(), 1, line.size(), stream);
    std::fflush(stream);
    return true;
  });
}

/// text, what follows it, the path of a file that it is added to
int32_t printToFile(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return withTexts(kernel, [&] {
    std::string line(kernel.text(0, 0));
    line += kernel.text(1, 0);
    const std::string path(kernel.text(2, 0));
    const FileAccess *files = kernel.context().files;
    Status status = files ? files->check(path) : okStatus();
    if (status.ok())
      status = appendToFile(path, line);
    return status.ok() || kernel.fail(std::move(status));
  });
}

/// template, placeholder, data... -> text; [how many elements are shown]
int32_t stringFormat(const KilnKernelCall *call) noexcept {
  StringKernel kernel(call);
  return withTexts(kernel, [&] {
    std::string_view form = kernel.text(0, 0), place = kernel.text(1, 0);
    std::string text;
    for (int i = 2; i < call->numIns; ++i) {
      size_t at = form.find(place);
      text += form.substr(0, at);
      text += summaryOfEdges(call->ins[i], call->numbers[0]);
      form.remove_prefix(at == form.npos ? form.size() : at + place.size());
    }
    text += form;
    return kernel.make(text, kernel.output<StringHandle>(0)[0]);
  });
}

/// -> f64: the seconds since 1970
int32_t timestamp(const KilnKernelCall *raw) noexcept {
  KernelCall call(raw);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  *call.output<double>(0) =
      std::chrono::duration_cast<std::chrono::duration<double>>(now).count();
  return 0;
}

} // namespace

std::vector<Kernel> loggingKernels() {
  constexpr bool hasEffects = true;
  // To fail ends the run and does nothing else.
  constexpr auto failing = [](std::string name, KilnKernelFn run) {
    return Kernel{std::move(name), run, hasEffects, /*mayFail=*/true,
                  /*effectsEndWithRun=*/true};
  };
  return {
      failing("Abort", abort),
      failing("Assert", assertion),
      failing("FailFor", failFor),
      failing("FailFtrlRate", failWith<ftrlRate>),
      failing("FailInnerDimension", failWith<innerDimension>),
      failing("FailLimit", fail<ErrorKind::LimitReached>),
      failing("FailNoOptional", fail<ErrorKind::NoOptional>),
      failing("FailNoValue", fail<ErrorKind::NoValue>),
      failing("FailNoVariable", fail<ErrorKind::ResourceNotFound>),
      failing("FailNoResource", fail<ErrorKind::ResourceMissing>),
      failing("FailInvalidVariable", fail<ErrorKind::InvalidVariable>),
      failing("FailLearningRate", fail<ErrorKind::LearningRateNotPositive>),
      failing("FailPower", failWith<power>),
      failing("FailRange", failRange),
      failing("FailRegularization", fail<ErrorKind::RegularizationNegative>),
      failing("FailShrinkage", failWith<shrinkage>),
      failing("FailUninitialized", fail<ErrorKind::UninitializedVariable>),
      {"Print", print, hasEffects},
      {"PrintText", printText, hasEffects},
      {"PrintToFile", printToFile, hasEffects, /*mayFail=*/true},
      {"StringFormat", stringFormat},
      {"Timestamp", timestamp, hasEffects, /*mayFail=*/false,
       /*effectsEndWithRun=*/true}};
}

} // namespace kiln
