// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Goes through the list of options.
#include "lib/JIT/CodeKey.h"

#include "lib/JIT/backends/cpu/Target.h"
#include "lib/Loader/Hasher.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

static Hasher &addOption(Hasher &hasher, std::string_view text) {
  return hasher.add(text);
}
static Hasher &addOption(Hasher &hasher, int64_t number) {
  return hasher.add(number);
}

Digest CodeKey::digest() const {
  Hasher hasher;
  hasher.add(std::string_view(backend))
      .add(target)
      .add(isInspected)
      .add(unroll);
#define KILN_CODE_OPTION(type, name, ...) addOption(hasher, code.name);
#include "kiln/CodeOptions.def"
  return hasher.digest();
}

StatusOr<CodeKey> codeKey(const CodeOptions &code) {
  KILN_ASSIGN_OR_RETURN(Digest target, HostTarget::identity(code.cpu));
  CodeKey key;
  key.backend = HostTarget::backendName;
  key.target = target;
  key.code = code;
  return key;
}

Status checkCodeOptions(const CodeOptions &code) {
#define KILN_CODE_NUMBER(name, value, least, python, what)                     \
  if (code.name < (least))                                                     \
    return invalidArgumentError(                                               \
        strCat("expected at least ", least, " " what ", got ", code.name));
#include "kiln/CodeOptions.def"
  return okStatus();
}

} // namespace kiln
