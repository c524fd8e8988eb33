/** Our own icons, one per role: strokes on a 48 × 48 grid, so that a picture needs no file and no network. */
export interface Icon {
  id: string;
  title: string;
  /** SVG elements inside a 48 × 48 view box, drawn with the stroke of whoever shows them. */
  drawing: string;
}

const icon = (id: string, title: string, drawing: string): Icon => ({ id, title, drawing });
const box = '<rect x="5" y="14" width="38" height="20" rx="3"/>';
const rack = '<rect x="13" y="5" width="22" height="38" rx="2"/><path d="M17 12h14M17 19h14M17 26h14"/>';
const ports = '<path d="M11 28v-5M17 28v-5M23 28v-5M29 28v-5M35 28v-5"/>';
const waves = '<path d="M17 22a10 10 0 0 1 14 0M13 17a16 16 0 0 1 22 0"/>';

export const ICONS: readonly Icon[] = [
  icon(
    'access-point',
    'Access point',
    `<rect x="11" y="28" width="26" height="10" rx="5"/>${waves}<path d="M24 28v-2"/>`,
  ),
  icon('access-switch', 'Access switch', box + ports),
  icon('client', 'Client', '<rect x="8" y="9" width="32" height="22" rx="2"/><path d="M4 38h40M18 31v7M30 31v7"/>'),
  icon('cloud', 'Cloud service', '<path d="M14 36h21a8 8 0 0 0 1-16 12 12 0 0 0-23-2 9 9 0 0 0 1 18z"/>'),
  icon('core-switch', 'Core switch', `${box}<path d="M14 20h20l-4-3M34 28H14l4 3"/>`),
  icon('distribution-switch', 'Distribution switch', `${box}<path d="M12 24h24M31 20l5 4-5 4M17 20l-5 4 5 4"/>`),
  icon('device', 'Device', '<rect x="9" y="11" width="30" height="26" rx="3"/><path d="M24 18v12M18 24h12"/>'),
  icon(
    'firewall',
    'Firewall',
    '<rect x="7" y="8" width="34" height="32"/><path d="M7 19h34M7 29h34M18 8v11M30 8v11M24 19v10M18 29v11M30 29v11"/>',
  ),
  icon('gateway', 'Gateway', `${box}<path d="M12 24h9l-4-4M21 24l-4 4M36 24h-9l4-4M27 24l4 4"/>`),
  icon('hypervisor', 'Virtual machine host', `${rack}<circle cx="24" cy="35" r="4"/>`),
  icon(
    'internet',
    'Internet',
    '<circle cx="24" cy="24" r="18"/><path d="M6 24h36M24 6c-12 11-12 25 0 36M24 6c12 11 12 25 0 36"/>',
  ),
  icon(
    'iot',
    'Connected thing',
    '<rect x="15" y="15" width="18" height="18" rx="3"/><path d="M20 15V7M28 15V7M20 41v-8M28 41v-8M15 20H7M15 28H7M41 20h-8M41 28h-8"/>',
  ),
  icon('leaf-switch', 'Leaf switch', `${box}<path d="M12 28l6-8 6 8 6-8 6 8"/>`),
  icon(
    'management',
    'Management platform',
    '<rect x="6" y="8" width="36" height="24" rx="2"/><path d="M12 26l7-8 6 5 9-10M18 40h12M24 32v8"/>',
  ),
  icon(
    'nac',
    'Access policy server',
    '<path d="M24 5l16 6v11c0 10-7 17-16 21C15 39 8 32 8 22V11z"/><path d="M17 23l5 6 9-11"/>',
  ),
  icon('phone', 'Phone', '<rect x="15" y="5" width="18" height="38" rx="3"/><path d="M21 38h6"/>'),
  icon(
    'printer',
    'Printer',
    '<path d="M14 18V7h20v11M14 33H7V18h34v15h-7"/><rect x="14" y="28" width="20" height="13"/>',
  ),
  icon(
    'router',
    'Router',
    '<circle cx="24" cy="24" r="17"/><path d="M24 20V11l-4 4M24 11l4 4M24 28v9l-4-4M24 37l4-4M20 24h-9M15 20l-4 4 4 4M28 24h9M33 20l4 4-4 4"/>',
  ),
  icon(
    'sensor',
    'Experience sensor',
    '<circle cx="24" cy="24" r="5"/><path d="M14 34a14 14 0 0 1 0-20M34 14a14 14 0 0 1 0 20M9 39a21 21 0 0 1 0-30M39 9a21 21 0 0 1 0 30"/>',
  ),
  icon('server', 'Server', `${rack}<path d="M17 36h4"/>`),
  icon('site', 'Site', '<path d="M7 42V18L24 6l17 12v24zM18 42V30h12v12"/>'),
  icon('spine-switch', 'Spine switch', `${box}<path d="M14 20l10 8 10-8M14 28l10-8 10 8"/>`),
  icon(
    'sse',
    'Security service edge',
    '<path d="M13 33h22a7 7 0 0 0 1-14 11 11 0 0 0-21-2 8 8 0 0 0-2 16z"/><path d="M20 26h8v8h-8zM22 26v-3a2 2 0 0 1 4 0v3"/>',
  ),
  icon('wan-edge', 'WAN edge', `${box}<path d="M11 24c3-6 6 6 9 0s6 6 9 0 6 6 8 0"/>`),
  icon(
    'wlan-controller',
    'WLAN controller',
    `<rect x="5" y="26" width="38" height="14" rx="3"/>${waves}<path d="M11 33h4M19 33h4"/>`,
  ),
];

const BY_ID = new Map(ICONS.map((known) => [known.id, known]));

export function iconOf(id: string): Icon {
  const known = BY_ID.get(id);
  if (known === undefined) throw new Error(`no icon ${id}`);
  return known;
}

/** A whole SVG document of one icon. */
export function iconSvg({ drawing, title }: Icon, stroke = '#1f3a5f'): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48" role="img" aria-label="${title}" ` +
    `fill="none" stroke="${stroke}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`
  );
}
