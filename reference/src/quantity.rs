//! Quantities: parsing, and the canonical form.

/// The error of kube-apiserver for invalid quantities.
const FORM: &str = "quantities must match the regular expression \
     '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/// The decimal units, from 10^-9 in steps of 1000.
const DECIMAL: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// The binary units, in steps of 1024.
const BINARY: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// The notation of a quantity.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Decimal,
    Binary,
    Exponent,
}

/// The canonical form of a quantity.
pub(crate) fn canonical(text: &str) -> Result<String, String> {
    let (billionths, form) = parse(text).ok_or_else(|| FORM.to_owned())?;
    let small = billionths.abs() < 1024 * BILLION || billionths % BILLION != 0;
    Ok(match form {
        Form::Binary if !small => binary(billionths / BILLION),
        Form::Exponent => exponent(billionths),
        _ => decimal(billionths),
    })
}

const BILLION: i128 = 1_000_000_000;

/// The billionths of a quantity, rounded away from zero.
fn parse(text: &str) -> Option<(i128, Form)> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let split = unsigned.find(|next: char| !next.is_ascii_digit() && next != '.').unwrap_or(unsigned.len());
    let (number, unit) = unsigned.split_at(split);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{part}");
    let mantissa = digits.parse::<i128>().ok().filter(|_| digits.len() <= 18)?;
    let (multiplier, divisor, form) = factor(unit)?;
    let scaled = mantissa.checked_mul(multiplier)?.checked_mul(BILLION)?;
    let divisor = divisor.checked_mul(10_i128.checked_pow(u32::try_from(part.len()).ok()?)?)?;
    let billionths = scaled / divisor + i128::from(scaled % divisor != 0);
    Some((if text.starts_with('-') { -billionths } else { billionths }, form))
}

/// The multiplier and divisor of a unit.
fn factor(unit: &str) -> Option<(i128, i128, Form)> {
    if let Some(power) = BINARY.iter().skip(1).position(|known| *known == unit) {
        return Some((1024_i128.pow(u32::try_from(power).ok()? + 1), 1, Form::Binary));
    }
    let exponent = |exponent: i32, form| {
        let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
        Some(if exponent < 0 { (1, power, form) } else { (power, 1, form) })
    };
    if let Some(place) = DECIMAL.iter().position(|known| *known == unit) {
        return exponent(3 * (i32::try_from(place).ok()? - 3), Form::Decimal);
    }
    exponent(unit.strip_prefix(['e', 'E'])?.parse().ok()?, Form::Exponent)
}

/// The value divided by the largest power of 1000, and the index of its decimal unit.
fn thousands(billionths: i128) -> (i128, usize) {
    let (mut rest, mut place) = (billionths, 0);
    while rest != 0 && rest % 1000 == 0 && place + 1 < DECIMAL.len() {
        rest /= 1000;
        place += 1;
    }
    (rest, place)
}

fn decimal(billionths: i128) -> String {
    match thousands(billionths) {
        (0, _) => "0".to_owned(),
        (rest, place) => format!("{rest}{}", DECIMAL[place]),
    }
}

fn exponent(billionths: i128) -> String {
    match thousands(billionths) {
        (0, _) => "0".to_owned(),
        (rest, 3) => rest.to_string(),
        (rest, place) if place < 3 => format!("{rest}e-{}", 3 * (3 - place)),
        (rest, place) => format!("{rest}e{}", 3 * (place - 3)),
    }
}

fn binary(number: i128) -> String {
    let (mut rest, mut place) = (number, 0);
    while rest % 1024 == 0 && place + 1 < BINARY.len() {
        rest /= 1024;
        place += 1;
    }
    format!("{rest}{}", BINARY[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_has_one_canonical_form() {
        let forms = [
            ("1000m", "1"),
            ("1024Mi", "1Gi"),
            ("0.5k", "500"),
            ("1500m", "1500m"),
            ("1.5Gi", "1536Mi"),
            ("12e3", "12e3"),
            ("0", "0"),
            ("-1", "-1"),
            ("1000Ki", "1000Ki"),
            ("512", "512"),
            ("0.1Ki", "102400m"),
        ];
        for (text, expected) in forms {
            assert_eq!(canonical(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn invalid_quantities_are_rejected() {
        for invalid in ["", "ten", "1x", "1.2.3", "1e", "Ki"] {
            assert!(canonical(invalid).is_err(), "{invalid}");
        }
    }
}
