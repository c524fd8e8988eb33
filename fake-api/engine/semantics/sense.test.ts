/** Every sense rule is about something that the shipped platforms have, and repairs what it finds broken. */
import { beforeAll, describe, expect, it } from 'vitest';
import { listPlatforms } from '../../expand/model/platforms-folder.ts';
import { platformDocuments } from '../../expand/platform-documents.ts';
import { type OpenApiDocument, type Schema, typesOf } from '../openapi/openapi-document.ts';
import { contradictionsIn } from './contradictions.ts';
import { wordsOf } from './field-name-words.ts';
import { hasTextType } from './semantic-text.ts';
import { claimsOf, repaired, SENSE_RULES } from './sense.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const DOCUMENT: OpenApiDocument = { openapi: '3.1.0', info: { title: 'sense', version: '1' }, paths: {} } as never;

/** Rules that make a claim about a schema of a shipped document. */
const matched = new Map<string, number>();

beforeAll(async () => {
  for (const documents of (await platformDocuments(await listPlatforms())).values())
    for (const document of documents.values() as Iterable<never>) {
      const { components } = document as { components?: { schemas?: Record<string, Schema> } };
      for (const schema of Object.values(components?.schemas ?? {}))
        for (const { rule } of claimsOf(document, schema)) matched.set(rule.id, (matched.get(rule.id) ?? 0) + 1);
    }
});

it('has at least forty rules of different names', () => {
  expect(new Set(SENSE_RULES.map(({ id }) => id)).size).toBe(SENSE_RULES.length);
  expect(SENSE_RULES.length).toBeGreaterThanOrEqual(40);
});

it.each(SENSE_RULES.map(({ id }) => id))('%s is about a schema of a shipped platform', (id) => {
  expect(matched.get(id) ?? 0).toBeGreaterThan(0);
});

it('leaves at most 15 % of all texts without enum, format, pattern, reference or a type that their name says', async () => {
  const texts = new Map<string, Schema>();
  for (const [id, documents] of await platformDocuments(await listPlatforms()))
    for (const [name, document] of documents as unknown as Map<string, OpenApiDocument>)
      collectTexts(document.components?.schemas ?? {}, `${id}/${name}`, texts);
  const untyped = [...texts].filter(([place, schema]) => {
    const known =
      schema.enum ?? schema.const ?? schema.format ?? schema.pattern ?? schema['x-svc-type'] ?? schema['x-svc-ref'];
    return known === undefined && schema.writeOnly !== true && !hasTextType(wordsOf(place.split('/').at(-1) ?? ''));
  });
  expect(texts.size).toBeGreaterThan(20_000);
  expect(untyped.length / texts.size).toBeLessThanOrEqual(0.15);
});

/** Every text property of the schemas, by its place, whose last step is its name. */
function collectTexts(schemas: Readonly<Record<string, Schema>>, place: string, texts: Map<string, Schema>): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const at = `${place}/${name}`;
    if (typesOf(schema).includes('string')) texts.set(at, schema);
    if (schema.items !== undefined) collectTexts({ [name]: schema.items }, `${at}/items`, texts);
    collectTexts(schema.properties ?? {}, at, texts);
    for (const [index, part] of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].entries())
      collectTexts({ [name]: part }, `${at}/${index}`, texts);
  }
}

describe('words of a field name', () => {
  it.each([
    ['radiusServerName', 'radius server name'],
    ['radius-server-name', 'radius server name'],
    ['num_devices_connected', 'num devices connected'],
    ['IPv6Address', 'ipv 6 address'],
    ['p95Ms', 'p 95 ms'],
  ])('%s', (name, words) => {
    expect(wordsOf(name).join(' ')).toBe(words);
  });
});

const moment: Schema = { type: ['string', 'null'], format: 'date-time' };
const count: Schema = { type: 'integer', minimum: 0, maximum: 1000 };
const address: Schema = { type: 'string', 'x-svc-type': 'ip' };

/** Rule, properties, an object that breaks it, and fields that may change. */
const CASES: [string, Record<string, Schema>, Record<string, unknown>, string[]][] = [
  [
    'start-before-end',
    { start: moment, end: moment },
    { start: '2026-03-02T08:00:00Z', end: '2026-03-01T08:00:00Z' },
    ['end'],
  ],
  [
    'created-before-updated',
    { createdAt: moment, updatedAt: moment },
    { createdAt: '2026-03-02T08:00:00Z', updatedAt: '2026-03-01T08:00:00Z' },
    ['createdAt', 'updatedAt'],
  ],
  ['past-is-past', { raisedAt: moment }, { raisedAt: '2027-01-01T00:00:00Z' }, ['raisedAt']],
  ['next-is-future', { nextRunAt: moment }, { nextRunAt: '2025-01-01T00:00:00Z' }, ['nextRunAt']],
  [
    'open-not-cleared',
    { status: { enum: ['OPEN', 'CLEARED'] }, clearedAt: moment },
    { status: 'OPEN', clearedAt: '2026-03-01T00:00:00Z' },
    ['clearedAt'],
  ],
  [
    'cleared-has-time',
    { status: { enum: ['OPEN', 'CLEARED'] }, clearedAt: moment },
    { status: 'CLEARED', clearedAt: null },
    ['clearedAt'],
  ],
  [
    'validity-agrees-with-state',
    { status: { enum: ['valid', 'expired'] }, valid_to: moment },
    { status: 'valid', valid_to: '2025-01-01T00:00:00Z' },
    ['status'],
  ],
  ['min-max', { minRate: count, maxRate: count }, { minRate: 9, maxRate: 4 }, ['maxRate']],
  ['part-of-whole', { usedPorts: count, totalPorts: count }, { usedPorts: 60, totalPorts: 48 }, ['usedPorts']],
  ['used-and-free', { used: count, free: count, total: count }, { used: 3, free: 3, total: 10 }, ['free']],
  [
    'subset-of-count',
    { num_devices: count, num_devices_connected: count },
    { num_devices: 3, num_devices_connected: 5 },
    ['num_devices_connected'],
  ],
  ['percent', { usedPercent: { type: 'number' } }, { usedPercent: 992 }, ['usedPercent']],
  [
    'count-of-list',
    { memberCount: count, members: { type: 'array' } },
    { memberCount: 4, members: ['a'] },
    ['memberCount'],
  ],
  [
    'gateway-in-subnet',
    { gateway: address, subnet: { type: 'string', 'x-svc-type': 'cidr' } },
    { gateway: '10.9.0.1', subnet: '10.10.20.0/24' },
    ['gateway'],
  ],
  ['ipv6-is-ipv6', { ipv6Address: address }, { ipv6Address: '10.52.30.4' }, ['ipv6Address']],
  [
    'channel-of-band',
    { band: { enum: ['2.4GHz', '5GHz'], type: 'string' }, channel: count },
    { band: '5GHz', channel: 6 },
    ['channel'],
  ],
  [
    'down-has-no-clients',
    { status: { enum: ['UP', 'DOWN'] }, clientCount: count },
    { status: 'DOWN', clientCount: 64 },
    ['clientCount'],
  ],
  [
    'port-of-protocol',
    { protocol: { type: 'string', enum: ['HTTPS', 'SSH'] }, port: { type: 'integer', minimum: 1, maximum: 65_535 } },
    { protocol: 'SSH', port: 514 },
    ['port'],
  ],
  [
    'name-of-mail',
    { name: { type: 'string' }, email: { type: 'string', format: 'email' } },
    { name: 'Rory Kelly', email: 'quinn.adeyemi@campus.example' },
    ['name'],
  ],
  [
    'unit-of-metric',
    { metric: { type: 'string' }, unit: { type: 'string', enum: ['COUNT', 'MILLISECONDS', 'WATTS'] } },
    { metric: 'latency.p95', unit: 'WATTS' },
    ['unit'],
  ],
  [
    'threshold-of-metric',
    { metric: { type: 'string', enum: ['LOSS', 'SCORE'] }, threshold: count },
    { metric: 'SCORE', threshold: 4 },
    ['threshold'],
  ],
  ['used-of-what-there-is', { seats: count, seatsUsed: count }, { seats: 20, seatsUsed: 73 }, ['seatsUsed']],
  [
    'login-of-network',
    { ssid: { type: 'string' }, security: { type: 'string', enum: ['OPEN', 'WPA3_ENTERPRISE'] } },
    { ssid: 'Campus-Guest', security: 'WPA3_ENTERPRISE' },
    ['security'],
  ],
  [
    'width-of-band',
    { band: { type: 'string', enum: ['2.4GHz', '5GHz'] }, width: { type: 'string', enum: ['20MHz', '320MHz'] } },
    { band: '2.4GHz', width: '320MHz' },
    ['width'],
  ],
  [
    'reason-of-failure-alone',
    { status: { type: 'string', enum: ['READY', 'FAILED'] }, failureReason: { type: ['string', 'null'] } },
    { status: 'READY', failureReason: 'power was lost' },
    ['failureReason'],
  ],
  [
    'work-began-lately',
    { status: { type: 'string', enum: ['RUNNING', 'COMPLETED'] }, startedAt: moment },
    { status: 'RUNNING', startedAt: '2026-02-01T00:00:00Z' },
    ['startedAt'],
  ],
  [
    'online-is-seen',
    { status: { type: 'string', enum: ['ONLINE', 'OFFLINE'] }, lastSeenAt: moment },
    { status: 'ONLINE', lastSeenAt: '2026-02-16T00:00:00Z' },
    ['lastSeenAt'],
  ],
  [
    'next-run-of-schedule',
    { schedule: { type: 'string' }, nextRunAt: moment },
    { schedule: '0 1 * * 0', nextRunAt: '2026-03-03T20:24:00Z' },
    ['nextRunAt'],
  ],
  ['address-of-vlan', { vlan: count, ip: address }, { vlan: 30, ip: '10.10.20.5' }, ['ip']],
  [
    'action-of-rule-name',
    { name: { type: 'string' }, action: { type: 'string', enum: ['allow', 'block'] } },
    { name: 'block-peer-to-peer', action: 'allow' },
    ['action'],
  ],
  ['worst-below-score', { score: count, worst: count }, { score: 78, worst: 80 }, ['worst']],
  [
    'connected-was-heard',
    { status: { enum: ['ONLINE', 'OFFLINE'] }, lastSeenAt: moment },
    { status: 'ONLINE', lastSeenAt: null },
    ['lastSeenAt'],
  ],
  [
    'down-port-is-quiet',
    { up: { type: 'boolean' }, mac_count: count, stp_state: { enum: ['forwarding', 'blocking', 'disabled'] } },
    { up: false, mac_count: 31, stp_state: 'forwarding' },
    ['mac_count', 'stp_state'],
  ],
  [
    'counts-by-key',
    { total: count, by_ssid: { type: 'object', additionalProperties: count } },
    { total: 5, by_ssid: { staff: 17 } },
    ['by_ssid'],
  ],
  [
    'entered-before-left',
    { enter: moment, leave: moment },
    { enter: '2026-03-02T08:00:00Z', leave: '2026-03-01T08:00:00Z' },
    ['leave'],
  ],
  [
    'allowed-not-denied',
    { dst_allow_tags: { type: 'array', items: {} }, dst_deny_tags: { type: 'array', items: {} } },
    { dst_allow_tags: ['a', 'b'], dst_deny_tags: ['b', 'c'] },
    ['dst_deny_tags'],
  ],
  ['both-directions', { rx_bytes: count, tx_bytes: count }, { rx_bytes: 2, tx_bytes: 900 }, ['rx_bytes']],
  [
    'score-of-a-line',
    { mos: { type: 'number', minimum: 1, maximum: 5 }, loss: { type: 'number' }, latency: count },
    { mos: 4.3, loss: 3.1, latency: 91 },
    ['mos'],
  ],
  ['pool-in-one-network', { start: address, end: address }, { start: '10.10.53.24', end: '10.30.42.157' }, ['end']],
];

describe('a broken object', () => {
  it.each(CASES)('%s', (id, properties, values, free) => {
    const schema: Schema = { type: 'object', properties };
    const own = claimsOf(DOCUMENT, schema).filter(({ rule }) => rule.id === id);
    expect(own.filter((claim) => claim.broken(values, NOW))).not.toEqual([]);
    const whole = repaired(DOCUMENT, schema, values, new Set(free), NOW);
    expect(own.filter((claim) => claim.broken(whole, NOW))).toEqual([]);
    for (const name of Object.keys(values)) if (!free.includes(name)) expect(whole[name]).toEqual(values[name]);
  });

  it('that only breaks a habit is not refused', () => {
    const properties = { seats: count, seatsUsed: count };
    const found = contradictionsIn(
      DOCUMENT,
      { type: 'object', properties },
      { seats: 20, seatsUsed: 73 },
      { nowMs: NOW },
    );
    expect(found).toEqual([]);
  });

  it('of which nothing may change stays as it is', () => {
    const schema: Schema = { type: 'object', properties: { minRate: count, maxRate: count } };
    expect(repaired(DOCUMENT, schema, { minRate: 9, maxRate: 4 }, new Set(), NOW)).toEqual({ minRate: 9, maxRate: 4 });
  });
});
