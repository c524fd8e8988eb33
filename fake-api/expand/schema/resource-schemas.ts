/** The schema family of one resource: what is read, listed, created, replaced and changed. */
import { canonical } from '../canonical-document.ts';
import type { Field } from '../model/field-line.ts';
import type { Platform, Resource } from '../model/platform-folder-model.ts';
import type { ResourceModel } from '../model/resource-model.ts';
import type { SetStyle } from '../model/style-model.ts';
import type { ListLayout } from './list-style.ts';
import type { MixinUse, SchemaBook } from './schema-book.ts';
import type { Schema } from './schema-object.ts';

export class ResourceSchemas {
  readonly #book: SchemaBook;
  readonly #resource: Resource;
  readonly #platform: Platform;
  /** Whose names the shared schemas have: those of the resource this one is like, else its own. */
  readonly #shape: ResourceModel;

  constructor(book: SchemaBook, resource: Resource, platform: Platform) {
    this.#book = book;
    this.#resource = resource;
    this.#platform = platform;
    this.#shape = resource.model.like ?? resource.model;
  }

  get mixins(): MixinUse[] {
    return this.#resource.model.use.map((spot) => ({ name: spot.text(), place: spot.place }));
  }

  /** Own fields and those of mixins, in the order of the model. */
  get fields(): Field[] {
    return [...this.#resource.model.fields, ...this.mixins.flatMap((use) => [...this.#book.mixinFields(use)])];
  }

  read(): Schema {
    return this.#add('', this.#readShape());
  }

  #readShape(): Schema {
    const { model, style } = this.#resource;
    const key = model.key.map((field) => ({ ...field, required: true, readOnly: field.readOnly, nullable: false }));
    const own = model.fields.filter((field) => !model.key.some((each) => each.name === field.name));
    const schema = this.#book.object([...key, ...own], 'read', { mixins: this.mixins });
    if (style.meta) {
      const meta = this.#book.shape('objects', style.meta, 'read', model.spot.place);
      (schema['properties'] as Record<string, Schema>)['metadata'] = {
        ...meta,
        readOnly: true,
        description: `Bookkeeping of the ${this.#shape.noun[0]}`,
      };
    }
    return schema;
  }

  /** Key and the fields marked `list`; the whole object where that would save nothing. */
  summary(): Schema {
    const { model } = this.#resource;
    const listed = this.fields.filter((field) => field.inSummary);
    const all = this.fields.length + (this.#resource.style.meta ? 1 : 0);
    // Where nothing else reads an object, its list has to show all of it.
    const isOnlyRead = model.ops.has('S') && !model.ops.has('G');
    if (listed.length === 0 || listed.length >= all || isOnlyRead) return this.read();
    const key = model.key.map((field) => ({ ...field, required: true }));
    return this.#add('Summary', this.#book.object([...key, ...listed], 'read'));
  }

  create(): Schema {
    const { model, style } = this.#resource;
    const fields = [...this.#keyInBody(style.create.at === 'collection' && !model.singleton), ...model.fields];
    const schema = this.#book.object(fields, 'write', { mixins: this.mixins });
    const rules = model.rules.map((rule) => ({ ...rule }));
    return this.#addWritten('Create', { ...schema, ...(rules.length > 0 ? { 'x-svc-rules': rules } : {}) });
  }

  /** A replace that may create takes the creating body; otherwise what is set once stays out of it. */
  replace(): Schema {
    const { model, style } = this.#resource;
    const hasCreate = model.ops.has('C');
    const immutable = this.fields.some((field) => field.immutable);
    const keyDiffers = style.create.at === 'collection' && model.key.some((field) => !field.readOnly);
    if (hasCreate && (style.replace.upsert || (!immutable && !keyDiffers))) return this.create();
    const fields = [
      ...this.#keyInBody(false),
      ...model.fields.filter((field) => !field.immutable || style.replace.upsert),
    ];
    const schema = this.#book.object(fields, 'write', { mixins: this.mixins });
    const rules = model.rules.map((rule) => ({ ...rule }));
    return this.#addWritten('Replace', { ...schema, ...(rules.length > 0 ? { 'x-svc-rules': rules } : {}) });
  }

  patch(): Schema {
    const fields = [...this.#keyInBody(false), ...this.#resource.model.fields.filter((field) => !field.immutable)];
    return this.#add('Patch', { ...this.#book.object(fields, 'patch', { mixins: this.mixins }), minProperties: 1 });
  }

  /** Body of the one write of an object-style platform: the key says which object, only an addition needs the rest. */
  set(words: SetStyle): Schema {
    const { model } = this.#resource;
    const keys = model.key.map((field) => ({ ...field, required: true, readOnly: false, nullable: false }));
    const own = this.fields.filter((field) => !model.key.some((each) => each.name === field.name));
    const needed = own.filter((field) => field.required).map((field) => field.name);
    const schema = this.#book.object([...keys, ...own.map((field) => ({ ...field, required: false }))], 'write');
    const rules = [
      ...(needed.length > 0 ? [{ when: { [words.field]: [words.add] }, require: needed }] : []),
      ...model.rules.map((rule) => ({ ...rule })),
    ];
    const action = {
      type: 'string',
      enum: model.singleton ? [words.modify] : [words.add, words.modify, words.delete],
      description: model.singleton
        ? 'What to do; there is always exactly one, so it can only be changed'
        : 'What to do with the object; left out, it is changed where it exists and added where it does not',
    };
    return this.#add('Set', {
      ...schema,
      properties: { ...(schema['properties'] as Record<string, Schema>), [words.field]: action },
      ...(rules.length > 0 ? { 'x-svc-rules': rules } : {}),
    });
  }

  /** The answer of a list; `suffix` keeps a search that answers in another form than the list apart. */
  page(item: Schema, layout: ListLayout, suffix: 'Page' | 'SearchPage' = 'Page'): Schema {
    const page = layout.page(item, this.#shape.noun[1], this.#book, this.#resource);
    if (page === null) return { type: 'array', items: item };
    return layout.property === null ? page : this.#add(suffix, page);
  }

  /** A component of this resource that belongs to one operation only. */
  own(suffix: string, fields: readonly Field[], purpose: 'read' | 'write'): Schema {
    return this.raw(suffix, this.#book.object(fields, purpose));
  }

  raw(suffix: string, schema: Schema): Schema {
    const { singular, spot } = this.#resource.model;
    return this.#book.add(`${singular}${suffix}`, schema, spot.place);
  }

  /** A component that belongs to the shape, and so to every resource that has it. */
  shared(suffix: string, make: (noun: ResourceModel['noun']) => Schema): Schema {
    return this.#add(suffix, make(this.#shape.noun));
  }

  platformObject(name: string): Schema {
    return this.#book.shape('objects', name, 'read', this.#resource.model.spot.place);
  }

  /** The same for an object that others extend. */
  platformBase(name: string): Schema {
    return this.#book.shape('objects', name, 'read', this.#resource.model.spot.place, true);
  }

  get platform(): Platform {
    return this.#platform;
  }

  #keyInBody(required: boolean): Field[] {
    const { model, style } = this.#resource;
    if (!required && !style.keyInBody) return [];
    return model.key.filter((field) => !field.readOnly).map((field) => ({ ...field, required, immutable: true }));
  }

  /** What is written may be exactly what is read, such as settings without secrets: one component is enough then. */
  #addWritten(suffix: string, schema: Schema): Schema {
    const read = this.#readShape();
    return canonical(read) === canonical(schema) ? this.#add('', read) : this.#add(suffix, schema);
  }

  #add(suffix: string, schema: Schema): Schema {
    return this.#book.add(`${this.#shape.singular}${suffix}`, schema, this.#resource.model.spot.place);
  }
}
