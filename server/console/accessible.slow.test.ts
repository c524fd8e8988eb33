/** axe-core in Chromium over every page of the console: light and dark, a phone and a wide screen. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';

const PASSWORD = 'correct horse battery';
const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: axe looks at no page, because no Chromium is installed');

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map(({ target }) => String(target)) })))`;

interface Finding {
  id: string;
  impact: string;
  where: string[];
}

let browser: Browser;
let bed: OperatorTestbed;
let approvalPath: string;
beforeAll(async () => {
  if (path === undefined) return;
  browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
  bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
  const declined = await bed.agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
  await bed.operators.decline((await declined.apply()).approval_id, 'still in use');
  const { approval_id } = await (await bed.agent.previewed('mgmt_update_auth_server', PATCH)).apply();
  approvalPath = `/approvals/${approval_id}`;
});
afterAll(async () => {
  await browser?.close();
  await bed?.[Symbol.asyncDispose]();
});

/** What weighs; the policy of the console forbids scripts, so the browser is told to let axe in. */
async function serious(page: Page): Promise<Finding[]> {
  await page.addScriptTag({ path: AXE });
  const found = (await page.evaluate(RUN)) as Finding[];
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

describe.skipIf(path === undefined)('axe finds nothing serious', () => {
  test.each([
    ['light', 390],
    ['light', 1280],
    ['dark', 390],
    ['dark', 1280],
  ] as const)('%s, %i pixels', async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${bed.consoleUrl}/sign-in`);
    const found = [{ at: '/sign-in', findings: await serious(page) }];
    await page.fill('#name', 'ada');
    await page.fill('#password', PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${bed.consoleUrl}/approvals`);
    const paths = [
      '/approvals',
      approvalPath,
      '/calls',
      '/platforms',
      '/audit',
      '/metrics',
      '/find?q=radius',
      '/nowhere',
    ];
    for (const at of paths) {
      await page.goto(`${bed.consoleUrl}${at}`);
      found.push({ at, findings: await serious(page) });
      expect([at, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([at, true]);
    }
    expect(found.filter(({ findings }) => findings.length > 0)).toEqual([]);
    expect(found).toHaveLength(9);
    await page.goto(`${bed.consoleUrl}/approvals`);
    const cut = `[...document.querySelectorAll('.wide')].filter((list) => list.scrollWidth > list.clientWidth).length`;
    expect(await page.evaluate(cut), 'lists of approvals that have to be scrolled sideways').toBe(0);
    await context.close();
  });

  test('and it would: text of a weak contrast and a field without a label are found', async () => {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${bed.consoleUrl}/sign-in`);
    await page.evaluate(
      `document.querySelector('label').remove(); document.querySelector('.note').style.color = '#ddd'`,
    );
    expect((await serious(page)).map(({ id }) => id).sort()).toEqual(['color-contrast', 'label']);
    await context.close();
  });

  test('the list of approvals follows what happens without a reload, under the policy of the console', async () => {
    const page = await (await browser.newContext()).newPage();
    const faults: string[] = [];
    // Chromium notes a field that was typed into before it had the focus by itself, which is no fault.
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${bed.consoleUrl}/sign-in`);
    await page.fill('#name', 'ada');
    await page.fill('#password', PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('1 approval waits').waitFor();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const body = { 'auth-port': 1999 };
    await (await bed.agent.previewed('mgmt_update_auth_server', { name: 'radius-1', body })).apply();
    await page.getByText('2 approvals wait').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
