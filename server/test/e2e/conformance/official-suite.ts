/** Runs the official conformance suite against a server that is up, and reads what it found. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runNode } from '../../support/running-process.ts';
import { commandOf } from '../installed.ts';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  message: string;
}

export interface SuiteRun {
  checks: Check[];
  /** Exit code of the suite: 0 when everything it requires holds. */
  exit: number;
  /** Scenarios that were run and do not count: extensions and what was added after the revision. */
  unscored: Set<string>;
  /** What it printed, for a report of a failure. */
  output: string;
}

/** Everything that a revision requires, or one scenario of it. */
export async function runSuite(url: string, revision: Revision, scenario?: string): Promise<SuiteRun> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const which =
    scenario === undefined ? ['--requirements', revision] : ['--scenario', scenario, '--spec-version', revision];
  try {
    const words = [commandOf('conformance'), 'server', '--url', url, ...which, '-o', folder];
    const { code, stdout, stderr } = await runNode(words);
    const output = stdout + stderr;
    return { checks: checksIn(folder), exit: code ?? 1, unscored: unscoredIn(output), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suite writes a folder per scenario, named after it and the moment. */
function checksIn(folder: string): Check[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('checks.json'),
  );
  return files.sort().flatMap((name) => {
    const scenario = dirname(name)
      .replace(/^server-/, '')
      .replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    const found = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, string>[];
    return found.map(({ id, status, errorMessage }) => ({
      scenario,
      id: id as string,
      status: status as Check['status'],
      message: errorMessage ?? '',
    }));
  });
}

function unscoredIn(output: string): Set<string> {
  const [, list = ''] = output.split(/^Not scored for .*$/m);
  return new Set([...list.matchAll(/^\s+\S (\S+) \(/gm)].map((match) => match[1] as string));
}
