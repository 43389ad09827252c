"""Tools on files of graphs and of variables."""
