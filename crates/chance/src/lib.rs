//! A portable seeded source of chance, and random play with it.
