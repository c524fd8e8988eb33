/** The container engine of this machine, by its own command line, as a person would use it. Where there is none, tests say why. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../config/config.ts';

/** The image under test, whatever image a person has built here. */
export const IMAGE = 'svc-mcp-router:test';
export const BASE = process.env['NODE_IMAGE'] ?? 'node:24-bookworm-slim';
/** What is built where the proxy's own image cannot be had. */
export const NGINX = `FROM ${BASE}\nRUN apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx-light\n`;
/** The files that compose needs to start a router with an existing image. */
export const STARTED_BY = /^(compose\.yaml|docker\/|secrets\/)/;
export const REDIS = process.env['REDIS_IMAGE'] ?? 'redis:8-bookworm';

export interface CommandOutput {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface Where {
  cwd?: string;
  env?: Record<string, string>;
}

export function docker(words: readonly string[], { cwd = packageRoot, env = {} }: Where = {}): CommandOutput {
  const { status, stdout, stderr } = spawnSync('docker', words, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ROUTER_IMAGE: IMAGE, BUILDKIT_PROGRESS: 'plain', ...env },
    maxBuffer: 64 << 20,
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** As above, and anything but success is an error with what was said. */
export function done(words: readonly string[], where?: Where): string {
  const { status, stdout, stderr } = docker(words, where);
  if (status !== 0) throw new Error(`docker ${words.join(' ')} should exit 0, got ${status}\n${stdout}\n${stderr}`);
  return stdout.trim();
}

/** Undefined when containers can be run here; else why not. */
export function noEngine(): string | undefined {
  const asked: [string[], string][] = [
    [['version', '--format', '{{.Server.Version}}'], 'no container engine answers'],
    [['compose', 'version', '--short'], 'docker compose is not there'],
    [['buildx', 'version'], 'BuildKit (docker buildx) is not there'],
  ];
  const absent = asked.find(([words]) => docker(words).status !== 0);
  if (absent === undefined) {
    const image = [BASE, REDIS].find((name) => !canBeHad(name));
    return image && `not run: the image ${image} is not here and cannot be pulled`;
  }
  const first = docker(absent[0]).stderr.trim().split('\n')[0];
  return `not run: ${absent[1]}${first ? ` (${first})` : ''}`;
}

const canBeHad = (name: string): boolean =>
  docker(['image', 'inspect', name]).status === 0 || docker(['pull', '--quiet', name]).status === 0;

/** An image that is here or can be had; else one is built that answers in its place, and that is said. */
export function imageOr(name: string, fallback: string): string {
  if (canBeHad(name)) return name;
  const tag = `svc-mcp-stand-in:${name.replace(/[^a-z0-9]+/g, '-')}`;
  process.stderr.write(`${name} cannot be had here; a stand-in answers in its place\n`);
  const { status, stderr } = spawnSync('docker', ['build', '--quiet', '--tag', tag, '-'], {
    input: fallback,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the stand-in for ${name} should build, got ${stderr}`);
  return tag;
}

export interface Checkout extends Disposable {
  folder: string;
  /** `docker compose` in that folder, in a project of its own. */
  compose: (...words: string[]) => string;
  env: Record<string, string>;
}

let projects = 0;

/** A copy of what git knows (or the wanted part of it), for settings and secrets beside compose.yaml. Its project ends with it. */
export function checkout(env: Record<string, string> = {}, wanted = /^/): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-checkout-'));
  chmodSync(folder, 0o755);
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  for (const name of execFileSync('git', list, { cwd: packageRoot, encoding: 'utf8' }).trim().split('\n')) {
    if (!wanted.test(name) || /^(reports\/runs|reports\/recordings|node_modules)/.test(name)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(packageRoot, name), join(folder, name));
  }
  projects += 1;
  const where = { cwd: folder, env: { COMPOSE_PROJECT_NAME: `svc-mcp-test-${process.pid}-${projects}`, ...env } };
  return {
    folder,
    env: where.env,
    compose: (...words) => done(['compose', ...words], where),
    [Symbol.dispose]: () => {
      docker(['compose', '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '2'], where);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
