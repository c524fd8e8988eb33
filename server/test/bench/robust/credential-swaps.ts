/**
 * R13: the credentials file replaced a thousand times while calls run and readiness is asked. Readiness turns with the
 * next request, nothing is ever half-read, and no health route calls anybody.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { textOf, Wire } from '../../support/mcp-wire.ts';
import { operations } from '../tool-names.ts';
import { Failures, type Finding, type RobustCheck, type RobustContext } from './robust-check.ts';
import { isAnswerTo, nonceCall } from './router-calls.ts';

const REPLACED = 1_000;
const SECRET = 'bench-client-secret-4c1d';

/** Contents of a file, and whether the router is ready with it. */
const FORMS: readonly [text: (base: string) => string, ready: boolean][] = [
  [(base) => `mgmt: {base_url: '${base}', client_id: a, client_secret: ${SECRET}}\n`, true],
  [() => `mgmt: {base_url: [${SECRET}\n`, false],
  [(base) => `mgmt:\n  base_url: '${base}'\n  client_id: b\n  client_secret: ${SECRET}\n${'# \n'.repeat(2_000)}`, true],
  [() => `mgmt: {unknown_field: ${SECRET}}\n`, false],
  [() => '- a list\n', false],
];

async function run({ router: start, scale }: RobustContext): Promise<Finding> {
  const times = Math.ceil(REPLACED * scale);
  const failures = new Failures();
  let calledOut = 0;
  const platform = createServer((socket) => {
    calledOut += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(platform.address() as { port: number }).port}`;
  await using router = await start();
  const file = join(router.folder, 'credentials.yaml');
  const wire = new Wire(router.port);
  let going = true;
  let calls = 0;
  const load = (async () => {
    const own = new Wire(router.port);
    const known = operations(16);
    for (let at = 0; going; at++) {
      const call = nonceCall(`nonce_${at}`, at, router.bearer, known);
      if (!isAnswerTo(call, await own.ask(call.request))) failures.add(`${call.id} was not answered`);
      calls += 1;
    }
    own.close();
  })();
  let turned = 0;
  let readyBefore: boolean | undefined;
  for (let n = 0; n < times; n++) {
    const [text, ready] = FORMS[n % FORMS.length] as (typeof FORMS)[number];
    writeFileSync(`${file}.new`, text(base), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    const answer = await wire.ask('GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    if (answer.status !== (ready ? 200 : 503))
      failures.add(`replacement ${n}: ${answer.status}, ready should be ${ready}`);
    if (textOf(answer).includes(SECRET)) failures.add(`replacement ${n}: the answer holds the secret`);
    if (readyBefore !== ready) turned += 1;
    readyBefore = ready;
  }
  going = false;
  await load;
  wire.close();
  platform.close();
  if (calledOut > 0) failures.add(`${calledOut} connections to the platform`);
  if (router.log.join('').includes(SECRET)) failures.add('the log holds the secret');
  return { figures: { replaced: times, turned, calls, calledOut }, failures: failures.all() };
}

export const CREDENTIALS_CHECK: RobustCheck = { id: 'R13', title: 'credentials replaced under load', run };
