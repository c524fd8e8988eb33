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
  platformIn,
} from '../config/platform-file.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { takeLock } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { yaml } from '../lazy-import.ts';
import { didYouMean } from '../nearest.ts';
import { undeclaredSchemes } from './declared-security.ts';
import type { TakenIn } from './import-document.ts';
import type { ImportOptions } from './import-options.ts';
import { authOf } from './platform-auth.ts';

const BURST = 2;

/** What the platform file will say: the user's options first, then what the documents state. Adds the findings of that to the others. */
export function definePlatform(options: ImportOptions, taken: TakenIn): PlatformDefinition {
  const { documents, baseUrl: stated, findings } = taken;
  const { name, baseUrl } = options;
  const auth = authOf(options, documents, stated);
  if (auth.strategy === 'none' && options.auth === undefined) findings.push(...undeclaredSchemes(documents));
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

/** Longer than any two steps of a write take between which it reports, and than what another one is waited for. */
const LOCK_TIMES = { staleMs: 60_000, patienceMs: 10_000 };

/**
 * Writes documents and file; the file comes last and in one move, so a router never sees one without the other. What the router would
 * refuse to read is not written.
 */
export function writeUserPlatform(configDir: string, platform: PlatformDefinition, { documents }: TakenIn): string {
  const folder = join(configDir, 'platforms');
  const home = `${platform.id}-${randomUUID().slice(0, 8)}`;
  const file = join(folder, `${platform.id}.yaml`);
  const text = checkedText(file, { ...platform, documents: home });
  makeFolder(folder);
  return whileAlone(folder, platform.id, (report) => {
    mkdirSync(join(folder, home), { mode: 0o700 });
    for (const { id, content } of documents) {
      const info = isObject(content['info']) ? content['info'] : {};
      writeFileSync(
        join(folder, home, `${id}.json`),
        JSON.stringify({ ...content, info: { ...info, 'x-svc-document': id } }),
      );
      report();
    }
    writeAtomically(file, text);
    removeHomes(folder, platform.id, home);
    return file;
  });
}

export function removeUserPlatform(configDir: string, name: string): void {
  const folder = join(configDir, 'platforms');
  const known = existsSync(folder)
    ? readdirSync(folder)
        .filter((entry) => /^[^.].*\.yaml$/.test(entry))
        .map((entry) => entry.slice(0, -'.yaml'.length))
    : [];
  // Only what the folder lists: a name may be the path of another file.
  if (!known.includes(name))
    throw new RouterError(
      'USAGE',
      `NAME should be a platform that was added (${known.join(', ') || 'there is none'}), got ${JSON.stringify(name)}${didYouMean(name, known)}`,
    );
  whileAlone(folder, name, () => {
    rmSync(join(folder, `${name}.yaml`), { force: true });
    removeHomes(folder, name, '');
  });
}

function checkedText(file: string, platform: PlatformDefinition): string {
  const text = `# Written by svc-mcp-catalog add. Credentials do not belong here.\n${yaml().stringify(platform)}`;
  try {
    platformIn(text, file);
  } catch (cause) {
    if (!(cause instanceof RouterError)) throw cause;
    throw new RouterError('DOCUMENT_INVALID', `the router would not read the platform file: ${cause.message}`, {
      cause,
      remedy: 'correct what the document states there, or replace its security schemes with --auth',
    });
  }
  return text;
}

/** Two commands that change one platform at a time would each remove what the other one writes. */
function whileAlone<T>(folder: string, name: string, work: (report: () => void) => T): T {
  const lock = takeLock(join(folder, `${name}.lock`), LOCK_TIMES);
  if (lock === undefined)
    throw new RouterError('STATE_UNAVAILABLE', `another command changes the platform ${name}: nothing was changed`, {
      remedy: 'wait until it has ended, then run the command again',
    });
  try {
    return work(lock.report);
  } finally {
    lock.release();
  }
}

function removeHomes(folder: string, name: string, keep: string): void {
  for (const entry of readdirSync(folder))
    if (entry !== keep && entry.startsWith(`${name}-`) && /^[0-9a-f]{8}$/.test(entry.slice(name.length + 1)))
      rmSync(join(folder, entry), { recursive: true, force: true });
}
