/** A value that a schema takes, for calls of tools whose documents nobody here wrote. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../catalog/tool.ts';

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: true });
formats.default(ajv);

const WORDS = [
  'sample', '1', 'a', 'AA', 'AAA', 'abc123', '2026-11-23', '2026-11-23T10:00:00Z', '10:00:00Z', 'a@harbour.example', 'https://harbour.example/a',
  '0b7c7c1e-6f0f-4a53-9c0e-3f0a6d6f6b11', '10.0.0.1', '2001:db8::1', 'harbour.example', '20261123', '2026-11', '12345', '1234567890', 'P1D', 'true',
]; // biome-ignore format: words side by side
const NUMBERS = [1, 0, 10, 100, 1000, -1, 0.5, 2026, 50_000];

/** What is known first, then what the schema states, then words and numbers of many forms; `sample` where none fits. */
export function fitting(schema: JsonSchema | undefined, known: unknown, definitions: object = {}): unknown {
  const stated = schema ?? {};
  const takes = ajv.compile({ ...stated, $defs: definitions });
  return candidates(stated, known, definitions).find((value) => value !== undefined && takes(value)) ?? 'sample';
}

function candidates(schema: JsonSchema, known: unknown, definitions: object): unknown[] {
  const { const: only, default: usual, enum: list, examples, example } = schema;
  const of = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const stated = [only, usual, example, ...of(examples), ...of(list)];
  const item = schema['items'] === undefined ? [] : [[fitting(schema['items'] as JsonSchema, known, definitions)]];
  const texts = typeof known === 'number' ? [String(known)] : [Number(known)];
  const { minLength } = schema as { minLength?: number };
  const long = minLength === undefined ? [] : ['x'.repeat(minLength), '1'.repeat(minLength)];
  const { minimum } = schema as { minimum?: number };
  return [known, ...texts, ...stated, ...NUMBERS, minimum, ...WORDS, ...long, true, ...item, [], {}];
}
