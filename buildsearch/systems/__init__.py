"""The games. Each brings its models, build grammar, space, engines and metrics."""
