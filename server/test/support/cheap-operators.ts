/**
 * Operators whose passwords are hashed at the lowest cost, which the file states for each of them. The cost of the product is a
 * tenth of a second of a core at every look, more than the rest of most tests of the console.
 */
import { randomBytes, scryptSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface CheapOperator {
  name: string;
  password: string;
  /** Principals of the agents that ask for this operator. */
  principals?: readonly string[];
}

const COST = { N: 2, r: 1, p: 1 };

/** Writes the file of operators at `path` anew, and its folder where there is none. */
export function writeCheapOperators(path: string, people: readonly CheapOperator[]): void {
  const operators = people.map(({ name, password, principals = [] }) => {
    const salt = randomBytes(16);
    const hash = scryptSync(password, salt, 32, COST).toString('base64url');
    return { name, principals, salt: salt.toString('base64url'), hash, cost: COST };
  });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ version: 1, operators }), { mode: 0o600 });
}
