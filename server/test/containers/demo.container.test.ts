/** The demo of docs/containers.md: fakes, a router in front of them, its console, and a benchmark, in one container. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { ConsoleVisitor } from '../support/console-visitor.ts';
import { type Checkout, checkout, IMAGE } from '../support/container-engine.ts';
import { modernClient } from '../support/modern-client.ts';
import { freePort } from '../support/programs.ts';

const own = (name: string) => readFileSync(join(packageRoot, 'docker/demo', name), 'utf8').trim();

interface Attached {
  up: ChildProcess;
  text: () => string;
}

/** As a person types it, in the foreground. */
function upDemo({ folder, env }: Checkout): Attached {
  const up = spawn('docker', ['compose', '--profile', 'demo', 'up', '--no-build', 'demo'], {
    cwd: folder,
    env: { ...process.env, ROUTER_IMAGE: IMAGE, ...env },
  });
  let text = '';
  for (const stream of [up.stdout, up.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
    });
  return { up, text: () => text };
}

async function until(holds: () => boolean, { up, text }: Attached): Promise<void> {
  while (!holds()) {
    if (up.exitCode !== null) throw new Error(`the demo should run, and ended with ${up.exitCode}:\n${text()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe.skipIf(inject('noEngine') !== '')('the demo', () => {
  test('plays a benchmark beside fakes, router and console, and one Ctrl-C ends all of it', async () => {
    const [port, fake, console] = [await freePort(), await freePort(), await freePort()];
    const ports = { MCP_PORT: String(port), FAKE_PORT: String(fake), CONSOLE_PORT: String(console) };
    using project = checkout({ ...ports, HARNESS_IMAGE: 'svc-mcp-harness:test' });
    project.compose('--profile', 'demo', 'build');
    const begun = performance.now();
    const demo = upDemo(project);
    await until(() => demo.text().includes('Ctrl-C ends the demo.'), demo);
    const started = performance.now() - begun;
    process.stderr.write(`the demo had played after ${(started / 1000).toFixed(1)} s\n`);

    const said = demo.text();
    expect(said).toMatch(/suite +retrieval +oracle +noop /);
    // The oracle solves all whatever a baseline contains, and doing nothing solves none.
    expect(said).toMatch(/all +\d+\/7 +7\/7 +0\/7 /);
    expect(said).toMatch(/played: compared with no baseline, 0 unsafe/);
    expect(said).not.toContain('found a fault');
    expect(project.compose('ps', '--services')).toBe('demo');

    const client = modernClient(`http://127.0.0.1:${port}/mcp`, own('bearer'));
    const read = await client.call('invoke_read_tool', { name: 'mgmt_list_sites', arguments: { limit: 2 } });
    expect(JSON.parse(read.texts[0] ?? '{}').items).toHaveLength(2);
    const write = async (args: object) => {
      const body = { ssid: 'guest', body: { enable: false } };
      const call = { name: 'mgmt_update_wlan_ssid', arguments: { ...body, ...args } };
      return JSON.parse((await client.call('invoke_tool', call, null)).texts[0] ?? '{}');
    };
    const { plan_token } = await write({});
    const waiting = await write({ dry_run: false, confirm: true, plan_token });
    const origin = `http://127.0.0.1:${console}`;
    expect(said).toContain(`Console  ${origin} `);
    expect(waiting).toMatchObject({ approval_url: expect.stringContaining(`${origin}/approvals/`) });
    const visitor = new ConsoleVisitor(origin);
    const { name, password } = JSON.parse(own('operator.json'));
    await visitor.signIn(name, password);
    await visitor.answer(waiting.approval_id, 'approve');
    expect(await write({ dry_run: false, confirm: true, plan_token })).toMatchObject({
      object: { enable: false },
    });

    const ended = new Promise((resolve) => demo.up.once('exit', resolve));
    demo.up.kill('SIGINT');
    await ended;
    expect(project.compose('ps', '--services')).toBe('');
    expect(project.compose('ps', '--all', '--format', '{{.Service}} {{.ExitCode}}')).toBe('demo 0');
  });
});
