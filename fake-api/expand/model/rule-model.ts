/** A rule of a resource: what is required when, or which values a device function takes. */
import type { Spot } from './model-file.ts';

export interface Rule {
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
  readonly require?: readonly string[];
  readonly field?: string;
  readonly deviceFunction?: Readonly<Record<string, readonly string[]>>;
}

export function readRule(spot: Spot): Rule {
  const at = spot.mapping(['when', 'require', 'field', 'device-function']);
  const lists = (key: string): Record<string, readonly unknown[]> | undefined => {
    const map = at.get(key)?.mapping();
    if (!map) return undefined;
    return Object.fromEntries(
      [...map].map(([name, value]) => [name, Array.isArray(value.value) ? value.value : [value.value]]),
    );
  };
  const when = lists('when');
  const deviceFunction = lists('device-function') as Record<string, readonly string[]> | undefined;
  if (Boolean(when) === Boolean(deviceFunction)) spot.fail('either when + require, or field + device-function');
  if (when) return { when, require: (at.get('require') ?? spot.fail('the key require', 'none')).texts() };
  return {
    field: (at.get('field') ?? spot.fail('the key field', 'none')).text(),
    deviceFunction: deviceFunction ?? {},
  };
}
