//! The clock of the machine: libraries panic at dates that they cannot write.

use std::time::SystemTime;

use jiff::Timestamp;

/// The time now. A clock that has left the years that can be written, long after the start of the program, stays at the
/// last date.
pub(crate) fn now() -> Timestamp {
    date(SystemTime::now())
}

fn date(now: SystemTime) -> Timestamp {
    Timestamp::try_from(now).unwrap_or(Timestamp::MAX)
}

/// Refuses a clock before 1970 or after the last date.
pub(crate) fn check(now: SystemTime) -> Result<(), String> {
    match Timestamp::try_from(now) {
        Ok(now) if now < Timestamp::UNIX_EPOCH => Err(format!("the clock of this machine says {now}")),
        Ok(_) => Ok(()),
        Err(_) => Err(format!("the clock of this machine is not between 1970 and {}", Timestamp::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_passes_the_last_date_stays_there() {
        let last = SystemTime::from(Timestamp::MAX);
        assert_eq!(date(last), Timestamp::MAX);
        assert_eq!(date(last + Duration::from_hours(24)), Timestamp::MAX);
    }

    #[test]
    fn only_a_clock_since_1970_with_a_date_is_accepted() {
        let epoch = SystemTime::UNIX_EPOCH;
        assert_eq!(check(epoch), Ok(()));
        let before = check(epoch - Duration::from_secs(1)).unwrap_err();
        assert_eq!(before, "the clock of this machine says 1969-12-31T23:59:59Z");
        let after = check(epoch + Duration::from_secs(253_402_300_799)).unwrap_err();
        assert!(after.contains("is not between 1970 and 9999-12-30"), "{after}");
    }
}
