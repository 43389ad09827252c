# What Doxygen reads of a header: the file as it is, with words for what its form says already.
#
# Headers leave out what the code says (an option that is TensorFlow's argument, a conversion, a copy); the reference
# lists each of these too, and has a sentence for it from here. Lines keep their numbers: a sentence stands before the
# declaration, on its line. Whatever has words of its own, or has a form that is not below, is left alone.
import os
import re
import sys

# Options of Kiln's own, not arguments of TensorFlow's.
OWN_OPTIONS = {"SessionOptions", "CodeOptions", "RunOptions", "InspectOptions", "ExplainOptions", "GraphLoadOptions",
               "LoadOptions", "GradientOptions", "ComputeGradientsOptions", "MinimizeOptions", "SavedGraphOptions",
               "BidirectionalRnnOptions", "ExportMetaGraphOptions", "CheckpointStateOptions"}
# What headers leave to its name.
WORDS_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "members.txt")

HEADERS = os.path.join(os.path.dirname(WORDS_FILE), "..", "..", "include")


def read_words():
    words = {}
    with open(WORDS_FILE, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                key, sentence = line.strip().split(": ", 1)
                words[key] = sentence
    return words


WORDS = read_words()
used = set()


def words_for(owner, name):
    used.add(f"{owner}.{name}")
    return WORDS.get(f"{owner}.{name}")


def snake(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda match: "_" + match.group(1).lower(), name)


def about_file(lines):
    """The sentence that a header begins with, as the file's documentation."""
    last = 1
    while last + 1 < len(lines) and lines[last + 1].startswith("// "):
        last += 1
    if not lines[1].startswith("// "):
        return
    lines[0] = "/** \\file"
    for i in range(1, last + 1):
        lines[i] = lines[i][3:]
    lines[last] += " */"


def parameters(text):
    """The types of a list of parameters; None where it is not whole."""
    depth, types, current = 0, [], ""
    for c in text:
        depth += (c in "<({") - (c in ">)}")
        if depth < 0:
            break
        if c == "," and depth == 0:
            types.append(current)
            current = ""
        else:
            current += c
    else:
        return None
    types += [current] if current.strip() else []
    return [re.sub(r"\s*=.*", "", each).strip() for each in types]


def about_constructor(owner, declaration):
    match = re.match(rf"(KILN_EXPORT |constexpr )*(explicit )?{owner}\((.*)$", declaration)
    types = parameters(match.group(3)) if match else None
    if not types:
        return None
    if len(types) == 1 and re.match(rf"(const )?{owner} &&?\w*$", types[0]):
        return "Copies." if types[0].startswith("const") else "Moves."
    given = re.sub(r"(const | ?&+$|\bKILN_EXPORT )", "", re.sub(r"\s*\b\w+$", "", types[0]))
    if len(types) == 1 and not match.group(2):
        return f"Conversion of `{given.strip()}`."
    return None


def declared_name(declaration):
    """The name that a declaration declares first."""
    type_name = re.match(r"(?:struct|class|enum class|enum|using)(?: \[\[nodiscard\]\])?(?: KILN_EXPORT)? (\w+)", declaration)
    if type_name:
        return type_name.group(1)
    declaration = re.sub(r"^(friend|KILN_EXPORT|inline|constexpr|static|virtual|explicit|\[\[nodiscard\]\]) ", "", declaration)
    declaration = re.sub(r"std::function<.*?>(?= \w+[ ;=])", "std::function", declaration)
    function = re.search(r"(operator(?:\(\)| ?\W+| [\w: ]+ ?&?)|\b\w+) ?(?=\()", declaration)
    field = re.match(r"[^(=]*?[\w>&*\]] [&*]?(\w+)(?:<[\w:]+>)?(?: =|;|$|, |\{)", declaration)
    match = field if field and (not function or field.end() <= function.start() + 1) else function
    return match.group(1).strip() if match else None


def about_form(owner, declaration):
    """A sentence for what the declaration's form says, or None."""
    if re.search(r"operator==\(.*\) const = default;", declaration):
        return "Whether all members are equal."
    if re.match(rf"{owner} &operator=\(", declaration):
        return "Moves." if "&&" in declaration or f"({owner} other)" in declaration else "Copies."
    match = re.match(r"(explicit |constexpr |KILN_EXPORT )*operator ([\w:]+(?: &)?)\(\) const", declaration)
    if match:
        return f"Conversion to `{match.group(2).rstrip(' &')}`."
    field = re.match(r"[\w:<>, ]+[ >](\w+)( = .*|$|;)", declaration)
    if owner.endswith("Options") and owner not in OWN_OPTIONS and field and "(" not in field.group(0).split("=")[0]:
        if field.group(1) == "name":
            return "The name of the operation, or of the scope around what is added."
        return f"TensorFlow's `{snake(field.group(1))}`."
    return about_constructor(owner, declaration)


def about_member(owner, declaration):
    name = declared_name(declaration)
    own = words_for(owner, name)
    return own or (about_form(owner, declaration) or words_for("*", name) if owner else None)


def split_fields(owner, line):
    """Two fields of one declaration become two declarations, the second one with words of its own."""
    match = re.match(r"(\s*(?:[\w:]+(?:<[\w: ,<>]*>)?) )(\w+(?: = [\w']+)?(?:, \w+(?: = [\w']+)?)+);(.*)$", line)
    if not match or "///<" in line:
        return line
    kind, fields, rest = match.groups()
    first, *others = fields.split(", ")
    parts = [f"{kind}{first};{rest}"]
    for other in others:
        name = re.match(r"\w+", other).group(0)
        sentence = words_for(owner, name) or words_for("*", name)
        parts.append((f"/** {sentence} */" if sentence else "") + f"{kind}{other};")
    return " ".join(parts)


def whole(lines, at):
    """The declaration that begins at a line, on one line, without what templates begin with."""
    text = ""
    while at < len(lines) and not re.search(r"[;{}]\s*$", text):
        text += (" " if text else "") + lines[at].strip()
        at += 1
    text = re.sub(r"^template <[^<>]*(<[^<>]*>[^<>]*)*> ?", "", text)
    if text.startswith("requires"):
        text = text[len("requires"):].strip()
        if text.startswith("("):
            depth = 0
            for end, c in enumerate(text):
                depth += (c == "(") - (c == ")")
                if depth == 0:
                    break
            text = text[end + 1:].strip()
        else:
            text = re.sub(r"^[\w:]+<.*?> (?=\w)", "", text)
    return text


def about_members(lines):
    owners, depth, is_documented, in_statement = [], 0, False, False
    for i, line in enumerate(lines):
        text = line.strip()
        opened = re.match(r"(?:template <.*> )?(?:class|struct)(?: \[\[nodiscard\]\])?(?: KILN_EXPORT)? (\w+)[^;]*\{", text)
        starts = not in_statement and text and not text.startswith(("//", "/*", "*", "#", "}"))
        if owners and starts and depth == owners[-1][1] and "(" not in text:
            lines[i] = split_fields(owners[-1][0], lines[i])
        if starts and not is_documented and "///<" not in text:
            sentence = None
            if opened and opened.group(1).endswith("Options") and opened.group(1) not in OWN_OPTIONS:
                sentence = "Arguments by name, as TensorFlow's are."
            elif owners and depth == owners[-1][1]:
                sentence = about_member(owners[-1][0], whole(lines, i)) if not opened else words_for("", opened.group(1))
            elif not owners and not text.startswith(("namespace", "extern")):
                sentence = about_member("", whole(lines, i))
            if sentence:
                lines[i] = f"/** {sentence} */ {lines[i]}"
        code = re.sub(r"//.*", "", text).strip()
        before = depth
        depth += code.count("{") - code.count("}")
        if opened and depth > before:
            owners.append((opened.group(1), depth))
        while owners and depth < owners[-1][1]:
            owners.pop()
        is_documented = text.startswith(("///", "/**")) or (is_documented and text.startswith("*"))
        if code:
            in_statement = not re.search(r"[;{}]$|^(public|private|protected):$|^#", code)


def inline_options(lines):
    """The lines with those of an options' list (KILN_CODE_OPTION in kiln/CodeOptions.def) as the fields that they make."""
    include = next((i for i, line in enumerate(lines) if re.match(r'#include "kiln/\w+Options\.def"', line)), None)
    if include is None:
        return lines
    path = os.path.join(HEADERS, re.search(r'kiln/\w+\.def', lines[include]).group(0))
    with open(path, encoding="utf-8") as file:
        listed = file.read()
    fields = []
    for comment, macro, arguments in re.findall(r"((?:^///.*\n)+)^(KILN_\w+)\(([^\")]*)", listed, re.M):
        words = [word.strip() for word in arguments.rstrip().rstrip(",)").split(",")]
        kind, name, value = words[:3] if macro == "KILN_CODE_OPTION" else ["int64_t", *words[:2]]
        fields += ["  " + line for line in comment.rstrip().split("\n")] + [f"  {kind} {name} = {value};"]
    return lines[:include] + fields + lines[include + 1:]


def unused_words():
    """Documentation of what is not there, which Doxygen warns of."""
    for folder, _, names in os.walk(os.path.join(HEADERS, "kiln")):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                about_members(inline_options(file.read().split("\n")))
    return [f"/// \\fn {key}\n/// {WORDS[key]}" for key in WORDS if key not in used]


def main(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if path.endswith(".h"):
        lines = inline_options(lines)
        about_file(lines)
        about_members(lines)
    elif path.endswith(".dox"):
        lines += unused_words()
    elif path.endswith(".md"):
        # Other pages are on the disk only.
        lines = [re.sub(r"(?<!!)\[([^\]]*)\]\((?!http)[^)]*\)", r"`\1`", line) for line in lines]
    sys.stdout.write("\n".join(lines))


main(sys.argv[1])
