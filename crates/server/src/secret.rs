//! Secrets: tokens of seats, invitations, and the seeds of chance.

use sha2::{Digest, Sha256};

/// A new secret of 16 bytes as hexadecimal digits.
pub fn token() -> String {
    hex(&random::<16>())
}

/// A new seed of chance.
pub fn seed() -> String {
    hex(&random::<32>())
}

/// A name for a match in addresses: short, and not to be guessed.
pub fn name() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let bytes = random::<12>();
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

/// What is stored of a secret: its SHA-256 as hexadecimal digits.
pub fn hash(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has a source of random bytes");
    bytes
}
