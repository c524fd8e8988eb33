/** Results of `try --platforms ours` as further subjects of a comparison: both count runs of the same scenarios by the same code. */
import type { Cell, Row } from '../compare/row.ts';
import type { Measured } from '../compare/server-comparison.ts';
import type { Size } from '../compare/size.ts';
import { contestantsOf } from '../compare/subject-score.ts';
import { HarnessError } from '../harness-errors.ts';
import type { TryResult } from './try-result.ts';

export interface AddedTry {
  file: string;
  result: TryResult;
}

/** Throws RECORDING_INVALID for a result that says nothing beside the rows of the comparison. */
export function withAddedTries(measured: Measured, added: readonly AddedTry[]): Measured {
  return added.reduce(withAddedTry, measured);
}

function withAddedTry(measured: Measured, { file, result }: AddedTry): Measured {
  const { name } = result.server;
  const size = result.document?.name as Size | undefined;
  const wrong = (expected: string, got: string) =>
    new HarnessError('RECORDING_INVALID', `${file} should ${expected}, got ${got}`, {
      remedy: 'try the server with --platforms ours, with the scenarios, --seed and --runs of the comparison',
    });
  if (size === undefined || !measured.sizes.includes(size))
    throw wrong(`be of --platforms ours at a size of the comparison (${measured.sizes.join(', ')})`, size ?? 'none');
  const isThere = measured.cells.some((cell) => cell.subject === name && cell.size === size);
  if (isThere) throw wrong('be of a server that the comparison does not have', `${name} at ${size}`);
  const agents = measured.agents.filter((agent) => result.agents.includes(agent));
  const rows = result.rows.filter((row) => row.size === size && agents.includes(row.agent));
  const beside = measured.rows.filter((row) => row.size === size && agents.includes(row.agent));
  // The controls play what a server has the tools for.
  const contestants = contestantsOf(agents);
  const missing = differenceOf(
    beside.filter(({ agent }) => contestants.includes(agent)),
    rows,
  );
  if (missing !== undefined) throw wrong('have the runs of the other servers', `none of ${missing}`);
  const further = differenceOf(rows, beside);
  if (further !== undefined) throw wrong('have no other runs than they', further);
  return {
    ...measured,
    subjects: [...measured.subjects.filter((subject) => subject.name !== name), subjectOf(measured, result)],
    cells: [...measured.cells, cellOf(result, size)],
    rows: [...measured.rows, ...rows],
  };
}

/** The first run of the one that the other lacks; undefined where both have the same, from the same fixture. */
function differenceOf(rows: readonly Row[], others: readonly Row[]): string | undefined {
  const known = new Set(others.map(runOf));
  return rows.map(runOf).find((run) => !known.has(run));
}

const runOf = ({ scenario, agent, seed, fixture }: Row): string =>
  `${scenario} with seed ${seed} by ${agent} on ${fixture.bundle} ${fixture.digest.slice(0, 12)}`;

/** A server that was added at another size before stays the same subject. */
function subjectOf({ subjects }: Measured, { server, writes }: TryResult): Measured['subjects'][number] {
  const known = subjects.find(({ name }) => name === server.name);
  return (
    known ?? {
      name: server.name,
      about: `added from a try: ${server.name}`,
      source: { working_tree: '.' },
      confirmation: writes?.asks === true ? 'elicitation' : 'none',
    }
  );
}

function cellOf({ server, surface, coverage }: TryResult, size: Size): Cell {
  return {
    subject: server.name,
    size,
    tools: surface.tools,
    definitionTokens: surface.tokens,
    definitionBytes: surface.bytes,
    ...(coverage === null ? {} : { operations: { of: coverage.operations, absent: coverage.absent } }),
  };
}
