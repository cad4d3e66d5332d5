//! What an operator computes when nothing faster stands in for it.
