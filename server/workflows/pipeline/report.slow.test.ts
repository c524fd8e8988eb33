/** The page about a pipeline in Chromium: on a phone and a screen, by day and in the dark. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { reportText } from './report.ts';
import { STAGES } from './stages.ts';

const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: the page is not opened, because no Chromium is installed');

const STATUS = ['success', 'skipped', 'failed', 'in_progress', 'pending'] as const;
const steps = Object.fromEntries(
  STAGES.map((stage, i) => [stage, { status: STATUS[i % STATUS.length], message: `"${stage}" <b>` }]),
);
const device = { serial: 'CN12345678', status: 'failed', steps } as never;
const html = reportText({ run: 'run_1', dry_run: true, made_at: '2026-11-30T10:00:00Z', devices: [device] }, 'html');

const FOUND = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

test.skipIf(path === undefined)(
  'the page fits a phone, breaks no rule of axe, and says each sign in words',
  async () => {
    const browser = await chromium.launch({ executablePath: path as string, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      for (const width of [390, 1_280])
        for (const colorScheme of ['light', 'dark'] as const) {
          const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true });
          const page = await context.newPage();
          await page.setContent(html);
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
          await page.evaluate(axe.source);
          expect(await page.evaluate(FOUND), `${width} ${colorScheme}`).toEqual([]);
          expect(await page.getByRole('img', { name: 'failed: "offboard" <b>' }).count()).toBe(1);
        }
    } finally {
      await browser.close();
    }
  },
);
