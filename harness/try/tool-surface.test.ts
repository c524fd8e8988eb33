/** Each rule about a tool list finds the list that breaks it, and nothing in one that breaks none. */
import { expect, test } from 'vitest';
import { clientMatrix } from './client-matrix.ts';
import type { ListedTool } from './server-connection.ts';
import { SURFACE_RULES, type SurfaceRule, toolSurface } from './tool-surface.ts';

const good: ListedTool = {
  name: 'get_pet',
  description: 'Reads one pet by its number.',
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  annotations: { readOnlyHint: true },
};
const withInput = (inputSchema: unknown): ListedTool => ({ ...good, inputSchema });
const property = (schema: object) => withInput({ type: 'object', properties: { a: schema } });
const deep = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(depth - 1) } };

const BROKEN: Record<SurfaceRule, ListedTool[]> = {
  name: [{ ...good, name: 'get pet' }],
  duplicate: [good, good],
  undescribed: [{ ...good, description: 'Pet' }],
  root: [withInput({ anyOf: [{ type: 'object' }] })],
  reference: [property({ $ref: '#/$defs/x' })],
  union: [property({ oneOf: [{ type: 'string' }, { type: 'integer' }] })],
  property: [withInput({ type: 'object', properties: { 'a b': {} } })],
  array: [property({ type: 'array' })],
  depth: [withInput(deep(9))],
  unannotated: [{ ...good, annotations: {} }],
};

test('a list that breaks no rule has no finding and works everywhere', () => {
  const surface = toolSurface([good]);
  expect(surface).toMatchObject({ tools: 1, findings: [], largest: { tool: 'get_pet' } });
  expect(clientMatrix(surface).filter(({ works }) => !works)).toEqual([]);
});

test.each(Object.keys(SURFACE_RULES) as SurfaceRule[])('%s', (rule) => {
  expect(toolSurface(BROKEN[rule]).findings.map((finding) => finding.rule)).toEqual([rule]);
});

test('clients with a limit may not take a long list', () => {
  const many = toolSurface(Array.from({ length: 200 }, (_, i) => ({ ...good, name: `tool_${i}` })));
  expect(clientMatrix(many).map(({ works }) => works)).toEqual([true, false, false, true, false]);
});
