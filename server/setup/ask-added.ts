/** Asks for the account of a platform that was added from documents: what its stored security needs, and nothing else. */
import {
  CREDENTIAL_FIELDS,
  type DeclaredScheme,
  OPTIONAL_FIELDS,
  type PlatformDefinition,
  type SingleStrategy,
} from '../config/platform-file.ts';
import { SECRET_FIELDS } from '../config/stray-secrets.ts';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { openIdConfiguration } from '../oidc/authorization-server.ts';
import { log, select, text } from '../terminal-questions.ts';
import { signIn } from './account-sign-in.ts';
import { type AccountValues, type Answers, setValue } from './answers.ts';
import { answered, hidden, line, urlProblem } from './prompts.ts';
import { ownTokenUrl, signInEndpoints } from './sign-in-endpoints.ts';

export interface AddedAsking {
  given: Partial<Answers>;
  keeps: (section: string, field: string) => boolean;
  /** The value of a secret that lies on the disk. */
  stored: (section: string, field: string) => string | undefined;
  egress: Egress;
}

export interface AddedValues {
  accounts: AccountValues;
  secrets: AccountValues;
}

/** How the account gets in: a strategy, or a sign-in that gives the refresh token for one. */
type Choice = { auth: PlatformDefinition['auth']; signsIn: boolean } | undefined;

export async function askAddedAccount(
  platform: PlatformDefinition,
  values: AddedValues,
  asking: AddedAsking,
): Promise<void> {
  const { auth, title } = platform;
  if (platform.base_url === undefined)
    await askAddress(`${title}: base_url`, { platform, field: 'base_url', stated: platform.stated_base_url, values });
  const schemes = auth.strategy === 'declared' ? (auth.schemes ?? []) : [single(auth)];
  for (const scheme of schemes) {
    const choice = await askWay(platform, scheme);
    if (choice !== undefined) await askCredential({ ...platform, auth: choice.auth }, choice.signsIn, values, asking);
  }
}

type AskedScheme = Pick<DeclaredScheme, 'name' | 'about'> & { ways: readonly PlatformDefinition['auth'][] };

const single = (auth: PlatformDefinition['auth']): AskedScheme => ({ name: '', about: auth.strategy, ways: [auth] });

const WAYS: Partial<Record<SingleStrategy, string>> = {
  'oauth2-client-credentials': 'client id and secret of a program',
  'oauth2-refresh-token': 'a refresh token that I have',
  'bearer-token': 'an access token that I have',
};

/** Only one way that needs no decision is taken as it is: Enter leaves its fields out. */
async function askWay({ title }: PlatformDefinition, { name, about, ways }: AskedScheme): Promise<Choice> {
  const [only, ...others] = ways;
  if (only === undefined) return undefined;
  if (others.length === 0 && only.strategy !== 'oauth2-refresh-token') return { auth: only, signsIn: false };
  const options = ways.flatMap((auth) => {
    const label = WAYS[auth.strategy as SingleStrategy] ?? auth.strategy;
    const signs = { label: 'I sign in, with a browser', choice: { auth, signsIn: true } };
    return [...(auth.strategy === 'oauth2-refresh-token' ? [signs] : []), { label, choice: { auth, signsIn: false } }];
  });
  const chosen = await answered(
    select<number>({
      message: `${title}: ${name === '' ? about : `${name} (${about})`}`,
      options: [{ value: -1, label: 'later' }, ...options.map(({ label }, value) => ({ value, label }))],
      initialValue: -1,
    }),
  );
  return options[chosen]?.choice;
}

async function askCredential(
  platform: PlatformDefinition,
  signsIn: boolean,
  values: AddedValues,
  asking: AddedAsking,
): Promise<void> {
  const { strategy } = platform.auth;
  const fields = [...CREDENTIAL_FIELDS[strategy], ...(OPTIONAL_FIELDS[strategy] ?? [])];
  for (const field of fields)
    if (!signsIn || field !== 'refresh_token') await askField(platform, field, values, asking);
  if (strategy.startsWith('oauth2-') && ownTokenUrl(platform, values.accounts) === undefined)
    await askTokenUrl(platform, signsIn, values, asking);
  if (signsIn) await askSignIn(platform, values, asking);
}

async function askField(
  { title, auth: { section } }: PlatformDefinition,
  field: string,
  { accounts, secrets }: AddedValues,
  { given, keeps }: AddedAsking,
): Promise<void> {
  const message = `${title}: ${field}`;
  if (SECRET_FIELDS.includes(field)) {
    if (secrets[section]?.[field] !== undefined || keeps(section, field)) return;
    const typed = await hidden(message);
    if (typed) setValue(secrets, section, field, typed);
    return;
  }
  if (given.accounts?.[section]?.[field] !== undefined) return;
  const typed = await line(message, accounts[section]?.[field] ?? '');
  if (typed) setValue(accounts, section, field, typed);
}

interface Address {
  platform: PlatformDefinition;
  field: 'base_url' | 'token_url' | 'authorization_url';
  /** What the document, or the server that the operator named, states. */
  stated: string | undefined;
  values: AddedValues;
}

/** Only the operator decides where credentials go, so no default is what a document states. */
async function askAddress(message: string, { platform, field, stated, values }: Address): Promise<void> {
  const { section } = platform.auth;
  const before = values.accounts[section]?.[field];
  const chosen = await addressOf(message, before, stated);
  if (chosen) setValue(values.accounts, section, field, chosen);
}

async function addressOf(message: string, before: string | undefined, stated: string | undefined): Promise<string> {
  const usable = stated !== undefined && urlProblem(stated) === undefined ? stated : undefined;
  const known = [...new Set([before, usable])].filter((url) => url !== undefined);
  const chosen =
    usable === undefined
      ? 'other'
      : await answered(
          select({
            message: `${message}: credentials go there`,
            options: [
              ...known.map((url) => ({
                value: url,
                label: url,
                hint: url === before ? 'as before' : 'stated, not checked',
              })),
              { value: 'other', label: 'another address' },
              { value: '', label: 'later' },
            ],
            initialValue: before ?? '',
          }),
        );
  if (chosen !== 'other') return chosen;
  return line(message, before ?? '', (value) => (value === '' ? undefined : urlProblem(value)));
}

/** A scheme of OpenID names a configuration; what that states on other origins is asked for once more. */
async function askTokenUrl(
  platform: PlatformDefinition,
  signsIn: boolean,
  values: AddedValues,
  { egress }: AddedAsking,
): Promise<void> {
  const { auth, title } = platform;
  let stated = auth.stated_token_url;
  let page = auth.stated_authorization_url;
  const { accounts } = values;
  if (signsIn && auth.stated_openid_url !== undefined && accounts[auth.section]?.['token_url'] === undefined) {
    const url = await addressOf(`${title}: OpenID configuration`, undefined, auth.stated_openid_url);
    const found = url === '' ? undefined : await tried(() => openIdConfiguration(egress, url));
    stated = found?.tokenUrl;
    page = found?.authorizationUrl;
  }
  await askAddress(`${title}: token_url`, { platform, field: 'token_url', stated, values });
  if (signsIn && page !== undefined && signInEndpoints(platform, accounts).authorizationUrl === undefined)
    await askAddress(`${title}: authorization_url`, { platform, field: 'authorization_url', stated: page, values });
}

async function askSignIn(platform: PlatformDefinition, values: AddedValues, asking: AddedAsking): Promise<void> {
  const { title, auth } = platform;
  const { section } = auth;
  if (values.secrets[section]?.['refresh_token'] !== undefined) return;
  if (asking.keeps(section, 'refresh_token')) {
    log.info(`${title}: a refresh token is stored; with --force you can sign in again`);
    return;
  }
  if (signInEndpoints(platform, values.accounts).authorizationUrl === undefined)
    await askAddress(`${title}: authorization_url`, {
      platform,
      field: 'authorization_url',
      stated: auth.stated_authorization_url,
      values,
    });
  const { authorizationUrl, tokenUrl } = signInEndpoints(platform, values.accounts);
  const clientId = values.accounts[section]?.['client_id'];
  if (authorizationUrl === undefined || tokenUrl === undefined || clientId === undefined) {
    log.warn(`${title}: a sign-in needs client_id, authorization_url and token_url`);
    return;
  }
  const scopes = await line(`${title}: scopes`, (auth.sign_in_scopes ?? []).join(' '));
  const clientSecret = values.secrets[section]?.['client_secret'] ?? asking.stored(section, 'client_secret') ?? '';
  const request = { title, authorizationUrl, tokenUrl, clientId, clientSecret, scopes: words(scopes) };
  const token = await tried(() =>
    signIn(request, {
      egress: asking.egress,
      show: (url) => log.message(`Open this address in a browser:\n${url}`),
      pasted: (signal) => pastedAddress(signal),
    }),
  );
  if (token !== undefined) setValue(values.secrets, section, 'refresh_token', token);
}

export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

async function pastedAddress(signal: AbortSignal): Promise<string> {
  const message = 'Waiting for the browser. Where it runs on another machine, paste the address that it ended at';
  const typed = text({ message, signal, validate: (value) => (value?.trim() ? undefined : 'an address') });
  // The prompt counts the end of the wait as a cancellation, which it is not.
  const value = await typed;
  if (signal.aborted) return new Promise(() => undefined);
  return answered(Promise.resolve(value));
}

/** A server that refuses ends no setup: what it says is shown, and the field stays open. */
async function tried<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    log.warn(error.message);
    return undefined;
  }
}
