/** A topology of three places for tests: every row, every kind of link, labels that would break careless markup. */
import type { Diagram, DiagramNode } from '../../diagram/model.ts';

const place = (site: string, aps: number): DiagramNode[] => [
  {
    id: `${site}-gw`,
    role: 'gateway',
    model: 'GW-9012',
    vendor: 'mgmt',
    group: site,
    address: '10.10.0.1',
    state: 'up',
  },
  { id: `${site}-sw1`, role: 'switch', model: 'SW-6300-48P', vendor: 'mgmt', group: site, address: '10.10.0.11' },
  { id: `${site}-sw2`, role: 'switch', model: 'SW-6300-48P', vendor: 'mgmt', group: site, state: 'degraded' },
  ...Array.from(
    { length: aps },
    (_, i): DiagramNode => ({
      id: `${site}-ap${i + 1}`,
      model: 'AP-635',
      vendor: 'cloudwlan',
      group: site,
      ...(i === 1 ? { state: 'down' } : {}),
    }),
  ),
];
const cables = (site: string, aps: number) => [
  { from: `${site}-gw`, to: `${site}-sw1`, from_port: '0/0/1', to_port: '1/1/49', kind: 'aggregate' as const },
  { from: `${site}-gw`, to: `${site}-sw2`, kind: 'wired' as const },
  ...Array.from({ length: aps }, (_, i) => ({
    from: `${site}-sw${(i % 2) + 1}`,
    to: `${site}-ap${i + 1}`,
    label: '2.5G',
  })),
  { from: 'internet', to: `${site}-gw`, kind: 'tunnel' as const, label: 'IPsec', state: 'up' as const },
];

export const sampleDiagram: Diagram = {
  title: 'Harbour & Mill <installation>',
  groups: [
    { id: 'harbour', label: 'Harbour House' },
    { id: 'mill', label: 'Mill "Clinic"' },
    { id: 'depot', label: 'North Depot' },
  ],
  nodes: [
    { id: 'internet', role: 'internet', label: 'Internet' },
    { id: 'mgmt', role: 'management cloud', vendor: 'mgmt', label: '</script><img src=x onerror=alert(1)>' },
    ...place('harbour', 4),
    ...place('mill', 2),
    ...place('depot', 3),
    { id: 'radius-1', role: 'RADIUS server', vendor: 'nac', label: 'radius-1', address: '10.10.10.51' },
    { id: 'phone', role: 'handset', group: 'depot' },
  ],
  links: [
    ...cables('harbour', 4),
    ...cables('mill', 2),
    ...cables('depot', 3),
    { from: 'internet', to: 'mgmt', kind: 'logical' },
    { from: 'harbour-sw1', to: 'radius-1' },
    { from: 'depot-ap1', to: 'phone', kind: 'wireless' },
  ],
};
