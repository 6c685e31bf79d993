//! Durations for people.

/// Seconds as hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
