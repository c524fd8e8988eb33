/** Documents of many habits, generated: every way to wrap a thing with every way to ask for credentials, in three versions of OpenAPI. */
export interface Variant {
  name: string;
  document: Record<string, unknown>;
  /** Body of a create by its path. */
  bodies: ReadonlyMap<string, unknown>;
}

type Part = Record<string, unknown>;

const text = { type: 'string' };
const thing: Part = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', readOnly: true, example: 'example-1' },
    title: text,
    count: { type: 'integer' },
    created_at: { type: 'string', format: 'date-time' },
  },
};
const sent: Part = { type: 'object', required: ['title'], properties: { title: text, count: { type: 'integer' } } };
const wrap = (name: string, schema: Part, more: Part = {}): Part => ({
  type: 'object',
  properties: { [name]: schema, ...more },
});
const listOf = (items: Part): Part => ({ type: 'array', items });
const ref = { $ref: '#/components/schemas/Thing' };

interface Habit {
  list: Part;
  item: Part;
  body: Part;
  /** Schema of the answer to a create; null for a status alone. */
  made: Part | null;
  wrapped: (fields: Part) => Part;
  /** Ending of every path. */
  ending?: string;
}

const bare = (fields: Part): Part => fields;

const HABITS: Record<string, Habit> = {
  plain: { list: listOf(ref), item: ref, body: sent, made: ref, wrapped: bare },
  noun: {
    list: wrap('widgets', listOf(ref), { total: { type: 'integer' } }),
    item: wrap('widget', ref),
    body: wrap('widget', sent),
    made: wrap('widget', ref),
    wrapped: (widget) => ({ widget }),
  },
  data: {
    list: wrap('data', listOf(ref), { meta: { type: 'object' } }),
    item: wrap('data', ref),
    body: sent,
    made: wrap('data', ref, { success: { type: 'boolean' } }),
    wrapped: bare,
  },
  deep: {
    list: wrap('result', wrap('items', listOf(ref))),
    item: wrap('result', ref),
    body: sent,
    made: wrap('id', text),
    wrapped: bare,
  },
  listed: {
    list: wrap('Widgets', listOf(ref)),
    item: wrap('Widgets', listOf(ref)),
    body: wrap('Widgets', listOf(sent)),
    made: wrap('Widgets', listOf(ref)),
    wrapped: (fields) => ({ Widgets: [fields] }),
  },
  silent: {
    list: wrap('items', listOf(ref), { next: { type: 'string' } }),
    item: ref,
    body: sent,
    made: null,
    wrapped: bare,
    ending: '/',
  },
};

/** Security of a document: its schemes and its requirement objects. */
const SECURITY: Record<string, { schemes: Part; security: Part[] }> = {
  open: { schemes: {}, security: [] },
  header: { schemes: { k: { type: 'apiKey', in: 'header', name: 'X-Key' } }, security: [{ k: [] }] },
  query: { schemes: { k: { type: 'apiKey', in: 'query', name: 'api_key' } }, security: [{ k: [] }] },
  cookie: { schemes: { k: { type: 'apiKey', in: 'cookie', name: 'sid' } }, security: [{ k: [] }] },
  basic: { schemes: { b: { type: 'http', scheme: 'basic' } }, security: [{ b: [] }] },
  bearer: { schemes: { t: { type: 'http', scheme: 'bearer' } }, security: [{ t: [] }] },
  oauth2: {
    schemes: { o: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes: { all: '' } } } } },
    security: [{ o: ['all'] }],
  },
  both: {
    schemes: { a: { type: 'apiKey', in: 'header', name: 'X-App' }, b: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    security: [{ a: [], b: [] }],
  },
};

export const securityKinds = Object.keys(SECURITY);

export function foreignVariants(): Variant[] {
  return Object.keys(HABITS).flatMap((habit) =>
    securityKinds.map((security, at) => variant(habit, security, at % 2 === 0 ? '3.0.3' : '3.1.0')),
  );
}

function variant(habit: string, kind: string, openapi: string): Variant {
  const { list, item, body, made, wrapped, ending = '' } = HABITS[habit] as Habit;
  const { schemes, security } = SECURITY[kind] as (typeof SECURITY)[string];
  const json = (schema: Part): Part => ({ 'application/json': { schema } });
  const answering = (schema: Part): Part => ({
    200: { description: 'Fine', content: json(schema) },
    404: { description: 'Missing' },
  });
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const bounds = {
    name: 'created',
    in: 'query',
    style: 'deepObject',
    explode: true,
    schema: { anyOf: [{ type: 'object', properties: { gt: { type: 'integer' } } }, { type: 'integer' }] },
  };
  const paths = {
    [`/widgets${ending}`]: {
      get: {
        operationId: 'listWidgets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }, bounds],
        responses: answering(list),
      },
      post: {
        operationId: 'createWidget',
        requestBody: { required: true, content: json(body) },
        responses: {
          [made === null ? 204 : 201]: { description: 'Made', ...(made === null ? {} : { content: json(made) }) },
          422: { description: 'Wrong' },
        },
      },
    },
    [`/widgets/{id}${ending}`]: {
      parameters: [id],
      get: { operationId: 'getWidget', responses: answering(item) },
      patch: {
        operationId: 'updateWidget',
        requestBody: { required: true, content: json(body) },
        responses: answering(item),
      },
      delete: { operationId: 'deleteWidget', responses: { 204: { description: 'Gone' } } },
    },
    [`/widgets/{id}/parts${ending}`]: {
      parameters: [{ $ref: `#/paths/~1widgets~1{id}${ending.replace('/', '~1')}/parameters/0` }],
      get: { operationId: 'listParts', responses: answering(listOf(ref)) },
    },
    '/status': {
      get: {
        operationId: 'getStatus',
        security: [],
        responses: answering({ type: 'object', properties: { ok: { type: 'boolean' } } }),
      },
    },
  };
  const document = {
    openapi,
    info: { title: `${habit} ${kind}`, version: '1' },
    servers: [{ url: 'https://api.example/v1' }],
    paths,
    components: { schemas: { Thing: thing }, securitySchemes: schemes },
    security,
  };
  const mark = `mark-${habit}-${kind}`;
  return {
    name: `${habit}-${kind}`,
    document,
    bodies: new Map([[`/widgets${ending}`, wrapped({ title: mark, count: 3 })]]),
  };
}
