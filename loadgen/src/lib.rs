//! What a server is asked to bear: workloads, the engine that performs them, and the samples they yield.
//!
//! Nothing is here yet: the conformance side comes first, and the load generator builds on the same `harness`.
