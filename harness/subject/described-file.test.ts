import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseMutant } from './mutant.ts';
import { parseSubject } from './subject.ts';

const text = await readFile(join(import.meta.dirname, '..', 'subjects', 'slop-mcp.yaml'), 'utf8');
const MUTANT = 'name: one\nabout: something wrong\ngate: oracle\nedits: [{file: server/a.ts, search: x, replace: y}]\n';
const [SUBJECTS, MUTANTS] = ['harness/subjects/slop-mcp.yaml: ', 'harness/controls/mutants/one.yaml: '];

describe('a file that is refused is named, with what is wrong in it', () => {
  test.each([
    ['a key that is there twice', `${text}\nname: slop-mcp\n`, 'should be YAML, got Map keys must be unique'],
    ['a syntax error', `${text}\nenv: [\n`, 'should be YAML, got '],
    ['an unknown key', `${text}\ncomand: [node]\n`, '`/comand` should be absent (no such field)'],
    ['an unknown key in a union', text.replace('source:', 'source:\n  bulid: []'), '`/source/bulid` should be absent'],
    [
      'a value that is none of a choice',
      text.replace(/transports: .*/, 'transports: [stdoi]'),
      expect.stringMatching(/`\/transports\/0` in line \d+ should be one of "http", "stdio", got "stdoi" \(string\)$/),
    ],
    [
      'a placeholder that nothing fills in',
      text.replace('tool_name: "{name}", parameters', 'tool_name: "{nmae}", parameters'),
      '`/surface/invoke/arguments/tool_name` should hold no placeholder but {name}, {method}, {path}, {arguments}, got "{nmae}" (string); did you mean "{name}"?',
    ],
    [
      'one as a shell spells it',
      text.replace('"{folder}"', "'\x24{folder}'"),
      expect.stringMatching(
        /`\/lane_prepare\/\d+` should hold .*, got "\$\{folder\}" \(string\); did you mean "\{folder\}"\?$/,
      ),
    ],
    ['no map', 'words', '`(file)` must be object'],
  ])('a subject: %s', (_what, changed, message) => {
    const said = typeof message === 'string' ? expect.stringContaining(`${SUBJECTS}${message}`) : message;
    expect(() => parseSubject(changed, 'slop-mcp')).toThrow(expect.objectContaining({ message: said }));
  });

  test.each([
    ['a key that is there twice', `${MUTANT}name: one\n`, 'should be YAML, got Map keys must be unique'],
    ['an unknown key', MUTANT.replace('search: x', 'search: x, serach: x'), '`/edits/0/serach` should be absent'],
  ])('a mutant: %s', (_what, changed, message) => {
    expect(() => parseMutant(changed, 'one')).toThrow(`${MUTANTS}${message}`);
  });
});
