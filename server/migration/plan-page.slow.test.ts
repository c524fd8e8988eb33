/** The page of a plan in Chromium, on a phone. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { exportOf, network } from '../test/migration/exports.ts';
import { planOf } from './plan.ts';
import { planPage } from './plan-page.ts';

const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: the plan is not opened, because no Chromium is installed');

/** Width of the narrowest cell of the notes, in pixels. */
const NOTES = `Math.min(...[...document.querySelectorAll('td:nth-child(3)')].map((cell) => cell.clientWidth))`;

test.skipIf(path === undefined)(
  'a name without a blank leaves room for the notes, and the page is no wider than a phone',
  async () => {
    const plan = planOf(exportOf({ ...network({ opmode: 'opensystem' }), roles: [{ rname: 'W'.repeat(200) }] }));
    const browser = await chromium.launch({ executablePath: path as string, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await (await browser.newContext({ viewport: { width: 360, height: 740 }, offline: true })).newPage();
      await page.setContent(planPage(plan, 'new'));
      expect(await page.evaluate(NOTES)).toBeGreaterThan(150);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    } finally {
      await browser.close();
    }
  },
);
