/**
 * The component schemas of one document, made on demand. A shape is asked for with a purpose: what a read returns,
 * what a write takes, what a partial change takes. A purpose gets a component of its own only where it differs.
 */
import { canonical } from '../canonical-document.ts';
import type { Shape } from '../model/definitions.ts';
import { ExpandError, type Place } from '../model/expand-errors.ts';
import type { Field, FieldType } from '../model/field-line.ts';
import { pascal } from '../model/name-spelling.ts';
import type { DocumentView, Platform, Resource } from '../model/platform-folder-model.ts';
import { scalarSchema, typedExample } from './scalar-schema.ts';
import type { Schema } from './schema-object.ts';

export type Purpose = 'read' | 'write' | 'patch';

export class SchemaBook {
  readonly schemas = new Map<string, Schema>();
  /** Canonical text of what was added: most components are asked for by several operations. */
  readonly #texts = new WeakMap<Schema, string>();
  readonly #platform: Platform;
  readonly #view: DocumentView;
  readonly #refuse: MissingReference;

  /** `refuse` is told of every reference that leads nowhere; one that returns lets the expansion go on without it. */
  constructor(platform: Platform, view: DocumentView, refuse: MissingReference) {
    this.#platform = platform;
    this.#view = view;
    this.#refuse = refuse;
  }

  /** Registers a component; the same name with other content is a mistake in the model. */
  add(name: string, schema: Schema, place: Place): Schema {
    const known = this.schemas.get(name);
    const text = canonical(schema);
    const knownText = known && (this.#texts.get(known) ?? canonical(known));
    if (knownText !== undefined && knownText !== text) {
      throw new ExpandError('MODEL_DUPLICATE', {
        place,
        expected: 'a schema name of its own',
        got: `${name}, already in use`,
      });
    }
    if (!known) {
      this.schemas.set(name, schema);
      this.#texts.set(schema, text);
    }
    return reference(name);
  }

  /**
   * Component for a named object or mixin, in the variant that the purpose needs. One that others extend stays open: an
   * `allOf` part that refuses further fields would refuse those of its siblings.
   */
  shape(
    kind: 'objects' | 'mixins',
    name: string,
    purpose: Purpose,
    place: Place,
    open: boolean = kind === 'mixins',
  ): Schema {
    const shape = this.#shapeOf(kind, name, place);
    const component = pascal(name) + this.#suffix(kind, name, purpose, place);
    if (!this.schemas.has(component)) {
      this.schemas.set(component, {});
      this.schemas.set(component, this.object(shape.fields, purpose, { open }));
    }
    return reference(component);
  }

  object(
    fields: readonly Field[],
    purpose: Purpose,
    options: { open?: boolean; mixins?: readonly MixinUse[] } = {},
  ): Schema {
    const properties = new Map<string, Schema>();
    const required: string[] = [];
    for (const field of fields) {
      if (purpose !== 'read' && field.readOnly) continue;
      if (purpose === 'read' && isSecret(field)) {
        properties.set(presenceName(field.name), presenceOf(field));
        continue;
      }
      properties.set(field.name, this.property(field, purpose));
      if (field.required && purpose !== 'patch') required.push(field.name);
    }
    const parts = (options.mixins ?? []).map((use) => this.shape('mixins', use.name, purpose, use.place));
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required: required.sort() } : {}),
      ...(parts.length > 0
        ? { allOf: parts, unevaluatedProperties: false }
        : options.open
          ? {}
          : { additionalProperties: false }),
    };
  }

  property(field: Field, purpose: Purpose): Schema {
    const inner = this.#type(field.type, field.array ? (purpose === 'patch' ? 'write' : purpose) : purpose, field);
    const schema = field.array ? arrayOf(inner, field.array, field.unique) : inner;
    return {
      ...(field.nullable ? nullable(schema) : schema),
      description: field.description,
      ...(field.default !== undefined && purpose !== 'patch' ? { default: this.#checkedDefault(field) } : {}),
      ...annotationsOf(field),
    };
  }

  mixinFields(use: MixinUse): readonly Field[] {
    return this.#shapeOf('mixins', use.name, use.place).fields;
  }

  objectFields(name: string, place: Place): readonly Field[] {
    return this.#shapeOf('objects', name, place).fields;
  }

  #type(type: FieldType, purpose: Purpose, field: Field): Schema {
    switch (type.kind) {
      case 'scalar':
        return scalarSchema(type);
      case 'enum':
        return { type: 'string', enum: [...type.values] };
      case 'named-enum':
        return this.valueSet(type.name, field.place);
      case 'object':
        return this.shape('objects', type.name, purpose, field.place);
      case 'map':
        return { type: 'object', additionalProperties: this.#type(type.of, purpose, field) };
      case 'ref-by':
        return { type: 'string', minLength: 1, 'x-svc-ref': { resourceFrom: type.sibling, onDelete: field.onDelete } };
      case 'ref': {
        const target = this.#platform.resources.get(type.resource);
        if (!target) {
          this.#refuse(field.place, 'ref to a resource of this platform', type.resource);
          return { type: 'string', minLength: 1 };
        }
        const name = type.field ?? target.model.key.at(-1)?.name ?? '';
        const aim = [...target.model.key, ...target.model.fields].find((each) => each.name === name);
        if (!aim) return missing(field.place, `a field of ${type.resource}`, name);
        if (field.onDelete === 'set-null' && !field.nullable)
          missing(field.place, 'the flag null beside del(set-null)', field.name);
        return {
          ...this.#keySchema(aim, target),
          'x-svc-ref': { resource: type.resource, field: name, onDelete: field.onDelete },
        };
      }
    }
  }

  /** A reference has the type of what it points at; the target's own document may name an enum this one lacks. */
  #keySchema(aim: Field, target: Resource): Schema {
    if (aim.type.kind === 'ref' || aim.type.kind === 'scalar' || aim.type.kind === 'enum')
      return this.#type(aim.type, 'read', aim);
    return missing(aim.place, `a key of ${target.model.name} that is a plain value`, aim.type.kind);
  }

  valueSet(name: string, place: Place): Schema {
    const set = this.#view.definitions.enums.get(name) ?? missing(place, 'a defined enum', name);
    if (!this.schemas.has(name)) {
      const meanings = [...set.meanings].map(([value, meaning]) => `${value}: ${meaning}`).join('; ');
      this.schemas.set(name, { type: 'string', enum: [...set.values], ...(meanings ? { description: meanings } : {}) });
    }
    return reference(name);
  }

  #checkedDefault(field: Field): unknown {
    if (field.type.kind === 'named-enum' && field.default !== null) {
      const set = this.#view.definitions.enums.get(field.type.name)!;
      for (const value of Array.isArray(field.default) ? field.default : [field.default]) {
        if (!set.values.includes(String(value))) {
          throw new ExpandError('MODEL_FIELD_LINE', {
            place: field.place,
            expected: `a default of ${field.type.name}`,
            got: String(value),
          });
        }
      }
    }
    return field.default;
  }

  #shapeOf(kind: 'objects' | 'mixins', name: string, place: Place): Shape {
    return this.#view.definitions[kind].get(name) ?? missing(place, `a defined ${kind.slice(0, -1)}`, name);
  }

  #suffix(kind: 'objects' | 'mixins', name: string, purpose: Purpose, place: Place): string {
    if (purpose === 'read') return '';
    const input = this.#differs(kind, name, 'write', place, new Set()) ? 'Input' : '';
    if (purpose === 'write') return input;
    return this.#differs(kind, name, 'patch', place, new Set()) ? 'Patch' : input;
  }

  /** Whether the write form differs from the read form, or the patch form from the write form. */
  #differs(
    kind: 'objects' | 'mixins',
    name: string,
    purpose: 'write' | 'patch',
    place: Place,
    seen: Set<string>,
  ): boolean {
    if (seen.has(name)) return false;
    seen.add(name);
    return this.#shapeOf(kind, name, place).fields.some((field) => {
      if (purpose === 'write' ? field.readOnly || isSecret(field) : field.required || field.default !== undefined)
        return true;
      if (field.type.kind !== 'object' || (purpose === 'patch' && field.array)) return false;
      return this.#differs('objects', field.type.name, purpose, field.place, seen);
    });
  }
}

export interface MixinUse {
  readonly name: string;
  readonly place: Place;
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export type MissingReference = (place: Place, expected: string, got: string) => void;

export function missing(place: Place, expected: string, got: string): never {
  throw new ExpandError('MODEL_REFERENCE', { place, expected, got });
}

export function isSecret(field: Field): boolean {
  return field.type.kind === 'scalar' && field.type.name === 'secret';
}

function presenceName(name: string): string {
  if (name.includes('-')) return `${name}-configured`;
  if (name.includes('_')) return `${name}_configured`;
  return /[A-Z]/.test(name) ? `${name}Configured` : `${name}-configured`;
}

/** A read never returns a secret; it says whether one is stored. */
function presenceOf(field: Field): Schema {
  return {
    type: 'boolean',
    readOnly: true,
    description: `Whether ${field.name} is stored; the value itself is never returned`,
    'x-svc-derive': { kind: 'secret-present', field: field.name },
  };
}

function arrayOf(items: Schema, { min, max }: NonNullable<Field['array']>, unique: boolean): Schema {
  return {
    type: 'array',
    items,
    ...(min === undefined ? {} : { minItems: min }),
    ...(max === undefined ? {} : { maxItems: max }),
    ...(unique ? { uniqueItems: true } : {}),
  };
}

/** What is said of a field beside its type, its description and its default. */
function annotationsOf(field: Field): Schema {
  return {
    ...(field.readOnly ? { readOnly: true } : {}),
    ...(isSecret(field) ? { writeOnly: true } : {}),
    ...(field.deprecated ? { deprecated: true } : {}),
    ...(field.examples.length > 0
      ? { examples: field.examples.map((example) => typedExample(example, field.type)) }
      : {}),
    ...(field.immutable ? { 'x-svc-immutable': true } : {}),
    ...(field.unique && !field.array ? { 'x-svc-unique': true } : {}),
    ...(field.deviceFunctions.length > 0 ? { 'x-svc-device-functions': field.deviceFunctions } : {}),
  };
}

function nullable(schema: Schema): Schema {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}),
  };
}
