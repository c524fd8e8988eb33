/**
 * The hardware catalogue: the neutral models of the platforms of this repository. It describes no maker's product. An
 * operator of a real installation replaces the rows below.
 */
export interface HardwareModel {
  model: string;
  /** The platform that manages it. */
  vendor: 'mgmt' | 'cloudwlan' | 'sdwan' | 'legacy' | 'fabric' | 'sensors' | 'nac';
  /** Role in a picture. */
  role: string;
  summary: string;
  /** Numbers carry their unit in the name; what a model does not have is left out. */
  specs: Readonly<Record<string, string | number | boolean>>;
  /** ISO dates: last order, end of support. */
  lifecycle: { end_of_sale?: string; end_of_support?: string };
}

type Row = readonly [
  model: string,
  summary: string,
  specs: HardwareModel['specs'],
  endOfSale?: string,
  endOfSupport?: string,
];

const family = (vendor: HardwareModel['vendor'], role: string, rows: readonly Row[]): HardwareModel[] =>
  rows.map(([model, summary, specs, end_of_sale, end_of_support]) => ({
    model,
    vendor,
    role,
    summary,
    specs,
    lifecycle: { ...(end_of_sale ? { end_of_sale } : {}), ...(end_of_support ? { end_of_support } : {}) },
  }));

const radio = (
  wifi: string,
  streams: string,
  radios: number,
  uplink_gbps: number,
  max_clients: number,
  poe_w: number,
) => ({
  wifi,
  streams,
  radios,
  uplink_gbps,
  max_clients,
  poe_w,
});
const switching = (
  ports: string,
  uplinks: string,
  switching_gbps: number,
  poe_budget_w: number,
  stack_members: number,
) => ({
  ports,
  uplinks,
  switching_gbps,
  ...(poe_budget_w > 0 ? { poe_budget_w } : {}),
  ...(stack_members > 1 ? { stack_members } : {}),
});
const routing = (firewall_gbps: number, vpn_gbps: number, tunnels: number, ports: string) => ({
  firewall_gbps,
  vpn_gbps,
  tunnels,
  ports,
});

export const MODELS: readonly HardwareModel[] = [
  ...family('mgmt', 'access-point', [
    ['AP-215', 'Indoor access point, 802.11ac', radio('802.11ac', '3x3:3', 2, 1, 255, 15), '2021-06-30', '2026-06-30'],
    [
      'AP-303',
      'Room access point with three wired ports, 802.11ac',
      { ...radio('802.11ac', '2x2:2', 2, 1, 256, 13), wired_ports: 3 },
      '2022-12-31',
      '2027-12-31',
    ],
    [
      'AP-315',
      'Indoor access point, 802.11ac wave 2',
      radio('802.11ac', '4x4:4', 2, 1, 256, 19),
      '2023-03-31',
      '2028-03-31',
    ],
    ['AP-505', 'Indoor access point for small offices, 802.11ax', radio('802.11ax', '2x2:2', 2, 1, 256, 14)],
    ['AP-515', 'Indoor access point for dense offices, 802.11ax', radio('802.11ax', '4x4:4', 2, 2.5, 512, 21)],
    ['AP-535', 'Indoor access point for halls, 802.11ax', radio('802.11ax', '4x4:4', 2, 5, 1024, 27)],
    ['AP-565', 'Outdoor access point, 802.11ax, IP67', { ...radio('802.11ax', '2x2:2', 2, 1, 256, 17), outdoor: true }],
    [
      'AP-577',
      'Outdoor access point with directional antennas, 802.11ax, IP67',
      { ...radio('802.11ax', '4x4:4', 2, 2.5, 512, 26), outdoor: true },
    ],
    ['AP-615', 'Indoor access point with 6 GHz, 802.11ax', radio('802.11ax 6E', '2x2:2', 2, 2.5, 512, 23)],
    ['AP-635', 'Indoor access point with three radios, 802.11ax', radio('802.11ax 6E', '2x2:2', 3, 2.5, 512, 24)],
    [
      'AP-655',
      'Indoor access point with three radios for halls, 802.11ax',
      radio('802.11ax 6E', '4x4:4', 3, 5, 1024, 34),
    ],
    ['AP-735', 'Indoor access point with three radios, 802.11be', radio('802.11be', '2x2:2', 3, 5, 512, 29)],
    [
      'AP-755',
      'Indoor access point with three radios for halls, 802.11be',
      radio('802.11be', '4x4:4', 3, 10, 1024, 41),
    ],
  ]),
  ...family('cloudwlan', 'access-point', [
    ['CW-12', 'Indoor access point, 802.11ac', radio('802.11ac', '2x2:2', 2, 1, 200, 14), '2022-09-30', '2027-09-30'],
    ['CW-24', 'Indoor access point with a scanning radio, 802.11ax', radio('802.11ax', '2x2:2', 3, 2.5, 400, 18)],
    ['CW-34', 'Indoor access point for dense offices, 802.11ax', radio('802.11ax', '4x4:4', 3, 2.5, 512, 22)],
    ['CW-45', 'Indoor access point with 6 GHz, 802.11ax', radio('802.11ax 6E', '4x4:4', 4, 5, 512, 29)],
    ['CW-47', 'Indoor access point with 6 GHz, 802.11be', radio('802.11be', '4x4:4', 4, 10, 512, 32)],
    [
      'CW-64',
      'Outdoor access point, 802.11ax, IP67',
      { ...radio('802.11ax', '2x2:2', 3, 2.5, 400, 22), outdoor: true },
    ],
  ]),
  ...family('legacy', 'wlan-controller', [
    [
      'C6005',
      'WLAN controller for branches',
      { max_aps: 32, max_clients: 2_048, firewall_gbps: 4, ports: '4x1G' },
      '2021-12-31',
      '2026-12-31',
    ],
    [
      'C6010',
      'WLAN controller for branches',
      { max_aps: 64, max_clients: 4_096, firewall_gbps: 8, ports: '8x1G 2x10G' },
      '2022-12-31',
      '2027-12-31',
    ],
    [
      'C6030',
      'WLAN controller for campuses',
      { max_aps: 256, max_clients: 8_192, firewall_gbps: 20, ports: '8x1G 2x10G' },
      '2023-12-31',
      '2028-12-31',
    ],
    [
      'C6040',
      'WLAN controller for large campuses',
      { max_aps: 2_048, max_clients: 32_768, firewall_gbps: 80, ports: '4x10G 2x40G' },
      '2024-12-31',
      '2029-12-31',
    ],
    [
      'C6040-V',
      'WLAN controller as a virtual machine',
      { max_aps: 1_000, max_clients: 16_000, firewall_gbps: 10, vcpus: 8 },
    ],
  ]),
  ...family('mgmt', 'access-switch', [
    ['SW-2530-24', 'Layer 2 access switch', switching('24x1G', '4x1G SFP', 56, 0, 1), '2022-06-30', '2027-06-30'],
    [
      'SW-2530-48P',
      'Layer 2 access switch with PoE',
      switching('48x1G', '4x1G SFP', 104, 382, 1),
      '2022-06-30',
      '2027-06-30',
    ],
    ['SW-6100-12P', 'Desk switch with PoE, no fan', switching('12x1G', '2x10G SFP+', 68, 139, 1)],
    ['SW-6100-24P', 'Access switch with PoE', switching('24x1G', '4x10G SFP+', 128, 370, 1)],
    ['SW-6100-48P', 'Access switch with PoE', switching('48x1G', '4x10G SFP+', 176, 740, 1)],
    ['SW-6200-24P', 'Stackable access switch with PoE', switching('24x1G', '4x10G SFP+', 128, 370, 8)],
    ['SW-6200-48P', 'Stackable access switch with PoE', switching('48x1G', '4x10G SFP+', 176, 740, 8)],
    [
      'SW-6300-24M',
      'Stackable access switch with multi-gigabit ports and 60 W PoE',
      switching('24x5G', '4x50G SFP56', 880, 1_440, 10),
    ],
    ['SW-6300-48P', 'Stackable access switch with PoE', switching('48x1G', '4x50G SFP56', 880, 1_440, 10)],
    ['SW-6400-6', 'Chassis for six line cards', { slots: 6, switching_gbps: 14_000, poe_budget_w: 7_200 }],
  ]),
  ...family('mgmt', 'core-switch', [
    ['SW-8320-32', 'Core switch with 40G ports', switching('32x40G', '', 2_560, 0, 2), '2023-06-30', '2028-06-30'],
    ['SW-8325-48', 'Core switch with 25G and 100G ports', switching('48x25G', '8x100G QSFP28', 6_400, 0, 2)],
    ['SW-8360-32', 'Core switch with MACsec on every port', switching('32x10G', '4x100G QSFP28', 1_280, 0, 2)],
    ['SW-9300-32', 'Core switch with 400G ports', switching('32x400G', '', 25_600, 0, 2)],
  ]),
  ...family('mgmt', 'gateway', [
    ['GW-7005', 'Branch gateway', { ...routing(2, 1.2, 512, '4x1G'), max_aps: 16 }, '2023-09-30', '2028-09-30'],
    ['GW-7210', 'Campus gateway', { ...routing(20, 6, 4_096, '4x10G'), max_aps: 512 }, '2024-03-31', '2029-03-31'],
    ['GW-9004', 'Branch gateway', { ...routing(4, 2, 1_000, '4x1G'), max_aps: 32 }],
    ['GW-9012', 'Branch gateway with PoE', { ...routing(6, 3, 1_000, '12x1G'), max_aps: 64, poe_budget_w: 150 }],
    ['GW-9240', 'Campus gateway', { ...routing(20, 10, 8_000, '4x25G SFP28'), max_aps: 2_048 }],
  ]),
  ...family('sdwan', 'wan-edge', [
    ['EDGE-XS', 'WAN edge for home offices', routing(0.5, 0.25, 50, '4x1G')],
    ['EDGE-S', 'WAN edge for branches', routing(2, 1, 250, '6x1G')],
    ['EDGE-M', 'WAN edge for large branches', routing(5, 2.5, 1_000, '6x1G 2x10G SFP+')],
    ['EDGE-L', 'WAN edge for data centres', routing(20, 10, 5_000, '4x10G SFP+ 2x25G SFP28')],
    ['EDGE-V', 'WAN edge as a virtual machine', { ...routing(5, 2, 1_000, ''), vcpus: 8 }],
    [
      'EDGE-R',
      'WAN edge for cabinets, no fan',
      { ...routing(1, 0.5, 100, '4x1G'), temperature_c: '-40 to 70' },
      '2024-06-30',
      '2029-06-30',
    ],
  ]),
  ...family('fabric', 'leaf-switch', [
    ['LF-4825', 'Leaf switch', switching('48x25G', '8x100G QSFP28', 4_000, 0, 1)],
    ['LF-4810', 'Leaf switch', switching('48x10G', '6x100G QSFP28', 2_160, 0, 1), '2023-12-31', '2028-12-31'],
    ['LF-3210T', 'Leaf switch with copper ports', switching('32x10GBASE-T', '4x100G QSFP28', 1_440, 0, 1)],
    ['LF-2400', 'Leaf switch', switching('24x100G', '8x400G QSFP-DD', 11_200, 0, 1)],
  ]),
  ...family('fabric', 'spine-switch', [
    ['SP-3200', 'Spine switch', switching('32x100G', '', 6_400, 0, 1)],
    ['SP-6400', 'Spine switch', switching('64x100G', '', 12_800, 0, 1)],
    ['SP-3240', 'Spine switch', switching('32x400G', '', 25_600, 0, 1)],
  ]),
  ...family('sensors', 'sensor', [
    [
      'SN-5',
      'Experience sensor, 802.11ac',
      { wifi: '802.11ac', ethernet_gbps: 1, poe_w: 8 },
      '2022-12-31',
      '2026-12-31',
    ],
    ['SN-6', 'Experience sensor with 6 GHz', { wifi: '802.11ax 6E', ethernet_gbps: 1, poe_w: 12 }],
    [
      'SN-6C',
      'Experience sensor with a cellular modem',
      { wifi: '802.11ax 6E', ethernet_gbps: 1, poe_w: 15, cellular: 'LTE' },
    ],
  ]),
  ...family('nac', 'nac', [
    [
      'NP-1',
      'Access policy server for branches',
      { max_endpoints: 1_000, authentications_per_second: 100 },
      '2023-12-31',
      '2028-12-31',
    ],
    ['NP-3', 'Access policy server', { max_endpoints: 25_000, authentications_per_second: 750 }],
    [
      'NP-V',
      'Access policy server as a virtual machine',
      { max_endpoints: 50_000, authentications_per_second: 1_200, vcpus: 12 },
    ],
  ]),
];

const key = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const BY_KEY = new Map(MODELS.map((known) => [key(known.model), known]));

/** By its name, however it is spelled: AP-515, ap515 and "AP 515" are one. */
export function modelNamed(name: string): HardwareModel | undefined {
  return BY_KEY.get(key(name));
}

/** Models whose names begin like this one, the longest way first. */
export function modelsLike(name: string): HardwareModel[] {
  const wanted = key(name);
  const shared = (other: string) => [...other].findIndex((character, i) => character !== wanted[i]);
  const lengths = MODELS.map((model) => ({ model, shared: shared(`${key(model.model)}\0`) }));
  return lengths
    .filter(({ shared: length }) => length >= 3)
    .sort((a, b) => b.shared - a.shared)
    .map(({ model }) => model);
}

/** A query that is the name of a model and not words about one, although no model has it or begins with it. */
export const isUnknownModel = (query: string): boolean =>
  MODEL_LIKE.test(query.trim()) && !MODELS.some(({ model }) => key(model).startsWith(key(query)));

/** `SX-800-48`, `AP515`: one word of letters before digits, as the names are; `802.11ax` and `48x1G` are none. */
const MODEL_LIKE = /^[a-z]{1,3}-?\d[\w.-]*$/i;

/** Models of which the words say something, best first; no words, all of them. */
export function searchModels(query: string, vendor: string | undefined): HardwareModel[] {
  const known = vendor === undefined ? MODELS : MODELS.filter((model) => model.vendor === vendor);
  const exact = modelNamed(query);
  if (exact) return known.includes(exact) ? [exact] : [];
  const words = query.toLowerCase().match(/[a-z0-9.]+/g) ?? [];
  return known
    .map((model) => ({ model, score: scoreOf(model, words) }))
    .filter(({ score }) => score > 0 || words.length === 0)
    .sort((a, b) => b.score - a.score || (a.model.model < b.model.model ? -1 : 1))
    .map(({ model }) => model);
}

function scoreOf(model: HardwareModel, words: readonly string[]): number {
  const name = key(model.model);
  const text = [model.summary, model.role, model.vendor, ...Object.entries(model.specs).flat()].join(' ').toLowerCase();
  const own = new Set(text.match(/[a-z0-9.]+/g));
  return words
    .map((word) => {
      const singular = word.replace(/(?<=[a-z]{3})(ches|s)$/, (end) => (end === 'ches' ? 'ch' : ''));
      return (name.includes(key(word)) && key(word).length > 1 ? 3 : 0) + (own.has(word) || own.has(singular) ? 1 : 0);
    })
    .reduce((sum, score) => sum + score, 0);
}
