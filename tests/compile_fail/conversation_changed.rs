//! The messages of a conversation are changed by its own rules only.

use keytide::chat::conversation::Conversation;

pub fn empty(conversation: &mut Conversation) {
    conversation.messages.clear(); //~ E0616
}
