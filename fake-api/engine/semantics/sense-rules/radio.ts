/** Radio fields of one object: a channel belongs to its band. */
import { type Claim, numberOf, type SenseField, type SenseRule } from '../sense-rule.ts';

const CHANNELS: Readonly<Record<string, readonly number[]>> = {
  24: [1, 6, 11, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14],
  5: [
    36, 40, 44, 48, 52, 56, 60, 64, 100, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 149, 153, 157, 161, 165,
    169, 173, 177,
  ],
  6: Array.from({ length: 59 }, (_, at) => 1 + at * 4),
};

/** 24, 5 or 6; undefined where the text names no single band. */
function bandOf(value: unknown): string | undefined {
  const text = String(value ?? '').toLowerCase();
  const named = [
    [/(^|\D)(2[._]?4|24)(\D|$)/, '24'],
    [/(^|[^\d.])5(\D|$)/, '5'],
    [/(^|[^\d.])6(\D|$)/, '6'],
  ] as const;
  const found = named.filter(([test]) => test.test(text)).map(([, band]) => band);
  return found.length === 1 ? found[0] : undefined;
}

function oneOfBand(band: SenseField, field: SenseField, table: Readonly<Record<string, readonly number[]>>): Claim {
  return {
    names: [band.name, field.name],
    broken: (values) => {
      const [of, value] = [bandOf(values[band.name]), numberOf(values[field.name])];
      return (
        of !== undefined && value !== undefined && value !== 0 && !(table[of] as readonly number[]).includes(value)
      );
    },
    repair: (values, _nowMs, free) => {
      const of = bandOf(values[band.name]);
      if (of === undefined || !free.has(field.name)) return {};
      const { minimum = 0, maximum = 1000 } = field.schema;
      const fitting = (table[of] as readonly number[]).filter(
        (each) => each >= minimum && each <= maximum && (field.schema.enum?.includes(each) ?? true),
      );
      const value = numberOf(values[field.name]) ?? 0;
      const chosen = fitting[Math.abs(Math.round(value)) % Math.max(1, fitting.length)];
      return chosen === undefined ? {} : { [field.name]: chosen };
    },
  };
}

const isBand = ({ words, kind }: SenseField) => kind === 'text' && words.at(-1) === 'band' && words.length <= 2;

export const RADIO: readonly SenseRule[] = [
  {
    id: 'channel-of-band',
    states: 'a channel belongs to the band beside it',
    claims: (fields) =>
      fields
        .filter(isBand)
        .flatMap((band) =>
          fields
            .filter(({ kind, name }) => kind === 'number' && /^channel([-_]?number)?$/i.test(name))
            .map((field) => oneOfBand(band, field, CHANNELS)),
        ),
  },
];
