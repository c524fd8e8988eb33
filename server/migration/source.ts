/** The source objects of one export, found by section and name. */
import { SERVER_FAMILIES, type ServerType, serverTypeOf } from './candidates/auth-server-candidate.ts';
import { SECTION_NAMES, type SectionName } from './object-family.ts';
import type { Export, SourceItem } from './read-export.ts';

export class Source {
  readonly #items: ReadonlyMap<SectionName, ReadonlyMap<string, SourceItem>>;
  readonly #serverTypes = new Map<string, ServerType[]>();

  constructor({ sections }: Export) {
    this.#items = new Map(
      SECTION_NAMES.map((section) => [section, new Map(sections[section].map((item) => [item.name, item]))]),
    );
    for (const { section, type } of SERVER_FAMILIES)
      for (const { name, fields } of sections[section])
        this.#serverTypes.set(name, [...(this.#serverTypes.get(name) ?? []), serverTypeOf(type, fields)].sort());
  }

  item(section: SectionName, name: string): SourceItem | undefined {
    return this.#items.get(section)?.get(name);
  }

  /** Every type under which a server of this name exists. */
  serverTypes(name: string): readonly ServerType[] {
    return this.#serverTypes.get(name) ?? [];
  }
}
