"""What tf does not show of seeds."""

# A graph's seed where only an op has one.
DEFAULT_GRAPH_SEED = 87654321
