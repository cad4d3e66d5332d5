//! The nodes of a block in boxes that hold each other: by the scopes that graph text gives them, and where many are left side by side by their order.

use crate::bounds::{MOST_BOXES, MOST_SCOPES, PART};
use serde::Serialize;

/// What stands in a block: a node, by its number, or nodes that are shown as one box.
#[derive(Serialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
pub enum Item {
    Node(u32),
    Group(Group),
}

/// Nodes in a row that are one box until it is opened.
#[derive(Serialize, Debug, Clone, PartialEq)]
pub struct Group {
    pub label: String,
    /// `scope`, or `part` of what would be too many boxes.
    pub kind: &'static str,
    pub items: Vec<Item>,
}

/// A node as groups see it.
pub struct Member<'a> {
    pub node: u32,
    /// `__module.layer/__module.layer.0`
    pub scope: Option<&'a str>,
}

impl Member<'_> {
    /// The scope at a depth; what is deeper than anybody nests scopes is one.
    fn at(&self, depth: usize) -> Option<&str> {
        self.scope?.splitn(MOST_SCOPES, '/').filter(|part| !part.is_empty()).nth(depth)
    }
}

/// The items of a block.
pub fn items(members: &[Member<'_>]) -> Vec<Item> {
    parts(scopes(members, 0))
}

fn scopes(members: &[Member<'_>], depth: usize) -> Vec<Item> {
    let mut out = Vec::new();
    let mut rest = members;
    while let Some(first) = rest.first() {
        let Some(scope) = first.at(depth) else {
            out.push(Item::Node(first.node));
            rest = &rest[1..];
            continue;
        };
        let run = rest.iter().take_while(|m| m.at(depth) == Some(scope)).count();
        let items = parts(scopes(&rest[..run], depth + 1));
        out.push(Item::Group(Group { label: label(scope), kind: "scope", items }));
        rest = &rest[run..];
    }
    out
}

/// What a scope is called: `__module.layer.0`, and `torch.nn.modules.linear.Linear::fc` as newer versions write it.
fn label(scope: &str) -> String {
    let name = scope.rsplit("::").next().filter(|name| !name.is_empty()).unwrap_or(scope);
    crate::bounds::cut(name.strip_prefix("__module.").unwrap_or(name), crate::bounds::MOST_LITERAL)
}

/// No more boxes side by side than can be looked at.
fn parts(mut items: Vec<Item>) -> Vec<Item> {
    // The first and the last box of a part, counted from 1, of the boxes that there were before.
    let mut size = 1;
    let all = items.len();
    while items.len() > MOST_BOXES {
        size *= PART;
        let chunks = items.chunks(PART).enumerate();
        items = chunks
            .map(|(i, chunk)| {
                let (first, last) = (i * size + 1, ((i + 1) * size).min(all));
                Item::Group(Group { label: format!("{first} to {last} of {all}"), kind: "part", items: chunk.to_vec() })
            })
            .collect();
    }
    items
}

#[cfg(test)]
mod tests {
    use super::{Item, Member, items};

    fn text(items: &[Item]) -> String {
        let one = |item: &Item| match item {
            Item::Node(n) => n.to_string(),
            Item::Group(g) => format!("{}({})", g.label, text(&g.items)),
        };
        items.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn scopes_are_boxes() {
        let scopes =
            [None, Some("__module.a"), Some("__module.a/__module.a.0"), Some("Net::/Linear::fc"), Some("__module.a")];
        let members: Vec<Member> = (0..).zip(scopes).map(|(node, scope)| Member { node, scope }).collect();
        assert_eq!(text(&items(&members)), "0 a(1 a.0(2)) Net::(fc(3)) a(4)");
    }

    #[test]
    fn many_boxes_are_put_into_parts() {
        let members: Vec<Member> = (0..12_345).map(|node| Member { node, scope: None }).collect();
        let items = items(&members);
        let labels: Vec<&str> = items
            .iter()
            .map(|i| match i {
                Item::Group(g) => &*g.label,
                Item::Node(_) => "a node",
            })
            .collect();
        assert_eq!(labels, ["1 to 10000 of 12345", "10001 to 12345 of 12345"]);
        let Item::Group(second) = &items[1] else { panic!("a part") };
        assert_eq!(second.items.len(), 24);
    }
}
