/** What every operation maker of one resource works with: its schemas, its words and the overrides that come last. */
import type { Field } from '../model/field-line.ts';
import { listed } from '../model/name-spelling.ts';
import type { DocumentView, Platform, Resource } from '../model/platform-folder-model.ts';
import type { Wording } from '../model/task-model.ts';
import type { Referrers } from '../schema/resource-references.ts';
import { ResourceSchemas } from '../schema/resource-schemas.ts';
import type { SchemaBook } from '../schema/schema-book.ts';
import type { Operation, Unfinished } from './modelled-operation.ts';
import { inStage } from './staging.ts';

export class OperationBuilder {
  readonly platform: Platform;
  readonly view: DocumentView;
  readonly resource: Resource;
  readonly book: SchemaBook;
  readonly schemas: ResourceSchemas;
  readonly referrers: Referrers;

  constructor(platform: Platform, view: DocumentView, resource: Resource, book: SchemaBook, referrers: Referrers) {
    this.platform = platform;
    this.view = view;
    this.resource = resource;
    this.book = book;
    this.schemas = new ResourceSchemas(book, resource, platform);
    this.referrers = referrers;
  }

  /** Applies the task's own wording or the model's override for this kind. */
  finish(unstaged: Unfinished, own?: Wording): Operation {
    const wording = { ...(own ?? {}), ...(this.resource.model.overrides.get(unstaged.kind) ?? {}) };
    const draft = inStage(unstaged, this.resource, this.platform, wording);
    const path = wording.path === undefined ? draft.path : this.absolute(wording.path);
    return {
      ...draft,
      path,
      method: (wording.method as Operation['method'] | undefined) ?? draft.method,
      id: own ? draft.id : (wording.id ?? draft.id),
      capability: wording.capability ?? draft.capability,
      success: wording.status === undefined ? draft.success : { ...draft.success, status: wording.status },
      resource: this.resource,
      wording,
    };
  }

  get aliases(): string {
    const { aliases } = this.resource.model;
    return aliases.length > 0 ? ` (${aliases.slice(0, 2).join(', ')})` : '';
  }

  get keyPhrase(): string {
    return listed(this.resource.model.key.map((field) => this.spell(field.name)));
  }

  get writable(): Field[] {
    return this.schemas.fields.filter((field) => !field.readOnly);
  }

  fieldList(fields: readonly Field[], most: number): string {
    const names = [...new Set(fields.map((field) => this.spell(field.name)))];
    return names.length > 0 ? listed(names.slice(0, most)) : `its ${this.keyPhrase}`;
  }

  /** A field name as words: `auth-port`, `authPort` and `auth_port` all read "auth port". */
  spell(name: string): string {
    return name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[-_]+/g, ' ')
      .toLowerCase();
  }

  /** A path of the model, relative to the document's base unless it starts with a slash. */
  absolute(path: string): string {
    const { itemPath, collectionPath, document } = this.resource;
    const full = path.replaceAll('{item}', itemPath).replaceAll('{collection}', collectionPath);
    return full.startsWith('/') ? full : `${document.base}/${full}`;
  }
}
