/**
 * Schemas that demand themselves of one and the same value, which no validator can decide. The usual one is a base schema that
 * lists its children in `oneOf`, while each child takes the base in by `allOf`: there the child means the base without the list.
 */
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { addedSchema } from './added-schema.ts';
import { documentNodes, pointerOf } from './document-nodes.ts';
import type { Finding } from './import-finding.ts';

/** One step from a schema to another that the same value has to fit. */
interface Step {
  keyword: string;
  holder: JsonObject;
  target: JsonObject;
}

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const SINGLE = ['not', 'if', 'then', 'else'] as const;
const KEYWORDS = ['$ref', ...LISTS, ...SINGLE, 'dependentSchemas'];
/** A schema behind one of these only adds demands: without it the value fits all the more. */
const DEMANDS = new Set(['allOf', 'then', 'else', 'dependentSchemas']);

/** Changes the schemas of the document, and adds the bases that are left. */
export function breakUnionCircles(content: JsonObject, document: string, findings: Finding[]): void {
  const nodes = [...documentNodes(content)];
  const circles: Circles = { content, bases: new Map(), done: new Set() };
  const cut = new Set<JsonObject>();
  for (const { node } of nodes)
    for (let circle = circleFrom(circles, node); circle !== null; circle = circleFrom(circles, node)) {
      const holder = breakAt(circles, circle);
      if (holder !== undefined) cut.add(holder);
    }
  for (const place of nodes)
    if (cut.has(place.node))
      findings.push({
        document,
        pointer: pointerOf(place),
        message: 'the schema demands itself of the same value: the demand is left out',
        remedy: 'correct the reference in the document; until then the platform alone checks it',
      });
}

interface Circles {
  content: JsonObject;
  /** Schema with a union to the reference to the same one without. */
  bases: Map<JsonObject, string>;
  /** Schemas from which no circle can be reached. */
  done: Set<JsonObject>;
}

/** The steps of a circle below a schema; null when there is none. */
function circleFrom(circles: Circles, start: JsonObject): Step[] | null {
  if (circles.done.has(start) || !KEYWORDS.some((keyword) => keyword in start)) return null;
  const stack: { at: JsonObject; steps: Step[]; next: number }[] = [
    { at: start, steps: stepsFrom(circles, start), next: 0 },
  ];
  const onStack = new Set([start]);
  while (stack.length > 0) {
    const top = stack.at(-1) as (typeof stack)[number];
    const step = top.steps[top.next];
    top.next += 1;
    if (step === undefined) {
      circles.done.add(top.at);
      onStack.delete(top.at);
      stack.pop();
    } else if (onStack.has(step.target)) {
      const from = stack.findIndex(({ at }) => at === step.target);
      return stack.slice(from).map(({ steps, next }) => steps[next - 1] as Step);
    } else if (!circles.done.has(step.target)) {
      stack.push({ at: step.target, steps: stepsFrom(circles, step.target), next: 0 });
      onStack.add(step.target);
    }
  }
  return null;
}

function stepsFrom({ content }: Circles, holder: JsonObject): Step[] {
  const steps: Step[] = [];
  const add = (keyword: string, target: unknown): void => {
    if (isObject(target)) steps.push({ keyword, holder, target });
  };
  if (typeof holder['$ref'] === 'string') add('$ref', valueAt(content, holder['$ref']));
  for (const keyword of LISTS) {
    const parts = holder[keyword];
    if (Array.isArray(parts)) for (const part of parts) add(keyword, part);
  }
  for (const keyword of SINGLE) add(keyword, holder[keyword]);
  const dependent = holder['dependentSchemas'];
  if (isObject(dependent)) for (const part of Object.values(dependent)) add('dependentSchemas', part);
  return steps;
}

/**
 * Every circle has a reference. One that takes a base in is pointed at the base alone, which loses nothing; without such a one
 * the last is dropped, and what held it comes back.
 */
function breakAt(circles: Circles, circle: readonly Step[]): JsonObject | undefined {
  const taking = circle.find(
    (step, at) => step.keyword === '$ref' && hasUnion(step.target) && keywordBefore(circle, at) === 'allOf',
  );
  if (taking !== undefined) {
    taking.holder['$ref'] = baseOf(circles, String(taking.holder['$ref']), taking.target);
    return undefined;
  }
  const last = circle.findLastIndex(({ keyword }) => keyword === '$ref');
  const { holder } = circle[last] as Step;
  delete holder['$ref'];
  // A branch that is the union itself adds nothing.
  if (!DEMANDS.has(keywordBefore(circle, last))) holder['not'] = {};
  return holder;
}

const hasUnion = (schema: JsonObject): boolean => schema['oneOf'] !== undefined || schema['anyOf'] !== undefined;

/** The keyword that leads to the reference at this place of the circle; a schema that is a reference demands it like a part. */
function keywordBefore(circle: readonly Step[], at: number): string {
  for (let back = 1; back < circle.length; back += 1) {
    const { keyword } = circle[(at - back + circle.length) % circle.length] as Step;
    if (keyword !== '$ref') return keyword;
  }
  return 'allOf';
}

/** Reference to the schema without its union. */
function baseOf({ content, bases }: Circles, reference: string, schema: JsonObject): string {
  const known = bases.get(schema);
  if (known !== undefined) return known;
  const { oneOf: _one, anyOf: _any, discriminator: _told, ...rest } = schema;
  const base = addedSchema(content, reference, 'base', rest);
  bases.set(schema, base);
  return base;
}
