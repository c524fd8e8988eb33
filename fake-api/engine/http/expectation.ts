/** A validator's finding in the words a reader needs: where, what was expected, what came. */
import type { ErrorObject } from 'ajv';
import { describe, own } from '../state/json-value.ts';

export interface Finding {
  /** JSON pointer into the checked value, `` for the value itself. */
  pointer: string;
  expected: string;
  got: string;
}

const FORMATS: Record<string, string> = {
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  ip: 'an IPv4 or IPv6 address',
  cidr: 'a prefix such as 10.0.0.0/24',
  mac: 'a MAC address such as 02:1a:2b:3c:4d:5e',
  hostname: 'a host name',
  host: 'a host name or address',
  email: 'an e-mail address',
  uuid: 'a UUID',
  uri: 'a URL',
  date: 'a date such as 2026-03-02',
  'date-time': 'a time such as 2026-03-02T09:00:00Z',
  duration: 'a duration such as PT5M',
};

export function finding(error: ErrorObject, value: unknown): Finding {
  const told = tell(error, value);
  const schema = error.parentSchema as { format?: string; writeOnly?: boolean } | undefined;
  // A refused secret must not come back in the message.
  return schema?.format === 'password' || schema?.writeOnly === true
    ? { ...told, got: 'a secret that does not fit' }
    : told;
}

function tell(error: ErrorObject, value: unknown): Finding {
  const { instancePath: pointer, keyword } = error;
  const parameters = error.params as Record<string, unknown>;
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(
        parameters[keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty'],
      );
      return { pointer: `${pointer}/${name}`, expected: 'no such field', got: `field "${name}"` };
    }
    case 'required':
    case 'dependentRequired': {
      const name = String(parameters['missingProperty']);
      return { pointer: `${pointer}/${name}`, expected: 'a value, the field is required', got: 'nothing' };
    }
    case 'minLength':
    case 'maxLength': {
      const length = String(valueAt(value, pointer)).length;
      return { pointer, expected: expectationOf(error, parameters), got: `${length} characters` };
    }
    case 'minProperties':
      return { pointer, expected: 'at least one field', got: 'an empty object' };
    default:
      return { pointer, expected: expectationOf(error, parameters), got: describe(valueAt(value, pointer)) };
  }
}

/** What a keyword demands of the value it is about. */
function expectationOf({ keyword, message }: ErrorObject, parameters: Record<string, unknown>): string {
  switch (keyword) {
    case 'type':
      return [parameters['type']]
        .flat()
        .map((name) => article(String(name)))
        .join(' or ');
    case 'enum':
      return `one of ${(parameters['allowedValues'] as unknown[]).slice(0, 30).join(', ')}`;
    case 'const':
      return JSON.stringify(parameters['allowedValue']);
    case 'format':
      return own(FORMATS, String(parameters['format'])) ?? `format ${String(parameters['format'])}`;
    case 'pattern':
      return `text matching ${String(parameters['pattern'])}`;
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return `a number ${String(parameters['comparison'])} ${String(parameters['limit'])}`;
    case 'minLength':
    case 'maxLength':
      return `text of at ${keyword === 'minLength' ? 'least' : 'most'} ${String(parameters['limit'])} characters`;
    case 'minItems':
    case 'maxItems':
      return `at ${keyword === 'minItems' ? 'least' : 'most'} ${String(parameters['limit'])} entries`;
    default:
      return message ?? keyword;
  }
}

function article(type: string): string {
  if (type === 'null') return 'null';
  if (type === 'integer') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export function valueAt(value: unknown, pointer: string): unknown {
  let at = value;
  for (const step of pointer.split('/').slice(1)) {
    if (at === null || typeof at !== 'object') return undefined;
    at = own(at as Record<string, unknown>, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return at;
}
