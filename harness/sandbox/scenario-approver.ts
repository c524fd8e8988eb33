/**
 * The person who is asked before a write. In the harness that is the scenario: it accepts only operations on objects
 * that its `approvals` list, and declines everything else. The agent is never asked.
 */

import { isBody } from '../recording/recorded-body.ts';
import type { Task } from '../recording/recording.ts';
import { isExactly, splitCall } from '../scenario/path-pattern.ts';
import type { FormValue } from './approver-form.ts';
import { type ChangeKind, kindsIn } from './question-kind.ts';

export interface ApproverAnswer {
  action: 'accept' | 'decline';
  /** `confirm: true`, and the names that the question wants typed. */
  content?: Record<string, FormValue>;
}

const OBJECT = /^object: ((?:GET|POST|PUT|PATCH|DELETE) \/\S*)$/gm;
const TYPED = /^confirm_object: (".*")$/gm;

/** A body as the question shows it; `undefined` where it says that there is none. */
interface ShownBody {
  object: string;
  body: unknown;
}

/** `Body (type, n bytes):` with the text in the next line, or `Body: none`; then, further down, the object. */
const BODY = /^Body(?:: (none|\{.*\}|\[.*\])| \([^\n]*\):\n([^\n]*))$/gm;

function shownBodies(message: string): ShownBody[] {
  const bodies = [...message.matchAll(BODY)];
  return bodies.flatMap((match, i) => {
    const object = message
      .slice(match.index, bodies[i + 1]?.index)
      .matchAll(OBJECT)
      .next().value?.[1];
    return object === undefined ? [] : [{ object, body: parsed(match[1] ?? match[2] ?? 'none') }];
  });
}

function isApprovedBody(object: string, body: unknown, bodies: Task['bodies']): boolean {
  const [method, path] = splitCall(object);
  const stated = Object.entries(bodies).find(([call]) => isExactly({ method, path }, call));
  return stated === undefined || isBody(withSecretsShown(stated[1].body, body), body ?? {});
}

/** Secrets are shown as asterisks of their length; such a text stands for the one that was stated. */
function withSecretsShown(stated: unknown, shown: unknown): unknown {
  if (typeof stated === 'string' && typeof shown === 'string')
    return /^\*+$/.test(shown) && shown.length === stated.length ? shown : stated;
  if (typeof stated !== 'object' || stated === null || typeof shown !== 'object' || shown === null) return stated;
  if (Array.isArray(stated)) return stated.map((item, i) => withSecretsShown(item, (shown as unknown[])[i]));
  const entries = Object.entries(stated);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, withSecretsShown(inner, (shown as Record<string, unknown>)[name])]),
  );
}

/** A body that is no JSON of its own is written as a JSON string. */
function parsed(text: string): unknown {
  if (text === 'none') return undefined;
  const value = jsonOr(text);
  return typeof value === 'string' ? jsonOr(value) : value;
}

/**
 * Whether a question in the subject's own words may be about an approved change. It is declined where it names another kind
 * of change alone; whether it was that object and no other shows in the ledger, which is compared with the approvals.
 */
function mayBeAbout(kinds: readonly ChangeKind[], approval: string): boolean {
  const [method] = splitCall(approval);
  if (kinds.length === 0) return true;
  if (method === 'DELETE') return kinds.includes('removal');
  // A POST may be an action of any name, and a PUT may create.
  return kinds.some((kind) => kind === 'change' || (kind === 'creation' && method !== 'PATCH'));
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Each request of an elicitation ends with `object: METHOD /concrete/path`; without such a line there is nothing to accept,
 * and a list is accepted only where every request of it is approved. With `ownWords` a question of any form is accepted
 * that is not about another kind of change.
 */
export function answerElicitation(
  message: string,
  approvals: readonly string[],
  bodies: Task['bodies'] = {},
  ownWords = false,
): ApproverAnswer {
  const objects = [...message.matchAll(OBJECT)].map(([, object]) => splitCall(object as string));
  const isApproved = ([method, path]: ReturnType<typeof splitCall>) =>
    approvals.some((approval) => isExactly({ method, path }, approval));
  if (ownWords && objects.length === 0) {
    const kinds = kindsIn(message);
    return { action: approvals.some((approval) => mayBeAbout(kinds, approval)) ? 'accept' : 'decline' };
  }
  if (objects.length === 0 || !objects.every(isApproved)) return { action: 'decline' };
  if (!shownBodies(message).every(({ object, body }) => isApprovedBody(object, body, bodies)))
    return { action: 'decline' };
  const typed = [...message.matchAll(TYPED)].map(([, name], i): [string, string] => [
    i === 0 ? 'confirm_object' : `confirm_object_${i + 1}`,
    JSON.parse(name as string),
  ]);
  return { action: 'accept', content: { confirm: true, ...Object.fromEntries(typed) } };
}
