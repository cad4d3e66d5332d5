//! How a region runs on a GPU: the buffers it needs besides inputs and results, and the launches in order.

use std::fmt;

/// A buffer of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Input(u16),
    Output(u16),
    /// Index into [`Plan::temporaries`].
    Temporary(u16),
}

/// A kernel's argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanArgument {
    /// A view of a buffer: address twice, offset, sizes, strides (in elements), one word each.
    View {
        place: Place,
        offset: i64,
        sizes: Vec<i64>,
        strides: Vec<i64>,
    },
    Int(i64),
    /// The number that is input `i`.
    Number(u16),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    pub kernel: String,
    pub grid: u32,
    pub block: u32,
    pub arguments: Vec<PlanArgument>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Bytes of each temporary buffer.
    pub temporaries: Vec<u64>,
    pub launches: Vec<Launch>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Input(i) => write!(f, "i{i}"),
            Place::Output(i) => write!(f, "o{i}"),
            Place::Temporary(i) => write!(f, "t{i}"),
        }
    }
}

fn numbers(list: &[i64]) -> String {
    list.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for PlanArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanArgument::View { place, offset, sizes, strides } => {
                write!(f, "{place}+{offset}[{}]({})", numbers(sizes), numbers(strides))
            }
            PlanArgument::Int(n) => write!(f, "{n}"),
            PlanArgument::Number(i) => write!(f, "n{i}"),
        }
    }
}

impl PlanArgument {
    fn parse(text: &str) -> Option<PlanArgument> {
        let list =
            |s: &str| -> Option<Vec<i64>> { s.split(',').filter(|s| !s.is_empty()).map(|s| s.parse().ok()).collect() };
        if let Some(i) = text.strip_prefix('n') {
            return i.parse().ok().map(PlanArgument::Number);
        }
        let Some((place, rest)) = text.split_once('+') else { return text.parse().ok().map(PlanArgument::Int) };
        let index = |s: &str| s.parse().ok();
        let place = match place.split_at_checked(1)? {
            ("i", n) => Place::Input(index(n)?),
            ("o", n) => Place::Output(index(n)?),
            ("t", n) => Place::Temporary(index(n)?),
            _ => return None,
        };
        let (offset, rest) = rest.split_once('[')?;
        let (sizes, strides) = rest.strip_suffix(')')?.split_once("](")?;
        let (sizes, strides) = (list(sizes)?, list(strides)?);
        (sizes.len() == strides.len()).then_some(PlanArgument::View {
            place,
            offset: offset.parse().ok()?,
            sizes,
            strides,
        })
    }
}

impl Plan {
    /// As keys and values, for a Program.
    pub fn to_metadata(&self) -> Vec<(String, String)> {
        let mut rows: Vec<_> = self.temporaries.iter().map(|n| ("temporary".to_string(), n.to_string())).collect();
        for l in &self.launches {
            let mut text = format!("{} {} {}", l.kernel, l.grid, l.block);
            for a in &l.arguments {
                text.push(' ');
                text.push_str(&a.to_string());
            }
            rows.push(("launch".into(), text));
        }
        rows
    }

    /// Reads what [`Plan::to_metadata`] wrote; `None` when it is damaged.
    pub fn from_metadata(rows: &[(String, String)]) -> Option<Plan> {
        let mut plan = Plan::default();
        for (key, value) in rows {
            match key.as_str() {
                "temporary" => plan.temporaries.push(value.parse().ok()?),
                "launch" => {
                    let mut words = value.split(' ');
                    let kernel = words.next()?.to_string();
                    let (grid, block) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                    let arguments = words.map(PlanArgument::parse).collect::<Option<_>>()?;
                    plan.launches.push(Launch { kernel, grid, block, arguments });
                }
                _ => {}
            }
        }
        Some(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_read_back() {
        let view = |place| PlanArgument::View { place, offset: 4, sizes: vec![2, 3], strides: vec![3, 1] };
        let plan = Plan {
            temporaries: vec![64, 0],
            launches: vec![Launch {
                kernel: "k0".into(),
                grid: 3,
                block: 256,
                arguments: vec![
                    view(Place::Input(0)),
                    view(Place::Temporary(1)),
                    PlanArgument::View { place: Place::Output(0), offset: 0, sizes: vec![], strides: vec![] },
                    PlanArgument::Int(-7),
                    PlanArgument::Number(2),
                ],
            }],
        };
        assert_eq!(Plan::from_metadata(&plan.to_metadata()), Some(plan));
        for bad in ["k", "k 1", "k 1 2 i0+0[1](1", "k 1 2 q0+0[1](1)", "k 1 2 i0+0[1,2](1)"] {
            assert_eq!(Plan::from_metadata(&[("launch".into(), bad.into())]), None, "{bad}");
        }
    }
}
