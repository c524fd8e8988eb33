/**
 * The principals of a router. The file is looked at again with every request (its time, inode and size), so an added, rotated or removed
 * bearer needs no restart. A file that broke changes nothing: the last good one stays, and health and doctor say so.
 */
import { RouterError } from '../errors.ts';
import { fileStamp } from '../files/file-stamp.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { holderOf } from './bearer-hash.ts';
import type { Principal } from './principal.ts';
import { readPrincipals, type ServerSettings } from './principals-file.ts';

export class Principals {
  readonly #path: string;
  readonly #settings: ServerSettings;
  readonly #logger: Logger;
  #stamp: string;
  #principals: readonly Principal[];
  #problem: string | undefined;

  /** Throws PRINCIPALS_INVALID or CONFIG_INVALID: a router does not start with a file that it cannot use. */
  constructor(path: string, settings: ServerSettings, logger: Logger) {
    this.#path = path;
    this.#settings = settings;
    this.#logger = logger;
    this.#stamp = fileStamp(path);
    this.#principals = readPrincipals(path, settings);
  }

  /** Whose bearer it is; undefined for nobody's. */
  find(bearer: string | undefined): Principal | undefined {
    this.#readAgain();
    return bearer === undefined ? undefined : holderOf(this.#principals, bearer);
  }

  /** Whose claim an access token has; undefined for nobody's. A claim that is no text fits none. */
  ofClaims(claims: Readonly<Record<string, unknown>>): Principal | undefined {
    this.#readAgain();
    return this.#principals.find(
      ({ claim }) => claim !== undefined && Object.hasOwn(claims, claim.name) && claims[claim.name] === claim.value,
    );
  }

  /** The one of this name; undefined for none. */
  named(name: string): Principal | undefined {
    this.#readAgain();
    return this.#principals.find((principal) => principal.name === name);
  }

  /** What is wrong with the file as it is now; undefined while the principals are those of the file. */
  get problem(): string | undefined {
    this.#readAgain();
    return this.#problem;
  }

  #readAgain(): void {
    const stamp = fileStamp(this.#path);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    try {
      this.#principals = readPrincipals(this.#path, this.#settings);
      this.#problem = undefined;
      this.#logger.info('principals.read', { principals: this.#principals.length });
    } catch (error) {
      this.#problem = error instanceof RouterError ? error.message : `${this.#path} cannot be read`;
      this.#logger.error('principals.invalid', errorFields(error));
    }
  }
}
