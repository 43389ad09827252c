// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes that work on a program's constants, for files of MLIR.
#ifndef KILN_TOOLS_OPT_CONSTANTPASSES_H
#define KILN_TOOLS_OPT_CONSTANTPASSES_H

namespace kiln {

/// Registers --test-kiln-fold-tables and --test-kiln-pack-constants: the passes
/// on the table that the module's attribute `kiln.constants` holds, an array of
/// dense elements in the order of their numbers. What they leave of it is there
/// afterwards.
void registerConstantPasses();

} // namespace kiln

#endif // KILN_TOOLS_OPT_CONSTANTPASSES_H
