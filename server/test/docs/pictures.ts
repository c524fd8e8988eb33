/** `npm run docs:pictures [FOLDER]`: makes docs/pictures again, with Chromium and tmux: console, report, and a terminal. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page, type PageScreenshotOptions } from 'playwright-core';
import { takeConsolePictures } from './console-pictures.ts';
import { takeVerdictPictures } from './verdict-pictures.ts';

/** Writes what a page shows as `<name>.png`. Throws where the picture is too large for the repository. */
export type TakePicture = (page: Page, name: string, options?: PageScreenshotOptions) => Promise<void>;

const FOLDER = join(import.meta.dirname, '../../../docs/pictures');
export const MOST_BYTES = 150 * 1024;

async function main(folder: string, more: boolean): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium is installed');
  const take: TakePicture = async (page, name, options = {}) => {
    const file = join(folder, `${name}.png`);
    await page.screenshot({ ...options, path: file });
    const { size } = statSync(file);
    console.log(`${file}: ${size} bytes`);
    if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
  };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await takeVerdictPictures(browser, take);
    await takeConsolePictures(browser, take, more);
  } finally {
    await browser.close();
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  await main(folder ?? FOLDER, folder !== undefined);
}
