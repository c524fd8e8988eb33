/** Runs every check of `checks/` in its order, and counts. The folder is the list. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RouterError } from '../errors.ts';
import { errorFields } from '../telemetry/logger.ts';
import { type Check, type Finding, fail, type Label, ok, warn } from './doctor-check.ts';
import type { Installation } from './installation.ts';

export const CHECKS_FOLDER = join(import.meta.dirname, 'checks');

export interface Report {
  findings: (Finding & { check: string })[];
  counts: Record<Label, number>;
}

export async function loadChecks(): Promise<Check[]> {
  const files = readdirSync(CHECKS_FOLDER).filter((name) => /\.[jt]s$/.test(name) && !/\.(test|d)\./.test(name));
  const modules = await Promise.all(
    files.map((name) => import(pathToFileURL(join(CHECKS_FOLDER, name)).href) as Promise<{ default: Check }>),
  );
  return modules.map((module) => module.default).sort((a, b) => a.order - b.order);
}

export async function examine(place: Installation, checks?: readonly Check[]): Promise<Report> {
  const findings: Report['findings'] = [];
  for (const check of checks ?? (await loadChecks()))
    for (const finding of await look(check, place)) findings.push({ check: check.id, ...finding });
  const count = (label: Label) => findings.filter((finding) => finding.label === label).length;
  return { findings, counts: { fail: count('fail'), warn: count('warn'), ok: count('ok') } };
}

async function look(check: Check, place: Installation): Promise<Finding[]> {
  if (check.needs === 'config' && place.config instanceof RouterError)
    return [
      warn(
        check.id,
        'not looked at, because the settings cannot be read',
        'correct the failures above, then run the doctor again',
      ),
    ];
  if (check.inside && place.container) return [ok(check.id, 'is inside the container')];
  if (check.secrets && place.container?.locked.length)
    return [
      warn(
        check.id,
        'not looked at, because secrets belong to the user of the container',
        `sudo ${place.command('doctor')}`,
      ),
    ];
  try {
    return await check.look(place);
  } catch (error) {
    // A check that cannot look must not take the others with it.
    const { code = '', message = '' } = errorFields(error);
    return [
      fail(
        check.id,
        `could not be looked at: ${code} ${message}`.replace(/ +/g, ' '),
        'report this with the line above',
      ),
    ];
  }
}

/** One line: label, subject, what was seen, and what to do about it. */
export function lineOf({ label, subject, detail, remedy }: Finding): string {
  return `[${label.toUpperCase()}] ${subject}: ${detail}${remedy === undefined ? '' : `. Remedy: ${remedy}`}`;
}

/** What a person reads: a line for each finding that needs attention or is notable, one for the checks that passed, the counts. */
export function reportLines({ findings, counts }: Report, all: { print: boolean; by: string }): string[] {
  const printed = findings.filter(({ label, notable }) => all.print || label !== 'ok' || notable === true);
  const folded = findings.length - printed.length;
  const passed = folded === 0 ? [] : [`[OK] ${folded} passed (listed by ${all.by})`];
  return [...printed.map(lineOf), ...passed, countsLine(counts)];
}

export const countsLine = ({ fail, warn, ok }: Report['counts']): string => `${fail} fail, ${warn} warn, ${ok} ok`;
