/** Style and behaviour of the topology page. Its script only reads the model beside it and writes text, never markup. */
export const STYLE = `
*{box-sizing:border-box}body{margin:0;font:14px/1.45 system-ui,sans-serif;color:#1f2937;background:#fff;height:100vh;display:flex;flex-direction:column}
header{display:flex;gap:12px;align-items:center;padding:10px 16px;border-bottom:1px solid #cbd5e1}h1{font-size:17px;margin:0 auto 0 0}
input,button{font:inherit;padding:4px 8px;border:1px solid #94a3b8;border-radius:6px;background:#fff}#count{color:#64748b}
main{flex:1;display:flex;min-height:0}svg{flex:1;min-width:0;background:#fff;cursor:grab;user-select:none}aside{width:260px;border-left:1px solid #cbd5e1;padding:12px 16px;overflow:auto}
@media (max-width:700px){header{flex-wrap:wrap;gap:8px}h1{flex-basis:100%}#find{flex:1;min-width:0}main{flex-direction:column}svg{width:100%}aside{width:auto;max-height:35vh;border-left:0;border-top:1px solid #cbd5e1}}
.frame rect{fill:#f8fafc;stroke:#94a3b8}.frame text{font-weight:600;font-size:13px;fill:#475569}.frame text,.node text{paint-order:stroke;stroke:#fff;stroke-width:3px}
.link path{fill:none}.link text{font-size:10px;fill:#334155;text-anchor:middle;paint-order:stroke;stroke:#fff;stroke-width:4px}
.node{cursor:pointer;fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.node .plate{fill:#fff;stroke:none}.node .state{stroke:#fff}
.node text{fill:#1f2937;text-anchor:middle}.node .name{font-size:12px;font-weight:600}.node .more{font-size:10px;fill:#64748b}
.node:focus{outline:none}.node:focus .plate,.node.chosen .plate{stroke:#2563eb}.faded{opacity:.15}
dl{margin:0}dt{color:#64748b;font-size:12px}dd{margin:0 0 8px;overflow-wrap:anywhere}`;

export const BEHAVIOUR = `
'use strict';
const model = JSON.parse(document.getElementById('model').textContent);
const map = document.getElementById('map');
const detail = document.getElementById('detail');
const whole = map.getAttribute('viewBox').split(' ').map(Number);
let view = whole.slice();
const show = () => map.setAttribute('viewBox', view.join(' '));
document.getElementById('fit').addEventListener('click', () => { view = whole.slice(); show(); });
map.addEventListener('wheel', (event) => {
  event.preventDefault();
  const by = event.deltaY > 0 ? 1.15 : 1 / 1.15;
  const box = map.getBoundingClientRect();
  const [x, y] = [(event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height];
  view = [view[0] + view[2] * x * (1 - by), view[1] + view[3] * y * (1 - by), view[2] * by, view[3] * by];
  show();
}, { passive: false });
let from = null;
map.addEventListener('pointerdown', (event) => { from = [event.clientX, event.clientY, view.slice()]; });
window.addEventListener('pointerup', () => { from = null; });
window.addEventListener('pointermove', (event) => {
  if (!from) return;
  const box = map.getBoundingClientRect();
  const scale = Math.max(view[2] / box.width, view[3] / box.height);
  view = [from[2][0] - (event.clientX - from[0]) * scale, from[2][1] - (event.clientY - from[1]) * scale, from[2][2], from[2][3]];
  show();
});
const nodes = [...document.querySelectorAll('.node')];
const links = [...document.querySelectorAll('.link')];
const choose = (mark) => {
  for (const other of nodes) other.classList.toggle('chosen', other === mark);
  const node = model.nodes.find((known) => known.id === mark.dataset.id);
  const joined = (model.links || []).filter((link) => link.from === node.id || link.to === node.id);
  const list = document.createElement('dl');
  const add = (name, value) => {
    const term = document.createElement('dt');
    const text = document.createElement('dd');
    term.textContent = name;
    text.textContent = value;
    list.append(term, text);
  };
  for (const [name, value] of Object.entries(node)) add(name, value);
  for (const link of joined) add('link', (link.from === node.id ? link.to : link.from) + (link.label ? ' (' + link.label + ')' : ''));
  detail.replaceChildren(list);
};
for (const mark of nodes) {
  mark.addEventListener('click', () => choose(mark));
  mark.addEventListener('keydown', (event) => { if (event.key === 'Enter') choose(mark); });
}
document.getElementById('find').addEventListener('input', (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  const hit = new Set(model.nodes.filter((node) => Object.values(node).join(' ').toLowerCase().includes(wanted)).map((node) => node.id));
  for (const mark of nodes) mark.classList.toggle('faded', !hit.has(mark.dataset.id));
  for (const link of links) link.classList.toggle('faded', !hit.has(link.dataset.from) && !hit.has(link.dataset.to));
});
`;
