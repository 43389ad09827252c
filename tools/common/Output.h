// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a program that has written to its standard output.
#ifndef KILN_TOOLS_COMMON_OUTPUT_H
#define KILN_TOOLS_COMMON_OUTPUT_H

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kiln {

/// Writes out what the standard output holds back. Returns the exit code: the
/// one given, or 1, with the reason on the standard error, where not all could
/// be written: a full disk must not look like success.
inline int finishOutput(const char *program, int exitCode) {
  errno = 0;
  bool isWritten = std::fflush(stdout) == 0 && !std::ferror(stdout);
  if (isWritten)
    return exitCode;
  std::fprintf(stderr, "%s: cannot write the standard output: %s\n", program,
               errno ? std::strerror(errno) : "an earlier write failed");
  return exitCode == 0 ? 1 : exitCode;
}

} // namespace kiln

#endif // KILN_TOOLS_COMMON_OUTPUT_H
