/** Translation between the two WLAN clouds and the normalised form of trends: carried fields, and reported losses. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { siteToCloud, siteToMgmt } from './site.ts';
import type { SourceShape } from './translation.ts';
import { MOST_POINTS, normaliseTrend, type Trend } from './trend-table.ts';
import { wlanToCloud } from './wlan-for-cloudwlan.ts';
import { wlanToMgmt } from './wlan-for-mgmt.ts';

const UNKNOWN: SourceShape = { writable: undefined, defaults: new Map() };
const ORG = '562f2673-616a-40b7-9b6e-4bc92d5cfb9d';
const kinds = (warnings: readonly { field: string; kind: string }[]) =>
  warnings.map(({ field, kind }) => `${field}: ${kind}`);
const bodyOf = (args: Readonly<Record<string, unknown>>) => args['body'] as Record<string, unknown>;

describe('a WLAN of the management cloud', () => {
  test('that is plain goes over whole, but for its passphrase', () => {
    const {
      arguments: args,
      warnings,
      complete,
      target_tool,
    } = wlanToCloud(
      {
        ssid: 'guest',
        essid: { name: 'guest' },
        opmode: 'WPA2_PERSONAL',
        'rf-band': '24GHZ_5GHZ',
        'vlan-id-range': ['110'],
        'hide-ssid': true,
        'client-isolation': true,
        'dtim-period': 2,
        'personal-security': { 'wpa-passphrase': 'correct horse battery' },
      },
      UNKNOWN,
      ORG,
    );
    expect(target_tool).toBe('cloudwlan_create_org_wlan');
    expect(args).toEqual({
      org_id: ORG,
      body: {
        ssid: 'guest',
        enabled: true,
        hide_ssid: true,
        auth_type: 'psk',
        auth: { pairwise: ['wpa2-ccmp'] },
        bands: ['24', '5'],
        vlan_enabled: true,
        vlan_id: 110,
        isolation: true,
        interface: 'all',
        arp_filter: true,
        limit_bcast: false,
        dtim: 2,
        roam_mode: 'none',
      },
    });
    expect(kinds(warnings)).toEqual(['personal-security.wpa-passphrase: secret', 'client-isolation: approximated']);
    expect(complete).toBe(false);
    expect(JSON.stringify([args, warnings])).not.toContain('horse');
  });

  test('says of every setting that is lost, bent or missing which it is', () => {
    const { warnings, arguments: args } = wlanToCloud(
      {
        ssid: 'staff-profile',
        essid: { name: 'staff', 'use-alias': true, alias: 'site-ssid' },
        opmode: 'WPA3_ENTERPRISE_GCM_256',
        'auth-server-group': 'radius-main',
        'vlan-selector': 'NAMED_VLAN',
        'vlan-name': 'users',
        'max-clients-threshold': 900,
        'forward-mode': 'FORWARD_MODE_L2',
        roaming: { dot11r: true, dot11k: false },
        'time-range': 'office-hours',
        'default-role': 'employee',
        'legacy-rates': { 'min-tx-rate-5': '24' },
      },
      UNKNOWN,
      undefined,
    );
    expect(kinds(warnings).sort()).toEqual([
      'auth-server-group: needed',
      'default-role: lost',
      'essid: approximated',
      'forward-mode: approximated',
      'legacy-rates: lost',
      'max-clients-threshold: approximated',
      'opmode: approximated',
      'org_id: needed',
      'roaming: lost',
      'ssid: lost',
      'time-range: lost',
      'vlan-name: needed',
    ]);
    expect(bodyOf(args)).toMatchObject({ ssid: 'staff', auth_type: 'eap', max_num_clients: 512, roam_mode: '11r' });
  });

  test('that keeps its clients apart does so at one access point only, and says so', () => {
    const isolated = (on: boolean) => wlanToCloud({ ssid: 'x', opmode: 'OPEN', 'client-isolation': on }, UNKNOWN, ORG);
    expect(kinds(isolated(true).warnings)).toEqual(['client-isolation: approximated']);
    expect(isolated(true).warnings[0]?.message).toContain('body.l2_isolation');
    expect(isolated(false).warnings).toEqual([]);
  });

  test('that admits nobody would have no ceiling there, and that is said', () => {
    const of = (threshold: number) =>
      wlanToCloud({ ssid: 'x', opmode: 'OPEN', 'max-clients-threshold': threshold }, UNKNOWN, ORG).warnings;
    expect(kinds(of(0))).toEqual(['max-clients-threshold: approximated']);
    expect(kinds(of(1))).toEqual([]);
  });
  test('whose mode the other side does not have is refused at its pointer', () => {
    expect(() => wlanToCloud({ essid: { name: 'x' }, opmode: 'DPP' }, UNKNOWN, ORG)).toThrow(
      '`/wlan/opmode` should be a mode that the cloud WLAN has, got "DPP"',
    );
  });

  test('is judged by what its platform calls writable and usual, where that is known', () => {
    const shape: SourceShape = {
      writable: new Set(['essid', 'opmode', 'denylist', 'uapsd', 'high-efficiency', 'zone']),
      defaults: new Map<string, unknown>([
        ['denylist', true],
        ['uapsd', true],
        ['high-efficiency', { enable: true, twt: false }],
      ]),
    };
    const source = {
      essid: { name: 'x' },
      opmode: 'OPEN',
      'created-at': '2026-01-01T00:00:00Z',
      denylist: true,
      uapsd: false,
      'high-efficiency': { enable: true },
      zone: [],
    };
    expect(kinds(wlanToCloud(source, shape, ORG).warnings)).toEqual(['uapsd: lost']);
  });
});

const OPMODES = [
  'OPEN',
  'ENHANCED_OPEN',
  'WPA2_PERSONAL',
  'WPA3_SAE',
  'BOTH_WPA_WPA2_PSK',
  'WPA2_ENTERPRISE',
  'WPA3_ENTERPRISE_CCM_128',
  'WPA3_ENTERPRISE_CNSA',
  'BOTH_WPA_WPA2_DOT1X',
  'WPA2_MPSK_LOCAL',
  'WPA3_MPSK_SAE',
];

test('a translation without reported losses comes back unchanged', () => {
  fc.assert(
    fc.property(
      fc.record({
        name: fc.stringMatching(/^[A-Za-z0-9 _-]{1,32}$/),
        opmode: fc.constantFrom(...OPMODES),
        band: fc.constantFrom('24GHZ', '5GHZ', '6GHZ', '24GHZ_5GHZ', '5GHZ_6GHZ', 'BAND_ALL'),
        vlan: fc.option(fc.integer({ min: 1, max: 4094 })),
        hide: fc.boolean(),
        isolate: fc.boolean(),
        mac: fc.boolean(),
        fast: fc.boolean(),
        broadcast: fc.constantFrom('none', 'arp', 'all'),
        dtim: fc.integer({ min: 1, max: 10 }),
        clients: fc.integer({ min: 1, max: 512 }),
        voice: fc.boolean(),
      }),
      (goal) => {
        const source = {
          ssid: goal.name,
          essid: { name: goal.name },
          enable: true,
          'hide-ssid': goal.hide,
          opmode: goal.opmode,
          'mac-authentication': goal.mac,
          'rf-band': goal.band,
          ...(goal.vlan === null
            ? { 'vlan-selector': 'NATIVE' }
            : { 'vlan-selector': 'VLAN_RANGES', 'vlan-id-range': [String(goal.vlan)] }),
          'client-isolation': goal.isolate,
          'forward-mode': 'FORWARD_MODE_BRIDGE',
          'broadcast-filter': { ipv4: goal.broadcast, ipv6: 'ra' },
          'dtim-period': goal.dtim,
          'max-clients-threshold': goal.clients,
          roaming: { dot11r: goal.fast },
          type: goal.voice ? 'VOICE' : 'EMPLOYEE',
        };
        const over = wlanToCloud(source, UNKNOWN, ORG);
        expect(over.warnings.filter(({ kind }) => kind === 'lost')).toEqual([]);
        expect(bodyOf(wlanToMgmt(bodyOf(over.arguments), UNKNOWN).arguments)).toEqual(source);
      },
    ),
    { numRuns: 300 },
  );
});

describe('a network of the cloud WLAN', () => {
  test('that keeps clients apart at one access point does so everywhere, and says so', () => {
    const of = (more: object) =>
      kinds(wlanToMgmt({ ssid: 'x', auth_type: 'open', max_num_clients: 5, ...more }, UNKNOWN).warnings);
    expect(of({ isolation: true })).toEqual(['isolation: approximated']);
    expect(of({ isolation: true, l2_isolation: true })).toEqual(['l2_isolation: approximated']);
    expect(of({ isolation: false })).toEqual([]);
  });
  test('of WEP says that its key is not carried over', () => {
    const { warnings } = wlanToMgmt({ ssid: 'x', auth_type: 'wep', max_num_clients: 5 }, UNKNOWN);
    expect(kinds(warnings)).toEqual(['auth_type: approximated']);
  });
  test('reports what the management cloud cannot store', () => {
    const { arguments: args, warnings } = wlanToMgmt(
      {
        ssid: 'lab',
        auth_type: 'psk',
        auth: { pairwise: ['wpa3', 'wpa2-ccmp'], psk: 'never to be seen', private_wlan: true },
        bands: ['24', '6'],
        l2_isolation: true,
        interface: 'edgetunnel',
        roam_mode: 'okc',
        qos: { class: 'video' },
        portal: { enabled: true },
        dynamic_vlan: { enabled: true },
        template_id: 'a-template',
        client_limit_up: 500,
      },
      UNKNOWN,
    );
    expect(kinds(warnings).sort()).toEqual([
      'auth.private_wlan: lost',
      'auth.psk: secret',
      'bands: approximated',
      'client_limit_up: lost',
      'dynamic_vlan: lost',
      'interface: approximated',
      'l2_isolation: approximated',
      'max_num_clients: approximated',
      'portal: needed',
      'qos.class: lost',
      'roam_mode: lost',
      'template_id: lost',
    ]);
    expect(bodyOf(args)).toMatchObject({
      opmode: 'WPA3_SAE',
      'advanced-wireless-security': { 'wpa3-transition-mode-enable': true },
      'rf-band': 'BAND_ALL',
      type: 'GUEST',
    });
    expect(JSON.stringify([args, warnings])).not.toContain('never to be seen');
  });
});

describe('a value of another type', () => {
  const toMgmt = (source: object) => wlanToMgmt({ ssid: 'ward', auth_type: 'open', ...source }, UNKNOWN);
  const toCloud = (source: object) => wlanToCloud({ essid: { name: 'ward' }, opmode: 'OPEN', ...source }, UNKNOWN, ORG);
  const warned = ({ warnings }: { warnings: readonly { field: string; kind: string }[] }) =>
    kinds(warnings).filter((text) => text !== 'max_num_clients: approximated');

  test('is read where it can mean one thing only', () => {
    const network = toMgmt({
      vlan_enabled: 'true',
      vlan_id: '30',
      isolation: 'true',
      enabled: 'false',
      arp_filter: 'false',
      dtim: '3',
      auth: { owe: 'enabled', enable_mac_auth: 'true' },
    });
    expect(warned(network)).toEqual(['isolation: approximated']);
    expect(bodyOf(network.arguments)).toMatchObject({
      opmode: 'ENHANCED_OPEN',
      'mac-authentication': true,
      enable: false,
      'vlan-selector': 'VLAN_RANGES',
      'vlan-id-range': ['30'],
      'client-isolation': true,
      'broadcast-filter': { ipv4: 'none' },
      'dtim-period': 3,
    });
    const wlan = toCloud({ 'vlan-id-range': 30, 'hide-ssid': 'TRUE', enable: 'false', roaming: { dot11r: 'true' } });
    expect(warned(wlan)).toEqual([]);
    expect(bodyOf(wlan.arguments)).toMatchObject({
      vlan_enabled: true,
      vlan_id: 30,
      hide_ssid: true,
      enabled: false,
      roam_mode: '11r',
    });
  });

  test.each([
    [{ isolation: 'yes' }, 'isolation'],
    [{ isolation: ['a'] }, 'isolation'],
    [{ dtim: 'often' }, 'dtim'],
    [{ hide_ssid: 1 }, 'hide_ssid'],
    [{ auth: 'psk' }, 'auth'],
    [{ auth: { multi_psk_only: 'only' } }, 'auth.multi_psk_only'],
    [{ portal: true }, 'portal'],
    [{ auth_servers: { host: 'a' } }, 'auth_servers'],
    [{ vlan_enabled: 'tagged', vlan_id: 30 }, 'vlan_enabled'],
    [{ vlan_enabled: true, vlan_id: 'blue' }, 'vlan_id'],
    [{ vlan_enabled: true, vlan_ids: [30, '200-100'] }, 'vlan_id'],
    [{ vlan_enabled: true }, 'vlan_id'],
  ])('%j of the cloud WLAN otherwise gets a warning, and the result is not complete', (source, field) => {
    const { complete, ...network } = toMgmt(source);
    expect([warned(network), complete]).toEqual([[`${field}: needed`], false]);
  });

  test.each([
    [{ 'vlan-id-range': ['200-100'] }, 'vlan-id-range'],
    [{ 'vlan-id-range': ['10', '4095'] }, 'vlan-id-range'],
    [{ 'vlan-id-range': { from: 10 } }, 'vlan-id-range'],
    [{ 'vlan-name': 'users' }, 'vlan-name'],
  ])('%j leaves a network of the management cloud tagged, and asks for the VLAN', (source, field) => {
    const wlan = toCloud(source);
    expect([warned(wlan), wlan.complete]).toEqual([[`${field}: needed`], false]);
    expect(bodyOf(wlan.arguments)).toMatchObject({ vlan_enabled: true });
  });

  test('of the band or of the roaming is said to have no counterpart', () => {
    expect(warned(toCloud({ 'rf-band': 'constructor' }))).toEqual(['rf-band: approximated']);
    expect(warned(toMgmt({ roam_mode: '11k' }))).toEqual(['roam_mode: lost']);
  });

  test.each([
    [{ auth: { type: 'psk' } }, '/wlan/auth_type'],
    [{ auth_type: '' }, '/wlan/auth_type'],
    [{ auth_type: ['psk'] }, '/wlan/auth_type'],
    [{ auth_type: 'open', auth: { owe: 'required' } }, '/wlan/auth/owe'],
    [{ auth_type: 'open', auth: { pairwise: 'wpa3' } }, '/wlan/auth'],
  ])('%j never becomes an open network', (source, pointer) => {
    expect(() => wlanToMgmt({ ssid: 'ward', ...source }, UNKNOWN)).toThrow(`\`${pointer}\` should be`);
  });

  test('in a site is read or warned about as well', () => {
    const site = siteToMgmt(
      { name: 7, country_code: 'IE', address: 'Quay 1, Newry', latlng: { lat: '54.1', lng: '-6.3' }, timezone: {} },
      UNKNOWN,
    );
    expect(bodyOf(site.arguments)).toMatchObject({ name: '7', latitude: 54.1, longitude: -6.3 });
    const over = siteToCloud({ name: 'a', street: ['x'], country: 'IE', contact: { phone: '1' } }, UNKNOWN, ORG);
    expect(kinds(over.warnings)).toEqual(['street: needed', 'street: needed', 'contact: approximated']);
    expect(bodyOf(over.arguments)['notes']).toBe('Contact: 1');
  });
});

describe('sites', () => {
  const site = {
    name: 'Mill Clinic',
    street: '12 Quay Street',
    city: 'Newry',
    'postal-code': 'BT34 1AB',
    state: 'Down',
    country: 'GB',
    latitude: 54.17,
    longitude: -6.34,
    timezone: 'Europe/London',
    contact: { name: 'Front desk', phone: '+44 28 555 0100' },
    'collection-id': 'all-clinics',
  };

  test('go over with one line of address, and come back taken apart', () => {
    const over = siteToCloud(site, UNKNOWN, ORG);
    expect(bodyOf(over.arguments)).toEqual({
      name: 'Mill Clinic',
      address: '12 Quay Street, BT34 1AB Newry, Down',
      country_code: 'GB',
      timezone: 'Europe/London',
      latlng: { lat: 54.17, lng: -6.34 },
      notes: 'Contact: Front desk, +44 28 555 0100',
      org_id: ORG,
    });
    expect(kinds(over.warnings)).toEqual(['street: approximated', 'contact: approximated', 'collection-id: lost']);
    expect(over.complete).toBe(true);
    const back = siteToMgmt(bodyOf(over.arguments), UNKNOWN);
    const { contact: _, 'collection-id': __, ...kept } = site;
    expect(bodyOf(back.arguments)).toEqual(kept);
    expect(kinds(back.warnings)).toEqual(['notes: lost', 'address: approximated']);
  });

  test('half a position is no position, and that is said', () => {
    const { latitude, longitude, ...nowhere } = site;
    for (const [half, field] of [
      [{ latitude }, 'latitude'],
      [{ longitude }, 'longitude'],
    ] as const) {
      const { arguments: args, warnings } = siteToCloud({ ...nowhere, ...half }, UNKNOWN, ORG);
      expect([bodyOf(args)['latlng'], kinds(warnings)]).toEqual([
        undefined,
        expect.arrayContaining([`${field}: lost`]),
      ]);
    }
    const { arguments: args, warnings } = siteToMgmt({ name: 'X', latlng: { lat: 54.17 } }, UNKNOWN);
    expect([bodyOf(args)['latitude'], kinds(warnings)]).toEqual([
      undefined,
      expect.arrayContaining(['latlng.lat: lost']),
    ]);
    expect(kinds(siteToMgmt({ name: 'X', latlng: null }, UNKNOWN).warnings)).not.toContain('latlng.lat: lost');
  });
  test('an address of more parts than the target has says which are left out', () => {
    const ending = siteToMgmt({ name: 'X', country_code: 'IE', address: 'Mill House, Newry, Down,' }, UNKNOWN);
    expect(kinds(ending.warnings)).not.toContain('address: lost');
    const address = 'Unit 4, Mill House, Newry, Down, Ireland';
    const { warnings } = siteToMgmt({ name: 'X', country_code: 'IE', address }, UNKNOWN);
    expect(warnings.filter(({ kind }) => kind === 'lost')).toEqual([
      { field: 'address', kind: 'lost', message: 'Down, Ireland has no place behind street, town and state' },
    ]);
  });
  test('parts of an address that are too long are cut between two characters, and said to be', () => {
    const street = `${'s'.repeat(127)}\u{1f3e8}\u{1f3e8}`;
    const { arguments: args, warnings } = siteToMgmt(
      { name: 'X', country_code: 'IE', address: `${street}, ${'n'.repeat(65)}, Down` },
      UNKNOWN,
    );
    expect(bodyOf(args)).toMatchObject({ street: `${'s'.repeat(127)}\u{1f3e8}`, city: 'n'.repeat(64), state: 'Down' });
    const messages = warnings.map(({ message }) => message);
    for (const most of [128, 64])
      expect(messages).toContain(`the target takes ${most} characters: the rest is cut off`);
  });
  test('an address without a town gets a warning that asks for it', () => {
    const { complete, warnings } = siteToMgmt({ name: 'X', address: 'somewhere', country_code: 'IE' }, UNKNOWN);
    expect([complete, kinds(warnings)]).toEqual([false, ['address: needed']]);
  });
});

describe('a trend', () => {
  const trend = (source: unknown, options = {}) => normaliseTrend(source, options) as Trend;
  const at = (minute: number) => `2026-03-02T06:${String(minute).padStart(2, '0')}:00Z`;

  test('of any form is the same trend', () => {
    const expected = {
      points: [
        { time: at(0), value: 35 },
        { time: at(5), value: 36 },
        { time: at(10), value: 34 },
      ],
      interval_seconds: 300,
      summary: { points: 3, min: 34, max: 36, mean: 35, first: 35, last: 34 },
      gaps: [],
      warnings: [],
    };
    const seconds = Date.parse(at(0)) / 1000;
    for (const source of [
      {
        interval: '5m',
        samples: [
          { timestamp: at(0), score: 35 },
          { timestamp: at(5), score: 36 },
          { timestamp: at(10), score: 34 },
        ],
      },
      [
        { time: seconds, score: 35 },
        { time: seconds + 600, score: 34 },
        { time: seconds + 300, score: 36 },
      ],
      { start: seconds, interval: 300, results: [35, 36, 34] },
      {
        data: {
          points: [
            [seconds * 1000, 35],
            [(seconds + 300) * 1000, 36],
            [(seconds + 600) * 1000, 34],
          ],
        },
      },
      { timestamps: [at(0), at(5), at(10)], values: [35, 36, 34] },
    ])
      expect(trend(source)).toMatchObject(expected);
  });

  test('with a hole names it; what has no time or number is counted out; doubles keep the last', () => {
    const found = trend([
      { time: at(0), rxBps: 1_000_000 },
      { time: at(5), rxBps: 2_000_000 },
      { time: at(5), rxBps: 3_000_000 },
      { time: at(10), rxBps: null },
      { time: 'soon', rxBps: 4 },
      { time: at(20), rxBps: 5_000_000 },
      { time: at(25), rxBps: 5_000_000 },
    ]);
    expect(found).toMatchObject({
      unit: 'Mbit/s',
      gaps: [{ from: at(10), to: at(20) }],
      summary: { points: 4, max: 5 },
    });
    expect(found.points.map(({ value }) => value)).toEqual([1, 3, null, null, 5, 5]);
    expect(found.warnings).toEqual([
      '2 of 7 samples have no time or no number and were left out',
      '1 samples share a time with another: the last one counts',
    ]);
  });

  test.each<[string, object | unknown[]]>([
    ['bare numbers', { start: at(0), interval: '5m', results: [null, 35, null, 36, 37] }],
    ['pairs', { points: [null, [at(5), 35], [at(10), null], [at(15), 36], [at(20), 37]] }],
    [
      'objects',
      [
        null,
        { time: at(5), score: 35 },
        { time: at(10), score: null },
        { time: at(15), score: 36 },
        { time: at(20), score: 37 },
      ],
    ],
  ])('of %s that begins with a hole is read from its first sample on', (_, source) => {
    const found = trend(source);
    expect(found.points.map(({ time, value }) => [time, value])).toEqual([
      [at(5), 35],
      [at(10), null],
      [at(15), 36],
      [at(20), 37],
    ]);
    expect(found.warnings).toEqual(['2 of 5 samples have no time or no number and were left out']);
  });

  test('is averaged to a wider step, and never longer than an answer holds', () => {
    const samples = Array.from({ length: 6_000 }, (_, i) => ({ timestamp: 1_772_000_000 + i * 60, value: i % 2 }));
    const wide = trend({ samples }, { intervalSeconds: 3_600 });
    expect(wide.points.length).toBe(101);
    expect(wide.points[50]).toMatchObject({ value: 0.5 });
    const long = trend({ samples });
    expect(long.points.length).toBeLessThanOrEqual(MOST_POINTS + 1);
    expect(trend({ samples }, { intervalSeconds: 60 }).warnings).toEqual([
      expect.stringContaining('500 points are the most'),
    ]);
  });

  test('of times that are a second early or late has no gaps, and one where a sample is missing', () => {
    const late = [0, -1, 1, -1, 1, 0, -1];
    const samples = late.map((seconds, i) => ({ time: Date.parse(at(0)) / 1000 + i * 300 + seconds, score: i }));
    const found = trend(samples);
    expect(found.points.map(({ time, value }) => [time, value])).toEqual(late.map((_, i) => [at(i * 5), i]));
    expect([found.interval_seconds, found.gaps]).toEqual([300, []]);
    expect(trend(samples.toSpliced(3, 1)).gaps).toEqual([{ from: at(15), to: at(20) }]);
  });

  test('without a zone in its times is in UTC, wherever the router runs', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      const written = [
        ['2026-03-02 06:00:00', at(0)],
        ['2026-03-02T06:00:00.000', at(0)],
        ['2026-03-02 06:00', at(0)],
        ['03/02/2026 06:00:00', at(0)],
        ['Mar 2 2026 06:00:00', at(0)],
        ['03-02-2026', '2026-03-02T00:00:00Z'],
        ['2026-03-02', '2026-03-02T00:00:00Z'],
        ['2026-03-02 08:00:00 +0200', at(0)],
        ['2026-03-02T08:00:00+02:00', at(0)],
        ['Mon, 02 Mar 2026 06:00:00 GMT', at(0)],
        ['2026-03-02 08:00:00+02', at(0)],
        ['02.03.2026 06:00', at(0)],
      ];
      for (const [time, expected] of written)
        expect([time, trend([{ time, v: 1 }]).points[0]?.time]).toEqual([time, expected]);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test.each([1e-3, 1, 1e3, 1e6])('whose times count 1/1000 s divided by %d is at those times', (factor) => {
    const time = Date.parse(at(0)) * factor;
    expect(trend([{ time, v: 1 }]).points).toEqual([{ time: at(0), value: 1 }]);
    expect(trend([{ time: String(time), v: 1 }]).points).toEqual([{ time: at(0), value: 1 }]);
  });

  test('with a time beyond any date leaves that sample out', () => {
    const found = trend([
      { time: 1e25, v: 1 },
      { time: at(0), v: 2 },
    ]);
    expect([found.points.length, found.warnings.length]).toEqual([1, 1]);
  });

  test.each([
    ['throughputGbps', 'Mbit/s', 10_000],
    ['throughput_gbps', 'Mbit/s', 10_000],
    ['rxmbps', 'Mbit/s', 10],
    ['rxMBps', 'Mbit/s', 80],
    ['RX_MBPS', 'Mbit/s', 10],
    ['txKbps', 'Mbit/s', 0.01],
    ['linkBps', 'Mbit/s', 0.00001],
    ['clientBps', 'Mbit/s', 0.00001],
    ['rxBitsPerSecond', 'Mbit/s', 0.00001],
    ['bytes_per_sec', 'Mbit/s', 0.00008],
    ['rxBytes', 'MB', 0.00001],
    ['incomingbytes', 'MB', 0.00001],
    ['rxGigaBytes', 'MB', 10_000],
    ['alarms', 'count', 10],
    ['rooms', 'count', 10],
    ['rtt_ms', 'ms', 10],
    ['rttMs', 'ms', 10],
    ['latencyms', 'ms', 10],
    ['dnsLatency', 'ms', 10],
    ['signal_dbm', 'dBm', 10],
    ['snr', 'dB', 10],
    ['packetsPerSecond', 'count', 10],
  ])('of %s is in %s', (metric, unit, value) => {
    const found = trend([{ time: at(0), [metric]: 1e6 }]);
    expect([found.unit, found.points[0]?.value]).toEqual([unit, value * 1e5]);
  });

  test.each([
    ['MBps', 'Mbit/s', 8],
    ['Bps', 'Mbit/s', 8e-6],
    ['MiB/s', 'Mbit/s', 8.388608],
    ['Gbit/s', 'Mbit/s', 1000],
    ['ms', 'ms', 1],
    ['dBm', 'dBm', 1],
    ['items', 'items', 1],
    ['°C', '°C', 1],
  ])('whose unit is said to be %s is in %s', (unit, kept, factor) => {
    const found = trend([{ time: at(0), x: 1e6 }], { unit });
    expect([found.unit, found.points[0]?.value]).toEqual([kept, factor * 1e6]);
  });

  test.each([
    ['500ms', 0.5],
    ['5 minutes', 300],
    ['5m', 300],
    ['PT5M', 300],
    ['PT1H30M', 5400],
    ['300', 300],
    ['1 hour', 3600],
    ['P1D', 86_400],
  ])('of bare numbers %s apart is %d s apart', (interval, seconds) => {
    const { points } = trend({ start: '2026-03-02', interval, values: [1, 1, 1, 1] });
    const last = Date.parse(points.at(-1)?.time ?? '') - Date.parse('2026-03-02');
    expect(last / 1000).toBe(Math.floor(seconds * 3));
  });

  test('of bare numbers an unknown step apart is refused', () => {
    for (const interval of ['P1M', '5 constructors', 'constructor', '0m'])
      expect(normaliseTrend({ start: at(0), interval, values: [1, 2] }, {})).toHaveProperty('problem');
  });

  test('of more numbers than a call takes arguments has a summary', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => i);
    expect(trend({ start: at(0), interval: 1, values }).summary).toMatchObject({ min: 0, max: 199_999 });
  });

  test.each([
    [{ hello: 1 }, {}, 'there is no list of samples'],
    [{ samples: [{ timestamp: at(0), a: 1, b: 2 }] }, {}, 'the samples hold several numbers'],
    [{ samples: [{ timestamp: at(0), a: 1 }] }, { metric: 'c' }, 'no sample has a number "c"'],
    [[1, 2, 3], {}, 'bare numbers need `start` and `interval`'],
    [[{ timestamp: 'never', a: 1 }], {}, 'no sample has both a time and a number'],
  ])('%j is no trend', (source, options, problem) => {
    expect(normaliseTrend(source, options)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
