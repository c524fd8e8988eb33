/** Carries out the symptoms of an incident, in the order of the file. */
import { plain, shapeOf } from '../engine/openapi/openapi-document.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { type Row, rowParts } from '../engine/state/collection.ts';
import type { JsonObject } from '../engine/state/json-value.ts';
import { sensibleValue } from '../engine/state/sensible-row.ts';
import type { State } from '../engine/state/state.ts';
import { type Fault, faultOf, orphanOf } from './incident-check.ts';
import type { Incident, SymptomFacts } from './incident-file.ts';
import { newRow, selectedRows, valuesOf } from './incident-rows.ts';
import { fieldAt, filled, type Scope, Unworkable, type Values, valueFor } from './incident-values.ts';

/** One row before and after; null where there was or is none. */
export interface IncidentChange {
  platform: string;
  resource: string;
  id: string;
  before: Row | null;
  after: Row | null;
  /** Position of the symptom in the file. */
  symptom: number;
}

/** Rows that an incident names, as the network has them now. */
export function namedRows(state: State, incident: Incident): Scope {
  return new Unfolding(state, incident).namedRows();
}

/** What an incident does to a namespace, symptom by symptom. A refusal leaves the namespace half changed. */
export class Unfolding {
  readonly #state: State;
  readonly #incident: Incident;
  readonly #changes = new Map<string, IncidentChange>();

  constructor(state: State, incident: Incident) {
    this.#state = state;
    this.#incident = incident;
  }

  changes(): IncidentChange[] {
    const scope = this.namedRows();
    for (const [at, symptom] of this.#incident.symptoms.entries()) {
      if (symptom.for !== undefined && this.#isUnserved(symptom.for, scope)) continue;
      const resource = this.#resource(symptom.in, ['symptoms', at, 'in']);
      if (resource !== null && !this.#needsUnserved(symptom, scope)) this.#apply(symptom, at, resource, scope);
    }
    for (const change of this.#changes.values()) this.#judge(change);
    return [...this.#changes.values()];
  }

  namedRows(): Scope {
    const scope = new Map<string, readonly Values[]>();
    for (const [name, { of, where, most }] of Object.entries(this.#incident.rows ?? {})) {
      const path = ['rows', name];
      const resource = this.#resource(of, [...path, 'of']);
      if (resource === null || this.#needsUnserved(where, scope)) continue;
      const rows = this.#select(resource, where, scope, most, [...path, 'where']);
      scope.set(
        name,
        rows.map((row) => valuesOf(resource, row)),
      );
    }
    return scope;
  }

  /** Null for a platform that is not served. */
  #resource(place: string, path: (string | number)[]): Resource | null {
    const [id = '', name = ''] = place.split('/');
    const platform = this.#state.platforms.get(id);
    if (platform === undefined) return null;
    const resource = platform.resources.get(name);
    return resource ?? this.#incident.refuse(path, `a resource of platform "${id}"`, `"${name}"`);
  }

  /** Whether a value refers to rows of a platform that is not served. */
  #needsUnserved(value: unknown, scope: Scope): boolean {
    const names = [...JSON.stringify(value).matchAll(/\{\{\s*([A-Za-z0-9]+)\./g)].map(([, name]) => name as string);
    return names.some((name) => this.#isUnserved(name, scope));
  }

  /** Named rows that are nowhere are of a platform that is not served: where they only do not exist, the start is refused. */
  #isUnserved(name: string, scope: Scope): boolean {
    return !scope.has(name) && this.#incident.rows?.[name] !== undefined;
  }

  #select(resource: Resource, where: Values, scope: Scope, most: number | undefined, path: (string | number)[]): Row[] {
    const conditions = this.#worked(path, () => filled(where, scope) as Values);
    const rows = this.#worked(path, () => selectedRows(this.#state, resource, conditions, most));
    if (rows.length > 0) return rows;
    const number = this.#state.rows(resource.platform, resource.name).size;
    return this.#incident.refuse(
      path,
      `at least one row of ${resource.platform}/${resource.name}`,
      `none of ${number}`,
    );
  }

  #apply(symptom: SymptomFacts, at: number, resource: Resource, scope: Scope): void {
    const path = ['symptoms', at];
    const each = symptom.for === undefined ? [undefined] : scope.get(symptom.for);
    if (each === undefined)
      this.#incident.refuse([...path, 'for'], `one of ${[...scope.keys()].join(', ')}`, `"${symptom.for}"`);
    let selected = 0;
    for (const [index, one] of each.entries()) {
      const own = one === undefined ? scope : new Map([...scope, [symptom.for as string, [one]]]);
      if (symptom.add !== undefined) this.#add(symptom.add, at, resource, own, index);
      else selected += this.#change(symptom, at, resource, own);
    }
    if (symptom.add === undefined && selected === 0) {
      const number = this.#state.rows(resource.platform, resource.name).size;
      this.#incident.refuse([...path, 'where'], `at least one row of ${symptom.in}`, `none of ${number}`);
    }
  }

  #add(fields: Values, at: number, resource: Resource, scope: Scope, index: number): void {
    const value: JsonObject = {};
    for (const [name, stated] of Object.entries(fields))
      value[name] = this.#valueOf(stated, scope, resource, name, undefined, ['symptoms', at, 'add', name]);
    const row = newRow(this.#state, resource, value, ['incident', this.#incident.name, at, index]);
    const there = this.#state.rows(resource.platform, resource.name).get(row.id);
    if (there !== undefined)
      this.#incident.refuse(['symptoms', at, 'add'], 'a key that no row has', rowParts(row.id).join('/'));
    this.#note(resource, row.id, row, at);
  }

  /** Number of rows that were selected. */
  #change(symptom: SymptomFacts, at: number, resource: Resource, scope: Scope): number {
    const path = ['symptoms', at, 'where'];
    const conditions = this.#worked(path, () => filled(symptom.where, scope) as Values);
    const rows = this.#worked(path, () => selectedRows(this.#state, resource, conditions, symptom.most));
    for (const row of rows) {
      if (symptom.remove === true) this.#note(resource, row.id, null, at);
      else this.#set(symptom.set ?? {}, at, resource, row, new Map([...scope, ['row', [valuesOf(resource, row)]]]));
    }
    return rows.length;
  }

  #set(fields: Values, at: number, resource: Resource, row: Row, scope: Scope): void {
    const value: JsonObject = { ...row.value };
    for (const [name, stated] of Object.entries(fields))
      value[name] = this.#valueOf(stated, scope, resource, name, fieldAt(row.value, name), [
        'symptoms',
        at,
        'set',
        name,
      ]);
    const whole = sensibleValue(resource, value, this.#state.clock.ms, Object.keys(fields));
    this.#note(resource, row.id, { ...row, value: whole }, at);
  }

  #valueOf(
    stated: unknown,
    scope: Scope,
    { document, readSchema, parentNames, name: resource }: Resource,
    name: string,
    before: unknown,
    path: (string | number)[],
  ): JsonObject[string] {
    const schema = shapeOf(document, readSchema ?? {}).properties[name];
    if (schema === undefined && !parentNames.includes(name))
      this.#incident.refuse(path, `a field of ${resource}`, `"${name}"`);
    const field = {
      document,
      schema: plain(document, schema ?? { type: 'string' }),
      before,
      nowMs: this.#state.clock.ms,
    };
    return this.#worked(path, () => valueFor(stated, scope, field) as JsonObject[string]);
  }

  #worked<T>(path: (string | number)[], work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof Unworkable) return this.#incident.refuse(path, error.expected, error.got);
      throw error;
    }
  }

  #note(resource: Resource, id: string, after: Row | null, symptom: number): void {
    const { platform, name } = resource;
    const mark = `${platform} ${name} ${id}`;
    const known = this.#changes.get(mark);
    const before = known === undefined ? (this.#state.rows(platform, name).get(id) ?? null) : known.before;
    if (after === null) this.#state.remove(resource, id);
    else this.#state.put(resource, after);
    const stored = this.#state.rows(platform, name).get(id) ?? null;
    this.#changes.set(mark, { platform, resource: name, id, before, after: stored, symptom });
  }

  #judge({ platform, resource: name, id, before, symptom }: IncidentChange): void {
    const resource = this.#state.platforms.get(platform)?.resources.get(name) as Resource;
    const row = this.#state.rows(platform, name).get(id);
    const fault =
      row === undefined ? before && orphanOf(this.#state, resource, before) : faultOf(this.#state, resource, row);
    if (fault !== null) this.#refuse(symptom, `${platform}/${name}/${rowParts(id).join('/')}`, fault);
  }

  #refuse(at: number, row: string, { field, expected, got }: Fault): never {
    const symptom = this.#incident.symptoms[at] as SymptomFacts;
    const verb = symptom.set === undefined ? (symptom.add === undefined ? 'remove' : 'add') : 'set';
    const stated = field.split(/[.+]/).find((name) => name in (symptom.set ?? symptom.add ?? {}));
    const path = ['symptoms', at, verb, ...(stated === undefined ? [] : [stated])];
    return this.#incident.refuse(path, `${expected} in ${row}, field ${field}`, got);
  }
}
