//! The graph.
