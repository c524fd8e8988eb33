/** A validator's finding in the words a reader needs: where, what was expected, what came. */
import type { ErrorObject } from 'ajv';
import { describe } from '../state/json-value.ts';

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
  const parameters = error.params as Record<string, unknown>;
  const at = valueAt(value, error.instancePath);
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(
        parameters[error.keyword === 'additionalProperties' ? 'additionalProperty' : 'unevaluatedProperty'],
      );
      return { pointer: `${error.instancePath}/${name}`, expected: 'no such field', got: `field "${name}"` };
    }
    case 'required':
    case 'dependentRequired': {
      const name = String(parameters['missingProperty']);
      return { pointer: `${error.instancePath}/${name}`, expected: 'a value, the field is required', got: 'nothing' };
    }
    case 'type': {
      const type = parameters['type'];
      return {
        pointer: error.instancePath,
        expected: [type]
          .flat()
          .map((name) => article(String(name)))
          .join(' or '),
        got: describe(at),
      };
    }
    case 'enum':
      return {
        pointer: error.instancePath,
        expected: `one of ${(parameters['allowedValues'] as unknown[]).slice(0, 30).join(', ')}`,
        got: describe(at),
      };
    case 'const':
      return { pointer: error.instancePath, expected: JSON.stringify(parameters['allowedValue']), got: describe(at) };
    case 'format':
      return {
        pointer: error.instancePath,
        expected: FORMATS[String(parameters['format'])] ?? `format ${String(parameters['format'])}`,
        got: describe(at),
      };
    case 'pattern':
      return {
        pointer: error.instancePath,
        expected: `text matching ${String(parameters['pattern'])}`,
        got: describe(at),
      };
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return {
        pointer: error.instancePath,
        expected: `a number ${String(parameters['comparison'])} ${String(parameters['limit'])}`,
        got: describe(at),
      };
    case 'minLength':
    case 'maxLength':
      return {
        pointer: error.instancePath,
        expected: `text of at ${error.keyword === 'minLength' ? 'least' : 'most'} ${String(parameters['limit'])} characters`,
        got: `${String(at).length} characters`,
      };
    case 'minItems':
    case 'maxItems':
      return {
        pointer: error.instancePath,
        expected: `at ${error.keyword === 'minItems' ? 'least' : 'most'} ${String(parameters['limit'])} entries`,
        got: describe(at),
      };
    case 'minProperties':
      return { pointer: error.instancePath, expected: 'at least one field', got: 'an empty object' };
    default:
      return { pointer: error.instancePath, expected: error.message ?? error.keyword, got: describe(at) };
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
    at = (at as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}
