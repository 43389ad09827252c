# README.md shows the example that is compiled and run, line by line.
from tree import finish, read

program = read("examples/readme.cpp")
shown = program[program.index("int main("):]
problems = [] if shown in read("README.md") else ["README.md: expected main() of examples/readme.cpp as it stands there"]
finish(problems, "the example of README.md")
