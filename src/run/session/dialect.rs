//! Which services can be talked to: those that speak the Messages API.

use crate::cli::settings::Settings;
use crate::run::session::StartError;

/// The wire forms that are spoken; the demo speaks the first one, too.
const SPOKEN: [&str; 2] = ["anthropic", "demo"];

/// Refuses a service that speaks something else: a key must not go where another one belongs.
pub(in crate::run::session) fn require_spoken(settings: &Settings) -> Result<(), StartError> {
    let provider = &settings.config.model.provider;
    let entries = settings.config.providers.iter();
    let entry = entries.into_iter().find(|entry| entry.name == *provider);
    let wire = entry.map_or(provider, |entry| &entry.wire);
    if SPOKEN.contains(&wire.as_str()) {
        return Ok(());
    }
    Err(StartError::Wire {
        provider: provider.clone(),
        wire: wire.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::require_spoken;
    use crate::cli::settings::Settings;
    use crate::config::parse::parse;

    fn refused(text: &str) -> Option<String> {
        let settings = Settings {
            config: parse(text, "config.toml").unwrap(),
            demo: false,
            no_color: false,
            plain: false,
        };
        require_spoken(&settings).err().map(|why| why.to_string())
    }

    #[test]
    fn a_service_whose_language_is_not_spoken_is_refused_before_any_key_goes_there() {
        let own = |wire| {
            format!(
                "model = \"own/m\"\n[provider.own]\nwire = \"{wire}\"\nbase_url = \"http://h/v1\"\n"
            )
        };
        for text in ["", "model = \"demo/x\"", &own("anthropic")] {
            assert_eq!(refused(text), None, "{text}");
        }
        for text in ["model = \"openai/x\"", &own("openai-chat")] {
            assert!(refused(text).unwrap().contains("not built yet"), "{text}");
        }
    }
}
