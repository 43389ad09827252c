// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks what the shared library exports.
#ifndef KILN_EXPORT_H
#define KILN_EXPORT_H

/// On each class with functions that the library defines, and on each such free
/// function: the library is compiled with hidden visibility. test/package
/// compares the marks with the symbols of libkiln.so.
#define KILN_EXPORT [[gnu::visibility("default")]]

/// On nested classes that no header defines: they would inherit the mark.
#define KILN_HIDDEN [[gnu::visibility("hidden")]]

#endif // KILN_EXPORT_H
