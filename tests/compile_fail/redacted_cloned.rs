//! What was looked through is not copied.

use keytide::redact::Redacted;

pub fn twice(text: Redacted<String>) -> (Redacted<String>, Redacted<String>) {
    (text.clone(), text) //~ E0308
}
