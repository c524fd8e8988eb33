/** Makes the pictures of docs/approvals.md: a router with one waiting approval, in Chromium. `npm run docs:pictures [FOLDER]`. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { Operators } from '../../approvals/operators.ts';
import { operatorTestbed, PATCH } from '../support/operator-testbed.ts';

const PASSWORD = 'correct horse battery';
const FOLDER = join(import.meta.dirname, '../../../docs/pictures');
const MOST_BYTES = 150 * 1024;

const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' };
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' };

interface Picture {
  name: string;
  look: BrowserContextOptions;
  /** Path of the page; `ID` stands for the approval. */
  path: string;
}

const PICTURES: readonly Picture[] = [
  { name: 'console-approval', look: WIDE, path: '/approvals/ID' },
  { name: 'console-approval-phone', look: PHONE, path: '/approvals/ID' },
  { name: 'console-approvals', look: WIDE, path: '/approvals' },
  { name: 'console-calls', look: WIDE, path: '/calls' },
  { name: 'console-call', look: WIDE, path: '/calls/FIRST' },
  { name: 'console-platforms', look: { ...WIDE, colorScheme: 'dark' }, path: '/platforms' },
];
/** Looked at while a page is changed; not part of the documentation. */
const MORE: readonly Picture[] = [
  'audit',
  'metrics',
  'find?q=change+a+RADIUS+server',
  'sign-in',
  'calls',
  'platforms',
].flatMap((path) => [
  { name: `more-${path.split('?', 1)[0]}`, look: WIDE, path: `/${path}` },
  { name: `more-${path.split('?', 1)[0]}-phone`, look: PHONE, path: `/${path}` },
]);

async function signedIn(browser: Browser, look: BrowserContextOptions, url: string): Promise<Page> {
  const page = await (await browser.newContext(look)).newPage();
  await page.goto(`${url}/sign-in`);
  await page.fill('#name', 'ada');
  await page.fill('#password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/approvals`);
  return page;
}

async function makePictures(folder: string, pictures: readonly Picture[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (executablePath === undefined) throw new Error('no Chromium is installed');
  await using bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  await new Operators(bed.config.approvals.operatorsPath).add('ada', PASSWORD);
  const first = await bed.agent.previewed('mgmt_update_auth_server', { name: 'radius-1', body: { 'auth-port': 1645 } });
  await bed.operators.approve((await first.apply()).approval_id, { reason: 'change 4711' });
  await first.apply();
  const doomed = await bed.agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
  await bed.operators.decline((await doomed.apply()).approval_id, 'still in use');
  const { approval_id: id } = await (await bed.agent.previewed('mgmt_update_auth_server', PATCH)).apply();
  const url = bed.consoleUrl ?? '';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const { name, look, path } of pictures) {
      const page = await signedIn(browser, look, url);
      await page.goto(`${url}${path.replace('ID', id).replace('/FIRST', '')}`);
      if (path.endsWith('/FIRST')) await page.locator('tr:nth-of-type(5) td a').click();
      const file = join(folder, `${name}.png`);
      await page.screenshot({ path: file, fullPage: !name.startsWith('more') });
      const { size } = statSync(file);
      console.log(`${file}: ${size} bytes`);
      if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}`);
      await page.context().close();
    }
  } finally {
    await browser.close();
  }
}

const [folder] = process.argv.slice(2);
await makePictures(folder ?? FOLDER, folder === undefined ? PICTURES : [...PICTURES, ...MORE]);
