/** Puts the answers on the disk: secrets, accounts, `.env`, client configurations, and the container's overlay. Says what it did to each. */
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from 'yaml';
import { parseDotEnv } from '../config/dot-env.ts';
import { type EnvValues, envTemplate, withValues } from '../config/env-template.ts';
import { flagOf } from '../config/environment.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { isSecretShaped } from '../config/secret-files.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import { accountsDocument } from './accounts-document.ts';
import { type Answers, accountsOf, BEARER, envValues, fieldsOf, secretFilesOf, servedBy } from './answers.ts';
import { approvalValues } from './approval-answers.ts';
import { bindingValues, calledBy } from './binding-answers.ts';
import { composeOverlay } from './compose-overlay.ts';
import { type ClientName, type ClientSettings, clientFiles } from './host-files.ts';
import { moveSecrets } from './move-secrets.ts';
import { isForeign, isPrivateThere, readPrivate, refuseLinks, writePrivate } from './private-file.ts';

export type StepStatus = 'written' | 'kept' | 'done' | 'skipped' | 'warn' | 'failed';

export interface Step {
  status: StepStatus;
  label: string;
  detail: string;
}

export interface Writing {
  directory: string;
  /** The package: client templates lie under it. */
  root: string;
  platforms: readonly PlatformDefinition[];
  force: boolean;
  skipCredentials: boolean;
  places: Pick<ClientSettings, 'node' | 'router'>;
}

const CONTAINER_USER = 10001;

/** Every path is looked at before the first is written, so a refusal leaves everything as it was. */
export function writeAnswers(answers: Answers, writing: Writing): Step[] {
  const { directory } = writing;
  const served = servedBy(answers, writing.platforms);
  const secrets = secretFilesOf(answers, served);
  const credentials = answers.docker ? LAYOUT.containerCredentials : LAYOUT.credentials;
  const clients = clientTexts(answers, writing);
  const all = [
    BEARER.path,
    ...secrets.map(({ path }) => path),
    credentials,
    LAYOUT.env,
    ...Object.keys(clients),
    LAYOUT.overlay,
  ];
  for (const path of all) refuseLinks(directory, path);
  const env = readPrivate(directory, LAYOUT.env);
  const foreign = isForeign(directory, credentials);
  const document = foreign ? undefined : accountsIn(readPrivate(directory, credentials), credentials);
  const moved =
    document && answers.docker && !writing.skipCredentials
      ? moveSecrets(document, {
          directory,
          path: credentials,
          platforms: writing.platforms,
          replaced: (section, field) => writing.force && answers.secrets[section]?.[field] !== undefined,
        })
      : [];
  const accounts = document && accountsText(answers, served, document);
  const steps: Step[] = [
    secret(writing, BEARER.path, () => randomBytes(32).toString('hex')),
    ...moved.map(({ path, value }): Step => {
      writePrivate(directory, path, `${value}\n`);
      return { status: 'written', label: path, detail: `secret, moved out of ${credentials}, mode 0600` };
    }),
    ...(writing.skipCredentials
      ? []
      : secrets.flatMap(({ path, value }) => (value === undefined ? [] : [secret(writing, path, () => value)]))),
    ...(writing.skipCredentials
      ? [{ status: 'skipped', label: credentials, detail: '--skip-credentials' } as const]
      : [accounts === undefined ? leftToContainer(credentials) : put(directory, credentials, accounts)]),
  ];
  const there = [{ ...BEARER }, ...secrets].filter(({ path }) => isPrivateThere(directory, path));
  steps.push(...writeEnv(answers, writing, env, there));
  for (const [path, text] of Object.entries(clients)) steps.push(put(directory, path, text));
  if (answers.docker) steps.push(...writeContainer(answers, writing, there.slice(1), credentials));
  privateFolder(directory);
  return steps;
}

/** A secret is made or kept, and replaced only when that was asked for. Its value is in no step. */
function secret({ directory, force }: Writing, path: string, value: () => string): Step {
  if (isPrivateThere(directory, path) && !force)
    return { status: 'kept', label: path, detail: 'there already; --force replaces it' };
  writePrivate(directory, path, `${value()}\n`);
  return { status: 'written', label: path, detail: 'secret, mode 0600' };
}

const leftToContainer = (path: string): Step => ({
  status: 'warn',
  label: path,
  detail: 'belongs to the user of the container and was left alone; to change accounts, run the setup with sudo',
});

function put(directory: string, path: string, text: string): Step {
  if (readPrivate(directory, path) === text) {
    chmodSync(join(directory, path), 0o600);
    return { status: 'kept', label: path, detail: 'unchanged' };
  }
  writePrivate(directory, path, text);
  return { status: 'written', label: path, detail: 'mode 0600' };
}

function accountsIn(text: string | undefined, path: string): Document {
  const document = accountsDocument(text ?? '', path);
  if (text === undefined)
    document.commentBefore = ' Who this router is on each platform. Its secrets are files in secrets/.';
  return document;
}

/** The client ids of each platform, and no secret. Existing lines and comments of the file stay. */
function accountsText(answers: Answers, served: readonly PlatformDefinition[], document: Document): string {
  for (const platform of served.flatMap(accountsOf)) {
    const { section } = platform.auth;
    for (const field of fieldsOf(platform)) {
      const value = answers.accounts[section]?.[field];
      if (value && !SECRET_FIELDS.includes(field)) document.setIn([section, field], value);
    }
  }
  return document.contents === null ? '{}\n' : document.toString({ lineWidth: 0 });
}

function writeEnv(
  answers: Answers,
  { directory, platforms }: Writing,
  text: string | undefined,
  secrets: readonly { variable: string; path: string }[],
): Step[] {
  const { values: known, problems } = parseDotEnv(text ?? '', LAYOUT.env);
  // A value that somebody put there wins over a file, and an empty one beside a file would refuse the start.
  const named = secrets.filter(({ variable }) => known[variable] === undefined);
  const values: EnvValues = {
    ...(answers.docker ? {} : bindingValues(answers, known)),
    ...envValues(answers, platforms, named),
    ...approvalValues(answers, known),
    // An existing Redis setting would stay in force, so its line is replaced.
    ...(answers.docker && known['SVC_MCP_RAG_BACKEND'] ? { SVC_MCP_RAG_BACKEND: answers.ragBackend } : {}),
  };
  const step = put(
    directory,
    LAYOUT.env,
    text === undefined ? envTemplate(platforms, values) : withValues(text, values),
  );
  const opened = platforms.flatMap(({ id, gate }) => {
    const before = gate ? flagOf(known[gate.variable]?.trim() ?? '') : undefined;
    return gate && before !== true && values[gate.variable] === '1' ? [id] : [];
  });
  const found = Object.keys(known).filter((name) => isSecretShaped(name) && known[name] !== '');
  const secretsIn = found.length === 0 ? [] : [`looks like it holds secrets, left as they are: ${found.join(', ')}`];
  return [
    step,
    ...(opened.length > 0
      ? [{ status: 'done', label: 'write gates', detail: `opened: ${opened.join(', ')}` } as const]
      : []),
    ...[...problems, ...secretsIn].map((detail): Step => ({ status: 'warn', label: LAYOUT.env, detail })),
  ];
}

function clientTexts(answers: Answers, { root, directory, places }: Writing): Record<string, string> {
  const here = calledBy(answers.expose);
  const url = `http://${here === '127.0.0.1' ? here : (answers.hostname ?? here)}:${answers.port}/mcp`;
  const names = (Object.keys(LAYOUT.clients) as ClientName[]).filter((name) => !answers.docker || name !== 'stdio');
  return clientFiles(root, names, { ...places, directory, url, bearer: true, startable: !answers.docker });
}

function writeContainer(
  answers: Answers,
  { directory, platforms, force }: Writing,
  secrets: readonly { variable: string; path: string }[],
  credentials: string,
): Step[] {
  const text = composeOverlay(answers, platforms, secrets);
  const before = readPrivate(directory, LAYOUT.overlay);
  const differs = before !== undefined && before !== text && !force;
  const overlay: Step = differs
    ? {
        status: 'warn',
        label: LAYOUT.overlay,
        detail: 'kept, and it differs from these answers; --force replaces it',
      }
    : put(directory, LAYOUT.overlay, text);
  return [overlay, ownedByContainer(directory, [BEARER.path, credentials, ...secrets.map(({ path }) => path)])];
}

/** A file that compose mounts keeps its owner, and the router in the container is another user than we are. */
function ownedByContainer(directory: string, paths: readonly string[]): Step {
  const label = 'owner of the secrets';
  if (process.getuid?.() !== 0)
    return {
      status: 'done',
      label,
      detail: `${CONTAINER_USER} from the next start on: the service own-secrets sees to it`,
    };
  for (const path of paths)
    if (isPrivateThere(directory, path)) chownSync(join(directory, path), CONTAINER_USER, CONTAINER_USER);
  return { status: 'done', label, detail: `${CONTAINER_USER}, the user of the container` };
}

function privateFolder(directory: string): void {
  const folder = join(directory, LAYOUT.secrets);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) chmodSync(folder, 0o700);
}
