# README.md shows the examples that are compiled and run, line by line.
from tree import finish, read

problems = []
for example in ("examples/train.cpp", "examples/readme.cpp"):
    program = read(example)
    if program[program.index("int main("):] not in read("README.md"):
        problems.append(f"README.md: expected main() of {example} as it stands there")
finish(problems, "the examples of README.md")
