/** The person of a scenario reads the request in the question and says yes to the one that was approved, body included. */
import { describe, expect, test } from 'vitest';
import { statedBody } from '../recording/recorded-body.ts';
import { answerElicitation } from './scenario-approver.ts';

const CALL = 'PATCH /wlans/guest';
const BODY = { hidden: true, key: 'orchard-thistle-4711' };
const bodies = { [CALL]: statedBody(BODY) };

const question = (lines: string[], object = CALL) =>
  ['Send this write request to mgmt?', ...lines, `object: ${object}`, 'operation: PATCH /wlans/{ssid}'].join('\n');
const answered = (message: string) => answerElicitation(message, [CALL], bodies).action;

describe('a body in the question', () => {
  test.each([
    ['as it was approved', [`Body (application/json, 49 bytes):`, JSON.stringify(BODY)], 'accept'],
    ['in one line with its name', [`Body: ${JSON.stringify(BODY)}`], 'accept'],
    [
      'with a secret shown as asterisks of its length',
      [
        'Body (application/json, 49 bytes, secrets shown as asterisks of their length):',
        `{"hidden":true,"key":"${'*'.repeat(20)}"}`,
      ],
      'accept',
    ],
    [
      'with asterisks of another length',
      ['Body (application/json, 49 bytes):', '{"hidden":true,"key":"********"}'],
      'decline',
    ],
    ['empty', ['Body: {}'], 'decline'],
    ['absent', ['Body: none'], 'decline'],
    ['with one member more', ['Body (application/json, 60 bytes):', JSON.stringify({ ...BODY, extra: 1 })], 'decline'],
    [
      'with another value',
      ['Body (application/json, 60 bytes):', JSON.stringify({ ...BODY, hidden: false })],
      'decline',
    ],
    [
      'as a JSON string',
      ['Body (application/json, 49 bytes, written as a JSON string):', JSON.stringify(JSON.stringify(BODY))],
      'accept',
    ],
  ])('%s', (_what, lines, action) => {
    expect(answered(question(lines))).toBe(action);
  });

  test('of a list is that of its own request', () => {
    const two = (second: string) =>
      [question([`Body: ${JSON.stringify(BODY)}`]), question([`Body: ${second}`], 'POST /sites')].join('\n\n');
    const approvals = [CALL, 'POST /sites'];
    const all = { ...bodies, 'POST /sites': statedBody({ name: 'x' }) };
    expect(answerElicitation(two('{"name":"x"}'), approvals, all).action).toBe('accept');
    expect(answerElicitation(two('{"name":"y"}'), approvals, all).action).toBe('decline');
  });

  test('that a server does not show is judged where it arrives', () => {
    expect(answered(question([]))).toBe('accept');
  });
});
