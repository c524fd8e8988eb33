/** A router in a container of its own, locked up as compose.yaml does it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { IMAGE } from './container-engine.ts';

// Each test ends what it started; the library's own cleaner would be another image, with the engine's socket in it.
process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
if ((process.env['DOCKER_HOST'] ?? 'unix:').startsWith('unix:'))
  process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1';

export const USER = 10001;
const PORT = 8010;
const NAMES = '127.0.0.1:*,localhost:*';

class LockedUp extends GenericContainer {
  constructor(image: string) {
    super(image);
    Object.assign(this.hostConfig, {
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges:true'],
      PidsLimit: 128,
      Memory: 512 << 20,
    });
  }
}

export interface Wanted {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  /** Files of the host in the container, read-only. */
  files?: Record<string, string>;
  /** Answers as soon as it is up, whatever it answers. */
  readyPath?: string;
}

/** A folder in memory that is the container user's alone, as compose.yaml mounts it. */
const OWN = `uid=${USER},gid=${USER},mode=0700`;

export interface RouterContainer extends AsyncDisposable {
  started: StartedTestContainer;
  /** `http://127.0.0.1:PORT` */
  base: string;
}

export async function routerContainer({
  image = IMAGE,
  command,
  environment = {},
  files = {},
  readyPath = '/livez',
}: Wanted = {}): Promise<RouterContainer> {
  const started = await new LockedUp(image)
    .withExposedPorts(PORT)
    .withEnvironment({
      MCP_HOST: '0.0.0.0',
      MCP_ALLOWED_HOSTS: NAMES,
      MCP_ALLOWED_ORIGINS: NAMES,
      ...environment,
    })
    .withBindMounts(Object.entries(files).map(([target, source]) => ({ source, target, mode: 'ro' as const })))
    .withTmpFs({ '/home/mcp': OWN, '/app/state': OWN })
    .withCommand(command ?? ['router'])
    .withWaitStrategy(Wait.forHttp(readyPath, PORT).forStatusCodeMatching((code) => code > 0))
    .withStartupTimeout(120_000)
    .start();
  return {
    started,
    base: `http://127.0.0.1:${started.getMappedPort(PORT)}`,
    [Symbol.asyncDispose]: async () => {
      await started.stop({ timeout: 5_000 });
    },
  };
}

/** Files with secrets as the container's user can read them. */
export function secretFolder(
  files: Record<string, string>,
  owner: { uid: number; mode: number } = { uid: USER, mode: 0o600 },
) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-secrets-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: owner.mode });
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
