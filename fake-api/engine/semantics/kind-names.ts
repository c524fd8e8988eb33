/** How engineers name objects of a kind: groups after what is in them, rules after what they do, people after themselves. */
import { singularOf, wordsOf } from './field-name-words.ts';
import { KINDS, PEOPLE } from './kind-name-lists.ts';

const byKind = new Map(KINDS.flatMap(([kinds, names]) => kinds.split(',').map((kind) => [kind, names] as const)));

/** Words that say how a thing is looked at, and not what it is. */
const VIEW =
  /^(stat|health|state|status|summary|table|record|config|configuration|history|usage|info|detail|inventory|result|item|reference|derived|effective|database|last)$/;

/** Words that say whose a thing is. */
const SCOPE = /^(org|site|msp|const|self|derived|classic)$/;
/** Kinds that say little by themselves: what stands before them makes the name. */
const VAGUE = /^(group|rule|map|entry|policy|template|network|key|pool|node|zone|tag|list)$/;

/** Words of a resource's name without the view on it, in the singular: `org-device-stats` → `org device`. */
export function kindOf(resource: string): readonly string[] {
  const known = kinds.get(resource) ?? readKind(resource);
  kinds.set(resource, known);
  return known;
}
const kinds = new Map<string, readonly string[]>();

function readKind(resource: string): readonly string[] {
  const words = [...singularOf(wordsOf(resource))];
  while (words.length > 1 && SCOPE.test(words[0] as string)) words.shift();
  while (words.length > 1 && VIEW.test(words.at(-1) as string)) words.pop();
  return singularOf(words);
}

/** Names of objects of a kind, of its last two words or its last; undefined where each of them is named after its place. */
export function namesOf(kind: readonly string[]): readonly string[] | undefined {
  const last = kind.at(-1) ?? '';
  const pair = byKind.get(kind.slice(-2).join(' '));
  return (
    pair ?? (kind.length > 1 && VAGUE.test(last) && !ADDS_LITTLE.test(kind.at(-2) ?? '') ? undefined : byKind.get(last))
  );
}

/** Words before a vague kind that leave it what it is. */
const ADDS_LITTLE =
  /^(access|firewall|acl|nac|custom|named|wips|onboarding|device|client|sensor|authz|resource|asset|design|report|stack|job|classic|management|interface|route|config|virtual|wired|wireless|cloud|api|ssh|encryption|connector|nat|dhcp|address|map|rssi|site)$/;

/** Whether a login beside an object of the kind is that of a machine: the platform's own account at a server. */
export const isMachine = (kind: readonly string[]): boolean =>
  kind.some((word) => MACHINE.test(word)) && !kind.some((word) => PERSONAL.test(word));
const PERSONAL =
  /^(session|login|activity|event|log|audit|user|client|endpoint|guest|person|device|station|enrolled|health)$/;
const MACHINE =
  /^(proxy|snmp|backup|hypervisor|vcenter|smtp|mail|sms|collector|integration|connector|credential|storage|ldap|ddn|ddns|pppoe|est|scep|siem|syslog|stream|sink|itsm|agent|source|manager|profile|external|supplicant)$/;

/** Whether objects of the kind are people, whose name the mail address beside it repeats. */
export const isPerson = (kind: readonly string[]): boolean => namesOf(kind) === PEOPLE;
