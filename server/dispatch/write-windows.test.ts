/** Maintenance windows by the wall clock, with summer time, the end of the week, and the time that a refusal names. */
import { describe, expect, test } from 'vitest';
import { Environment } from '../config/environment.ts';
import { readWriteSettings } from '../config/write-settings.ts';
import { RouterError } from '../errors.ts';
import { Random } from '../test/bench/robust/random.ts';
import { WriteWindows } from './write-windows.ts';

const KNOWN = [{ id: 'mgmt' }, { id: 'nac' }];
function read(variables: Record<string, string>) {
  const environment = new Environment({ SVC_MCP_DOTENV: '0', ...variables }, '/nowhere');
  return readWriteSettings(environment, KNOWN, { mode: 'client' });
}
const windowsAt = (windows: string, at: number, zone = 'UTC') =>
  new WriteWindows(read({ SVC_MCP_WRITE_WINDOWS: windows, SVC_MCP_WRITE_WINDOWS_ZONE: zone }), () => at);

/** `open`, or when it opens. */
function told(windows: WriteWindows, platform = 'mgmt'): unknown {
  try {
    windows.mustBeOpen(platform);
    return 'open';
  } catch (error) {
    if (!(error instanceof RouterError && error.code === 'OUTSIDE_WRITE_WINDOW')) throw error;
    return error.details['opens_at'];
  }
}

describe('a window', () => {
  // 2026-11-21 is a Saturday. Zurich is at +01:00 in winter, +02:00 from 2026-03-29 to 2026-10-25.
  test.each([
    ['Sat 22:00-04:00', '2026-11-21T21:59Z', 'UTC', '2026-11-21T22:00:00.000Z'],
    ['Sat 22:00-04:00', '2026-11-21T22:00Z', 'UTC', 'open'],
    ['Sat 22:00-04:00', '2026-11-22T03:59:59Z', 'UTC', 'open'],
    ['Sat 22:00-04:00', '2026-11-22T04:00Z', 'UTC', '2026-11-28T22:00:00.000Z'],
    ['Sat 22:00-04:00', '2026-11-21T20:59Z', 'Europe/Zurich', '2026-11-21T21:00:00.000Z'],
    ['Sat 22:00-04:00', '2026-11-21T21:00Z', 'Europe/Zurich', 'open'],
    ['Sun 22:00-04:00', '2026-11-23T03:00Z', 'UTC', 'open'],
    ['Fri-Mon 01:00-02:00', '2026-11-23T01:30Z', 'UTC', 'open'],
    ['Fri-Mon 01:00-02:00', '2026-11-24T01:30Z', 'UTC', '2026-11-27T01:00:00.000Z'],
    ['00:00-24:00', '2026-11-24T23:59:59Z', 'UTC', 'open'],
    ['22:30-00:30', '2026-11-24T00:29Z', 'UTC', 'open'],
    // Over the hour at which the clock goes back, and over the one at which it goes forward.
    ['Sun 12:00-13:00', '2026-10-24T12:00Z', 'Europe/Zurich', '2026-10-25T11:00:00.000Z'],
    ['Sun 12:00-13:00', '2026-03-28T12:00Z', 'Europe/Zurich', '2026-03-29T10:00:00.000Z'],
    ['Tue 01:00-02:00, Thu 01:00-02:00', '2026-11-24T02:00Z', 'UTC', '2026-11-26T01:00:00.000Z'],
  ])('%s at %s in %s: %s', (windows, at, zone, expected) => {
    expect(told(windowsAt(windows, Date.parse(at), zone))).toBe(expected);
  });

  test('of a platform stands in the place of the general ones; without windows every time is good', () => {
    const windows = windowsAt('Tue 01:00-02:00, mgmt: Wed 01:00-02:00', Date.parse('2026-11-24T01:30Z'));
    expect([told(windows, 'nac'), told(windows, 'mgmt')]).toEqual(['open', '2026-11-25T01:00:00.000Z']);
    const own = windowsAt('mgmt: Wed 01:00-02:00', Date.parse('2026-11-24T01:30Z'));
    expect(told(own, 'nac')).toBe('open');
    expect(told(new WriteWindows(read({})))).toBe('open');
  });

  test('opens exactly when a refusal says so, for 2,000 drawn moments of two years in four zones', () => {
    const random = new Random(20261124);
    const list = 'Mon-Fri 22:15-04:45, Sat 12:00-12:01';
    let refused = 0;
    for (let i = 0; i < 2_000; i++) {
      const at = Date.parse('2026-01-01T00:00Z') + random.below(2 * 365 * 86_400) * 1_000;
      const zone = ['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Kathmandu'][i % 4] as string;
      const opens = told(windowsAt(list, at, zone));
      if (opens === 'open') continue;
      refused++;
      const opensAt = Date.parse(String(opens));
      expect(opensAt, `${new Date(at).toISOString()} ${zone}`).toBeGreaterThan(at);
      expect(told(windowsAt(list, opensAt, zone))).toBe('open');
      expect(told(windowsAt(list, opensAt - 1, zone))).toBe(opens);
    }
    expect(refused).toBeGreaterThan(1_000);
  });

  test('outside of which somebody is asked refuses nothing', () => {
    const settings = read({
      SVC_MCP_WRITE_WINDOWS: 'mgmt: Wed 01:00-02:00',
      SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask',
      SVC_MCP_CONFIRMATION: 'token',
    });
    const windows = new WriteWindows(settings, () => Date.parse('2026-11-24T01:30Z'));
    expect([told(windows), windows.requiresApproval('mgmt'), windows.requiresApproval('nac')]).toEqual([
      'open',
      true,
      false,
    ]);
  });
});

test.each([
  [{ SVC_MCP_WRITE_WINDOWS: 'Sat' }, /should be a list of windows such as .*, got "Sat"/],
  [{ SVC_MCP_WRITE_WINDOWS: 'Sat 25:00-26:00' }, /a list of windows/],
  [{ SVC_MCP_WRITE_WINDOWS: 'Sat 24:00-26:00' }, /a list of windows/],
  [{ SVC_MCP_WRITE_WINDOWS: 'Sat 22:00-24:30' }, /a list of windows/],
  [{ SVC_MCP_WRITE_WINDOWS: 'Sat 22:00-22:00' }, /a list of windows/],
  [{ SVC_MCP_WRITE_WINDOWS: 'sat 22:00-23:00' }, /a list of windows/],
  [{ SVC_MCP_WRITE_WINDOWS: 'mgnt: 22:00-23:00' }, /a list of mgmt, nac, got "mgnt".*mgmt/],
  [{ SVC_MCP_WRITE_WINDOWS_ZONE: 'Europe/Zurch' }, /an IANA time zone such as Europe\/Zurich, got "Europe\/Zurch"/],
  [{ SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask' }, /SVC_MCP_WRITE_WINDOWS names no window/],
  [
    { SVC_MCP_WRITE_WINDOWS: '22:00-23:00', SVC_MCP_WRITES_OUTSIDE_WINDOWS: 'ask' },
    /ask changes nothing: the same person is asked about every write/,
  ],
  [{ SVC_MCP_WRITES_PER_HOUR: '1001' }, /from 0 to 1000/],
])('%j refuses the start', (variables, message) => {
  expect(() => read(variables)).toThrow(message);
});
