// The program as boxes in boxes: functions, the nodes in them, the blocks of nodes, and groups of nodes. A box knows where it stands, and makes what it holds when
// somebody looks into it: a program in which functions call each other often has more boxes than a page can have.

const program = JSON.parse(document.getElementById('document').textContent);

// The number of boxes that a search goes through, and how deep.
const MOST_FOUND = 50000;
const DEEPEST = 200;

const lastPart = (name) => name.slice(name.lastIndexOf('.') + 1);

class Box {
  // kind: function, node, block, group. A function of the outline is called by no other.
  constructor(parent, id, kind, fields) {
    Object.assign(this, { parent, id, kind, open: false, node: -1, path: '' }, fields);
    this.key = parent ? `${parent.key}/${id}` : id;
    this.depth = parent ? parent.depth + 1 : 0;
    this.made = null;
    this.layout = null;
  }

  get data() {
    return program.functions[this.function];
  }

  get operation() {
    return this.kind === 'node' ? this.data.nodes[this.node] : null;
  }

  // The function and block that stand in the box when it is open; none in a node with several blocks.
  get frame() {
    if (this.kind === 'function') return { function: this.function, block: 0 };
    if (this.kind === 'block') return { function: this.function, block: this.block };
    if (this.kind === 'node' && this.operation.calls !== undefined) return { function: this.operation.calls, block: 0 };
    return null;
  }

  get opens() {
    if (this.depth >= DEEPEST) return false;
    const node = this.operation;
    return !node || node.calls !== undefined || (node.blocks || []).length > 0;
  }

  get boxes() {
    if (!this.made) this.made = this.opens ? this.make() : [];
    return this.made;
  }

  make() {
    const frame = this.frame;
    if (frame) {
      const path = this.kind === 'node' ? joined(this.path, this.operation.path) : this.path;
      return this.hold(program.functions[frame.function].blocks[frame.block].items, frame.function, path);
    }
    if (this.kind === 'group') return this.hold(this.items, this.function, this.path);
    return this.operation.blocks.map((block, at) =>
      new Box(this, `b${at}`, 'block', { function: this.function, block, path: this.path, open: true, at }));
  }

  hold(items, number, path) {
    return items.map((item, at) => typeof item === 'number'
      ? new Box(this, `n${item}`, 'node', { function: number, node: item, path })
      : new Box(this, `g${at}`, 'group', { function: number, items: item.items, group: item, path }));
  }

  get label() {
    const node = this.operation;
    if (this.kind === 'function') return functionLabel(this.function);
    if (this.kind === 'group') return this.group.label;
    if (this.kind === 'block') return this.blockLabel();
    if (node.calls === undefined) return node.kind;
    return node.path ? `${node.path}.${lastPart(program.functions[node.calls].name)}` : lastPart(program.functions[node.calls].name);
  }

  blockLabel() {
    const kind = this.parent.operation.kind;
    if (kind === 'prim::If') return this.at === 0 ? 'then' : 'else';
    return kind === 'prim::Loop' ? 'body' : `block ${this.at}`;
  }

  // Below the label: what is known of operands, or which class's method is called.
  get lines() {
    const node = this.operation;
    if (this.kind === 'function' || !node) return [];
    if (node.calls !== undefined) return [className(program.functions[node.calls].name)].filter(Boolean);
    const known = node.inputs.map((value, at) => [parameter(node, at), this.data.values[value].literal]);
    return known.filter(([, text]) => text !== undefined && text !== 'None')
      .map(([name, text]) => (name ? `${name}=${text}` : text));
  }

  // What it is, for who hears it.
  get spoken() {
    const node = this.operation;
    const parts = [this.label];
    if (node) parts.push(...node.outputs.map((value) => described(this.data.values[value])));
    const cost = costText(this);
    if (cost) parts.push(cost);
    return parts.join(', ');
  }
}

const joined = (path, part) => (path && part ? `${path}.${part}` : path || part || '');

// `Linear` of `__torch__.torch.nn.modules.linear.___torch_mangle_3.Linear.forward`.
const className = (name) => name.split('.').slice(-2, -1)[0] || '';

// The function that was asked for by its own name, others with their class's too.
function functionLabel(number) {
  const { name } = program.functions[number];
  return number === 0 ? lastPart(name) : joined(className(name), lastPart(name));
}

const parameter = (node, at) => (node.parameters === undefined ? undefined : program.parameters[node.parameters][at]);

const typeOf = (value) => (value.seen && value.seen.length ? value.seen.join(' or ') : value.shape || program.types[value.type]);

const described = (value) => `%${value.name} : ${typeOf(value)}`;

// -- functions that nobody calls are the outline's first row

const called = new Set(program.functions.flatMap((f) => f.nodes.map((node) => node.calls)));
const roots = program.functions.map((_, at) => at).filter((at) => at === 0 || !called.has(at))
  .map((at) => new Box(null, `f${at}`, 'function', { function: at }));

// -- which values a box reads and makes

const usesOf = new Map();

// Values that a node reads itself or in its blocks.
function uses(number, node) {
  const key = `${number}:${node}`;
  if (!usesOf.has(key)) {
    const data = program.functions[number];
    const all = new Set();
    const open = [node];
    while (open.length) {
      const at = data.nodes[open.pop()];
      at.inputs.forEach((value) => all.add(value));
      for (const block of at.blocks || []) {
        data.blocks[block].outputs.forEach((value) => all.add(value));
        open.push(...leaves(data.blocks[block].items));
      }
    }
    usesOf.set(key, all);
  }
  return usesOf.get(key);
}

// The nodes among items and in their groups.
function leaves(items) {
  return items.flatMap((item) => (typeof item === 'number' ? [item] : leaves(item.items)));
}

const nodesOf = (box) => (box.kind === 'node' ? [box.node] : leaves(box.items || []));

function reads(box) {
  return new Set(nodesOf(box).flatMap((node) => [...uses(box.function, node)]));
}

function makes(box) {
  return nodesOf(box).flatMap((node) => box.data.nodes[node].outputs);
}

// -- going through boxes

// Every box in reach, outer ones first, each once; `into` says whether one is looked into.
function* walk(from, into = () => true) {
  let row = [...from];
  for (let count = 0; row.length;) {
    const next = [];
    for (const box of row) {
      yield box;
      count += 1;
      if (count > MOST_FOUND) return;
      if (into(box)) next.push(...box.boxes);
    }
    row = next;
  }
}

const nodeKey = (number, node) => `${number}:${node}`;

let firstBoxes = null;

// The box of a node: in the function that the selection is in, else the first there is. A node that stands where it is used has the box of who uses it.
function boxOf(number, node, near) {
  const shown = shownNode(number, node);
  for (let at = near; at; at = at.parent) {
    if (at.frame && at.frame.function === number && at.frame.block === 0) {
      const inside = (box) => box === at || !(box.frame && box.frame.block === 0);
      for (const box of walk([at], inside)) {
        if (box !== at && box.kind === 'node' && box.node === shown && box.function === number) return box;
      }
    }
  }
  if (!firstBoxes) {
    firstBoxes = new Map();
    for (const box of walk(roots)) {
      const key = nodeKey(box.function, box.node);
      if (box.kind === 'node' && !firstBoxes.has(key)) firstBoxes.set(key, box);
    }
  }
  return firstBoxes.get(nodeKey(number, shown));
}

function shownNode(number, node) {
  const data = program.functions[number];
  for (let at = node, steps = 0; steps < data.nodes.length; steps += 1) {
    if (!data.nodes[at].folded) return at;
    const made = data.nodes[at].outputs[0];
    const user = data.nodes.findIndex((other) => other.inputs.includes(made));
    if (user < 0) return node;
    at = user;
  }
  return node;
}

// -- times

const functionCosts = new Map();

// What the code of a function took in all, with what it calls.
function functionCost(number, depth = 0) {
  if (!functionCosts.has(number)) {
    functionCosts.set(number, 0);
    const nodes = program.functions[number].nodes;
    functionCosts.set(number, nodes.reduce((sum, node) => sum + nodeCost(node, depth), 0));
  }
  return functionCosts.get(number);
}

function nodeCost(node, depth = 0) {
  if (node.calls === undefined) return node.nanoseconds || 0;
  return depth < DEEPEST ? functionCost(node.calls, depth + 1) : 0;
}

const operatorCosts = new Map(((program.profile || {}).operators || []).map((row) => [row.kind, row.nanoseconds]));

// Nanoseconds of a box; where places are not known, those of all nodes with its operator.
function costOf(box) {
  if (!program.profile) return 0;
  if (!program.profile.placed) return box.kind === 'node' ? operatorCosts.get(box.operation.kind) || 0 : 0;
  if (box.kind === 'function') return functionCost(box.function);
  const nodes = box.kind === 'block' ? leaves(box.data.blocks[box.block].items) : nodesOf(box);
  const inner = (node) => {
    const data = box.data.nodes[node];
    const blocks = (data.blocks || []).flatMap((block) => leaves(box.data.blocks[block].items));
    return nodeCost(data) + blocks.reduce((sum, at) => sum + inner(at), 0);
  };
  return nodes.reduce((sum, node) => sum + inner(node), 0);
}

function timeText(nanoseconds) {
  const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs']];
  const [size, unit] = units.find(([size]) => nanoseconds >= size) || [1, 'ns'];
  return `${(nanoseconds / size).toPrecision(3)} ${unit}`;
}

function costText(box) {
  const cost = costOf(box);
  return cost ? timeText(cost) : '';
}

// How much of all time a box took, in steps from 0 to 5.
function heat(box) {
  const share = program.profile ? costOf(box) / (program.profile.nanoseconds || 1) : 0;
  return [0.001, 0.01, 0.03, 0.1, 0.3].filter((least) => share >= least).length;
}
