//! What may be done from outside: this compiles, so the refusals beside it have their reason.

use keytide::app::effect::Effect;
use keytide::gate::Approved;
use keytide::redact::{Redacted, Redactor};
use keytide::transcript::record::Record;

pub fn call(approved: Approved) -> Effect {
    Effect::CallTool(approved)
}

pub fn write(redactor: &Redactor, record: Record) -> Effect {
    Effect::Append(redactor.redact(record))
}

pub fn show(redactor: &Redactor, text: &str) -> Redacted<String> {
    redactor.text(text)
}
