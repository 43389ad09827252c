// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a SavedModel's folder is laid out.
#ifndef KILN_LIB_SAVE_SAVEDMODELFOLDER_H
#define KILN_LIB_SAVE_SAVEDMODELFOLDER_H

#include <string_view>

namespace kiln::saved {

inline constexpr std::string_view modelFile = "saved_model.pb",
                                  textModelFile = "saved_model.pbtxt",
                                  variablesFolder = "variables",
                                  variablesPrefix = "variables/variables",
                                  assetsFolder = "assets",
                                  initOpKey = "__saved_model_init_op",
                                  mainOpKey = "saved_model_main_op",
                                  oldMainOpKey = "legacy_init_op";

} // namespace kiln::saved

#endif // KILN_LIB_SAVE_SAVEDMODELFOLDER_H
