//! A history without open calls comes from a conversation only.

use std::sync::Arc;

use keytide::chat::conversation::History;
use keytide::chat::message::Message;

pub fn build(messages: Vec<Arc<Message>>) -> History {
    History(messages) //~ E0423
}
