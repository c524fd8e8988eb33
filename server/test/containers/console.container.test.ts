/** The compose profile `console`, by the commands of docs/containers.md: the setup, a certificate, router and proxy, an operator. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { type Checkout, checkout, done, imageOr, NGINX, STARTED_BY } from '../support/container-engine.ts';
import { setupIn } from '../support/container-setup.ts';
import { freePort } from '../support/programs.ts';
import { SecureVisitor } from '../support/secure-visitor.ts';

const PASSWORD = 'correct horse battery';
const MOST_BYTES = 60 * 1024;
const page = readFileSync(join(packageRoot, 'docs/containers.md'), 'utf8');
const [section = ''] = /^## The console$[\s\S]*?(?=^## )/m.exec(page) ?? [];
/** A command of the page that begins with this. */
function commandOf(beginning: string): string {
  const line = section
    .replaceAll('\\\n', '')
    .split('\n')
    .find((text) => text.startsWith(beginning));
  if (line === undefined) throw new Error(`docs/containers.md should have a command that begins with ${beginning}`);
  return line;
}

describe.skipIf(inject('noEngine') !== '')('the console in containers', () => {
  let project: Checkout;
  let port: number;
  let origin: string;
  let authority: string;
  beforeAll(async () => {
    const consolePort = await freePort();
    port = await freePort();
    origin = `https://localhost:${consolePort}`;
    const images = { NGINX_IMAGE: imageOr('nginx:1.28-bookworm', NGINX) };
    project = checkout({ ...images, CONSOLE_PORT: String(consolePort) }, STARTED_BY);
    const [, words = ''] = commandOf('npm run setup -- --docker').split(' -- ');
    const asked = words.split('#')[0]?.trim().replace('8443', String(consolePort)).split(' ') ?? [];
    setupIn(project, [...asked.filter((word) => word !== '--docker'), '--port', String(port)]);
    execFileSync('sh', ['-c', commandOf('(umask 077; openssl req -x509')], { cwd: project.folder, stdio: 'pipe' });
    authority = readFileSync(join(project.folder, 'secrets/console_certificate'), 'utf8');
    const [, ...up] = commandOf(
      'docker compose -f compose.yaml -f config/compose.overlay.yaml --profile console up',
    ).split(' ');
    done([...up.filter((word) => word !== '--build'), '--wait'], { cwd: project.folder, env: project.env });
    const [, ...add] = commandOf(
      'docker compose -f compose.yaml -f config/compose.overlay.yaml --profile console exec',
    ).split(' ');
    const at = add.indexOf('mcp-router');
    const typed = `printf '%s\\n' '${PASSWORD}' | ${add.slice(at + 1).join(' ')}`;
    done([...add.slice(0, at), '-T', 'mcp-router', 'sh', '-c', typed], { cwd: project.folder, env: project.env });
  });
  afterAll(() => project?.[Symbol.dispose]());

  test('an operator signs in over https and sees the pages of the router inside', async () => {
    const ada = new SecureVisitor(origin, authority);
    const stranger = await ada.send('/approvals');
    expect([stranger.status, stranger.text.includes('Approvals</h1>')]).toEqual([401, false]);
    expect((await ada.signIn('ada', PASSWORD)).status).toBe(303);
    expect([...ada.cookies.keys()]).toContain('__Host-svc_mcp_console');
    const shown = { '/approvals': 'Approvals</h1>', '/platforms': 'mgmt', '/find?q=list+sites': 'how it is made' };
    for (const [path, part] of Object.entries(shown)) {
      const { status, text } = await ada.send(path);
      expect([path, status, text.includes(part), text.length < MOST_BYTES]).toEqual([path, 200, true, true]);
    }
  });

  test('only the proxy publishes the console, on this machine alone; the MCP listener has no page of it', async () => {
    const published = (service: string) =>
      project
        .compose(
          '-f',
          'compose.yaml',
          '-f',
          'config/compose.overlay.yaml',
          '--profile',
          'console',
          'ps',
          '--format',
          'json',
          service,
        )
        .split('\n')
        .flatMap(
          (line) =>
            (JSON.parse(line) as { Publishers: { URL: string; TargetPort: number; PublishedPort: number }[] })
              .Publishers,
        )
        .filter(({ PublishedPort }) => PublishedPort > 0)
        .map(({ URL: address, TargetPort }) => [address, TargetPort]);
    expect(published('console')).toEqual([['127.0.0.1', 8443]]);
    expect(published('mcp-router')).toEqual([['127.0.0.1', port]]);
    const answer = await fetch(`http://127.0.0.1:${port}/approvals`);
    expect([answer.status, (await answer.text()).includes('<html')]).toEqual([401, false]);
  });
});
