/** Pictures of a benchmark as the tutorial plays it: the terminal at its end, and the top of the report. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { packageRoot } from '../../config/config.ts';
import { openTerminal } from '../support/pseudo-terminal.ts';
import type { TakePicture } from './pictures.ts';
import { terminalPage } from './terminal-page.ts';

const SIZE = { columns: 104, rows: 40 };
const COMMAND = 'npm start -- --suite alerts';
/** The last line of a run, and the prompt after it. */
const ENDED = /^(pass|fail|none|played): .*\n+ready>/m;

export async function takeVerdictPictures(browser: Browser, take: TakePicture): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'pictures-'));
  let run: string | undefined;
  try {
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
    using terminal = openTerminal(packageRoot, { HOME: home, PATH }, SIZE);
    terminal.type(`clear; ${COMMAND}`);
    terminal.press('Enter');
    const [, report] = /report: (\S+)/.exec(await terminal.until(ENDED)) ?? [];
    if (report === undefined) throw new Error('the terminal should name the report');
    run = dirname(join(packageRoot, report));
    const lines = terminal
      .colored()
      .split('\n')
      .filter((line) => !/ready>\s*$/.test(line.trimEnd()));
    const page = await browser.newPage({ viewport: { width: 980, height: 600 } });
    await page.setContent(terminalPage([`$ ${COMMAND}`, ...lines].join('\n')));
    const box = await page.locator('pre').boundingBox();
    if (box === null) throw new Error('the terminal should be on the page');
    await take(page, 'terminal-verdict', { clip: box });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`file://${run}/report.html`);
    await take(page, 'report');
    await page.close();
  } finally {
    for (const folder of [home, run]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
