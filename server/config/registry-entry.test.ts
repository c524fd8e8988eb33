/** `server.json` is what the code makes, and holds what the registry's format of 2025-12-11 asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ajvFormats, ajv as ajvOf } from '../lazy-import.ts';
import { type PackageFacts, registryEntry } from './registry-entry.ts';

const root = join(import.meta.dirname, '..', '..');
const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageFacts;

/** The format's rules for the fields that the entry has, written down from its documentation; nothing else may stand there. */
const input = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
    description: { type: 'string', minLength: 1 },
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    format: { enum: ['string', 'number', 'boolean', 'filepath'] },
    default: { type: 'string' },
    choices: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
};
const format = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'packages'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', format: 'uri' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?$' },
    packages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        additionalProperties: false,
        properties: {
          registryType: { enum: ['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb'] },
          identifier: { type: 'string', minLength: 1 },
          version: { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } },
          runtimeHint: { type: 'string' },
          transport: { type: 'object', required: ['type'], properties: { type: { const: 'stdio' } } },
          environmentVariables: { type: 'array', items: input },
        },
      },
    },
  },
};
const validate = (() => {
  const Ajv = ajvOf().default;
  const checker = new Ajv({ allErrors: true });
  ajvFormats().default(checker as never);
  return checker.compile(format);
})();

test('server.json is equal to the text that the code writes', async () => {
  await expect(`${JSON.stringify(registryEntry(facts), null, 2)}\n`).toMatchFileSnapshot(join(root, 'server.json'));
});

test('it holds what the format asks for, of this package in its version', () => {
  const entry = JSON.parse(readFileSync(join(root, 'server.json'), 'utf8')) as Record<string, unknown>;
  expect(validate(entry), JSON.stringify(validate.errors)).toBe(true);
  expect(entry).toMatchObject({
    name: facts.mcpName,
    version: facts.version,
    packages: [{ identifier: facts.name, version: facts.version }],
  });
});

test.each<[string, (entry: ReturnType<typeof JSON.parse>) => void]>([
  ['a name without a namespace', (entry) => (entry.name = 'svc-mcp-router')],
  ['a description of 101 characters', (entry) => (entry.description = 'x'.repeat(101))],
  ['a range of versions', (entry) => (entry.version = '^0.1.0')],
  ['the version latest', (entry) => (entry.packages[0].version = 'latest')],
  ['a package without transport', (entry) => delete entry.packages[0].transport],
  ['a variable without a name', (entry) => delete entry.packages[0].environmentVariables[0].name],
])('%s is found', (_what, change) => {
  const entry = JSON.parse(JSON.stringify(registryEntry(facts)));
  change(entry);
  expect(validate(entry)).toBe(false);
});
