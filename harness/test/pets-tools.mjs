// The tools of the servers that are tried over the pets API: one for each operation, whatever library serves them.
const { SVC_API_URL: api, SVC_API_TOKEN: token } = process.env;
const kinds = { pet: ['status', 'owner'], owner: ['city'], visit: ['reason'], clinic: ['city'], vaccine: ['maker'] };
const id = { id: { type: 'integer', description: 'Its number' } };
const text = (names) => Object.fromEntries(names.map((name) => [name, { type: 'string', description: `Its ${name}` }]));
const page = { limit: { type: 'integer' }, page: { type: 'integer' } };

/** Of one kind of thing, or of all. */
export const toolsOf = (only) =>
  Object.entries(kinds)
    .filter(([kind]) => only === undefined || kind === only)
    .flatMap(([kind, fields]) => [
      { name: `list_${kind}s`, verb: 'GET', path: `/${kind}s`, says: `List all ${kind}s`, takes: page },
      { name: `get_${kind}`, verb: 'GET', path: `/${kind}s/`, says: `Get one ${kind} by its id`, takes: id },
      { name: `add_${kind}`, verb: 'POST', path: `/${kind}s`, says: `Create a new ${kind}`, takes: text(['name']) },
      {
        name: `edit_${kind}`,
        verb: 'PATCH',
        path: `/${kind}s/`,
        says: `Change fields of a ${kind}`,
        takes: { ...id, ...text(['name', ...fields]) },
      },
      { name: `remove_${kind}`, verb: 'DELETE', path: `/${kind}s/`, says: `Delete a ${kind} for good`, takes: id },
    ]);

export const listed = ({ name, says, takes, verb }) => ({
  name,
  description: says,
  inputSchema: { type: 'object', properties: takes, required: takes.id ? ['id'] : [] },
  annotations: { readOnlyHint: verb === 'GET' },
});

export const questionAbout = ({ says }, at) => ({
  message: `${says}: number ${at}?`,
  requestedSchema: { type: 'object', properties: { yes: { type: 'boolean', title: 'Do it' } }, required: ['yes'] },
});

export async function send({ verb, path }, at, rest) {
  const url = new URL(`${api}${path}${at === undefined ? '' : encodeURIComponent(at)}`);
  if (verb === 'GET') for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, String(value));
  const body = verb === 'GET' || verb === 'DELETE' ? {} : { body: JSON.stringify(rest) };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: verb, headers, ...body });
  return { isError: !answer.ok, content: [{ type: 'text', text: (await answer.text()) || 'done' }] };
}
