//! The minimum of a function of one number.

/// Halvings, roughly: the answer is within a millionth of the interval.
const STEPS: usize = 30;

/// Where `f` is least between `low` and `high`, if it falls and then rises there: golden-section search (Kiefer
/// 1953).
pub fn minimum(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let inner = |low: f64, high: f64| (high - ratio * (high - low), low + ratio * (high - low));
    let (mut left, mut right) = inner(low, high);
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..STEPS {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = inner(low, high).0;
            at_left = f(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = inner(low, high).1;
            at_right = f(right);
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola() {
        let found = minimum(-3.0, 10.0, |x| (x - 1.25).powi(2) + 4.0);
        assert!((found - 1.25).abs() < 1e-4, "{found}");
        assert!(minimum(2.0, 3.0, |x| x) < 2.001);
    }
}
