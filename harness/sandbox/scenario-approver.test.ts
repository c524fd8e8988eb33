/** The person of a scenario reads the request in the question and says yes to the one that was approved, body included. */
import { describe, expect, test } from 'vitest';
import { statedBody } from '../recording/recorded-body.ts';
import { yesTo } from './approver-form.ts';
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

describe("a question in the server's own words", () => {
  const own = (approvals: string[], message: string) => answerElicitation(message, approvals, {}, true).action;

  test.each([
    ['PATCH /customers/7', 'Update customer 7: set address to "Main St 1"?'],
    ['PATCH /pets/7', 'Update pet 7? New name: quartz-harrier'],
    ['PUT /pets/7', 'Run update_pet with {"petId":7,"createdAt":"2024","name":"quartz-harrier"}?'],
    ['PATCH /posts/7', 'Send PATCH /posts/7 {"title":"quartz-harrier"}?'],
    ['PATCH /posts/7', 'Send PATCH https://api.example/posts/7: delete=false?'],
    ['PATCH /orders/5', 'Change the postal code of order 5?'],
    ['PATCH /orders/5', 'Approve this change? addedBy becomes "quartz-harrier"'],
    ['PATCH /users/5', 'Update user 5: deleted=false, name=quartz-harrier?'],
    ['PUT /users/5', 'Create or replace user 5?'],
    ['POST /devices', 'Create device "x" (removable: true)?'],
    ['POST /devices/3/reboot', 'Reboot device 3?'],
    ['DELETE /pets/3', 'Confirm pets_delete {"petId":3}'],
    ['DELETE /pets/3', 'Confirm this change: deletePet 3'],
    ['DELETE /pets/3', 'Are you sure? This deletes pet 3, created 2024.'],
    ['DELETE /pets/3', 'Are you sure?'],
  ])('about %s that was approved is accepted whatever values it repeats: %s', (approval, message) => {
    expect(own([approval], message)).toBe('accept');
  });

  test.each([
    ['PATCH /pets/7', 'Delete pet 7, last updated 2024?'],
    ['PATCH /pets/7', 'Run removePet with {"update":true}?'],
    ['PATCH /pets/7', 'Send DELETE /pets/7?'],
    ['PATCH /pets/7', 'Create a new pet?'],
    ['POST /pets', 'Delete pet 7?'],
    ['DELETE /pets/7', 'Update pet 7: deleted=true?'],
  ])('about another kind of change than %s is declined: %s', (approval, message) => {
    expect(own([approval], message)).toBe('decline');
  });

  test('is declined where no change is approved', () => {
    expect(own([], 'Are you sure?')).toBe('decline');
  });
});

describe('a yes in the form of a question', () => {
  const yes = (field: object) => yesTo({ properties: { answer: field }, required: ['answer'] })['answer'];

  test.each([
    [{ type: 'string', enum: ['decline', 'approve'] }, 'approve'],
    [{ type: 'string', enum: ['no', 'yes'] }, 'yes'],
    [{ type: 'string', enum: ['do_not_apply', 'apply_now'] }, 'apply_now'],
    [{ type: 'string', enum: ['0', '1'], enumNames: ['Cancel', 'Go on'] }, '1'],
    [
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'Not now' },
          { const: 'b', title: 'Proceed' },
        ],
      },
      'b',
    ],
    [{ type: 'string', enum: ['never', 'once', 'always'] }, 'once'],
    [{ type: 'string', enum: ['red', 'blue'] }, 'red'],
    [{ type: 'string' }, 'yes'],
    [{ type: 'string', default: 'all of it' }, 'all of it'],
    [{ type: 'string', enum: ['no', 'yes'], default: 'no' }, 'yes'],
    [{ type: 'boolean' }, true],
    [{ type: 'integer', minimum: 5 }, 5],
    [{ type: 'number', minimum: 5, default: 7.5 }, 7.5],
    [{ type: 'integer' }, 1],
    [{ type: 'array', items: { type: 'string', enum: ['cancel', 'apply'] } }, ['apply']],
    [
      {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'Stop' },
            { const: 'b', title: 'Go on' },
          ],
        },
      },
      ['b'],
    ],
    [{ type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['y'] }, ['y']],
  ])('chooses of %j the value %j', (field, chosen) => {
    expect(yes(field)).toEqual(chosen);
  });

  test('fills what is required and ticks every box, and nothing else', () => {
    const form = {
      properties: { sure: { type: 'boolean' }, why: { type: 'string' }, mode: { enum: ['no', 'ok'] } },
      required: ['mode'],
    };
    expect(yesTo(form)).toEqual({ sure: true, mode: 'ok' });
  });
});
