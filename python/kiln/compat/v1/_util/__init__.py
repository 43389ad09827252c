"""What several modules of kiln.compat.v1 use: structures and notices of deprecation."""
