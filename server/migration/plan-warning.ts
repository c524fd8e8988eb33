/** Warnings of an export or a plan: each once, in an order that does not depend on the order of the input. */

export const WARNINGS = {
  export_unreadable: 'the export is not JSON, or not an object',
  section_malformed: 'a section does not have the export format; it is left out',
  item_malformed: 'an item is no object or has no name; it is left out',
  section_unknown: 'a section that is not part of the export format; it is left out',
  too_many_items: 'a section holds more items than are read',
  duplicate_name:
    'several items of one section have one name; one of them is planned, and none written where they differ',
  unmapped_field: 'a field cannot be read or has no place at the target, and is kept aside',
  assumed_default:
    'a field equals an assumed default of the controller and is left out; check that the target does the same',
  secret_removed: 'a credential was taken out of the export; it must be entered again',
  dependency_missing: 'an object names another that the export does not hold',
  dependency_cycle: 'objects wait for each other and none of them can be written first',
  not_broadcast: 'no AP group of the export broadcasts the network; at the target it is on air wherever it is assigned',
  security_unknown: 'the security of a network cannot be told from the export',
  security_ambiguous: 'the security of a network can be read in more than one way',
  aaa_unresolved: 'a network names an AAA profile that the export does not hold',
  server_type_collision: 'a server name exists in more than one type',
  forward_mode_lossy: 'the forwarding of a network has no equal at the target',
  several_clusters:
    'networks are tunnelled to different clusters, and a run has one: choose those of one cluster for each run; this one ends at',
  bands_widened: 'a classic target has no value for 2.4 and 5 GHz alone, so it offers the network at 6 GHz as well',
  opmode_lossy: 'the encryption of a network has no equal at the target',
  reference_only: 'the object is listed for reference; nothing is made of it',
  not_migrated: 'controllers are not migrated',
} as const;

export type WarningCode = keyof typeof WARNINGS;

export interface Warning {
  code: WarningCode;
  /** JSON pointer into the export. */
  pointer?: string;
  /** The planned object, as `type:identifier`. */
  object?: string;
  field?: string;
  message: string;
}

export function warning(code: WarningCode, at: Omit<Warning, 'code' | 'message'>, detail?: string): Warning {
  return { code, ...at, message: detail === undefined ? WARNINGS[code] : `${WARNINGS[code]}: ${detail}` };
}

/** Each once, sorted. */
export function uniqueWarnings(warnings: readonly Warning[]): Warning[] {
  const byText = new Map(warnings.map((entry) => [sortText(entry), entry]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as Warning);
}

const sortText = ({ code, pointer, object, field, message }: Warning): string =>
  JSON.stringify([code, pointer ?? '', object ?? '', field ?? '', message]);
