// Panes of tables: what is selected, the weights, and how much there is of everything.

// Rows of a table that are elements at once; the rest is found by its filter.
const MOST_ROWS = 500;

function element(name, text, fields = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return Object.assign(made, fields);
}

function table(caption, head, body, fields = []) {
  const made = element('table');
  made.append(element('caption', caption));
  const titles = element('tr');
  titles.append(...head.map((title) => element('th', title, { scope: 'col' })));
  const rows = body.map((cells) => {
    const row = element('tr');
    row.append(...cells.map((cell, at) => {
      const td = element(at === 0 ? 'th' : 'td', cell instanceof Node ? undefined : cell);
      if (at === 0) td.scope = 'row';
      if (fields.includes(at)) td.className = 'number';
      if (cell instanceof Node) td.append(cell);
      return td;
    }));
    return row;
  });
  const [thead, tbody] = [element('thead'), element('tbody')];
  thead.append(titles);
  tbody.append(...rows);
  made.append(thead, tbody);
  return made;
}

class TablePane {
  constructor(name, title) {
    Object.assign(this, { name, title });
    this.element = element('section', undefined, { className: 'pane table' });
    this.element.setAttribute('aria-label', title);
    this.body = element('div', undefined, { className: 'body', tabIndex: 0 });
    this.body.setAttribute('role', 'region');
    this.body.setAttribute('aria-label', `${title}, contents`);
    this.element.append(element('h2', title), this.body);
  }

  write() {}

  mark() {}
}

// -- what is selected

class DetailsPane extends TablePane {
  mark() {
    const { box } = selection;
    if (!box) return this.body.replaceChildren(element('p', 'Nothing is selected.'));
    const node = box.operation;
    const facts = [['name', box.label], ['module', box.path || '(self)'], ['function', box.data.name]];
    if (node) facts.push(['operator', node.kind], ['place', node.place || 'not known']);
    if (node && node.calls !== undefined) facts.push(['calls', program.functions[node.calls].name]);
    if (costText(box)) facts.push(['time', costDetails(box)]);
    const parts = [table('Selected', ['what', 'is'], facts)];
    const frame = !node && box.frame && box.data.blocks[box.frame.block];
    const values = (title, list, name) => list.length && parts.push(this.values(box, title, list, name));
    values('Inputs', node ? node.inputs : (frame && frame.inputs) || [], (at) => (node && parameter(node, at)) || String(at));
    values('Outputs', node ? node.outputs : (frame && frame.outputs) || [], String);
    if (node && node.attributes) parts.push(table('Attributes', ['name', 'value'], node.attributes));
    return this.body.replaceChildren(...parts);
  }

  values(box, title, list, name) {
    const row = (value, at) => {
      const data = box.data.values[value];
      const button = element('button', `%${data.name}`, { type: 'button', className: 'link' });
      button.setAttribute('aria-label', `Go to what makes %${data.name}`);
      const maker = box.data.nodes.findIndex((other) => other.outputs.includes(value));
      button.addEventListener('click', () => selectNodes([[box.function, maker]]));
      const type = data.literal === undefined ? typeOf(data) : `${program.types[data.type]} = ${data.literal}`;
      return [name(at), maker < 0 ? `%${data.name}` : button, type];
    };
    return table(title, ['what', 'value', 'type'], list.map(row));
  }
}

function costDetails(box) {
  const node = box.operation;
  const runs = node && node.runs ? ` in ${node.runs} runs` : '';
  const whose = program.profile.placed ? 'of this code' : `of all ${node ? node.kind : ''}`;
  return `${costText(box)}${runs}, ${whose}`;
}

// -- weights

const bytesText = (bytes) => {
  const units = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']];
  const [size, unit] = units.find(([size]) => bytes >= size) || [1, 'bytes'];
  return `${size === 1 ? bytes : (bytes / size).toPrecision(3)} ${unit}`;
};

const short = (number) => (number === undefined || number === null ? '' : String(Number(number.toPrecision(5))));

class WeightsPane extends TablePane {
  constructor() {
    super('weights', 'Weights');
    const label = element('label', 'Only names with ');
    this.filter = element('input', undefined, { type: 'text', spellcheck: false });
    this.filter.addEventListener('input', () => this.write());
    label.append(this.filter);
    this.element.insertBefore(label, this.body);
  }

  write() {
    const words = this.filter.value.toLowerCase();
    const all = program.weights.filter(({ name }) => name.toLowerCase().includes(words));
    const bytes = all.reduce((sum, weight) => sum + weight.bytes, 0);
    const elements = all.reduce((sum, { shape }) => sum + shape.reduce((product, size) => product * size, 1), 0);
    const rest = all.length > MOST_ROWS ? `, the first ${MOST_ROWS} are shown` : '';
    const caption = `${all.length} weights, ${elements.toLocaleString('en')} elements, ${bytesText(bytes)}${rest}`;
    const row = (w) => [w.name, w.kind, `${w.dtype}[${w.shape.join(', ')}]`, bytesText(w.bytes), short(w.min), short(w.max), short(w.mean), w.not_finite || ''];
    const head = ['name', 'kind', 'type', 'size', 'least', 'most', 'mean', 'not finite'];
    this.body.replaceChildren(table(caption, head, all.slice(0, MOST_ROWS).map(row), [3, 4, 5, 6, 7]));
  }
}

// -- totals

// How often each operator stands in a function and in what it calls.
function countOperators(number, known = new Map(), depth = 0) {
  if (known.has(number) || depth > DEEPEST) return known.get(number) || new Map();
  const counts = new Map();
  known.set(number, counts);
  for (const node of program.functions[number].nodes) {
    if (node.calls === undefined) counts.set(node.kind, (counts.get(node.kind) || 0) + 1);
    else for (const [kind, n] of countOperators(node.calls, known, depth + 1)) counts.set(kind, (counts.get(kind) || 0) + n);
  }
  return counts;
}

class TotalsPane extends TablePane {
  write() {
    const nodes = program.functions.reduce((sum, f) => sum + f.nodes.length, 0);
    const bytes = program.weights.reduce((sum, weight) => sum + weight.bytes, 0);
    const facts = [
      ['written by', program.generator],
      ['functions', program.functions.length],
      ['nodes, each function once', nodes],
      ['weights', `${program.weights.length}, ${bytesText(bytes)}`],
      ...program.omitted.map((text) => ['not on this page', text]),
    ];
    const counts = [...countOperators(0)].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const entry = program.functions[0].name;
    const parts = [table('All', ['what', 'how much'], facts)];
    if (program.profile) parts.push(this.times());
    parts.push(table(`Operators of ${entry}, calls followed`, ['operator', 'count'], counts, [1]));
    this.body.replaceChildren(...parts);
  }

  times() {
    const { from, nanoseconds, operators } = program.profile;
    const share = (row) => `${((100 * row.nanoseconds) / (nanoseconds || 1)).toFixed(1)} %`;
    const rows = operators.map((row) => [row.kind, row.runs, timeText(row.nanoseconds), share(row)]);
    return table(`Times of ${from}: ${timeText(nanoseconds)}`, ['operator', 'runs', 'time', 'share'], rows, [1, 2, 3]);
  }
}
