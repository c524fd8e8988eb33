/** Asks a person at a terminal for every answer that no flag gave. Secrets are typed without echo. */
import { isPlaceholder } from '../config/placeholder.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import { PRODUCTS, TOOLSETS } from '../config/variables.ts';
import type { Egress } from '../egress/egress.ts';
import { confirm, multiselect, note, select } from '../terminal-questions.ts';
import {
  type AccountValues,
  type Answers,
  fieldsOf,
  gatedUnder,
  MODES,
  openUnder,
  PROFILES,
  servedBy,
  setValue,
  withWrites,
} from './answers.ts';
import { askAddedAccount } from './ask-added.ts';
import { askApprovals } from './ask-approvals.ts';
import { addressOf, addressProblem } from './binding-answers.ts';
import { answered, hidden, line, portProblem, urlProblem } from './prompts.ts';
import { copyClient, type Shared, sharedWith } from './shared-client.ts';

export interface Asking {
  platforms: readonly PlatformDefinition[];
  /** The default answer for an empty line. */
  defaults: Answers;
  /** Answers that flags gave; they are not asked for. */
  given: Partial<Answers>;
  skipCredentials: boolean;
  /** Whether a secret lies on the disk already and stays. */
  keeps: (section: string, field: string) => boolean;
  /** The value of a secret that lies on the disk. */
  stored: (section: string, field: string) => string | undefined;
  /** Whether an operator who approves writes is there already. */
  hasOperators: boolean;
  /** Connections of a sign-in. */
  egress: Egress;
}

export async function askAnswers(asking: Asking): Promise<Answers> {
  const { defaults, given } = asking;
  let answers: Answers = { ...defaults, ...given };
  const ask = async (name: keyof Answers, question: () => Promise<unknown>, when = true) => {
    if (when && given[name] === undefined) answers = { ...answers, [name]: await question() };
  };
  await ask('toolsets', () =>
    several('Which platforms should the router serve?', TOOLSETS, answers.toolsets, TOOLSET_HINTS),
  );
  await ask('products', () => several('Which optional products as well?', PRODUCTS, answers.products));
  await ask('profile', () => one('What may the router change?', PROFILES, answers.profile, PROFILE_HINTS));
  const custom = answers.profile === 'custom';
  // Of another profile earlier gates say nothing any more.
  if (!custom) answers = { ...answers, writes: given.writes ?? [], productAccess: given.productAccess ?? 'read-only' };
  const gated = gatedUnder(answers, asking.platforms).map(({ id }) => id);
  if (custom && gated.length > 0 && given.writes === undefined) {
    const open = openUnder(answers, asking.platforms);
    const writes = await several('Which platforms may be written to? None is safest.', gated, open);
    answers = withWrites(answers, writes, asking.platforms);
  }
  await ask('mode', () => one('How many tools should a client see?', MODES, answers.mode, MODE_HINTS));
  await ask('port', async () => Number(await line('HTTP port', String(answers.port), portProblem)));
  if (openUnder(answers, asking.platforms).length > 0) answers = await askApprovals(answers, asking);
  await ask('expose', () => askExposure(answers.expose));
  await ask(
    'hostname',
    async () => {
      const question = 'Name by which other machines call it (empty: its address only)';
      const name = await line(question, answers.hostname ?? '', (typed) => (typed ? hostProblem(typed) : undefined));
      return name || undefined;
    },
    answers.expose !== undefined,
  );
  await ask(
    'ragImage',
    () => one('Which image?', ['small', 'ingestion'] as const, answers.ragImage, IMAGE_HINTS),
    answers.docker,
  );
  await ask(
    'ragBackend',
    () => one('Where does prose retrieval keep its vectors?', ['embedded', 'redis'] as const, answers.ragBackend, {}),
    answers.docker,
  );
  return asking.skipCredentials ? answers : askAccounts(answers, asking);
}

const TOOLSET_HINTS: Readonly<Record<string, string>> = {
  rag: 'no platform: local answers from the documents, without an account',
};
const PROFILE_HINTS = {
  'safe-read-only': 'nothing, whatever else is set',
  custom: 'only platforms you name next',
  'full-read-write': 'every platform it serves; each change is still confirmed',
};
const MODE_HINTS = { minimal: 'three', default: 'those and the most frequent reads', direct: 'every one' };
const IMAGE_HINTS = {
  small: 'answers from the API documents',
  ingestion: 'with packages that read prose documents, far larger',
};

async function askExposure(before: string | undefined): Promise<string | undefined> {
  const beyond = await answered(
    confirm({
      message: 'Should other machines reach it? This machine only is safest.',
      initialValue: before !== undefined,
    }),
  );
  if (!beyond) return undefined;
  const address = await line('Address to publish on', before ?? '', addressProblem);
  await line('The same address once more', '', (again) =>
    again === address ? undefined : `not the same as ${address}`,
  );
  return addressOf(address);
}

async function askAccounts(answers: Answers, asking: Asking): Promise<Answers> {
  const accounts: AccountValues = structuredClone(answers.accounts) as AccountValues;
  const secrets: AccountValues = structuredClone(answers.secrets) as AccountValues;
  const served = servedBy(answers, asking.platforms);
  note('Press Enter to leave out what you do not have yet; the doctor will remind you.', 'Accounts');
  for (const platform of served) {
    if (platform.kind === 'user') {
      await askAddedAccount(platform, { accounts, secrets }, asking);
      continue;
    }
    const { section } = platform.auth;
    const shared = sharedWith(platform, served);
    const same = shared !== undefined && (await sameClient(platform, shared, accounts, asking));
    const fields = fieldsOf(platform).filter((field) => !(same && shared.fields.includes(field)));
    for (const field of fields)
      if (SECRET_FIELDS.includes(field)) await askSecret(platform, field, secrets, asking);
      else await askAccount(platform, field, accounts, asking);
    if (same) copyClient(shared, section, accounts, secrets);
  }
  return { ...answers, accounts, secrets };
}

async function askAccount(
  platform: PlatformDefinition,
  field: string,
  accounts: AccountValues,
  { given }: Asking,
): Promise<void> {
  const { section } = platform.auth;
  if (given.accounts?.[section]?.[field] !== undefined) return;
  const value = await askField(platform, field, accounts[section]?.[field]);
  if (value) setValue(accounts, section, field, value);
}

async function askSecret(
  { title, auth: { section } }: PlatformDefinition,
  field: string,
  secrets: AccountValues,
  asking: Asking,
): Promise<void> {
  if (secrets[section]?.[field] !== undefined || asking.keeps(section, field)) return;
  const typed = await hidden(`${title}: ${field}`);
  if (typed) setValue(secrets, section, field, typed);
}

async function sameClient(
  { title, auth }: PlatformDefinition,
  shared: Shared,
  accounts: Answers['accounts'],
  { given }: Asking,
): Promise<boolean> {
  if (shared.fields.some((field) => given.accounts?.[auth.section]?.[field] !== undefined)) return false;
  const differs = shared.fields.some((field) => {
    const own = accounts[auth.section]?.[field];
    return own !== undefined && own !== accounts[shared.section]?.[field];
  });
  return answered(confirm({ message: `${title}: the same client as the ${shared.title}?`, initialValue: !differs }));
}

async function askField(
  { title, regions }: PlatformDefinition,
  field: string,
  before: string | undefined,
): Promise<string> {
  if (field !== 'base_url') return line(`${title}: ${field}`, before ?? '');
  if (regions !== undefined) {
    const known = regions.find(({ base_url }) => base_url === before);
    const chosen = await answered(
      select({
        message: `${title}: which region?`,
        options: [
          ...regions.map(({ name, base_url }) => ({
            value: base_url,
            label: name,
            hint: isPlaceholder(base_url) ? `${base_url}, an example that nobody answers at` : base_url,
          })),
          { value: '', label: 'another address' },
        ],
        initialValue: before === undefined || known ? (known ?? regions[0])?.base_url : '',
      }),
    );
    if (chosen) return chosen;
  }
  return line(`${title}: base_url`, before ?? '', (value) => (value === '' ? undefined : urlProblem(value)));
}

export function hostProblem(value: string): string | undefined {
  return /^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/i.test(value) ? undefined : 'one host name, without port or wildcard';
}

async function several(
  message: string,
  names: readonly string[],
  before: readonly string[],
  hints: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const chosen = before.includes('all') ? [...names] : names.filter((name) => before.includes(name));
  return answered(
    multiselect({
      message,
      // The prompt shows the hint of the marked line alone.
      options: names.map((value) => ({ value, label: hints[value] ? `${value} (${hints[value]})` : value })),
      initialValues: chosen,
      required: false,
    }),
  );
}

async function one<T extends string>(
  message: string,
  names: readonly T[],
  before: T,
  hints: Partial<Record<T, string>>,
): Promise<T> {
  const options = names.map((value) => ({ value, label: value, ...(hints[value] ? { hint: hints[value] } : {}) }));
  return answered(select<string>({ message, options, initialValue: before })) as Promise<T>;
}
