/** Workflows run with other people's code and our permissions, so what they may use is checked here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from './source-imports.ts';

interface Job {
  readonly permissions?: unknown;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly { readonly uses?: string; readonly with?: Record<string, unknown> }[];
}

const folder = join(root, '.github/workflows');
const names = readdirSync(folder).filter((name) => name.endsWith('.yml'));

describe.each(names)('%s', (name) => {
  const workflow = parse(readFileSync(join(folder, name), 'utf8'));
  const jobs = Object.values(workflow.jobs as Record<string, Job>);
  const steps = jobs.flatMap((job) => job.steps);

  test('pins every action to a full commit', () => {
    const loose = steps.map((step) => step.uses).filter((uses) => uses && !/@[0-9a-f]{40}$/.test(uses));
    expect(loose).toEqual([]);
  });

  test('grants nothing by default and names what each job needs', () => {
    expect(workflow.permissions).toEqual({});
    expect(jobs.every((job) => job.permissions !== undefined)).toBe(true);
  });

  test('leaves no token in the checkout and bounds each job in time', () => {
    const checkouts = steps.filter((step) => step.uses?.startsWith('actions/checkout@'));
    expect(checkouts.every((step) => step.with?.['persist-credentials'] === false)).toBe(true);
    expect(jobs.every((job) => (job['timeout-minutes'] ?? 0) > 0)).toBe(true);
  });

  test('never runs a stranger’s pull request with our secrets', () => {
    expect(workflow.on).not.toHaveProperty('pull_request_target');
  });
});
