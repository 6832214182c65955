"""Scripts that measure a page; each returns what is wrong, or what is there."""

# Nothing is wider than what it is in, no short word is broken, no text leaves its cell or picture.
LAYOUT = r"""
const bad = [], wide = document.documentElement.clientWidth;
for (const e of document.querySelectorAll('html,body,.scroll,pre'))
  if (e.scrollWidth > e.clientWidth + 1 && e.tagName !== 'PRE')
    bad.push(['sideways', e.className || e.tagName, e.scrollWidth, e.clientWidth]);
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const range = document.createRange();
const shown = e => e.checkVisibility() && !e.closest('.heard,.skip,svg,script,pre');
while (walk.nextNode()) {
  const node = walk.currentNode, home = node.parentElement;
  if (!shown(home)) continue;
  for (const m of node.data.matchAll(/(?<![^\s(])[A-Za-z]{2,12}(?![^\s,.:;)])/g)) {
    range.setStart(node, m.index); range.setEnd(node, m.index + m[0].length);
    const boxes = [...range.getClientRects()].filter(r => r.width > 0);
    if (new Set(boxes.map(r => Math.round(r.top))).size > 1) bad.push(['broken', m[0]]);
  }
  range.selectNodeContents(node);
  const cell = home.closest('td,th,dd,dt,li,p');
  for (const r of range.getClientRects()) {
    if (!r.width) continue;
    if (r.left < -1 || r.right > wide + 1) bad.push(['outside', node.data.slice(0, 40)]);
    const box = cell && cell.getBoundingClientRect();
    if (box && getComputedStyle(cell).display !== 'inline' &&
        (r.left < box.left - 1 || r.right > box.right + 1))
      bad.push(['leaves its cell', node.data.slice(0, 40), r.right - box.right]);
  }
}
for (const svg of document.querySelectorAll('svg')) {
  const box = svg.getBoundingClientRect(), one = box.width / 560;
  const texts = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
  texts.forEach(([t, r], i) => {
    if (r.left < box.left - 1 || r.right > box.right + 1 || r.bottom > box.bottom + 1 ||
        r.top < box.top - 1) bad.push(['cut in picture', t.textContent,
        svg.getAttribute('aria-label').slice(0, 40)]);
    for (const [u, s] of texts.slice(i + 1)) {
      const x = Math.min(r.right, s.right) - Math.max(r.left, s.left);
      const y = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
      if (x > 2 * one && y > 4 * one) bad.push(['overlap', t.textContent, u.textContent]);
    }
  });
}
const boxes = [...document.querySelectorAll('main>*,section>*')].filter(
  e => !e.matches('.answer,.heard') && e.checkVisibility()).map(e => [e, e.getBoundingClientRect()]);
boxes.forEach(([e, r], i) => {
  const next = boxes.slice(i + 1).find(([f]) => !e.contains(f) && !f.contains(e));
  if (next && next[1].top < r.bottom - 1) bad.push(['blocks overlap', e.tagName, next[0].tagName]);
});
return bad"""

# Names for who listens: languages, landmarks, captions, scopes, links that lead somewhere, marks.
NAMES = r"""
const bad = [], all = s => [...document.querySelectorAll(s)];
const one = s => { if (all(s).length !== 1) bad.push([s, all(s).length]); };
['html[lang=en]', 'body>header', 'main', 'h1', 'body>a.skip[href="#main"]', 'header code'].forEach(one);
for (const e of all('svg')) if (e.getAttribute('role') !== 'img' ||
  !e.getAttribute('aria-label').trim()) bad.push(['picture without a name']);
for (const e of all('table')) if (!e.caption || !e.caption.textContent.trim() || !e.tHead)
  bad.push(['table without caption or head']);
for (const e of all('th')) if (!['col', 'row'].includes(e.scope)) bad.push(['scope', e.textContent]);
for (const e of all('tbody tr')) if (e.querySelectorAll('th').length !== 1) bad.push(['row head']);
const ids = all('[id]').map(e => e.id);
if (new Set(ids).size !== ids.length) bad.push(['ids twice']);
for (const e of all('a')) if (!ids.includes(e.hash.slice(1))) bad.push(['link', e.href]);
for (const e of all('section')) if (!document.getElementById(e.getAttribute('aria-labelledby')))
  bad.push(['section without a name']);
for (const e of all('svg :is(rect,circle,path):is([class^=f],[class^=s])')) {
  const key = e.getAttribute('width') === '14' && e.getAttribute('height') === '10';
  const ground = e.getAttribute('fill-opacity') === '0.08' && e.closest('svg').querySelector('rect') === e;
  const title = e.querySelector('title') || e.parentElement.querySelector(':scope>title');
  if (!key && !ground && !(title && title.textContent.trim()))
    bad.push(['mark without a title', e.outerHTML.slice(0, 80),
      e.closest('svg').getAttribute('aria-label').slice(0, 50)]);
}
return bad"""

# WCAG 2.1, 1.4.3: text stands out by 4.5 from what is behind it.
CONTRAST = r"""
const parse = c => c.match(/[\d.]+/g).map(Number);
const light = c => { const [r, g, b] = parse(c).map(v => v / 255).map(
  v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const ground = e => { for (; e; e = e.parentElement) {
  const c = getComputedStyle(e).backgroundColor, v = parse(c);
  if (v.length === 3 || v[3] === 1) return c; } return 'rgb(255,255,255)'; };
const bad = new Set();
for (const e of document.querySelectorAll('body *')) {
  if (e.closest('script,.heard,.skip,.k,title') || !e.checkVisibility()) continue;
  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
  const style = getComputedStyle(e), c = e.closest('svg') ? style.fill : style.color;
  const [a, b] = [light(c), light(ground(e))].sort((x, y) => y - x);
  if ((a + .05) / (b + .05) < 4.5) bad.add(`${e.tagName}.${e.className} ${c}`);
}
return [...bad]"""

# Texts of column i of table t, row by row, and the state of its head: as it is and after a click on its
# button; whether the button can be seen and has what is typed next.
TURN = r"""
const table = document.querySelectorAll('table')[arguments[0]], i = arguments[1];
const head = table.tHead.rows[0].cells[i], button = head.firstChild;
const column = () => [[...table.tBodies[0].rows].map(r => r.cells[i].textContent), head.getAttribute('aria-sort')];
const before = column();
button.click();
button.focus({preventScroll: true});
return [before, column(), button.checkVisibility() && document.activeElement === button]"""
HEADS = r"""
return [...document.querySelectorAll('table')].map(t => [t.tBodies[0].rows.length,
  [...t.tHead.rows[0].cells].map(h => [h.textContent, h.classList.contains('n'),
    !!h.querySelector('button'), h.checkVisibility()])])"""

# Words at the beginning and the end of whatever may not be torn by the end of a sheet.
MARK = r"""
const put = (e, where, word) => { const s = document.createElement('span');
  s.style.cssText = 'font-size:6px;line-height:6px;white-space:nowrap'; s.textContent = word;
  e.insertAdjacentElement(where, s); };
let n = 0;
const tables = [];
document.querySelectorAll('table').forEach((table, k) => {
  put(table.tHead.rows[0].cells[0], 'beforeend', ` hh${k} `);
  const first = n + 1;
  for (const row of table.tBodies[0].rows) {
    n++;
    for (const cell of row.cells) { put(cell, 'afterbegin', ` qq${n} `); put(cell, 'beforeend', ` qq${n} `); }
  }
  tables.push([`hh${k}`, first, n]);
});
for (const e of document.querySelectorAll('figure:not(.wide),.panels>div,.answer,li,section>p')) {
  n++; put(e, 'afterbegin', ` qq${n} `); put(e, 'beforeend', ` qq${n} `);
}
return [n, tables]"""
