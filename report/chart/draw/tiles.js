/* Boxes in rows over an axis, to work in: flame graphs and lanes of time. */
(async () => {
'use strict';
const {$, count, time, bytes, percent, clip, fill} = page;

/* The box that a box is on; -1: none. */
const parents = d => {
  const on = new Int32Array(d.n).fill(-1);
  for (let r = 0; r + 1 < d.rows; r++) {
    let up = d.begin[r];
    for (let i = d.begin[r + 1]; i < d.begin[r + 2]; i++) {
      while (up < d.begin[r + 1] && d.x[up] + d.length[up] <= d.x[i])
        up++;
      if (up < d.begin[r + 1] && d.x[up] <= d.x[i]
        && d.x[i] + d.length[i] <= d.x[up] + d.length[up])
        on[i] = up;
    }
  }
  return on;
};

/* What a box has that none of those on it has. */
const selves = d => {
  const self = Float64Array.from(d.length);
  d.on.forEach((up, i) => {
    if (up >= 0)
      self[up] -= d.length[i];
  });
  return self;
};

const d = await page.open();
const isFlame = d.kind === 'flame';
d.on = isFlame ? parents(d) : null;
let self = isFlame ? selves(d) : d.length;
for (const s of d.series_of) /* time in which nothing runs, and lanes themselves */
  s.no_sum = s.faint || (isFlame && !d.gone && !s.waits && s.color === d.nothing);
let most = d.x.reduce((a, x, i) => Math.max(a, x + d.length[i]), d.most);
const said = {ns: time, bytes}[d.unit];
const amount = said || (v => `${count(v)} ${v === 1 ? 'sample' : 'samples'}`);

const TOP = 24, ROW = isFlame ? 18 : 26, MARGIN = d.names_of_rows ? 190 : 0;
let isUpward = isFlame && !d.icicle;
/* The axis, and rows that are pinned, stay where the others are scrolled. */
const pinned = d.pinned ?? 0, scrolled = () => isFlame ? 0 : w.canvas.parentElement.scrollTop;
const band = () => TOP + pinned * ROW;
const rows = () => shown.rest ? d.rows : pinned;
const top = r => TOP + (isUpward ? d.rows - 1 - r : r) * ROW + (r < pinned ? scrolled() : 0);
const rowAt = y => {
  const at = y - scrolled() < band() ? y - scrolled() : y, r = Math.floor((at - TOP) / ROW);
  return at < TOP || r >= rows() ? -1 : isUpward ? d.rows - 1 - r : r;
};

/* ---- a flame graph in other forms: layers as one, no waiting threads, around a name ---- */

const isNarrow = i => full.names[full.name[i]] === '(narrow frames)';
const waits = i => d.series_of[full.series[i]].waits;
const grown = (name, i) => ({name, first: full.name[i], isMany: false, series: full.series[i], length: 0, self: 0, n: 0,
  isNarrow: isNarrow(i), kids: new Map()});
/* Box i joins those of its name on `up`; what it is then part of. */
const join = (up, i, length, own) => {
  const name = shown.layers ? layer[full.name[i]] : full.name[i];
  let at = up.get(name);
  if (!at)
    up.set(name, at = grown(name, i));
  at.isMany ||= at.first !== full.name[i];
  at.length += length;
  at.self += own;
  at.n++;
  return at;
};
/* The widest to the left, what is narrow behind the others. */
const place = (boxes, kids, x, row, by) => {
  const order = [...kids.values()].sort((a, b) => a.isNarrow - b.isNarrow || b.length - a.length
    || (d.names[a.name] < d.names[b.name] ? -1 : 1));
  for (const v of order) {
    boxes.push({v, x, row});
    place(boxes, v.kids, x, row + by, by);
    x += v.length;
  }
};
/* Boxes as what is drawn. */
const take = boxes => {
  const low = Math.min(0, ...new Set(boxes.map(b => b.row)));
  boxes.sort((a, b) => a.row - b.row || a.x - b.x);
  const of = (type, get) => type.from(boxes, get);
  d.n = boxes.length;
  d.rows = boxes.length ? boxes[boxes.length - 1].row - low + 1 : 0;
  d.x = of(Float64Array, b => b.x);
  d.length = of(Float64Array, b => b.v.length);
  d.name = of(Uint32Array, b => b.v.isMany ? b.v.name : b.v.first);
  d.series = of(Uint8Array, b => b.v.series);
  d.high = new Uint8Array(d.n).fill(255);
  d.row = of(Uint16Array, b => b.row - low);
  d.begin = new Uint32Array(d.rows + 1);
  for (const r of d.row)
    d.begin[r + 1]++;
  for (let r = 0; r < d.rows; r++)
    d.begin[r + 1] += d.begin[r];
  self = of(Float64Array, b => b.v.self);
  return -low;
};

/* All boxes: those of a flame chart keep their places. */
const arrange = () => {
  const kids = new Map(), at = new Array(full.n), boxes = [];
  let length = full.length;
  if (d.icicle) {
    const rows = [...new Set([...full.row].filter((_, i) => !shown.waits || !waits(i)))].sort((a, b) => a - b);
    const row = new Map(rows.map((r, i) => [r, i]));
    full.length.forEach((length, i) => {
      if (row.has(full.row[i]))
        boxes.push({v: {first: full.name[i], series: full.series[i], length, self: full.self[i]}, x: full.x[i],
          row: row.get(full.row[i])});
    });
    return boxes;
  }
  if (shown.waits) { /* the root is without them */
    length = Float64Array.from(full.length);
    for (let i = 0; i < full.n; i++)
      if (waits(i) && !waits(full.on[i]))
        for (let up = full.on[i]; up >= 0; up = full.on[up])
          length[up] -= full.length[i];
  }
  for (let i = 0; i < full.n; i++) /* a box is behind the one that it is on */
    if (!shown.waits || !waits(i))
      at[i] = join(full.on[i] < 0 ? kids : at[full.on[i]].kids, i, length[i], full.self[i]);
  place(boxes, kids, 0, 0, 1);
  return boxes;
};

/* What called all boxes of a name is above it, what they call below; of those within another of
 * the name that one counts. */
const around = name => {
  const isIt = i => (shown.layers ? layer[full.name[i]] : full.name[i]) === name;
  const center = new Map(), callers = new Map(), at = new Array(full.n), boxes = [];
  for (let i = 0; i < full.n; i++) {
    if (shown.waits && waits(i))
      continue;
    const inside = full.on[i] >= 0 && at[full.on[i]];
    if (inside || isIt(i))
      at[i] = join(inside ? inside.kids : center, i, full.length[i], full.self[i]);
    if (inside || !isIt(i))
      continue;
    for (let up = full.on[i], v = callers; up >= 0 && full.on[up] >= 0; up = full.on[up])
      v = join(v, up, full.length[i], 0).kids;
  }
  place(boxes, center, 0, 0, 1);
  place(boxes, callers, 0, -1, -1);
  return boxes;
};

const full = isFlame && {...d, self}, shown = {layers: false, waits: false, around: -1, path: true, rest: true};
/* By name: the one that its layer has. */
const layer = isFlame && !d.gone ? Uint32Array.from(d.names, (_, i) => i) : null;
if (layer) {
  const known = new Map(d.names.map((name, i) => [name, i]));
  for (const [i, name] of d.layers) {
    if (!known.has(name))
      known.set(name, d.names.push(name) - 1);
    layer[i] = known.get(name);
  }
}
const arranged = () => {
  isUpward = isFlame && !d.icicle && shown.around < 0;
  if (shown.around < 0 && !shown.layers && !shown.waits)
    Object.assign(d, full, {names: d.names}), self = full.self;
  else
    shown.center = take(shown.around < 0 ? arrange() : around(shown.around));
  most = d.x.reduce((a, x, i) => Math.max(a, x + d.length[i]), shown.around < 0 && d.icicle ? full.most : 1);
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

/* ---- drawing ---- */

/* Round values of the axis; the page counts from d.base. */
const drawAxis = height => {
  const up = scrolled();
  for (const t of page.round(view.from + d.base, view.to + d.base, w.wide())) {
    const x = Math.round(w.toX(t - d.base));
    ink.fillStyle = colors.line;
    ink.fillRect(x, TOP, 1, height - TOP);
    ink.fillStyle = colors.soft;
    w.tick((said || count)(t), x, up + 8);
  }
  let free = -1;
  for (const line of steps) {
    const x = w.toX(line.at);
    if (x < left() || x > w.edge())
      continue;
    ink.fillStyle = colors.fg;
    ink.fillRect(x, up + TOP - 8, 1, height - TOP + 8);
    if (x < free)
      continue;
    ink.fillText(line.title, x + 3, up + TOP - 5);
    free = x + 12 + ink.measureText(line.title).width;
  }
};

const drawBox = (i, from, to, y) => {
  const s = d.series_of[d.series[i]], high = (ROW - 2) * d.high[i] / 255;
  ink.globalAlpha = w.isFaded(i) ? 0.1 : s.faint ? 0.3 : 1;
  ink.fillStyle = colors.series[d.series[i]];
  ink.fillRect(from, y + ROW - 1 - high, Math.max(to - from - (to - from > 3 ? 0.7 : 0), 0.7), high);
  if (to - from > 30 && !w.isFaded(i)) {
    ink.globalAlpha = 1;
    ink.fillStyle = d.high[i] > 178 ? colors.ink[d.series[i]] : colors.fg;
    const text = clip(d.names[d.name[i]], to - from - 6);
    if (text)
      ink.fillText(text, from + 3, y + ROW / 2);
  }
};

/* Boxes that end where there is one already are passed over at once. */
const drawRow = r => {
  const y = top(r), edge = w.edge(), k = w.wide() / (view.to - view.from);
  const x = t => left() + (t - view.from) * k;
  for (let i = first(r, view.from); i < d.begin[r + 1] && d.x[i] < view.to;) {
    const from = Math.max(left(), x(d.x[i])), to = Math.min(edge, x(d.x[i] + d.length[i]));
    drawBox(i, from, to, y);
    i = Math.max(i + 1, first(r, w.toTime(Math.max(to, from + 0.7) + 0.6)));
  }
  ink.globalAlpha = 1;
};

/* "slowest rank 7" of "slowest rank 7, GPU 7" where there is little room. */
const nameOf = r => {
  const whole = d.names_of_rows[r], comma = whole.lastIndexOf(', GPU ');
  return clip(comma > 0 && w.ink.measureText(whole).width > left() - 8 ? whole.slice(0, comma) : whole, left() - 8);
};

const drawNames = height => {
  if (!MARGIN)
    return;
  ink.fillStyle = colors.bg;
  ink.fillRect(0, scrolled() + TOP, left(), height);
  ink.fillStyle = colors.fg;
  for (let r = 0; r < rows(); r++)
    if (r < pinned || top(r) + ROW / 2 > scrolled() + band())
      ink.fillText(nameOf(r), 2, top(r) + ROW / 2);
};

const outline = (i, color) => {
  if (i < 0 || d.x[i] > view.to || d.x[i] + d.length[i] < view.from)
    return;
  const from = Math.max(left(), w.toX(d.x[i])), to = Math.min(w.edge(), w.toX(d.x[i] + d.length[i]));
  ink.strokeStyle = color;
  ink.lineWidth = 2;
  ink.strokeRect(from, top(d.row[i]) + 1, Math.max(2, to - from), ROW - 2);
};

const height = () => TOP + rows() * ROW + 4;
/* From the call that launched what is chosen. */
const drawLaunch = () => {
  const [, from, row] = more.get(w.selected) ?? [];
  if (row === undefined)
    return;
  const x = w.toX(from), y = top(row) + ROW / 2, to = [w.toX(d.x[w.selected]), top(d.row[w.selected]) + ROW / 2];
  const angle = Math.atan2(to[1] - y, to[0] - x);
  ink.strokeStyle = ink.fillStyle = colors.link;
  ink.lineWidth = 2;
  ink.beginPath();
  ink.moveTo(x, y);
  ink.lineTo(...to);
  ink.stroke();
  ink.beginPath();
  ink.moveTo(...to);
  for (const by of [2.7, -2.7])
    ink.lineTo(to[0] + 9 * Math.cos(angle + by), to[1] + 9 * Math.sin(angle + by));
  ink.fill();
};

/* Findings lie on the axis. */
const drawFindings = () => {
  ink.fillStyle = colors.link;
  for (const m of findings) {
    const from = Math.max(left(), w.toX(m.at)), to = Math.max(from + 3, w.toX(m.at + m.length));
    if (w.toX(m.at + m.length) >= left())
      ink.fillRect(from, scrolled() + TOP - 3, to - from, 3);
  }
};

/* The first of n ascending times that is behind t. */
const behind = (times, n, t) => {
  let low = 0, high = n;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
};

/* Around the bars of a row that the critical path goes through; what touches is one. */
const drawPath = r => {
  const {n, from, to} = pathOf[r], y = top(r), k = w.wide() / (view.to - view.from), least = left(), edge = w.edge();
  const x = t => least + (t - view.from) * k;
  for (let i = behind(to, n, view.from); i < n && from[i] < view.to;) {
    const begin = Math.max(least, x(from[i]));
    let end = x(to[i]);
    while (++i < n && x(from[i]) <= end + 1) {
      i = Math.max(i, behind(to, n, view.from + (end + 1 - least) / k) - 1);
      end = x(to[i]);
    }
    const wide = Math.max(1, Math.min(edge, end) - begin);
    for (const at of [y, y + ROW - 2])
      ink.fillRect(begin, at, wide, 2);
    if (wide > 4)
      for (const at of [begin, begin + wide - 2])
        ink.fillRect(at, y, 2, ROW);
  }
};
const drawPaths = () => {
  ink.fillStyle = colors.fg;
  for (let r = 0; r < rows(); r++)
    if (pathOf[r])
      drawPath(r);
};

const draw = () => {
  drawAxis(height());
  for (let r = pinned; r < rows(); r++)
    drawRow(r);
  if (scrolled() || pinned) { /* over what is scrolled */
    ink.save();
    ink.beginPath();
    ink.rect(0, scrolled(), w.edge(), band());
    ink.clip();
    ink.fillStyle = colors.bg;
    ink.fillRect(0, scrolled(), w.edge(), band());
    drawAxis(height());
    for (let r = 0; r < pinned; r++)
      drawRow(r);
    ink.restore();
    ink.fillStyle = colors.soft;
    ink.fillRect(0, scrolled() + band() - 1, w.edge(), pinned && 1);
  }
  if (shown.path)
    drawPaths();
  drawFindings();
  drawLaunch();
  drawNames(height());
  outline(w.pointed, colors.soft);
  outline(w.selected, d.path.n ? colors.link : colors.fg);
};

/* ---- sums by name ---- */

/* Of the area, or what is in view: how long each name is there, and how often. */
const sums = (from, to) => {
  const sum = new Float64Array(d.names.length), times = new Uint32Array(d.names.length);
  for (let r = 0; r < rows(); r++)
    for (let i = first(r, from); i < d.begin[r + 1] && d.x[i] < to; i++) {
      if (w.isFaded(i) || d.series_of[d.series[i]].no_sum)
        continue;
      const inside = Math.min(to, d.x[i] + d.length[i]) - Math.max(from, d.x[i]);
      sum[d.name[i]] += self[i] * inside / (d.length[i] || 1);
      times[d.name[i]]++;
    }
  return {sum, times};
};

const list = () => {
  const {from, to} = w.area ?? view, {sum, times} = sums(from, to);
  const order = [...sum.keys()].filter(i => times[i]).sort((a, b) => sum[b] - sum[a]);
  const all = sum.reduce((a, v) => a + v, 0) || 1;
  fill($('sums'), order.slice(0, 20).map(i =>
    [amount(sum[i]), percent(sum[i] / all), count(times[i]), d.names[i]]));
  $('over').textContent = `${w.area ? 'in the area' : 'in view'}: ${amount(to - from)}, `
    + `${count(order.length)} names`;
};

/* ---- one box ---- */

const boxAt = (px, py) => {
  const r = rowAt(py), t = w.toTime(px);
  if (r < 0 || px < left())
    return -1;
  const slack = (view.to - view.from) / w.wide();
  const i = first(r, t);
  const near = j => j >= d.begin[r] && j < d.begin[r + 1] && d.x[j] <= t + slack
    && d.x[j] + d.length[j] >= t - slack;
  return near(i) ? i : near(i - 1) ? i - 1 : -1;
};

/* What became of a box whose time before is known; new ones have none. */
const change = i => !d.size[i] ? d.series_of[d.series[i]].title
  : `was ${amount(d.size[i])}: ${d.length[i] < d.size[i] ? '\u2212' : '+'}${amount(Math.abs(d.length[i] - d.size[i]))}, `
    + `${(100 * (d.length[i] / d.size[i] - 1)).toFixed(1)}%`;
const words = i => {
  const text = [amount(d.length[i]), percent(d.length[i] / most) + (shown.around < 0 ? ' of all' : ' of it')];
  if (d.gone)
    text.push(change(i));
  if (isUpward || shown.around >= 0)
    text.push(`self ${amount(Math.max(0, self[i]))}`);
  else
    text.push(`at ${time(d.x[i] + d.base)}`);
  if (!isFlame && d.high[i] < 255)
    text.push(`${percent(d.high[i] / 255)} busy`);
  return text.join(', ');
};

const chosen = i => {
  let n = 0, sum = 0;
  for (let k = 0; k < d.n; k++)
    if (d.name[k] === d.name[i]) {
      n++;
      sum += self[k];
    }
  return `${d.names[d.name[i]]} (${d.series_of[d.series[i]].title}): ${words(i)}`
    + (n > 1 ? `; this name ${count(n)} times, ${amount(sum)} in all` : '')
    + (more.has(i) ? `\n${more.get(i)[0]}` : '');
};

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

/* ---- marks to go to: findings, and the longest gaps ---- */

const GAPS = 12;
const steps = d.lines.filter(l => !l.length), findings = d.lines.filter(l => l.length);
const more = new Map((d.more ?? []).map(([i, ...v]) => [i, v]));
const gaps = isFlame ? [] : [...d.x.keys()].filter(i => d.series_of[d.series[i]].faint)
  .sort((a, b) => d.length[b] - d.length[a]).filter((i, _, all) => d.length[i] > d.length[all[0]] / 50).slice(0, GAPS)
  .map(i => ({at: d.x[i], length: d.length[i], box: i,
    title: `gap of ${amount(d.length[i])}, ${d.series_of[d.series[i]].title.replace('idle: ', '')}: ${d.names[d.name[i]]}`}));
const marks = [...findings, ...gaps].sort((a, b) => a.at - b.at);
/* From mark to mark of a list, and around at its ends. */
const walk = all => {
  let at = -1;
  return (by, to) => {
    if (!all.length)
      return;
    at = to ?? (at < 0 && by < 0 ? all.length - 1 : (at + by + all.length) % all.length);
    const m = all[at], room = Math.max(m.length, most / 1e4);
    w.look(m.at - room, m.at + m.length + room);
    w.select(m.box ?? -1);
    const more = m.box >= 0 ? `\n${$('what').textContent}` : '';
    $('what').textContent = `${at + 1} of ${all.length}: ${m.title}${more}`;
  };
};
const toMark = walk(marks);
const toNamed = name => {
  const i = marks.findIndex(m => m.title.startsWith(`${name} `));
  if (i >= 0)
    toMark(0, i);
};

/* ---- the critical path: its longest pieces, in order of time ---- */

const PIECES = 100;
const path = d.path;
/* By row, what is on it; the rows that it goes through. */
const pathOf = Array(d.rows).fill(null);
if (path.n) {
  const count = new Uint32Array(d.rows);
  for (let i = 0; i < path.n; i++)
    count[path.row[i]]++;
  for (let r = 0; r < d.rows; r++)
    if (count[r])
      pathOf[r] = {n: 0, from: new Float64Array(count[r]), to: new Float64Array(count[r])};
  for (let i = 0; i < path.n; i++) {
    const p = pathOf[path.row[i]];
    p.from[p.n] = path.from[i];
    p.to[p.n++] = path.to[i];
  }
}
const longest = () => {
  const all = path.to.subarray(0, path.n).map((to, i) => to - path.from[i]);
  const least = [...all.slice().sort().subarray(-PIECES)][0], found = [];
  for (let i = 0; i < path.n; i++)
    if (all[i] >= least)
      found.push(i);
  return found.sort((a, b) => all[b] - all[a] || a - b).slice(0, PIECES).sort((a, b) => a - b);
};
const toPiece = walk(longest().map(p => ({at: path.from[p], length: path.to[p] - path.from[p],
    get box() {
      const r = path.row[p], i = first(r, path.from[p]);
      return i < d.begin[r + 1] && d.x[i] < path.to[p] ? i : -1;
    },
    title: `critical path: ${d.path_words[path.word[p]]}, ${amount(path.to[p] - path.from[p])} at ${time(path.from[p] + d.base)}`})));

const goTo = i => {
  const room = isFlame ? 0 : Math.max(d.length[i] * 2, most / 1e5);
  w.look(d.x[i] - room, d.x[i] + d.length[i] + room);
  w.select(i);
};

const toLine = by => {
  const at = view.from + (view.to - view.from) * 1e-6;
  const all = steps.map(l => l.at);
  const to = by > 0 ? all.find(t => t > at) : all.findLast(t => t < view.from);
  if (to !== undefined)
    w.look(to, to + view.to - view.from);
};

const left = () => w.canvas.clientWidth > 640 ? MARGIN : MARGIN && (pinned ? 112 : 90);
const own = {get most() {
  return most;
}, least: d.unit === 'ns' ? 20 : 1, top: TOP, amount,
  left: () => left(), height, draw, list, boxAt, chosen, goTo, said: i => `${d.names[d.name[i]]}\n${words(i)}`,
  share: found => `${percent(covered(found) / most)} of all`,
  click: i => i >= 0 && isFlame && (i === w.selected || !d.icicle) ? goTo(i) : w.select(i),
  toMark, toNamed, escape: () => shown.around >= 0 && sandwich(-1),
  keys: {']': () => toLine(1), '[': () => toLine(-1), p: () => toMark(-1), j: () => toPiece(1), k: () => toPiece(-1),
    c: () => layer && sandwich(w.selected)}};
if (layer) {
  shown.layers = d.layers.length > 0;
  shown.waits = d.threads > 0;
  arranged();
}
const w = page.work(d, own);
const {view, ink, colors} = w;
/* In another form: what is looked at and chosen begins again. */
const rearrange = () => {
  arranged();
  $('callers').setAttribute('aria-pressed', shown.around >= 0);
  w.pointed = -1;
  w.select(-1);
  w.look(0, most);
  $('search').dispatchEvent(new Event('input'));
};
/* Around the name of a box; -1: back to all. */
const sandwich = i => {
  if (i < 0 && shown.around < 0) {
    $('what').textContent = 'choose a box first: its callers and callees';
    return;
  }
  const name = i < 0 ? -1 : layer[d.name[i]] ?? d.name[i];
  shown.around = shown.layers || i < 0 ? name : d.name[i];
  rearrange();
  if (shown.around < 0)
    return;
  w.select(d.begin[shown.center]);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    w.canvas.parentElement.scrollTop = top(shown.center) - 150;
  }));
  $('what').textContent = `callers above, callees below; Escape: back to all\n${$('what').textContent}`;
};
const form = (key, text) => {
  const label = document.createElement('label'), box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = true;
  box.id = key;
  box.addEventListener('change', () => {
    shown[key] = box.checked;
    box.blur();
    if (!layer)
      return w.later();
    shown.around = -1;
    rearrange();
  });
  label.append(box, text);
  $('where').before(label);
};
if (layer) {
  if (shown.layers)
    form('layers', `merge layers (${count(d.layers.length)} names)`);
  if (shown.waits)
    form('waits', `hide waiting threads (${count(d.threads)})`);
  const button = document.createElement('button');
  button.type = 'button';
  button.id = 'callers';
  button.textContent = 'callers and callees';
  button.setAttribute('aria-pressed', false);
  button.addEventListener('click', () => {
    sandwich(shown.around < 0 ? w.selected : -1);
    button.blur();
  });
  $('where').before(button);
}
if (pinned && pinned < d.rows)
  form('rest', `the other ${count(d.rows - pinned)} lanes`);
if (!isFlame)
  w.canvas.parentElement.addEventListener('scroll', w.later);
if (path.n) {
  const button = document.createElement('button'), box = document.createElement('i');
  box.className = 'path';
  button.append(box, 'critical path');
  button.type = 'button';
  button.setAttribute('aria-pressed', true);
  button.addEventListener('click', () => {
    shown.path = !shown.path;
    button.setAttribute('aria-pressed', shown.path);
    w.later();
  });
  $('key').append(button);
}
if (d.gone?.length) {
  const table = document.createElement('table'), head = table.createCaption();
  head.textContent = 'gone: only the first has these';
  fill(table.createTBody(), d.gone.map((name, i) => [amount(d.was[i]), name]));
  table.id = 'gone';
  $('help').before(table);
}
page.boxes = d;
w.start();
})();
