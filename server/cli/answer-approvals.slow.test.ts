/** The command beside a real router: list, show, approve, decline and the write switch, as an operator and as nobody. */
import { execFile } from 'node:child_process';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';

const COMMAND = join(import.meta.dirname, 'approvals.mjs');
const PASSWORD = 'a long password of ada';

let bed: OperatorTestbed | undefined;
afterEach(async () => {
  await bed?.[Symbol.asyncDispose]();
  bed = undefined;
});

interface Ran {
  code: number;
  json: ReturnType<typeof JSON.parse>;
  text: string;
}

async function open() {
  bed = await operatorTestbed({ SVC_MCP_AUDIT_LOG: 'audit/tools.jsonl' });
  const { installation, config } = bed;
  const env = {
    PATH: process.env['PATH'],
    HOME: installation.root,
    SVC_MCP_STATE_DIR: config.stateDir,
    SVC_MCP_CONFIG_DIR: config.configDir,
    SVC_MCP_APPROVALS: 'operator',
    SVC_MCP_LOG_LEVEL: 'silent',
    SVC_MCP_AUDIT_LOG: config.auditLog,
  };
  const run = (args: readonly string[], input = PASSWORD) =>
    new Promise<Ran>((resolve) => {
      const child = execFile(
        process.execPath,
        [COMMAND, ...args],
        { env, cwd: installation.root },
        (error, stdout, stderr) => {
          const line = stdout.startsWith('{') ? JSON.parse(stdout) : undefined;
          resolve({ code: error ? Number(error.code) : 0, json: line, text: `${stdout}${stderr}` });
        },
      );
      child.stdin?.end(`${input}\n`);
    });
  expect(await run(['operator-add', 'ada'])).toMatchObject({ code: 0 });
  const as = (name: string, args: readonly string[], input = PASSWORD) =>
    run([...args, '--operator', name, '--json'], input);
  return { ...bed, run, as };
}

test('an operator sees the whole request, approves its digest, and the agent gets the outcome', async () => {
  const { as, agent, upstream } = await open();
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  const { approval_id } = await call.apply();
  const listed = await as('ada', ['list']);
  expect(listed.json).toMatchObject({ ok: true, approvals: [{ id: approval_id, state: 'pending' }] });
  const { digest, requests } = (await as('ada', ['show', approval_id])).json.approval;
  expect(requests).toMatchObject([{ method: 'PATCH', body: { text: '{"auth-port":1912}' } }]);
  const wrong = await as('ada', ['approve', approval_id, '--digest', 'another']);
  expect([wrong.code, wrong.json]).toMatchObject([2, { ok: false, code: 'answer_refused' }]);
  expect(await call.apply()).toMatchObject({ code: 'approval_pending' });
  expect((await as('ada', ['approve', approval_id, '--digest', digest])).json).toMatchObject({ ok: true });
  await call.apply();
  expect(upstream.writes.map(({ body }) => body.toString())).toEqual([requests[0].body.text]);
});

test('a reason of another operator stays on its line, whatever it holds', async () => {
  const { run, as, agent } = await open();
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  const { approval_id } = await call.apply();
  const { digest } = (await as('ada', ['show', approval_id])).json.approval;
  const reason = 'fine\n\n== Request 1 of 1 ==\nGET /harmless\u001b[8m\u202e';
  await as('ada', ['approve', approval_id, '--digest', digest, '--reason', reason]);
  const { text } = await run(['show', approval_id, '--operator', 'ada']);
  expect(text.split('\n').filter((line) => line.startsWith('=='))).toEqual(['== Request 1 of 1 ==']);
  expect(text).toContain(
    String.raw`ada: approve (terminal) "fine\n\n== Request 1 of 1 ==\nGET /harmless\u001b[8m\u202e"`,
  );
  const asJson = await as('ada', ['show', approval_id]);
  expect(asJson.text).not.toContain('\u202e');
  expect(asJson.json.approval.decisions[0].reason).toBe(reason);
});

test('a line says what destroys something, and of what ended that its requests are no longer kept', async () => {
  const { run, agent, operators } = await open();
  const call = await agent.previewed('mgmt_delete_auth_server', { name: 'radius-1' });
  const { approval_id } = await call.apply();
  const told = async (args: readonly string[]) => (await run([...args, '--operator', 'ada'])).text;
  expect(await told(['list'])).toContain(
    `${approval_id}  pending  mgmt_delete_auth_server (destructive)  "radius-1"  asked `,
  );
  await operators.decline(approval_id, 'still in use');
  expect(await told(['list', '--all'])).toContain('  declined  mgmt_delete_auth_server (destructive)  asked ');
  expect(await told(['show', approval_id])).toContain('"still in use"\nThe requests are no longer kept');
});

test('without the password of an operator nothing is shown, approved or stopped', async () => {
  const { as, agent, upstream, operators } = await open();
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  const { approval_id } = await call.apply();
  const { digest } = (await operators.service.read(approval_id)) ?? { digest: '' };
  for (const [name, args, password] of [
    ['ada', ['list'], 'a wrong password'],
    ['ada', ['show', approval_id], ''],
    ['eve', ['approve', approval_id, '--digest', digest], PASSWORD],
    ['ada', ['approve', approval_id, '--digest', digest], `${PASSWORD} `],
    ['ada', ['stop-writes'], 'a wrong password'],
  ] as const) {
    const ran = await as(name, args, password);
    expect([ran.code, ran.json]).toMatchObject([2, { ok: false, code: 'operator_refused' }]);
    expect(ran.text).not.toContain('1912');
  }
  expect(await call.apply()).toMatchObject({ code: 'approval_pending' });
  expect(upstream.writes).toEqual([]);
});

test('one command stops the writes of a running router, another one resumes them', async () => {
  const { as, agent, upstream } = await open();
  const call = await agent.previewed('mgmt_update_auth_server', PATCH);
  expect((await as('ada', ['stop-writes', '--reason', 'incident'])).json).toMatchObject({ ok: true });
  expect(await call.apply('accept')).toMatchObject({ code: 'writes_stopped' });
  expect(upstream.writes).toEqual([]);
  expect((await as('ada', ['resume-writes'])).json).toMatchObject({ ok: true, writes: { by: 'ada' } });
  await call.apply('accept');
  expect(upstream.writes).toHaveLength(1);
});

test('the file of operators is private, holds no password, and is refused where others can read it', async () => {
  const { run, as, config } = await open();
  const { operatorsPath } = config.approvals;
  expect(statSync(operatorsPath).mode & 0o777).toBe(0o600);
  expect((await run(['operator-add', 'bob'], 'short')).text).toContain('should have 12 to 1024 characters');
  chmodSync(operatorsPath, 0o644);
  expect((await as('ada', ['list'])).json).toMatchObject({ code: 'config_invalid' });
  chmodSync(operatorsPath, 0o600);
  expect((await run(['operator-remove', 'ada'])).code).toBe(0);
  expect((await as('ada', ['list'])).json).toMatchObject({ code: 'operator_refused' });
  const exposed = join(config.root, 'password');
  writeFileSync(exposed, PASSWORD, { mode: 0o644 });
  expect((await run(['operator-add', 'ada', '--password-file', exposed])).text).toContain('0600');
});
