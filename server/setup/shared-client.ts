/** Accounts that have their client in common, unless somebody gives one of them its own: the platform files say which. */
import type { PlatformDefinition } from '../config/platform-file.ts';
import { type AccountValues, setValue } from './answers.ts';

export interface Shared {
  section: string;
  title: string;
  fields: readonly string[];
}

/** Another served account that this one has its client in common with. */
export function sharedWith(
  { auth, id }: PlatformDefinition,
  served: readonly PlatformDefinition[],
): Shared | undefined {
  const fields = Object.keys(auth.own ?? {});
  const other = served.find(
    (platform) =>
      platform.id !== id && fields.some((field) => platform.auth.variables[field] === auth.variables[field]),
  );
  return other === undefined || fields.length === 0
    ? undefined
    : { section: other.auth.section, title: other.title, fields };
}

export function copyClient(shared: Shared, section: string, ...kinds: AccountValues[]): void {
  for (const field of shared.fields)
    for (const values of kinds) {
      const value = values[shared.section]?.[field];
      if (value !== undefined) setValue(values, section, field, value);
    }
}
