/** legacy_verify_migration_run: reads again what a run wrote, and compares. */
import { type Static, Type } from '../../../config/schema.ts';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import { knownRun, openRuns } from '../../../migration/open-runs.ts';
import type { Verified } from '../../../migration/verify.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    run_id: Type.String({ minLength: 1, maxLength: 64 }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 50' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 500 })),
  },
  { additionalProperties: false },
);
const PAGE = 50;

export default {
  name: 'legacy_verify_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'read',
  line: 'Verify a migration run: read everything it wrote again and compare it with the plan.',
  more: 'Changes nothing. An object and its assignment are verified apart; a list that was cut never counts as absent.',
  input: Input,
  search: { aliases: ['check a migration'], questions: ['did the migration work'] },
  open: (context) => {
    const runs = openRuns(context);
    return ({ run_id, limit = PAGE, offset = 0 }: Static<typeof Input>, context) =>
      runs.hold(run_id, async (held) => {
        const run = await knownRun(runs, run_id);
        const { dispatchPort } = await import('../../../migration/dispatch-port.ts');
        const { verifyEntry } = await import('../../../migration/verify.ts');
        const port = dispatchPort(context);
        const entries: Verified[] = [];
        const at = new Date().toISOString();
        for (const entry of run.candidates.slice(offset, offset + limit)) {
          const verified = await verifyEntry(entry, run, port);
          entry.verification = { verdict: verified.verdict, at };
          entries.push(verified);
        }
        run.last_verification_at = at;
        await held.write(run);
        const counts: Record<string, number> = {};
        for (const { verdict } of entries) counts[verdict] = (counts[verdict] ?? 0) + 1;
        const result = { run_id, counts, total: run.candidates.length, offset, entries };
        return new WholeResult({ kind: 'done', result, outcome: 'success' });
      });
  },
} satisfies LocalTool<Static<typeof Input>>;
