//! The messages written before, and which of them is being shown.

/// Messages written before, oldest first, and the place of the one that is shown.
#[derive(Debug, Default)]
pub(super) struct Recall {
    texts: Vec<String>,
    /// The place of the text shown and the draft that waits below the newest.
    shown: Option<(usize, String)>,
}

impl Recall {
    /// Adds a text as the newest, unless it is blank or the newest already.
    pub(super) fn remember(&mut self, text: &str) {
        self.shown = None;
        if !text.trim().is_empty() && self.texts.last().is_none_or(|last| last != text) {
            self.texts.push(text.to_owned());
        }
    }

    /// Steps to the text before the one shown; `draft` is what the composer holds now.
    pub(super) fn back(&mut self, draft: String) -> Option<String> {
        let (place, draft) = match self.shown.take() {
            Some(shown) => shown,
            None => (self.texts.len(), draft),
        };
        let Some(before) = place.checked_sub(1) else {
            if place < self.texts.len() {
                self.shown = Some((place, draft));
            }
            return None;
        };
        self.shown = Some((before, draft));
        self.texts.get(before).cloned()
    }

    /// Steps to the text after the one shown, at last to the draft.
    pub(super) fn forward(&mut self) -> Option<String> {
        let (place, draft) = self.shown.take()?;
        match self.texts.get(place + 1) {
            Some(text) => {
                self.shown = Some((place + 1, draft));
                Some(text.clone())
            }
            None => Some(draft),
        }
    }
}
