/** Claims that a field follows from others of its object: a port from its protocol, a unit from its metric. */
import type { Claim, SenseField, Values } from './sense-rule.ts';

interface Following {
  /** What the field would be; undefined where the others say nothing of it. */
  wanted: (values: Values) => unknown;
  /** Whether the field is wrong; by default, whether it is anything else than what is wanted. */
  broken?: (values: Values) => boolean;
}

export function followingClaim(field: SenseField, from: readonly SenseField[], { wanted, broken }: Following): Claim {
  const differs = (values: Values) => {
    const usual = wanted(values);
    return usual !== undefined && usual !== values[field.name];
  };
  return {
    names: [...from.map(({ name }) => name), field.name],
    broken: broken ?? differs,
    repair: (values, _nowMs, free) => {
      const usual = wanted(values);
      return free.has(field.name) && usual !== undefined ? { [field.name]: usual } : {};
    },
  };
}

/** What a text beside a word of that kind looks like, and one such text. */
export type TextForm = readonly [kind: RegExp, form: RegExp, usual: string];

/** A claim that a text has the form that the field beside it names. */
export function formClaim(kind: SenseField, text: SenseField, forms: readonly TextForm[]): Claim {
  const formOf = (values: Values) => forms.find(([test]) => test.test(String(values[kind.name] ?? '')));
  return followingClaim(text, [kind], {
    wanted: (values) => formOf(values)?.[2],
    broken: (values) => {
      const [is, named] = [values[text.name], formOf(values)];
      return typeof is === 'string' && named !== undefined && !named[1].test(is);
    },
  });
}
