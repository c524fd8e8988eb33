/** What is drawn for a field follows its name, what it stands in, and its description. */
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument, Schema } from '../openapi/openapi-document.ts';
import { synthesize } from '../openapi/synthesis.ts';
import { namesInTurn } from './names-in-turn.ts';

const DOCUMENT: OpenApiDocument = { openapi: '3.1.0', info: { title: 'values', version: '1' }, paths: {} } as never;
const NOW = Date.parse('2026-03-02T09:00:00Z');

/** Fifty objects of a resource with these properties, all of them required. */
function drawn(resource: string, properties: Record<string, Schema>): Record<string, unknown>[] {
  const schema: Schema = { type: 'object', properties, required: Object.keys(properties) };
  return Array.from({ length: 50 }, (_, at) => {
    const of = { document: DOCUMENT, origin: [7, 'demo', resource, at], nowMs: NOW, pickTarget: () => undefined };
    return synthesize(of, schema) as Record<string, unknown>;
  });
}

const whole: Schema = { type: 'integer', minimum: 0, maximum: 100_000 };
const entriesOf = (properties: Record<string, Schema>, least: number): Schema => ({
  type: 'array',
  minItems: least,
  maxItems: 5,
  items: { type: 'object', properties, required: Object.keys(properties) },
});

describe('a number', () => {
  it('is a port of the server that it belongs to', () => {
    const ports = drawn('edges', { auth_servers: entriesOf({ port: whole }, 1) }).flatMap(
      ({ auth_servers }) => auth_servers as { port: number }[],
    );
    expect(new Set(ports.map(({ port }) => port))).toEqual(new Set([1812]));
  });

  it('has the unit that its description names', () => {
    const room: Schema = { ...whole, description: 'Length of the room in metres' };
    for (const { reach } of drawn('rooms', { reach: room })) expect(reach).toBeLessThanOrEqual(60);
  });

  it('is an amount where it is told by the year, and no year', () => {
    const savings = drawn('advice', { savingPerYear: { ...whole, maximum: 1_000_000 } });
    expect(savings.filter(({ savingPerYear }) => savingPerYear === 2025 || savingPerYear === 2026)).toEqual([]);
  });

  it('is near its default where nothing else is known', () => {
    const values = drawn('profiles', { burst: { ...whole, default: 100 } }).map(({ burst }) => burst);
    expect(values.every((value) => [50, 100, 150, 200].includes(value as number))).toBe(true);
  });
});

describe('a list', () => {
  it('numbers its entries from one on and names each of them once', () => {
    for (const { rules } of drawn('policies', {
      rules: entriesOf({ name: { type: 'string' }, position: { type: 'integer', minimum: 1 } }, 2),
    })) {
      const entries = rules as { name: string; position: number }[];
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, at) => at + 1));
      expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    }
  });

  it('holds everything alone', () => {
    const scopes: Schema = { type: 'array', maxItems: 3, items: { type: 'string', enum: ['ALL', 'READ', 'WRITE'] } };
    for (const { scopes: list } of drawn('keys', { scopes }))
      if ((list as string[]).includes('ALL')) expect(list).toEqual(['ALL']);
  });
});

describe('a state', () => {
  it('is mostly a good one', () => {
    const states = drawn('tunnels', { state: { type: 'string', enum: ['DOWN', 'UNKNOWN', 'UP'] } });
    expect(states.filter(({ state }) => state === 'UP').length).toBeGreaterThan(35);
  });
});

describe('moments of one row', () => {
  it('span some minutes of work and years of a licence', () => {
    const span = {
      start_time: { type: 'string', format: 'date-time' },
      end_time: { type: 'string', format: 'date-time' },
    };
    const days = (resource: string) =>
      drawn(resource, span as Record<string, Schema>).map(
        (row) => (Date.parse(String(row['end_time'])) - Date.parse(String(row['start_time']))) / 86_400_000,
      );
    expect(Math.max(...days('calls'))).toBeLessThan(1);
    expect(Math.min(...days('licenses'))).toBeGreaterThan(60);
  });
});

describe('names in turn', () => {
  it('differ for every row and fit the kind of object', () => {
    const names = Array.from({ length: 30 }, (_, at) => namesInTurn('access-rules', at, 63)[0]);
    expect(new Set(names).size).toBe(30);
    expect(names[0]).toBe('allow-dns');
    expect(namesInTurn('syslog-servers', 0, 63)).toContain('hq-syslog-server');
  });
});
