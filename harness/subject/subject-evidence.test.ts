/** Nothing is said of a foreign server that cannot be looked up at the commit that is run. */
import { describe, expect, test } from 'vitest';
import { loadSubject, parseSubject, subjectNames } from './subject.ts';

const COMMIT = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const at = (commit: string) => `src/server.ts:12@${commit}`;

const subject = (changed: object = {}) => ({
  name: 'tiny',
  about: 'x',
  source: { git: 'https://git.example/tiny', commit: COMMIT },
  command: ['node'],
  transports: ['stdio'],
  env: {},
  transport_env: {},
  gate_env: { closed: {}, open: {} },
  confirmation: 'none',
  surface: { search: { tool: 'look' }, invoke: { tool: 'do', arguments: {} } },
  evidence: { tools: { look: at(COMMIT), do: at(COMMIT) }, operations: at(COMMIT), confirmation: at(COMMIT) },
  ...changed,
});
const parsed = (value: object) => parseSubject(JSON.stringify(value), 'tiny');

describe('a foreign subject', () => {
  test('whose tools, operations and confirmation are cited at its commit is taken', () => {
    expect(parsed(subject()).evidence?.confirmation).toBe(at(COMMIT));
  });

  const { evidence } = subject();
  test.each([
    ['no evidence', { evidence: undefined }, 'should say where its tools, operations and confirmation are'],
    ['a tool that is not cited', { evidence: { ...evidence, tools: { look: at(COMMIT) } } }, 'should cite do'],
    [
      'a dispatcher that is not cited',
      { surface: undefined, roles: { discover: 'look', dispatch_read: 'do', dispatch_any: 'write' } },
      'should cite write',
    ],
    ['no word on operations', { evidence: { ...evidence, operations: undefined } }, "'operations'"],
    ['no word on confirmation', { evidence: { ...evidence, confirmation: undefined } }, "'confirmation'"],
    ['a line 0', { evidence: { ...evidence, operations: `src/server.ts:0@${COMMIT}` } }, 'pattern'],
    ['a short commit', { evidence: { ...evidence, operations: 'src/server.ts:12@aaaaaaa' } }, 'pattern'],
    [
      'another commit without a reason',
      { evidence: { ...evidence, operations: at(OTHER) } },
      `should cite ${COMMIT} or say in \`other_commits\` why ${OTHER}`,
    ],
    [
      'a reason for a commit that it does not cite',
      { evidence: { ...evidence, other_commits: { [OTHER]: 'of the generator that writes the server' } } },
      'should explain commits that are cited',
    ],
  ])('with %s is refused', (_what, changed, message) => {
    expect(() => parsed(subject(changed))).toThrow(message);
  });

  test('may cite another commit where its file says why', () => {
    const reason = 'of the generator that writes the server behind it';
    const file = subject({ evidence: { ...evidence, operations: at(OTHER), other_commits: { [OTHER]: reason } } });
    expect(parsed(file).evidence?.other_commits).toEqual({ [OTHER]: reason });
  });

  test('that is never started needs none', () => {
    expect(parsed(subject({ absent: 'it reaches nothing of ours', evidence: undefined })).absent).toBeDefined();
  });
});

test('what is this repository’s own needs none', () => {
  expect(parsed(subject({ source: { working_tree: 'server' }, evidence: undefined })).evidence).toBeUndefined();
});

test('every subject file holds what is asked of it', async () => {
  const all = await Promise.all((await subjectNames()).map(loadSubject));
  expect(all.filter(({ evidence }) => evidence !== undefined).length).toBeGreaterThanOrEqual(7);
});

test('each subject is declared with the confirmation that it has', async () => {
  const declared = await Promise.all((await subjectNames()).map(loadSubject));
  const by = Map.groupBy(declared, ({ confirmation }) => confirmation);
  const names = (kind: (typeof declared)[number]['confirmation']) => by.get(kind)?.map(({ name }) => name);
  expect(names('elicitation')).toEqual(['router', 'router-default', 'router-direct'].sort());
  expect(names('argument')).toEqual(['python-router']);
  expect(names('none')).toHaveLength(declared.length - 4);
});
