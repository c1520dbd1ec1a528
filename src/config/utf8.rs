//! Text from the bytes of a file that a person wrote.

/// Returns the text, or the line, from 1, that holds the first byte that is not UTF-8.
pub fn text(bytes: Vec<u8>) -> Result<String, usize> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().iter().take(valid);
        before.filter(|byte| **byte == b'\n').count() + 1
    })
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_file_in_another_encoding_is_told_with_its_line() {
        assert_eq!(text(b"a\nb\xff\n".to_vec()), Err(2));
        assert_eq!(text(b"\xe4".to_vec()), Err(1));
        assert_eq!(text("ä".into()), Ok("ä".to_owned()));
    }
}
