//! Nobody but a redactor says that a value was looked through.

use keytide::redact::Redacted;

pub fn build(text: String) -> Redacted<String> {
    Redacted(text) //~ E0423
}
