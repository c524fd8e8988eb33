/** Pictures of the console: a router with one waiting approval, in Chromium. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Operators } from '../../approvals/operators.ts';
import { operatorTestbed, PATCH } from '../support/operator-testbed.ts';
import type { TakePicture } from './pictures.ts';

const PASSWORD = 'correct horse battery';

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

/** With `more` also those that are no part of the documentation. */
export async function takeConsolePictures(browser: Browser, take: TakePicture, more: boolean): Promise<void> {
  await using bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  await new Operators(bed.config.approvals.operatorsPath).add('ada', PASSWORD);
  const first = await bed.agent.previewed('mgmt_update_auth_server', { name: 'radius-1', body: { 'auth-port': 1645 } });
  await bed.operators.approve((await first.apply()).approval_id, { reason: 'change 4711' });
  await first.apply();
  const doomed = await bed.agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
  await bed.operators.decline((await doomed.apply()).approval_id, 'still in use');
  const { approval_id: id } = await (await bed.agent.previewed('mgmt_update_auth_server', PATCH)).apply();
  const url = bed.consoleUrl ?? '';
  for (const { name, look, path } of more ? [...PICTURES, ...MORE] : PICTURES) {
    const page = await signedIn(browser, look, url);
    await page.goto(`${url}${path.replace('ID', id).replace('/FIRST', '')}`);
    if (path.endsWith('/FIRST')) await page.locator('tr:nth-of-type(5) td a').click();
    await take(page, name, { fullPage: !name.startsWith('more') });
    await page.context().close();
  }
}
