/** A small OpenAPI document of a stranger, 25 operations: five kinds of things that can be listed, made, read, changed and removed. */
type Schema = Record<string, unknown>;
const text: Schema = { type: 'string', minLength: 4, maxLength: 40 };
const number: Schema = { type: 'integer', minimum: 1, maximum: 900 };

/** Plural → its fields, beside `id` and `name`. */
const THINGS: Record<string, Record<string, Schema>> = {
  pets: { status: { type: 'string', enum: ['available', 'pending', 'sold'] }, age: number, owner: text },
  owners: { city: text, phone: text },
  visits: { reason: text, minutes: number },
  clinics: { city: text, rooms: number, open: { type: 'boolean' } },
  vaccines: { maker: text, doses: number },
};

const json = (schema: Schema) => ({ 'application/json': { schema } });
const answer = (schema: Schema) => ({ 200: { description: 'done', content: json(schema) } });
const query = (name: string) => ({ name, in: 'query', schema: { type: 'integer', minimum: 1 } });

function pathsOf(plural: string, fields: Record<string, Schema>): Record<string, unknown> {
  const one = plural.slice(0, -1);
  const Name = `${one[0]?.toUpperCase()}${one.slice(1)}`;
  const properties = { name: text, ...fields };
  const thing = {
    type: 'object',
    required: ['id', ...Object.keys(properties)],
    properties: { id: { ...number, maximum: 99_999 }, ...properties },
  };
  const body = (required: string[]) => ({ required: true, content: json({ type: 'object', required, properties }) });
  return {
    [`/${plural}`]: {
      get: {
        operationId: `list${Name}s`,
        summary: `List all ${plural}`,
        parameters: [query('limit'), query('page')],
        responses: answer({ type: 'array', items: thing }),
      },
      post: {
        operationId: `create${Name}`,
        summary: `Create a ${one}`,
        requestBody: body(['name']),
        responses: { 201: { description: 'made', content: json(thing) } },
      },
    },
    [`/${plural}/{${one}Id}`]: {
      parameters: [{ name: `${one}Id`, in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: `get${Name}`, summary: `Get one ${one}`, responses: answer(thing) },
      patch: {
        operationId: `update${Name}`,
        summary: `Update a ${one}`,
        requestBody: body([]),
        responses: answer(thing),
      },
      delete: {
        operationId: `delete${Name}`,
        summary: `Delete a ${one}`,
        responses: { 204: { description: 'gone' } },
      },
    },
  };
}

export const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  paths: Object.assign({}, ...Object.entries(THINGS).map(([plural, fields]) => pathsOf(plural, fields))),
};
