// Where boxes stand: what is in a box is laid out by itself, and then the box is one of its size for the box around it, so that no two overlap. What did not change
// is not laid out again.

const CHARACTER = 7.3;
const LINE = 15;
const HEADER = 26;
const PADDING = 14;
const MOST_LABEL = 44;
const MOST_BOX_LINES = 4;
// More values from outside than these are one pill.
const MOST_PILLS = 10;
// Beyond these edges a box's ranks are found by the quick way.
const MANY_EDGES = 160;

const shortened = (text, most = MOST_LABEL) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const widthOf = (texts) => Math.max(48, ...texts.map((text) => text.length * CHARACTER + 2 * 10));

// The lines that a closed box shows.
function boxTexts(box) {
  const lines = box.lines;
  const some = lines.slice(0, MOST_BOX_LINES).map((line) => shortened(line));
  if (lines.length > MOST_BOX_LINES) some.push(`… ${lines.length - MOST_BOX_LINES} more`);
  const cost = showsTimes() ? costText(box) : '';
  return [shortened(box.label), ...some, ...(cost ? [cost] : [])];
}

function closedSize(box) {
  const texts = boxTexts(box);
  const mark = box.opens ? 3 : 0;
  return { width: widthOf([texts[0] + ' '.repeat(mark), ...texts.slice(1)]), height: 12 + texts.length * LINE, texts };
}

// What changed is forgotten, up to the outermost box.
function forget(box) {
  for (let at = box; at; at = at.parent) at.layout = null;
}

// Size of a box with what is in it, at places from its own corner.
function layout(box) {
  if (!box.layout) box.layout = box.open && box.opens ? opened(box) : { ...closedSize(box), children: [], edges: [] };
  return box.layout;
}

function opened(box) {
  const inner = box.frame || box.kind === 'group' ? ranked(box) : row(box);
  const label = widthOf([`${shortened(box.label)}   `]);
  const width = Math.max(inner.width + 2 * PADDING, label);
  const shift = (width - inner.width) / 2;
  const moved = (point) => ({ ...point, x: point.x + shift, y: point.y + HEADER });
  return {
    width,
    height: inner.height + HEADER + PADDING,
    texts: [shortened(box.label)],
    children: inner.children.map(moved),
    edges: inner.edges.map((edge) => ({ ...edge, points: edge.points.map(moved), at: edge.at && moved(edge.at) })),
  };
}

// Blocks of a node, side by side.
function row(box) {
  let x = 0;
  const children = box.boxes.map((child) => {
    const { width, height } = layout(child);
    const placed = { box: child, x, y: 0, width, height };
    x += width + PADDING;
    return placed;
  });
  return { width: Math.max(0, x - PADDING), height: Math.max(0, ...children.map((child) => child.height)), children, edges: [] };
}

// What flows between the boxes in a box: pairs of names with the values between them, and pills for what comes from outside and goes there.
function flow(box) {
  const children = box.boxes;
  const number = box.frame ? box.frame.function : box.function;
  const data = program.functions[number];
  const isModule = (value) => program.types[data.values[value].type].startsWith('__torch__.');
  const maker = new Map(children.flatMap((child) => makes(child).map((value) => [value, child.key])));
  const pairs = new Map();
  const outside = new Map();
  const add = (from, to, value) => {
    const pair = `${from} ${to}`;
    if (!pairs.has(pair)) pairs.set(pair, { from, to, values: [] });
    pairs.get(pair).values.push(data.values[value]);
  };
  for (const child of children) {
    for (const value of reads(child)) {
      const from = maker.get(value);
      if (from === child.key || data.values[value].literal !== undefined) continue;
      if (from) add(from, child.key, value);
      else if (!isModule(value) && !madeInside(child, value)) outside.set(value, [...(outside.get(value) || []), child.key]);
    }
  }
  const pills = inputPills(box, data, outside, add);
  return { pairs, pills: [...pills, ...outputPills(box, data, maker, add)], number };
}

// Values that a node's own blocks take or make come from nowhere else.
function madeInside(child, value) {
  if (!child.inner) {
    const data = child.data;
    const open = nodesOf(child);
    child.inner = new Set();
    while (open.length) {
      for (const at of data.nodes[open.pop()].blocks || []) {
        const block = data.blocks[at];
        block.inputs.forEach((input) => child.inner.add(input));
        for (const node of insideOf(data, block)) {
          data.nodes[node].outputs.forEach((output) => child.inner.add(output));
          open.push(node);
        }
      }
    }
  }
  return child.inner.has(value);
}

const insideOf = (data, block) => leaves(block.items);

function inputPills(box, data, outside, add) {
  const values = [...outside.keys()];
  if (values.length > MOST_PILLS) {
    const key = `${box.key}/in`;
    for (const [value, users] of outside) users.forEach((user) => add(key, user, value));
    return [{ key, text: `${values.length} values`, kind: 'input' }];
  }
  return values.map((value) => {
    const key = `${box.key}/v${value}`;
    outside.get(value).forEach((user) => add(key, user, value));
    return { key, text: shortened(`%${data.values[value].name}`, 24), kind: 'input' };
  });
}

function outputPills(box, data, maker, add) {
  if (!box.frame) return [];
  const outputs = [...new Set(data.blocks[box.frame.block].outputs)].slice(0, MOST_PILLS);
  return outputs.map((value) => {
    const key = `${box.key}/o${value}`;
    const from = maker.get(value);
    if (from) add(from, key, value);
    const literal = data.values[value].literal;
    return { key, text: shortened(literal === undefined ? `%${data.values[value].name}` : literal, 24), kind: 'output' };
  });
}

// What stands at an edge: a type that says more than that it is a tensor.
function edgeText(values) {
  const [first] = values;
  const type = typeOf(first);
  const text = type === 'Tensor' ? '' : shortened(type, 30);
  return values.length > 1 ? `${text} (${values.length} values)`.trim() : text;
}

function ranked(box) {
  const { pairs, pills } = flow(box);
  const graph = new dagre.graphlib.Graph();
  const settings = { rankdir: 'TB', nodesep: 22, ranksep: 26, edgesep: 10 };
  graph.setGraph(pairs.size > MANY_EDGES ? { ...settings, ranker: 'longest-path' } : settings);
  const placed = new Map();
  for (const child of box.boxes) placed.set(child.key, { box: child, ...sizeOf(layout(child)) });
  for (const pill of pills) placed.set(pill.key, { pill, width: widthOf([pill.text]), height: 22 });
  for (const [key, { width, height }] of placed) graph.setNode(key, { width, height });
  for (const { from, to, values } of pairs.values()) {
    const text = edgeText(values);
    const label = text ? { width: text.length * 6.2 + 6, height: 14, labelpos: 'c' } : {};
    graph.setEdge(from, to, { ...label, text, all: shortened(values.map(described).join(', '), 400) });
  }
  if (placed.size === 0) return { width: 0, height: 0, children: [], edges: [] };
  dagre.layout(graph);
  return fromCorner(graph, placed);
}

const sizeOf = ({ width, height }) => ({ width, height });

// Places from the corner of all that is drawn, edges and their texts too.
function fromCorner(graph, placed) {
  const children = [...placed].map(([key, child]) => {
    const { x, y } = graph.node(key);
    return { ...child, x: x - child.width / 2, y: y - child.height / 2 };
  });
  const edges = graph.edges().map((edge) => {
    const { points, text, all, x, y, width } = graph.edge(edge);
    return { points, text, all, from: edge.v, to: edge.w, at: text ? { x, y, width } : null };
  });
  const xs = [...children.flatMap((c) => [c.x, c.x + c.width]), ...edges.flatMap((e) => e.points.map((p) => p.x)),
    ...edges.flatMap((e) => (e.at ? [e.at.x - e.at.width / 2, e.at.x + e.at.width / 2] : []))];
  const ys = [...children.flatMap((c) => [c.y, c.y + c.height]), ...edges.flatMap((e) => e.points.map((p) => p.y))];
  const [left, right] = extremes(xs);
  const [top, bottom] = extremes(ys);
  const moved = (point) => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: right - left,
    height: bottom - top,
    children: children.map(moved),
    edges: edges.map((edge) => ({ ...edge, points: edge.points.map(moved), at: edge.at && moved(edge.at) })),
  };
}

function extremes(numbers) {
  return numbers.reduce(([least, most], n) => [Math.min(least, n), Math.max(most, n)], [Infinity, -Infinity]);
}
