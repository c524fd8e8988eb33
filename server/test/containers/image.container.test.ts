/** The image: small, writable in three places only, with read-only indexes, and without secrets. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { BASE, docker, done, IMAGE } from '../support/container-engine.ts';

const MEGABYTE = 1e6;
/** In the image as its user sees it, without anything mounted. */
const inside = (script: string) =>
  done(['run', '--rm', '--network', 'none', '--entrypoint', 'sh', IMAGE, '-c', script]);
const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe.skipIf(inject('noEngine') !== '')('the image', () => {
  test('adds at most 105 MB to its base', () => {
    const size = (image: string) => Number(done(['image', 'inspect', '--format', '{{.Size}}', image]));
    const added = size(IMAGE) - size(BASE);
    process.stderr.write(`application layers: ${(added / MEGABYTE).toFixed(1)} MB\n`);
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThanOrEqual(105 * MEGABYTE);
  });

  test('is built from a warm cache within 30 s', () => {
    const before = performance.now();
    done(['compose', '--profile', 'router', 'build', 'mcp-router']);
    const seconds = (performance.now() - before) / 1000;
    process.stderr.write(`built from a warm cache: ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThanOrEqual(30);
  });

  test('runs as 10001, which can write where a container may keep something, and nowhere else', () => {
    expect(inside('id -u; id -g')).toBe('10001\n10001');
    const writable = inside('find / -xdev \\( -type d -o -type f \\) -writable 2>/dev/null || true');
    // The base image lets everybody write there; with a read-only root nobody can.
    const everybodys = ['/tmp', '/var/tmp', '/run/lock'];
    expect(lines(writable).filter((path) => !everybodys.includes(path) && !path.startsWith('/proc'))).toEqual(
      expect.arrayContaining(['/app/outputs', '/app/state', '/home/mcp']),
    );
    expect(lines(writable).filter((path) => !everybodys.includes(path))).toHaveLength(3);
  });

  test('holds catalog, search and spec index: folders root 0555, files root 0444, current for its documents', () => {
    const found = lines(inside("find var/catalog -printf '%y %U:%G %m %f\\n'"));
    expect(found.filter((line) => line.startsWith('d')).map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
      '0:0 555',
      '0:0 555',
    ]);
    const files = found.filter((line) => line.startsWith('f'));
    expect(files.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual(files.map(() => '0:0 444'));
    expect(files.map((line) => line.split(' ')[3]).sort()).toEqual([
      'catalog.sqlite',
      'current.json',
      'search.idx',
      'spec-index.sqlite',
    ]);
    const validated = docker([
      'run',
      '--rm',
      '--network',
      'none',
      '--read-only',
      IMAGE,
      'catalog',
      'validate',
      '--json',
    ]);
    const tools = readFileSync(join(packageRoot, 'server/catalog/tools.lock'), 'utf8').match(/^[a-z]/gm)?.length;
    expect(JSON.parse(validated.stdout)).toMatchObject({ ok: true, tools });
  });

  test('has no package manager, no sources, no tests, and nothing of anybody', () => {
    expect(inside('ls /usr/local/bin /usr/local/lib/node_modules 2>/dev/null || true')).not.toMatch(
      /\b(npm|npx|yarn)\b/,
    );
    const files = lines(inside('find /app -type f -not -path "*/node_modules/*"'));
    expect(files.length).toBeGreaterThan(200);
    expect(
      files.filter((file) => /\.ts$|\.test\.|\.env|secret(s\/|$)|credentials\.yaml|\.npmrc|\/bench\//.test(file)),
    ).toEqual([]);
    expect(inside('find / -xdev -name ".npmrc" 2>/dev/null || true')).toBe('');
  });

  test('its history and settings name no secret', () => {
    const history = done(['history', '--no-trunc', '--format', '{{.CreatedBy}}', IMAGE]);
    const settings = done(['image', 'inspect', '--format', '{{json .Config}}', IMAGE]);
    const npmrc = process.env['NPMRC_FILE'];
    const values = [...(npmrc ? readFileSync(npmrc, 'utf8') : '').matchAll(/(?:_authToken|_password|_auth)=(.+)/g)];
    for (const [, value = ''] of values) expect(`${history}${settings}`).not.toContain(value);
    const { Env, User, Healthcheck, ExposedPorts, Entrypoint } = JSON.parse(settings);
    expect(Env.filter((entry: string) => /SECRET|PASSWORD|TOKEN|KEY/.test(entry))).toEqual([]);
    expect({ User, Entrypoint, ports: Object.keys(ExposedPorts) }).toEqual({
      User: '10001:10001',
      Entrypoint: ['node', 'docker/entrypoint.mjs'],
      ports: ['8010/tcp'],
    });
    expect(Healthcheck.Test).toEqual(['CMD', 'node', 'docker/healthy.mjs']);
  });

  test('every command of the package runs in it', () => {
    const { bin, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    for (const name of Object.keys(bin).map((full) => full.replace('svc-mcp-', '')))
      expect({
        name,
        said: done(['run', '--rm', '--network', 'none', '--read-only', IMAGE, name, '--version']),
      }).toEqual({
        name,
        said: version,
      });
    const wrong = docker(['run', '--rm', '--network', 'none', IMAGE, '../../etc/passwd']);
    expect({ status: wrong.status, said: wrong.stderr }).toMatchObject({
      status: 2,
      said: expect.stringContaining('the command should be one of'),
    });
  });
});
