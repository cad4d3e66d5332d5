// The outline: the same boxes as in the drawing as a tree, after the pattern that readers of screens know.

const tree = document.getElementById('tree');
let rows = new Map();

function treeItem(box, level) {
  const item = document.createElement('li');
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', level);
  item.setAttribute('aria-selected', 'false');
  item.tabIndex = -1;
  item.dataset.key = box.key;
  const label = document.createElement('span');
  label.className = 'label';
  label.textContent = shortened(outlineText(box), 80);
  item.setAttribute('aria-label', box.spoken);
  item.append(label);
  rows.set(box.key, { item, box });
  if (box.opens) {
    item.setAttribute('aria-expanded', String(box.open));
    if (box.open && box.boxes.length) {
      const inner = document.createElement('ul');
      inner.setAttribute('role', 'group');
      inner.append(...box.boxes.map((child) => treeItem(child, level + 1)));
      item.append(inner);
    }
  }
  return item;
}

function outlineText(box) {
  const node = box.operation;
  if (!node || !node.outputs.length) return box.label;
  return `${box.label}  %${box.data.values[node.outputs[0]].name}`;
}

function writeOutline() {
  const focused = tree.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  rows = new Map();
  tree.replaceChildren(...roots.map((box) => treeItem(box, 1)));
  if (focused && rows.has(focused)) rows.get(focused).item.focus({ preventScroll: true });
}

function markOutline(box, nodes) {
  for (const { item, box: other } of rows.values()) {
    const isSelected = other === box;
    const isMeant = isSelected || (other.kind === 'node' && nodes.has(nodeKey(other.function, other.node)));
    item.setAttribute('aria-selected', String(isSelected));
    item.classList.toggle('meant', isMeant);
    item.tabIndex = isSelected ? 0 : -1;
  }
  if (!box || !rows.has(box.key)) rows.values().next().value.item.tabIndex = 0;
}

function showInOutline(box) {
  const row = rows.get(box.key);
  if (row) row.item.firstElementChild.scrollIntoView({ block: 'nearest' });
}

const rowAt = (target) => {
  const item = target.closest('[role=treeitem]');
  return item && rows.get(item.dataset.key).box;
};

function treeGoal(box, key) {
  const all = [...rows.keys()];
  const at = all.indexOf(box.key);
  const isOpen = box.open && box.opens;
  if (key === 'ArrowLeft' && !isOpen) return box.parent;
  if (key === 'ArrowRight' && isOpen) return box.boxes[0];
  const goal = { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all[all.length - 1] }[key];
  return goal && rows.get(goal).box;
}

tree.addEventListener('click', (event) => {
  const box = rowAt(event.target);
  if (!box) return;
  choose(box, event);
  rows.get(box.key).item.focus({ preventScroll: true });
});

tree.addEventListener('keydown', (event) => {
  const box = rowAt(event.target);
  if (!box) return;
  const changes = (event.key === 'ArrowRight' && !box.open) || (event.key === 'ArrowLeft' && box.open);
  const goal = treeGoal(box, event.key);
  if (box.opens && (changes || event.key === 'Enter' || event.key === ' ')) toggle(box);
  else if (goal) {
    select(goal);
    rows.get(goal.key).item.focus({ preventScroll: true });
  } else if (event.key === 'Escape' && box.parent) select(box.parent);
  else return;
  event.preventDefault();
});
