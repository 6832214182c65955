/* Blocks of memory over time, on each other in the order in which they were allocated. */
(async () => {
'use strict';
const {$, count, time, bytes, percent, fill} = page;

const d = await page.open(), BEFORE = 1, LEFT = 2; /* d.high: alive before the history, never freed */
const most = Math.max(d.most, 1), TOP = 24, HIGH = 460, MARGIN = 76;
const amount = d.unit === 'ns' ? time : v => `${count(v)} entries`;
const where = i => d.names[d.name[i]].split('\n')[0];
const frames = i => (d.names[d.name[i]].split('\n')[1] ?? '').split(';').reverse().filter(f => f);
const endOf = i => d.high[i] & LEFT ? Infinity : d.x[i] + d.length[i];
const tallest = 1.04 * Math.max(1, ...d.curves.map(c => c.y.reduce((a, y) => Math.max(a, y), 0)),
  ...d.lines.filter(l => !l.upright).map(l => l.at));
const marks = d.lines.filter(l => l.upright);

/* ---- what is held when ---- */

const ends = Uint32Array.from(d.x, (_, i) => i).sort((a, b) => endOf(a) - endOf(b) || a - b);
/* All moments at which something changes, and what is held from then on. */
const moments = (() => {
  const at = [], sum = [];
  let held = 0;
  for (let b = 0, e = 0; b < d.n;) {
    const t = Math.min(d.x[b], endOf(ends[e]));
    for (; b < d.n && d.x[b] <= t; b++)
      held += d.size[b];
    for (; e < d.n && endOf(ends[e]) <= t; e++)
      held -= d.size[ends[e]];
    at.push(t);
    sum.push(held);
    if (b === d.n)
      for (; e < d.n && endOf(ends[e]) < Infinity; e++) {
        held -= d.size[ends[e]];
        at.push(endOf(ends[e]));
        sum.push(held);
      }
  }
  return {at, sum};
})();
/* The last moment of those up to t, or -1. */
const momentAt = t => {
  let low = 0, high = moments.at.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (moments.at[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low - 1;
};
const peak = () => moments.at[moments.sum.reduce((a, v, i) => v > moments.sum[a] ? i : a, 0)] ?? 0;

/* At each of these times, which ascend: visit(its index, the first block, the next of each). */
const walk = (times, visit) => {
  const after = new Int32Array(d.n + 1), before = new Int32Array(d.n + 1), isIn = new Uint8Array(d.n);
  after[d.n] = before[d.n] = d.n; /* the end of the list, and its beginning */
  for (let k = 0, b = 0, e = 0; k < times.length; k++) {
    for (; b < d.n && d.x[b] <= times[k]; b++) {
      if (endOf(b) <= times[k])
        continue;
      isIn[b] = 1;
      before[b] = before[d.n];
      after[b] = d.n;
      after[before[d.n]] = before[d.n] = b;
    }
    for (; e < d.n && endOf(ends[e]) <= times[k]; e++) {
      const i = ends[e];
      if (!isIn[i])
        continue;
      after[before[i]] = after[i];
      before[after[i]] = before[i];
    }
    visit(k, after[d.n], after);
  }
};
const heldAt = t => {
  const all = [];
  walk([t], (_, i, after) => {
    for (; i < d.n; i = after[i])
      all.push(i);
  });
  return all;
};

/* ---- drawing ---- */

const tall = {low: 0, high: tallest}; /* the bytes that are in view */
let moment = marks.length ? marks[marks.length - 1].at : peak(), shown = [];
const left = () => MARGIN, height = () => TOP + HIGH + 4;
const toY = v => TOP + HIGH - (v - tall.low) * HIGH / (tall.high - tall.low);

/* Of each column the moment at which most is held. */
const columns = n => {
  const times = new Float64Array(n), by = (view.to - view.from) / n;
  for (let k = 0; k < n; k++) {
    const from = view.from + k * by, first = momentAt(from), last = momentAt(from + by);
    let best = first;
    for (let i = Math.max(0, first + 1); i <= last; i++)
      if (best < 0 || moments.sum[i] > moments.sum[best])
        best = i;
    times[k] = best === first ? from : moments.at[best];
  }
  return times;
};

const paint = (text, part) => {
  const v = text.match(/[\da-f]{2}/gi).map(h => parseInt(h, 16));
  const paper = colors.bg.match(/[\da-f]{2}/gi).map(h => parseInt(h, 16));
  const [r, g, b] = v.map((c, i) => Math.round(c * part + paper[i] * (1 - part)));
  return 0xff000000 | b << 16 | g << 8 | r;
};

/* A line of a curve at a time; points ascend. */
const stepAt = (c, t) => {
  let low = 0, high = c.x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (c.x[middle] <= t)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? c.y[low - 1] : 0;
};

const drawBlocks = () => {
  const ratio = devicePixelRatio || 1, wide = Math.max(1, Math.floor(w.wide() * ratio));
  const high = Math.floor(HIGH * ratio), image = ink.createImageData(wide, high);
  const px = new Uint32Array(image.data.buffer), scale = high / (tall.high - tall.low);
  const shade = colors.series.map(c => [0.62, 0.74, 0.86].map(part => paint(c, part)));
  const faded = colors.series.map(c => paint(c, 0.14)), rest = paint(colors.line, 0.8);
  const chosen = paint(colors.fg, 0.9), edge = paint(colors.bg, 1);
  const row = v => Math.max(0, Math.min(high, Math.round(high - (v - tall.low) * scale)));
  const bar = (k, from, to, color) => {
    for (let y = to; y < from; y++)
      px[y * wide + k] = color;
  };
  shown = columns(wide);
  walk(shown, (k, i, after) => {
    let sum = 0;
    for (; i < d.n && sum < tall.high; i = after[i]) {
      const from = row(sum), to = row(sum += d.size[i]), s = d.series[i];
      if (from === to)
        continue;
      bar(k, from, to, i === w.selected ? chosen : w.isFaded(i) ? faded[s] : shade[s][i % 3]);
      if (from - to > 3)
        px[to * wide + k] = edge;
    }
    if (d.more && i === d.n)
      bar(k, row(sum), row(stepAt(d.curves[0], shown[k])), rest);
  });
  ink.putImageData(image, Math.round(MARGIN * ratio), Math.round(TOP * ratio));
};

const drawCurves = () => {
  for (const c of d.curves) {
    ink.strokeStyle = colors.all[c.color];
    ink.lineWidth = 1.5;
    ink.beginPath();
    for (let k = 0; k <= w.wide(); k++) {
      const y = toY(stepAt(c, w.toTime(MARGIN + k)));
      ink[k ? 'lineTo' : 'moveTo'](MARGIN + k, y);
    }
    ink.stroke();
  }
};

const mark = (t, title, color, y) => {
  const x = Math.min(w.toX(t), w.edge() - 2);
  ink.fillStyle = color;
  ink.fillRect(x, TOP - 8, 1.5, HIGH + 8);
  ink.textAlign = x > (w.edge() + MARGIN) / 2 ? 'right' : 'left';
  const wide = ink.measureText(title).width + 8, from = ink.textAlign === 'right' ? x - wide - 2 : x + 3;
  ink.fillStyle = colors.bg;
  ink.fillRect(from, y - 9, wide, 18);
  ink.fillStyle = color;
  ink.fillText(title, ink.textAlign === 'right' ? from + wide - 4 : from + 4, y);
  ink.textAlign = 'left';
};

const draw = () => {
  drawBlocks();
  ink.save();
  ink.beginPath();
  ink.rect(MARGIN, 0, w.wide(), height());
  ink.clip();
  drawCurves();
  for (const l of d.lines.filter(l => !l.upright)) {
    const y = toY(l.at);
    ink.fillStyle = colors.fg;
    ink.fillRect(MARGIN, y, w.wide(), 1.5);
    ink.fillText(l.title, MARGIN + 6, y + (y < TOP + 16 ? 11 : -8));
  }
  ink.fillStyle = colors.soft;
  for (const t of page.round(view.from, view.to, w.wide())) {
    ink.fillRect(Math.round(w.toX(t)), TOP - 4, 1, 4);
    w.tick(d.unit === 'ns' ? time(t) : count(t), w.toX(t));
  }
  for (const l of marks)
    if (l.at >= view.from && l.at <= view.to)
      mark(l.at, l.title, colors.fg, TOP + 34);
  if (moment >= view.from && moment <= view.to && !marks.some(l => l.at === moment))
    mark(moment, amount(moment), colors.link, TOP + 56);
  ink.restore();
  ink.fillStyle = colors.soft;
  ink.textAlign = 'right';
  for (const v of page.round(tall.low, tall.high, HIGH * 1.6, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], 1024))
    ink.fillText(bytes(v), MARGIN - 6, toY(v));
  ink.textAlign = 'left';
};

/* ---- what is held, by who allocated it ---- */

const list = () => {
  const {area} = w;
  const all = (area ? [...d.size.keys()].filter(i => !(d.high[i] & BEFORE) && d.x[i] >= area.from
    && d.x[i] <= area.to && endOf(i) > area.to) : heldAt(moment)).filter(i => !w.isFaded(i));
  const by = new Map();
  let sum = 0;
  for (const i of all) {
    const v = by.get(where(i)) ?? {size: 0, n: 0};
    v.size += d.size[i];
    v.n++;
    sum += d.size[i];
    by.set(where(i), v);
  }
  fill($('sums'), [...by].sort((a, b) => b[1].size - a[1].size).slice(0, 20).map(([name, v]) =>
    [bytes(v.size), percent(v.size / (sum || 1)), count(v.n), name]));
  const at = marks.find(l => l.at === moment)?.title ?? (moment === peak() ? 'the peak' : '');
  $('over').textContent = (area ? 'allocated in the area and not freed in it: '
    : `held at ${amount(moment)}${at ? ` (${at})` : ''}: `)
    + `${bytes(sum)} in ${count(all.length)} ${all.length === 1 ? 'block' : 'blocks'}, ${count(by.size)} ${by.size === 1 ? 'place' : 'places'}`;
};

/* ---- one block ---- */

const boxAt = (px, py) => {
  const k = Math.floor((px - MARGIN) * shown.length / w.wide());
  if (k < 0 || k >= shown.length || py < TOP || py > TOP + HIGH)
    return -1;
  const at = tall.low + (TOP + HIGH - py) * (tall.high - tall.low) / HIGH;
  let sum = 0;
  return heldAt(shown[k]).find(i => (sum += d.size[i]) > at) ?? -1;
};

const life = i => {
  const from = d.high[i] & BEFORE ? 'alive before the history' : `allocated at ${amount(d.x[i])}`;
  return d.high[i] & LEFT ? `${from}, not freed` : `${from}, freed at ${amount(d.x[i] + d.length[i])}, `
    + `${amount(d.length[i])} later`;
};

const look = t => {
  const span = view.to - view.from;
  moment = t;
  w.area = null;
  if (t < view.from || t > view.to)
    w.look(t - span / 2, t + span / 2);
  w.later();
};
const toMark = by => {
  const at = marks.map(l => l.at), to = by > 0 ? at.find(t => t > moment) : at.findLast(t => t < moment);
  if (to !== undefined)
    look(to);
};
const goTo = i => {
  const span = d.high[i] & LEFT ? most - d.x[i] : d.length[i], below = heldAt(d.x[i]);
  const low = below.slice(0, below.indexOf(i)).reduce((a, k) => a + d.size[k], 0);
  w.look(d.x[i] - span, d.x[i] + 2 * span);
  tall.low = Math.max(0, low - 4 * d.size[i]);
  tall.high = Math.min(tallest, low + 5 * d.size[i]);
  w.select(i);
};
const stretch = (by, py) => {
  const at = tall.low + (TOP + HIGH - py) * (tall.high - tall.low) / HIGH;
  const high = Math.min(tallest, Math.max(4096, (tall.high - tall.low) * by));
  tall.low = Math.min(tallest - high, Math.max(0, at - (at - tall.low) * high / (tall.high - tall.low)));
  tall.high = tall.low + high;
  w.later();
};
const lift = dy => {
  const by = Math.min(tallest - tall.high, Math.max(-tall.low, dy * (tall.high - tall.low) / HIGH));
  tall.low += by;
  tall.high += by;
};

const w = page.work(d, {most, least: d.unit === 'ns' ? 1000 : 4, top: TOP, amount, left, height, draw, list, boxAt,
  goTo, said: i => `${where(i)}\n${bytes(d.size[i])}, ${life(i)}`,
  chosen: i => [`${where(i)}: ${bytes(d.size[i])}, ${life(i)}`, ...frames(i)].join('\n'),
  share: found => `${bytes(found.filter(i => d.x[i] <= moment && endOf(i) > moment)
    .reduce((a, i) => a + d.size[i], 0))} held at ${amount(moment)}`,
  click: (i, px) => {
    moment = Math.min(most, Math.max(0, shown[Math.floor((px - MARGIN) * shown.length / w.wide())] ?? w.toTime(px)));
    w.select(i);
  },
  wheel: stretch, drag: lift, reset: () => Object.assign(tall, {low: 0, high: tallest}),
  keys: {']': () => toMark(1), '[': () => toMark(-1), p: () => look(peak())}});
const {view, ink, colors} = w;
$('key').style.setProperty('--strong', 0.74);
w.start();
})();
