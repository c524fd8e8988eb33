/** Where the oracle finds a fact in what a server answered. */
import { expect, test } from 'vitest';
import type { AgentRoles, AgentStep, FactSource } from '../mcp/agent.ts';
import type { McpClient } from '../mcp/agent-client.ts';
import { readFacts } from './step-facts.ts';

const ROLES: AgentRoles = { discover: 'find', dispatch_read: 'read', dispatch_any: 'any' };
const read = async (json: unknown, source: FactSource) => {
  const step = { call: 'GET /pets/{id}', facts: { fact: source } } as AgentStep;
  return (await readFacts(step, { isError: false, texts: [], json }, ROLES, {} as McpClient))['fact'];
};

test('a fact stands at its path, also in the one object of an envelope', async () => {
  expect(await read({ name: 'Rex' }, 'name')).toBe('Rex');
  expect(await read({ name: null, owner: { name: 'Ann' } }, 'name')).toBeNull();
  const envelope = {
    success: true,
    error: null,
    result: { kind: 'pet', payload: { name: 'Rex', owner: { phone: 7 } } },
  };
  expect(await read(envelope, 'name')).toBe('Rex');
  expect(await read(envelope, 'owner.phone')).toBe(7);
  expect(await read({ result: { pets: ['a', 'b'] } }, { count: 'pets' })).toBe(2);
});

test('a fact is not taken from one of several objects, nor from a row', async () => {
  for (const json of [{ owner: { name: 'Ann' }, place: { city: 'X' } }, { rows: [{ name: 'Rex' }] }]) {
    await expect(read(json, 'name')).rejects.toThrow('GET /pets/{id}: a value should stand at name, got none');
  }
});
