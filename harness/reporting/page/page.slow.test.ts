/** The report page in a real browser: opened from disk, without a network, on a phone, in the dark. */
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { redBaseline, sampleReport } from '../../test/sample-report.ts';
import html from '../reporters/html.ts';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

async function findBrowser(): Promise<string | undefined> {
  for (const path of CANDIDATES)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  return undefined;
}

const browserPath = await findBrowser();
if (browserPath === undefined)
  console.warn(`skipped: the page is not opened, because none of ${CANDIDATES.join(', ')} is installed`);

test.skipIf(browserPath === undefined)(
  'the page opens from disk, asks for nothing, fits a phone and follows the dark',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-'));
    const file = join(folder, 'report.html');
    await writeFile(file, await html.render(await sampleReport()));
    const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
        offline: true,
      });
      const page = await context.newPage();
      const asked: string[] = [];
      const errors: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(pathToFileURL(file).href);
      expect(asked).toEqual([pathToFileURL(file).href]);
      expect(errors).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 27)');
      const first = page.locator('.runs > details').first();
      expect(await first.getAttribute('class')).toBe('failed');
      await first.locator('> summary').click();
      await first.locator('.steps').waitFor();
      const shown = (await first.textContent())!;
      for (const part of [
        'Give | the "guest" network <b>another</b> description.',
        'do_it mgmt_update_wlan_ssid',
        'PATCH /network-config/v1alpha1/wlan-ssids/guest → 200',
        'person asked: PATCH /network-config/v1alpha1/wlan-ssids/guest → accept',
        'result-schema: expected network "guest"',
        '15 tokens',
      ])
        expect(shown).toContain(part);
      const painted = await page
        .locator('svg path[fill^="var("]')
        .first()
        .evaluate((node) => String(Reflect.get(globalThis, 'getComputedStyle')(node).fill));
      expect(painted).toMatch(/^rgb/);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  },
);

test.skipIf(browserPath === undefined)(
  'a finding leads to the run that explains it, and the filter finds a run again',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-'));
    const file = join(folder, 'report.html');
    await writeFile(file, await html.render(await sampleReport(await redBaseline())));
    const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await (await browser.newContext({ offline: true })).newPage();
      await page.goto(pathToFileURL(file).href);
      const link = page.locator('.findings a').first();
      expect(await link.textContent()).toBe('retrieval/stdio/wlan-change/rename');
      await link.click();
      const run = page.locator('.runs > details[open]');
      await run.waitFor();
      expect(await run.count()).toBe(1);
      await run.locator('.reason').waitFor();
      expect(await run.locator('.reason').textContent()).toMatch(/task_success: expected 1, got 0.*result-schema/s);
      expect(await run.locator('.reason').isVisible()).toBe(true);
      await page.locator('.bar input').fill('oracle rename');
      expect(await page.locator('.runs > details:visible').count()).toBe(1);
      await page.locator('.bar input').fill('');
      await page.getByRole('button', { name: 'red' }).click();
      expect(await page.locator('.runs > details:visible').count()).toBe(1);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  },
);

test.skipIf(browserPath === undefined)(
  'a message that reading would change stays as it was sent, and an address that was cut is no error',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-'));
    const file = join(folder, 'report.html');
    const odd = '{"id":12345678901234567890,"name":"a\\u200bb","name":"c"}';
    const report = await sampleReport();
    for (const message of report.traces.flatMap(({ messages }) => messages))
      if (message.received !== '') Object.assign(message, { sent: '{"plain":[1,2]}', received: odd });
    await writeFile(file, await html.render(report));
    const browser = await chromium.launch({ executablePath: browserPath!, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await (await browser.newContext({ offline: true })).newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${pathToFileURL(file).href}#find=100%`);
      expect(await page.locator('.bar input').inputValue()).toBe('100%');
      expect(errors).toEqual([]);
      await page.locator('.bar input').fill('');
      expect(await page.locator('.bar [role=status]').textContent()).toBe('4 runs');
      await page.locator('.runs > details').first().locator('> summary').click();
      await page.locator('.said summary').first().click();
      await page.getByText('"plain": [').first().waitFor();
      expect(await page.locator('.said[open] pre').allTextContents()).toEqual([
        '{\n  "plain": [\n    1,\n    2\n  ]\n}',
        odd,
      ]);
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  },
);
