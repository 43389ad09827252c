// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of the library that this program is linked to.
int answer(const char *theme);

int main(int argc, char **argv) { return answer(argc > 1 ? argv[1] : 0); }
