/** The setup wizard. Everything is asked before anything is written. Started by `setup.mjs`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { packageRoot } from '../config/config.ts';
import { version } from '../config/package-version.ts';
import { type PlatformDefinition, readPlatformFiles } from '../config/platform-file.ts';
import { LAYOUT, secretFileOf } from '../config/setup-layout.ts';
import { shellWord } from '../config/shell-word.ts';
import { straySecretsAt } from '../config/stray-secrets.ts';
import { examine, reportLines } from '../doctor/examine.ts';
import { commandFor, installationOf, installedCommand } from '../doctor/installation.ts';
import { RouterError } from '../errors.ts';
import { addedPlatforms, flaggedSignIn, setupEgress } from '../setup/added-platforms.ts';
import { type AccountValues, type Answers, checkAnswers, checkNames, servedBy, setValue } from '../setup/answers.ts';
import { operatorsOf } from '../setup/approval-answers.ts';
import { askAnswers } from '../setup/ask.ts';
import { calledBy } from '../setup/binding-answers.ts';
import { addFlags, answersOf, type Flags } from '../setup/flags.ts';
import { earlierAnswers, withGiven } from '../setup/previous-answers.ts';
import { readPrivate } from '../setup/private-file.ts';
import { Cancelled } from '../setup/prompts.ts';
import { copyClient, sharedWith } from '../setup/shared-client.ts';
import { type Step, writeAnswers } from '../setup/write-answers.ts';
import { runCommand } from './run-command.ts';

const CHECKOUT = join(packageRoot, 'run.mjs');
const isCheckout = existsSync(CHECKOUT);
const EXIT_INTERRUPTED = 130;

const program = addFlags(
  new Command('svc-mcp-setup')
    .description(
      'Set up this folder: accounts, secrets, settings, client configurations, catalog; then look at it all.',
    )
    .version(version),
).action(async (flags: Flags) => {
  const directory = resolve(flags.directory);
  const say = (step: Step) => process.stdout.write(`[${step.status}] ${step.label}: ${step.detail}\n`);
  if (flags.skipInstall) say({ status: 'skipped', label: 'packages', detail: '--skip-install' });
  else say(install());
  const platforms = [...shipped, ...added(flags, directory, say)];
  const answers = await decide(flags, directory, platforms);
  if (answers === undefined) {
    process.stdout.write('Nothing was written.\n');
    process.exitCode = EXIT_INTERRUPTED;
    return;
  }
  const steps = writeAnswers(answers, {
    directory,
    root: packageRoot,
    platforms,
    force: flags.force === true,
    skipCredentials: flags.skipCredentials === true,
    places: { node: process.execPath, router: join(packageRoot, 'server', 'cli', 'router.mjs') },
  });
  for (const step of steps) say(step);
  if (answers.operator !== undefined) say(await addOperator(answers.operator, directory));
  const catalog = flags.skipCatalog ? skippedCatalog(directory) : buildCatalog(directory);
  say(catalog);
  const failed = flags.skipDoctor ? false : await lookAtIt(directory);
  process.stdout.write(nextSteps(answers, directory, failed));
  process.exitCode = failed || catalog.status === 'failed' ? 1 : 0;
});

/** An operator who is there keeps the password. */
async function addOperator({ name, password }: Operator, directory: string): Promise<Step> {
  const operators = operatorsOf(process.env, directory);
  const label = `operator ${name}`;
  if (operators.names().includes(name))
    return { status: 'kept', label, detail: 'there already, with the password of before' };
  await operators.add(name, password);
  return { status: 'written', label, detail: 'password hashed, mode 0600' };
}
type Operator = NonNullable<Answers['operator']>;

const shipped = readPlatformFiles(join(packageRoot, 'server', 'platforms'));
/** The command also makes the documents of a checkout, which a start does not. */
const skippedCatalog = (directory: string): Step => ({
  status: 'skipped',
  label: 'catalog',
  detail: `--skip-catalog; ${isCheckout ? commandFor(directory)('catalog') : 'the first start'} builds it`,
});

/** Platforms of the operator's own lie in a folder of this host, which a container does not have. */
function added(flags: Flags, directory: string, say: (step: Step) => void): PlatformDefinition[] {
  if (flags.docker) return [];
  // Refuses what is no folder of ours, in the words of the setup.
  readPrivate(directory, LAYOUT.env);
  const { platforms, problems } = addedPlatforms(process.env, directory, shipped);
  for (const detail of problems) say({ status: 'warn', label: 'added platform', detail });
  return platforms;
}

async function decide(
  flags: Flags,
  directory: string,
  platforms: readonly PlatformDefinition[],
): Promise<Answers | undefined> {
  const given = answersOf(flags, platforms);
  // Before the first question, and not after the last one.
  checkNames(given, platforms);
  const defaults = withGiven(earlierAnswers(directory, flags.docker === true, platforms), given);
  const moving = flags.docker === true ? straySecretsAt(join(directory, LAYOUT.containerCredentials)) : [];
  const stored = (section: string, field: string) => readPrivate(directory, secretFileOf(section, field))?.trim();
  const keeps = (section: string, field: string) =>
    flags.force !== true &&
    (stored(section, field) !== undefined ||
      moving.some((secret) => secret.section === section && secret.field === field));
  if (flags.yes) {
    const answers = filledIn(defaults, platforms);
    checkAnswers(answers, platforms, given);
    return signedIn(answers, flags, { platforms, directory, stored, keeps });
  }
  if (flags.signIn !== undefined)
    throw new RouterError('USAGE', '--sign-in goes with --yes; without it the setup asks for the sign-in');
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new RouterError('USAGE', 'the setup should be run in a terminal, or with --yes and flags, got neither');
  try {
    const answers = await askAnswers({
      platforms,
      defaults,
      given,
      skipCredentials: flags.skipCredentials === true,
      keeps,
      stored,
      hasOperators: operatorsOf(process.env, directory).names().length > 0,
      egress: setupEgress(process.env, directory),
    });
    checkAnswers(answers, platforms, given);
    return answers;
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

interface SigningIn {
  platforms: readonly PlatformDefinition[];
  directory: string;
  stored: (section: string, field: string) => string | undefined;
  keeps: (section: string, field: string) => boolean;
}

/** The answers with the refresh tokens of `--sign-in`. The address of the redirect may come by a line on stdin. */
async function signedIn(
  answers: Answers,
  { signIn = [], docker }: Flags,
  { platforms, directory, stored, keeps }: SigningIn,
): Promise<Answers> {
  if (signIn.length > 0 && docker)
    throw new RouterError('USAGE', '--sign-in is not for --docker: a container has no added platforms');
  const accounts = structuredClone(answers.accounts) as AccountValues;
  const secrets = structuredClone(answers.secrets) as AccountValues;
  for (const entry of signIn) {
    const secretOf = (section: string, field: string) => secrets[section]?.[field] ?? stored(section, field);
    const { section, token } = await flaggedSignIn(
      entry,
      { platforms, accounts, secretOf, keeps },
      {
        egress: setupEgress(process.env, directory),
        show: (url) =>
          process.stdout.write(
            `Open this address in a browser, or paste here the address that a browser elsewhere ended at:\n${url}\n`,
          ),
        pasted: typedLine,
      },
    );
    setValue(secrets, section, 'refresh_token', token);
  }
  return { ...answers, secrets };
}

/** The next line of stdin that holds something; stays open where stdin ends first. */
function typedLine(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin });
    lines.on('line', (text) => {
      if (text.trim() !== '') resolve(text);
    });
    signal.addEventListener('abort', () => {
      lines.close();
      process.stdin.unref?.();
    });
  });
}

/** The defaults: the first region if there is no address yet, and one client for accounts that can share it. */
function filledIn(answers: Answers, platforms: readonly PlatformDefinition[]): Answers {
  const served = servedBy(answers, platforms);
  const accounts = structuredClone(answers.accounts) as AccountValues;
  const secrets = structuredClone(answers.secrets) as AccountValues;
  for (const { auth, regions } of served) {
    const [first] = regions ?? [];
    if (first !== undefined && !accounts[auth.section]?.['base_url'])
      setValue(accounts, auth.section, 'base_url', first.base_url);
  }
  for (const platform of served) {
    const { section } = platform.auth;
    const shared = sharedWith(platform, served);
    const own = shared?.fields.some((field) => accounts[section]?.[field] || secrets[section]?.[field]);
    if (shared !== undefined && own !== true) copyClient(shared, section, accounts, secrets);
  }
  return { ...answers, accounts, secrets };
}

function install(): Step {
  if (!isCheckout) return { status: 'kept', label: 'packages', detail: 'came with this package' };
  const { status } = spawnSync(process.execPath, [CHECKOUT, '--install'], { stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new RouterError('INTERNAL', 'the packages could not be installed', {
      remedy: 'see the lines above; --skip-install continues without it',
    });
  return { status: 'done', label: 'packages', detail: 'as in package-lock.json' };
}

/** Everything goes into the catalog; what is served and what may be written is decided at run time. */
function buildCatalog(directory: string): Step {
  const words = isCheckout
    ? [join(packageRoot, 'catalog.ts'), '--directory', directory]
    : [
        join(packageRoot, 'server', 'cli', 'catalog.mjs'),
        'build',
        '--products',
        'all',
        '--complete-catalog',
        '--directory',
        directory,
      ];
  process.stdout.write('Building the catalog …\n');
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return { status: 'done', label: 'catalog', detail: 'every platform, gates decide at run time' };
  process.stderr.write(stderr);
  return { status: 'failed', label: 'catalog', detail: 'could not be built, see above' };
}

async function lookAtIt(directory: string): Promise<boolean> {
  const report = await examine(installationOf({ env: process.env, directory }));
  const lines = reportLines(report, { print: false, by: commandFor(directory)('doctor', '--all') });
  process.stdout.write(`${lines.join('\n')}\n`);
  return report.counts.fail > 0;
}

function nextSteps(
  { docker, port, expose, ragBackend, ...answers }: Answers,
  directory: string,
  failed: boolean,
): string {
  const place = `\nNext, in ${docker ? directory : isCheckout ? packageRoot : process.cwd()}\n`;
  const look = `  look again   ${commandFor(directory)('doctor')}\n`;
  // A failure blocks what comes after it (specification 1.4).
  if (failed) return `${place}  correct      each [FAIL] above, by its remedy\n${look}`;
  const isHere = directory === (isCheckout ? packageRoot : process.cwd());
  const folder = isHere ? '' : ` --directory ${shellWord(directory)}`;
  const services = ragBackend === 'redis' ? 'mcp-router redis ollama' : 'mcp-router';
  const start = docker
    ? `docker compose -f compose.yaml -f ${LAYOUT.overlay} --profile router up -d --build ${services}`
    : `${isCheckout ? './tool-router' : installedCommand('router')}${folder}`;
  return `${place}${look}  start        ${start}
  verify       curl http://${calledBy(expose)}:${port}/livez
  connect      with a file of ${join(directory, 'config/clients')}${isCheckout ? ' (docs/setup.md says which)' : ''}
  its token    is in ${join(directory, LAYOUT.bearer)}
${approveStep(answers, directory, docker)}`;
}

function approveStep(
  { approvals, consolePort }: Pick<Answers, 'approvals' | 'consolePort'>,
  directory: string,
  docker: boolean,
): string {
  if (approvals === 'client') return '';
  if (docker)
    return `  approve      at https://localhost:${consolePort}, with the profile console (docs/containers.md says how)\n`;
  const command = commandFor(directory)('approvals', 'list', '--operator', 'NAME');
  const page = isCheckout ? 'docs/approvals.md' : '--help';
  return `  approve      at http://127.0.0.1:${consolePort}, or with ${command} (${page} says how)\n`;
}

await runCommand(program);
