/** The shared declaration of the four translators: they return arguments for another tool and never call it. */
import type { Catalog } from '../../catalog/tool-catalog.ts';
import { type TSchema, Type } from '../../config/schema.ts';
import type { Translated } from '../../interop/translation.ts';
import type { LocalTool } from './registry.ts';

export const TRANSLATOR = {
  backend: 'interop',
  toolset: 'interop',
  capability: 'read',
} as const satisfies Partial<LocalTool>;

export const CALLS_NOTHING = 'Answers the tool and the arguments that would create it there; calls nothing.';
export const NO_PASSPHRASE = 'A passphrase is never carried over.';

/** The object to translate, as `cloud` answers it. */
export const Foreign = (cloud: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', minProperties: 1, description: `As ${cloud} answers it` });

export const OrgId = Type.Optional(
  Type.String({ maxLength: 64, description: 'Organisation of the cloud WLAN that gets it' }),
);

/** A translation with what the documents of the target say against it: the checks of a call, without one. */
export async function checkedAtTarget(catalog: Catalog, over: Translated): Promise<Translated> {
  const [{ problemsBy }, { withProblems }] = await Promise.all([
    import('../../migration/call-faults.ts'),
    import('../../interop/translation.ts'),
  ]);
  return withProblems(over, problemsBy(catalog)({ tool: over.target_tool, arguments: over.arguments }));
}

export const Exactly = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const lineOf = (object: string, from: string, to: string): string =>
  `Translate a ${object} of ${from} into the body that ${to} takes, with a warning per field that is lost.`;
