/** The demo of docs/containers.md: fakes, a router in front of them, and scenarios played through the router of the image. */
import { describe, expect, inject, test } from 'vitest';
import { BASE, checkout, docker, imageOr } from '../support/container-engine.ts';
import { modernClient } from '../support/modern-client.ts';
import { freePort } from '../support/programs.ts';

const OLLAMA = `FROM ${BASE}\nCMD ["node", "-e", "require('http').createServer((q, r) => r.end()).listen(11434)"]\n`;

describe.skipIf(inject('noEngine') !== '')('the demo', () => {
  test('starts without a setup, shows the fakes through the router, and ends with a verdict that agents can fail and pass', async () => {
    const [port, fake] = [await freePort(), await freePort()];
    const ports = { MCP_PORT: String(port), FAKE_PORT: String(fake), DEMO_SUITES: 'wlan-change' };
    const images = { FAKE_IMAGE: 'svc-mcp-fake-api:test', HARNESS_IMAGE: 'svc-mcp-harness:test' };
    using project = checkout({ ...ports, ...images, OLLAMA_IMAGE: imageOr('ollama/ollama:0.12.6', OLLAMA) });
    project.compose('--profile', 'demo', 'up', '-d', '--build');
    const client = modernClient(`http://127.0.0.1:${port}/mcp`);
    const read = await answered(() =>
      client.call('invoke_read_tool', { name: 'mgmt_list_sites', arguments: { limit: 2 } }),
    );
    expect({ isError: read.isError, items: JSON.parse(read.texts[0] ?? '{}').items?.length }).toEqual({
      isError: false,
      items: 2,
    });
    const id = project.compose('--profile', 'demo', 'ps', '--all', '--quiet', 'harness');
    expect(docker(['wait', id]).stdout.trim()).toBe('0');
    const { stdout, stderr } = docker(['logs', id]);
    const said = `${stdout}${stderr}`;
    expect(said).toMatch(/^pass: nothing worse than /m);
    expect(said).toMatch(/^suite +retrieval +oracle +noop /m);
    expect(said).toMatch(/^all +\d+\/7 +7\/7 +0\/7 /m);
  });
});

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries > 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
