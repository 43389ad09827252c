"""The estimators that come with a model: linear, deep, both, and baselines."""
