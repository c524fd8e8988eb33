/** What `catalog add` says about the credentials of a platform whose schemes the documents declare. */
import type { BuiltCatalog } from '../catalog/build.ts';
import { unsendableBy } from '../catalog/operation-security.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { foreignTokenUrl } from '../import/stated-token-url.ts';

const MOST_NAMED = 3;

/** One line for each scheme, then a warning for operations that no credential of the router can open. */
export function credentialLines(platform: PlatformDefinition, { tools }: Pick<BuiltCatalog, 'tools'>): string[] {
  const { auth } = platform;
  if (auth.strategy !== 'declared') return [`  credentials: ${singleCredential(auth)}`, ...tokenNote(platform, auth)];
  const free = tools.filter(
    ({ tool }) => tool.security?.some((entry) => entry.length === 0) || tool.security?.length === 0,
  );
  return [
    '  credentials: each operation gets the schemes that its `security` names, the first alternative that is set:',
    ...(auth.schemes ?? []).map(
      (scheme) => `    ${JSON.stringify(scheme.name)} (${scheme.about}): ${schemeText(scheme)}`,
    ),
    ...(free.length > 0 ? [`    ${free.length} of ${tools.length} operations can be called without any`] : []),
    ...(auth.schemes ?? []).flatMap(({ ways }) => ways.slice(0, 1).flatMap((way) => tokenNote(platform, way))),
    ...blockedLines(platform, tools),
  ];
}

/** Operations of which no alternative can be sent, by name; part of the JSON of `add`. */
export function blockedOperations(platform: PlatformDefinition, tools: BuiltCatalog['tools']): string[] {
  return tools.flatMap(({ tool }) => (unsendableBy(platform, tool.security) ? [tool.name] : []));
}

function blockedLines(platform: PlatformDefinition, tools: BuiltCatalog['tools']): string[] {
  const blocked = blockedOperations(platform, tools);
  if (blocked.length === 0) return [];
  const rest = blocked.length > MOST_NAMED ? ` and ${blocked.length - MOST_NAMED} more` : '';
  return [
    `  warning: ${blocked.length} of ${tools.length} operations need a scheme that this router does not send, so each call of them is refused: ${blocked.slice(0, MOST_NAMED).join(', ')}${rest}; where the server also takes another credential, add it again with --auth`,
  ];
}

function schemeText({ ways, unsendable }: NonNullable<PlatformDefinition['auth']['schemes']>[number]): string {
  if (unsendable !== undefined) return `not sent: ${unsendable}`;
  return ways.map((way) => singleCredential(way)).join('; or ');
}

function singleCredential({ variables, section }: PlatformDefinition['auth']): string {
  const names = Object.entries(variables)
    .filter(([field]) => field !== 'base_url')
    .map(([, variable]) => variable);
  return names.length === 0
    ? 'none (where the API wants some, add it again with --auth)'
    : `${names.join(' and ')}, or section \`${section}\` of the credentials file`;
}

/** Added all the same: until the operator names the token URL, no credential goes there. */
function tokenNote({ base_url, stated_base_url }: PlatformDefinition, auth: PlatformDefinition['auth']): string[] {
  if (auth.strategy.startsWith('oauth2-') && auth.token_path === undefined && auth.stated_token_url === undefined)
    return [
      `  note: the document does not say where tokens are given: put token_url into section \`${auth.section}\` of the credentials file, or add again with --token-url`,
    ];
  const url = foreignTokenUrl(auth.stated_token_url, base_url ?? stated_base_url);
  if (url === undefined) return [];
  return [
    `  note: the document gives tokens at ${JSON.stringify(url)}, on another origin than the platform, so no credentials go there yet: add again with --token-url https://…, or put token_url into section \`${auth.section}\` of the credentials file; with a token that you already have, add again with --auth bearer-token`,
  ];
}
