/** A Chromium of the machine, for tests of pages. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const browserPath = CANDIDATES.find((file) => existsSync(file));

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox', '--disable-gpu'] });

const FOUND = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))`;

/** Rules of axe-core that the page breaks seriously, each with an element that does. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return (await page.evaluate(FOUND)) as string[];
}

/** Boxes that cut their text: what is wider than its frame can neither be read nor scrolled to. */
export const clippedBoxes = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0)
    .filter((box) => !['auto', 'scroll', 'visible'].includes(getComputedStyle(box).overflowX) && !box.closest('svg'))
    .map((box) => box.outerHTML.slice(0, 120))`) as Promise<string[]>;
