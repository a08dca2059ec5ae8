//! The page of the book that lists every word is the one that the table of words makes.

use std::fs;
use std::path::Path;

#[test]
fn the_reference_of_the_book_lists_every_word() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/words.md");
    let page = senet_lang::reference();
    if std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, &page).expect("it can be written");
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/words.md is another page: SENET_BLESS=1 writes it");
}
