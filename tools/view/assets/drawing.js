// The drawing: boxes that can be reached by keys, each an element of its own beside the others, because no button may be inside of another.

const SVG = 'http://www.w3.org/2000/svg';
const canvas = document.getElementById('canvas');
let zoom = 1;
// What is drawn, by key: the element, the box, and the boxes that it gives values to.
let drawn = new Map();

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw() {
  const focused = canvas.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  drawn = new Map();
  const root = currentRoot();
  const whole = layout(root);
  const svg = shape('svg', { role: 'group', 'aria-label': `Drawing of ${root.label}`, viewBox: `-4 -4 ${whole.width + 8} ${whole.height + 8}` });
  const layers = ['frames', 'edges', 'boxes'].map((name) => shape('g', { class: name }));
  place(root, 0, 0, layers);
  svg.append(...layers);
  canvas.replaceChildren(svg);
  scale();
  if (focused && drawn.has(focused)) drawn.get(focused).element.focus({ preventScroll: true });
}

function scale() {
  const svg = canvas.firstElementChild;
  const whole = layout(currentRoot());
  svg.setAttribute('width', Math.ceil((whole.width + 8) * zoom));
  svg.setAttribute('height', Math.ceil((whole.height + 8) * zoom));
}

// Draws a box at a place, and what is in it.
function place(box, x, y, layers) {
  const [frames, edges, boxes] = layers;
  const { width, height, texts, children, edges: lines } = layout(box);
  const isOpen = box.open && box.opens;
  const classes = ['box', box.kind, isOpen ? 'open' : 'closed', `heat${showsTimes() && !isOpen ? heat(box) : 0}`];
  const element = shape('g', { class: classes.join(' '), role: 'button', tabindex: -1, 'aria-label': box.spoken, 'data-key': box.key });
  if (box.opens) element.setAttribute('aria-expanded', String(isOpen));
  element.append(shape('title', {}, box.spoken), shape('rect', { x, y, width, height, rx: 5 }));
  const mark = box.opens ? (isOpen ? '− ' : '+ ') : '';
  texts.forEach((text, at) => {
    const line = { x: x + 10, y: y + 17 + at * LINE, class: at === 0 ? 'name' : 'fact' };
    element.append(shape('text', line, at === 0 ? mark + text : text));
  });
  (isOpen ? frames : boxes).append(element);
  drawn.set(box.key, { element, box, to: [], from: [], x, y });
  for (const child of children) {
    if (child.box) place(child.box, x + child.x, y + child.y, layers);
    else pill(child, x, y, boxes);
  }
  lines.forEach((line) => edge(line, x, y, edges));
}

function pill({ pill: { text, kind, key }, x, y, width, height }, left, top, layer) {
  const element = shape('g', { class: `pill ${kind}`, role: 'img', 'aria-label': `${kind} ${text}`, 'data-key': key });
  element.append(shape('rect', { x: left + x, y: top + y, width, height, rx: height / 2 }));
  element.append(shape('text', { x: left + x + 10, y: top + y + 15, class: 'fact' }, text));
  layer.append(element);
}

function edge({ points, text, all, at, from, to }, left, top, layer) {
  const places = points.map(({ x, y }) => [left + x, top + y]);
  const [first, ...rest] = places;
  const last = rest[rest.length - 1];
  const middles = rest.slice(0, -1).map(([x, y], i) => `Q ${x} ${y} ${(x + rest[i + 1][0]) / 2} ${(y + rest[i + 1][1]) / 2}`);
  layer.append(shape('path', { d: `M ${first} ${middles.join(' ')} L ${last}`, class: 'edge' }));
  layer.append(shape('path', { d: `M ${last} l -4 -7 l 8 0 z`, class: 'tip' }));
  if (at) {
    const type = shape('text', { x: left + at.x, y: top + at.y + 4, class: 'type', 'text-anchor': 'middle' }, text);
    type.append(shape('title', {}, all));
    layer.append(type);
  }
  if (drawn.has(from) && drawn.has(to)) {
    drawn.get(from).to.push(to);
    drawn.get(to).from.push(from);
  }
}

// Marks what is selected, and what its values come from and go to.
function markDrawing(box, nodes) {
  let reached = false;
  for (const [key, { element, box: other }] of drawn) {
    const isSelected = box === other;
    const isMeant = other.kind === 'node' && nodes.has(nodeKey(other.function, other.node));
    element.classList.toggle('selected', isSelected);
    element.classList.toggle('meant', isMeant && !isSelected);
    element.setAttribute('tabindex', isSelected ? 0 : -1);
    reached = reached || isSelected;
    if (isSelected && key) element.setAttribute('aria-current', 'true');
    else element.removeAttribute('aria-current');
  }
  if (!reached && drawn.size) drawn.values().next().value.element.setAttribute('tabindex', 0);
}

function showInDrawing(box) {
  const at = drawn.get(box.key);
  if (!at) return;
  const [left, top] = [(at.x + 4) * zoom, (at.y + 4) * zoom];
  const { width, height } = layout(box);
  const isSeen = left >= canvas.scrollLeft && left + Math.min(width * zoom, 200) <= canvas.scrollLeft + canvas.clientWidth
    && top >= canvas.scrollTop && top + Math.min(height * zoom, 80) <= canvas.scrollTop + canvas.clientHeight;
  if (!isSeen) {
    canvas.scrollLeft = left + Math.min(width * zoom, canvas.clientWidth) / 2 - canvas.clientWidth / 2;
    canvas.scrollTop = top + Math.min(height * zoom, canvas.clientHeight) / 2 - canvas.clientHeight / 2;
  }
}

const boxAt = (target) => {
  const element = target.closest ? target.closest('[role=button][data-key]') : null;
  return element && drawn.has(element.dataset.key) ? drawn.get(element.dataset.key).box : null;
};

// The box that a key goes to from another.
function neighbour(box, key) {
  const all = [...drawn.keys()];
  const at = all.indexOf(box.key);
  const { to, from } = drawn.get(box.key);
  const goals = {
    ArrowDown: to[0] || all[at + 1],
    ArrowUp: from[0] || all[at - 1],
    ArrowRight: all[at + 1],
    ArrowLeft: all[at - 1],
    Home: all[0],
    End: all[all.length - 1],
    Escape: box.parent && box.parent.key,
  };
  const goal = drawn.get(goals[key]);
  return goal && goal.box;
}

canvas.addEventListener('click', (event) => {
  const box = boxAt(event.target);
  if (!box) return;
  choose(box, event);
  drawn.get(box.key).element.focus({ preventScroll: true });
});

canvas.addEventListener('keydown', (event) => {
  const box = boxAt(event.target);
  if (event.key === '+' || event.key === '-') setZoom(zoom * (event.key === '+' ? 1.25 : 0.8));
  else if (box && (event.key === 'Enter' || event.key === ' ')) toggle(box);
  else if (box && neighbour(box, event.key)) {
    const goal = neighbour(box, event.key);
    select(goal);
    drawn.get(goal.key).element.focus({ preventScroll: true });
  } else return;
  event.preventDefault();
});

function setZoom(wanted) {
  zoom = Math.min(3, Math.max(0.1, wanted));
  scale();
}

function fit() {
  const whole = layout(currentRoot());
  setZoom(Math.min(1, (canvas.clientWidth - 12) / (whole.width + 8), (canvas.clientHeight - 12) / (whole.height + 8)));
}
