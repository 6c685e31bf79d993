//! The parameters that a Hub program declares, and how they are set.

use super::StartError;
use crate::protocol::hub::lexer::Line;
use crate::tournament::config::Config;
use crate::tournament::spec::PlayerSpec;

/// A parameter as a `param` line describes it.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    kind: String,
    bounds: [Option<f64>; 2],
    /// The values it may have, between blanks.
    pub values: Option<String>,
}

impl Declared {
    /// Reads a line, if it declares a parameter.
    pub fn read(line: &Line) -> Option<Self> {
        let text = |name| line.value(name).map(str::to_owned);
        let number = |name| line.value(name).and_then(|text| text.parse().ok());
        let name = text("name").filter(|_| line.command == "param")?;
        let kind = text("type").unwrap_or_default();
        Some(Self { name, kind, bounds: [number("min"), number("max")], values: text("values") })
    }

    /// Whether it may have this value. What is not declared is not checked.
    fn takes(&self, value: &str) -> bool {
        let in_bounds = |number: f64| {
            let [min, max] = self.bounds;
            min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
        };
        match self.kind.as_str() {
            "bool" => matches!(value, "true" | "false"),
            "int" => value.parse::<i64>().is_ok_and(|number| in_bounds(number as f64)),
            "real" => value.parse().is_ok_and(in_bounds),
            "enum" => self.values.as_ref().is_none_or(|values| values.split_whitespace().any(|other| other == value)),
            _ => true,
        }
    }
}

/// The lines that set what the description of the player tells, and what all players have in
/// common as far as the program knows it.
///
/// # Errors
/// If the program does not declare a parameter of the description, or not with this value.
pub fn settings(declared: &[Declared], spec: &PlayerSpec, config: &Config) -> Result<Vec<String>, StartError> {
    let find = |name: &str| declared.iter().find(|param| param.name.eq_ignore_ascii_case(name));
    let mut lines = Vec::new();
    for (name, value) in config.shared_params(spec) {
        if let Some(param) = find(name).filter(|param| param.takes(&value)) {
            lines.push(set_param(&param.name, &value));
        }
    }
    for (name, value) in &spec.params {
        let (param, value) = (find(name).ok_or_else(|| StartError::UnknownParam(name.clone()))?, value.to_string());
        if !param.takes(&value) {
            return Err(StartError::BadParam { name: name.clone(), value });
        }
        lines.push(set_param(&param.name, &value));
    }
    Ok(lines)
}

/// The line that sets a parameter; quotes stand where they have to.
fn set_param(name: &str, value: &str) -> String {
    let quote = if value.is_empty() || value.contains(|c: char| c.is_whitespace() || c == '=') { "\"" } else { "" };
    format!("set-param name={name} value={quote}{value}{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 7] = [
        "id name=x",
        "param name=Hash value=64 type=int min=1 max=100",
        "param name=kvk value=exact type=enum values=\"exact draw\"",
        "param name=draw-rules value=a type=enum values=\"a b\"",
        "param name=book value=true type=bool",
        "param name=bias value=0 type=real max=1.5",
        "param name=path value=\"\" type=string",
    ];

    fn lines(params: &str) -> Result<Vec<String>, String> {
        let declared: Vec<_> =
            LINES.iter().filter_map(|text| Declared::read(&Line::parse(text).unwrap().unwrap())).collect();
        let text = format!("[[player]]\ncommand = 'x'\nparams = {{ {params} }}");
        let config = Config::from_toml(&text).unwrap().completed().unwrap();
        settings(&declared, &config.players[0], &config).map_err(|error| error.to_string())
    }

    #[test]
    fn what_all_players_have_in_common() {
        // Nothing is sent for `draw-rules`, which means something else there.
        assert_eq!(lines("").unwrap(), ["set-param name=Hash value=16", "set-param name=kvk value=exact"]);
        assert_eq!(lines("hash = 4, kvk = 'draw'").unwrap().len(), 2);
    }

    #[test]
    fn parameters_of_the_description() {
        let own = |params| lines(params).map(|lines| lines.last().unwrap().clone());
        assert_eq!(own("book = false").unwrap(), "set-param name=book value=false");
        assert_eq!(own("path = 'a b'").unwrap(), "set-param name=path value=\"a b\"");
        assert_eq!(own("path = ''").unwrap(), "set-param name=path value=\"\"");
        assert_eq!(own("bias = 1.5").unwrap(), "set-param name=bias value=1.5");
        assert_eq!(own("hsh = 4").unwrap_err(), "it declares no parameter `hsh`");
        for (params, named) in [
            ("hash = 101", "`hash` cannot be `101`"),
            ("hash = 'x'", "`x`"),
            ("book = 1", "`book`"),
            ("kvk = 'no'", "`no`"),
            ("bias = 1.6", "`bias`"),
        ] {
            let error = own(params).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
