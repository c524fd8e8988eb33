/**
 * Proof that the table can fail: copies of the router in which one guard is taken out. Each must give deviations, in the
 * layer it guards. The router itself carries no switch for any of it.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../config/config.ts';
import { openCatalog } from '../../open-catalog.ts';
import { runNode } from '../support/running-process.ts';
import { type AccessMutant, one } from './access-mutant.ts';
import { isDrawn } from './access-table.ts';
import { configOf } from './access-testbed.ts';
import { APPROVAL_MUTANTS } from './approval-mutants.ts';
import { CONSOLE_MUTANTS } from './console-mutants.ts';
import { DOCUMENT_MUTANTS } from './document-mutants.ts';
import { PRINCIPAL_MUTANTS } from './principal-mutants.ts';
import { subjectTools } from './subject-tool.ts';
import { type Setting, settings } from './table-settings.ts';
import { TOKEN_MUTANTS } from './token-mutants.ts';
import { WRITE_LIMIT_MUTANTS } from './write-limit-mutants.ts';

export const ACCESS_MUTANTS: readonly AccessMutant[] = [
  one(
    'the list shows gated writes',
    'list',
    'tools/public/surface.ts',
    'return visible && allowed ? tool : undefined;',
    'return tool;',
  ),
  one(
    'hints call every tool a read',
    'list',
    'tools/public/tool-annotations.ts',
    "readOnlyHint: capability === 'read',",
    'readOnlyHint: true,',
  ),
  one(
    'find hides nothing',
    'find',
    'search/open-finder.ts',
    'decide: (id, capability, access) => decideFor(config, id, capability, access),',
    'decide: () => ({ visible: true, allowed: true }),',
  ),
  one(
    'dispatch does not ask the gate',
    'dispatch',
    'dispatch/admission.ts',
    'return decision.allowed ? undefined : gateClosed(tool, decision, subject);',
    'return undefined;',
  ),
  one(
    'reads run anything',
    'dispatch',
    'dispatch/admission.ts',
    "if (dispatcher === 'invoke_read_tool' && tool.capability !== 'read')",
    'if (false as boolean)',
  ),
  one(
    'a batch of reads runs anything',
    'dispatch',
    'tools/local/batch/invoke-read-tool-batch.ts',
    "dispatcher: 'invoke_read_tool',",
    "dispatcher: 'invoke_tool',",
  ),
  one(
    'a dry run has to be asked for',
    'dispatch',
    'dispatch/dispatch.ts',
    'admitted.controls.dry_run === false ? this.#writes.apply(admitted) : this.#writes.preview(admitted)',
    'admitted.controls.dry_run !== true ? this.#writes.apply(admitted) : this.#writes.preview(admitted)',
  ),
  one(
    'any token will do',
    'dispatch',
    'dispatch/plan-token.ts',
    'if (!whole || !isSigned(this.#keys, this.#signedOf(payload, plan), mac))',
    'if (!whole)',
  ),
  one(
    'a token never expires',
    'dispatch',
    'dispatch/plan-token.ts',
    'if (expiresAt <= this.#now())',
    'if (expiresAt <= 0)',
  ),
  {
    name: 'a token is good twice',
    layer: 'dispatch',
    edits: [
      { file: 'dispatch/single-use.ts', from: 'if (this.#consumed.has(id)) return false;', to: '' },
      { file: 'dispatch/single-use.ts', from: 'return this.#consumed.has(id);', to: 'return false;' },
    ],
  },
  one(
    'nobody’s no counts',
    'dispatch',
    'dispatch/approvals.ts',
    "if (answer.kind === 'yes') return",
    'if (answer) return',
  ),
  one(
    'who cannot be asked agrees',
    'dispatch',
    'dispatch/approvals.ts',
    'if (!call.approver.reachable) {',
    "if (!call.approver.reachable) return this.#record(intent, 'form', askedAt, { kind: 'yes' });\n    if (false as boolean) {",
  ),
  one(
    'a token alone destroys',
    'dispatch',
    'dispatch/approvals.ts',
    "if (tool.capability !== 'destructive' || controls.confirm_object === object)",
    'if (object !== undefined)',
  ),
  one(
    'arguments never make a delete',
    'dispatch',
    'dispatch/escalate.ts',
    'if (escalates === undefined) return tool;',
    'if (escalates !== tool) return tool;',
  ),
  one(
    'the kill switch is not asked',
    'dispatch',
    'access/access-policy.ts',
    "if (settings.readonly) return state(false, 'READONLY');",
    '',
  ),
  one(
    'the outbound client does not ask the gate',
    'outbound',
    'outbound/grant-check.ts',
    'if (allowed && granted',
    'if (granted',
  ),
  one(
    'the outbound client asks for no grant',
    'outbound',
    'outbound/grant-check.ts',
    'if (allowed && granted && request.grant?.capability === request.capability) return;',
    'if (allowed) return;',
  ),
  ...PRINCIPAL_MUTANTS,
  ...DOCUMENT_MUTANTS,
  ...APPROVAL_MUTANTS,
  ...TOKEN_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...WRITE_LIMIT_MUTANTS,
];

export interface MutantRun {
  mutant: AccessMutant;
  deviations: number;
  layers: string[];
}

/** A probe of tokens waits most of its time for a key to be withdrawn, and tests for their router: several go on at once. */
const LANES = { token: 4, tests: 3 };

/** Runs them all over one tool in `oneIn`; what came of each is said, and those that nothing caught come back. */
export async function survivors(
  oneIn: number,
  say: (line: string) => void,
  mutants: readonly AccessMutant[] = ACCESS_MUTANTS,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-mutants-'));
  const survived: string[] = [];
  try {
    const subjects = await subjectsIn(folder, oneIn);
    const lanes = [
      mutants.filter(({ layer }) => !(layer in LANES)),
      ...Object.entries(LANES).flatMap(([layer, of]) => {
        const mine = mutants.filter((mutant) => mutant.layer === layer);
        return Array.from({ length: of }, (_, lane) => mine.filter((_, at) => at % of === lane));
      }),
    ];
    await Promise.all(
      lanes.map(async (lane, i) => {
        const root = lane.length === 0 ? '' : copyIn(join(folder, `router-${i}`));
        for (const mutant of lane) {
          const { deviations, layers } = await runMutant(mutant, root, subjects);
          const caught = layers.includes(mutant.layer);
          if (!caught) survived.push(mutant.name);
          say(
            `${caught ? 'caught  ' : 'SURVIVED'} ${mutant.name}: ${deviations} deviations in ${layers.join(', ') || 'no layer'}`,
          );
        }
      }),
    );
    return survived;
  } finally {
    // A router that was killed may still be writing its last file.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** File of the tools that the table of each mutant is made over. */
async function subjectsIn(folder: string, oneIn: number): Promise<string> {
  const config = configOf(settings()[0] as Setting, folder);
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const { tools, uncalled } = await subjectTools(catalog, config.platforms, packageRoot);
  catalog.close();
  // The router's own tools and those whose arguments make a delete are few, and guards are about them as well.
  const drawn = tools.filter(({ name, method }) => method === 'LOCAL' || isDrawn(name, oneIn));
  const raised = tools.filter(
    ({ platform, capability, method }) => platform === 'legacy' && capability === 'destructive' && method === 'POST',
  );
  const path = join(folder, 'subjects.json');
  writeFileSync(path, JSON.stringify({ tools: [...drawn, ...raised.slice(0, 4)], uncalled }));
  return path;
}

/** A router to patch: a copy of its files, with links to what it needs and no patch changes. */
function copyIn(root: string): string {
  for (const name of ['server', 'fake-api', 'package.json', 'vitest.config.ts', 'tsconfig.json'])
    cpSync(join(packageRoot, name), join(root, name), { recursive: true });
  for (const name of ['node_modules', 'var']) symlinkSync(join(packageRoot, name), join(root, name));
  return root;
}

/** The probe of a patched copy, if it is not the table. */
const ASKED = {
  documents: ['--documents', '--settings', '1', '--brief'],
  approval: ['--approvals'],
  token: ['--tokens', '--brief'],
} as const;

/** Patches the copy, asks it, and puts back what was there. */
async function runMutant(mutant: AccessMutant, root: string, subjects: string): Promise<MutantRun> {
  const files = mutant.edits.map(({ file }) => join(root, 'server', file));
  const before = files.map((file) => readFileSync(file, 'utf8'));
  try {
    for (const edit of mutant.edits) patch(join(root, 'server', edit.file), edit, mutant.name);
    if (mutant.test !== undefined) return await runTests(mutant, mutant.test, root);
    const asked = ASKED[mutant.layer as keyof typeof ASKED] ?? [
      ...['--brief', '--subjects', subjects],
      ...['--callers', mutant.callers ?? 'server', '--until', mutant.layer],
    ];
    const words = [join(root, 'server/access/access.bench.ts'), ...asked, '--json'];
    const { stdout, stderr } = await runNode(words, { cwd: root });
    // Exit 1 is what a mutant is for; without a result the copy did not run at all.
    if (stdout === '') throw new Error(`${mutant.name}: ${stderr.slice(-500)}`);
    const { deviations, deviating_layers } = JSON.parse(stdout) as { deviations: number; deviating_layers: string[] };
    return { mutant, deviations, layers: deviating_layers };
  } finally {
    files.forEach((file, i) => {
      writeFileSync(file, before[i] as string);
    });
  }
}

/** A failed test is a catch; a file whose tests could not run is none. */
async function runTests(mutant: AccessMutant, test: string, root: string): Promise<MutantRun> {
  const report = join(root, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const words = [vitest, 'run', join('server', test), '--bail', '1', '--reporter', 'json', '--outputFile', report];
  // The variables of the test runner that asks are not the copy's.
  const { SLOW: _, ...outer } = process.env;
  const own = Object.entries(outer).filter(([name]) => !name.startsWith('VITEST'));
  const env = Object.fromEntries(test.endsWith('.slow.test.ts') ? [...own, ['SLOW', '1']] : own);
  const { stdout, stderr } = await runNode(words, { cwd: root, env });
  const read = () => JSON.parse(readFileSync(report, 'utf8')) as { numFailedTests: number; numPassedTests: number };
  const { numFailedTests: failed, numPassedTests: passed } = existsSync(report) ? read() : NONE;
  if (failed + passed === 0) throw new Error(`${mutant.name}: no test ran: ${`${stdout}${stderr}`.slice(-500)}`);
  return { mutant, deviations: failed, layers: failed > 0 ? ['tests'] : [] };
}

const NONE = { numFailedTests: 0, numPassedTests: 0 };

function patch(path: string, { from, to }: AccessMutant['edits'][number], name: string): void {
  const source = readFileSync(path, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${name}: \`${from}\` should be in ${path} exactly once`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
}
