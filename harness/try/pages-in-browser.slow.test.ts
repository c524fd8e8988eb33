/** The page of a try, the report of a run and a comparison in a real browser: on a phone and a screen, by day and in the dark, by keyboard. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { plottedPage } from '../compare/compare-page.ts';
import html from '../reporting/reporters/html.ts';
import { accessibilityFaults, browserPath, clippedBoxes, openBrowser } from '../test/browser.ts';
import { PETS } from '../test/pets-document.ts';
import { redBaseline, sampleReport } from '../test/sample-report.ts';

const SERVER = join(import.meta.dirname, '..', 'test', 'plain-server.mjs');
let folder: string;
let browser: Browser;
if (browserPath === undefined) console.warn('skipped: no page is opened, because no Chromium is installed');

beforeAll(async () => {
  if (browserPath === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(folder, 'report.html'), await html.render(await sampleReport(await redBaseline())));
  const stored = join(import.meta.dirname, '..', '..', 'reports', 'comparison.json');
  await writeFile(join(folder, 'comparison.html'), await plottedPage(JSON.parse(await readFile(stored, 'utf8'))));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
  const options = ['--openapi', 'pets.json', '--most', '9', '--malformed', '20', '--min-success', '1', '--out', '.'];
  const write = () => undefined;
  const context = { stdout: { write }, stderr: { write, isTTY: false } as never, env: { INIT_CWD: folder } };
  await main(['try', '--command', `node ${SERVER}`, ...options], context);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

async function opened(name: string, width = 1_280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme, offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, name)).href);
  return page;
}

/** As the page has it now; what `page.url()` has is told by events, and may be older. */
const address = (page: Page): Promise<string> => page.evaluate('location.href') as Promise<string>;

const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.outerHTML.slice(0, 200)') as Promise<string>;

/** Tab until the focus is on what is looked for, as somebody without a mouse does. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let pressed = 0; pressed < 120; pressed++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).includes(wanted)) return;
  }
  throw new Error(`no Tab reaches ${wanted}`);
}

describe.skipIf(browserPath === undefined)('in Chromium', () => {
  test.each(['try.html', 'report.html', 'comparison.html'])(
    '%s fits, clips nothing and has no serious finding of axe',
    async (name) => {
      for (const width of [390, 1_280])
        for (const scheme of ['light', 'dark'] as const) {
          const page = await opened(name, width, scheme);
          await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
          const at = `${name} at ${width} px, ${scheme}`;
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), at).toBe(true);
          expect(await clippedBoxes(page), at).toEqual([]);
          expect(await accessibilityFaults(page), at).toEqual([]);
          await page.context().close();
        }
    },
  );

  test('a run of a try is filtered and opened with the keyboard alone, and the address shows the same again', async () => {
    const page = await opened('try.html');
    await tabTo(page, 'type="search"');
    await page.keyboard.type('retrieval');
    const shown = await page.locator('#runs > details:visible').count();
    expect(shown).toBe(9);
    await tabTo(page, '<summary');
    await page.keyboard.press('Enter');
    expect(await page.locator('#runs > details[open]').count()).toBe(1);
    const again = await page.context().newPage();
    await again.goto(await address(page));
    expect(await again.locator('#runs > details:visible').count()).toBe(shown);
  });

  test('the report leads by keyboard from the matrix to the run, and its filters are in the address', async () => {
    const page = await opened('report.html');
    await tabTo(page, '<b>wlan-change');
    await page.keyboard.press('Enter');
    await tabTo(page, 'retrieval stdio: failed');
    await page.keyboard.press('Enter');
    const run = page.locator('.runs > details[open]');
    await run.waitFor();
    expect(await run.locator('> summary').textContent()).toContain('stdio');
    await tabTo(page, 'type="search"');
    await page.keyboard.type('oracle');
    await tabTo(page, 'data-tone="passed"');
    await page.keyboard.press('Enter');
    expect(await address(page)).toMatch(/#find=oracle&tone=passed$/);
    const again = await page.context().newPage();
    await again.goto(await address(page));
    expect(await again.locator('.runs > details:visible').count()).toBe(1);
    expect(await again.locator('.bar input').inputValue()).toBe('oracle');
  });
});
