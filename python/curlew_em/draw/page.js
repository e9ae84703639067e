// SPDX-License-Identifier: BSD-3-Clause
// Draws the charts of report.html. TABLE (python/curlew_em/charts.json) is above: colours, maps, ranges.
'use strict';
const make = (tag, attributes, parent, text) => {
  const of_svg = /^(svg|path|text|circle|title)$/.test(tag);
  const made = of_svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
};
const mix = (stops, t) => {  // a colour of a map, [red, green, blue]
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1), i = Math.min(Math.floor(at), stops.length - 2);
  return stops[i].map((v, k) => Math.round(v + (at - i) * (stops[i + 1][k] - v)));
};
const short = v => String(+v.toPrecision(Math.abs(v) < 1000 ? 4 : 7)).replace('-', '\u2212');
const tickStep = (range, angle) => {
  if (angle && range > 60) return range <= 100 ? 15 : range <= 200 ? 30 : 60;
  const power = 10 ** Math.floor(Math.log10(range / 6)), share = range / 6 / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
};
const ticks = (low, high, step) => {
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(k * step);
  return found;
};
const fitted = (node, draw) => {  // draws now, and whenever the width changes
  let width = node.clientWidth;
  draw();
  new ResizeObserver(() => { if (node.clientWidth !== width) width = node.clientWidth, requestAnimationFrame(draw); }).observe(node);
};
const there = v => v !== null && v !== undefined && isFinite(v);
const degree = Math.PI / 180;
const choose = (parent, label, names, act) => {
  const made = make('select', {'aria-label': label}, parent);
  names.forEach((name, i) => make('option', {value: i}, made, name));
  made.oninput = act;
  return made;
};
const onKeys = (node, draw, acts) => {
  node.onkeydown = e => { if (acts[e.key]) acts[e.key](), draw(), e.preventDefault(); };
};

// ---- frames: what lies behind the curves, where a point of curve k is drawn, and the x of a place ----

function lineFrame(c, width, view, shown) {
  const height = Math.round(Math.min(Math.max(0.56 * width, 230), 400)), left = 66, right = width - 12, top = 10, bottom = height - 44;
  const of = y => c.log ? Math.log10(y) : y, xs = [], ys = [];
  c.curves.forEach((k, n) => k.x.forEach((x, i) => {
    if (there(x)) xs.push(x);
    if (shown[n] && (!view || (x >= view[0] && x <= view[1])))
      for (const y of [k.y[i], k.low && k.low[i], k.high && k.high[i]]) if (there(y) && (!c.log || y > 0)) ys.push(of(y));
  }));
  for (const m of c.masks || []) ys.push(m[2]);
  let [x0, x1] = view || [Math.min(...xs), Math.max(...xs)], y0 = Math.min(...ys), y1 = Math.max(...ys);
  if (there(c.top_of_bars) && c.curves.every(k => k.y.every(y => !(y > c.top_of_bars + 0.05)))) y1 = Math.min(y1, c.top_of_bars);
  if (c.names && !view) x0 -= 0.5, x1 += 0.5;
  if (!(x1 > x0)) x0 -= 0.05 * Math.abs(x0) || 1, x1 += 0.05 * Math.abs(x1) || 1;
  if (!ys.length) y0 = 0, y1 = 1;
  if (c.depth && !c.log) y0 = Math.max(y0, y1 - c.depth);
  const margin = c.depth && !c.log ? 0.5 : 0.05 * Math.abs(y0) || 1;  // of a constant; rounding errors of decibels are one
  if (!(y1 - y0 > (c.depth && !c.log ? 0.01 : 1e-9 * Math.max(Math.abs(y0), Math.abs(y1))))) y0 -= margin, y1 += margin;
  const [least, most] = (c.range || [-Infinity, Infinity]).map(v => c.range ? of(v) : v);
  y1 = Math.min(y1, most), y0 = y0 < y1 ? Math.max(y0, least) : least;
  const yStep = c.log ? Math.max(1, Math.ceil((y1 - y0) / 6)) : tickStep(y1 - y0, c.range && c.range[1] === 180);
  y0 = yStep * Math.floor(y0 / yStep + 1e-9), y1 = yStep * Math.ceil(y1 / yStep - 1e-9);
  const px = x => left + (x - x0) / (x1 - x0) * (right - left);
  const py = y => bottom - (of(y) - y0) / (y1 - y0) * (bottom - top);
  return {
    height, clip: [left - 4, top - 4, right - left + 8, bottom - top + 8], x0, x1, py,
    grid(svg) {
      const least = Math.max(tickStep(x1 - x0, c.x.endsWith('(degrees)')), xs.every(Number.isInteger) ? 1 : 0);
      const step = (x1 - x0) / least > (right - left) / 45 ? 2 * least : least;
      for (const t of ticks(x0, x1, step)) {
        make('path', {class: 'grid', d: `M${px(t)} ${top}V${bottom}`}, svg);
        make('text', {x: px(t), y: bottom + 16, 'text-anchor': 'middle'}, svg, c.names ? c.names[t - 1] || '' : short(+t.toPrecision(9)));
      }
      for (const t of ticks(y0, y1, yStep)) {
        const y = c.log ? 10 ** t : t;
        make('path', {class: 'grid', d: `M${left} ${py(y)}H${right}`}, svg);
        make('text', {x: left - 6, y: py(y) + 4, 'text-anchor': 'end'}, svg, c.log ? y.toExponential(0) : short(+t.toPrecision(9)));
      }
      make('text', {x: (left + right) / 2, y: height - 8, 'text-anchor': 'middle'}, svg, c.x);
      make('text', {transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)`, 'text-anchor': 'middle'}, svg, c.y);
      for (const [from, to, y, beyond] of c.masks || [])  // hatched where curves are not to be
        make('path', {class: 'mask', d: `M${px(from)} ${py(y)}H${px(to)}V${beyond > 0 ? top : bottom}H${px(from)}Z`}, svg);
    },
    place: (k, i) => there(k.y[i]) && (!c.log || k.y[i] > 0) && k.x[i] >= x0 && k.x[i] <= x1 ? [px(k.x[i]), py(k.y[i])] : null,
    xAt: x => x0 + (x - left) / (right - left) * (x1 - x0),
  };
}

function polarFrame(c, width) {
  const size = Math.min(width, 440), r = size / 2 - 26, cx = width / 2, cy = size / 2;
  const top = 5 * Math.ceil(Math.max(...c.curves.flatMap(k => k.y.filter(there))) / 5);
  const at = (angle, s) => [cx + r * s * Math.sin(angle * degree), cy - r * s * Math.cos(angle * degree)];
  return {
    height: size,
    grid(svg) {
      for (let s = 1; s > 0.01; s -= 10 / c.depth) {
        make('circle', {class: 'grid', cx, cy, r: r * s}, svg);
        make('text', {x: at(105, s)[0], y: at(105, s)[1] + 4, 'text-anchor': 'middle'}, svg, short(top - (1 - s) * c.depth));
      }
      for (let angle = -150; angle <= 180; angle += 30) {
        const [x, y] = at(angle, 1), [u, v] = at(angle, 1 + 14 / r);
        make('path', {class: 'grid', d: `M${cx} ${cy}L${x} ${y}`}, svg);
        make('text', {x: u, y: v + 4, 'text-anchor': 'middle'}, svg, `${short(angle)}\u00b0`);
      }
    },
    place: (k, i) => there(k.y[i]) ? at(k.x[i], Math.max(0, 1 - (top - k.y[i]) / c.depth)) : null,
    xAt: (x, y) => Math.atan2(x - cx, cy - y) / degree,
  };
}

function smithFrame(c, width) {  // Pozar (2012), Microwave Engineering, 4th ed., section 2.4
  const size = Math.min(width, 440), r = size / 2 - 26, cx = width / 2, cy = size / 2;
  const trace = (svg, z) => {
    let d = '';
    for (let i = 0; i <= 90; ++i) {
      const [a, b] = z(Math.tan(i * Math.PI / 180.0002)), size = (a + 1) ** 2 + b * b;  // (z - 1) / (z + 1)
      d += `${i ? 'L' : 'M'}${(cx + r * (a * a + b * b - 1) / size).toFixed(1)} ${(cy - r * 2 * b / size).toFixed(1)}`;
    }
    make('path', {class: 'grid', d}, svg);
  };
  return {
    height: size,
    grid(svg) {
      make('circle', {class: 'frame', cx, cy, r}, svg);
      make('path', {class: 'grid', d: `M${cx - r} ${cy}H${cx + r}`}, svg);
      for (const v of [0.2, 0.5, 1, 2, 5]) {
        for (const sign of [1, -1]) {
          trace(svg, t => [v, sign * t]);
          trace(svg, t => [t, sign * v]);
          const s = 1 + v * v, x = cx + (r + 13) * (v * v - 1) / s, y = cy - sign * (r + 13) * 2 * v / s;
          make('text', {x, y: y + 4, 'text-anchor': 'middle'}, svg, `${short(sign * v)}j`);
        }
        make('text', {x: cx + r * (v - 1) / (v + 1) + 2, y: cy - 3}, svg, v);
      }
    },
    place: (k, i) => [cx + r * k.re[i], cy - r * k.im[i]],
    xAt(x, y) {
      let best = [Infinity, null];
      for (const k of c.curves) k.x.forEach((f, i) => {
        const [u, v] = this.place(k, i), apart = Math.hypot(u - x, v - y);
        if (apart < best[0]) best = [apart, f];
      });
      return best[1];
    },
  };
}

// ---- the one routine of all charts ----

function chart(figure, c) {
  const frames = {line: lineFrame, polar: polarFrame, smith: smithFrame}, zooms = c.kind === 'line';
  const shown = c.curves.map(() => true), pins = [];
  let view = null, cursor = null, picked = -1, frame, svg, from = null;
  const [over, unit] = [c.x, c.y].map(text => / \((.*)\)$/.test(text) ? ` ${RegExp.$1}` : '');
  const colour = n => c.family ? (n === picked ? 'var(--ink)' : `rgb(${mix(TABLE.maps.pattern.stops, 0.2 + 0.7 * n / Math.max(1, c.curves.length - 1))})`) :
    TABLE.colours[(c.curves[n].colour ?? n) % TABLE.colours.length];
  const nearest = (k, x) => k.x.reduce((best, v, i) => Math.abs(v - x) < Math.abs(k.x[best] - x) ? i : best, 0);
  const value = (k, i) => {
    if (c.kind !== 'smith') {
      const width = k.high && there(k.high[i]) ? ` (${short(k.low[i])} to ${short(k.high[i])})` : '';
      return there(k.y[i]) ? short(k.y[i]) + width : 'none';
    }
    const a = k.re[i], b = k.im[i], s = (1 - a) ** 2 + b * b;  // (1 + gamma) / (1 - gamma)
    return `${short(Math.hypot(a, b))}, z = ${short((1 - a * a - b * b) / s)} ${b < 0 ? '\u2212' : '+'} ${short(Math.abs(2 * b / s))}j`;
  };
  const said = x => (c.names ? '' : `${short(x)}${over}: `) + c.curves.map((k, n) => shown[n] && (!c.family || n === picked || picked < 0 && n < 4) ?
    `${k.name}${k.name ? ': ' : ''}${value(k, nearest(k, x))}${unit}` : '').filter(Boolean).join('; ');
  const box = make('div', {class: 'plot', tabindex: 0, role: 'application', 'aria-label': `${c.title}: arrows move the marker, Enter keeps it${zooms ? ', + and \u2212 zoom' : ''}`}, figure);
  const legend = make('div', {class: 'legend'}, figure), words = make('output', {}, figure);
  const buttons = c.curves.map((k, n) => {
    const button = make('button', {type: 'button', 'aria-pressed': true}, legend);
    make('i', {style: `background:${colour(n)}`}, button);
    button.append(k.name || c.y);
    button.onclick = () => { shown[n] = !shown[n]; button.setAttribute('aria-pressed', shown[n]); draw(); };
    return button;
  });
  if (c.curves.length < 2 && !c.curves[0].name) buttons[0].hidden = true;
  const zoom = share => {
    const {x0, x1} = frame, middle = cursor > x0 && cursor < x1 ? cursor : (x0 + x1) / 2, half = share * (x1 - x0) / 2;
    view = [middle - half, middle + half];
    draw();
  };
  const whole = () => { view = null; pins.length = 0; cursor = null; draw(); };
  const pin = x => {
    x = there(x) ? c.curves[0].x[nearest(c.curves[0], x)] : null;
    if (x === null) return;
    if (pins.includes(x)) pins.splice(pins.indexOf(x), 1);
    else pins.push(x);
    draw();
  };
  const tools = make('span', {class: 'tools'}, legend);
  for (const [text, name, act] of [['+', 'zoom in', () => zoom(0.5)], ['\u2212', 'zoom out', () => zoom(2)], ['whole', 'show all, without markers', whole]])
    if (zooms || text === 'whole') make('button', {type: 'button', 'aria-label': name, title: name}, tools, text).onclick = act;

  function mark(x, number) {
    c.curves.forEach((k, n) => {
      if (!shown[n] || (c.family && picked >= 0 && n !== picked)) return;
      const at = frame.place(k, nearest(k, x));
      if (!at || frame.clip && (at[1] < frame.clip[1] || at[1] > frame.clip[1] + frame.clip[3])) return;
      make('circle', {class: 'mark', cx: at[0], cy: at[1], r: 5, stroke: colour(n)}, svg);
      if (number) make('text', {x: at[0] + 7, y: at[1] - 6, class: 'number'}, svg, number);
    });
  }
  function curve(k, n) {
    let d = '', down = false;
    k.x.forEach((_, i) => {
      const at = frame.place(k, i);
      if (c.range && c.range[1] === 180 && i && Math.abs(k.y[i] - k.y[i - 1]) > 180) down = false;  // a phase goes round
      d += at ? `${down ? 'L' : 'M'}${at[0].toFixed(1)} ${at[1].toFixed(1)}` : '';
      down = !!at;
    });
    const computed = k.points || k.x.map((_, i) => i), few = computed.length <= TABLE.few;  // a curve may have more between
    const bars = k.high && frame.py ? k.x.map((x, i) => there(k.high[i]) && frame.place(k, i)) : [];
    if (bars.some(Boolean) && few)
      computed.forEach(i => bars[i] && make('path', {class: 'bar', stroke: colour(n), d: `M${bars[i][0] - 4} ${frame.py(k.high[i])}h8m-4 0V${frame.py(k.low[i])}m-4 0h8`}, svg));
    else if (bars.some(Boolean)) {
      const side = y => bars.map((at, i) => at ? `${at[0].toFixed(1)} ${frame.py(y[i]).toFixed(1)}` : null).filter(Boolean);
      make('path', {class: 'band', fill: colour(n), d: `M${[...side(k.high), ...side(k.low).reverse()].join('L')}Z`}, svg);
    }
    const path = make('path', {class: 'curve', d, stroke: colour(n), 'stroke-dasharray': k.dash ? '6 4' : 'none', 'stroke-width': n === picked ? 3.5 : 1.8}, svg);
    make('title', {}, path, k.name);
    if (few)
      computed.forEach(i => {
        const at = frame.place(k, i);
        if (at) make('circle', {cx: at[0], cy: at[1], r: 2.8, fill: colour(n)}, svg);
      });
    if (c.kind === 'smith' && k.re.length > 1)
      make('circle', {class: 'mark', cx: frame.place(k, 0)[0], cy: frame.place(k, 0)[1], r: 4, stroke: colour(n)}, svg);
  }
  function draw() {
    const width = Math.max(260, box.clientWidth);
    frame = frames[c.kind](c, width, view, shown);
    box.replaceChildren();
    svg = make('svg', {width, height: frame.height, role: 'img', 'aria-label': c.title}, box);
    frame.grid(svg);
    const page = svg, [x, y, wide, high] = frame.clip || [];
    if (frame.clip) svg = make('svg', {x, y, width: wide, height: high, viewBox: frame.clip.join(' '), style: 'overflow:hidden'}, page);
    c.curves.forEach((k, n) => shown[n] && n !== picked && curve(k, n));
    if (picked >= 0 && c.curves[picked]) curve(c.curves[picked], picked);
    svg = page;
    pins.forEach((x, i) => mark(x, i + 1));
    if (there(cursor)) mark(cursor);
    words.textContent = [...pins.map((x, i) => `${i + 1}) ${said(x)}`), ...(there(cursor) && !pins.includes(cursor) ? [said(cursor)] : [])].join('\n');
  }
  const place = e => { const r = box.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  box.onpointerdown = e => { from = place(e); };
  box.onpointermove = e => {
    const x = frame.xAt(...place(e));
    cursor = there(x) ? c.curves[0].x[nearest(c.curves[0], x)] : null;
    draw();
  };
  box.onpointerup = e => {
    const to = place(e);
    if (zooms && from && Math.abs(to[0] - from[0]) > 12) {
      view = [from, to].map(p => frame.xAt(...p)).sort((a, b) => a - b);
      draw();
    } else if (from) pin(frame.xAt(...to));
    from = null;
  };
  box.onpointerleave = () => { cursor = null; from = null; draw(); };
  const step = by => () => {
    const xs = c.curves[0].x, at = there(cursor) ? nearest(c.curves[0], cursor) : -1;
    cursor = xs[Math.min(Math.max(at + by, 0), xs.length - 1)];
  };
  onKeys(box, draw, {ArrowRight: step(1), ArrowLeft: step(-1), Enter: () => pin(cursor), '+': () => zooms && zoom(0.5), '-': () => zooms && zoom(2), Escape: whole});
  document.addEventListener('point', e => { if (!c.family) return; picked = e.detail, buttons.forEach((button, n) => { button.firstChild.style.background = colour(n); }), draw(); });
  fitted(box, draw);
}

// ---- bodies in space: {title, parts, patterns, scenes, low, high, unit, map}; of several scenes {name, parts} one is shown. A part is
// {name, colour, on, points, faces}, of which `faces` lists corners by number; without it each triangle has its own three. `values` of
// faces lie between low and high. A wave has vectors re and im at its points, in [unit] of which `scale` is 1, and colours that end at
// `limit`, else at the greatest. Lists of numbers may be 32-bit numbers as base64 ----

const floats = list => typeof list === 'string' ? new Float32Array(Uint8Array.from(atob(list), c => c.charCodeAt(0)).buffer) : Float32Array.from(list);

function patternScene(p) {  // its distance from the centre is the gain in decibels over the least that is drawn
  const top = Math.max(...p.db.flat()), part = {name: p.name, on: true, points: [], faces: [], values: []};
  p.theta.forEach((theta, i) => p.phi.forEach((phi, j) => {
    const r = Math.max(0, 1 + (p.db[i][j] - top) / TABLE.body_depth), s = Math.sin(theta * degree);
    part.points.push(r * s * Math.cos(phi * degree), r * s * Math.sin(phi * degree), r * Math.cos(theta * degree));
    if (i === 0 || j === 0) return;
    const n = p.phi.length, at = i * n + j, value = (p.db[i][j] + p.db[i - 1][j] + p.db[i][j - 1] + p.db[i - 1][j - 1]) / 4;
    part.faces.push(at, at - 1, at - n, at - 1, at - n - 1, at - n);
    part.values.push(value, value);
  }));
  return {name: p.name, ball: true, parts: [part], low: top - TABLE.body_depth, high: top, unit: 'dBi', map: 'pattern'};
}

function separate(part, scene, shared) {  // the corners of all triangles, and what colours them: a wave, or still values from 0 to 1 as one
  const faces = part.faces || shared.faces, own = floats(part.points || shared.points), size = faces ? 3 * faces.length : own.length;
  const of_corners = list => faces ? Float32Array.from({length: size}, (_, i) => list[3 * faces[i / 3 | 0] + i % 3]) : list;
  part.corners = of_corners(own);
  part.colouring = part.values || part.re ? TABLE.maps[part.re ? 'size' : scene.map].stops : [[1, 3, 5].map(i => parseInt(part.colour.substr(i, 2), 16))];
  if (part.re) {
    part.re = of_corners(floats(part.re)), part.im = of_corners(floats(part.im)), part.is_wave = true;
    part.power = part.limit ? 0.4 : 1;  // small currents are seen beside those at a feed
    for (let i = 0; i < part.re.length && part.power === 1; i += 3) part.limit = Math.max(part.limit || 1e-30, Math.hypot(...part.re.subarray(i, i + 3), ...part.im.subarray(i, i + 3)));
  } else if (part.values) {
    part.re = Float32Array.from({length: size}, (_, i) => i % 3 ? 0 : Math.max(0, (part.values[i / 9 | 0] - scene.low) / (scene.high - scene.low)));
    part.im = new Float32Array(size), part.limit = part.power = 1;
  }
}

function edges(part) {  // of the triangles of strips thinner than a pixel; else nothing
  const low = [Infinity, Infinity, Infinity], high = low.map(v => -v), list = [], p = part.corners;
  let area = 0;
  for (let i = 0; i < p.length; i += 9) {
    const [u, w] = [3, 6].map(k => [0, 1, 2].map(n => p[i + k + n] - p[i + n])), at = i / 3;
    area += Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2, list.push(at, at + 1, at + 1, at + 2, at + 2, at);
  }
  p.forEach((v, i) => { low[i % 3] = Math.min(low[i % 3], v), high[i % 3] = Math.max(high[i % 3], v); });
  return Uint32Array.from(area < 0.01 * Math.hypot(...low.map((v, i) => high[i] - v)) ** 2 ? list : []);
}

const VERTEX = `#version 300 es
in vec3 point, re, im; uniform mat3 turn; uniform vec3 centre; uniform vec2 scale, shift, phase; uniform float size; uniform vec3 component; uniform float still; out float value; out vec3 place;
void main() { place = turn * ((point - centre) / size); vec3 now = re * phase.x - im * phase.y; value = still > 0.0 ? length(vec2(length(re), length(im))) : length(component) > 0.0 ? dot(now, component) : length(now); gl_Position = vec4(place.xy * scale + shift, -place.z, 1); }`;
const FRAGMENT = `#version 300 es
precision highp float; uniform vec3 stops[9]; uniform float limit, power, is_signed; in float value; in vec3 place; out vec4 seen;
void main() { float t = limit > 0.0 ? pow(clamp(abs(value) / limit, 0.0, 1.0), power) : 0.0; t = is_signed > 0.0 ? 4.0 + 4.0 * sign(value) * t : 8.0 * t; vec3 shown = stops[0];
  for (int i = 0; i < 8; ++i) shown = mix(shown, stops[i + 1], clamp(t - float(i), 0.0, 1.0));
  vec3 normal = cross(dFdx(place), dFdy(place)); seen = vec4(limit > 0.0 || length(normal) == 0.0 ? shown : shown * (0.5 + 0.5 * abs(normalize(normal).z)), 1); }`;

function drawnByGraphics(gl) {
  const program = gl.createProgram(), at = name => gl.getUniformLocation(program, name);
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text), gl.compileShader(shader), gl.attachShader(program, shader);
  }
  gl.linkProgram(program), gl.useProgram(program), gl.enable(gl.DEPTH_TEST), gl.enable(gl.POLYGON_OFFSET_FILL);
  return (parts, look) => {
    gl.viewport(0, 0, gl.canvas.width, gl.canvas.height), gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix3fv(at('turn'), false, [0, 1, 2].flatMap(k => look.turned([0, 1, 2].map(i => +(i === k)))));
    gl.uniform3fv(at('centre'), look.centre), gl.uniform1f(at('size'), look.size), gl.uniform2f(at('phase'), Math.cos(look.phase), Math.sin(look.phase));
    gl.uniform2f(at('scale'), 2 * look.scale * look.size / look.wide, 2 * look.scale * look.size / look.tall), gl.uniform2f(at('shift'), 2 * look.shift[0] / look.wide, 2 * look.shift[1] / look.tall);
    for (const part of parts) {
      ['point', 're', 'im'].forEach((name, n) => {
        const place = gl.getAttribLocation(program, name), data = n ? part[name] : part.corners;
        if (!data) return gl.disableVertexAttribArray(place);
        const buffers = part.buffers ||= {}, is_new = !buffers[name];
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name] ||= gl.createBuffer());
        if (is_new) gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(place), gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 0, 0);
      });
      const is_signed = part.is_wave && look.axis >= 0, colouring = is_signed ? TABLE.maps.signed.stops : part.colouring;
      gl.uniform3fv(at('stops'), Array.from({length: 9}, (_, i) => colouring[i % colouring.length]).flat().map(v => v / 255));
      gl.uniform1f(at('limit'), part.limit || 0), gl.uniform1f(at('power'), part.power || 1), gl.uniform1f(at('is_signed'), +is_signed), gl.uniform1f(at('still'), +(!part.is_wave || look.axis === -2));
      gl.uniform3fv(at('component'), [0, 1, 2].map(i => +(is_signed && i === look.axis)));
      gl.polygonOffset(part.is_cut ? 1 : 0, part.is_cut ? 1 : 0), gl.drawArrays(gl.TRIANGLES, 0, part.corners.length / 3);  // metal in its plane is in front of a cut
      part.edges ||= edges(part);
      if (!part.edges.length) continue;
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.buffers.edges ||= gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, part.edges, gl.STATIC_DRAW);
      gl.drawElements(gl.LINES, part.edges.length, gl.UNSIGNED_INT, 0);
    }
  };
}

function drawnByHand(pen) {  // where the browser has no WebGL: triangles from the farthest to the nearest
  return (parts, look) => {
    const faces = [], [c, s] = [Math.cos(look.phase), Math.sin(look.phase)];
    for (const part of parts)
      for (let i = 0; i < part.corners.length; i += 9) {
        const [p, q, r] = [0, 3, 6].map(k => look.turned([0, 1, 2].map(n => part.corners[i + k + n] - look.centre[n])));
        const u = q.map((v, k) => v - p[k]), w = r.map((v, k) => v - p[k]);
        const normal = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
        const light = part.re ? 1 : 0.5 + 0.5 * Math.abs(normal[2]) / (Math.hypot(...normal) || 1);
        const middle = list => [0, 1, 2].map(n => (list[i + n] + list[i + 3 + n] + list[i + 6 + n]) / 3 / part.limit);
        const [re, im] = part.re ? [middle(part.re), middle(part.im)] : [[0], [0]], now = re.map((v, n) => v * c - im[n] * s);
        const one = !part.is_wave || look.axis === -2 ? Math.hypot(...re, ...im) : look.axis === -1 ? Math.hypot(...now) : now[look.axis];
        const share = Math.sign(one) * Math.min(Math.abs(one), 1) ** part.power;
        const colour = !part.re ? part.colouring[0] : part.is_wave && look.axis >= 0 ? mix(TABLE.maps.signed.stops, 0.5 + 0.5 * share) : mix(part.colouring, share);
        faces.push([p[2] + q[2] + r[2], p, q, r, `rgb(${colour.map(v => Math.round(v * light))})`]);
      }
    pen.setTransform(1, 0, 0, 1, 0, 0), pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height);
    const ratio = pen.canvas.width / look.wide;
    pen.setTransform(ratio, 0, 0, ratio, ratio * (look.wide / 2 + look.shift[0]), ratio * (look.tall / 2 - look.shift[1]));
    for (const [, p, q, r, colour] of faces.sort((a, b) => a[0] - b[0])) {
      pen.beginPath(), [p, q, r].forEach(([x, y]) => pen.lineTo(look.scale * x, -look.scale * y)), pen.closePath();
      pen.fillStyle = pen.strokeStyle = colour, pen.lineWidth = 0.6, pen.fill(), pen.stroke();
    }
  };
}

function body(figure, b) {
  const scenes = [...(b.parts ? [{name: 'model', ...b}] : []), ...(b.scenes || []), ...(b.patterns || []).map(patternScene)], whole = figure.className === 'whole';
  for (const scene of scenes) for (const part of scene.parts) separate(part, scene, b);
  let canvas = make('canvas', {tabindex: 0, role: 'img', 'aria-label': `${b.title}: arrows turn it, + and \u2212 zoom`}, figure);
  const gl = canvas.getContext('webgl2');
  let paint = gl ? drawnByGraphics(gl) : drawnByHand(canvas.getContext('2d'));
  const axes = make('svg', {width: 64, height: 64, class: 'axes'}, figure);
  const box = make(whole ? 'details' : 'div', {class: 'box'}, figure);
  if (whole) make('summary', {}, box, b.title), box.open = innerWidth > 700;  // on a phone it would hide the model
  const legend = make('div', {class: 'legend'}, box);
  const tick = (text, checked, act) => {
    const label = make('label', {}, legend), node = make('input', {type: 'checkbox'}, label);
    node.checked = checked, node.onchange = () => { act(node.checked), draw(); };
    label.append(text);
    return label;
  };
  const all = scenes[0].parts, labels = b.parts ? all.map(part => {
    const label = tick('', part.on, on => { part.on = on, fit = whole ? fit : 0; });
    make('i', {style: `background:${part.re ? `linear-gradient(90deg,${part.colouring.map(v => `rgb(${v})`)})` : part.colour}`}, label);
    label.append(part.name + (part.is_wave ? ` up to ${short(+part.limit.toPrecision(3))} ${part.unit}` : ''));
    return label;
  }) : [];
  const many = labels.filter((_, n) => !all[n].is_wave);
  if (many.length > 8) labels.push(tick('all regions', false, on => many.forEach(label => { label.firstChild.checked = on, label.firstChild.onchange(); })));
  if (scenes.length > 1) choose(legend, 'what is shown', scenes.map(s => s.name), e => { scene = scenes[e.target.value], fit = b.scenes ? fit : 0, stop(), labels.forEach(l => { l.hidden = scene !== scenes[0]; }), controls.forEach(l => { l.hidden = !scene.parts.some(part => part.is_wave); }), draw(); });
  const controls = [];
  if (scenes.some(s => s.parts.some(part => part.is_wave))) {
    controls.push(choose(legend, 'component', ['amplitude', 'at a phase', 'x at a phase', 'y at a phase', 'z at a phase'], e => { axis = e.target.value - 2, draw(); }));
    const slider = make('input', {type: 'range', min: 0, max: 354, step: 6, value: 0, 'aria-label': 'phase'}, legend), button = make('button', {type: 'button'}, legend, 'run');
    controls.push(slider, button), slider.oninput = () => { phase = slider.value * degree; if (axis < -1) axis = -1, controls[0].value = 1; draw(); };
    const run = () => { slider.value = (+slider.value + 6) % 360, slider.oninput(); };
    button.onclick = () => { if (running) stop(); else running = setInterval(run, 60); };
  }
  const bar = make('span', {class: 'scale'}, legend), [nx, ny, nz] = b.normal || [Math.cos(0.6) * Math.cos(0.5), Math.sin(0.6) * Math.cos(0.5), Math.sin(0.5)];
  let scene = scenes[0], turn = Math.hypot(nx, ny) > 1e-3 ? Math.atan2(ny, nx) : -Math.PI / 2, tilt = Math.asin(nz);
  let zoom = 1, shift = [0, 0], phase = 0, axis = -2, running = null, fit = 0, centre, size, from = null;
  const stop = () => { clearInterval(running), running = null; };
  const turned = ([x, y, z]) => {
    const [c, s, d, t] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)], v = x * c + y * s;
    return [y * c - x * s, z * d - v * t, v * d + z * t];
  };
  function draw() {
    const wide = whole ? figure.clientWidth : Math.max(260, Math.min(figure.clientWidth, 560)), tall = whole ? innerHeight : 0.75 * wide, ratio = devicePixelRatio || 1;
    const parts = scene.parts.filter(part => part.on);
    canvas.style.width = `${wide}px`, canvas.style.height = `${tall}px`, canvas.width = wide * ratio, canvas.height = tall * ratio;
    if (!fit) {  // as large as the first view allows; a ball of radius 1 fits from all sides
      const low = [0, 0, 0].map(() => scene.ball ? -1 : Infinity), high = low.map(v => -v);
      if (!scene.ball) for (const part of parts) part.corners.forEach((v, i) => { low[i % 3] = Math.min(low[i % 3], v), high[i % 3] = Math.max(high[i % 3], v); });
      centre = low.map((v, i) => (v + high[i]) / 2), size = Math.hypot(...high.map((v, i) => v - low[i]));
      const corners = scene.ball ? [[1.25, 1.25, 0]] : [0, 1, 2, 3, 4, 5, 6, 7].map(n => turned([0, 1, 2].map(k => (n >> k & 1 ? high[k] : low[k]) - centre[k])));
      const left = whole && box.open ? Math.min(box.clientWidth, wide / 2) : 0;
      shift = [left / 2, 0], fit = Math.min(...corners.map(q => 0.43 / Math.max(Math.abs(q[0]) / (wide - left), Math.abs(q[1]) / tall, 1e-30)));
    }
    paint(parts, {wide, tall, turned, centre, size, scale: fit * zoom, shift, phase, axis});
    axes.replaceChildren();
    for (let k = 0; k < 3; ++k) {  // their directions, in the lower left corner
      const [x, y] = turned([0, 1, 2].map(i => i === k ? 18 : 0));
      make('path', {class: 'frame', d: `M32 32l${x} ${-y}`}, axes), make('text', {x: 32 + 1.4 * x, y: 37 - 1.4 * y, 'text-anchor': 'middle'}, axes, 'xyz'[k]);
    }
    const wave = scene.parts.find(part => part.is_wave && !b.parts);
    const most = wave && short(+(wave.limit * wave.scale).toPrecision(3));
    bar.textContent = !wave ? '' : axis < 0 ? `dark 0, light ${most} ${wave.unit}` : `red ${most}, blue \u2212${most} ${wave.unit}`;
    if (!there(scene.low)) return;
    bar.append(short(scene.low));
    make('i', {style: `background:linear-gradient(90deg,${TABLE.maps[scene.map].stops.map(v => `rgb(${v})`)})`}, bar);
    bar.append(`${short(scene.high)} ${scene.unit}`);
  }
  canvas.onpointerdown = e => { from = [e.clientX, e.clientY], canvas.setPointerCapture(e.pointerId); };
  canvas.onpointerup = () => { from = null; };
  canvas.onpointermove = e => {
    if (!from) return;
    const [x, y] = [e.clientX - from[0], e.clientY - from[1]];
    if (e.buttons > 1 || e.shiftKey) shift = [shift[0] + x, shift[1] - y];
    else turn -= x / 100, tilt += y / 100;
    from = [e.clientX, e.clientY], draw();
  };
  if (whole) canvas.onwheel = e => { zoom *= Math.exp(-0.001 * e.deltaY), draw(), e.preventDefault(); };  // in a report it scrolls
  canvas.oncontextmenu = e => e.preventDefault();
  onKeys(canvas, draw, {ArrowLeft: () => { turn += 0.1; }, ArrowRight: () => { turn -= 0.1; }, ArrowUp: () => { tilt -= 0.1; }, ArrowDown: () => { tilt += 0.1; },
                        '+': () => { zoom *= 1.25; }, '-': () => { zoom /= 1.25; }});
  canvas.addEventListener('webglcontextlost', () => {  // browsers keep some 16 of a page; this canvas cannot be drawn on by hand any more
    const fresh = canvas.cloneNode();
    for (const name of ['pointerdown', 'pointerup', 'pointermove', 'wheel', 'contextmenu', 'keydown']) fresh[`on${name}`] = canvas[`on${name}`];
    canvas.replaceWith(fresh), canvas = fresh, paint = drawnByHand(canvas.getContext('2d')), draw();
  });
  fitted(figure, draw);
  if (whole) addEventListener('resize', draw);
}

function points(figure, p) {  // of a sweep: its page in a frame, and its curve in front of the others
  const slider = make('input', {type: 'range', min: 0, max: p.names.length - 1, value: 0, 'aria-label': 'point of the sweep'}, figure);
  const name = make('output', {}, figure), link = make('a', {}, figure, 'its page');
  const frame = make('iframe', {title: 'page of the point', height: 900}, figure);
  slider.oninput = () => {
    name.textContent = p.names[slider.value];
    document.dispatchEvent(new CustomEvent('point', {detail: +slider.value}));
  };
  slider.onchange = () => { link.href = frame.src = `${p.folders[slider.value]}/report.html`; };
  slider.oninput();
  slider.onchange();
}

for (const data of document.querySelectorAll('figure > script')) ({chart, body, points})[data.className](data.parentElement, JSON.parse(data.textContent));
