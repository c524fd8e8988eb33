import { expect, test } from 'vitest';
import { findingsOf } from '../../test/expand/findings.ts';
import { exampleText, smallPlatform } from '../../test/expand/small-model.ts';
import { expandPlatform } from '../assemble-document.ts';
import { parseModel } from './model-file.ts';
import { assemblePlatform, type Platform } from './platform-folder-model.ts';
import { readSayings } from './utterances-model.ts';

const plain = smallPlatform(exampleText);
const [document] = plain.documents;
const name = document!.model.name;
const resource = 'auth-servers';

function platformSaying(text: string, about = name): Platform {
  const sayings = readSayings(about, parseModel(text, `demo/sayings/${about}.yaml`));
  const models = plain.documents.map((each) => each.model);
  return assemblePlatform(plain.model, models, new Map([['none', plain.model.definitions]]), [sayings]);
}

function saidBy(platform: Platform): Record<string, unknown> {
  const [expanded] = expandPlatform(platform);
  const items = Object.values(expanded!.document['paths'] as Record<string, Record<string, Record<string, unknown>>>);
  const operations = items.flatMap((item) => Object.values(item));
  return Object.fromEntries(
    operations
      .filter((operation) => operation['x-svc-sayings'])
      .map((operation) => [operation['x-svc-kind'], operation['x-svc-sayings']]),
  );
}

test('a resource’s sayings go to the operations of their group, others by their own name', () => {
  const text = `resources:\n  ${resource}:\n    read: [who lets people in]\n    delete: [the old box may go]\noperations:\n  startAuthServerDrain: [empty it before the works]\n`;
  const said = saidBy(platformSaying(text));
  expect(said).toMatchObject({ list: ['who lets people in'], get: ['who lets people in'] });
  expect(said).toMatchObject({ delete: ['the old box may go'], action: ['empty it before the works'] });
  expect(said).not.toHaveProperty('create');
});

test.each([
  [
    'a resource that is not there',
    'resources:\n  bells:\n    read: [ding]\n',
    'sayings/DOC.yaml:3 resources.bells.read',
  ],
  ['a group it does not have', `resources:\n  ${resource}:\n    borrow: [may I]\n`, 'expected one of the keys read'],
  ['an operation that is not there', 'operations:\n  ringBell: [ding]\n', 'DOC.yaml:2 operations.ringBell: expected'],
  ['an operation of a group', 'operations:\n  listAuthServers: [which]\n', 'got listAuthServers'],
  ['no text', `resources:\n  ${resource}:\n    read: [1]\n`, 'expected a text, got "1" (number)'],
])('%s is refused with its place', (_, text, message) => {
  expect(() => saidBy(platformSaying(text))).toThrow(message.replace('DOC', name));
});

test('a file without a document is refused', () => {
  expect(() => platformSaying('resources: {}', 'nowhere')).toThrow(
    'a file named after a document of demo, got nowhere',
  );
});

test('lints tell what is left out and what is said twice', () => {
  const text = `resources:\n  ${resource}:\n    read: [who lets people in]\n    create: ['Who lets people in?']\n`;
  const findings = findingsOf(platformSaying(text)).filter(({ rule }) => rule.startsWith('sayings'));
  expect(findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      `expected sayings of ${resource} delete, got none`,
      'expected sayings of startAuthServerDrain, got none',
      expect.stringContaining('expected words unlike those of'),
    ]),
  );
  expect(findings.some(({ message }) => message.includes(`${resource} read,`))).toBe(false);
});
