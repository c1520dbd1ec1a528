//! What was looked through is not changed afterwards.

use keytide::redact::Redacted;

pub fn change(text: &mut Redacted<String>) {
    text.push_str("more"); //~ E0596
}
