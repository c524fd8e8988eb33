/** The JSON Schema of plain types. Formats no validator knows by name are written as what they mean. */
import type { FieldType } from '../model/field-line.ts';
import type { Schema } from './schema-object.ts';

export function scalarSchema(type: Extract<FieldType, { kind: 'scalar' }>): Schema {
  const length = {
    ...(type.min === undefined ? {} : { minLength: type.min }),
    ...(type.max === undefined ? {} : { maxLength: type.max }),
    ...(type.pattern === undefined ? {} : { pattern: type.pattern }),
  };
  const range = {
    ...(type.min === undefined ? {} : { minimum: type.min }),
    ...(type.max === undefined ? {} : { maximum: type.max }),
  };
  const text = (format: string): Schema => ({ type: 'string', format });
  const special = (name: string, schema: Schema): Schema => ({ type: 'string', ...schema, 'x-svc-type': name });
  switch (type.name) {
    case 'str':
    case 'text':
      return { type: 'string', ...length };
    case 'secret':
      return { type: 'string', format: 'password', ...length };
    case 'int':
      return { type: 'integer', ...range };
    case 'num':
      return { type: 'number', ...range };
    case 'bool':
      return { type: 'boolean' };
    case 'json':
      return { type: 'object', additionalProperties: true };
    case 'datetime':
      return text('date-time');
    case 'fqdn':
      return text('hostname');
    case 'url':
      return text('uri');
    case 'ip':
      return special('ip', { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] });
    case 'host':
      return special('host', { maxLength: 253, anyOf: [{ format: 'hostname' }, { format: 'ipv6' }] });
    case 'cidr':
      return special('cidr', {
        pattern:
          '^([0-9]{1,3}(\\.[0-9]{1,3}){3}/([0-9]|[12][0-9]|3[0-2])|[0-9A-Fa-f:]+/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]))$',
      });
    case 'mac':
      return special('mac', { pattern: '^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$' });
    default:
      return text(type.name);
  }
}

export function typedExample(example: string, type: FieldType): unknown {
  if (type.kind !== 'scalar') return example;
  if (type.name === 'int' || type.name === 'num') return Number(example);
  return type.name === 'bool' ? example === 'true' : example;
}
