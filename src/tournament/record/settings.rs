//! Whether two matches have the same settings.

use serde_json::Value;

/// Settings that may change when a match goes on.
const FREE: [&str; 3] = ["games", "concurrency", "out"];

/// The first setting that differs, with both values; settings that may change are passed over.
pub fn difference<'a>(then: &'a Value, now: &'a Value) -> Option<(String, &'a Value, &'a Value)> {
    const NOTHING: &Value = &Value::Null;
    match (then, now) {
        (Value::Object(old), Value::Object(new)) => {
            let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
            names.filter(|name| !FREE.contains(&name.as_str())).find_map(|name| {
                let (then, now) = (old.get(name).unwrap_or(NOTHING), new.get(name).unwrap_or(NOTHING));
                let (inner, then, now) = difference(then, now)?;
                Some((if inner.is_empty() { name.clone() } else { format!("{name}.{inner}") }, then, now))
            })
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().find_map(|(index, (then, now))| {
                let (inner, then, now) = difference(then, now)?;
                Some((
                    if inner.is_empty() { format!("{}", index + 1) } else { format!("{}.{inner}", index + 1) },
                    then,
                    now,
                ))
            })
        }
        _ => (then != now).then_some((String::new(), then, now)),
    }
}
