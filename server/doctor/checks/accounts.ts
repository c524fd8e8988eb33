/** Checks the login fields of each served platform: complete, no example values, and no secret sent in clear text. */
import { checkUrl } from '../../config/account-address.ts';
import type { Config } from '../../config/config.ts';
import { CredentialsStore } from '../../config/credentials.ts';
import { isLoopback } from '../../config/listen-address.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { RouterError } from '../../errors.ts';
import { type Check, type Finding, fail, notLooked, ok, warn } from '../doctor-check.ts';
import type { Installation } from '../installation.ts';

export default {
  id: 'accounts',
  order: 150,
  secrets: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const store = new CredentialsStore(config.credentialsPath, config.credentialOverrides);
    try {
      return config.platforms.flatMap((platform) => [
        account(platform, store, config, command),
        ...schemesOf(platform, store, config),
      ]);
    } catch (error) {
      if (!(error instanceof RouterError)) throw error;
      return [notLooked('accounts', 'the credentials file cannot be read', 'correct the credentials file')];
    }
  },
} satisfies Check;

function account(
  platform: PlatformDefinition,
  store: CredentialsStore,
  { credentialsPath, egress }: Config,
  command: Installation['command'],
): Finding {
  const subject = `account ${platform.id}`;
  const { baseUrl, missing, placeholders } = store.inspect(platform);
  const variables: Record<string, string> = platform.auth.variables;
  const examples =
    placeholders.length === 0
      ? []
      : [`${placeholders.join(', ')} of \`${platform.auth.section}\` still has an example value`];
  if (missing.length > 0) {
    const names = missing.map(
      (field) => `${platform.auth.section}.${field}${variables[field] ? ` (${variables[field]})` : ''}`,
    );
    return warn(
      subject,
      [`lacks ${names.join(', ')}`, ...examples].join('; '),
      `set them in ${credentialsPath} or by the variables (${command('setup')} asks for them)`,
    );
  }
  const [example] = examples;
  if (example !== undefined) return warn(subject, example, `put your own into ${credentialsPath}`);
  if (baseUrl === undefined) return ok(subject, 'is complete');
  const problem = addressProblem(baseUrl, `${platform.auth.section}.base_url`);
  if (problem !== undefined)
    return fail(
      subject,
      problem,
      `correct it in ${credentialsPath}${variables['base_url'] ? ` or ${variables['base_url']}` : ''}`,
    );
  if (sentInTheClear(baseUrl))
    return warn(
      subject,
      'base_url is http and not of this machine, so secrets travel in the clear',
      'use its https address',
    );
  const { origin } = new URL(baseUrl);
  if (egress !== undefined && !egress.includes(origin))
    return warn(
      subject,
      `its base_url is at ${origin}, which is not on SVC_MCP_EGRESS: every call is refused`,
      `add ${origin} to SVC_MCP_EGRESS, or remove the list`,
    );
  return ok(subject, 'is complete');
}

/** Of declared schemes: those that this router does not send, and whether the account has credentials for any other. */
function schemesOf(platform: PlatformDefinition, store: CredentialsStore, { credentialsPath }: Config): Finding[] {
  const { schemes = [] } = platform.auth;
  const subject = `account ${platform.id}`;
  const notSent = schemes.flatMap(({ name, about, unsendable }) =>
    unsendable === undefined
      ? []
      : [
          warn(
            subject,
            `the scheme ${JSON.stringify(name)} (${about}) is not sent: ${unsendable}; calls that need it are refused`,
            'where the server also takes another credential, add the documents again with --auth',
          ),
        ],
  );
  const ways = schemes.flatMap((scheme) => scheme.ways);
  const complete = ways.some((auth) => store.inspect({ ...platform, auth }).missing.length === 0);
  if (ways.length === 0 || complete) return notSent;
  const names = ways.flatMap(({ variables }) =>
    Object.entries(variables).flatMap(([field, name]) => (field === 'base_url' ? [] : [name])),
  );
  return [
    ...notSent,
    warn(
      subject,
      `has no credentials for any of its schemes (${[...new Set(names)].join(', ')})`,
      `set those of one scheme in ${credentialsPath} or by the variables`,
    ),
  ];
}

/** As the first call would refuse it. */
function addressProblem(url: string, field: string): string | undefined {
  try {
    checkUrl(url, field);
    return undefined;
  } catch (error) {
    if (error instanceof RouterError) return error.message;
    throw error;
  }
}

function sentInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}
