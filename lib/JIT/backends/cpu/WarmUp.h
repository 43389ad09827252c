// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the compiler into memory before it is needed.
#ifndef KILN_LIB_JIT_BACKENDS_CPU_WARMUP_H
#define KILN_LIB_JIT_BACKENDS_CPU_WARMUP_H

#include "kiln/Status.h"

namespace kiln {

class CompileControl;

/// Compiles a small function on a compile thread, once a process, and drops the
/// code: the first compilation of a process touches 30 MB of libLLVM and
/// libMLIR and makes their tables, which takes longer than a fused loop does
/// (8 ms of the 17 of bench/graphs/triad; two-core EPYC, November 2026). Its
/// context stays in the pool.
///
/// For who will answer by the evaluator first. Returns at once; nothing is done
/// on a machine of less than four threads, and nothing is reported. **Thread
/// safety**: any thread.
void warmUpCompiler();

/// What the thread does, under warmUpControl(). **Errors**: those of compile().
Status compileToWarmUp(const CompileControl &control);

/// That of the compilation that only warms: any other one stops it, since it
/// warms itself what is not warm yet. **Thread safety**: any thread.
CompileControl &warmUpControl();

/// Whether this process has generated code before. **Thread safety**: any
/// thread.
bool isCompilerWarm();
/// Code has been generated.
void noteCompilerIsWarm();

} // namespace kiln

#endif // KILN_LIB_JIT_BACKENDS_CPU_WARMUP_H
