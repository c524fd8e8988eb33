/** What every call of the control port shares: its namespace, its body, and how it is refused. */
import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { Namespace, Namespaces } from './namespaces.ts';

/** A refused call: status, code and message of the answer. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Parameters of a path below a namespace. */
export interface At {
  Params: { namespace: string };
}

/** Throws 404 for a name that no reset created. */
export function existing(namespaces: Namespaces, name: string): Namespace {
  const found = namespaces.get(name);
  if (found !== undefined) return found;
  const known = namespaces.names().join(', ');
  throw new ControlRefusal(
    404,
    'UNKNOWN_NAMESPACE',
    `namespace: expected one of ${known}, got "${name}" (a reset creates it)`,
  );
}

/** An empty body stands for an empty object. */
export function readBody<T extends TSchema>(check: Validator<Record<never, never>, T>, text: unknown): Static<T> {
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(String(text));
  } catch {
    throw new ControlRefusal(400, 'INVALID_JSON', 'request body: expected JSON, got text that is not');
  }
  if (check.Check(value)) return value as Static<T>;
  const [first] = check.Errors(value);
  throw new ControlRefusal(
    400,
    'INVALID_FIELD',
    `request body at ${first?.instancePath || '/'}: ${first?.message ?? 'does not fit'}`,
  );
}
