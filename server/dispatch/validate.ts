/** Checks arguments against the whole schema of a tool. Compiled checks are kept for the tools in use, not for all. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import { RouterError } from '../errors.ts';
import { ajv, ajvFormats } from '../on-demand.ts';
import { type ArgumentProblem, argumentProblem } from './invalid-argument.ts';

const KEPT = 128;
const PROBLEMS_SHOWN = 4;

export class Validators {
  readonly #schemaOf: (name: string) => JsonSchema;
  readonly #compiled = new Map<string, { schema: JsonSchema; check: ValidateFunction }>();
  #ajv: Ajv2020 | undefined;

  constructor(schemaOf: (name: string) => JsonSchema) {
    this.#schemaOf = schemaOf;
  }

  schema(tool: Tool): JsonSchema {
    return this.#entry(tool).schema;
  }

  /** Problems, best first; none when the arguments are right. */
  problems(tool: Tool, args: unknown): ArgumentProblem[] {
    const { check } = this.#entry(tool);
    if (check(args)) return [];
    const errors = [...(check.errors ?? [])].sort((a, b) => usefulness(b) - usefulness(a));
    const secrets = new Set(tool.secrets);
    const seen = new Set<string>();
    const problems = errors
      .map((error) => argumentProblem(error, secrets))
      .filter(({ pointer, expected }) => {
        const fresh = !seen.has(`${pointer} ${expected}`);
        seen.add(`${pointer} ${expected}`);
        return fresh;
      });
    return problems.slice(0, PROBLEMS_SHOWN);
  }

  #entry(tool: Tool): { schema: JsonSchema; check: ValidateFunction } {
    const known = this.#compiled.get(tool.name);
    if (known) {
      // Re-inserted, so the map stays in order of use.
      this.#compiled.delete(tool.name);
      this.#compiled.set(tool.name, known);
      return known;
    }
    const schema = this.#schemaOf(tool.name);
    const entry = { schema, check: this.#compile(tool.name, schema) };
    this.#compiled.set(tool.name, entry);
    if (this.#compiled.size > KEPT) this.#forget(this.#compiled.keys().next().value as string);
    return entry;
  }

  #compile(name: string, schema: JsonSchema): ValidateFunction {
    try {
      return this.#compiler().compile(schema);
    } catch (cause) {
      throw new RouterError('CATALOG_INVALID', `the schema of ${name} cannot be used to check arguments`, {
        cause,
        remedy: 'correct the request schema in the OpenAPI document, then npm run catalog',
      });
    }
  }

  /** The compiler keeps what it compiled until told otherwise. */
  #forget(name: string): void {
    const entry = this.#compiled.get(name);
    this.#compiled.delete(name);
    if (entry) this.#ajv?.removeSchema(entry.schema);
  }

  /** Made on the first call: a router that only searches never needs it. */
  #compiler(): Ajv2020 {
    if (this.#ajv) return this.#ajv;
    const { Ajv2020 } = ajv();
    this.#ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, addUsedSchema: false });
    ajvFormats().default(this.#ajv);
    return this.#ajv;
  }
}

/** Errors of a branch nobody took say less than the one about the value itself. */
function usefulness(error: ErrorObject): number {
  if (error.keyword === 'if' || error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'allOf')
    return 0;
  return /\/(anyOf|oneOf)\//.test(error.schemaPath) ? 1 : 2;
}
