/** A platform of the user's own: `<config>/platforms/<name>.yaml` and its documents beside it, there as a whole or not. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../catalog/platform-document.ts';
import {
  CREDENTIAL_FIELDS,
  derivedVariables,
  OPTIONAL_FIELDS,
  type PlatformDefinition,
} from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { yaml } from '../lazy-import.ts';
import { didYouMean } from '../nearest.ts';
import type { TakenIn } from './import-document.ts';
import type { ImportOptions } from './import-options.ts';
import { authOf } from './platform-auth.ts';

const BURST = 2;

/** What the platform file will say: the user's options first, then what the documents state. */
export function definePlatform(options: ImportOptions, { documents, baseUrl: stated }: TakenIn): PlatformDefinition {
  const { name, baseUrl } = options;
  const auth = authOf(options, documents, stated);
  const info = documents[0]?.content['info'];
  const title =
    options.title ??
    (isObject(info) && typeof info['title'] === 'string' ? info['title'].replace(/\s+/g, ' ').trim().slice(0, 60) : '');
  return {
    id: name,
    title: title || name,
    kind: 'user',
    words: [name],
    documents: name,
    backends: {},
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(baseUrl !== undefined || stated === undefined ? {} : { stated_base_url: stated }),
    ...(options.tokenUrl && URL.canParse(options.tokenUrl)
      ? { named_origins: [new URL(options.tokenUrl).origin] }
      : {}),
    auth: {
      ...auth,
      section: name,
      variables: derivedVariables(name, [
        ...CREDENTIAL_FIELDS[auth.strategy],
        ...(OPTIONAL_FIELDS[auth.strategy] ?? []),
      ]),
    },
    gate: { variable: `SVC_MCP_${name.toUpperCase()}_WRITES`, default: 'off' },
    rate: { burst: BURST },
    overrides: {},
  };
}

/** Writes documents and file; the file comes last and in one move, so a router never sees one without the other. */
export function writeUserPlatform(configDir: string, platform: PlatformDefinition, { documents }: TakenIn): string {
  const folder = join(configDir, 'platforms');
  const home = `${platform.id}-${randomUUID().slice(0, 8)}`;
  mkdirSync(join(folder, home), { recursive: true, mode: 0o700 });
  for (const { id, content } of documents) {
    const info = isObject(content['info']) ? content['info'] : {};
    writeFileSync(
      join(folder, home, `${id}.json`),
      JSON.stringify({ ...content, info: { ...info, 'x-svc-document': id } }),
    );
  }
  const file = join(folder, `${platform.id}.yaml`);
  writeAtomically(
    file,
    `# Written by svc-mcp-catalog add. Credentials do not belong here.\n${yaml().stringify({ ...platform, documents: home })}`,
  );
  removeHomes(folder, platform.id, home);
  return file;
}

export function removeUserPlatform(configDir: string, name: string): void {
  const folder = join(configDir, 'platforms');
  const file = join(folder, `${name}.yaml`);
  if (!existsSync(file)) {
    const known = existsSync(folder)
      ? readdirSync(folder)
          .filter((entry) => /^[^.].*\.yaml$/.test(entry))
          .map((entry) => entry.slice(0, -5))
      : [];
    throw new RouterError(
      'USAGE',
      `NAME should be a platform that was added (${known.join(', ') || 'there is none'}), got ${JSON.stringify(name)}${didYouMean(name, known)}`,
    );
  }
  rmSync(file);
  removeHomes(folder, name, '');
}

function removeHomes(folder: string, name: string, keep: string): void {
  for (const entry of readdirSync(folder))
    if (entry !== keep && new RegExp(`^${name}-[0-9a-f]{8}$`).test(entry))
      rmSync(join(folder, entry), { recursive: true, force: true });
}
