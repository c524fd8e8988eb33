/** What an open page of the console shows while things happen: in Chromium, with the script of the console. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Operators } from '../approvals/operators.ts';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { type OperatorTestbed, operatorTestbed } from '../test/support/operator-testbed.ts';

const PASSWORD = 'correct horse battery';
const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: no open page is looked at, because no Chromium is installed');

let browser: Browser;
let bed: OperatorTestbed;
beforeAll(async () => {
  if (path) browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(() => browser?.close());
afterEach(() => bed?.[Symbol.asyncDispose]());

/** A list of approvals that an operator has just opened. */
async function openList(): Promise<Page> {
  bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0' });
  writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
  const page = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
  await page.goto(`${bed.consoleUrl}/sign-in`);
  await page.fill('#name', 'ada');
  await page.fill('#password', PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits').waitFor();
  return page;
}

async function ask(port: number): Promise<string> {
  const args = { name: 'radius-1', body: { 'auth-port': port } };
  return (await (await bed.agent.previewed('mgmt_update_auth_server', args)).apply()).approval_id;
}

const seen = (page: Page, text: string) => page.getByText(text).waitFor({ timeout: 8_000 });

describe.skipIf(path === undefined)('a page that stays open', () => {
  test('shows what was asked right after it was opened, and goes on while a row of it has the focus', async () => {
    const page = await openList();
    await ask(1901);
    await seen(page, '1 approval waits');
    await page.locator('td a').first().focus();
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")');
    const before = await focused();
    await ask(1902);
    await seen(page, '2 approvals wait');
    expect(await focused()).toBe(before);
    expect(await page.locator('.lead').getAttribute('role')).toBe('status');
  });

  test('of an approval that another operator answers says how, and takes its form away; what was typed into others stays', async () => {
    const page = await openList();
    const [answered, waiting] = [await ask(1901), await ask(1902)];
    await page.goto(`${bed.consoleUrl}/approvals/${answered}`);
    const other = await page.context().newPage();
    await other.goto(`${bed.consoleUrl}/approvals/${waiting}`);
    await other.fill('#reason', 'half a sentence');
    await bed.operators.decline(answered, 'not on a Friday');
    await seen(page, 'said decline');
    await seen(page, 'There is nothing to answer any more');
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
    await other.waitForTimeout(3_000);
    expect(await other.inputValue('#reason')).toBe('half a sentence');
    expect(await other.getByRole('button', { name: /Approve/ }).count()).toBe(1);
  });

  test('says when its session is over', async () => {
    const page = await openList();
    new Operators(bed.config.approvals.operatorsPath).remove('ada');
    await seen(page, 'This page no longer follows what happens');
  });

  test('says when the router is gone, and that of an approval says it too', async () => {
    const page = await openList();
    const approval = await page.context().newPage();
    await approval.goto(`${bed.consoleUrl}/approvals/${await ask(1901)}`);
    await bed.end();
    for (const one of [page, approval]) await seen(one, 'this page may be out of date');
  });
});
