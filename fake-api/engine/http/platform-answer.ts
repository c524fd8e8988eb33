/** What a behaviour says. Refusals are everyday answers of a platform, so they are values and not errors. */
export interface Done {
  kind: 'done';
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Set when the body is text of another media type. */
  media?: string;
  /** Set when each character of that text is a byte. */
  encoding?: 'latin1';
  /** The status is good and the body tells of a refusal: nothing was done. */
  refusedInside?: true;
}

export interface Refusal {
  kind: 'refused';
  status: number;
  code: string;
  message: string;
  headers?: Record<string, string>;
  /** Field or parameter the refusal is about, its steps separated by slashes. */
  at?: string;
}

export type Answer = Done | Refusal;

export function done(status: number, body?: unknown, headers?: Record<string, string>): Done {
  return { kind: 'done', status, body, ...(headers === undefined ? {} : { headers }) };
}

/** A refusal that is about one field or parameter. */
export function refuseAt(at: string, status: number, code: string, message: string): Refusal {
  return { kind: 'refused', status, code, message, at };
}

export function refuse(status: number, code: string, message: string, headers?: Record<string, string>): Refusal {
  return { kind: 'refused', status, code, message, ...(headers === undefined ? {} : { headers }) };
}
