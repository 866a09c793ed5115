//! Simulation of MAP scenes with a seeded scheduler.
