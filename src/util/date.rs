//! Civil dates and times.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in UTC, by the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime {
    /// Year.
    pub year: u64,
    /// Month, from 1.
    pub month: u64,
    /// Day of the month, from 1.
    pub day: u64,
    /// Hour of the day.
    pub hour: u64,
    /// Minute of the hour.
    pub minute: u64,
    /// Second of the minute.
    pub second: u64,
    /// Millisecond of the second.
    pub millisecond: u32,
}

impl DateTime {
    /// This moment.
    pub fn now() -> Self {
        SystemTime::now().into()
    }
}

impl From<SystemTime> for DateTime {
    /// Times before 1970 become its beginning.
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        Self { year, month, day, hour, minute, second, millisecond: since.subsec_millis() }
    }
}

/// Year, month and day of a day counted from 1970-01-01.
fn date(days: u64) -> (u64, u64, u64) {
    // Counted from 1 March of the year 0, a leap day is the last day of its year, century and era.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // March to January alternate in groups of five months with 153 days.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + next_year, month, day)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (11_322, (2000, 12, 31)),
            (20_088, (2024, 12, 31)),
            (20_089, (2025, 1, 1)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }

    #[test]
    fn times() {
        let time = DateTime::from(UNIX_EPOCH + Duration::from_millis(951_868_799_007));
        let expected = DateTime { year: 2000, month: 2, day: 29, hour: 23, minute: 59, second: 59, millisecond: 7 };
        assert_eq!(time, expected);
        assert_eq!(DateTime::from(UNIX_EPOCH - Duration::from_secs(1)), UNIX_EPOCH.into());
    }
}
