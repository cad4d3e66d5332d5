// Panes of texts: of a text with a hundred thousand lines only those in sight are elements. A line that is chosen selects the nodes it is tied to.

const ROW = 18;
const BESIDE = 20;

class TextPane {
  constructor({ name, title, texts }) {
    Object.assign(this, { name, title, rows: [], at: 0, links: new Map(), lines: new Map(), marked: new Set() });
    texts.forEach((text) => this.add(text));
    this.element = document.createElement('section');
    this.element.className = 'pane text';
    this.element.setAttribute('aria-label', title);
    const heading = document.createElement('h2');
    heading.textContent = title;
    this.list = document.createElement('div');
    this.list.className = 'lines';
    this.list.tabIndex = 0;
    this.list.setAttribute('role', 'listbox');
    this.list.setAttribute('aria-label', `${title}, lines`);
    this.list.setAttribute('aria-multiselectable', 'true');
    this.space = document.createElement('div');
    this.space.className = 'space';
    this.space.setAttribute('role', 'presentation');
    this.space.style.height = `${this.rows.length * ROW}px`;
    this.list.append(this.space);
    this.element.append(heading, this.list);
    this.list.addEventListener('scroll', () => this.write());
    this.list.addEventListener('click', (event) => this.click(event));
    this.list.addEventListener('keydown', (event) => this.key(event));
    new ResizeObserver(() => this.write()).observe(this.list);
  }

  add({ title, first_line: first, text, links }) {
    if (title) this.rows.push({ text: title, number: '', head: true });
    const start = this.rows.length;
    const lines = text.split('\n');
    if (lines[lines.length - 1] === '') lines.pop();
    lines.forEach((line, at) => this.rows.push({ text: line, number: first + at }));
    for (const [line, number, node] of links) {
      const [row, key] = [start + line, nodeKey(number, node)];
      if (!this.links.has(row)) this.links.set(row, []);
      this.links.get(row).push([number, node]);
      if (!this.lines.has(key)) this.lines.set(key, []);
      this.lines.get(key).push(row);
    }
  }

  // The lines in sight as elements.
  write() {
    const height = this.list.clientHeight;
    if (!height) return;
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - BESIDE);
    const last = Math.min(this.rows.length, Math.ceil((this.list.scrollTop + height) / ROW) + BESIDE);
    const shown = [];
    for (let at = first; at < last; at += 1) shown.push(this.row(at));
    if (this.at < first || this.at >= last) shown.push(this.row(this.at));
    this.space.replaceChildren(...shown);
    this.list.setAttribute('aria-activedescendant', this.id(this.at));
  }

  id(at) {
    return `${this.name}-${at}`;
  }

  row(at) {
    const { text, number, head } = this.rows[at];
    const row = document.createElement('div');
    row.id = this.id(at);
    row.className = ['line', head ? 'head' : '', this.links.has(at) ? 'linked' : '', at === this.at ? 'current' : ''].join(' ');
    row.setAttribute('role', 'option');
    row.setAttribute('aria-selected', String(this.marked.has(at)));
    row.setAttribute('aria-setsize', this.rows.length);
    row.setAttribute('aria-posinset', at + 1);
    row.dataset.row = at;
    row.dataset.number = number;
    row.style.top = `${at * ROW}px`;
    row.textContent = text;
    if (!text.trim()) row.setAttribute('aria-label', 'empty line');
    return row;
  }

  click(event) {
    const row = event.target.closest('[data-row]');
    if (row) this.choose(Number(row.dataset.row));
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length }[event.key];
    if (step !== undefined) this.go(this.at + step);
    else if (event.key === 'Enter' || event.key === ' ') this.choose(this.at);
    else return;
    event.preventDefault();
  }

  go(at) {
    this.at = Math.min(this.rows.length - 1, Math.max(0, at));
    const top = this.at * ROW;
    if (top < this.list.scrollTop || top + ROW > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = top - this.list.clientHeight / 2;
    }
    this.write();
  }

  choose(at) {
    this.at = at;
    // A line inside of a loop is of the loop too; what is meant is what has the fewest lines.
    const length = ([number, node]) => this.lines.get(nodeKey(number, node)).length;
    const nodes = this.links.get(at) || [];
    const least = Math.min(...nodes.map(length));
    if (nodes.length) selectNodes(nodes.filter((node) => length(node) === least), this);
    else this.write();
  }

  // Marks the lines of nodes, and shows the first unless one is in sight.
  mark(nodes, shows) {
    const rows = [...nodes].flatMap((key) => this.lines.get(key) || []);
    this.marked = new Set(rows);
    if (rows.length && shows) this.go(rows.reduce((least, row) => Math.min(least, row)));
    else this.write();
  }
}
