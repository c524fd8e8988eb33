/** Exports drawn by seed: well-formed ones with references and secrets, and ones that something has damaged. */
import { SECTIONS } from '../../migration/object-family.ts';

/** A whole number from 0 up to, not including, the limit. */
export type Draw = (limit: number) => number;

type Fields = Record<string, unknown>;

const OPMODES = [
  'opensystem',
  'wpa2-psk-aes',
  'wpa3-sae-aes',
  'enhanced-open',
  'wpa2-aes',
  'wpa3-aes-ccm-128',
  'static-wep',
  'wpa-psk-tkip',
];
const FLAGS = [true, false, 0, 1, 'yes', 'no', { flag: true }, { a: { b: { c: { d: 'off' } } } }, {}, [], 'maybe'];

export interface Drawn {
  value: Fields;
  /** Every secret it holds. */
  secrets: string[];
}

/** Draws values and parts of an export; every secret that it makes is added to those that are known. */
function drawing(draw: Draw, size: number, secrets: string[]) {
  const of = <T>(values: readonly T[]): T => values[draw(values.length)] as T;
  const secret = () => {
    const text = `sEcReT-${Array.from({ length: 20 }, () => draw(36).toString(36)).join('')}`;
    secrets.push(text);
    return text;
  };
  const name = (kind: string) => `${kind}-${draw(size + 1)}`;
  const list = (make: (index: number) => Fields): Fields[] => Array.from({ length: size }, (_, i) => make(i));
  const maybe = (fields: Fields): Fields => (draw(2) === 0 ? fields : {});
  const server = (key: string) => (i: number) => ({
    [key]: `server-${i}`,
    host: `10.0.0.${i}`,
    key: secret(),
    ...maybe({ enable_radsec: of(FLAGS) }),
    ...maybe({ authport: 1812 + i }),
  });
  return { of, secret, name, list, maybe, server };
}

/** So many objects of every family; their references lead to each other, or sometimes nowhere. */
export function drawExport(draw: Draw, size = 4): Drawn {
  const secrets: string[] = [];
  const { of, secret, name, list, maybe, server } = drawing(draw, size, secrets);
  const value = {
    config_path: '/md/site',
    vlans: list((i) => ({ id: i + 1, descr: `vlan ${i}`, ...maybe({ odd: i }) })),
    wlans: {
      ssid_profiles: list((i) => ({
        profile_name: `ssid-${i}`,
        essid: { essid: `net-${i}` },
        opmode: of(OPMODES),
        opmode_transition: of(FLAGS),
        hide_ssid: of(FLAGS),
        ...maybe({ wpa_passphrase: secret() }),
        ...maybe({ wpa_hexkey: { value: secret() } }),
        ...maybe({ wep_keys: [{ index: 1, key: secret() }] }),
      })),
      virtual_aps: list((i) => ({
        profile_name: `vap-${i}`,
        ssid_prof: name('ssid'),
        vlan: of(['1', '2,3', '1-3', 'pool', `${size + 5}`]),
        forward_mode: of(['bridge', 'tunnel', 'split-tunnel']),
        ...maybe({ aaa_prof: name('aaa') }),
      })),
    },
    ap_groups: list((i) => ({ profile_name: `group-${i}`, virtual_ap: [name('vap'), name('vap')] })),
    roles: list((i) => ({
      rname: `role-${i}`,
      role__acl: [{ pname: of(['allowall', 'sys_allow_all', name('policy')]), position: 1 }],
      ...maybe({ vlan: '1' }),
    })),
    policies: list((i) => ({ accname: `policy-${i}`, acl_sess__v4policy: [{ src: 'any', action: 'permit' }] })),
    controllers: list((i) => ({ ip: `10.9.0.${i}`, name: `controller-${i}` })),
    aaa: {
      aaa_profiles: list((i) => ({
        profile_name: `aaa-${i}`,
        default_user_role: name('role'),
        ...maybe({ dot1x_auth_profile: name('dot1x') }),
        ...maybe({ mac_auth_profile: name('mac') }),
        ...maybe({ dot1x_server_group: name('servers') }),
        ...maybe({ rad_acct_sg: name('servers') }),
      })),
      dot1x_auth_profiles: list((i) => ({ profile_name: `dot1x-${i}`, ...maybe({ max_requests: i }) })),
      mac_auth_profiles: list((i) => ({ profile_name: `mac-${i}`, ...maybe({ delimiter: 'colon' }) })),
      server_groups: list((i) => ({
        sg_name: `servers-${i}`,
        auth_server: [
          { name: name('server'), position: 2 },
          { name: name('server'), position: 1 },
        ],
        ...maybe({ set_role: [{ attribute: 'Filter-Id', operator: 'value-of' }] }),
      })),
      radius_servers: list(server('rad_server_name')),
      ldap_servers: [{ ldap_server_name: 'server-0', host: 'h', admin_dn: 'cn=reader', admin_passwd: secret() }],
      tacacs_servers: [{ tacacs_server_name: name('server'), host: 'h', key: secret() }],
    },
    routing: {
      ipv4_routes: [{ destip: '0.0.0.0', destmask: '0.0.0.0', nexthop: '10.0.0.1', cost: 1 }],
      vrrp: list((i) => ({ id: i + 1, ip_address: '10.0.0.9', authentication: secret() })),
    },
    netdst: list((i) => ({ dstname: `net-${i}` })),
    whitelist_rule: list((i) => ({ mac: `02:00:00:00:00:0${i}` })),
  };
  return { value, secrets };
}

/** The same export with the items of its sections in another order, its keys too, and some of them spelled otherwise. */
export function shuffled(value: unknown, draw: Draw, pointer = ''): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((each) => shuffled(each, draw, `${pointer}/-`));
    // Only sections are sets: the order of a list inside an item may mean something.
    return isSection(pointer) ? mixed(inner, draw) : inner;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(
    ([name, inner]) =>
      [draw(2) === 0 ? name : name.replaceAll('_', '-'), shuffled(inner, draw, `${pointer}/${name}`)] as const,
  );
  return Object.fromEntries(mixed(fields, draw));
}

const isSection = (pointer: string) => Object.values(SECTIONS).some((section) => section.pointer === pointer);

function mixed<T>(values: readonly T[], draw: Draw): T[] {
  const copy = [...values];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = draw(at + 1);
    [copy[at], copy[other]] = [copy[other] as T, copy[at] as T];
  }
  return copy;
}

const RUBBISH: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  '',
  'text',
  '\uD800',
  '__proto__',
  true,
  [],
  [[[]]],
  {},
  { '': { '': {} } },
  { __proto__: null, constructor: 1, toString: 2 },
  'x'.repeat(5_000),
];

/** Up to four places of the export replaced by something that does not belong there, or taken away. */
export function damaged(value: unknown, draw: Draw): unknown {
  let copy = structuredClone(value);
  for (let times = 1 + draw(4); times > 0; times--) copy = damagedOnce(copy, draw);
  return copy;
}

function damagedOnce(value: unknown, draw: Draw): unknown {
  const isInner = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  // A copy, because the next damage may go into it: shared rubbish would one day contain itself, which no JSON text can.
  if (!isInner || draw(8) === 0) return structuredClone(RUBBISH[draw(RUBBISH.length)]);
  const fields = value as Record<string, unknown>;
  const names = Object.keys(fields);
  const name = names[draw(names.length)] as string;
  if (draw(10) === 0 && !Array.isArray(value)) {
    const { [name]: taken, ...rest } = fields;
    return draw(2) === 0 ? rest : { ...rest, [`${name}${draw(9)}`]: taken };
  }
  fields[name] = damagedOnce(fields[name], draw);
  return value;
}
