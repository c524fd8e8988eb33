import { expect, test } from 'vitest';
import { cables, expandCables, linesOf } from '../../test/expand/cables.ts';
import { findingsOf } from '../../test/expand/findings.ts';
import { documentWith, smallPlatform } from '../../test/expand/small-model.ts';
import { schemasOf } from '../lint/endpoint-count.ts';

const traced = `${cables}\n  references: true\n  history: true`;

test('an object tells who refers to it and how it became what it is', () => {
  const document = expandCables(traced);
  expect(linesOf(document, /References|History/)).toEqual([
    'listCableHistory get /api/cables/{label}/history',
    'listCableReferences get /api/cables/{label}/references',
  ]);
  expect(
    Object.keys(schemasOf(document))
      .filter((name) => name.startsWith('Object'))
      .sort(),
  ).toEqual(['ObjectReference', 'ObjectReferenceList', 'ObjectRevision', 'ObjectRevisionList']);
  expect(findingsOf(smallPlatform(documentWith(traced)))).toEqual([]);
});
