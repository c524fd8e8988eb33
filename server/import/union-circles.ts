/**
 * Schemas that demand themselves of one and the same value, which no validator can decide. The usual one is a base schema that
 * lists its children in `oneOf`, while each child takes the base in by `allOf`: there the child means the base without the list.
 */
import { isObject, type JsonObject, valueAt } from '../catalog/platform-document.ts';
import { type Finding, pointerPart } from './import-finding.ts';

/** One step from a schema to another that the same value has to fit. */
interface Step {
  keyword: string;
  holder: JsonObject;
  target: JsonObject;
}

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;
const SINGLE = ['not', 'if', 'then', 'else'] as const;

/** Changes the schemas of the components, and adds the bases that are left. */
export function breakUnionCircles(content: JsonObject, document: string, findings: Finding[]): void {
  const components = isObject(content['components']) ? content['components'] : {};
  const schemas = isObject(components['schemas']) ? components['schemas'] : {};
  const circles: Circles = { root: content, schemas, bases: new Map(), done: new Set() };
  for (const [name, schema] of Object.entries(schemas)) {
    for (;;) {
      const circle = isObject(schema) ? circleFrom(circles, schema) : null;
      if (circle === null) break;
      if (breakAt(circles, circle)) continue;
      findings.push({
        document,
        pointer: `/components/schemas/${pointerPart(name)}`,
        message: 'the schema demands itself of the same value: the demand is left out',
        remedy: 'correct the reference in the document; until then the platform alone checks it',
      });
    }
  }
}

interface Circles {
  root: JsonObject;
  schemas: JsonObject;
  /** Schema with a union to the name of the same one without. */
  bases: Map<JsonObject, string>;
  /** Schemas from which no circle can be reached. */
  done: Set<JsonObject>;
}

/** The steps of a circle below a schema; null when there is none. */
function circleFrom(circles: Circles, start: JsonObject): Step[] | null {
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

function stepsFrom({ root }: Circles, holder: JsonObject): Step[] {
  const steps: Step[] = [];
  const add = (keyword: string, target: unknown): void => {
    if (isObject(target)) steps.push({ keyword, holder, target });
  };
  if (typeof holder['$ref'] === 'string') add('$ref', valueAt(root, holder['$ref']));
  for (const keyword of LISTS) for (const part of [holder[keyword]].flat()) add(keyword, part);
  for (const keyword of SINGLE) add(keyword, holder[keyword]);
  return steps;
}

/**
 * Every circle has a reference. One that takes a base in is pointed at the base alone, which loses nothing; without such a one
 * the last is dropped, and false comes back.
 */
function breakAt(circles: Circles, circle: readonly Step[]): boolean {
  const taking = circle.find((step, at) => step.keyword === '$ref' && hasUnion(step.target) && isTakenIn(circle, at));
  if (taking !== undefined) {
    taking.holder['$ref'] = baseOf(circles, taking.target);
    return true;
  }
  const last = circle.findLastIndex(({ keyword }) => keyword === '$ref');
  const { holder } = circle[last] as Step;
  delete holder['$ref'];
  // A branch that is the union itself adds nothing.
  if (!isTakenIn(circle, last)) holder['not'] = {};
  return false;
}

const hasUnion = (schema: JsonObject): boolean => schema['oneOf'] !== undefined || schema['anyOf'] !== undefined;

/** Whether the reference at this place of the circle is an extension, and not a branch of a union. */
function isTakenIn(circle: readonly Step[], at: number): boolean {
  for (let back = 1; back < circle.length; back += 1) {
    const { keyword } = circle[(at - back + circle.length) % circle.length] as Step;
    if (keyword !== '$ref') return keyword === 'allOf';
  }
  return true;
}

/** Reference to the schema without its union. */
function baseOf({ schemas, bases }: Circles, schema: JsonObject): string {
  const known = bases.get(schema);
  if (known !== undefined) return known;
  const { oneOf: _one, anyOf: _any, discriminator: _told, ...rest } = schema;
  const name = `base-${bases.size + 1}`;
  schemas[name] = rest;
  bases.set(schema, `#/components/schemas/${name}`);
  return `#/components/schemas/${name}`;
}
