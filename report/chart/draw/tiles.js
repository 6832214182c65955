/*
 * Boxes in rows over an axis, to work in: flame graphs and lanes of time.  The page's data are in
 * #tiles: a deflated head (JSON) and columns of numbers, as tiles.c writes them.
 */
(async () => {
'use strict';

/* ---- the data ---- */

const unpack = async text => {
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++)
    bytes[i] = packed.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const read = bytes => {
  let at = 4 + new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)));
  const number = () => {
    let v = 0, by = 1;
    for (; bytes[at] > 127; by *= 128)
      v += (bytes[at++] - 128) * by;
    return v + bytes[at++] * by;
  };
  const column = (n, v = new Float64Array(n)) => {
    for (let i = 0; i < n; i++)
      v[i] = number();
    return v;
  };
  const begin = new Uint32Array(head.rows + 1);
  for (let r = 0; r < head.rows; r++)
    begin[r + 1] = begin[r] + number();
  const n = begin[head.rows];
  const x = column(n), length = column(n), name = column(n, new Uint32Array(n)),
    series = column(n, new Uint8Array(n)), high = column(n, new Uint8Array(n));
  for (let r = 0; r < head.rows; r++)
    for (let i = begin[r] + 1; i < begin[r + 1]; i++)
      x[i] += x[i - 1];
  return {...head, begin, n, x, length, name, series, high, row: rowsOf(begin, head.rows, n)};
};

const rowsOf = (begin, rows, n) => {
  const row = new Uint16Array(n);
  for (let r = 0; r < rows; r++)
    row.fill(r, begin[r], begin[r + 1]);
  return row;
};

/* What a box has that none of those on it has. */
const selves = d => {
  const self = Float64Array.from(d.length);
  for (let r = 0; r + 1 < d.rows; r++) {
    let up = d.begin[r];
    for (let i = d.begin[r + 1]; i < d.begin[r + 2]; i++) {
      while (up < d.begin[r + 1] && d.x[up] + d.length[up] <= d.x[i])
        up++;
      if (up < d.begin[r + 1] && d.x[up] <= d.x[i]
        && d.x[i] + d.length[i] <= d.x[up] + d.length[up])
        self[up] -= d.length[i];
    }
  }
  return self;
};

const d = read(await unpack(document.getElementById('tiles').textContent));
const self = d.kind === 'flame' ? selves(d) : d.length;
for (const s of d.series_of) /* time in which nothing runs, and lanes themselves */
  s.no_sum = s.faint || (d.kind === 'flame' && s.color === d.nothing);
const most = d.x.reduce((a, x, i) => Math.max(a, x + d.length[i]), d.most);

/* ---- numbers as words ---- */

const count = v => Math.round(v).toLocaleString('en');
const time = v => {
  const [by, unit] = v >= 6e10 ? [6e10, 'min'] : v >= 1e9 ? [1e9, 's'] : v >= 1e6 ? [1e6, 'ms']
    : v >= 1e3 ? [1e3, 'us'] : [1, 'ns'];
  return `${by === 1 ? v : (v / by).toPrecision(4)} ${unit}`;
};
const amount = d.unit === 'ns' ? time : v => `${count(v)} ${v === 1 ? 'sample' : 'samples'}`;
const percent = v => `${(100 * v).toFixed(v < 0.0995 ? 2 : 1)}%`;

/* ---- what is looked at ---- */

const view = {from: 0, to: most};
const hidden = new Set();
let matching = null, selected = -1, area = null, pointed = -1;

const TOP = 24, ROW = d.kind === 'flame' ? 18 : 26, MARGIN = d.names_of_rows ? 190 : 0;
const $ = id => document.getElementById(id);
const canvas = $('canvas'), ink = canvas.getContext('2d'), tip = $('tip');
const left = () => canvas.clientWidth > 640 ? MARGIN : MARGIN && 90;
const wide = () => Math.max(1, canvas.clientWidth - left());
const toX = t => left() + (t - view.from) * wide() / (view.to - view.from);
const toTime = px => view.from + (px - left()) * (view.to - view.from) / wide();
const isUpward = d.kind === 'flame' && !d.icicle;
const top = r => TOP + (isUpward ? d.rows - 1 - r : r) * ROW;
const rowAt = y => {
  const r = Math.floor((y - TOP) / ROW);
  return y < TOP || r >= d.rows ? -1 : isUpward ? d.rows - 1 - r : r;
};

/* The first box of a row that ends behind t. */
const first = (r, t) => {
  let low = d.begin[r], high = d.begin[r + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (d.x[middle] + d.length[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
};

const look = (from, to) => {
  const least = Math.min(most, d.unit === 'ns' ? 20 : 1);
  const span = Math.min(most, Math.max(least, to - from));
  view.from = Math.min(Math.max(0, from), most - span);
  view.to = view.from + span;
  later();
};
const zoom = (by, at = (view.from + view.to) / 2) =>
  look(at - (at - view.from) * by, at + (view.to - at) * by);
const pan = part => {
  const by = part * (view.to - view.from);
  look(view.from + by, view.to + by);
};

/* ---- drawing ---- */

let colors = {};
const readColors = () => {
  const style = getComputedStyle(document.documentElement);
  const value = name => style.getPropertyValue(name).trim();
  colors = {fg: value('--fg'), soft: value('--soft'), line: value('--line'), bg: value('--bg'),
    link: value('--link'),
    strong: +value('--strong'), faint: +value('--strong') / 2.5,
    series: d.series_of.map(s => value('--c' + s.color))};
};

/* Round values of the axis, some 100 px apart; the page counts from d.base. */
const ticks = () => {
  const want = (view.to - view.from) * 100 / wide(), power = 10 ** Math.floor(Math.log10(want));
  const step = [1, 2, 5, 10].find(by => by * power >= want) * power;
  const all = [];
  for (let t = Math.ceil((view.from + d.base) / step) * step; t <= view.to + d.base; t += step)
    all.push(t - d.base);
  return all;
};

const drawAxis = height => {
  ink.font = '12px system-ui,sans-serif';
  ink.textBaseline = 'middle';
  for (const t of ticks()) {
    const x = Math.round(toX(t));
    ink.fillStyle = colors.line;
    ink.fillRect(x, TOP, 1, height - TOP);
    ink.fillStyle = colors.soft;
    ink.fillText(d.unit === 'ns' ? time(t + d.base) : count(t), x + 3, 8);
  }
  let free = -1;
  for (const line of d.lines) {
    const x = toX(line.at);
    if (x < left() || x > canvas.clientWidth)
      continue;
    ink.fillStyle = colors.fg;
    ink.fillRect(x, TOP - 8, 1, height - TOP + 8);
    if (x < free)
      continue;
    ink.fillText(line.title, x + 3, TOP - 5);
    free = x + 12 + ink.measureText(line.title).width;
  }
};

/* Of a file its name is worth more than its folders. */
const clip = (text, px) => {
  const letters = Math.floor(px / 6.6);
  if (text.length > letters && text.startsWith('/'))
    text = text.replace(/^[^ ]*\//, '');
  return text.length <= letters ? text : letters < 4 ? '' : text.slice(0, letters - 1) + '\u2026';
};

const isFaded = i => (matching && !matching[d.name[i]]) || hidden.has(d.series[i]);

const drawBox = (i, from, to, y) => {
  const s = d.series_of[d.series[i]], high = (ROW - 2) * d.high[i] / 255;
  ink.globalAlpha = isFaded(i) ? 0.1 : s.faint ? colors.faint : colors.strong;
  ink.fillStyle = colors.series[d.series[i]];
  ink.fillRect(from, y + ROW - 1 - high, Math.max(to - from - (to - from > 3 ? 0.7 : 0), 0.7), high);
  if (to - from > 30 && !isFaded(i)) {
    ink.globalAlpha = 1;
    ink.fillStyle = colors.fg;
    const text = clip(d.names[d.name[i]], to - from - 6);
    if (text)
      ink.fillText(text, from + 3, y + ROW / 2);
  }
};

/* Boxes that end where there is one already are passed over at once. */
const drawRow = r => {
  const y = top(r), edge = canvas.clientWidth, k = wide() / (view.to - view.from);
  const x = t => left() + (t - view.from) * k;
  for (let i = first(r, view.from); i < d.begin[r + 1] && d.x[i] < view.to;) {
    const from = Math.max(left(), x(d.x[i])), to = Math.min(edge, x(d.x[i] + d.length[i]));
    drawBox(i, from, to, y);
    i = Math.max(i + 1, first(r, toTime(Math.max(to, from + 0.7) + 0.6)));
  }
  ink.globalAlpha = 1;
};

const drawNames = () => {
  if (!MARGIN)
    return;
  ink.fillStyle = colors.bg;
  ink.fillRect(0, TOP, left(), canvas.clientHeight);
  ink.fillStyle = colors.fg;
  for (let r = 0; r < d.rows; r++)
    ink.fillText(clip(d.names_of_rows[r], left() - 8), 2, top(r) + ROW / 2);
};

const outline = (i, color) => {
  if (i < 0 || d.x[i] > view.to || d.x[i] + d.length[i] < view.from)
    return;
  const from = Math.max(left(), toX(d.x[i])), to = Math.min(canvas.clientWidth, toX(d.x[i] + d.length[i]));
  ink.strokeStyle = color;
  ink.lineWidth = 2;
  ink.strokeRect(from, top(d.row[i]) + 1, Math.max(2, to - from), ROW - 2);
};

const draw = () => {
  const ratio = devicePixelRatio || 1, height = TOP + d.rows * ROW + 4;
  canvas.style.height = height + 'px';
  canvas.width = canvas.clientWidth * ratio;
  canvas.height = height * ratio;
  ink.scale(ratio, ratio);
  drawAxis(height);
  for (let r = 0; r < d.rows; r++)
    drawRow(r);
  drawNames();
  outline(pointed, colors.soft);
  outline(selected, colors.fg);
  if (area) {
    ink.globalAlpha = 0.2;
    ink.fillStyle = colors.link;
    ink.fillRect(toX(area.from), TOP, toX(area.to) - toX(area.from), height);
    ink.globalAlpha = 1;
  }
  $('where').textContent = view.from === 0 && view.to === most ? `all: ${amount(most)}`
    : d.unit === 'ns' ? `${time(view.from + d.base)} + ${time(view.to - view.from)}`
    : `${percent((view.to - view.from) / most)} of all`;
};

/* ---- sums by name ---- */

const cell = (row, text, isNumber) => {
  const td = row.insertCell();
  td.textContent = text;
  td.className = isNumber ? 'n' : '';
};

/* Of the area, or what is in view: how long each name is there, and how often. */
const sums = (from, to) => {
  const sum = new Float64Array(d.names.length), times = new Uint32Array(d.names.length);
  for (let r = 0; r < d.rows; r++)
    for (let i = first(r, from); i < d.begin[r + 1] && d.x[i] < to; i++) {
      if (isFaded(i) || d.series_of[d.series[i]].no_sum)
        continue;
      const inside = Math.min(to, d.x[i] + d.length[i]) - Math.max(from, d.x[i]);
      sum[d.name[i]] += self[i] * inside / (d.length[i] || 1);
      times[d.name[i]]++;
    }
  return {sum, times};
};

const list = () => {
  const {from, to} = area ?? view, {sum, times} = sums(from, to);
  const order = [...sum.keys()].filter(i => times[i]).sort((a, b) => sum[b] - sum[a]);
  const all = sum.reduce((a, v) => a + v, 0) || 1, body = $('sums');
  body.replaceChildren();
  for (const i of order.slice(0, 20)) {
    const row = body.insertRow();
    cell(row, amount(sum[i]), true);
    cell(row, percent(sum[i] / all), true);
    cell(row, count(times[i]), true);
    cell(row, d.names[i], false);
  }
  $('over').textContent = `${area ? 'in the area' : 'in view'}: ${amount(to - from)}, `
    + `${count(order.length)} names`;
};

let frame = 0, pause = 0;
const later = () => {
  frame ||= requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
  clearTimeout(pause);
  pause = setTimeout(list, 150);
};

/* ---- one box ---- */

const boxAt = e => {
  const at = canvas.getBoundingClientRect(), r = rowAt(e.clientY - at.top);
  const px = e.clientX - at.left, t = toTime(px);
  if (r < 0 || px < left())
    return -1;
  const slack = (view.to - view.from) / wide();
  const i = first(r, t);
  const near = j => j >= d.begin[r] && j < d.begin[r + 1] && d.x[j] <= t + slack
    && d.x[j] + d.length[j] >= t - slack;
  return near(i) ? i : near(i - 1) ? i - 1 : -1;
};

const words = i => {
  const text = [amount(d.length[i]), percent(d.length[i] / most) + ' of all'];
  if (d.kind === 'flame' && !d.icicle)
    text.push(`self ${amount(Math.max(0, self[i]))}`);
  else
    text.push(`at ${time(d.x[i] + d.base)}`);
  if (d.kind === 'lanes' && d.high[i] < 255)
    text.push(`${percent(d.high[i] / 255)} busy`);
  return text.join(', ');
};

const tell = e => {
  const i = boxAt(e);
  if (i !== pointed) {
    pointed = i;
    later();
  }
  tip.hidden = i < 0;
  if (i < 0)
    return;
  tip.textContent = `${d.names[d.name[i]]}\n${words(i)}`;
  const x = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 6);
  tip.style.left = Math.max(4, x) + 'px';
  tip.style.top = (e.clientY + tip.offsetHeight + 24 > innerHeight
    ? e.clientY - tip.offsetHeight - 10 : e.clientY + 16) + 'px';
};

const select = i => {
  selected = i;
  if (i < 0) {
    $('what').textContent = 'nothing is chosen';
    return later();
  }
  let n = 0, sum = 0;
  for (let k = 0; k < d.n; k++)
    if (d.name[k] === d.name[i]) {
      n++;
      sum += self[k];
    }
  $('what').textContent = `${d.names[d.name[i]]} (${d.series_of[d.series[i]].title}): ${words(i)}`
    + (n > 1 ? `; this name ${count(n)} times, ${amount(sum)} in all` : '');
  later();
};

/* ---- search ---- */

/* How much of the axis boxes that match cover, each place once. */
const covered = all => {
  const v = all.filter(i => !d.series_of[d.series[i]].no_sum).sort((a, b) => d.x[a] - d.x[b]);
  let end = 0, sum = 0;
  for (const i of v) {
    sum += Math.max(0, d.x[i] + d.length[i] - Math.max(end, d.x[i]));
    end = Math.max(end, d.x[i] + d.length[i]);
  }
  return sum;
};

const pattern = text => {
  try {
    return new RegExp(text, 'i');
  } catch {
    return {test: name => name.toLowerCase().includes(text.toLowerCase())};
  }
};

let found = [], shown = -1;
const search = text => {
  const re = text && pattern(text);
  matching = re ? d.names.map(name => re.test(name)) : null;
  found = [];
  shown = -1;
  for (let i = 0; matching && i < d.n; i++)
    if (matching[d.name[i]])
      found.push(i);
  found.sort((a, b) => d.x[a] - d.x[b]);
  $('found').textContent = !re ? '' : found.length === 0 ? 'no match'
    : `${count(found.length)} ${found.length === 1 ? 'match' : 'matches'}, `
      + `${percent(covered(found) / most)} of all`;
  later();
};

const next = by => {
  if (!found.length)
    return;
  shown = (shown + by + found.length) % found.length;
  goTo(found[shown]);
};

const goTo = i => {
  const room = d.kind === 'flame' ? 0 : Math.max(d.length[i] * 2, (most - 0) / 1e5);
  look(d.x[i] - room, d.x[i] + d.length[i] + room);
  select(i);
};

/* ---- hands ---- */

let drag = null;
canvas.addEventListener('pointerdown', e => {
  const x = e.clientX - canvas.getBoundingClientRect().left;
  drag = {x, from: view.from, to: view.to, isArea: e.shiftKey, moved: false};
  canvas.setPointerCapture(e.pointerId);
});
canvas.addEventListener('pointermove', e => {
  if (!drag)
    return tell(e);
  const x = e.clientX - canvas.getBoundingClientRect().left;
  drag.moved ||= Math.abs(x - drag.x) > 3;
  if (!drag.moved)
    return;
  tip.hidden = true;
  if (drag.isArea) {
    area = {from: Math.max(0, toTime(Math.min(x, drag.x))), to: toTime(Math.max(x, drag.x))};
    later();
  } else {
    const by = (drag.x - x) * (drag.to - drag.from) / wide();
    look(drag.from + by, drag.to + by);
  }
});
canvas.addEventListener('pointerup', e => {
  const was = drag;
  drag = null;
  if (!was || was.moved)
    return;
  if (area) {
    area = null;
    return later();
  }
  const i = boxAt(e);
  if (i >= 0 && d.kind === 'flame' && (i === selected || !d.icicle))
    goTo(i);
  else
    select(i);
});
canvas.addEventListener('pointerleave', () => {
  tip.hidden = true;
  pointed = -1;
  later();
});
canvas.addEventListener('dblclick', e => {
  const i = boxAt(e);
  if (i >= 0)
    goTo(i);
});
canvas.addEventListener('wheel', e => {
  if (!e.ctrlKey && !e.altKey && Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
    pan(e.deltaX / wide());
  } else {
    zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) / 200),
      toTime(e.clientX - canvas.getBoundingClientRect().left));
  }
  e.preventDefault();
}, {passive: false});

const toLine = by => {
  const at = view.from + (view.to - view.from) * 1e-6;
  const all = d.lines.map(l => l.at);
  const to = by > 0 ? all.find(t => t > at) : all.findLast(t => t < view.from);
  if (to !== undefined)
    look(to, to + view.to - view.from);
};
const reset = () => {
  area = null;
  select(-1);
  look(0, most);
};
const KEYS = {w: () => zoom(0.7), s: () => zoom(1 / 0.7), a: () => pan(-0.2), d: () => pan(0.2),
  '+': () => zoom(0.7), '-': () => zoom(1 / 0.7), ArrowLeft: () => pan(-0.2),
  ArrowRight: () => pan(0.2), 0: reset, Home: reset, n: () => next(1), N: () => next(-1),
  ']': () => toLine(1), '[': () => toLine(-1), '/': () => $('search').focus()};
document.addEventListener('keydown', e => {
  if (e.key === 'Escape') {
    $('search').value = '';
    $('search').blur();
    area = null;
    select(-1);
    return search('');
  }
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input,button') && e.key !== '/')
    return;
  if (Object.hasOwn(KEYS, e.key) && e.target.tagName !== 'INPUT') {
    KEYS[e.key]();
    e.preventDefault();
  }
});
$('search').addEventListener('input', e => search(e.target.value));
$('search').addEventListener('keydown', e => {
  if (e.key === 'Enter') {
    next(e.shiftKey ? -1 : 1);
    e.preventDefault();
  }
});
for (const [id, act] of Object.entries({in: () => zoom(0.5), out: () => zoom(2), all: reset}))
  $(id).addEventListener('click', act);

d.series_of.forEach((s, i) => {
  if (!s.title)
    return;
  const button = document.createElement('button'), box = document.createElement('i');
  box.style.background = `var(--c${s.color})`;
  box.className = s.faint ? 'faint' : '';
  button.type = 'button';
  button.append(box, s.title);
  button.setAttribute('aria-pressed', true);
  button.addEventListener('click', () => {
    if (!hidden.delete(i))
      hidden.add(i);
    button.setAttribute('aria-pressed', !hidden.has(i));
    later();
  });
  $('key').append(button);
});

matchMedia('(prefers-color-scheme:dark)').addEventListener('change', () => {
  readColors();
  later();
});
new ResizeObserver(later).observe(canvas.parentElement);
readColors();
select(-1);
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has('t')) {
  const [from, to] = asked.get('t').split(',').map(Number);
  look(from - d.base, to - d.base);
}
if (asked.has('q')) {
  $('search').value = asked.get('q');
  search(asked.get('q'));
}
draw();
list();
document.documentElement.dataset.drawn = d.n;
})();
