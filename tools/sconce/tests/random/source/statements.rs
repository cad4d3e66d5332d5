//! Statements about containers, numbers, calls and futures.

use super::{Expression, Kind, Writer};

impl Writer {
    pub(super) fn container(&mut self, depth: usize) {
        match self.random.below(8) {
            0 => self.new_container(depth),
            1 | 2 => self.list(depth),
            3 => self.dictionary(depth),
            4 => self.pair(depth),
            5 => self.list_of_lists(depth),
            6 => self.dictionary_of_lists(depth),
            _ => self.element(depth),
        }
    }

    fn new_container(&mut self, depth: usize) {
        let Expression { text: t, sizes } = self.place();
        let other = self.alike(depth, &sizes);
        let (kind, text) = match self.random.below(7) {
            0 => (Kind::List, format!("[{t}]")),
            1 => (Kind::List, format!("[{t}, {other}]")),
            2 => (Kind::Dict, format!("{{\"k\": {t}}}")),
            3 => (Kind::Pair, format!("({t}, {other})")),
            4 => (Kind::ListOfLists, format!("[[{t}], [{other}]]")),
            5 => (Kind::DictOfLists, format!("{{\"k\": [{t}, {other}]}}")),
            _ => (Kind::List, format!("[{t}.clone() for q in range(2)]")),
        };
        self.define(depth, kind, &text, &sizes);
    }

    fn list(&mut self, depth: usize) {
        let Some(list) = self.variable(Kind::List) else { return };
        let (l, t) = (&list.name, self.alike(depth, &list.sizes));
        let line = match self.random.below(12) {
            0 | 1 => format!("{l}.append({t})"),
            2 => format!("{l}[0] = {t}"),
            3 => format!("{l}.insert(0, {t})"),
            4 => format!("{l}.reverse()"),
            5 => format!("{l}.extend([{t}])"),
            6 => {
                self.line(depth, &format!("if len({l}) > 1:"));
                let text = self.choose(&["%.pop()", "del %[0]", "%.pop(0).add_(1.0)"]).replace('%', l);
                self.line(depth + 1, &text);
                return;
            }
            7 => return self.define(depth, Kind::List, &l.clone(), &list.sizes),
            8 => return self.define(depth, Kind::List, &format!("{l} + [{t}]"), &list.sizes),
            9 => {
                let text = self.choose(&["%[0:1]", "%[:]", "%.copy()", "list(%)", "[v for v in %]"]).replace('%', l);
                return self.define(depth, Kind::List, &text, &list.sizes);
            }
            10 => return self.define(depth, Kind::Tensor, &format!("torch.stack({l})[0]"), &list.sizes),
            _ => format!("{l} += [{t}]"),
        };
        self.line(depth, &line);
    }

    fn dictionary(&mut self, depth: usize) {
        let Some(dict) = self.variable(Kind::Dict) else { return self.new_container(depth) };
        let (d, t) = (&dict.name, self.alike(depth, &dict.sizes));
        let key = self.choose(&["k", "j"]);
        let line = match self.random.below(8) {
            0 | 1 => format!("{d}[\"{key}\"] = {t}"),
            2 => format!("{d}.update({{\"j\": {t}}})"),
            3 => return self.define(depth, Kind::Tensor, &format!("{d}.get(\"j\", {t})"), &dict.sizes),
            4 => {
                let text = self.choose(&["%", "%.copy()"]).replace('%', d);
                return self.define(depth, Kind::Dict, &text, &dict.sizes);
            }
            5 => return self.define(depth, Kind::List, &format!("list({d}.values())"), &dict.sizes),
            6 => {
                self.line(depth, &format!("if \"j\" in {d}:"));
                let text = self.choose(&["%.pop(\"j\")", "%[\"j\"].add_(1.0)", "del %[\"j\"]"]).replace('%', d);
                self.line(depth + 1, &text);
                return;
            }
            _ => {
                let (key, value) = (self.fresh_name("q"), self.fresh_name("v"));
                let write = self.write(depth, &Expression { text: value.clone(), sizes: dict.sizes.clone() });
                self.line(depth, &format!("for {key}, {value} in {d}.items():"));
                return self.line(depth + 1, &write);
            }
        };
        self.line(depth, &line);
    }

    fn pair(&mut self, depth: usize) {
        let Some(pair) = self.variable(Kind::Pair) else { return self.new_container(depth) };
        let p = &pair.name;
        match self.random.below(4) {
            0 => {
                let (one, other) = (self.fresh_name("t"), self.fresh_name("t"));
                self.line(depth, &format!("{one}, {other} = {p}"));
                for name in [one, other] {
                    self.variables.push(super::Variable { name, kind: Kind::Tensor, sizes: pair.sizes.clone() });
                }
            }
            1 => self.define(depth, Kind::Pair, &format!("({p}[1], {p}[0])"), &pair.sizes),
            2 => self.define(depth, Kind::List, &format!("({p}, [{p}[0]])[1]"), &pair.sizes),
            _ => {
                let t = self.alike(depth, &pair.sizes);
                let condition = self.condition();
                let text = format!("{p} if {condition} else ({p}[0], {t})");
                self.define(depth, Kind::Pair, &text, &pair.sizes);
            }
        }
    }

    fn list_of_lists(&mut self, depth: usize) {
        let Some(lists) = self.variable(Kind::ListOfLists) else { return self.new_container(depth) };
        let (l, t) = (&lists.name, self.alike(depth, &lists.sizes));
        let inner = self.variable(Kind::List).filter(|inner| inner.sizes == lists.sizes).map(|inner| inner.name);
        let line = match (self.random.below(5), inner) {
            (0, Some(inner)) => format!("{l}.append({inner})"),
            (1, Some(inner)) => format!("{l}[0] = {inner}"),
            (2, _) => return self.define(depth, Kind::List, &format!("{l}[-1]"), &lists.sizes),
            (3, _) => return self.define(depth, Kind::ListOfLists, &l.clone(), &lists.sizes),
            _ => format!("{l}[0].append({t})"),
        };
        self.line(depth, &line);
    }

    fn dictionary_of_lists(&mut self, depth: usize) {
        let Some(dict) = self.variable(Kind::DictOfLists) else { return self.new_container(depth) };
        let (d, t) = (&dict.name, self.alike(depth, &dict.sizes));
        let inner = self.variable(Kind::List).filter(|inner| inner.sizes == dict.sizes).map(|inner| inner.name);
        let line = match (self.random.below(3), inner) {
            (0, Some(inner)) => format!("{d}[\"k\"] = {inner}"),
            (1, _) => return self.define(depth, Kind::List, &format!("{d}[\"k\"]"), &dict.sizes),
            _ => format!("{d}[\"k\"].append({t})"),
        };
        self.line(depth, &line);
    }

    /// What a container holds gets a name.
    fn element(&mut self, depth: usize) {
        let place = self.place();
        self.define(depth, Kind::Tensor, &place.text, &place.sizes);
    }

    pub(super) fn numbers(&mut self, depth: usize) {
        let (numbers, number) = (self.variable(Kind::Numbers), self.variable(Kind::Number));
        let k = number.map_or("n".into(), |k| k.name);
        match (self.random.below(6), numbers) {
            (0, Some(m)) => self.line(depth, &format!("{}.append({k})", m.name)),
            (1, Some(m)) => self.line(depth, &format!("{}[0] = {k} + 1", m.name)),
            (2, Some(m)) => self.define(depth, Kind::Number, &format!("{}[-1] + len({})", m.name, m.name), &[]),
            (3, _) => {
                let Expression { text, sizes } = self.tensor();
                self.define(depth, Kind::Tensor, &format!("{text} * {k}"), &sizes);
            }
            (4, _) => {
                let t = self.tensor();
                let text = if t.sizes.is_empty() { "n + 2".to_owned() } else { format!("{}.size(0) + {k}", t.text) };
                self.define(depth, Kind::Number, &text, &[]);
            }
            _ => self.define(depth, Kind::Numbers, &format!("[{k}, 2]"), &[]),
        }
    }

    pub(super) fn optional(&mut self, depth: usize) {
        let Some(s) = self.variable(Kind::Optional).filter(|_| !self.one_of(3)) else {
            let Expression { text, sizes } = self.place();
            let condition = self.condition();
            let text = self.choose(&["%", "None", "% if ? else None"]).replace('%', &text).replace('?', &condition);
            self.define(depth, Kind::Optional, &text, &sizes);
            return;
        };
        let write = self.write(depth, &Expression { text: s.name.clone(), sizes: s.sizes });
        self.line(depth, &format!("if {} is not None:", s.name));
        self.line(depth + 1, &write);
    }

    pub(super) fn call(&mut self, depth: usize) {
        let Expression { text: t, sizes } = self.place();
        let other = self.alike(depth, &sizes);
        let list = self.variable(Kind::List).filter(|l| l.sizes == sizes);
        let text = match (self.random.below(6), list) {
            (0, Some(list)) => format!("grow({}, {t})", list.name),
            (1, _) => format!("refuse({t}, n)"),
            (2, _) => format!("noted({t})"),
            (3, _) => format!("early({t}, n)"),
            (4, _) => format!("both({t}, {other})[1][0]"),
            _ => format!("touch({t})"),
        };
        self.define(depth, Kind::Tensor, &text, &sizes);
    }

    /// A task: what it may write to is nobody's until it is waited for.
    pub(super) fn fork(&mut self, depth: usize) {
        if let Some(u) = self.variable(Kind::Future).filter(|_| self.one_of(2)) {
            self.define(depth, Kind::Tensor, &format!("torch.jit.wait({})", u.name), &u.sizes);
            return;
        }
        let Expression { text: t, sizes } = self.tensor();
        let other = self.alike(depth, &sizes);
        match self.random.below(3) {
            0 => {
                self.define(depth, Kind::Future, &format!("torch.jit.fork(pure, {t}.clone(), {other}.clone())"), &sizes)
            }
            1 => self.define(depth, Kind::Future, &format!("torch.jit.fork(touch, {other}.clone())"), &sizes),
            _ => {
                // Waited for at once, so that it may share what it likes.
                let future = self.fresh_name("u");
                self.line(depth, &format!("{future} = torch.jit.fork(touch, {other})"));
                self.define(depth, Kind::Tensor, &format!("torch.jit.wait({future})"), &sizes);
            }
        }
    }
}
