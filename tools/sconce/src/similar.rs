//! A name that is unknown is told with the known ones: the most similar of them, or some.

use std::cmp::Reverse;

/// Names that a message lists at most.
const LISTED: usize = 12;

/// How similar a name must be so that it may have been meant: Jaro and Winkler's measure, 1 for the same name.
const SIMILAR: f64 = 0.8;

/// What there is in place of `wanted`: `did you mean 'forward'? There are forward, helper`.
pub(crate) fn instead_of(wanted: &str, known: &[impl AsRef<str>]) -> String {
    let short = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let similarity = |name: &str| {
        let parts = strsim::jaro_winkler(&short(name), &short(wanted));
        strsim::jaro_winkler(name, wanted).max(parts)
    };
    let thousandths = |name: &&str| (similarity(name) * 1000.0) as u32;
    let names = || known.iter().map(AsRef::as_ref);
    // Of equally similar ones the first.
    let meant = names().rev().max_by_key(thousandths).filter(|name| similarity(name) >= SIMILAR);
    let mut listed: Vec<&str> = names().collect();
    if listed.len() > LISTED {
        listed.sort_by_key(|name| Reverse(thousandths(name)));
        listed.truncate(LISTED);
    }
    let more = known.len() - listed.len();
    let all = match (listed.is_empty(), more) {
        (true, _) => "there are none".to_owned(),
        (_, 0) => format!("there are {}", listed.join(", ")),
        (_, more) => format!("there are {} and {more} more", listed.join(", ")),
    };
    match meant {
        Some(name) => format!("did you mean `{name}`? ({all})"),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use super::instead_of;

    #[test]
    fn the_most_similar_name_is_proposed() {
        let none: [&str; 0] = [];
        assert_eq!(instead_of("x", &none), "there are none");
        assert_eq!(instead_of("x", &["forward", "helper"]), "there are forward, helper");
        let said = instead_of("forwrad", &["helper", "__torch__.M.forward"]);
        assert_eq!(said, "did you mean `__torch__.M.forward`? (there are helper, __torch__.M.forward)");
        let many: Vec<String> = (0..20).map(|i| format!("case{i}/b1")).collect();
        let said = instead_of("case7/b2", &many);
        assert!(said.starts_with("did you mean `case7/b1`? (there are case7/b1, "), "{said}");
        assert!(said.ends_with(" and 8 more)"), "{said}");
    }
}
