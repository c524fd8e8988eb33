/** The console in a real browser, without script: what a person sees is what is sent, on a phone, by keyboard, in the dark. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { type SeenRequest, shownAndSent } from '../test/support/shown-and-sent.ts';

const PASSWORD = 'correct horse battery';
/** In the check; `DRAWN=2000` takes a quarter of an hour. */
const DRAWN = Number(process.env['DRAWN'] ?? 150);
const path = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
);
if (path === undefined) console.warn('skipped: the console is not opened, because no Chromium is installed');

/** What the page shows, as its text stands in the browser. */
const SEEN = `(() => {
  const textOf = (part) => document.querySelector(part)?.textContent;
  const body = document.querySelector('pre[data-part=body]');
  return {
    host: textOf('[data-part=host]') ?? '',
    line: textOf('[data-part=line]') ?? '',
    headers: [...document.querySelectorAll('td[data-header]')].map((cell) => [cell.parentElement.firstElementChild.textContent, cell.textContent]),
    form: body?.dataset.form,
    body: body?.textContent,
  };
})()`;

/** Words in the tables of the page that stand in more than one line, those of at most 40 letters. */
const BROKEN_WORDS = `(() => {
  const found = [];
  for (const cell of document.querySelectorAll('th, td')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\w{1,40}/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
      }
    }
  }
  return found;
})()`;

let browser: Browser;
beforeAll(async () => {
  if (path) browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(() => browser?.close());

/** A page of a phone in the dark, on which no script of a page runs; faults are what the browser complains of. */
async function phone(): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  // Chromium notes a field that was typed into before it had the focus by itself, which is no fault.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  page.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  return { page, faults };
}

describe.skipIf(path === undefined)('in Chromium', () => {
  test(`${DRAWN} drawn writes are shown as the bytes that the platform gets`, async () => {
    const { page } = await phone();
    const found = await shownAndSent({ count: DRAWN, seed: 30 }, async (visitor, id) => {
      const { hostname } = new URL(visitor.url);
      const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, domain: hostname, path: '/' }));
      await page.context().addCookies(cookies);
      await page.goto(`${visitor.url}/approvals/${id}`);
      return (await page.evaluate(SEEN)) as SeenRequest;
    });
    expect(found.differences).toEqual([]);
    expect(found.compared).toBe(DRAWN);
  });

  test('an operator signs in, reads and approves with the keyboard alone; every page fits a phone and follows the dark', async () => {
    await using bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0', SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
    writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
    const call = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_url } = await call.apply();
    const { page, faults } = await phone();
    await page.goto(approval_url);
    // A browser at work gives the first field its focus only after the page has loaded.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(approval_url);
    expect(await page.locator('pre[data-part=body]').textContent()).toBe('{"auth-port":1912}');
    expect(await page.locator('form button:visible').allTextContents()).toEqual([
      'Sign out',
      'Decline',
      'Approve: send exactly this',
    ]);
    await page.getByLabel('Reason').focus();
    await page.keyboard.type('change 4711');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator('button:focus').textContent()).toBe('Decline');
    await page.keyboard.press('Tab');
    expect(await page.locator('button:focus').textContent()).toBe('Approve: send exactly this');
    expect(await call.apply()).toMatchObject({ code: 'approval_pending' });
    await page.keyboard.press('Enter');
    // The page of before stays until the answer is there.
    await page.locator('.state', { hasText: 'approved' }).waitFor();
    await call.apply();
    expect(bed.upstream.writes.map(({ body }) => body.toString())).toEqual(['{"auth-port":1912}']);
    for (const name of ['Approvals', 'Calls', 'Platforms', 'Audit', 'Metrics', 'Find']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      // A heading may stand there before the style sheet does.
      await page.waitForLoadState();
      expect(await page.locator('[aria-current=page]').textContent()).toBe(name);
      expect([name, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([name, true]);
      expect([name, await page.evaluate(BROKEN_WORDS)]).toEqual([name, []]);
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 23, 27)');
      expect(await unlabelled(page)).toEqual([]);
    }
    // The only thing a browser complains of is the page that asked to sign in (401).
    expect(faults.filter((text) => !text.includes('401'))).toEqual([]);
  });

  test('a page in another site cannot show the console, and its form approves nothing', async () => {
    await using bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: '0' });
    writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
    const call = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_url, approval_id } = await call.apply();
    const { digest = '' } = (await bed.operators.service.read(approval_id)) ?? {};
    const { page } = await phone();
    await page.goto(approval_url);
    await page.fill('#name', 'ada');
    await page.fill('#password', PASSWORD);
    await page.keyboard.press('Enter');
    // The sign-in stood at the same address.
    await page.locator('input[name=digest]').first().waitFor({ state: 'attached' });
    const token = (await page.locator('input[name=token]').first().getAttribute('value')) ?? '';
    await page.route('http://evil.example/', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${approval_url}"></iframe><form method="post" action="${approval_url}/answer"><input name="token" value="${token}"><input name="digest" value="${digest}"><button name="verdict" value="approve">go</button></form>`,
      }),
    );
    await page.goto('http://evil.example/');
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect((await framed?.content())?.includes('1912')).not.toBe(true);
    await page.getByRole('button', { name: 'go' }).click();
    await page.getByText('Nothing was approved').waitFor();
    expect(await call.apply()).toMatchObject({ code: 'approval_pending' });
    expect(bed.upstream.writes).toEqual([]);
  });
});

/** Fields without a label, buttons and links without a name, tables without heads: what a screen reader could not read out. */
async function unlabelled(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const field of await page.locator('input:not([type=hidden])').all()) {
    const id = await field.getAttribute('id');
    if (id === null || (await page.locator(`label[for="${id}"]`).count()) !== 1) found.push(`input ${id}`);
  }
  for (const part of await page.locator('button, a, summary').all())
    if ((await part.textContent())?.trim() === '') found.push('a button or link');
  if ((await page.locator('table').count()) > (await page.locator('table:has(th)').count())) found.push('a table');
  if ((await page.locator('h1').count()) !== 1 || (await page.locator('html[lang]').count()) !== 1)
    found.push('the page');
  return found;
}
