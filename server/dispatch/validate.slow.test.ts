/** What the validators hold in memory, after as many tools as a day of calls may use. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import { Validators } from './validate.ts';

const schemaOf = (name: string): JsonSchema => ({
  type: 'object',
  required: ['site'],
  properties: { site: { type: 'string', description: `of ${name}` }, radio: { $ref: '#/$defs/radio' } },
  $defs: { radio: { type: 'object', properties: { channel: { enum: [1, 6, 11] } } } },
});

/** Bytes of the heap that are held. */
function held(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('holds no more after thousands of tools than after hundreds', () => {
  const validators = new Validators(schemaOf);
  const callAll = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const problems = validators.problems({ name: `tool_${n}`, secrets: [] as readonly string[] } as Tool, {});
      expect(problems).toHaveLength(1);
    }
  };
  callAll(0, 512);
  const before = held();
  callAll(512, 1_536);
  expect(held() - before).toBeLessThan(4e6);
});
