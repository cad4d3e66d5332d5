//! Texts that end anywhere and questions about any place: each is answered, and nothing fails on the way.

use crate::editor::{conversation, open, request, said};
use serde_json::{Value, json};

const SCRIPT: &str = "\
import torch
from torch import nn
from typing import Dict, List, NamedTuple, Optional

class Pair(NamedTuple):
    a: int
    b: str = 'ü😀'

@torch.jit.interface
class Way(nn.Module):
    def forward(self, x):
        pass

class Net(nn.Module):
    \"\"\"It has layers.\"\"\"
    size: Optional[int]
    def __init__(self, größe: int = 2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(größe, größe) for _ in range(2)])
        self.register_buffer('b', torch.zeros(3))
    @property
    def twice(self) -> int:
        return 2
    def forward(self, x, *, flag: bool = True) -> Dict[str, List[int]]:
        with torch.no_grad():
            for i, layer in enumerate(self.layers):
                x = layer(x) if flag else x.relu_().t()
        y, *z = [n for n in range(self.twice)], x[..., 1:-1], f'{x}'
        assert isinstance(x, torch.Tensor), 'no'
        while flag and x.sum() > 0:
            x -= 1
            break
        try:
            pass
        except ValueError as e:
            raise e
        return {'ü': y}

def f(x, c: bool):
    g = lambda a: a + x
    if c: del x
    elif (n := 3) > 2: return Pair(n, 's').b
    return x @ x.T
net = Net()
";

const GRAPH: &str = "\
# a head
== __torch__.M.forward
graph(%self : __torch__.M, %größe.1 : Float(2, 3, strides=[3, 1]), %c : bool):
  %n : int = prim::Constant[value=1]() # m.py:3:8
  %s : str = prim::Constant[value=\"ü\\n\"]()
  %y : Tensor = prim::If(%c), scope: __module.a
    block0():
      %a : Tensor = aten::add(%größe.1, %größe.1, %n)
      -> (%a)
    block1():
      %b : Tensor = ^Square(2)(%größe.1)
      -> (%b)
  %f : Future(Tensor) = prim::fork_0(%y)
  return (%f)
with prim::fork_0 = graph(%x : Tensor):
  %t : Tensor = prim::Constant[value= 1  2 [ CPULongType{2} ]]()
  return (%t)
== g
graph(%x : Dict(str, int[])):
  return (%x)
";

/// Questions about one place of a text.
fn questions(uri: &str, place: (u32, u32)) -> impl Iterator<Item = Value> {
    let rename = json!({ "newName": "other" });
    let references = json!({ "context": { "includeDeclaration": false } });
    let none = json!({});
    ["hover", "definition", "completion", "documentSymbol"]
        .map(|method| request(1, method, uri, place, &none))
        .into_iter()
        .chain([request(1, "references", uri, place, &references), request(1, "rename", uri, place, &rename)])
}

/// Opens each text and asks about its end, or about all places of the last one.
#[track_caller]
fn survives(file: &str, text: &str) {
    let mut messages = Vec::new();
    for (cut, _) in text.char_indices().step_by(7) {
        let uri = format!("file:///project/{cut}/{file}");
        let part = &text[..cut];
        let line = part.matches('\n').count() as u32;
        messages.push(open(&uri, "", part));
        messages.extend(questions(&uri, (line, u32::MAX)));
        messages.push(json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": uri } } }));
    }
    let uri = format!("file:///project/{file}");
    messages.push(open(&uri, "", text));
    for (line, content) in text.lines().enumerate() {
        for column in 0..content.encode_utf16().count() + 2 {
            messages.extend(questions(&uri, (line as u32, column as u32)));
        }
    }
    let asked = messages.iter().filter(|m| m["id"] == 1).count();
    let answers = said(&conversation(&messages));
    assert_eq!(answers.iter().filter(|m| m["id"] == 1).count(), asked + 1, "each is answered, as is `initialize`");
    let failed = answers.iter().find(|m| m.to_string().contains("an error of the server"));
    assert!(failed.is_none(), "{failed:?}");
}

#[test]
fn source_may_end_anywhere_and_be_asked_about_anywhere() {
    survives("m.py", SCRIPT);
}

#[test]
fn graph_text_may_end_anywhere_and_be_asked_about_anywhere() {
    survives("g.graph", GRAPH);
}
