/** Runs every check of `checks/` in its order, and counts. The folder is the list. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RouterError } from '../errors.ts';
import { errorFields } from '../telemetry/logger.ts';
import { type Check, type Finding, fail, type Label, notLooked, ok } from './doctor-check.ts';
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
    for (const finding of await look(check, place)) {
      const isTold = place.config instanceof RouterError && findings.some((earlier) => isSameFault(earlier, finding));
      findings.push({ check: check.id, ...(isTold ? withoutSettings(finding.subject) : finding) });
    }
  const count = (label: Label) => findings.filter((finding) => finding.label === label).length;
  return { findings, counts: { fail: count('fail'), warn: count('warn'), ok: count('ok') } };
}

/** Of one wrong setting several checks hear the same. */
const isSameFault = (earlier: Finding, later: Finding): boolean =>
  earlier.label === 'fail' &&
  later.label === 'fail' &&
  [earlier.detail, `refused: ${earlier.detail}`].includes(later.detail);

const withoutSettings = (subject: string): Finding =>
  notLooked(subject, 'the settings cannot be read', 'correct the failures above, then run the doctor again');

async function look(check: Check, place: Installation): Promise<Finding[]> {
  if (check.needs === 'config' && place.config instanceof RouterError) return [withoutSettings(check.id)];
  if (check.inside && place.container) return [ok(check.id, 'is inside the container')];
  if (check.secrets && place.container?.locked.length)
    return [notLooked(check.id, 'secrets belong to the user of the container', `sudo ${place.command('doctor')}`)];
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

/**
 * What a person reads: a line for each finding that needs attention or is notable, one for each reason why checks could not
 * look, one for the checks that passed, the counts. All findings have a line of their own where `print` asks for it.
 */
export function reportLines({ findings, counts }: Report, all: { print: boolean; by: string }): string[] {
  if (all.print) return [...findings.map(lineOf), countsLine(counts)];
  const isPrinted = ({ label, notable, unexamined }: Finding) =>
    (label !== 'ok' || notable === true) && unexamined !== true;
  const unexamined = Map.groupBy(
    findings.filter((finding) => finding.unexamined === true),
    ({ detail, remedy }) => JSON.stringify([detail, remedy]),
  );
  const folded = findings.filter(({ label, notable }) => label === 'ok' && notable !== true).length;
  const passed = folded === 0 ? [] : [`[OK] ${folded} passed (listed by ${all.by})`];
  return [
    ...findings.filter(isPrinted).map(lineOf),
    ...[...unexamined.values()].map((group) => unexaminedLine(group, all.by)),
    ...passed,
    countsLine(counts),
  ];
}

function unexaminedLine(group: readonly Finding[], by: string): string {
  const [first] = group as [Finding];
  return group.length === 1 ? lineOf(first) : lineOf({ ...first, subject: `${group.length} checks (listed by ${by})` });
}

export const countsLine = ({ fail, warn, ok }: Report['counts']): string => `${fail} fail, ${warn} warn, ${ok} ok`;
