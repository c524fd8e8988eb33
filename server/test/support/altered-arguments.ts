/** Arguments of a call made wrong in one place, or made recognisable. */

import { isObject } from '../../catalog/platform-document.ts';
import type { JsonSchema } from '../../catalog/tool.ts';
import type { DrawnArguments } from './drawn-argument.ts';

export interface BrokenArguments {
  values: Record<string, unknown>;
  what: string;
}

const WRONG: readonly unknown[] = [{ unheard: 'of' }, [{ unheard: 'of' }], 'no-such-value', true, -1e300];

/** One variant for each argument: a value that its schema refuses; one without the argument; one with an argument that nobody knows. */
export function brokenVariants(schema: JsonSchema, { values, takes }: DrawnArguments): BrokenArguments[] {
  const wrong = Object.keys(values).flatMap((name) => {
    const bad = WRONG.find((value) => !takes({ ...values, [name]: value }));
    return bad === undefined ? [] : [{ what: `${name} = ${JSON.stringify(bad)}`, values: { ...values, [name]: bad } }];
  });
  const missing = Object.keys(values).flatMap((name) => {
    const { [name]: _, ...rest } = values;
    return takes(rest) ? [] : [{ what: `without ${name}`, values: rest }];
  });
  const strange = { ...values, unheard_of: 'x' };
  const inBody = brokenBody(values, takes);
  return [
    ...wrong.slice(0, 2),
    ...missing.slice(0, 2),
    ...inBody,
    ...(takes(strange) || schema['properties'] === undefined ? [] : [{ what: 'unheard_of', values: strange }]),
  ];
}

/** A field of the body of a wrong kind, and one that is required left out. */
function brokenBody(values: Record<string, unknown>, takes: DrawnArguments['takes']): BrokenArguments[] {
  const { body } = values;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const found: BrokenArguments[] = [];
  for (const name of Object.keys(body)) {
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    const variants = [...WRONG.map((value) => ({ ...body, [name]: value })), rest];
    const bad = variants.find((variant) => !takes({ ...values, body: variant }));
    if (bad !== undefined) found.push({ what: `body/${name}`, values: { ...values, body: bad } });
    if (found.length === 2) break;
  }
  return found;
}

export interface Mark {
  /** Names from the body down to the field. */
  path: string[];
  text: string;
}

let marks = 0;

/** Answers hide what such a field has. */
const isSecretName = (name: string): boolean => /key|token|secret|passw|credential/i.test(name);

/** A text of the body that answers show under the same name, the nearest to its top; rather one that none of them shows as a number. */
export function chosenMark(body: unknown, answers: readonly unknown[]): Mark | undefined {
  const shown = JSON.stringify(answers);
  let level: { path: string[]; value: unknown }[] = [{ path: [], value: body }];
  for (let depth = 0; depth < 3; depth += 1) {
    const fields = level.flatMap(({ path, value }) =>
      isObject(value)
        ? Object.entries(value).flatMap(([name, entry]) =>
            isSecretName(name) ? [] : [{ path: [...path, name], value: entry }],
          )
        : [],
    );
    const texts = fields.filter(
      ({ path, value }) => typeof value === 'string' && /^w\d+/.test(value) && shown.includes(`"${path.at(-1)}":"`),
    );
    const isText = (name = '') =>
      !shown
        .split(`"${name}":`)
        .slice(1)
        .some((rest) => /^[-\d]/.test(rest));
    const found = texts.find(({ path }) => isText(path.at(-1))) ?? texts[0];
    if (found !== undefined) {
      marks += 1;
      return { path: found.path, text: `mark${marks}` };
    }
    level = fields;
  }
  return undefined;
}

/** The arguments with the mark in place; as they were where the schema does not take it. */
export function marked({ values, takes }: DrawnArguments, { path, text }: Mark): Record<string, unknown> {
  const copy = structuredClone(values);
  let holder = copy['body'] as Record<string, unknown>;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  holder[path.at(-1) as string] = text;
  return takes(copy) ? copy : values;
}
