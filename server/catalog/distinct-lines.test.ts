import { expect, test } from 'vitest';
import { type DescribedOperation, distinctLines } from './distinct-lines.ts';

const operation = (stated: Partial<DescribedOperation>): DescribedOperation => ({
  method: 'GET',
  path: '/things',
  summary: '',
  description: '',
  operationId: null,
  ...stated,
});

test('the summary stands where the description begins with a remark', () => {
  const [line] = distinctLines([
    operation({
      path: '/schedules/{id}/overrides',
      summary: 'Create overrides',
      description: 'Important note: schedules of the second version cannot be overridden. Creates overrides.',
    }),
  ]);
  expect(line).toBe('Create overrides');
});

test('of description and summary the one that names more of the object stands', () => {
  const [vague, exact] = distinctLines([
    operation({
      path: '/dns/email',
      summary: 'Email the DNS records',
      description: 'Use this to share what you have.',
    }),
    operation({ path: '/sites/{id}/radios', summary: 'Details', description: 'Returns the radios of a site.' }),
  ]);
  expect(vague).toBe('Email the DNS records');
  expect(exact).toBe('Returns the radios of a site.');
});

test('a heading is no sentence, and a paragraph ends one', () => {
  const lines = distinctLines([
    operation({
      path: '/aps/locate',
      description: '#### Access Points\nLocate one by blinking its LED\n\n**Note**: it blinks',
    }),
    operation({
      path: '/inventory',
      description: 'Get the inventory\n\n# Virtual chassis\n\nSince April they have a MAC.',
    }),
    operation({ path: '/fix', description: 'Retrieve the state of a fix, including:\n\n- steps\n- status' }),
    operation({ path: '/more', description: '# Nothing but a heading' }),
  ]);
  expect(lines).toEqual([
    'Locate one by blinking its LED',
    'Get the inventory',
    'Retrieve the state of a fix, including',
    'Nothing but a heading',
  ]);
});

test('a summary that repeats the operationId is spelled out, and stands behind a description that says what is done', () => {
  const lines = distinctLines([
    operation({ path: '/aps/count', operationId: 'countApEvents', summary: 'countApEvents' }),
    operation({ path: '/aps/{id}', operationId: 'getAp', summary: 'getAp', description: 'Returns an access point.' }),
    operation({
      path: '/orgs',
      operationId: 'createOrg',
      summary: 'createOrg',
      description: 'Admins can invite people.',
    }),
  ]);
  expect(lines).toEqual(['Count ap events.', 'Returns an access point.', 'Create org.']);
});

test('of two that name the object alike, the one that says what is done stands', () => {
  const lines = distinctLines([
    operation({ path: '/fences', summary: 'Create a fence', description: 'One can use circles for a fence.' }),
    operation({ path: '/gates', summary: 'All about gates', description: 'Returns the gates.' }),
    operation({ path: '/posts', summary: 'Posts', description: 'The posts of a site.' }),
  ]);
  expect(lines).toEqual(['Create a fence', 'Returns the gates.', 'The posts of a site.']);
});

test('what a document says of several operations stands for none of them alone', () => {
  const description = 'This can only be done by the logged in user.';
  const lines = distinctLines([
    operation({ method: 'PUT', path: '/user/{name}', summary: 'Update user', description }),
    operation({ method: 'DELETE', path: '/user/{name}', summary: 'Delete user', description }),
    operation({ method: 'POST', path: '/user', description }),
  ]);
  expect(lines.slice(0, 2)).toEqual(['Update user', 'Delete user']);
  expect(lines[2]).toBe('This can only be done by the logged in user (POST /user).');
});

test('a remark stands for no operation that shares its line with another', () => {
  const summary = 'Join a room';
  const lines = distinctLines([
    operation({
      method: 'POST',
      path: '/join/{room}',
      summary,
      description: 'Note that this takes an id or an alias.',
    }),
    operation({ method: 'POST', path: '/rooms/{id}/join', summary }),
  ]);
  expect(lines).toEqual(['Join a room (POST /join/{room}).', 'Join a room (POST /rooms/{id}/join).']);
});

test('an operation of which nothing is said is called by its operationId, else by its path', () => {
  expect(distinctLines([operation({ operationId: 'getGuildSticker', path: '/guilds/{g}/stickers/{s}' })])).toEqual([
    'Get guild sticker.',
  ]);
  expect(distinctLines([operation({ path: '/gateway/bot' })])).toEqual(['Get gateway bot.']);
});
