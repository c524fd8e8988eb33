/** Fields about one person or one computer agree: a name is that of the mail address, a version that of the system. */
import { expressionOf } from '../../openapi/pattern.ts';
import { followingClaim, formClaim, type TextForm } from '../following-claim.ts';
import type { Claim, SenseField, SenseRule, Values } from '../sense-rule.ts';
import { MODELS } from '../word-pools.ts';

const MAIL = /^([a-z]+)\.([a-z]+)@/;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

interface Named {
  given: string;
  family: string;
}

/** The part of a person's name that a field holds. */
const PARTS: readonly (readonly [test: RegExp, write: (person: Named) => string])[] = [
  [/^(given|first|fore) ?name$/, ({ given }) => given],
  [/^(family|last|sur) ?name$/, ({ family }) => family],
  [
    /^(name|display name|full name|visitor name|guest name|person|owner name)$/,
    ({ given, family }) => `${given} ${family}`,
  ],
];

function nameClaim(name: SenseField, mails: readonly SenseField[], write: (person: Named) => string): Claim {
  const wanted = (values: Values): string | undefined => {
    for (const mail of mails) {
      const [, given, family] = MAIL.exec(String(values[mail.name] ?? '')) ?? [];
      if (given !== undefined && family !== undefined) return write({ given: capital(given), family: capital(family) });
    }
    return undefined;
  };
  return {
    names: [name.name, ...mails.map((mail) => mail.name)],
    broken: (values) => {
      const usual = wanted(values);
      const is = values[name.name];
      return usual !== undefined && typeof is === 'string' && is !== usual;
    },
    repair: (values, _nowMs, free) => {
      const usual = wanted(values);
      return usual !== undefined && free.has(name.name) && usual.length <= (name.schema.maxLength ?? 255)
        ? { [name.name]: usual }
        : {};
    },
  };
}

/** Systems, their versions and how inventory numbers of such computers begin. */
const SYSTEMS: readonly (readonly [test: RegExp, version: string, label: string])[] = [
  [/^windows/, '11.0.26100', 'LT'],
  [/^mac|^osx|^os_?x/, '15.2', 'MB'],
  [/^i_?(pad)?os|^iphone|^ipad/, '18.2', 'TAB'],
  [/^android/, '15.0', 'PH'],
  [/^(linux|ubuntu)/, '24.04', 'WS'],
  [/^chrome/, '131.0.6778', 'CB'],
];

/** The version cut to the numbers that the field takes. */
function versionFor(version: string, { schema }: SenseField): string | undefined {
  const parts = [...version.split('.'), '0', '0', '0'];
  const takes = schema.pattern === undefined ? undefined : expressionOf(schema.pattern);
  const forms = [
    version,
    parts.slice(0, 3).join('.'),
    parts.slice(0, 4).join('.'),
    parts.slice(0, 2).join('.'),
    `${parts.slice(0, 2).join('.')}.0`,
  ];
  return forms.find((form) => takes === undefined || takes.test(form));
}

function systemClaim(
  system: SenseField,
  field: SenseField,
  wantedOf: (entry: (typeof SYSTEMS)[number], is: string) => string | undefined,
): Claim {
  const wanted = (values: Values) => {
    const entry = SYSTEMS.find(([test]) => test.test(String(values[system.name] ?? '').toLowerCase()));
    const is = values[field.name];
    return entry === undefined || typeof is !== 'string' ? undefined : wantedOf(entry, is);
  };
  return followingClaim(field, [system], { wanted });
}

/** Ways to reach somebody, and an address of each. */
const WAYS: readonly TextForm[] = [
  [/mail/i, /@/, 'network-ops@harbour.example'],
  [/sms|pager|phone|text/i, /^\+/, '+353 1 555 0142'],
  [/hook|chat|http/i, /^https?:/, 'https://hooks.harbour.example/network'],
];

/** How models of each kind of device begin. */
const FAMILIES: readonly (readonly [kind: RegExp, prefix: string])[] = [
  [/^(ap$|access.?point|aps|PH)|-ap-/i, 'AX-'],
  [/^(switch|SG)|-sw-/i, 'SX-'],
  [/^(gateway|router|edge|controller|CN)|-gw-/i, 'GX-'],
];

function modelClaim(kind: SenseField, model: SenseField): Claim {
  const wanted = (values: Values) => {
    const [, prefix] = FAMILIES.find(([test]) => test.test(String(values[kind.name] ?? ''))) ?? [];
    return prefix;
  };
  return {
    names: [kind.name, model.name],
    broken: (values) => {
      const [is, prefix] = [values[model.name], wanted(values)];
      return (
        typeof is === 'string' &&
        prefix !== undefined &&
        (MODELS as readonly string[]).includes(is) &&
        !is.startsWith(prefix)
      );
    },
    repair: (values, _nowMs, free) => {
      const models = MODELS.filter((each) => each.startsWith(wanted(values) ?? ''));
      const at = String(values[model.name]).length % models.length;
      return free.has(model.name) ? { [model.name]: models[at] } : {};
    },
  };
}

const LABEL = /^[A-Z]{2,4}-(\d{3,6})$/;

export const PEOPLE_AND_COMPUTERS: readonly SenseRule[] = [
  {
    id: 'name-of-mail',
    habit: true,
    states: 'a person has the name that the mail address says',
    claims: (fields) => {
      const mails = fields.filter(
        ({ kind, words, schema }) =>
          kind === 'text' &&
          (schema['x-svc-type'] === 'email' ||
            schema.format === 'email' ||
            /^(e ?mail|mail|user ?name|login|user)$/.test(words.join(' '))),
      );
      if (mails.length === 0) return [];
      return fields
        .filter(({ kind, schema }) => kind === 'text' && schema.enum === undefined)
        .flatMap((field) => {
          const [, write] = PARTS.find(([test]) => test.test(field.words.join(' '))) ?? [];
          return write === undefined || mails.includes(field) ? [] : [nameClaim(field, mails, write)];
        });
    },
  },
  {
    id: 'model-of-kind',
    habit: true,
    states: 'a model is of the kind of device beside it',
    claims: (fields) => {
      const kind = fields.find(
        ({ words, schema }) =>
          schema.enum?.some((word) => /^(ap|access.?point|switch|gateway)$/i.test(String(word))) &&
          /^(type|kind|device type|hardware kind|device kind|family|role)$/.test(words.join(' ')),
      );
      const model = fields.find(
        ({ kind: is, words, schema }) =>
          is === 'text' && schema.enum === undefined && /^(model|hw model|device model)$/.test(words.join(' ')),
      );
      return kind === undefined || model === undefined ? [] : [modelClaim(kind, model)];
    },
  },
  {
    id: 'model-of-serial',
    habit: true,
    states: 'a model is of the kind of device that its serial number or its name says',
    claims: (fields) => {
      const [serial, name, model] = [
        /^(serial|serial number|serial num)$/,
        /^((device |host |ap |announced )?name|hostname|isolated name)$/,
        /^(model|hw model|device model|announced model)$/,
      ].map((test) =>
        fields.find(
          ({ kind, words, schema }) => kind === 'text' && schema.enum === undefined && test.test(words.join(' ')),
        ),
      );
      if (model === undefined) return [];
      return [serial ?? name].flatMap((of) => (of === undefined ? [] : [modelClaim(of, model)]));
    },
  },
  {
    id: 'target-of-kind',
    habit: true,
    states: 'a message goes to an address of its kind',
    claims: (fields) => {
      const kind = fields.find(
        ({ words, schema }) =>
          schema.enum?.some((word) => /^(e?mail|sms|webhook)$/i.test(String(word))) &&
          /^(kind|type|channel|method|channel type)$/.test(words.join(' ')),
      );
      const target = fields.find(
        ({ kind: is, words, schema }) =>
          is === 'text' &&
          schema['x-svc-ref'] === undefined &&
          schema.enum === undefined &&
          /^(target|recipient|destination|address|to)$/.test(words.join(' ')),
      );
      return kind === undefined || target === undefined ? [] : [formClaim(kind, target, WAYS)];
    },
  },
  {
    id: 'version-of-system',
    habit: true,
    states: 'a computer runs a version of its own system, and is labelled by its kind',
    claims: (fields) => {
      const system = fields.find(
        ({ kind, words, schema }) =>
          kind === 'text' &&
          schema.enum !== undefined &&
          /^(os|os type|operating system|os name|platform|device type)$/.test(words.join(' ')),
      );
      if (system === undefined || !system.schema.enum?.some((word) => /windows|android/i.test(String(word)))) return [];
      const of = (test: RegExp) => fields.filter(({ kind, words }) => kind === 'text' && test.test(words.join(' ')));
      return [
        ...of(/^(os version|operating system version|system version)$/).map((field) =>
          systemClaim(system, field, ([, version]) => versionFor(version, field)),
        ),
        ...of(/^(host ?name|device name|client name|machine name)$/).map((field) =>
          systemClaim(system, field, ([, , label], is) => {
            const [, number] = LABEL.exec(is) ?? [];
            return number === undefined ? undefined : `${label}-${number}`;
          }),
        ),
      ];
    },
  },
];
