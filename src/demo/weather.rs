//! Made-up weather: the same city has the same weather.

/// Says what the weather is, in the language of the city's name.
pub(super) fn report(city: &str) -> String {
    let city = city.trim();
    let seed = city
        .chars()
        .fold(7_u32, |sum, char| sum.wrapping_mul(31) ^ u32::from(char));
    let degrees = 4 + seed % 24;
    let wind = 1 + seed / 24 % 6;
    if city.is_ascii() {
        let sky = pick(["sunny", "cloudy", "rainy", "clear and windy"], seed);
        format!("{city}: {sky}, {degrees} °C, wind force {wind} (made up for the demo).")
    } else {
        let sky = pick(["晴", "多云", "小雨", "晴间多云"], seed);
        format!("{city}:{sky},{degrees} °C,风力 {wind} 级(演示用的虚构数据)。")
    }
}

fn pick(skies: [&'static str; 4], seed: u32) -> &'static str {
    let [a, b, c, d] = skies;
    match seed / 144 % 4 {
        0 => a,
        1 => b,
        2 => c,
        _ => d,
    }
}
