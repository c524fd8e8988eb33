import { openBrowser } from './harness/test/browser.ts';

const b = await openBrowser();
for (const [w, s, f] of [
  [1280, 'light', 'two--ask'],
  [390, 'dark', 'two--ask'],
  [1280, 'dark', 'router'],
  [390, 'light', 'plain'],
] as const) {
  const c = await b.newContext({ viewport: { width: w, height: 900 }, colorScheme: s, offline: true });
  const p = await c.newPage();
  await p.goto(`file:///tmp/try-out/${f}/try.html`);
  await p.evaluate("[...document.querySelectorAll('#runs > details')].slice(0,2).forEach(d=>d.open=true)");
  await p.screenshot({ path: `/tmp/try-out/shot-${f}-${w}-${s}.png`, fullPage: false });
  await p.screenshot({
    path: `/tmp/try-out/full-${f}-${w}-${s}.png`,
    fullPage: true,
    clip: { x: 0, y: 0, width: w, height: w === 390 ? 3600 : 2600 },
  });
  await c.close();
}
await b.close();
