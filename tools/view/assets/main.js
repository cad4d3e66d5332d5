// The page: one selection for the drawing, the outline and all panes.

const selection = { box: null, nodes: new Set() };
const statusLine = document.getElementById('status');
const say = (text) => { statusLine.textContent = text; };

const currentRoot = () => {
  let at = selection.box || roots[0];
  while (at.parent) at = at.parent;
  return at;
};

const timesButton = document.getElementById('times');
const showsTimes = () => Boolean(program.profile) && timesButton.getAttribute('aria-pressed') === 'true';

// Selects a box. Panes show its lines, but the one that it was selected in stays where it is.
function select(box, nodes, from) {
  const before = currentRoot();
  selection.box = box;
  selection.nodes = nodes || new Set(box && box.kind !== 'function' ? nodesOf(box).map((node) => nodeKey(box.function, node)) : []);
  if (currentRoot() !== before) draw();
  markDrawing(box, selection.nodes);
  markOutline(box, selection.nodes);
  panes.forEach((pane) => pane.mark(selection.nodes, pane !== from));
  if (!box) return;
  showInDrawing(box);
  showInOutline(box);
  say(box.spoken);
}

// Opens what is around a box and selects it.
function reveal(box, nodes, from) {
  let isNew = false;
  for (let at = box.parent; at; at = at.parent) {
    if (!at.open) {
      at.open = true;
      isNew = true;
    }
    if (isNew) forget(at);
  }
  selection.box = box;
  if (isNew) write();
  else draw();
  select(box, nodes, from);
}

// Selects nodes by their functions and numbers; the first is the one that is gone to.
function selectNodes(list, from) {
  const nodes = new Set(list.flatMap(([number, node]) => [nodeKey(number, node), nodeKey(number, shownNode(number, node))]));
  const box = list.map(([number, node]) => boxOf(number, node, selection.box)).find(Boolean);
  if (box) reveal(box, nodes, from);
  else select(selection.box, nodes, from);
}

let isToggled = false;

// A click selects, and opens what is selected already; a double click opens.
function choose(box, event) {
  const again = selection.box === box;
  select(box);
  const isFirst = event.detail <= 1;
  const toggles = isFirst ? again : !isToggled;
  if (toggles) toggle(box);
  if (isFirst) isToggled = toggles;
}

function toggle(box) {
  if (!box.opens) return;
  box.open = !box.open;
  forget(box);
  write();
  markDrawing(selection.box, selection.nodes);
  markOutline(selection.box, selection.nodes);
  showInDrawing(box);
  say(`${box.label} ${box.open ? `opened, ${box.boxes.length} inside` : 'closed'}`);
}

function write() {
  writeOutline();
  draw();
}

// -- panes

const tables = [new DetailsPane('details', 'Details'), new TotalsPane('totals', 'Totals')];
if (program.weights.length) tables.splice(1, 0, new WeightsPane());
const panes = [...program.panes.map((pane) => new TextPane(pane)), ...tables];
// What is open at first: the first text that people wrote or read, the graph, and what is selected.
const firstPanes = new Set([panes.some((pane) => pane.name === 'source') ? 'source' : panes[0].name, 'graph', 'details']);

function showPane(pane, button, isShown) {
  button.setAttribute('aria-pressed', String(isShown));
  pane.element.hidden = !isShown;
  if (isShown) {
    pane.write();
    pane.mark(selection.nodes, true);
  }
}

function writeChoice() {
  const buttons = panes.map((pane) => {
    const button = element('button', pane.title, { type: 'button' });
    button.addEventListener('click', () => showPane(pane, button, pane.element.hidden));
    return button;
  });
  document.getElementById('choice').append(...buttons);
  document.getElementById('panes').append(...panes.map((pane) => pane.element));
  panes.forEach((pane, at) => showPane(pane, buttons[at], firstPanes.has(pane.name)));
}

// -- buttons and keys

const THEMES = ['system', 'light', 'dark'];
const themeButton = document.getElementById('theme');

function nextTheme() {
  const root = document.documentElement;
  const next = THEMES[(THEMES.indexOf(root.dataset.theme || 'system') + 1) % THEMES.length];
  root.dataset.theme = next;
  themeButton.textContent = `Theme: ${next}`;
}

function collapseAll() {
  for (const root of roots) {
    for (const box of walk([root], (box) => box.open)) {
      if (box.kind !== 'block') box.open = box === roots[0];
      box.layout = null;
    }
  }
  write();
  select(roots[0]);
}

themeButton.addEventListener('click', nextTheme);
timesButton.addEventListener('click', () => {
  timesButton.setAttribute('aria-pressed', String(!showsTimes()));
  for (const root of roots) for (const box of walk([root], (box) => box.open)) box.layout = null;
  draw();
  markDrawing(selection.box, selection.nodes);
});
document.getElementById('collapse').addEventListener('click', collapseAll);
document.getElementById('smaller').addEventListener('click', () => setZoom(zoom * 0.8));
document.getElementById('larger').addEventListener('click', () => setZoom(zoom * 1.25));
document.getElementById('fit').addEventListener('click', fit);

document.addEventListener('keydown', (event) => {
  const isWritten = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isWritten) {
    field.focus();
    field.select();
    event.preventDefault();
  }
});

// -- the beginning

document.getElementById('title').textContent = program.title;
timesButton.hidden = !program.profile;
roots[0].open = true;
write();
writeChoice();
markOutline(null, selection.nodes);
markDrawing(null, selection.nodes);
say(`${program.functions[0].name}: ${roots[0].boxes.length} boxes`);
requestAnimationFrame(() => requestAnimationFrame(() => {
  // When the first picture was on the screen, in milliseconds from the beginning of loading.
  document.documentElement.dataset.painted = Math.round(performance.now());
}));
