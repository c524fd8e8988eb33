/** Fields that identify a thing: an example of one thing must not lend them to another. */
import { plainName } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import { singularOfNoun } from './item-path.ts';

const USUAL =
  'id,uuid,guid,uid,sid,gid,key,slug,number,serial,serialnumber,mac,macaddress,href,self,selflink,etag,hashid'.split(
    ',',
  );
/** Objects inside a thing that are about the thing itself. */
const OWN_HOLDERS = new Set(['metadata', 'sys', 'attributes', 'data', 'identity', 'identifiers']);

/** Plain names of the fields that identify a thing of this noun. */
export function idFields(noun: string): ReadonlySet<string> {
  const own = plainName(singularOfNoun(noun));
  return new Set([...USUAL, ...['id', 'uuid', 'key', 'number', 'sid'].map((ending) => own + ending)]);
}

export const isOwnHolder = (name: string): boolean => OWN_HOLDERS.has(plainName(name));

/** Whether a field at this place of a thing identifies it. */
export function isIdAt(path: readonly string[], ids: ReadonlySet<string>): boolean {
  const name = path.at(-1);
  if (name === undefined || !ids.has(plainName(name))) return false;
  return path.slice(0, -1).every((holder) => OWN_HOLDERS.has(plainName(holder)));
}

export function withoutIds(example: Record<string, unknown>, ids: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(example).flatMap(([name, value]) => {
    if (isObject(value) && OWN_HOLDERS.has(plainName(name))) return [[name, withoutIds(value, ids)] as const];
    return ids.has(plainName(name)) && !isObject(value) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
