/** The proxy of the compose profile `console`: its own configuration file and the certificate of docs/containers.md, in a real nginx. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../config/config.ts';
import { CONTAINER_CONSOLE_PORT } from '../setup/approval-answers.ts';
import { writeCheapOperators } from '../test/support/cheap-operators.ts';
import { type OperatorTestbed, operatorTestbed, PATCH } from '../test/support/operator-testbed.ts';
import { freePort, missing, untilListening } from '../test/support/programs.ts';
import { type RunningProcess, startProcess } from '../test/support/running-process.ts';
import { SecureVisitor } from '../test/support/secure-visitor.ts';

const PASSWORD = 'correct horse battery';
const absent = missing('nginx');

describe.skipIf(absent)('nginx in front of the console', () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-proxy-'));
  let bed: OperatorTestbed;
  let nginx: RunningProcess;
  let origin: string;
  beforeAll(async () => {
    mkdirSync(join(folder, 'secrets'));
    const page = readFileSync(join(packageRoot, 'docs/containers.md'), 'utf8');
    const [command = ''] = /^\(umask 077; openssl req -x509 [^)]*\)$/m.exec(page) ?? [];
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: 'pipe' });
    const [port, consolePort] = [await freePort(), await freePort()];
    origin = `https://localhost:${port}`;
    bed = await operatorTestbed({ SVC_MCP_CONSOLE_PORT: String(consolePort), SVC_MCP_CONSOLE_URL: origin });
    writeCheapOperators(bed.config.approvals.operatorsPath, [{ name: 'ada', password: PASSWORD }]);
    const shipped = readFileSync(join(packageRoot, 'docker/nginx-console.conf'), 'utf8');
    const file = join(folder, 'nginx.conf');
    const changes: [string, string][] = [
      ['listen 8443 ssl', `listen 127.0.0.1:${port} ssl`],
      [`http://mcp-router:${CONTAINER_CONSOLE_PORT}`, `http://127.0.0.1:${consolePort}`],
      ['/run/secrets', join(folder, 'secrets')],
      ['/tmp/nginx', join(folder, 'nginx')],
    ];
    for (const [from] of changes) expect(shipped).toContain(from);
    writeFileSync(
      file,
      changes.reduce((text, [from, to]) => text.replaceAll(from, to), shipped),
    );
    nginx = startProcess('nginx', ['-c', file, '-p', folder, '-g', 'daemon off;']);
    await untilListening(port);
  });
  afterAll(async () => {
    await nginx?.stop();
    await bed?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const visitor = () => new SecureVisitor(origin, readFileSync(join(folder, 'secrets/console_certificate'), 'utf8'));

  test('an operator signs in by password and approves without a second one, as over https everywhere', async () => {
    const call = await bed.agent.previewed('mgmt_update_auth_server', PATCH);
    const { approval_id: id, approval_url } = await call.apply();
    expect(approval_url).toBe(`${origin}/approvals/${id}`);
    const ada = visitor();
    expect((await ada.signIn('ada', PASSWORD)).status).toBe(303);
    expect([...ada.cookies.keys()]).toContain('__Host-svc_mcp_console');
    const page = await ada.send(`/approvals/${id}`);
    expect([page.status, page.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000']);
    expect(page.text).not.toContain('type="password"');
    expect((await ada.answer(id, 'approve')).status).toBe(303);
    await call.apply();
    expect(bed.upstream.writes).toHaveLength(1);
  });

  test('a stream passes at once', async () => {
    const ada = visitor();
    await ada.signIn('ada', PASSWORD);
    const first = await new Promise<string>((resolve, reject) => {
      const options = { headers: { cookie: ada.cookieHeader() }, rejectUnauthorized: false };
      const stream = request(`${origin}/live`, options, (answer) =>
        answer.once('data', (bytes: Buffer) => {
          resolve(bytes.toString());
          stream.destroy();
        }),
      );
      stream.on('error', reject).end();
    });
    expect(first).toContain('retry: 10000');
  });
});
