// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What env.h tells of a file.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_FILE_STATISTICS_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_FILE_STATISTICS_H
#define TENSORFLOW_C_TF_FILE_STATISTICS_H_ // which programs ask for

#include <stdbool.h>
#include <stdint.h>

typedef struct TF_FileStatistics {
  int64_t length; // -1: not known
  int64_t mtime_nsec;
  bool is_directory;
} TF_FileStatistics;

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_TF_FILE_STATISTICS_H
