/** The type of a check of the doctor. A check examines one thing, changes nothing, and calls no platform. */
import type { Installation } from './installation.ts';

export type Label = 'ok' | 'warn' | 'fail';

export interface Finding {
  label: Label;
  subject: string;
  detail: string;
  /** The remedy. Every warning and every failure has one. */
  remedy?: string;
  /** Printed among what needs attention although it passed: a choice whose effect nobody expects. */
  notable?: true;
  /** The check could not look, for the reason in `detail`: a consequence, and not a cause. */
  unexamined?: true;
}

export interface Check {
  /** The name of its file. */
  id: string;
  /** Position in the report: a cause precedes its consequences. */
  order: number;
  /** Needs settings that can be read; without them it says that it could not look. */
  needs?: 'config';
  /** Looks at what a container has inside itself, so not from the host. */
  inside?: true;
  /** Looks into secret files, which may be the container's user's alone. */
  secrets?: true;
  look: (place: Installation) => Finding[] | Promise<Finding[]>;
}

export const ok = (subject: string, detail: string): Finding => ({ label: 'ok', subject, detail });
export const notable = (subject: string, detail: string): Finding => ({ ...ok(subject, detail), notable: true });
export const warn = (subject: string, detail: string, remedy: string): Finding => ({
  label: 'warn',
  subject,
  detail,
  remedy,
});
export const notLooked = (subject: string, because: string, remedy: string): Finding => ({
  ...warn(subject, `not looked at, because ${because}`, remedy),
  unexamined: true,
});
export const fail = (subject: string, detail: string, remedy: string): Finding => ({
  label: 'fail',
  subject,
  detail,
  remedy,
});
