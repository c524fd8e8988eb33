/** Rules a schema cannot state: references that must exist, unique values, fields set once, conditional fields. */
import type { Call } from '../http/accepted-call.ts';
import { type Answer, refuseAt } from '../http/platform-answer.ts';
import { shapeOf } from '../openapi/openapi-document.ts';
import { type Resource, sharedByNone, valuesAt } from '../openapi/stored-resource.ts';
import { strictCheck } from '../openapi/validators.ts';
import type { Row } from './collection.ts';
import { canonicalJson, describe, isObject, type JsonObject, own } from './json-value.ts';
import { contradiction } from './sensible-row.ts';

interface Rule {
  when?: Record<string, unknown>;
  require?: string[];
  field?: string;
  'device-function'?: Record<string, unknown[]>;
  deviceFunction?: Record<string, unknown[]>;
}

/** First broken rule of a value about to be stored, or null. */
export function brokenRule(
  call: Call,
  resource: Resource,
  id: string,
  value: JsonObject,
  secrets: Readonly<Record<string, string>>,
  before: Row | null,
): Answer | null {
  return (
    changedImmutable(resource, value, before) ??
    conditional(call, resource, value, secrets) ??
    incompletePart(resource, value, before) ??
    contradiction(resource, value, before, call.state.clock.ms) ??
    danglingReference(call, resource, value) ??
    takenUnique(call, resource, id, value)
  );
}

function changedImmutable(resource: Resource, value: JsonObject, before: Row | null): Answer | null {
  if (before === null) return null;
  for (const name of resource.immutable) {
    const old = before.value[name];
    if (old === undefined || value[name] === undefined || canonicalJson(old) === canonicalJson(value[name])) continue;
    const message = `field "${name}": expected ${JSON.stringify(old)}, it cannot change after creation, got ${describe(value[name])}`;
    return refuseAt(name, 422, 'IMMUTABLE_FIELD', message);
  }
  return null;
}

/** A patch that adds an object where there was none has to bring all that the object must have. */
function incompletePart(resource: Resource, value: JsonObject, before: Row | null): Answer | null {
  if (before === null || resource.readSchema === null) return null;
  const { properties } = shapeOf(resource.document, resource.readSchema);
  for (const [name, part] of Object.entries(value)) {
    const property = own(properties, name);
    if (property === undefined || !isObject(part) || isObject(own(before.value, name))) continue;
    const found = strictCheck(resource.document, property)(part);
    if (found === null) continue;
    const message = `field "${name}${found.pointer}": expected ${found.expected}, got ${found.got}`;
    return refuseAt(`${name}${found.pointer}`, 400, 'MISSING_FIELD', message);
  }
  return null;
}

/** A field that a rule demands under the condition it states, and that was not given. */
export function conditional(
  call: Call,
  resource: Resource,
  value: JsonObject,
  secrets: Readonly<Record<string, string>>,
): Answer | null {
  const named = call.query['device-function'];
  for (const entry of rulesOf(resource)) {
    const rule = entry as Rule;
    const problem =
      missingField(rule, value, secrets) ?? (typeof named === 'string' ? unsupportedOn(rule, named, value) : null);
    if (problem !== null) return problem;
  }
  return null;
}

function missingField(
  { when, require = [] }: Rule,
  value: JsonObject,
  secrets: Readonly<Record<string, string>>,
): Answer | null {
  if (when === undefined || !applies(when, value)) return null;
  const name = require.find((each) => !isGiven(value, each, secrets));
  if (name === undefined) return null;
  const condition = Object.keys(when).map((field) => `${field} is ${JSON.stringify(value[field])}`);
  return refuseAt(
    name.replaceAll('.', '/'),
    400,
    'MISSING_FIELD',
    `field "${name}": expected a value, it is required when ${condition.join(' and ')}, got nothing`,
  );
}

/** A required field may lie inside an object: `personal-security.wpa-passphrase`. */
function isGiven(value: JsonObject, name: string, secrets: Readonly<Record<string, string>>): boolean {
  const steps = Object.hasOwn(value, name) ? [name] : name.split('.');
  const found = valuesAt(value, steps)[0];
  return (found !== undefined && found !== null) || `/${steps.join('/')}` in secrets;
}

/** A value that the named kind of device does not support, by the device-function table of the resource. */
export function deviceFunctionProblem(resource: Resource, deviceFunction: string, value: JsonObject): Answer | null {
  for (const rule of rulesOf(resource)) {
    const problem = unsupportedOn(rule as Rule, deviceFunction, value);
    if (problem !== null) return problem;
  }
  return null;
}

function unsupportedOn(rule: Rule, deviceFunction: string, value: JsonObject): Answer | null {
  const table = rule['device-function'] ?? rule.deviceFunction;
  const field = rule.field;
  const allowed = field === undefined ? undefined : own(table, deviceFunction);
  if (table === undefined || field === undefined || value[field] === undefined) return null;
  if (allowed === undefined || allowed.includes(value[field])) return null;
  const message = `field "${field}": expected one of ${allowed.join(', ')} on device function ${deviceFunction}, got ${describe(value[field])}`;
  return refuseAt(field, 422, 'UNSUPPORTED_ON_DEVICE_FUNCTION', message);
}

/** Fields that the rules of a resource demand of a value, whether it has them or not. */
export function demandedBy(resource: Resource, value: JsonObject): string[] {
  return rulesOf(resource).flatMap((entry) => {
    const { when, require } = entry as Rule;
    return when !== undefined && applies(when, value) ? (require ?? []) : [];
  });
}

function rulesOf(resource: Resource): unknown[] {
  const schema = resource.createSchema;
  return schema === null ? [] : shapeOf(resource.document, schema).rules;
}

function applies(when: Record<string, unknown>, value: JsonObject): boolean {
  return Object.entries(when).every(([field, wanted]) => [wanted].flat().includes(value[field] as never));
}

function danglingReference(call: Call, resource: Resource, value: JsonObject): Answer | null {
  for (const { path, target } of resource.refs) {
    const wanted = target.resource === undefined ? undefined : call.platform.resources.get(target.resource);
    // A resource that no document of the platform describes cannot be checked.
    if (wanted === undefined) continue;
    for (const named of valuesAt(value, path)) {
      if (named === null || named === undefined || exists(call, wanted, named, target.field)) continue;
      const message = `field "${path.join('.').replaceAll('.[]', '[]')}": expected the ${target.field ?? 'name'} of an existing ${target.resource} entry, got ${describe(named)}`;
      return refuseAt(path.filter((step) => step !== '[]').join('/'), 400, 'REFERENCE_NOT_FOUND', message);
    }
  }
  return null;
}

export function exists(
  call: Pick<Call, 'state' | 'platform'>,
  resource: Resource,
  named: unknown,
  field?: string,
): boolean {
  const rows = call.state.rows(call.platform.id, resource.name);
  const byKey = field === undefined || field === resource.keyNames[0];
  if (byKey && resource.parentNames.length === 0 && rows.get(String(named)) !== undefined) return true;
  const property = field ?? (resource.keyNames[0] as string);
  for (const row of rows.all()) if (row.value[property] === named) return true;
  return false;
}

function takenUnique(call: Call, resource: Resource, id: string, value: JsonObject): Answer | null {
  for (const names of resource.uniqueTogether) {
    const own = sharedByNone(names, value);
    if (own === null) continue;
    for (const row of call.state.rows(call.platform.id, resource.name).all()) {
      if (row.id === id || sharedByNone(names, row.value) !== own) continue;
      const fields = names.length === 1 ? `field "${names[0]}"` : `fields "${names.join('", "')}"`;
      const wanted = names.length === 1 ? 'a value not in use' : 'values that are not in use together';
      const got = names.map((name) => describe(value[name])).join(', ');
      const message = `${fields}: expected ${wanted}, got ${got}, which another entry has`;
      return refuseAt(names[0] as string, 409, 'ALREADY_EXISTS', message);
    }
  }
  return null;
}
