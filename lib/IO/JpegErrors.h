// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How libjpeg-turbo's errors come back, for JpegReader.cpp and JpegWriter.cpp
// alone.
#ifndef KILN_LIB_IO_JPEGERRORS_H
#define KILN_LIB_IO_JPEGERRORS_H

#include <csetjmp>
#include <cstddef>
#include <cstdio>

#include <jpeglib.h>

namespace kiln::io::jpeg {

/// libjpeg's handler of errors, which it knows by its first member, and where
/// the functions jump from which it is called.
struct Errors {
  jpeg_error_mgr manager;
  jmp_buf jump;
};

[[noreturn]] inline void jumpOut(j_common_ptr common) {
  std::longjmp(reinterpret_cast<Errors *>(common->err)->jump, 1);
}

/// Sets the handler up, which prints nothing.
inline jpeg_error_mgr *silent(Errors &errors) {
  jpeg_std_error(&errors.manager);
  errors.manager.error_exit = jumpOut;
  errors.manager.output_message = [](j_common_ptr) {};
  errors.manager.emit_message = [](j_common_ptr common, int level) {
    if (level < 0)
      ++common->err->num_warnings;
  };
  return &errors.manager;
}

} // namespace kiln::io::jpeg

#endif // KILN_LIB_IO_JPEGERRORS_H
