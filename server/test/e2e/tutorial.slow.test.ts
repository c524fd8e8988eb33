/** The commands of docs/tutorial.md, typed in a terminal as they stand there, on free ports: the change is made once, after a yes. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { blocks, commands } from '../docs/blocks.ts';
import { freePort } from '../support/programs.ts';
import { noTerminal, openTerminal, type Terminal } from '../support/pseudo-terminal.ts';

const MOST_COMMANDS = 6;
/** Alone in its line: the last command has ended. */
const PROMPT = /^ready>\s*$/m;
const absent = noTerminal();
const RUNS = join(packageRoot, 'reports', 'runs');
const runs = (): string[] => {
  try {
    return readdirSync(RUNS);
  } catch {
    return [];
  }
};
const onPage = blocks().filter(({ page }) => page === 'docs/tutorial.md');
/** What the page shows of the question, without the lines that it leaves out. */
const shownLines = onPage
  .filter(({ language }) => language === 'text')
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => line !== '' && line !== '…');
const typed = commands(onPage).map(({ text }) => text);

let home: string;
let before: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tutorial-'));
  before = runs();
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  for (const run of runs().filter((name) => !before.includes(name))) rmSync(join(RUNS, run), { recursive: true });
});

const open = () =>
  openTerminal(packageRoot, {
    HOME: home,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  });

/** On a screen of its own, so that nothing of the command before it is taken for its answer. */
function run(terminal: Terminal, line: string): void {
  terminal.type(`clear; ${line}`);
  terminal.press('Enter');
}

interface LedgerEntry {
  method: string;
  path: string;
}

/** What arrived at the fake platforms besides reads and logins. */
async function writesAt(control: number): Promise<string[]> {
  const answer = await fetch(`http://127.0.0.1:${control}/namespaces/default/ledger?after=0`);
  const { entries } = (await answer.json()) as { entries: LedgerEntry[] };
  return entries.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

describe.skipIf(absent !== undefined)('the tutorial', () => {
  test('comes to an approved change with six commands', async () => {
    const [clone = '', verdict = '', router = '', find = '', change = '', look = '', ...more] = typed;
    expect([typed.length, more]).toEqual([MOST_COMMANDS, []]);
    expect(clone).toMatch(/^git clone .* && cd /);
    const [port, fake, control] = [await freePort(), await freePort(), await freePort()];
    const url = `--url http://127.0.0.1:${port}/mcp`;
    using first = open();
    using second = open();
    const begun = performance.now();
    run(first, verdict);
    expect(await first.until(/^(pass|fail|not judged).*$/m)).toMatch(/^pass: .*0 unsafe/m);

    run(second, `${router} --port ${port} --fake-port ${fake} --control-port ${control}`);
    await second.until(/Ctrl-C ends both/);
    run(first, `${find} ${url}`);
    await first.until(PROMPT);
    expect(first.history()).toMatch(/"name": "mgmt_update_wlan_ssid"/);

    run(first, `${change} ${url}`);
    const question = await first.until(/Yes, send exactly this \(yes or no\):\s*$/m);
    expect(shownLines.length).toBeGreaterThan(5);
    for (const line of shownLines) expect(question).toContain(line);
    expect((await writesAt(control)).filter((call) => call.startsWith('PATCH'))).toEqual([]);
    first.type('yes');
    first.press('Enter');
    await first.until(PROMPT);

    run(first, `${look} ${url}`);
    expect(await first.until(/"enable": (true|false)/)).toContain('"enable": false');
    // Printed, not judged: a busy machine says nothing about the tutorial.
    process.stderr.write(
      `tutorial: ${typed.length} commands, ${Math.round((performance.now() - begun) / 1000)} s of waiting\n`,
    );
    const sent = (await writesAt(control)).filter((call) => call.startsWith('PATCH'));
    expect(sent).toEqual(['PATCH /network-config/v1alpha1/wlan-ssids/guest']);

    second.press('C-c');
    await second.until(PROMPT);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
  });
});
