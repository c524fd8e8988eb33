/** A parameter that has its default anyway is no other write than the one that was asked for. */
import { expect, test } from 'vitest';
import type { ApiOperation } from '../generator/api-document.ts';
import { loadGrader } from '../grading/grader.ts';
import { changedRecording } from '../test/sample-recording.ts';
import { withoutDefaults } from './stated-defaults.ts';

const { grade } = await loadGrader();

test('a default of the document in the query of a write is left out, and nothing else', () => {
  const written = changedRecording(() => undefined).ledger[0];
  const operation = {
    method: written?.method,
    path: written?.template,
    parameters: [
      { name: 'force', in: 'query', required: false, schema: { default: false } },
      { name: 'mode', in: 'query', required: false, schema: {} },
    ],
  } as unknown as ApiOperation;
  const checkOf = (query: string) => {
    const recording = changedRecording((r) => {
      r.ledger = r.ledger.map((entry) => ({ ...entry, query }));
    });
    return grade(withoutDefaults(recording, [operation])).checks['calls-made']?.status;
  };
  expect(checkOf('force=false')).toBe('pass');
  expect(checkOf('')).toBe('pass');
  expect(checkOf('force=true')).toBe('fail');
  expect(checkOf('mode=undefined')).toBe('fail');
});
