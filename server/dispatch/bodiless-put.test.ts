/** A PUT that takes no body commits, stops or attaches something: it replaces nothing, and what it names need not be there. */
import { expect, test } from 'vitest';
import { documentRouter } from '../test/support/document-router.ts';

const ok = {
  200: {
    description: 'Done',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { id: { type: 'string' }, state: { type: 'string' } } },
      },
    },
  },
};

async function transactions() {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const router = await documentRouter({
    openapi: '3.0.3',
    info: { title: 'Transactions', version: '1' },
    paths: {
      '/transactions/{id}': {
        parameters,
        get: { operationId: 'getTransaction', summary: 'Get one transaction', responses: ok },
        put: { operationId: 'commitTransaction', summary: 'Commit one transaction', responses: ok },
      },
    },
  });
  const commit = (more: object = {}) => router.call('invoke_tool', 'mgmt_commit_transaction', { id: '7', ...more });
  return { ...router, commit };
}

test('its preview says what it does, and of no field that it goes', async () => {
  await using router = await transactions();
  router.upstream.object = () => ({ status: 200, body: { id: '7', state: 'in_progress' } });
  expect(await router.commit()).toMatchObject({
    target: { id: '7', status: 'in_progress' },
    impact: { source: 'GET /transactions/7', does: expect.stringMatching(/^Commit one transaction/) },
  });
  expect((await router.commit()).impact).not.toHaveProperty('would_remove');
});

test('it is sent where what it names is not there yet', async () => {
  await using router = await transactions();
  const { plan_token } = await router.commit();
  await router.commit({ dry_run: false, confirm: true, plan_token });
  expect(router.upstream.writes.map(({ method, target }) => `${method} ${target}`)).toEqual(['PUT /transactions/7']);
});

test('without an answer its outcome is unknown, however much of the object is as it was', async () => {
  await using router = await transactions();
  router.upstream.object = () => ({ status: 200, body: { id: '7', state: 'in_progress' } });
  router.upstream.written = () => ({ status: 503, body: {} });
  const { plan_token } = await router.commit();
  expect(await router.commit({ dry_run: false, confirm: true, plan_token })).toMatchObject({ code: 'outcome_unknown' });
});
