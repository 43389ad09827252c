#!/usr/bin/env python3
"""Compares the messages of kiln.compat.v1 field by field with those of an installed TensorFlow.

compare_messages.py MESSAGES: MESSAGES is build/python/kiln/_generated/messages.bin. Prints each
difference, each message that only one of both has in the modules that Kiln serves, and how many
fields are equal; the exit status is 1 if one differs.
"""

import importlib
import pathlib
import sys

from google.protobuf import descriptor_pb2, descriptor_pool


def load_kilns(path):
    """All messages and enums of the file by their full name, nested ones too."""
    files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(path).read_bytes()).file
    pool = descriptor_pool.DescriptorPool()
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    found = {}
    for file in files:
        collect(pool.FindFileByName(file.name), found)
    return found


def load_tensorflows():
    """Those of every *_pb2 module below tensorflow.core, of the modules of 1.15 alone."""
    core = importlib.import_module("tensorflow.core")
    root = pathlib.Path(core.__file__).parent
    found = {}
    for path in sorted(root.rglob("*_pb2.py")):
        name = ".".join(("tensorflow.core", *path.relative_to(root).with_suffix("").parts))
        importlib.import_module(name)
    importlib.import_module("tensorflow.python.training.checkpoint_state_pb2")
    pool = descriptor_pool.Default()
    for module in list(sys.modules.values()):
        descriptor = getattr(module, "DESCRIPTOR", None)
        if (
            module.__name__.endswith("_pb2")
            and descriptor
            and descriptor.package.startswith("tensorflow")
        ):
            collect(pool.FindFileByName(descriptor.name), found)
    return found


def collect(scope, found):
    messages = getattr(scope, "message_types_by_name", None)
    for message in scope.nested_types if messages is None else messages.values():
        found[message.full_name] = message
        collect(message, found)
    for enum in scope.enum_types_by_name.values():
        found[enum.full_name] = enum


def facts_of(described):
    """What readers and writers of the message can notice."""
    if hasattr(described, "values_by_name") and not hasattr(described, "fields"):
        return {value.name: value.number for value in described.values}
    facts = {}
    for field in described.fields:
        oneof = field.containing_oneof
        facts[field.name] = {
            "number": field.number,
            "type": field.type,
            "of": (field.message_type or field.enum_type)
            and (field.message_type or field.enum_type).full_name,
            "repeated": is_repeated(field),
            "packed": is_repeated(field) and field.is_packed,
            "default": None if is_repeated(field) or field.message_type else field.default_value,
            "presence": field.has_presence,
            "oneof": oneof and oneof.name,
            "deprecated": field.GetOptions().deprecated,
        }
    facts[" map"] = described.GetOptions().map_entry
    return facts


def is_repeated(field):
    return (
        field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
    )


def main():
    kilns, tensorflows = load_kilns(sys.argv[1]), load_tensorflows()
    served = {described.file.name for name, described in tensorflows.items() if name in kilns}
    equal = different = 0
    for name in sorted(kilns):
        if name not in tensorflows:
            if name.startswith("tensorflow"):
                print(f"only Kiln has {name}")
            continue
        ours, theirs = facts_of(kilns[name]), facts_of(tensorflows[name])
        for field in sorted(ours.keys() | theirs.keys()):
            if ours.get(field) == theirs.get(field):
                equal += field != " map"
            else:
                different += 1
                print(f"{name}.{field}: Kiln {ours.get(field)}, TensorFlow {theirs.get(field)}")
    missing = [
        name for name, it in tensorflows.items() if name not in kilns and it.file.name in served
    ]
    print("not there:", ", ".join(sorted(missing)) or "none")
    print(f"{equal} fields and values are equal, {different} are not")
    return different != 0


if __name__ == "__main__":
    sys.exit(main())
