//! Random programs as graph text: views, writes through them, lists and tuples, branches and loops, over tensors of known sizes.

pub mod passes;
pub mod reduce;
pub mod shown;
pub mod source;

use std::fmt::Write;

/// Numbers that are the same on every machine (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// A tensor that the text has by this number.
#[derive(Clone)]
struct Known {
    value: usize,
    sizes: Vec<usize>,
}

/// What is written, and what is there to go on with.
struct Writer {
    random: Random,
    text: String,
    next: usize,
    tensors: Vec<Known>,
    /// Lists of tensors, with how many elements they have at least.
    lists: Vec<(usize, usize)>,
    /// Operations that may still be written.
    left: usize,
}

/// The sizes of the arguments `%0` and `%1`; `%2` is a bool and `%3` the number of turns of loops.
pub const SIZES: [usize; 2] = [3, 3];

/// A program of about so many operations: `graph(%0 : Float(3, 3), %1 : Float(3, 3), %2 : bool, %3 : int)`, which gives a tuple of everything that it made.
pub fn program(seed: u64, operations: usize) -> String {
    let argument = |value| Known { value, sizes: SIZES.to_vec() };
    // Two of its own: what comes from outside is not all that is written to.
    let tensors = vec![argument(0), argument(1), argument(30), argument(31)];
    let random = Random::new(seed);
    let mut writer = Writer { random, text: String::new(), next: 100, tensors, lists: Vec::new(), left: operations };
    let mut out = String::from(
        "graph(%0 : Float(3, 3, strides=[3, 1], device=cpu),\n      %1 : Float(3, 3, strides=[3, 1], device=cpu),\n      %2 : bool,\n      %3 : int):\n",
    );
    for n in 0..4 {
        let _ = writeln!(out, "  %{} : int = prim::Constant[value={n}]()", 10 + n);
    }
    out.push_str("  %20 : float = prim::Constant[value=1.5]()\n  %21 : bool = prim::Constant[value=1]()\n  %22 : NoneType = prim::Constant()\n");
    out.push_str("  %30 : Tensor = aten::neg(%0)\n  %31 : Tensor = aten::mul(%1, %20)\n");
    while writer.left > 0 {
        writer.operation(1);
    }
    out.push_str(&writer.text);
    let mut results: Vec<(usize, &str)> = writer.tensors.iter().map(|t| (t.value, "Tensor")).collect();
    results.extend(writer.lists.iter().map(|(value, _)| (*value, "Tensor[]")));
    let types: Vec<&str> = results.iter().map(|(_, ty)| *ty).collect();
    let values: Vec<String> = results.iter().map(|(v, _)| format!("%{v}")).collect();
    let _ =
        writeln!(out, "  %99 : ({}) = prim::TupleConstruct({})\n  return (%99)", types.join(", "), values.join(", "));
    out
}

impl Writer {
    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(depth));
    }

    fn any(&mut self) -> Known {
        // The arguments less often than others.
        let first = if self.random.below(4) == 0 { 0 } else { 2 };
        let at = first + self.random.below(self.tensors.len() - first);
        self.tensors[at].clone()
    }

    /// One of the same sizes, if there is another.
    fn alike(&mut self, t: &Known) -> Known {
        let all: Vec<Known> = self.tensors.iter().filter(|o| o.sizes == t.sizes).cloned().collect();
        all[self.random.below(all.len())].clone()
    }

    fn put(&mut self, depth: usize, call: &str, sizes: Vec<usize>) {
        let value = self.fresh();
        self.line(depth, &format!("%{value} : Tensor = {call}"));
        self.tensors.push(Known { value, sizes });
    }

    fn operation(&mut self, depth: usize) {
        self.left = self.left.saturating_sub(1);
        let t = self.any();
        let (v, sizes) = (t.value, t.sizes.clone());
        match self.random.below(20) {
            0 => self.put(depth, &format!("aten::mul(%{v}, %20)"), sizes),
            1 => self.put(depth, &format!("aten::neg(%{v})"), sizes),
            2 => self.put(depth, &format!("aten::clone(%{v}, %22)"), sizes),
            3 => {
                let other = self.alike(&t).value;
                self.put(depth, &format!("aten::add(%{v}, %{other}, %11)"), sizes);
            }
            4..=7 => self.view(depth, &t),
            8 => self.put(depth, &format!("aten::add_(%{v}, %11, %11)"), sizes),
            9 => self.put(depth, &format!("aten::mul_(%{v}, %20)"), sizes),
            10 => self.put(depth, &format!("aten::relu_(%{v})"), sizes),
            11 if self.random.below(4) == 0 => self.put(depth, &format!("aten::zero_(%{v})"), sizes),
            12 | 13 => {
                // What overlaps in part is refused, wherever it runs.
                let other = self.alike(&t).value;
                let copy = self.fresh();
                self.line(depth, &format!("%{copy} : Tensor = aten::clone(%{other}, %22)"));
                self.put(depth, &format!("aten::copy_(%{v}, %{copy}, %21)"), sizes);
            }
            14 => {
                let list = self.fresh();
                self.line(depth, &format!("%{list} : Tensor[] = prim::ListConstruct(%{v})"));
                self.lists.push((list, 1));
            }
            15 if !self.lists.is_empty() => {
                let at = self.random.below(self.lists.len());
                let (list, result) = (self.lists[at].0, self.fresh());
                self.line(depth, &format!("%{result} : Tensor[] = aten::append(%{list}, %{v})"));
            }
            16 if !self.lists.is_empty() && self.random.below(3) == 0 => {
                let at = self.random.below(self.lists.len());
                let (list, result) = (self.lists[at].0, self.fresh());
                self.line(depth, &format!("%{result} : Tensor = aten::__getitem__(%{list}, %10)"));
                // Of what sizes it is nobody knows: it is written to, which needs none.
                let written = self.fresh();
                self.line(depth, &format!("%{written} : Tensor = aten::mul_(%{result}, %20)"));
            }
            17 | 18 if depth < 4 => self.branch(depth, &t),
            19 if depth < 4 => self.turns(depth, &t),
            _ => self.put(depth, &format!("aten::relu(%{v})"), sizes),
        }
    }

    fn view(&mut self, depth: usize, t: &Known) {
        let (v, mut sizes) = (t.value, t.sizes.clone());
        let rank = sizes.len();
        match self.random.below(5) {
            0 if rank > 0 && sizes[0] > 0 => {
                let at = 10 + self.random.below(sizes[0].min(3));
                sizes.remove(0);
                self.put(depth, &format!("aten::select(%{v}, %10, %{at})"), sizes);
            }
            1 if rank > 1 => {
                let dim = self.random.below(2);
                let from = self.random.below(2);
                let to = sizes[dim].min(2);
                sizes[dim] = to.saturating_sub(from);
                self.put(depth, &format!("aten::slice(%{v}, %{}, %{}, %12, %11)", 10 + dim, 10 + from), sizes);
            }
            2 if rank == 2 => {
                sizes.swap(0, 1);
                self.put(depth, &format!("aten::t(%{v})"), sizes);
            }
            3 if rank < 3 => {
                sizes.insert(0, 1);
                self.put(depth, &format!("aten::unsqueeze(%{v}, %10)"), sizes);
            }
            _ if rank == 2 => {
                sizes.swap(0, 1);
                self.put(depth, &format!("aten::transpose(%{v}, %10, %11)"), sizes);
            }
            _ => self.put(depth, &format!("aten::detach(%{v})"), sizes),
        }
    }

    /// A few operations in a block of their own; what they make is not there behind it. Gives a tensor of these sizes.
    fn block(&mut self, depth: usize, sizes: &[usize], inputs: &[Known]) -> usize {
        let (tensors, lists) = (self.tensors.len(), self.lists.len());
        self.tensors.extend_from_slice(inputs);
        for _ in 0..=self.random.below(4) {
            self.operation(depth);
        }
        let alike: Vec<usize> = self.tensors.iter().filter(|o| o.sizes == sizes).map(|o| o.value).collect();
        let mut chosen = alike[self.random.below(alike.len())];
        // What several values may be is written to as it is: mostly a block gives something of its own.
        if self.random.below(4) > 0 {
            let own = self.fresh();
            self.line(depth, &format!("%{own} : Tensor = aten::neg(%{chosen})"));
            chosen = own;
        }
        self.tensors.truncate(tensors);
        self.lists.truncate(lists);
        chosen
    }

    fn branch(&mut self, depth: usize, t: &Known) {
        let value = self.fresh();
        self.line(depth, &format!("%{value} : Tensor = prim::If(%2)"));
        for block in 0..2 {
            self.line(depth + 1, &format!("block{block}():"));
            let given = self.block(depth + 2, &t.sizes, &[]);
            self.line(depth + 2, &format!("-> (%{given})"));
        }
        self.tensors.push(Known { value, sizes: t.sizes.clone() });
    }

    fn turns(&mut self, depth: usize, t: &Known) {
        let (value, turn, carried, first) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        self.line(depth, &format!("%{first} : Tensor = aten::neg(%{})", t.value));
        self.line(depth, &format!("%{value} : Tensor = prim::Loop(%3, %21, %{first})"));
        self.line(depth + 1, &format!("block0(%{turn} : int, %{carried} : Tensor):"));
        let given = self.block(depth + 2, &t.sizes, &[Known { value: carried, sizes: t.sizes.clone() }]);
        self.line(depth + 2, &format!("-> (%21, %{given})"));
        self.tensors.push(Known { value, sizes: t.sizes.clone() });
    }
}
