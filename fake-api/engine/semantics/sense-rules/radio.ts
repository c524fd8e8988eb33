/** Radio fields of one object: a channel belongs to its band. */
import { type Claim, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';
import { SSIDS } from '../word-pools.ts';

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
  if (/^(a|an|ac)$/.test(text)) return '5';
  if (/^(b|g|bg|gn)$/.test(text)) return '24';
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

/** The channels of a list that belong to the band. */
function listOfBand(band: SenseField, field: SenseField): Claim {
  const allowed = (values: Values) => CHANNELS[bandOf(values[band.name]) ?? ''];
  return {
    names: [band.name, field.name],
    broken: (values) => {
      const [of, list] = [allowed(values), values[field.name]];
      return (
        of !== undefined && Array.isArray(list) && list.some((each) => typeof each === 'number' && !of.includes(each))
      );
    },
    repair: (values, _nowMs, free) => {
      const [of, list] = [allowed(values) ?? [], values[field.name] as unknown[]];
      if (!free.has(field.name)) return {};
      // Channels of the lower half do not overlap, so the first ones of a band are those in use.
      return { [field.name]: [...new Set(list.map((each) => of[Number(each) % Math.min(of.length, 8)]))] };
    },
  };
}

/** How clients of a network log in, by what its name says whom it is for. */
const LOGINS: readonly (readonly [ssid: RegExp, words: RegExp])[] = [
  [/guest|visitor/i, /open|owe|none|portal|captive/i],
  [/staff|test|corp|secure|employee/i, /enterprise|802|eap|dot1x/i],
  [/iot|device|scanner|printer|sensor/i, /psk|personal|sae/i],
];

function loginOfNetwork(ssid: SenseField, security: SenseField): Claim {
  const words = (values: Values) => LOGINS.find(([test]) => test.test(String(values[ssid.name] ?? '')))?.[1];
  const wanted = (values: Values) => {
    const test = words(values);
    return test === undefined ? undefined : security.schema.enum?.filter((word) => test.test(String(word))).at(-1);
  };
  return {
    names: [ssid.name, security.name],
    broken: (values) => {
      const [usual, is] = [wanted(values), values[security.name]];
      return usual !== undefined && typeof is === 'string' && words(values)?.test(is) === false;
    },
    repair: (values, _nowMs, free) => (free.has(security.name) ? { [security.name]: wanted(values) } : {}),
  };
}

/** Channels on which each kind of interferer is met. */
const MET: readonly (readonly [kind: RegExp, channels: (channel: number) => boolean, usual: number])[] = [
  [/microwave|bluetooth|zigbee|video.?bridge|cordless|ble/i, (channel) => channel <= 13, 11],
  [/radar|dfs/i, (channel) => channel >= 52 && channel <= 144, 100],
];

function interferer(kind: SenseField, channel: SenseField): Claim {
  const of = (values: Values) => MET.find(([test]) => test.test(String(values[kind.name] ?? '')));
  return {
    names: [kind.name, channel.name],
    broken: (values) => {
      const [found, is] = [of(values), numberOf(values[channel.name])];
      return found !== undefined && is !== undefined && !found[1](is);
    },
    repair: (values, _nowMs, free) => {
      const usual = of(values)?.[2];
      const fits =
        usual !== undefined && usual >= (channel.schema.minimum ?? 0) && usual <= (channel.schema.maximum ?? 233);
      return fits && free.has(channel.name) ? { [channel.name]: usual } : {};
    },
  };
}

/** Operating class of the Wi-Fi standard that a channel of 20 MHz belongs to. */
function classOf(channel: number): number {
  if (channel <= 13) return 81;
  if (channel <= 48) return 115;
  if (channel <= 64) return 118;
  return channel <= 144 ? 121 : 125;
}

/** Widest channel of each band in MHz. */
const WIDEST: Readonly<Record<string, number>> = { 24: 40, 5: 160, 6: 320 };
const megahertz = (value: unknown): number | undefined => {
  const [digits] = /\d+/.exec(String(value ?? '')) ?? [];
  return digits === undefined ? undefined : Number(digits);
};

function widthOfBand(band: SenseField, width: SenseField): Claim {
  const most = (values: Values) => WIDEST[bandOf(values[band.name]) ?? ''];
  return {
    names: [band.name, width.name],
    broken: (values) => {
      const [widest, is] = [most(values), megahertz(values[width.name])];
      return widest !== undefined && is !== undefined && is > widest;
    },
    repair: (_values, _nowMs, free) => {
      if (!free.has(width.name)) return {};
      if (width.schema.enum === undefined) return { [width.name]: width.kind === 'number' ? 20 : '20' };
      const narrow = width.schema.enum.find((word) => megahertz(word) === 20);
      return narrow === undefined ? {} : { [width.name]: narrow };
    },
  };
}

const isEnum = ({ schema }: SenseField) => schema.enum !== undefined;
const channelOf = (fields: readonly SenseField[]) =>
  fields.find(
    ({ kind, words }) => kind === 'number' && /^(channel|channel number|primary channel)$/.test(words.join(' ')),
  );

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
  {
    id: 'width-of-band',
    states: 'a channel is as wide as its band permits',
    claims: (fields) =>
      fields.filter(isBand).flatMap((band) =>
        fields
          .filter(({ words }) => /^(channel )?(width|bandwidth)( mhz)?$/.test(words.join(' ')))
          .filter(({ kind }) => kind === 'text' || kind === 'number')
          .map((width) => widthOfBand(band, width)),
      ),
  },
  {
    id: 'channels-of-one-radio',
    habit: true,
    states: 'a radio changes its channel within its band',
    claims: (fields) => {
      const [from, to] = [/^(from|old|previous) channel$/, /^(to|new) channel$/].map((test) =>
        fields.find(({ kind, words }) => kind === 'number' && test.test(words.join(' '))),
      );
      if (from === undefined || to === undefined) return [];
      const read = (values: Values) => [numberOf(values[from.name]), numberOf(values[to.name])] as const;
      return [
        {
          names: [from.name, to.name],
          broken: (values) => {
            const [old, next] = read(values);
            return old !== undefined && next !== undefined && old <= 14 !== next <= 14;
          },
          repair: (values, _nowMs, free) => {
            const [old = 1] = read(values);
            const next = old > 14 ? 44 : old === 1 ? 11 : 1;
            return free.has(to.name) ? { [to.name]: next } : {};
          },
        },
      ];
    },
  },
  {
    id: 'channels-of-band',
    habit: true,
    states: 'the channels of a list belong to the band beside it',
    claims: (fields) =>
      fields
        .filter(isBand)
        .flatMap((band) =>
          fields
            .filter(
              ({ kind, words }) => kind === 'list' && /^(allowed |valid |usable )?channels$/.test(words.join(' ')),
            )
            .map((field) => listOfBand(band, field)),
        ),
  },
  {
    id: 'login-of-network',
    habit: true,
    states: 'guests need no password, staff log in by name, things by a key',
    claims: (fields) => {
      const ssid = fields.find(
        ({ kind, words }) => kind === 'text' && /^(ssid|essid|wlan|wlan name|essid name)$/.test(words.join(' ')),
      );
      if (ssid === undefined) return [];
      return fields
        .filter(
          (field) =>
            isEnum(field) &&
            /^(security|security type|auth|auth type|auth method|authentication|opmode|encryption)$/.test(
              field.words.join(' '),
            ),
        )
        .map((security) => loginOfNetwork(ssid, security));
    },
  },
  {
    id: 'name-of-network',
    habit: true,
    states: 'a network that is named by its SSID has that SSID',
    claims: (fields) => {
      const [name, ssid] = [/^(name|label)$/, /^(ssid|essid)$/].map((test) =>
        fields.find(
          ({ kind, words, schema }) => kind === 'text' && schema.enum === undefined && test.test(words.join(' ')),
        ),
      );
      if (name === undefined || ssid === undefined) return [];
      const isSsid = (value: unknown) => (SSIDS as readonly unknown[]).includes(value);
      return [
        {
          names: [name.name, ssid.name],
          broken: (values) =>
            isSsid(values[name.name]) && isSsid(values[ssid.name]) && values[name.name] !== values[ssid.name],
          repair: (values, _nowMs, free) => (free.has(ssid.name) ? { [ssid.name]: values[name.name] } : {}),
        },
      ];
    },
  },
  {
    id: 'interferer-of-channel',
    habit: true,
    states: 'an interferer is met in its own band',
    claims: (fields) => {
      const channel = channelOf(fields);
      const kind = fields.find(
        (field) => isEnum(field) && field.schema.enum?.some((word) => /microwave|radar/i.test(String(word))),
      );
      // Beside a band, the band decides.
      const isFree = channel !== undefined && kind !== undefined && !fields.some(isBand);
      return isFree ? [interferer(kind, channel)] : [];
    },
  },
  {
    id: 'class-of-channel',
    habit: true,
    states: 'an operating class holds the channel beside it',
    claims: (fields) => {
      const channel = channelOf(fields);
      const field = fields.find(({ kind, words }) => kind === 'number' && words.join(' ') === 'operating class');
      if (channel === undefined || field === undefined) return [];
      const wanted = (values: Values) => classOf(numberOf(values[channel.name]) ?? 1);
      return [
        {
          names: [channel.name, field.name],
          broken: (values) =>
            typeof values[channel.name] === 'number' &&
            typeof values[field.name] === 'number' &&
            values[field.name] !== wanted(values),
          repair: (values, _nowMs, free) => (free.has(field.name) ? { [field.name]: wanted(values) } : {}),
        },
      ];
    },
  },
];
