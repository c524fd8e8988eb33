/** Text files that an operator names: tables and bodies, in UTF-8. */
import { readFileSync } from 'node:fs';
import { RouterError } from '../errors.ts';

/** USAGE where the file cannot be read. Of another encoding a name would be written with a sign that nobody meant. `what` names it to the person. */
export function utf8Text(file: string, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    if (!(cause instanceof TypeError))
      throw new RouterError('USAGE', `${what}: ${JSON.stringify(file)} cannot be read`, { cause });
    throw new RouterError('USAGE', `${what}: ${JSON.stringify(file)} should be text in UTF-8, got another encoding`, {
      remedy: 'save it in UTF-8',
    });
  }
}
