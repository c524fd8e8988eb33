/** Checks of values against schemas. Each is compiled at its first use: a run meets few of the schemas of a document. */
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { type Finding, finding } from '../http/expectation.ts';
import type { Schema } from './openapi-document.ts';
import { expressionOf } from './pattern.ts';

/** Null for a value that fits. */
export type Check = (value: unknown) => Finding | null;

type Format = (text: string) => boolean;

export const HOST =
  /^(?=.{1,253}$)([A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.)*[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\.?$/;

/** RFC 5321, 4.1.2, without quoted names: a domain may have one part, as in `root@nms`, or be an address in brackets. */
const MAILBOX =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-z.:]+\])$/i;

/** A validator that knows the schemas of a document; `root` has them below its `$id`. `formats` replace the usual ones. */
export function documentValidator(
  root: { $id: string },
  options: Options,
  formats: Readonly<Record<string, Format>> = {},
): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    verbose: true,
    discriminator: false,
    // 19.99 is a multiple of 0.01, whatever a division of binary fractions gives.
    multipleOfPrecision: 8,
    // Without it, a property named `toString` counts as sent: every object inherits one.
    ownProperties: true,
    // Thousands of schemas, each asked a few times: what makes a check fast costs more than it ever saves here.
    code: { optimize: false, regExp: patternEngine },
    ...options,
  });
  formatsPlugin.default(ajv);
  ajv.addFormat('email', MAILBOX);
  ajv.addFormat('hostname', HOST);
  for (const [name, test] of Object.entries(formats)) ajv.addFormat(name, test);
  ajv.addSchema(root);
  return ajv;
}

/** As the validator's library wants it: the function, and the name under which generated code would find it. */
const patternEngine = Object.assign((pattern: string) => expressionOf(pattern) as RegExp, { code: 'expressionOf' });

export class SchemaChecks {
  readonly #ajv: Ajv2020;
  readonly #prepare: (schema: Schema) => object;
  readonly #explain: (found: Finding, schema: Schema) => Finding;
  readonly #checks = new Map<Schema, Check>();

  /** `prepare` makes the schema that is compiled, `explain` may tell more of what was expected. */
  constructor(
    ajv: Ajv2020,
    prepare: (schema: Schema) => object,
    explain: (found: Finding, schema: Schema) => Finding = (found) => found,
  ) {
    this.#ajv = ajv;
    this.#prepare = prepare;
    this.#explain = explain;
  }

  of(schema: Schema): Check {
    const known = this.#checks.get(schema);
    if (known !== undefined) return known;
    let validate: ValidateFunction | null = null;
    const check: Check = (value) => {
      validate ??= this.#ajv.compile(this.#prepare(schema));
      if (isTaken(validate, value)) return null;
      return this.#explain(finding(mostTelling(validate.errors ?? []), value), schema);
    };
    this.#checks.set(schema, check);
    return check;
  }
}

/** The comparison behind `enum`, `const` and `uniqueItems` throws at objects without a prototype; a clone of one has it. */
function isTaken(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return validate(structuredClone(value));
  }
}

/** A union reports every branch; the deepest finding is the one about what the caller meant. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject {
  const own = errors.filter((error) => !['oneOf', 'anyOf', 'if'].includes(error.keyword));
  const ranked = own.length === 0 ? errors : own;
  return ranked.reduce((best, error) => (depth(error) > depth(best) ? error : best), ranked[0] as ErrorObject);
}

function depth(error: ErrorObject): number {
  return error.instancePath.split('/').length;
}
