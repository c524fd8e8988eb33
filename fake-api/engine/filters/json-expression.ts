/** A filter that is a JSON expression: `{"name": {"$contains": "x"}, "$or": [{"enabled": true}, …]}`. */
import { describe, isObject, own } from '../state/json-value.ts';
import { type Expression, FilterProblem, operatorsOf, type ParsedExpression, parsed } from './expression.ts';

type Table = Readonly<Record<string, string[]>>;

const operators: Readonly<Record<string, string>> = {
  $eq: 'eq',
  $ne: 'ne',
  $in: 'in',
  $gt: 'gt',
  $gte: 'ge',
  $lt: 'lt',
  $lte: 'le',
  $contains: 'contains',
};

export function parseJsonExpression(text: string, fields: Table): ParsedExpression {
  return parsed(() => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new FilterProblem('a JSON object', describe(text));
    }
    return read(value, fields);
  });
}

function read(value: unknown, fields: Table): Expression {
  if (!isObject(value) || Object.keys(value).length === 0)
    throw new FilterProblem('a JSON object with conditions', describe(value));
  const parts = Object.entries(value).map(([name, given]) => readEntry(name, given, fields));
  return parts.length === 1 ? (parts[0] as Expression) : { kind: 'all', parts };
}

function readEntry(name: string, given: unknown, fields: Table): Expression {
  if (name === '$not') return { kind: 'not', part: read(given, fields) };
  if (name === '$and' || name === '$or') {
    if (!Array.isArray(given) || given.length === 0)
      throw new FilterProblem(`a list of conditions under ${name}`, describe(given));
    return { kind: name === '$and' ? 'all' : 'any', parts: given.map((each) => read(each, fields)) };
  }
  const allowed = operatorsOf(name, fields);
  const compared = isObject(given) ? given : { $eq: given };
  const parts = Object.entries(compared).map(([sign, wanted]): Expression => {
    const operator = own(operators, sign);
    if (operator === undefined || !allowed.includes(operator)) {
      const known = Object.entries(operators).filter(([, plain]) => allowed.includes(plain));
      throw new FilterProblem(`operator ${known.map(([each]) => each).join(' or ')} on ${name}`, `"${sign}"`);
    }
    return { kind: 'condition', condition: { field: name, operator, values: valuesOf(sign, wanted) } };
  });
  if (parts.length === 0) throw new FilterProblem(`an operator on ${name}`, 'an empty object');
  return parts.length === 1 ? (parts[0] as Expression) : { kind: 'all', parts };
}

function valuesOf(sign: string, wanted: unknown): string[] {
  const list = sign === '$in' ? wanted : [wanted];
  if (!Array.isArray(list)) throw new FilterProblem('a list after $in', describe(wanted));
  return list.map((value) => {
    if (value !== null && typeof value === 'object')
      throw new FilterProblem(`a plain value after ${sign}`, describe(value));
    return String(value);
  });
}
