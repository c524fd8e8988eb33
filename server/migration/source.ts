/** The source objects of one export, found by section and name. */
import { SERVER_FAMILIES, type ServerType, serverTypeOf } from './candidates/auth-server-candidate.ts';
import { SECTION_NAMES, type SectionName } from './object-family.ts';
import type { Export, SourceItem } from './read-export.ts';
import { SourceFields } from './source-fields.ts';
import { textOf } from './unwrap.ts';

export class Source {
  readonly #items: ReadonlyMap<SectionName, ReadonlyMap<string, SourceItem>>;
  readonly #serverTypes = new Map<string, ServerType[]>();
  /** Where tunnelled networks end; an empty text where one does not say it. */
  readonly clusters: ReadonlySet<string>;
  /** Virtual APs that the AP groups name; undefined where the export does not hold all of it. */
  readonly #broadcast: ReadonlySet<string> | undefined;

  constructor({ sections }: Export) {
    this.#items = new Map(
      SECTION_NAMES.map((section) => [section, new Map(sections[section].map((item) => [item.name, item]))]),
    );
    for (const { section, type } of SERVER_FAMILIES)
      for (const { name, fields } of sections[section])
        this.#serverTypes.set(name, [...(this.#serverTypes.get(name) ?? []), serverTypeOf(type, fields)].sort());
    const tunnelled = sections.virtual_aps.filter((vap) => forwardingOf(vap) === 'tunnel');
    this.clusters = new Set(tunnelled.map(({ fields }) => textOf(fields['cluster_name']) ?? ''));
    const groups = sections.ap_groups.map(({ fields }) => new SourceFields(fields));
    const vaps = new Set(groups.flatMap(vapsOf));
    this.#broadcast = vaps.size === 0 || groups.some((group) => group.isAside('virtual_ap')) ? undefined : vaps;
  }

  item(section: SectionName, name: string): SourceItem | undefined {
    return this.#items.get(section)?.get(name);
  }

  /** Whether the export has AP groups and none of them broadcasts the virtual AP. */
  isOffAir(vap: string): boolean {
    return this.#broadcast?.has(vap) === false;
  }

  /** Every type under which a server of this name exists. */
  serverTypes(name: string): readonly ServerType[] {
    return this.#serverTypes.get(name) ?? [];
  }
}

/** What an AP group broadcasts, by the names of the virtual APs. */
export const vapsOf = (group: SourceFields): string[] =>
  group.entries((entry) => entry.text('profile_name', 'vap_name', 'name'), 'virtual_ap');

/** How a virtual AP forwards traffic; the controller tunnels it where nothing is said. */
export const forwardingOf = ({ fields }: SourceItem): string => textOf(fields['forward_mode']) ?? 'tunnel';
