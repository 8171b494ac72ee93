//! Checks the facts of analysed records.

fn main() {}
