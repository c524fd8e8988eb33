/** The corpus of misleading documents under one setting, and the judge it stands before. `bench:access` takes all settings. */
import { describe, expect, test } from 'vitest';
import { overDocuments } from './access/document-origin.ts';
import { misleadingDocuments } from './access/misleading-document.ts';
import { asksForAnother, isLabelled, type RawRequest } from './access/request-recorder.ts';

const request = (method: string, url: string, more: Partial<RawRequest> = {}): RawRequest => ({
  method,
  url,
  headers: [],
  body: '',
  ...more,
});

test('with the gates closed only operations labelled as reads arrive, by any way', async () => {
  const tally = await overDocuments({ brief: true, most: 1 });
  expect(tally.examples).toEqual([]);
  expect(tally).toMatchObject({ deviations: 0, unread: [] });
  expect(tally.documents).toBeGreaterThanOrEqual(60);
  // The same operations do arrive once the gates are open: it is the gate that stops them.
  expect(tally.changingWhenOpen).toBeGreaterThan(100);
});

test('every document has its own name, a reason, and labels that contradict nothing', () => {
  const documents = misleadingDocuments();
  expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  for (const { id, about, reads, changes, unreachable } of documents) {
    expect(about.length, id).toBeGreaterThan(2);
    expect(
      reads.filter((label) => changes.includes(label)),
      id,
    ).toEqual([]);
    expect(unreachable === true || reads.length > 0, id).toBe(true);
  }
});

describe('the judge', () => {
  test.each([
    [request('POST', '/a/jobs'), 'POST /jobs', true],
    [request('POST', '/a/jobs?x=1'), 'POST /jobs', true],
    [request('GET', '/a/jobs'), 'POST /jobs', false],
    [request('POST', '/b/jobs'), 'POST /jobs', false],
    [request('GET', '/a/x1/run'), 'GET /{id}/run', true],
    [request('GET', '/a/x/1/run'), 'GET /{id}/run', false],
    [request('GET', '/a/l%C3%B6schen'), 'GET /löschen', true],
  ])('%j is %s: %s', (arrived, label, expected) => {
    expect(isLabelled(arrived, '/a', label)).toBe(expected);
  });

  test.each([
    [request('GET', '/a?_method=DELETE'), true],
    [request('GET', '/a?%5Fmethod=DELETE'), true],
    [request('GET', '/a', { headers: ['X-HTTP-Method-Override', 'DELETE'] }), true],
    [request('POST', '/a', { body: '{"_method":"DELETE"}' }), true],
    [request('POST', '/a', { body: '_method=DELETE' }), true],
    [request('GET', '/a', { headers: ['X-Original-URL', '/wipe'] }), true],
    [request('GET', '/a?method=card', { headers: ['accept', 'x-http-method'], body: '{"payment_method":1}' }), false],
  ])('%j asks for another: %s', (arrived, expected) => {
    expect(asksForAnother(arrived)).toBe(expected);
  });
});
