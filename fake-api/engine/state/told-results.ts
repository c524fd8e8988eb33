/**
 * What the answer of an action says beside the object: when it was done, and of the things that the call names how many it was done to. A model names
 * the fields as its platform would; they are known by their words and types. What a platform says of its own action goes before.
 */
import { type OpenApiDocument, plain, plainName, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { strictCheck } from '../openapi/validators.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { isoSeconds } from './clock.ts';
import { type Named, onlyList } from './named-rows.ts';
import type { TaskCall, Values } from './platform-behaviour.ts';

/** Of a time that has come: `restoredAt`, `back_at`, `sent-at`; what is planned is of another one. */
const DONE = /^(?!sched|plann)(?:\w+ed|sent|reset|back)$/;
const SUCCESS =
  /^(?:accepted|added|applied|assigned|changed|cleared|copied|created|deleted|delivered|disconnected|done|erased|forgotten|moved|released|removed|reset|returned|revoked|succeeded|success|touched|updated)$/;
const FAILURE = /fail|refus|reject|skip|still|unknown|unlicens|unreach/;

export function toldResults(
  of: TaskCall,
  { document, schema }: { document: OpenApiDocument; schema: Schema | null },
  named: Named | null,
): Values {
  if (schema === null) return {};
  const list = onlyList(of);
  const facts: Facts = {
    now: isoSeconds(of.state.clock.ms),
    list,
    done: named?.done ?? list?.length,
    refused: named?.refused ?? (list === null ? undefined : 0),
  };
  const told: Values = {};
  for (const [name, property] of Object.entries(shapeOf(document, schema).properties)) {
    const value = factOf(name, plain(document, property), facts);
    if (value !== undefined && strictCheck(document, property)(value) === null) told[name] = value;
  }
  return told;
}

interface Facts {
  now: string;
  list: readonly unknown[] | null;
  done: number | undefined;
  refused: number | undefined;
}

function factOf(name: string, schema: Schema, facts: Facts): unknown {
  if (schema.format === 'date-time') return isDeed(name) ? facts.now : undefined;
  const word = plainName(name);
  const isSuccess = SUCCESS.test(word);
  if (!isSuccess && !FAILURE.test(word)) return undefined;
  const types = typesOf(schema);
  if (types.includes('integer')) return isSuccess ? facts.done : facts.refused;
  if (types.includes('array') && facts.list !== null && facts.refused === 0) return isSuccess ? facts.list : [];
  return undefined;
}

function isDeed(name: string): boolean {
  const [deed = '', last, ...more] = wordsOf(name);
  return more.length === 0 && DONE.test(deed) && /^(?:at|on|time)$/.test(last ?? '');
}
