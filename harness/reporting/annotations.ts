/** Findings as workflow commands, each at the line of the scenario that it is about, where it is about one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, GateName } from '../grading/gate-finding.ts';
import type { Report } from './run-report.ts';

/** The field of a scenario file that a gate is about; the first that is there wins. */
const FIELDS: Record<GateName, string[]> = {
  safety_failure: ['must_not_call', 'approvals', 'id'],
  task_success: ['result_schema', 'id'],
  passed: ['end_state', 'result_schema', 'id'],
  token_usage: ['intent', 'id'],
  api_call_count: ['api_calls', 'id'],
  missing: ['id'],
  published: ['result_schema', 'id'],
  oracle: ['steps', 'id'],
  noop: ['result_schema', 'id'],
  added_time: ['id'],
};

export async function annotations(root: string, report: Report): Promise<string> {
  const lines: string[] = [];
  for (const finding of report.verdict.findings) {
    const grade = report.grades.find((one) => one.key === finding.key);
    const place = grade === undefined ? '' : `${await placeOf(root, grade.file, FIELDS[finding.gate])},`;
    lines.push(`::error ${place}title=${property(`${finding.gate} · ${finding.key}`)}::${message(sentence(finding))}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

async function placeOf(root: string, file: string, fields: readonly string[]): Promise<string> {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  return `file=${property(file)},line=${lineOf(text, fields)}`;
}

function sentence({ expected, actual, reason, seed }: Finding): string {
  const where = seed === undefined ? '' : ` (seed ${seed})`;
  return `expected ${expected}, got ${actual}${where}${reason === undefined ? '' : `\n${reason}`}`;
}

export function lineOf(text: string, fields: readonly string[]): number {
  const lines = text.split('\n');
  for (const field of fields) {
    const at = lines.findIndex((line) => new RegExp(`^\\s*${field}:`).test(line));
    if (at >= 0) return at + 1;
  }
  return 1;
}

/** Escapes as the workflow runner reads them. */
const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
