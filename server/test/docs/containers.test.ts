/** Rules over the Dockerfile, compose.yaml, the tracked overlay and the build context. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { gateState } from '../../access/access-policy.ts';
import { readAccess } from '../../config/access-settings.ts';
import { Environment } from '../../config/environment.ts';
import { readPlatformFiles } from '../../config/platform-file.ts';
import { isSecretShaped } from '../../config/secret-files.ts';
import { VARIABLES } from '../../config/variables.ts';
import { IMAGE_ENVIRONMENT } from '../../doctor/container-form.ts';
import { CONTAINER_CONSOLE_PORT } from '../../setup/approval-answers.ts';
import { importsOf, root } from './source-imports.ts';

const text = (path: string) => readFileSync(join(root, path), 'utf8');

interface Instruction {
  word: string;
  rest: string;
}

/** Instructions with their continued lines joined; comments are gone. */
function instructionsOf(dockerfile: string): Instruction[] {
  const joined = dockerfile
    .split('\n')
    .filter((line) => !/^\s*#(?!\s*syntax=)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ');
  return joined
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => ({ word: line.split(/\s+/)[0] ?? '', rest: line.replace(/^\S+\s*/, '') }));
}

/** Every rule that a Dockerfile breaks, in words. */
function violations(dockerfile: string): string[] {
  const found: string[] = [];
  const instructions = instructionsOf(dockerfile);
  const of = (word: string) => instructions.filter((one) => one.word === word).map(({ rest }) => rest);
  const bases = new Map(of('ARG').map((rest) => rest.split('=', 2) as [string, string | undefined]));
  const stages: string[] = [];
  let user = 'root';
  for (const { word, rest } of instructions) {
    if (word === '#') found.push('asks for a frontend from a registry');
    if (word === 'FROM') {
      const [, image = '', , stage] = /^(\S+)(\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      const name = /^\$\{(\w+)\}$/.exec(image)?.[1];
      const base = name === undefined ? image : (bases.get(name) ?? '');
      if (!stages.includes(image) && !/:[^:@]+(@sha256:[0-9a-f]{64})?$/.test(base)) found.push(`${image} has no tag`);
      if (/:latest(@|$)/.test(base)) found.push(`${image} is whatever is latest`);
      if (!stages.includes(image)) user = 'root';
      if (stage) stages.push(stage);
    }
    if (word === 'USER') user = rest;
    if (word === 'ADD') found.push('ADD unpacks and downloads; COPY does neither');
    if (word === 'COPY' && /^(--\S+\s+)*\.\/?\s/.test(rest) && !rest.includes('--from='))
      found.push('copies everything there is');
    const from = /--from=(\S+)/.exec(rest)?.[1];
    if (word === 'COPY' && from !== undefined && !stages.includes(from))
      found.push(`copies from ${from}, which is no stage`);
    if (
      (word === 'ARG' || word === 'ENV') &&
      rest.split(/\s+/).some((part) => isSecretShaped(part.split('=')[0] ?? ''))
    )
      found.push(`${word} ${rest.split('=')[0]} looks like a secret`);
    if (['ENTRYPOINT', 'CMD'].includes(word) && !rest.startsWith('[')) found.push(`${word} goes through a shell`);
    if (word === 'WORKDIR' && !rest.startsWith('/')) found.push('WORKDIR is not absolute');
    if (word === 'RUN' && /\b(curl|wget|sudo|apt-get upgrade|npm (i|install)\b)/.test(rest))
      found.push('RUN brings in what no lockfile names');
  }
  if (!/^[1-9]\d*(:[1-9]\d*)?$/.test(user)) found.push(`ends as the user ${user}`);
  if (of('HEALTHCHECK').length === 0) found.push('says nothing about its health');
  return found;
}

const dockerfiles = readdirSync(join(root, 'docker')).filter((name) => name.startsWith('Dockerfile'));

test.each(dockerfiles)('docker/%s breaks no rule', (name) => {
  expect(violations(text(`docker/${name}`))).toEqual([]);
});

test('what the Dockerfile copies exists', () => {
  const copied = instructionsOf(text('docker/Dockerfile'))
    .filter(({ word, rest }) => word === 'COPY' && !rest.includes('--from='))
    .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The file and every file of the repository that it reaches by its imports. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const { target, specifier, typeOnly } of importsOf(file))
    if (specifier.startsWith('.') && !typeOnly) reachedFrom(target, reached);
  return reached;
}

test('the stage that compiles has every file that expanding the models reads', () => {
  const stage = /^FROM packages AS compiled$([\s\S]*?)^FROM /m.exec(text('docker/Dockerfile'))?.[1] ?? '';
  const copied = instructionsOf(stage)
    .filter(({ word }) => word === 'COPY')
    .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
  const needed = [...reachedFrom('fake-api/expand/expand-models.ts'), ...reachedFrom('pack.ts')];
  expect(needed.length).toBeGreaterThan(10);
  expect(needed.filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`)))).toEqual([]);
});

describe('a rule is broken by', () => {
  const good =
    'FROM node:24-bookworm-slim AS a\nFROM node:24-bookworm-slim\nHEALTHCHECK CMD ["x"]\nUSER 10001:10001\nCMD ["x"]\n';
  test('nothing, to begin with', () => expect(violations(good)).toEqual([]));

  test.each<[string, string, string]>([
    ['no tag', good.replaceAll('node:24-bookworm-slim', 'node'), 'node has no tag'],
    ['the latest', good.replaceAll('24-bookworm-slim', 'latest'), 'node:latest is whatever is latest'],
    [
      'an argument without a tag',
      `ARG BASE=node\n${good.replace('FROM node:24-bookworm-slim\n', 'FROM $' + '{BASE}\n')}`,
      '$' + '{BASE} has no tag',
    ],
    ['root', good.replace('USER 10001:10001', 'USER root'), 'ends as the user root'],
    ['root by its number', good.replace('10001:10001', '0:0'), 'ends as the user 0:0'],
    [
      'a user of another stage only',
      good.replace('USER 10001:10001\n', '').replace('FROM', 'FROM node:24 AS b\nUSER 10001\nFROM'),
      'ends as the user root',
    ],
    [
      'a download',
      good.replace('USER', 'ADD https://example.com/x /x\nUSER'),
      'ADD unpacks and downloads; COPY does neither',
    ],
    ['a secret argument', good.replace('USER', 'ARG NPM_TOKEN\nUSER'), 'ARG NPM_TOKEN looks like a secret'],
    ['a secret variable', good.replace('USER', 'ENV A=1 DB_PASSWORD=x\nUSER'), 'ENV A looks like a secret'],
    ['a shell as the first process', good.replace('\nCMD ["x"]', '\nCMD x'), 'CMD goes through a shell'],
    ['everything', good.replace('USER', 'COPY . .\nUSER'), 'copies everything there is'],
    [
      'a stage that is none',
      good.replace('USER', 'COPY --from=nowhere /x /x\nUSER'),
      'copies from nowhere, which is no stage',
    ],
    ['packages of the day', good.replace('USER', 'RUN npm install left\nUSER'), 'RUN brings in what no lockfile names'],
    ['a remote frontend', `# syntax=docker/dockerfile:1\n${good}`, 'asks for a frontend from a registry'],
    ['no health check', good.replace('HEALTHCHECK CMD ["x"]\n', ''), 'says nothing about its health'],
  ])('%s', (_, dockerfile, violation) => {
    expect(violations(dockerfile)).toContain(violation);
  });
});

interface Service {
  image?: string;
  profiles?: string[];
  user?: string;
  read_only?: boolean;
  privileged?: boolean;
  network_mode?: string;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  ports?: string[];
  tmpfs?: string[];
  volumes?: string[];
  secrets?: string[];
  environment?: Record<string, string>;
}

const compose = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: object;
  volumes: object;
};
const overlay = parse(text('docker/compose.overlay.yaml')) as { services: Record<string, Service> };
const services = Object.entries(compose.services);

describe('compose.yaml', () => {
  test.each(services)('%s is locked up', (name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.mem_limit && service.cpus && service.pids_limit).toBeTruthy();
    expect(service.privileged).toBeUndefined();
    expect(service.image).toMatch(/:(?!latest)[\w.-]+\}?$/);
    expect((service.volumes ?? []).filter((volume) => volume.includes('docker.sock'))).toEqual([]);
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    const secret = Object.keys(service.environment ?? {}).filter((variable) => isSecretShaped(variable));
    expect(secret).toEqual([]);
    // Root without its rights: one gives files away before a start, one has a volume that is root's.
    if (!['own-secrets', 'ollama'].includes(name)) expect(service).toMatchObject({ user: '10001:10001' });
    if (service.cap_add) expect([name, service.network_mode]).toEqual(['own-secrets', 'none']);
  });

  test.each(['mcp-router', 'router-1', 'router-2', 'router-3'])(
    '%s can write to no other place than the three',
    (name) => {
      const { tmpfs = [], volumes = [] } = compose.services[name] ?? {};
      const places = [
        ...tmpfs.map((entry) => entry.split(':')[0]),
        ...volumes.filter((volume) => !volume.endsWith(':ro')).map((volume) => volume.split(':')[1]),
      ];
      expect(['/app/state', '/app/outputs', '/home/mcp']).toEqual(expect.arrayContaining(places));
      expect(new Set(places).size).toBe(places.length);
    },
  );

  test.each([
    ['router-state', ['mcp-router']],
    ['replica-state', ['router-1', 'router-2', 'router-3']],
  ])('audit log, write switch and operators are on the volume %s, which outlives a container', (volume, names) => {
    expect(compose.volumes).toHaveProperty(volume);
    for (const name of names) {
      const { volumes, environment } = compose.services[name] ?? {};
      expect(volumes).toContain(`${volume}:/app/state`);
      expect(environment).toMatchObject({ SVC_MCP_OPERATORS_PATH: '/app/state/operators.json' });
    }
    const mounting = services.filter(([, { volumes = [] }]) => volumes.some((each) => each.startsWith(`${volume}:`)));
    expect(mounting.map(([name]) => name)).toEqual(names);
  });

  test('what a router writes for a moment goes into its home', () => {
    const router = text('docker/Dockerfile').split(/^FROM .* AS router$/m)[1] ?? '';
    expect(router).toMatch(/^ {4}TMPDIR=\/home\/mcp \\$/m);
  });

  test('the router has a profile, Redis and the model server have none', () => {
    const none = services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name);
    expect(none).toEqual(['redis', 'ollama']);
    expect(compose.services['mcp-router']?.profiles).toEqual(['router', 'console']);
  });

  test('the profile console adds the proxy in front of the console, which alone is published, and nothing else', () => {
    const started = services.filter(([, { profiles }]) => profiles?.includes('console')).map(([name]) => name);
    expect(started).toEqual(['mcp-router', 'console', 'own-secrets']);
    const { secrets, ports } = compose.services['console'] as Service;
    expect(secrets).toEqual(['console_certificate', 'console_key']);
    const port = '$' + '{CONSOLE_PORT:-8443}';
    expect(ports).toEqual([`127.0.0.1:${port}:8443`]);
    expect(text('docker/nginx-console.conf')).toContain(`proxy_pass http://mcp-router:${CONTAINER_CONSOLE_PORT};`);
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets ?? []));
  });

  test('`up demo` starts one service, which needs no other and no secret', () => {
    const started = services.filter(([, { profiles }]) => profiles?.includes('demo')).map(([name]) => name);
    expect(started).toEqual(['demo']);
    expect(compose.services['demo']).not.toHaveProperty('depends_on');
    expect(compose.services['demo']).not.toHaveProperty('secrets');
  });

  const platforms = readPlatformFiles(join(root, 'server/platforms'));
  const gates = platforms.flatMap(({ gate }) => (gate ? [gate.variable] : []));

  const limits = [
    ...['READONLY', 'CONFIRMATION', 'APPROVALS', 'APPROVAL_MINUTES', 'RATE_PER_SECOND', 'AUDIT_LOG'],
    ...['WRITES_PER_HOUR', 'WRITE_WINDOWS', 'WRITE_WINDOWS_ZONE', 'WRITES_OUTSIDE_WINDOWS'],
  ].map((name) => `SVC_MCP_${name}`);

  test.each(['mcp-router', 'router-1'])(
    '%s is given every limit that `.env` may set, and the page names them',
    (name) => {
      const { environment = {} } = compose.services[name] ?? {};
      expect(limits.filter((limit) => environment[limit] !== `\${${limit}:-}`)).toEqual([]);
      expect(limits.filter((limit) => !text('docs/containers.md').includes(`\`${limit}\``))).toEqual([]);
    },
  );

  test('the doctor takes what the image sets for what it sets', () => {
    const dockerfile = text('docker/Dockerfile');
    for (const [name, value] of Object.entries({ ...IMAGE_ENVIRONMENT, HOME: '/home/mcp' }))
      expect(dockerfile).toContain(` ${name}=${value}`);
  });

  test('its knobs are those of the router, with its defaults, and what opens a gate is left to `.env`', () => {
    const { MCP_HOST, SVC_MCP_OPERATORS_PATH, ...knobs } = compose.services['mcp-router']?.environment ?? {};
    expect([MCP_HOST, SVC_MCP_OPERATORS_PATH]).toEqual(['0.0.0.0', '/app/state/operators.json']);
    const defaults = Object.fromEntries(
      Object.entries(knobs).map(([name, value]) => [name, /^\$\{(\w+):-([^}]*)\}$/.exec(value)?.[2]]),
    );
    const own = ['ROUTER_MODE', 'TOOLSETS', 'PRODUCTS', 'ACCESS_PROFILE'].map((name) => `SVC_MCP_${name}`);
    expect(defaults).toEqual({
      ...Object.fromEntries(
        own.map((name) => [name, (VARIABLES as Record<string, { default?: string }>)[name]?.default]),
      ),
      ...Object.fromEntries(
        ['SVC_MCP_PRODUCT_ACCESS', 'SVC_MCP_EGRESS', ...gates, ...limits].map((name) => [name, '']),
      ),
    });
  });

  /** Gates of a router that compose starts with this `.env`, and the overlay that is tracked. */
  const openWith = (dotEnv: Record<string, string>) => {
    const { environment = {} } = compose.services['mcp-router'] ?? {};
    const values = Object.entries({ ...environment, ...overlay.services['mcp-router']?.environment }).map(
      ([name, value]): [string, string] => [
        name,
        value.replace(
          /\$\{(\w+):-([^}]*)\}/g,
          (_, variable: string, otherwise: string) => dotEnv[variable] || otherwise,
        ),
      ],
    );
    const nowhere = new Environment(Object.fromEntries(values), '/nowhere', { secretFiles: false });
    const access = readAccess(nowhere, platforms);
    return platforms.flatMap((platform) =>
      gateState(access, platform).state === 'enabled' ? [platform.gate?.variable] : [],
    );
  };
  const products = platforms.flatMap(({ kind, gate }) => (gate && kind === 'product' ? [gate.variable] : []));

  test.each<[string, Record<string, string>, string[]]>([
    ['nothing', {}, []],
    ['the profile full-read-write', { SVC_MCP_ACCESS_PROFILE: 'full-read-write' }, gates],
    ['the profile safe-read-only', { SVC_MCP_ACCESS_PROFILE: 'safe-read-only' }, []],
    ['access to the products', { SVC_MCP_PRODUCT_ACCESS: 'read-write' }, products],
    [
      'access to the products but one',
      { SVC_MCP_PRODUCT_ACCESS: 'read-write', SVC_MCP_NAC_WRITES: '0' },
      products.filter((name) => name !== 'SVC_MCP_NAC_WRITES'),
    ],
    ['one gate', { SVC_MCP_MGMT_WRITES: '1' }, ['SVC_MCP_MGMT_WRITES']],
    ['one gate, set to nothing', { SVC_MCP_MGMT_WRITES: '' }, []],
  ])('of nine gates, an `.env` that says %s opens its own and no other', (_, dotEnv, open) => {
    expect(gates).toHaveLength(9);
    expect(openWith(dotEnv).sort()).toEqual([...open].sort());
  });

  test('a profile and a gate in `.env` that contradict each other refuse the start', () => {
    const contradiction = { SVC_MCP_ACCESS_PROFILE: 'full-read-write', SVC_MCP_MGMT_WRITES: '0' };
    expect(() => openWith(contradiction)).toThrow('contradicts SVC_MCP_MGMT_WRITES=0');
  });
});

test('the tracked overlay publishes on this machine and declares the two secrets that every deployment needs', () => {
  expect(Object.keys(overlay.services)).toEqual(['mcp-router']);
  const { ports, secrets, environment } = overlay.services['mcp-router'] as Service;
  expect({ ports, secrets }).toEqual({
    ports: ['127.0.0.1:8010:8010'],
    secrets: ['mcp_http_bearer_token', 'credentials_yaml'],
  });
  expect(environment).toEqual({
    MCP_PORT: '8010',
    MCP_ALLOWED_HOSTS: '127.0.0.1:*,localhost:*',
    MCP_ALLOWED_ORIGINS: '127.0.0.1:*,localhost:*',
    MCP_HTTP_BEARER_TOKEN_FILE: '/run/secrets/mcp_http_bearer_token',
    CREDS_PATH: '/run/secrets/credentials_yaml',
  });
});

test('the build context begins with nothing, and never holds settings, accounts or secrets', () => {
  const lines = text('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const last = (line: string) => lines.lastIndexOf(line);
  for (const never of ['**/.env', 'secrets/*', '**/node_modules', '**/var'])
    expect({ never, after: last(never) > Math.max(last('!secrets'), last('!docker'), last('!server')) }).toEqual({
      never,
      after: true,
    });
  expect(lines.filter((line) => line.startsWith('!secrets')).sort()).toEqual([
    '!secrets',
    '!secrets/*.example',
    '!secrets/README.md',
  ]);
});

describe('docs/containers.md', () => {
  const page = text('docs/containers.md');

  test('names only services, profiles and files that exist', () => {
    const profiles = new Set(services.flatMap(([, { profiles = [] }]) => profiles));
    const named = [...page.matchAll(/--profile (\w+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !profiles.has(name))).toEqual([]);
    const files = [...page.matchAll(/`((?:docker|secrets|config|\.github)\/[\w/.-]+\.\w+|compose\.yaml)`/g)].map(
      ([, path]) => path as string,
    );
    expect(files.filter((path) => !path.startsWith('config/') && !existsSync(join(root, path)))).toEqual([]);
  });
});
