/** Every operation that is shipped answers 2xx to arguments drawn from the fixture, with a body that fits its document. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { listPlatforms } from '../expand/model/platforms-folder.ts';
import { carriedOut, ended, misfit } from './carried-out.ts';
import { type Installation, shippedInstallation } from './full-installation.ts';
import { servedOperations } from './platform-client.ts';

const LEAST_SHARE = 0.98;

/** Operations that answer no 2xx, by platform, each with its reason. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  cloudwlan: { undoOrgLicenseMove: 'nothing was moved that could be taken back' },
  workspace: { splitSubscription: 'each subscription has one seat, and a device holds it' },
};

const ids = await listPlatforms();
let installation: Installation;

beforeAll(async () => {
  installation = await shippedInstallation();
});

/** Null when the operation answers as it should; else what happened last. */
function problemOf(id: string, operation: Operation): string | null {
  const done = carriedOut(installation, id, operation);
  if (typeof done === 'string') return done;
  return misfit(operation, done.answer);
}

/** The same for a poll, by way of what starts a task that it reads. */
function pollProblem(id: string, start: Operation): string | null {
  const done = carriedOut(installation, id, start);
  if (typeof done === 'string') return `start: ${done}`;
  const { poll, answers, state } = ended(done, start);
  const unfit = answers.map((answer) => misfit(poll, answer)).find((problem) => problem !== null);
  if (unfit !== undefined) return `poll: ${unfit}`;
  const [first] = start.async?.terminal ?? [];
  return state === first ? null : `poll: expected the task to end as ${first}, got ${answers.at(-1)?.body}`;
}

describe.each(ids)('the shipped %s documents', (id) => {
  it('are answered in full: every operation 2xx with a body that fits its declared schema', {}, () => {
    const operations = servedOperations(installation.platforms.get(id)!).filter(({ isPoll }) => !isPoll);
    const problems = new Map<string, string>();
    for (const operation of operations) {
      const problem = problemOf(id, operation);
      if (problem !== null) problems.set(operation.id, problem);
    }
    const excused = EXCEPTIONS[id] ?? {};
    expect([...problems].filter(([name]) => !(name in excused)).map((entry) => entry.join(': '))).toEqual([]);
    expect(Object.keys(excused).filter((name) => !problems.has(name))).toEqual([]);
    expect(1 - problems.size / operations.length).toBeGreaterThanOrEqual(LEAST_SHARE);
  });

  it('see every task through: each start leads to a poll that fits and ends well', () => {
    const operations = servedOperations(installation.platforms.get(id)!);
    const starts = operations.filter((operation) => operation.async !== null);
    const polled = new Set(starts.map((start) => start.async?.poll));
    const problems = starts.flatMap((start) => {
      const problem = pollProblem(id, start);
      return problem === null ? [] : [`${start.id}: ${problem}`];
    });
    expect(problems).toEqual([]);
    expect(operations.filter((operation) => operation.isPoll && !polled.has(operation.id))).toEqual([]);
  });
});
