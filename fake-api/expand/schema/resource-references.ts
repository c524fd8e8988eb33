/** Who points at whom: for every resource, the nouns of those that refer to it. A delete is refused while one does. */
import type { Field } from '../model/field-line.ts';
import type { DocumentView, Platform } from '../model/platform-folder-model.ts';

export type Referrers = ReadonlyMap<string, readonly string[]>;

export function findReferrers(platform: Platform): Referrers {
  const found = new Map<string, Set<string>>();
  const note = (target: string, noun: string): void => {
    found.set(target, (found.get(target) ?? new Set()).add(noun));
  };
  for (const view of platform.documents) {
    for (const { model } of view.resources) {
      for (const field of everyField(
        model.fields,
        model.use.map((spot) => spot.text()),
        view,
      )) {
        if (field.type.kind === 'ref' && field.onDelete === 'restrict' && !field.readOnly)
          note(field.type.resource, model.noun[1]);
      }
    }
  }
  return new Map([...found].map(([target, nouns]) => [target, [...nouns].sort()]));
}

/** The fields given, those of the mixins named, and all that they nest. */
export function everyField(fields: readonly Field[], mixins: readonly string[], view: DocumentView): Field[] {
  const seen = new Set<string>();
  const walk = (list: readonly Field[]): Field[] =>
    list.flatMap((field) => {
      const inner = field.type.kind === 'map' ? field.type.of : field.type;
      if (inner.kind !== 'object' || seen.has(inner.name)) return [field];
      seen.add(inner.name);
      return [field, ...walk(view.definitions.objects.get(inner.name)?.fields ?? [])];
    });
  return [...walk(fields), ...mixins.flatMap((name) => walk(view.definitions.mixins.get(name)?.fields ?? []))];
}
