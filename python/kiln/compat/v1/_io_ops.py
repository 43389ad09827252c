"""Files that a run reads and writes."""

from kiln._generated.raw_ops import matching_files, read_file, write_file

__all__ = ["matching_files", "read_file", "write_file"]
