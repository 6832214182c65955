/*
 * What pages to work in share: their data, numbers as words, a view of an axis, and hands.  The
 * data are in #tiles: a deflated head (JSON) and columns of numbers, as tiles.c writes them.
 */
'use strict';
const page = (() => {

const $ = id => document.getElementById(id);

/* In a document: the mark that this leads to, before there is anything to be seen, too. */
let named = '', toNamed = name => {
  named = name;
};
if (parent !== window)
  addEventListener('message', e => e.source === parent && toNamed(String(e.data?.mark)));

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
  const n = begin[head.rows], row = new Uint16Array(n);
  const x = column(n), length = column(n), name = column(n, new Uint32Array(n)),
    series = column(n, new Uint8Array(n)), high = column(n, new Uint8Array(n));
  const size = head.kind === 'blocks' || head.gone ? column(n) : null;
  for (let r = 0; r < head.rows; r++) {
    row.fill(r, begin[r], begin[r + 1]);
    for (let i = begin[r] + 1; i < begin[r + 1]; i++)
      x[i] += x[i - 1];
  }
  /* Pieces of some length, in order of time. */
  const most = head.path ?? 0;
  const path = {n: 0, from: new Float64Array(most), to: new Float64Array(most), row: new Uint32Array(most), word: new Uint32Array(most)};
  for (let i = 0, end = 0; i < most; i++) {
    const from = end + number();
    end = from + number();
    path.from[path.n] = from;
    path.to[path.n] = end;
    path.row[path.n] = number();
    path.word[path.n] = number();
    path.n += end > from;
  }
  return {...head, begin, n, x, length, name, series, high, size, row, path};
};

const open = async () => read(await unpack($('tiles').textContent));

/* ---- numbers as words ---- */

const count = v => Math.round(v).toLocaleString('en');
const time = v => {
  const [by, unit] = v >= 6e10 ? [6e10, 'min'] : v >= 1e9 ? [1e9, 's'] : v >= 1e6 ? [1e6, 'ms']
    : v >= 1e3 ? [1e3, 'us'] : [1, 'ns'];
  return `${by === 1 ? Math.round(v) : (v / by).toPrecision(4)} ${unit}`;
};
const bytes = v => {
  const [by, unit] = v >= 2 ** 30 ? [2 ** 30, 'GiB'] : v >= 2 ** 20 ? [2 ** 20, 'MiB']
    : v >= 1024 ? [1024, 'KiB'] : [1, 'B'];
  return `${by === 1 ? v : (v / by).toPrecision(4)} ${unit}`;
};
const percent = v => `${(100 * v).toFixed(v < 0.0995 ? 2 : 1)}%`;

/* Of a file its name is worth more than its folders. */
const clip = (text, px) => {
  const letters = Math.floor(px / 6.6);
  if (text.length > letters && text.startsWith('/'))
    text = text.replace(/^[^ ]*\//, '');
  return text.length <= letters ? text : letters < 4 ? '' : text.slice(0, letters - 1) + '\u2026';
};

/* Round values from..to, some 100 px apart where the range has `px`. */
const round = (from, to, px, of = [1, 2, 5, 10], base = 10) => {
  const want = (to - from) * 100 / px, power = base ** Math.floor(Math.log(want) / Math.log(base));
  const step = of.find(by => by * power >= want) * power, all = [];
  for (let t = Math.ceil(from / step) * step; t <= to; t += step)
    all.push(t);
  return all;
};

/* ---- rows of a table ---- */

const fill = (body, rows) => {
  body.replaceChildren();
  for (const cells of rows) {
    const row = body.insertRow();
    cells.forEach((text, i) => {
      const td = row.insertCell(), isName = i + 1 === cells.length;
      const box = isName ? td.appendChild(document.createElement('div')) : td; /* of a few lines */
      box.textContent = text;
      td.className = isName ? '' : 'n';
    });
  }
};

const pattern = text => {
  try {
    return new RegExp(text, 'i');
  } catch {
    return {test: name => name.toLowerCase().includes(text.toLowerCase())};
  }
};

/* ---- the workbench: what is looked at, by hand and by key ----
 *
 * own: most and least (of the axis), left() (px beside it), draw(), list() (the table below),
 * boxAt(px, py), said(i) (of the tip), chosen(i) (of the line below), goTo(i), share(found),
 * noun; and optional: wheel(e), drag(by, from), click(i, px), keys.
 */
const work = (d, own) => {
  const canvas = $('canvas'), tip = $('tip');
  const w = {view: {from: 0, to: own.most}, area: null, selected: -1, pointed: -1, matching: null,
    hidden: new Set(), colors: {}, canvas, ink: canvas.getContext('2d')};
  const {view, hidden} = w;

  w.edge = () => canvas.clientWidth;
  w.wide = () => Math.max(1, canvas.clientWidth - own.left());
  w.toX = t => own.left() + (t - view.from) * w.wide() / (view.to - view.from);
  w.toTime = px => view.from + (px - own.left()) * (view.to - view.from) / w.wide();
  /* Says what a line of the axis is, from the left on; on its left where the edge would cut it, if there is room. */
  let last = 0, end = 0;
  w.tick = (text, x, y = 8) => {
    const wide = w.ink.measureText(text).width + 3, at = x + wide > w.edge() ? x - wide : x + 3;
    end = x > last ? end : 0;
    last = x;
    if (at < end)
      return;
    end = at + wide;
    w.ink.fillText(text, at, y);
  };
  w.isFaded = i => (w.matching && !w.matching[d.name[i]]) || hidden.has(d.series[i]);

  let frame = 0, pause = 0;
  w.later = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      w.draw();
    });
    clearTimeout(pause);
    pause = setTimeout(own.list, 150);
  };
  w.look = (from, to) => {
    const span = Math.min(own.most, Math.max(Math.min(own.most, own.least), to - from));
    view.from = Math.min(Math.max(0, from), own.most - span);
    view.to = view.from + span;
    w.later();
  };
  const zoom = (by, at = (view.from + view.to) / 2) =>
    w.look(at - (at - view.from) * by, at + (view.to - at) * by);
  const pan = part => {
    const by = part * (view.to - view.from);
    w.look(view.from + by, view.to + by);
  };

  /* ---- drawing ---- */

  const value = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  const readColors = () => {
    for (const name of ['fg', 'soft', 'line', 'bg', 'link'])
      w.colors[name] = value(name);
    w.colors.all = [];
    for (let i = 0; value('c' + i); i++)
      w.colors.all.push(value('c' + i));
    w.colors.series = d.series_of.map(s => w.colors.all[s.color]);
    w.colors.ink = d.series_of.map(s => value(s.faint ? 'fg' : 'i' + s.color));
  };
  w.draw = () => {
    const ratio = devicePixelRatio || 1, height = own.height();
    canvas.style.height = height + 'px';
    canvas.width = canvas.clientWidth * ratio;
    canvas.height = height * ratio;
    w.ink.scale(ratio, ratio);
    w.ink.font = '12px system-ui,sans-serif';
    w.ink.textBaseline = 'middle';
    own.draw();
    if (w.area) {
      w.ink.globalAlpha = 0.2;
      w.ink.fillStyle = w.colors.link;
      w.ink.fillRect(w.toX(w.area.from), own.top, w.toX(w.area.to) - w.toX(w.area.from), height);
      w.ink.globalAlpha = 1;
    }
    $('where').textContent = view.from === 0 && view.to === own.most ? `all: ${own.amount(own.most)}`
      : d.unit === 'ns' ? `${time(view.from + d.base)} + ${time(view.to - view.from)}`
      : `${percent((view.to - view.from) / own.most)} of all`;
  };

  /* ---- one box ---- */

  const place = e => {
    const at = canvas.getBoundingClientRect();
    return [e.clientX - at.left, e.clientY - at.top];
  };
  const tell = e => {
    const i = own.boxAt(...place(e));
    if (i !== w.pointed) {
      w.pointed = i;
      w.later();
    }
    tip.hidden = i < 0;
    if (i < 0)
      return;
    tip.textContent = own.said(i);
    const x = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 6);
    tip.style.left = Math.max(4, x) + 'px';
    tip.style.top = (e.clientY + tip.offsetHeight + 24 > innerHeight
      ? e.clientY - tip.offsetHeight - 10 : e.clientY + 16) + 'px';
  };
  w.select = i => {
    w.selected = i;
    $('what').textContent = i < 0 ? 'nothing is chosen' : own.chosen(i);
    w.later();
  };

  /* ---- search ---- */

  let found = [], shown = -1;
  const search = text => {
    const re = text && pattern(text);
    w.matching = re ? d.names.map(name => re.test(name)) : null;
    found = [];
    shown = -1;
    for (let i = 0; w.matching && i < d.n; i++)
      if (w.matching[d.name[i]])
        found.push(i);
    found.sort((a, b) => d.x[a] - d.x[b]);
    $('found').textContent = !re ? '' : found.length === 0 ? 'no match'
      : `${count(found.length)} ${found.length === 1 ? 'match' : 'matches'}, ${own.share(found)}`;
    w.later();
  };
  const next = by => {
    if (!found.length)
      return own.toMark?.(by);
    shown = (shown + by + found.length) % found.length;
    own.goTo(found[shown]);
  };

  /* ---- hands ---- */

  let drag = null;
  canvas.addEventListener('pointerdown', e => {
    drag = {x: place(e)[0], y: place(e)[1], from: view.from, to: view.to, isArea: e.shiftKey, moved: false};
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    if (!drag)
      return tell(e);
    const [x, y] = place(e);
    drag.moved ||= Math.abs(x - drag.x) > 3 || Math.abs(y - drag.y) > 3;
    if (!drag.moved)
      return;
    tip.hidden = true;
    if (drag.isArea) {
      w.area = {from: Math.max(0, w.toTime(Math.min(x, drag.x))), to: w.toTime(Math.max(x, drag.x))};
      w.later();
    } else {
      const by = (drag.x - x) * (drag.to - drag.from) / w.wide();
      w.look(drag.from + by, drag.to + by);
      own.drag?.(y - drag.y);
      drag.y = own.drag ? y : drag.y;
    }
  });
  canvas.addEventListener('pointerup', e => {
    const was = drag;
    drag = null;
    if (!was || was.moved)
      return;
    if (w.area) {
      w.area = null;
      return w.later();
    }
    own.click(own.boxAt(...place(e)), ...place(e));
  });
  canvas.addEventListener('pointerleave', () => {
    tip.hidden = true;
    w.pointed = -1;
    w.later();
  });
  canvas.addEventListener('dblclick', e => {
    const i = own.boxAt(...place(e));
    if (i >= 0)
      own.goTo(i);
  });
  canvas.addEventListener('wheel', e => {
    const by = Math.exp(Math.max(-60, Math.min(60, e.deltaY || e.deltaX)) / 200);
    if (e.shiftKey && own.wheel)
      own.wheel(by, place(e)[1]);
    else if (!e.ctrlKey && !e.altKey && Math.abs(e.deltaX) > Math.abs(e.deltaY))
      pan(e.deltaX / w.wide());
    else
      zoom(by, w.toTime(place(e)[0]));
    e.preventDefault();
  }, {passive: false});

  const reset = () => {
    w.area = null;
    own.reset?.();
    w.select(-1);
    w.look(0, own.most);
  };
  const keys = {w: () => zoom(0.7), s: () => zoom(1 / 0.7), a: () => pan(-0.2), d: () => pan(0.2),
    '+': () => zoom(0.7), '-': () => zoom(1 / 0.7), ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2), 0: reset, Home: reset, n: () => next(1), N: () => next(-1),
    '/': () => $('search').focus(), ...own.keys};
  document.addEventListener('keydown', e => {
    if (e.key === 'Escape') {
      $('search').value = '';
      $('search').blur();
      w.area = null;
      w.select(-1);
      search('');
      return own.escape?.();
    }
    if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest('input,button') && e.key !== '/')
      return;
    if (Object.hasOwn(keys, e.key) && e.target.tagName !== 'INPUT') {
      keys[e.key]();
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

  /* ---- the key of colours, each to be turned off ---- */

  w.toggle = (i, button) => {
    if (!hidden.delete(i))
      hidden.add(i);
    button.setAttribute('aria-pressed', !hidden.has(i));
    w.later();
  };
  const entry = (tag, s, form) => {
    const at = document.createElement(tag), box = document.createElement('i');
    box.style.background = `var(--c${s.color})`;
    box.className = form;
    at.append(box, s.title);
    $('key').append(at);
    return at;
  };
  d.series_of.forEach((s, i) => {
    if (!s.title)
      return;
    const button = entry('button', s, s.faint ? 'faint' : '');
    button.type = 'button';
    button.setAttribute('aria-pressed', true);
    button.addEventListener('click', () => w.toggle(i, button));
  });
  for (const c of d.curves ?? [])
    entry('span', c, 'line');

  w.start = () => {
    matchMedia('(prefers-color-scheme:dark)').addEventListener('change', () => {
      readColors();
      w.later();
    });
    new ResizeObserver(w.later).observe(canvas.parentElement);
    readColors();
    w.select(-1);
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has('t')) {
      const [from, to] = asked.get('t').split(',').map(Number);
      w.look(from - d.base, to - d.base);
    }
    if (asked.has('q')) {
      $('search').value = asked.get('q');
      search(asked.get('q'));
    }
    if (own.toNamed) {
      toNamed = own.toNamed;
      toNamed(named);
    }
    w.draw();
    own.list();
    document.documentElement.dataset.drawn = d.n;
  };
  return w;
};

return {$, open, count, time, bytes, percent, clip, round, fill, work};
})();
