/**
 * docs/errors.md is written from the programs' own error tables: `npm test -- server/test/docs/errors.test.ts -u` remakes it. A code
 * without a row, or a row without a code, fails here.
 */
import { expect, test } from 'vitest';
import { expandErrors } from '../../../fake-api/expand/model/expand-errors.ts';
import { ERRORS as fakeErrors } from '../../../fake-api/fake-errors.ts';
import { EXIT_MEANING as harnessExits, TRY_EXIT_MEANING as tryExits } from '../../../harness/exit-codes.ts';
import { ERRORS as harnessErrors } from '../../../harness/harness-errors.ts';
import { ERRORS as routerErrors, EXIT_MEANING as routerExits } from '../../errors.ts';

const cell = (value: unknown) => String(value ?? '').replaceAll('|', '\\|');
const table = (heads: string[], rows: unknown[][]) =>
  [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
const code = (name: string) => `\`${name}\``;

function page(): string {
  const router = Object.entries(routerErrors).map(([name, row]) => ({ name, exit: undefined, ...row }));
  const refusals = router.filter((row) => row.exit === undefined);
  const endings = router.filter((row) => row.exit !== undefined);
  return `<!-- Written from the error tables of the three programs by server/test/docs/errors.test.ts. Do not edit by hand. -->
# Errors

This page lists every coded error with its meaning and remedy. A message names the expected and the actual value; it never holds a secret.

## Exit codes

Of \`svc-mcp-…\`, but \`svc-mcp-bench\`, and of the same commands in a checkout:

${table(['Code', 'Means'], Object.entries(routerExits))}

Of \`svc-mcp-bench\`:

${table(['Code', 'Means'], Object.entries(tryExits))}

Of \`npm start\`, \`npm run harness\` and the other commands of the harness:

${table(['Code', 'Means'], Object.entries(harnessExits))}

## Refusals to a client of the router

A refusal has \`isError: true\` and the envelope \`{ok: false, status, code, message, tool, platform, hint}\`; \`code\` is the wire code,
and \`reason\`, where present, the local code. Metrics and audit log count the outcome.

${table(
  ['Code on the wire', 'Local code', 'Status', 'Outcome', 'What to do'],
  refusals.map((row) => [code(row.wire), code(row.name), row.status, row.outcome, row.remedy]),
)}

## Errors that end the router

${table(
  ['Code', 'Exit', 'What to do'],
  endings.map((row) => [code(row.name), row.exit, row.remedy]),
)}

## The fake platform API as a program

${table(
  ['Code', 'Exit', 'Message', 'What to do'],
  Object.entries(fakeErrors).map(([name, row]) => [code(name), row.exitCode, row.message, row.remedy]),
)}

## Platform models

${table(
  ['Code', 'Exit', 'What happened', 'What to do'],
  Object.entries(expandErrors).map(([name, row]) => [code(name), row.exitCode, row.message, row.remedy]),
)}

## The harness

${table(
  ['Code', 'Exit', 'What to do'],
  Object.entries(harnessErrors).map(([name, row]) => [code(name), row.exit, row.remedy]),
)}
`;
}

test('the page of errors has what the programs’ tables have', async () => {
  await expect(page()).toMatchFileSnapshot('../../../docs/errors.md');
});
