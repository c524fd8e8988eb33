/**
 * Exports of the design tools: markup that escapes all text of a model, and a page that a browser renders as expected.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleDiagram } from '../test/support/sample-diagram.ts';
import { checkModel } from './check-model.ts';
import { CELL, layOut } from './diagram-layout.ts';
import { drawable } from './drawable.ts';
import { drawioFile } from './drawio.ts';
import { checkFlow, flowSvg, mermaidText } from './flow.ts';
import type { Flow } from './flow-model.ts';
import { graphvizText } from './graphviz.ts';
import { ICONS } from './icons.ts';
import { type Diagram, MODEL_LIMITS } from './model.ts';
import { ROLES, resolveRole } from './roles.ts';
import { topologyPage } from './topology-page.ts';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
if (BROWSER === undefined) console.warn('skipped: no diagram is drawn, because no Chromium is installed');

const HOSTILE = '</script><img src=x onerror=alert(1)>';

/** As much as a model may hold, every label as long as it may be. */
function largest(): Diagram {
  const label = `& "<${'W'.repeat(MODEL_LIMITS.label - 4)}`;
  return {
    title: 'Everything',
    groups: Array.from({ length: MODEL_LIMITS.groups }, (_, i) => ({ id: `g${i}`, label })),
    nodes: Array.from({ length: MODEL_LIMITS.nodes }, (_, i) => ({
      id: `n${i}`,
      label,
      role: ROLES[i % ROLES.length]?.id as string,
      model: 'SW-6300-48P',
      group: `g${i % MODEL_LIMITS.groups}`,
    })),
    links: Array.from({ length: MODEL_LIMITS.links }, (_, i) => ({
      from: `n${i % (MODEL_LIMITS.nodes - 1)}`,
      to: `n${(i * 7 + 1 + Math.floor(i / MODEL_LIMITS.nodes)) % MODEL_LIMITS.nodes}`,
      from_port: `1/1/${i}`,
    })).filter(({ from, to }) => from !== to),
  };
}

const flow: Flow = {
  title: 'Rotate a passphrase',
  steps: [
    { id: 'start', label: 'It leaked', kind: 'start' },
    { id: 'psk', label: `Shared? ${HOSTILE}`, kind: 'decision' },
    { id: 'change', label: 'Change it; "preview" first' },
    { id: 'end', label: 'Done', kind: 'end' },
  ],
  flows: [
    { from: 'start', to: 'psk' },
    { from: 'psk', to: 'change', label: 'yes' },
    { from: 'psk', to: 'end', label: 'no' },
    { from: 'change', to: 'psk', label: 'again' },
    { from: 'change', to: 'end' },
  ],
};

describe('roles and icons', () => {
  test('each role has its icon and each icon its role', () => {
    expect(ROLES.map(({ id }) => id).sort()).toEqual(ICONS.map(({ id }) => id).sort());
  });

  test.each([
    [{ role: 'access-point' }, 'access-point', 'role'],
    [{ role: 'Access_Point' }, 'access-point', 'role'],
    [{ role: 'RADIUS server' }, 'nac', 'alias'],
    [{ model: 'ap 635' }, 'access-point', 'model'],
    [{ role: 'C6040' }, 'wlan-controller', 'model'],
    [{ role: 'espresso machine' }, 'device', 'fallback'],
  ])('%j is a %s, by its %s', (asked, id, by) => {
    expect(resolveRole(asked)).toMatchObject({ role: { id }, by });
  });

  test.each(['constructor', 'toString', '__proto__', 'nobody'])('a vendor named %s has the colour of any', (vendor) => {
    expect(resolveRole({ role: 'ap', vendor }).colour).toBe(resolveRole({ role: 'ap' }).colour);
  });
});

describe('a model is judged before it is drawn', () => {
  const two = [
    { id: 'a', role: 'router' },
    { id: 'b', role: 'router' },
  ];
  test.each([
    [{ nodes: [...two, { id: 'a', role: 'ap' }] }, '/nodes/2/id', '"a" is already the id of /nodes/0'],
    [{ nodes: [{ id: 'a', role: 'ap', group: 'x' }] }, '/nodes/0/group', 'there is no group "x"'],
    [{ nodes: two, links: [{ from: 'a', to: 'c' }] }, '/links/0/to', 'there is no node "c"'],
    [{ nodes: two, links: [{ from: 'a', to: 'a' }] }, '/links/0', '"a" is linked with itself'],
    [{ nodes: two, groups: [{ id: 'g' }, { id: 'g' }] }, '/groups/1/id', '"g" is already the id of /groups/0'],
  ])('%j is refused at its pointer', (model, pointer, message) => {
    expect(checkModel(model)).toContainEqual({ severity: 'error', pointer, message });
    expect(() => drawable(model)).toThrow(`\`${pointer}\` ${message}`);
  });

  test('what only looks wrong is a warning, and is drawn', () => {
    const model: Diagram = {
      nodes: [...two, { id: 'c', role: 'toaster' }],
      links: [
        { from: 'a', to: 'b', from_port: '1', to_port: '2' },
        { from: 'b', to: 'a', from_port: '2', to_port: '1' },
      ],
      groups: [{ id: 'g' }],
    };
    expect(checkModel(model).map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ['warning', '/nodes/2/role'],
      ['warning', '/links/1'],
      ['warning', '/nodes/2'],
      ['warning', '/groups/0'],
    ]);
    expect(drawable(model)).toBe(model);
  });
});

describe.each([
  ['three places', sampleDiagram],
  ['the largest model', largest()],
])('layout of %s', (_, model) => {
  const { nodes, frames, width, height } = layOut(model);

  test('no two nodes overlap, and all are on the page', () => {
    for (const [i, one] of nodes.entries()) {
      expect(one.x - CELL.icon / 2 > 0 && one.x + CELL.icon / 2 < width && one.y + CELL.icon / 2 < height).toBe(true);
      for (const other of nodes.slice(i + 1))
        expect(Math.abs(one.x - other.x) >= CELL.width - 0.1 || Math.abs(one.y - other.y) >= CELL.height - 0.1).toBe(
          true,
        );
    }
  });

  test('a frame holds the nodes of its group and no other, and touches no other frame', () => {
    for (const frame of frames) {
      const inside = nodes.filter(
        ({ x, y }) => x > frame.x && x < frame.x + frame.width && y > frame.y && y < frame.y + frame.height,
      );
      const own = model.nodes.filter(({ group }) => group === frame.id);
      expect(inside.map(({ node }) => node.id).sort()).toEqual(own.map(({ id }) => id).sort());
      for (const other of frames)
        if (other !== frame) expect(frame.x + frame.width <= other.x || other.x + other.width <= frame.x).toBe(true);
    }
  });
});

test('the largest picture of each kind fits into one answer', () => {
  for (const draw of [topologyPage, drawioFile, graphvizText])
    expect(JSON.stringify(draw(largest())).length).toBeLessThan(200_000);
});

test('DOT text quotes what would end a string or begin an escape', () => {
  const text = graphvizText({
    title: 'a "b" \\n',
    nodes: [
      { id: 'x', label: 'C:\\temp "q"', role: 'server' },
      { id: 'y', role: 'server' },
    ],
    links: [{ from: 'x', to: 'y', kind: 'tunnel' }],
  });
  expect(text).toContain('label="a \\"b\\" \\\\n"');
  expect(text).toContain('"x" [label="C:\\\\temp \\"q\\"", ');
  expect(text).toContain('{ rank=same; "x"; "y"; }');
  expect(text).toContain('"x" -- "y" [label="", color="#64748b", penwidth=1.6, style=dashed];');
});

test('a flow becomes Mermaid text with quoted labels, and a step that is not there is refused', () => {
  expect(mermaidText(flow)).toBe(
    [
      '---',
      'title: "Rotate a passphrase"',
      '---',
      'flowchart TD',
      '  s_start(["It leaked"])',
      '  s_psk{"Shared? #lt;/script#gt;#lt;img src=x onerror=alert(1)#gt;"}',
      '  s_change["Change it; #quot;preview#quot; first"]',
      '  s_end(["Done"])',
      '  s_start --> s_psk',
      '  s_psk -->|"yes"| s_change',
      '  s_psk -->|"no"| s_end',
      '  s_change -->|"again"| s_psk',
      '  s_change --> s_end',
      '',
    ].join('\n'),
  );
  expect(() => checkFlow({ steps: flow.steps, flows: [{ from: 'start', to: 'nowhere' }] })).toThrow(
    '`/flows/0/to` should be the id of a step, got "nowhere"',
  );
});

describe.skipIf(BROWSER === undefined)('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'diagram-'));
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER as string, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function opened(name: string, content: string) {
    const file = join(folder, name);
    writeFileSync(file, content);
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, offline: true })).newPage();
    const trouble: string[] = [];
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('dialog', (dialog) => trouble.push(dialog.message()));
    page.on('console', (message) => trouble.push(message.text()));
    page.on('request', (request) => {
      if (request.url() !== pathToFileURL(file).href) trouble.push(request.url());
    });
    await page.goto(pathToFileURL(file).href);
    return { page, trouble };
  }

  test('the topology page draws every node and link, asks for nothing, and a hostile label stays text', async () => {
    const { page, trouble } = await opened('page.html', topologyPage(sampleDiagram));
    expect(await page.locator('.node').count()).toBe(sampleDiagram.nodes.length);
    expect(await page.locator('.link').count()).toBe(sampleDiagram.links?.length);
    expect(await page.locator('img').count()).toBe(0);
    const box = await page.locator('.node[data-id="harbour-ap1"] use').boundingBox();
    expect(box && box.width > 15 && box.height > 15).toBe(true);
    await page.locator('.node[data-id="mgmt"]').click();
    expect(await page.locator('#detail').textContent()).toContain(HOSTILE);
    await page.locator('#find').fill('phone');
    expect(await page.locator('.node:not(.faded)').count()).toBe(1);
    expect(trouble).toEqual([]);
  });

  test('on a narrow screen the picture keeps the width, and what is read stands below it', async () => {
    const { page } = await opened('narrow.html', topologyPage(sampleDiagram));
    await page.setViewportSize({ width: 420, height: 800 });
    const [map, detail] = [await page.locator('#map').boundingBox(), await page.locator('#detail').boundingBox()];
    expect([map?.width, detail?.width]).toEqual([420, 420]);
    expect(detail?.y).toBeGreaterThanOrEqual((map?.y ?? 0) + (map?.height ?? 0));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420);
  });

  test('the draw.io file is well formed, every cell has its parent and ends, and its icons are pictures', async () => {
    const { page } = await opened('empty.html', '<!doctype html><title>empty</title>');
    const seen = await page.evaluate(`(async (text) => {
      const xml = new DOMParser().parseFromString(text, 'application/xml');
      const cells = [...xml.querySelectorAll('mxCell')];
      const ids = new Set(cells.map((cell) => cell.id));
      const images = cells.map((cell) => /image=([^;]+);/.exec(cell.getAttribute('style') ?? '')?.[1]).filter(Boolean);
      const sizes = await Promise.all([...new Set(images)].map((image) => new Promise((done) => {
        const picture = new Image();
        picture.onload = () => done(picture.width);
        picture.onerror = () => done(0);
        picture.src = image.replace('svg+xml,', 'svg+xml;base64,');
      })));
      return {
        broken: xml.querySelector('parsererror')?.textContent ?? null,
        vertices: cells.filter((cell) => cell.getAttribute('vertex')).length,
        edges: cells.filter((cell) => cell.getAttribute('edge')).length,
        lost: cells.flatMap((cell) => ['parent', 'source', 'target'].map((end) => cell.getAttribute(end)).filter((id) => id !== null && !ids.has(id))),
        doubled: cells.length - ids.size,
        hostile: cells.filter((cell) => cell.getAttribute('value')?.includes(${JSON.stringify(HOSTILE)})).length,
        sizes: [...new Set(sizes)],
      };
    })(${JSON.stringify(drawioFile(sampleDiagram))})`);
    expect(seen).toEqual({
      broken: null,
      vertices: sampleDiagram.nodes.length + 3,
      edges: sampleDiagram.links?.length,
      lost: [],
      doubled: 0,
      hostile: 1,
      sizes: [48],
    });
  });

  test('the flow is a picture with every step and arrow, and no way back crosses a step', async () => {
    const { page, trouble } = await opened('flow.svg', flowSvg(flow));
    expect(await page.locator('rect[rx], polygon').count()).toBe(flow.steps.length);
    expect(await page.locator('path[marker-end]').count()).toBe(flow.flows.length);
    expect(trouble).toEqual([]);
  });

  test('every icon is drawn, and within its box', async () => {
    const icons = ICONS.map(
      ({ drawing }) => `<svg viewBox="0 0 48 48" width="48" stroke="#000" fill="none">${drawing}</svg>`,
    );
    const { page } = await opened('icons.html', icons.join(''));
    const outside = await page.evaluate(`[...document.querySelectorAll('svg')].flatMap((svg, at) =>
      [...svg.children].map((shape) => shape.getBBox()).every(({ x, y, width, height }) =>
        x >= 0 && y >= 0 && x + width <= 48 && y + height <= 48 && width + height > 0) ? [] : [at])`);
    expect((outside as number[]).map((at) => ICONS[at]?.id)).toEqual([]);
    expect(await page.locator('svg').count()).toBe(ICONS.length);
  });
});
