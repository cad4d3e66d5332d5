// Search: operators, names of values, paths of modules; what is found is a box, and the boxes around it open when somebody goes there.

const field = document.getElementById('search');
const results = document.getElementById('results');
const MOST_RESULTS = 100;
let index = null;
let found = [];
let chosen = -1;

// What can be found of a box.
function entry(box) {
  const node = box.operation;
  const values = node ? node.outputs.map((value) => `%${box.data.values[value].name}`) : [];
  const path = node && node.calls !== undefined ? joined(box.path, node.path) : box.path;
  const words = [box.label, node ? node.kind : '', path, ...values].join(' ');
  return { box, words: words.toLowerCase(), text: [box.label, ...values].join(' '), path };
}

function searched(words) {
  if (!index) index = [...walk(roots)].filter((box) => box.kind !== 'block').map(entry);
  const wanted = words.toLowerCase().split(' ').filter(Boolean);
  if (!wanted.length) return [];
  const rank = ({ text, path }) => (text.toLowerCase().startsWith(wanted[0]) || path.toLowerCase() === wanted[0] ? 0 : 1);
  const all = index.filter((one) => wanted.every((word) => one.words.includes(word)));
  return all.map((one) => [rank(one), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}

function writeResults() {
  const all = searched(field.value);
  found = all.slice(0, MOST_RESULTS);
  chosen = found.length ? 0 : -1;
  results.replaceChildren(...found.map(({ text, path }, at) => {
    const option = element('div', shortened(text, 80), { id: `result-${at}` });
    option.setAttribute('role', 'option');
    option.append(element('small', path ? ` in ${shortened(path, 60)}` : ''));
    option.addEventListener('click', () => goTo(at));
    return option;
  }));
  markResult();
  if (field.value) say(`${all.length} found${all.length > MOST_RESULTS ? `, the first ${MOST_RESULTS} are listed` : ''}`);
}

function markResult() {
  const isOpen = found.length > 0;
  results.hidden = !isOpen;
  field.setAttribute('aria-expanded', String(isOpen));
  [...results.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === chosen)));
  if (chosen >= 0) {
    field.setAttribute('aria-activedescendant', `result-${chosen}`);
    results.children[chosen].scrollIntoView({ block: 'nearest' });
  } else field.removeAttribute('aria-activedescendant');
}

function closeResults() {
  found = [];
  chosen = -1;
  results.replaceChildren();
  markResult();
}

function goTo(at) {
  const { box } = found[at];
  closeResults();
  reveal(box);
  const there = rows.get(box.key);
  if (there) there.item.focus({ preventScroll: true });
}

field.addEventListener('input', writeResults);
field.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && found.length) {
    chosen = (chosen + step + found.length) % found.length;
    markResult();
  } else if (event.key === 'Enter' && chosen >= 0) goTo(chosen);
  else if (event.key === 'Escape') {
    field.value = '';
    closeResults();
  } else return;
  event.preventDefault();
});
field.addEventListener('blur', () => setTimeout(closeResults, 200));
