/** The fake as a shell sees it: one ready line, clean ends, coded refusals. */
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { FakeReady } from '../control/ledger.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { killFakeProcesses, startFakeProcess } from './fake-process.ts';

afterEach(killFakeProcesses);

describe('node fake-api/main.ts', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints one JSON line when both ports listen, serves, and ends with 0 on %s',
    async (signal) => {
      const { child, ended, firstLine } = startFakeProcess(
        '--json',
        '--port',
        '0',
        '--control-port',
        '0',
        '--fixture',
        'tiny',
        '--seed',
        '3',
      );
      const ready = JSON.parse(await firstLine) as FakeReady;
      expect(ready).toEqual({
        ready: true,
        api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        control: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        platforms: Object.fromEntries((await listPlatforms()).map((id) => [id, `${ready.api}/${id}`])),
        fixture: { bundle: 'tiny', version: 1, digest: expect.stringMatching(/^sha256:/) },
      });
      expect(await (await fetch(`${ready.control}/health`)).json()).toEqual({ status: 'ok' });
      expect((await fetch(`${ready.platforms['mgmt']}/network-monitoring/v1/aps`)).status).toBe(401);
      child.kill(signal);
      const { code, stdout } = await ended;
      expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
      await expect(fetch(`${ready.control}/health`)).rejects.toThrow();
    },
  );

  it('refuses a port in use with its code and exit 3, and leaves nothing listening', async () => {
    const blocker = createServer();
    const port = await new Promise<number>((resolve) => {
      blocker.listen(0, '127.0.0.1', () => resolve((blocker.address() as { port: number }).port));
    });
    const { ended } = startFakeProcess('--port', '0', '--control-port', String(port), '--fixture', 'tiny');
    const { code, stdout, stderr } = await ended;
    blocker.close();
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(
      new RegExp(`^FAKE_PORT_IN_USE: control port should be free, got 127.0.0.1:${port} already in use. Remedy: `),
    );
  });

  it.each([
    [['--fixture', 'nothing'], 2, /FAKE_UNKNOWN_BUNDLE: fixture should be one of .*tiny.*, got "nothing"/],
    [['--platforms', 'mgtm'], 2, /got "mgtm"; did you mean "mgmt"\?/],
    [['--platforms', 'fabrik'], 2, /got "fabrik"; did you mean "fabric"\?/],
    [['--platforms', 'moon'], 2, /FAKE_UNKNOWN_PLATFORM: platform should be one of .*mgmt.*, got "moon"/],
    [['--port', '80a'], 2, /FAKE_USAGE: --port should be a whole number from 0 to 65535, got "80a"/],
    [['--seed', '-1'], 2, /FAKE_USAGE/],
    [['--colour'], 2, /FAKE_USAGE: unknown option '--colour'/],
    [['surplus'], 2, /FAKE_USAGE: too many arguments/],
  ])('refuses %o', async (args, exit, says) => {
    const { code, stderr } = await startFakeProcess(...args).ended;
    expect(code).toBe(exit);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('explains its options', async () => {
    const { code, stdout } = await startFakeProcess('--help').ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('--control-port')]);
  });
});
