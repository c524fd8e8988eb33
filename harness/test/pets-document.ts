/** A small OpenAPI document of a stranger: pets that can be listed, read, changed and removed. */
const text = { type: 'string' };
const pet = {
  type: 'object',
  required: ['id', 'name', 'status', 'age', 'owner'],
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 99_999 },
    name: { type: 'string', minLength: 3 },
    status: { type: 'string', enum: ['available', 'pending', 'sold'] },
    age: { type: 'integer', minimum: 1, maximum: 20 },
    owner: { type: 'string', minLength: 4 },
  },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const answer = (schema: object) => ({ 200: { description: 'done', content: json(schema) } });
const id = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } };
const query = (name: string) => ({ name, in: 'query', schema: { type: 'integer', minimum: 1 } });

export const PETS = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List all pets',
        parameters: [query('limit'), query('page')],
        responses: answer({ type: 'array', items: pet }),
      },
      post: {
        operationId: 'createPet',
        summary: 'Create a pet',
        requestBody: {
          required: true,
          content: json({ type: 'object', required: ['name'], properties: { name: text } }),
        },
        responses: { 201: { description: 'made', content: json(pet) } },
      },
    },
    '/pets/{petId}': {
      parameters: [id],
      get: { operationId: 'getPet', summary: 'Get one pet', responses: answer(pet) },
      patch: {
        operationId: 'updatePet',
        summary: 'Update a pet',
        requestBody: { required: true, content: json({ type: 'object', properties: { name: text, owner: text } }) },
        responses: answer(pet),
      },
      delete: { operationId: 'deletePet', summary: 'Delete a pet', responses: { 204: { description: 'gone' } } },
    },
  },
};
