/** Checks arguments against the whole schema of a tool. Compiled checks are kept for the tools in use, not for all. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { documentPattern, PatternTooSlow, restartPatternClock } from '../catalog/document-pattern.ts';
import type { JsonSchema, Tool } from '../catalog/tool.ts';
import { RouterError } from '../errors.ts';
import { ajv, ajvFormats } from '../lazy-import.ts';
import { canonicalJson } from './canonical-json.ts';
import { type ArgumentProblem, argumentProblem, gathered } from './invalid-argument.ts';

/** Schemas that one compiler compiles before another takes its place. */
const MOST_COMPILED = 128;
const PROBLEMS_SHOWN = 4;
/** Of 100,000 wrong entries the first ones say enough. */
const PROBLEMS_LOOKED_AT = 500;
/** Levels of objects and lists in arguments. */
const MOST_NESTED = 200;
const TOO_SLOW = 'should be shorter: checking it against the patterns of its document takes too long';

interface Compiled {
  schema: JsonSchema;
  check: ValidateFunction;
}

/**
 * A compiler never forgets all of what it compiled, and each check that it compiled holds on to it. So after a number of
 * schemas a new compiler begins, and of those before it only the last one's checks are kept.
 */
export class Validators {
  readonly #schemaOf: (name: string) => JsonSchema;
  #compiled = new Map<string, Compiled>();
  #compiledBefore = new Map<string, Compiled>();
  #ajv: Ajv2020 | undefined;

  constructor(schemaOf: (name: string) => JsonSchema) {
    this.#schemaOf = schemaOf;
  }

  schema(tool: Tool): JsonSchema {
    return this.#entry(tool).schema;
  }

  /** Problems, best first; none when the arguments are right. */
  problems(tool: Tool, args: unknown): ArgumentProblem[] {
    if (nestsDeeper(args, MOST_NESTED))
      return [{ pointer: '', expected: `should nest at most ${MOST_NESTED} levels deep`, got: 'more' }];
    const { check } = this.#entry(tool);
    restartPatternClock();
    try {
      if (check(args)) return [];
    } catch (error) {
      if (!(error instanceof PatternTooSlow)) throw error;
      return [{ pointer: '', expected: TOO_SLOW, got: `${JSON.stringify(args).length} characters` }];
    }
    const errors = (check.errors ?? []).slice(0, PROBLEMS_LOOKED_AT).sort((a, b) => usefulness(b) - usefulness(a));
    const secrets = new Set(tool.secrets);
    const seen = new Set<string>();
    const problems = errors
      .map((error) => argumentProblem(error, secrets))
      .filter(({ pointer, expected }) => {
        const fresh = !seen.has(`${pointer} ${expected}`);
        seen.add(`${pointer} ${expected}`);
        return fresh;
      });
    // A name in another place or spelling leaves the right one missing: the former says what to do.
    return gathered(problems)
      .sort((a, b) => Number(isMisplaced(b)) - Number(isMisplaced(a)))
      .slice(0, PROBLEMS_SHOWN);
  }

  #entry(tool: Tool): Compiled {
    const known = this.#compiled.get(tool.name) ?? this.#compiledBefore.get(tool.name);
    if (known) return known;
    if (this.#compiled.size >= MOST_COMPILED) {
      this.#compiledBefore = this.#compiled;
      this.#compiled = new Map();
      this.#ajv = undefined;
    }
    const schema = this.#schemaOf(tool.name);
    const entry = { schema, check: this.#compile(tool.name, schema) };
    this.#compiled.set(tool.name, entry);
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

  /** Made on the first call: a router that only searches never needs it. */
  #compiler(): Ajv2020 {
    if (this.#ajv) return this.#ajv;
    const { Ajv2020 } = ajv();
    this.#ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      verbose: true,
      logger: false,
      addUsedSchema: false,
      // 19.99 is a multiple of 0.01, whatever a division of binary fractions gives.
      multipleOfPrecision: 8,
      code: { regExp: patternEngine },
    });
    ajvFormats().default(this.#ajv);
    inLinearTime(this.#ajv);
    takeNetworkNames(this.#ajv);
    return this.#ajv;
  }
}

/**
 * The router does not check a pattern without linear time. The platform checks it, as the import of the document
 * reported.
 */
const patternEngine = Object.assign(
  (pattern: string) => ({
    test: documentPattern(pattern)?.test ?? (() => true),
    toString: () => `document pattern ${pattern}`,
  }),
  { code: 'documentPattern' },
);

/** Two checks of the library take quadratic time: entries compared in pairs, and URLs. */
function inLinearTime(compiler: Ajv2020): void {
  compiler.removeKeyword('uniqueItems');
  compiler.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    validate: (wanted: boolean, list: unknown[]) => !wanted || new Set(list.map(canonicalJson)).size === list.length,
  });
  compiler.addFormat('url', (text) => /^(?:https?|ftp):/i.test(text) && URL.canParse(text));
}

const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const DOMAIN = `${LABEL}(?:\\.${LABEL})*`;
const HOSTNAME = new RegExp(`^(?=.{1,253}\\.?$)${DOMAIN}\\.?$`, 'i');
/** RFC 5321, 4.1.2, without quoted names: a domain of one part, or an address in brackets. */
const MAILBOX = new RegExp(
  `^[a-z0-9!#$%&'*+/=?^_\`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_\`{|}~-]+)*@(?:${DOMAIN}|\\[[0-9a-z.:]+\\])$`,
  'i',
);

/** Devices have names with an underscore and send mail as `root@nms`: the library takes neither. */
function takeNetworkNames(compiler: Ajv2020): void {
  compiler.addFormat('hostname', HOSTNAME);
  compiler.addFormat('email', MAILBOX);
}

const isMisplaced = ({ instead, within }: ArgumentProblem): boolean => instead !== undefined || within !== undefined;

/** Not recursive, because a caller may send a value of any depth. */
function nestsDeeper(value: unknown, most: number): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, depth] = next;
    if (typeof node !== 'object' || node === null) continue;
    if (depth >= most) return true;
    for (const inner of Object.values(node)) if (typeof inner === 'object') open.push([inner, depth + 1]);
  }
  return false;
}

/** Errors of a branch nobody took say less than the one about the value itself. */
function usefulness(error: ErrorObject): number {
  if (error.keyword === 'if' || error.keyword === 'anyOf' || error.keyword === 'oneOf' || error.keyword === 'allOf')
    return 0;
  return /\/(anyOf|oneOf)\//.test(error.schemaPath) ? 1 : 2;
}
