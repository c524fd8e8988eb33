/**
 * docs/configuration.md is written from the router's own table of variables and its platform files:
 * `npm test -- server/test/docs/configuration.test.ts -u` remakes it.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlatformFiles } from '../../config/platform-file.ts';
import { VARIABLES, type Variable } from '../../config/variables.ts';
import { root } from './source-imports.ts';

const cell = (value: string) => value.replaceAll('|', '\\|');
const table = (heads: string[], rows: string[][]) =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = (name: string) => `\`${name}\``;

function kindOf({ kind, secret }: Variable): string {
  const said = {
    choice: () => (kind.kind === 'choice' ? kind.values.map(code).join(', ') : ''),
    flag: () => '`1` `true` `yes` `on`, or `0` `false` `no` `off`',
    integer: () => (kind.kind === 'integer' ? `whole number, ${kind.min} to ${kind.max}` : ''),
    number: () => (kind.kind === 'number' ? `number, ${kind.min} to ${kind.max}` : ''),
    list: () => `list, separated by commas${kind.kind === 'list' && kind.none ? ', or `none`' : ''}`,
    text: () => 'text',
    path: () => 'path',
  }[kind.kind]();
  return secret ? `${said}, secret` : said;
}

function page(): string {
  const platforms = readPlatformFiles(join(root, 'server/platforms'));
  return `<!-- Written from the router's variables and platform files by server/test/docs/configuration.test.ts. Do not edit by hand. -->
# Configuration

Environment variables configure the router; \`.env\` beside it sets those that the environment does not. The router refuses the start for an invalid value
and prints the expected one. It warns of an unknown \`SVC_MCP_*\` name, and of a line of \`.env\`
that names a variable and does not set it. \`.env\` is UTF-8; another encoding refuses the start. [Safety](safety.md) describes how the access settings work together.
[.env.example](../.env.example) lists the same variables as a file to copy; the [setup](setup.md) writes it for you.

A secret may come as a file: \`<NAME>_FILE\` names a file with one line, for \`MCP_HTTP_BEARER_TOKEN\` and every variable that ends in
\`_CLIENT_SECRET\`, \`_REFRESH_TOKEN\`, \`_API_TOKEN\` or \`_PASSWORD\`. A set variable takes precedence over the file. A variable that is set to nothing beside a file refuses the start.

## Variables

${table(
  ['Variable', 'Takes', 'Default', 'About'],
  Object.entries<Variable>(VARIABLES).map(([name, variable]) => [
    code(name),
    kindOf(variable),
    variable.default ? code(variable.default) : '',
    variable.about,
  ]),
)}

## Platforms

Write gates are flags. Under the profile \`custom\` a gate that is not set is off, or follows \`SVC_MCP_PRODUCT_ACCESS\`. The other variables override
fields of the credentials file.

${table(
  ['Platform', 'Served', 'Write gate', 'Not set', 'Account'],
  platforms.map(({ id, kind, gate, auth }) => [
    code(id),
    kind === 'toolset' ? '`SVC_MCP_TOOLSETS`' : '`SVC_MCP_PRODUCTS`',
    gate ? code(gate.variable) : 'none: it has no writes',
    gate ? (gate.default === 'off' ? 'off' : '`SVC_MCP_PRODUCT_ACCESS`') : '',
    [...Object.values(auth.variables), ...Object.values(auth.own ?? {})].map(code).join(' '),
  ]),
)}
`;
}

test('the page of variables says what the table in the code says', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/configuration.md');
});
