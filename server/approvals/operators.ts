/**
 * The operators: who may approve, decline and stop writes. One private file holds their passwords, hashed with scrypt and a
 * salt each, or their subjects at an OpenID provider. The file is read again at every use, so an operator who is removed is
 * out at once.
 */
import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { mustBePrivateKeyFile } from '../config/private-path.ts';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { whileLocked } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';

export interface Operator {
  name: string;
  /** Principals of the agents that ask for this operator: their requests somebody else has to approve. */
  principals: readonly string[];
  /** Changes with the password, so that sessions under the old one end. */
  stamp: string;
}

/** Who a person is at an OpenID provider. A subject is unique within its issuer (OpenID Connect Core 1.0, 2). */
export interface OidcIdentity {
  issuer: string;
  subject: string;
}

interface StoredPassword {
  /** Base64url, as is the hash. */
  salt: string;
  hash: string;
  /** Cost of scrypt (RFC 7914): N is a power of two. */
  cost: { N: number; r: number; p: number };
}

/** An operator signs in by password or by a provider, never by both. */
type SignIn = StoredPassword | { oidc: OidcIdentity };
type StoredOperator = { name: string; principals: readonly string[] } & SignIn;

export const SHORTEST_PASSWORD = 12;
const LONGEST_PASSWORD = 1024;
const LONGEST_SUBJECT = 255;
const COST = { N: 2 ** 15, r: 8, p: 1 };
const HASH_BYTES = 32;
/** scrypt needs 128 * N * r bytes, and a little more. */
const MOST_MEMORY = 64 * 1024 * 1024;
const NAME = /^[a-z][a-z0-9._-]{0,31}$/;

export class Operators {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  names(): string[] {
    return this.#read().map(({ name }) => name);
  }

  /** Names of those who sign in at this provider. */
  namesAt(issuer: string): string[] {
    return this.#read().flatMap((operator) =>
      'oidc' in operator && operator.oidc.issuer === issuer ? [operator.name] : [],
    );
  }

  /** The operator, where the password is right; as slow for an unknown name as for a wrong password. */
  async verify(name: string, password: string): Promise<Operator | undefined> {
    const found = this.#read().find((operator) => operator.name === name && 'hash' in operator);
    const stored = found && 'hash' in found ? found : NOBODY;
    const given = await derive(password.slice(0, LONGEST_PASSWORD), stored.salt, stored.cost);
    const right = timingSafeEqual(given, Buffer.from(stored.hash, 'base64url'));
    return right && found ? operatorOf(found) : undefined;
  }

  /** The operator as the file has it now; undefined once removed. */
  find(name: string): Operator | undefined {
    const found = this.#read().find((operator) => operator.name === name);
    return found && operatorOf(found);
  }

  /** Who this identity of a provider is here; undefined for nobody. */
  findIdentity({ issuer, subject }: OidcIdentity): Operator | undefined {
    const found = this.#read().find(
      (operator) => 'oidc' in operator && operator.oidc.issuer === issuer && operator.oidc.subject === subject,
    );
    return found && operatorOf(found);
  }

  /** Adds an operator who signs in at a provider. One identity is one operator, so nobody counts as two. Refuses with USAGE. */
  addIdentity(name: string, oidc: OidcIdentity, principals?: readonly string[]): void {
    refuse(operatorProblem({ name }));
    if (oidc.subject === '' || oidc.subject.length > LONGEST_SUBJECT)
      throw new RouterError(
        'USAGE',
        `a subject should have 1 to ${LONGEST_SUBJECT} characters, got ${oidc.subject.length}`,
      );
    this.#put({ name, oidc }, principals);
  }

  /** Adds an operator, or gives one another password and leaves whose agents ask for it. Refuses with USAGE. */
  async add(name: string, password: string, principals?: readonly string[]): Promise<void> {
    refuse(operatorProblem({ name, password }));
    const salt = randomBytes(16).toString('base64url');
    const derived = await derive(password, salt, COST);
    this.#put({ name, salt, hash: derived.toString('base64url'), cost: COST }, principals);
  }

  #put(added: { name: string } & SignIn, principals: readonly string[] | undefined): void {
    this.#change((all) => {
      const others = all.filter(({ name }) => name !== added.name);
      const twin = others.find((one) => 'oidc' in one && 'oidc' in added && isSame(one.oidc, added.oidc));
      if (twin !== undefined)
        throw new RouterError(
          'USAGE',
          `this subject is already the operator ${twin.name}; one subject is one operator`,
        );
      const before = all.find(({ name }) => name === added.name);
      return [...others, { ...added, principals: principals ?? before?.principals ?? [] }];
    });
  }

  /** False where there is none of this name. */
  remove(name: string): boolean {
    if (!this.names().includes(name)) return false;
    this.#change((all) => all.filter((operator) => operator.name !== name));
    return true;
  }

  #read(): StoredOperator[] {
    let text: string;
    try {
      mustBePrivateKeyFile(this.#path);
      text = readFileSync(this.#path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw cause instanceof RouterError ? cause : this.#invalid(cause);
    }
    return this.#operatorsIn(text);
  }

  #operatorsIn(text: string): StoredOperator[] {
    try {
      const { operators } = JSON.parse(text) as { operators: StoredOperator[] };
      if (operators.every(isStored) && areDistinct(operators)) return operators;
    } catch (cause) {
      throw this.#invalid(cause);
    }
    throw this.#invalid();
  }

  /** By one process at a time, or an operator who was removed meanwhile would be there again. */
  #change(edit: (operators: readonly StoredOperator[]) => StoredOperator[]): void {
    makeFolder(dirname(this.#path));
    whileLocked(`${this.#path}.lock`, (mustHold) => {
      const text = JSON.stringify({ version: 1, operators: edit(this.#read()) }, null, 2);
      writeAtomically(this.#path, `${text}\n`, { beforeReplacing: mustHold });
    });
  }

  #invalid(cause?: unknown): RouterError {
    return new RouterError('CONFIG_INVALID', `${this.#path} should be a file of operators that this user may read`, {
      cause,
      remedy: `remove ${this.#path}, then run svc-mcp-approvals operator-add`,
    });
  }
}

const operatorOf = (stored: StoredOperator): Operator => ({
  name: stored.name,
  principals: stored.principals,
  stamp: hash('sha256', 'oidc' in stored ? identityOf(stored.oidc) : `${stored.salt} ${stored.hash}`, 'base64url'),
});

const isSame = (one: OidcIdentity, other: OidcIdentity): boolean => identityOf(one) === identityOf(other);
const identityOf = ({ issuer, subject }: OidcIdentity): string => JSON.stringify([issuer, subject]);

/** Why this is no name, or no password, of an operator; undefined where it may be. */
export function operatorProblem({ name, password }: { name?: string; password?: string }): string | undefined {
  if (name !== undefined && !NAME.test(name))
    return 'the name of an operator should be 1 to 32 of a-z, 0-9, ".", "_", "-", a letter first';
  if (password !== undefined && (password.length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD))
    return `a password should have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, got ${password.length}`;
  return undefined;
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new RouterError('USAGE', problem);
}

/** In place of an operator that is not there: its password is not known to anybody. */
const NOBODY: StoredPassword = {
  salt: randomBytes(16).toString('base64url'),
  hash: randomBytes(HASH_BYTES).toString('base64url'),
  cost: COST,
};

function isStored(value: unknown): value is StoredOperator {
  const { name, principals, oidc, ...rest } = (value ?? {}) as Partial<StoredPassword> & {
    name?: unknown;
    principals?: unknown;
    oidc?: Partial<OidcIdentity>;
  };
  if (typeof name !== 'string' || !NAME.test(name) || !Array.isArray(principals)) return false;
  if (oidc === undefined) return isPassword(rest);
  // One way in: a password beside it would open the console to whoever knows either.
  return rest.hash === undefined && typeof oidc?.issuer === 'string' && typeof oidc.subject === 'string';
}

function isPassword({ salt, hash: hashed, cost }: Partial<StoredPassword>): boolean {
  return (
    typeof salt === 'string' &&
    Buffer.from(String(hashed), 'base64url').length === HASH_BYTES &&
    [cost?.N, cost?.r, cost?.p].every(Number.isInteger)
  );
}

/** Two names of one person would count as two operators. */
function areDistinct(operators: readonly StoredOperator[]): boolean {
  const identities = operators.flatMap((operator) => ('oidc' in operator ? [identityOf(operator.oidc)] : []));
  return new Set(identities).size === identities.length;
}

function derive(password: string, salt: string, { N, r, p }: StoredPassword['cost']): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFC'),
      Buffer.from(salt, 'base64url'),
      HASH_BYTES,
      { N, r, p, maxmem: MOST_MEMORY },
      (error, derived) => (error ? reject(error) : resolve(derived)),
    );
  });
}
