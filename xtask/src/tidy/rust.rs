//! What a line of formatted Rust declares.

/// The name of the function that a line declares.
pub(crate) fn function_name(line: &str) -> Option<&str> {
    identifier(unmodified(line).strip_prefix("fn ")?)
}

/// The name of the type or trait that a line declares.
pub(crate) fn type_name(line: &str) -> Option<&str> {
    let line = unmodified(line);
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    identifier(keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?)
}

/// A line without its indentation, its visibility and the words that may stand before `fn`.
fn unmodified(line: &str) -> &str {
    let mut line = line.trim_start();
    loop {
        let shorter = if let Some(rest) = line.strip_prefix("pub(") {
            rest.split_once(") ").map(|(_, rest)| rest)
        } else if let Some(rest) = line.strip_prefix("extern \"") {
            rest.split_once("\" ").map(|(_, rest)| rest)
        } else {
            let words = ["pub ", "const ", "async ", "unsafe ", "default ", "extern "];
            words.iter().find_map(|word| line.strip_prefix(word))
        };
        match shorter {
            Some(rest) => line = rest,
            None => return line,
        }
    }
}

fn identifier(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    (end > 0).then_some(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_behind_every_modifier() {
        assert_eq!(function_name("fn a() {"), Some("a"));
        assert_eq!(function_name("    pub(crate) const unsafe fn b_2<T>("), Some("b_2"));
        assert_eq!(function_name("pub extern \"C\" fn c() {"), Some("c"));
        assert_eq!(function_name("// fn d() {"), None);
        assert_eq!(function_name("let f: fn () = x;"), None);
    }

    #[test]
    fn types_are_found_behind_their_visibility() {
        assert_eq!(type_name("pub struct Tile(u16);"), Some("Tile"));
        assert_eq!(type_name("pub(in crate::path) enum Way {"), Some("Way"));
        assert_eq!(type_name("    type Item = u8;"), Some("Item"));
        assert_eq!(type_name("/// struct Tile"), None);
    }
}
