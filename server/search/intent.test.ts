/** What a sentence wants done. */
import { describe, expect, test } from 'vitest';
import { withoutForbidden } from './forbidden-verbs.ts';
import { intentOf, withoutFrame } from './intent.ts';

describe('who wants to know something asks', () => {
  test.each([
    'Change managers want to know which switches are due for new firmware',
    'update meeting, the boss asked whether the tunnel holds',
    'Open space office wonders why calls drop',
  ])('%s', (sentence) => {
    expect(intentOf(sentence)).toMatchObject({ intent: 'read', question: true });
  });

  test('but not in an order', () => {
    expect(intentOf('Change the name of the site, the auditor asked why it is so long').intent).toBe('update');
    expect(intentOf('please delete that account, nobody asked who it belongs to').intent).toBe('delete');
  });
});

describe('a question how, or whether it can be done, asks to do it', () => {
  test.each([
    ['How can I delete an attachment?', 'delete'],
    ['Can I upload a file to the record?', 'create'],
    ["What's the process for modifying the due date of an order?", 'update'],
    ['Is there a way to programmatically create an incident?', 'create'],
    ['Is it possible to cancel a reservation?', 'delete'],
    ['can I throw it away', 'action'],
    ['How do I associate a contact with a case?', 'write'],
    ['Can I give a reason when cancelling the order?', 'update'],
  ])('%s', (sentence, intent) => {
    expect(intentOf(sentence)).toEqual({ intent, question: false, plain: true });
  });

  test.each([
    ['How can I retrieve a specific alarm record?', 'get'],
    ['Is there a way to check for users who may not log in?', 'read'],
    ['How do I list all boards?', 'list'],
  ])('or to read: %s', (sentence, intent) => {
    expect(intentOf(sentence)).toEqual({ intent, question: true, plain: true });
  });

  test('the words that only ask are no topic', () => {
    expect(withoutFrame("What's the process for updating a user?")).toBe('updating a user?');
    expect(withoutFrame('Update the process of a user')).toBe('Update the process of a user');
  });
});

describe('what is asked may stand behind why', () => {
  test.each([
    'we replace the floor switch tonight, which access points hang on it',
    'I plan the freeze and need to know every automatic action due in that time',
    'we move in May and would like an overview of the leases',
  ])('%s', (sentence) => {
    expect(intentOf(sentence)).toMatchObject({ question: true, plain: false });
  });

  test('but not what a deed is done to', () => {
    expect(intentOf('remove the older one, which is empty').intent).toBe('delete');
  });
});

describe('an order behind what led to it', () => {
  test.each([
    ['the port is free now, please release it', 'action'],
    ['we give up the tenant, close the account for good', 'action'],
    ['thirty old copies clutter the box, remove the oldest', 'delete'],
    ['nobody uses that name, get rid of it', 'delete'],
  ])('%s', (sentence, intent) => {
    expect(intentOf(sentence)).toEqual({ intent, question: false, plain: true });
  });

  test('of a verb that nobody foresaw may want anything', () => {
    for (const sentence of ['snooze the alarm until Wednesday', 'the fan rattles, muffle it'])
      expect(intentOf(sentence)).toEqual({ intent: undefined, question: false, plain: false });
  });
});

describe('who is given something', () => {
  test('reads it, where that is who asks', () => {
    expect(intentOf('please send me the list of guests').intent).toBe('list');
    expect(intentOf('Write me down step by step who did what').intent).toBe('read');
  });

  test('else it is a deed', () => {
    expect(intentOf('give the lobby switch another name').intent).toBe('update');
    expect(intentOf('customers should see the plain page again').intent).toBeUndefined();
  });
});

describe('what is not to be done', () => {
  test.each([
    ["don't delete anything, just show stale devices", ' anything, just show stale devices'],
    ['list the sites but do not change them', 'list the sites but  them'],
    ['Please dont block the client, show its sessions', 'Please  the client, show its sessions'],
  ])('is no verb of the question: %s', (sentence, rest) => {
    expect(withoutForbidden(sentence)).toBe(rest);
    expect(intentOf(rest).intent).not.toBe('delete');
  });

  test('but what does not happen is its topic', () => {
    for (const sentence of ['clients that do not move to the new AP', 'alarms that do not clear'])
      expect(withoutForbidden(sentence)).toBe(sentence);
  });
});

describe('a verb that is a noun here', () => {
  test.each(['Reboot records of the appliance', 'share of guests among all clients', 'lock status of the blueprint'])(
    '%s',
    (sentence) => {
      expect(['read', 'status', 'history']).toContain(intentOf(sentence).intent);
    },
  );
});
