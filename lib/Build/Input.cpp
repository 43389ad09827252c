// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an Input is made of, compiled once: its variant is a tenth of the
// compile time of a file that builds graphs.
#include "kiln/Input.h"

#include "kiln/Variable.h"

namespace kiln {

Input::Input(const Input &) = default;
Input::Input(Input &&) noexcept = default;
Input &Input::operator=(const Input &) = default;
Input &Input::operator=(Input &&) noexcept = default;
Input::~Input() = default;

Input::Input(const Output &tensor) : stored(tensor) {}
Input::Input(const Variable &variable) : stored(variable.data()) {}
Input::Input(const Assignment &assignment)
    : stored(assignment.input().value()) {}
Input::Input(Tensor value) : stored(std::move(value)) {}
Input::Input(Shape shape) : stored(std::move(shape)) {}
Input::Input(const char *text) : stored(std::string(text)) {}
Input::Input(std::string_view text) : stored(std::string(text)) {}
Input::Input(std::string text) : stored(std::move(text)) {}
Input::Input(std::initializer_list<Input> list)
    : stored(std::make_shared<const List>(list)) {}

void Input::set(List list) {
  stored = std::make_shared<const List>(std::move(list));
}
void Input::set(Array array) { stored = std::move(array); }

} // namespace kiln
