use super::*;

fn id_of(model: &str) -> Option<&'static str> {
    Catalog::builtin()
        .model(model)
        .map(|facts| facts.id.as_str())
}

#[test]
fn the_facts_that_come_with_the_program_can_be_read() {
    let read: Catalog = serde_json::from_str(BUILTIN).unwrap();
    assert_eq!(read.models().len(), 18);
    assert_eq!(&read, Catalog::builtin());
}

#[test]
fn a_model_is_known_by_dated_ids_and_platform_prefixes() {
    assert_eq!(id_of("claude-opus-5"), Some("claude-opus-5"));
    assert_eq!(id_of("claude-opus-5-5"), Some("claude-opus-5-5"));
    assert_eq!(id_of("claude-haiku-4-5-20251001"), Some("claude-haiku-4-5"));
    assert_eq!(id_of("anthropic.claude-opus-5-5"), Some("claude-opus-5-5"));
    assert_eq!(
        id_of("us.anthropic.claude-opus-4-6-v1:0"),
        Some("claude-opus-4-6")
    );
    assert_eq!(id_of("anthropic/claude-sonnet-5"), Some("claude-sonnet-5"));
    assert_eq!(
        id_of("claude-sonnet-4-5@20250929"),
        Some("claude-sonnet-4-5")
    );
}

#[test]
fn a_model_made_after_us_does_not_get_the_price_of_its_elder() {
    assert_eq!(id_of("claude-opus-5-7"), None);
    assert_eq!(id_of("claude-opus-50"), None);
    let facts = Catalog::builtin().model_or_fallback("claude-opus-5-7");
    assert_eq!(facts.cost(&Usage::default()), None);
    assert_eq!(facts.thinking, Thinking::Adaptive);
    let local = Catalog::builtin().model_or_fallback("qwen3:8b");
    assert_eq!(local.thinking, Thinking::Unknown);
}

#[test]
fn each_class_of_tokens_has_its_own_price() {
    let usage = Usage {
        input: 1_000_000,
        cache_read: 2_000_000,
        cache_write: 400_000,
        output: 100_000,
    };
    let cost = Catalog::builtin()
        .model("claude-opus-5")
        .unwrap()
        .cost(&usage)
        .unwrap();
    assert!((cost - (5.0 + 1.0 + 2.5 + 2.5)).abs() < 1e-9, "{cost}");
}

#[test]
fn a_large_prompt_changes_the_price_of_the_whole_request() {
    let haiku = Catalog::builtin().model("claude-haiku-5-5").unwrap();
    let usage = |input| Usage {
        input,
        ..Usage::default()
    };
    let small = haiku.cost(&usage(100_000)).unwrap();
    let large = haiku.cost(&usage(100_001)).unwrap();
    assert!((small - 0.01).abs() < 1e-9, "{small}");
    assert!((large - 0.050_000_5).abs() < 1e-9, "{large}");
}

#[test]
fn a_misspelt_name_has_near_ones() {
    assert_eq!(
        Catalog::builtin().near("claude-opus5").first(),
        Some(&"claude-opus-5")
    );
    assert_eq!(Catalog::builtin().near("gpt-oss"), Vec::<&str>::new());
}
