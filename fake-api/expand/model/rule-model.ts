/** A rule of a resource: what is required when, which values a device function takes, or which fields together no two rows share. */
import type { Spot } from './model-file.ts';

export interface Rule {
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
  readonly require?: readonly string[];
  readonly field?: string;
  readonly deviceFunction?: Readonly<Record<string, readonly string[]>>;
  /** Fields that together tell a row from every other one. */
  readonly unique?: readonly string[];
}

export function readRule(spot: Spot): Rule {
  const at = spot.mapping(['when', 'require', 'field', 'device-function', 'unique']);
  const unique = at.get('unique')?.texts();
  if (unique) return at.size === 1 ? { unique } : spot.fail('unique alone', [...at.keys()].join(' and '));
  const lists = (key: string): Record<string, readonly unknown[]> | undefined => {
    const map = at.get(key)?.mapping();
    if (!map) return undefined;
    return Object.fromEntries(
      [...map].map(([name, value]) => [name, Array.isArray(value.value) ? value.value : [value.value]]),
    );
  };
  const when = lists('when');
  const deviceFunction = lists('device-function') as Record<string, readonly string[]> | undefined;
  if (Boolean(when) === Boolean(deviceFunction)) spot.fail('when + require, field + device-function, or unique');
  if (when) return { when, require: (at.get('require') ?? spot.fail('the key require', 'none')).texts() };
  return {
    field: (at.get('field') ?? spot.fail('the key field', 'none')).text(),
    deviceFunction: deviceFunction ?? {},
  };
}
