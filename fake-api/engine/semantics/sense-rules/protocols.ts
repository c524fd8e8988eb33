/** Protocols, ports and what a name server answers. Other ports are permitted, so these are habits. */
import { followingClaim } from '../following-claim.ts';
import { type Claim, fitted, numberOf, type SenseField, type SenseRule, type Values } from '../sense-rule.ts';

/** Words of a protocol, service or host name, and the port that each usually has. */
const PORTS: readonly (readonly [test: RegExp, port: number])[] = [
  [/^https|tls$|^web$|portal|^files|^api/, 443],
  [/^http$|captive/, 80],
  [/^ssh$|^sftp$|^scp$|^shell|^backup/, 22],
  [/^telnet$/, 23],
  [/^(rdp|remote_?desktop)/, 3389],
  [/^(smb|cifs|file_?share)/, 445],
  [/^dns|^doh|resolver/, 53],
  [/^ntp/, 123],
  [/^ldaps?\b|^ldap|directory/, 636],
  [/^radsec/, 2083],
  [/^rad(ius)?\b/, 1812],
  [/^tacacs/, 49],
  [/^syslog/, 514],
  [/^(smtp|mail)/, 587],
  [/^snmp/, 161],
  [/^(sip|voice|voip)/, 5060],
  [/^ftps$/, 990],
  [/^ftp$/, 21],
  [/^tftp/, 69],
  [/^ipfix/, 4739],
  [/^sflow/, 6343],
  [/^(netflow|collector|flow)/, 2055],
  [/^dhcp/, 67],
  [/^proxy/, 3128],
  [/^mqtt/, 8883],
  [/^(postgres|database|sql)/, 5432],
];

/** A RADIUS server listens on several. */
const RADIUS = new Set([1812, 1813, 3799, 2083]);

const portOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? PORTS.find(([test]) => test.test(value.toLowerCase()))?.[1] : undefined;

const PORTLESS = /^(icmp|esp|gre|ah$|ospf|igmp|pim|vrrp)/i;
const NUMBERS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1, icmpv6: 58, gre: 47, esp: 50, ospf: 89 };
const UDP: ReadonlySet<number> = new Set([53, 67, 68, 69, 123, 161, 162, 500, 514, 1812, 1813, 3478, 4500, 5060, 5353]);

const PROTOCOL = /^(protocol|app protocol|application protocol|scheme|service|transport|type|category|server type)$/;
const HOST = /^(host|host name|hostname|target|server|server name|address|server address|fqdn)$/;

function portClaim(port: SenseField, sources: readonly SenseField[]): Claim {
  const wanted = (values: Values) => sources.map(({ name }) => portOf(values[name])).find((each) => each !== undefined);
  const fits = (value: number) => value >= (port.schema.minimum ?? 0) && value <= (port.schema.maximum ?? 65_535);
  return followingClaim(port, sources, {
    wanted,
    broken: (values) => {
      const [is, usual] = [numberOf(values[port.name]), wanted(values)];
      return (
        is !== undefined && usual !== undefined && is !== usual && !(usual === 1812 && RADIUS.has(is)) && fits(usual)
      );
    },
  });
}

/** An answer where there is none to give: the query was refused, or asks for no address. */
function answerClaim(answer: SenseField, verdict: SenseField | undefined, type: SenseField | undefined): Claim {
  const isEmpty = (values: Values) =>
    /refus|block|nxdomain|timeout|servfail|fail/i.test(String(values[verdict?.name ?? ''] ?? '')) ||
    /^(mx|txt|srv|ns|soa|ptr|https|caa)$/i.test(String(values[type?.name ?? ''] ?? ''));
  return {
    names: [answer.name, ...[verdict, type].flatMap((field) => field?.name ?? [])],
    broken: (values) => values[answer.name] !== null && values[answer.name] !== undefined && isEmpty(values),
    repair: (_values, _nowMs, free) => (free.has(answer.name) ? { [answer.name]: null } : {}),
  };
}

/** A code of HTTP that agrees with the outcome beside it. */
function codeClaim(outcome: SenseField, code: SenseField): Claim {
  const failed = (values: Values) => /fail|error|refus|reject|denied|timeout/i.test(String(values[outcome.name] ?? ''));
  const succeeded = (values: Values) =>
    /^(success|succeeded|ok|delivered|passed|accepted)/i.test(String(values[outcome.name] ?? ''));
  return {
    names: [outcome.name, code.name],
    broken: (values) => {
      const is = numberOf(values[code.name]);
      return is !== undefined && ((failed(values) && is < 400) || (succeeded(values) && is >= 400));
    },
    repair: (values, _nowMs, free) =>
      free.has(code.name) ? { [code.name]: fitted(failed(values) ? 503 : 200, code) } : {},
  };
}

/** What rules of these names do. */
const DOES: readonly (readonly [name: RegExp, action: RegExp])[] = [
  [/^(allow|permit)\b/i, /^(allow|allowed|permit|accept|pass|resolve)$/i],
  [/^(block|deny|drop|refuse)\b/i, /^(block|blocked|deny|drop|dropped|refuse|refused|reject)$/i],
];

function actionClaim(name: SenseField, action: SenseField): Claim {
  const does = (values: Values) => DOES.find(([test]) => test.test(String(values[name.name] ?? '')))?.[1];
  const wanted = (values: Values) => {
    const test = does(values);
    return test === undefined ? undefined : action.schema.enum?.find((word) => test.test(String(word)));
  };
  return followingClaim(action, [name], {
    wanted,
    broken: (values) => wanted(values) !== undefined && does(values)?.test(String(values[action.name])) === false,
  });
}

export const PROTOCOLS: readonly SenseRule[] = [
  {
    id: 'action-of-rule-name',
    habit: true,
    states: 'a rule does what its name says',
    claims: (fields) => {
      const action = fields.find(
        ({ words, schema }) => schema.enum !== undefined && /^(action|decision|verdict)$/.test(words.join(' ')),
      );
      const name = fields.find(
        ({ kind, words, schema }) =>
          kind === 'text' && schema.enum === undefined && /^(name|label|rule|rule name)$/.test(words.join(' ')),
      );
      return action === undefined || name === undefined ? [] : [actionClaim(name, action)];
    },
  },
  {
    id: 'action-of-permission',
    habit: true,
    states: 'a permission permits what its id says',
    claims: (fields) => {
      const id = fields.find(
        ({ kind, words, schema }) => kind === 'text' && words.join(' ') === 'id' && schema.format === undefined,
      );
      const action = fields.find(
        ({ words, schema }) =>
          words.join(' ') === 'action' && schema.enum?.some((word) => /^(read|delete)$/i.test(String(word))),
      );
      if (id === undefined || action === undefined) return [];
      const wanted = (values: Values) => {
        const [, verb] = /\.(\w+)$/.exec(String(values[id.name] ?? '')) ?? [];
        return verb === undefined
          ? undefined
          : action.schema.enum?.find((word) => String(word).toLowerCase() === (verb === 'write' ? 'update' : verb));
      };
      return [followingClaim(action, [id], { wanted })];
    },
  },
  {
    id: 'port-of-protocol',
    habit: true,
    states: 'a service listens on the port of its protocol',
    claims: (fields) => {
      const named = (test: RegExp) => fields.filter(({ kind, words }) => kind === 'text' && test.test(words.join(' ')));
      const sources = [...named(PROTOCOL), ...named(HOST)];
      if (sources.length === 0) return [];
      return fields
        .filter(
          ({ kind, words }) =>
            kind === 'number' && /^(port|destination port|dport|server port|listen port)$/.test(words.join(' ')),
        )
        .map((port) => portClaim(port, sources));
    },
  },
  {
    id: 'number-of-protocol',
    habit: true,
    states: 'a protocol has its number, and a port the protocol that it is known for',
    claims: (fields) => {
      const number = fields.find(
        ({ kind, words, schema }) =>
          kind === 'number' &&
          schema.enum === undefined &&
          /^(proto|protocol|protocol number|ip protocol)$/.test(words.join(' ')),
      );
      if (number === undefined) return [];
      const name = fields.find(
        ({ kind, words }) => kind === 'text' && /^(protocol|transport|l 4 protocol)$/.test(words.join(' ')),
      );
      const port = fields.find(
        ({ kind, words }) => kind === 'number' && /^(dport|dst port|destination port)$/.test(words.join(' ')),
      );
      return [
        ...(name === undefined
          ? []
          : [followingClaim(number, [name], { wanted: (values) => NUMBERS[String(values[name.name]).toLowerCase()] })]),
        ...(port === undefined
          ? []
          : [
              followingClaim(number, [port], {
                wanted: (values) =>
                  typeof values[port.name] !== 'number' ? undefined : UDP.has(values[port.name] as number) ? 17 : 6,
              }),
            ]),
      ];
    },
  },
  {
    id: 'no-port-without-transport',
    habit: true,
    states: 'ICMP, GRE and ESP have no ports',
    claims: (fields) => {
      const transport = fields.find(
        ({ words, schema }) =>
          schema.enum?.some((word) => PORTLESS.test(String(word))) === true &&
          /^(transport|protocol|proto)$/.test(words.join(' ')),
      );
      if (transport === undefined) return [];
      return fields
        .filter(
          ({ kind, words }) =>
            (kind === 'number' || kind === 'text' || kind === 'list') &&
            /^(destination port|dport|dst port|port|port 1|port 2|source port|src port)$/.test(words.join(' ')),
        )
        .map((port) => ({
          names: [transport.name, port.name],
          broken: (values: Values) =>
            PORTLESS.test(String(values[transport.name])) &&
            !/^(any|0|null|undefined)?$/.test(String(values[port.name] ?? '')),
          repair: (_values: Values, _nowMs: number, free: ReadonlySet<string>) => {
            if (port.nullable && free.has(port.name)) return { [port.name]: null };
            const tcp = transport.schema.enum?.find((word) => /^tcp$/i.test(String(word)));
            return tcp !== undefined && free.has(transport.name) ? { [transport.name]: tcp } : {};
          },
        }));
    },
  },
  {
    id: 'country-of-address',
    habit: true,
    states: 'a private address is in no country',
    claims: (fields) => {
      const country = fields.find(
        ({ nullable, words }) => nullable && /^(country|country code|destination country)$/.test(words.join(' ')),
      );
      const address = fields.find(
        ({ kind, words }) => kind === 'text' && /^(destination|dst|destination ip|dst ip|peer)$/.test(words.join(' ')),
      );
      if (country === undefined || address === undefined) return [];
      return [
        {
          names: [address.name, country.name],
          broken: (values) =>
            /^(10|192\.168)\./.test(String(values[address.name])) && (values[country.name] ?? null) !== null,
          repair: (_values, _nowMs, free) => (free.has(country.name) ? { [country.name]: null } : {}),
        },
      ];
    },
  },
  {
    id: 'answer-of-query',
    habit: true,
    states: 'a refused query and one that asks for no address have no address as answer',
    claims: (fields) => {
      const one = (test: RegExp) => fields.find(({ kind, words }) => kind === 'text' && test.test(words.join(' ')));
      const answer = fields.find(
        ({ nullable, words }) => nullable && /^(answer|answers|resolved (ip|address)|response)$/.test(words.join(' ')),
      );
      const [verdict, type] = [
        one(/^(action|verdict|result|status|code|rcode)$/),
        one(/^(query|record|question) type$|^qtype$/),
      ];
      return answer === undefined || (verdict ?? type) === undefined ? [] : [answerClaim(answer, verdict, type)];
    },
  },
  {
    id: 'code-of-outcome',
    habit: true,
    states: 'a success has a code below 400, a failure one from 400 on',
    claims: (fields) => {
      const outcome = fields.find(
        ({ kind, words, schema }) =>
          kind === 'text' && schema.enum !== undefined && /^(status|state|result|outcome)$/.test(words.join(' ')),
      );
      const code = fields.find(
        ({ kind, words }) =>
          kind === 'number' &&
          /^(response|status|http status|http) ?(code)?$/.test(words.join(' ')) &&
          words.length > 1,
      );
      return outcome === undefined || code === undefined ? [] : [codeClaim(outcome, code)];
    },
  },
];
