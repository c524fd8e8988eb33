/**
 * Drafts that change something, each tried against the fake first: the change is approved, or the person says no. What the
 * end state has to be is what the fake's state was after the same call.
 */
import type { Change } from '../recording/recording.ts';
import { canonicalJson } from '../scenario/sorted-json.ts';
import { type ApiOperation, isObject, type Json } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import type { ApiObject, ApiResource } from './api-resources.ts';
import { askableFields, holdsSecret, keyField, spoken } from './field-names.ts';
import { type FoundChange, findChange, type Item, ownObject, requiredOf, tried } from './found-change.ts';
import { callAbout, withoutEnvelope } from './item-scenarios.ts';
import { slug } from './list-scenarios.ts';
import { concrete, type Draft, fieldFact, scopeOf, slotsOf } from './scenario-draft.ts';

export async function writeDrafts(resource: ApiResource, probe: Probe): Promise<Draft[]> {
  const { item } = resource;
  const drafts: Draft[] = [];
  if (item !== undefined) {
    for (const [at, object] of item.objects.slice(0, 2).entries()) {
      const change = await findChange(resource, item, object, probe);
      if (change === undefined) break;
      drafts.push(changeDraft(resource, item, object, change, at), refusedChange(resource, item, object, change, at));
    }
    drafts.push(...(await deletions(resource, item, probe)));
  }
  drafts.push(...(await creation(resource, probe)));
  return drafts;
}

function changeDraft(resource: ApiResource, item: Item, object: ApiObject, change: FoundChange, at: number): Draft {
  const { noun } = resource;
  const { operation, field, name, value, body, after } = change;
  const { values, scope } = callAbout(item, object);
  const write = concrete(operation.method, operation.path, slotsOf(operation.path));
  const fact = fieldFact(name, value, 'wanted', `the ${noun} after the change`);
  const asked = spoken(name);
  return {
    kind: 'change',
    name: `${slug(resource)}-${at + 1}`,
    path: operation.path,
    wordings: [
      `Set the ${asked} of ${noun} {{key}}${scope} to {{wanted}} and tell me what it is afterwards.`,
      `Change ${noun} {{key}}${scope}: its ${asked} must be {{wanted}}. Report the value it then has.`,
      `Update the ${asked} of the ${noun} {{key}}${scope} to {{wanted}}, then read it back for me.`,
      `I want ${noun} {{key}}${scope} to have {{wanted}} as its ${asked}; leave everything else, and confirm the value.`,
    ],
    values: { ...values, wanted: value },
    facts: [fact],
    apiCalls: [write],
    approvals: [write],
    ...endStateOf(after, name, ownFields(body, operation, object)),
    ...(operation.method === 'PATCH' && Object.keys(body).length === 1
      ? { bodies: { [write]: { [name]: '{{wanted}}' } } }
      : {}),
    steps: [
      { call: `${operation.method} ${operation.path}`, arguments: { ...object.path, body }, apply: true },
      { call: `GET ${item.operation.path}`, arguments: object.path, facts: { [fact.name]: field.path } },
    ],
  };
}

/** Without the key, which the path has, and what only the API writes: a client may leave both out. */
const ownFields = (body: Json, { body: takes }: ApiOperation, { key }: ApiObject): Json =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => takes?.properties[name]?.['readOnly'] !== true && String(value) !== String(key),
    ),
  );

/**
 * The row that holds the new value, with every field that was sent as it is then: a PUT that leaves one out loses it. Every
 * other row that the call touched is a side effect.
 */
function endStateOf(after: readonly Change[], field: string, sent: Json): Pick<Draft, 'endState' | 'sideEffects'> {
  const row = after.find((change) => canonicalJson(change.value[field] ?? null) === canonicalJson(sent[field]));
  const others = after.filter((change) => change !== row);
  const wanted = { [field]: '{{wanted}}' };
  return {
    ...(row === undefined
      ? {}
      : { endState: [{ resource: row.resource, where: wanted, equals: { ...sentIn(row.value, sent), ...wanted } }] }),
    ...(others.length === 0 ? {} : { sideEffects: others.map(({ resource }) => ({ resource })) }),
  };
}

/** The fields of a row that were sent, without secrets and what would read as a path or a slot. */
const sentIn = (row: Json, sent: Json): Json =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) =>
        name in sent && !/[.{}]/.test(name) && !holdsSecret({ [name]: value }) && !JSON.stringify(value).includes('{{'),
    ),
  );

/** The same change, and the person says no: nothing is written, and the answer is the old value or a stated refusal. */
function refusedChange(resource: ApiResource, item: Item, object: ApiObject, change: FoundChange, at: number): Draft {
  const { noun } = resource;
  const { operation, field, name, value, body } = change;
  const { values, scope } = callAbout(item, object);
  const fact = fieldFact(name, field.value, 'answer', `the ${noun}, as it is`);
  const asked = spoken(name);
  return {
    kind: 'refusal',
    name: `${slug(resource)}-${at + 1}`,
    path: operation.path,
    wordings: [
      `Set the ${asked} of ${noun} {{key}}${scope} to {{wanted}}. If that is not approved, leave it and tell me the ${asked} it has.`,
      `Try to change the ${asked} of ${noun} {{key}}${scope} to {{wanted}}; without approval just report what it is now.`,
      `${noun} {{key}}${scope} should get {{wanted}} as its ${asked}. Should somebody say no, I want to know the value it keeps.`,
      `Ask for the ${asked} of ${noun} {{key}}${scope} to become {{wanted}}, and tell me what it is if that is declined.`,
    ],
    values: { ...values, wanted: value, answer: field.value },
    facts: [fact],
    mayRefuse: true,
    apiCalls: [],
    mustNotCall: [concrete(operation.method, operation.path, slotsOf(operation.path))],
    steps: [
      {
        call: `${operation.method} ${operation.path}`,
        arguments: { ...object.path, body },
        apply: true,
        refused: true,
      },
      { call: `GET ${item.operation.path}`, arguments: object.path, facts: { [fact.name]: field.path } },
    ],
  };
}

async function deletions(resource: ApiResource, item: Item, probe: Probe): Promise<Draft[]> {
  const { noun } = resource;
  const operation = resource.writes.get('DELETE');
  const object = item.objects.at(-1) as ApiObject;
  const field = askableFields(object.json).find(({ value }) => String(value) !== String(object.key));
  if (operation === undefined || field === undefined || operation.body?.isRequired === true) return [];
  const after = await tried(operation, { path: object.path }, probe);
  if (after === undefined || after.length > 0) return [];
  const { values, call, scope } = callAbout(item, object);
  const write = concrete('DELETE', operation.path, slotsOf(operation.path));
  const name = withoutEnvelope(object, field.path);
  const fact = fieldFact(name, field.value, 'answer', `the ${noun} before it went`);
  const asked = spoken(name);
  const read = { call: `GET ${item.operation.path}`, arguments: object.path, facts: { [fact.name]: field.path } };
  const remove = { call: `DELETE ${operation.path}`, arguments: object.path, apply: true };
  const base = { path: operation.path, values: { ...values, answer: field.value }, facts: [fact] };
  return [
    {
      ...base,
      kind: 'change',
      name: `${slug(resource)}-removal`,
      wordings: [
        `Delete ${noun} {{key}}${scope}, and tell me the ${asked} that it had.`,
        `Remove the ${noun} {{key}}${scope}; note its ${asked} for me before it goes.`,
        `Get rid of ${noun} {{key}}${scope}. What was its ${asked}?`,
        `Read the ${asked} of ${noun} {{key}}${scope}, then delete it.`,
      ],
      apiCalls: [call, write],
      approvals: [write],
      steps: [read, remove],
    },
    {
      ...base,
      kind: 'refusal',
      name: `${slug(resource)}-removal`,
      wordings: [
        `Delete ${noun} {{key}}${scope}. If that is not approved, tell me its ${asked} instead.`,
        `Please remove ${noun} {{key}}${scope}; should somebody decline, report the ${asked} it has.`,
        `${noun} {{key}}${scope} can go if that is approved. If not, what is its ${asked}?`,
        `Ask to delete ${noun} {{key}}${scope}, and give me its ${asked} if the answer is no.`,
      ],
      mayRefuse: true,
      apiCalls: [],
      mustNotCall: [write],
      steps: [{ ...remove, refused: true }, read],
    },
  ];
}

/** `POST` on the list with what it cannot do without. The fact is the key that the API gave. */
async function creation(resource: ApiResource, probe: Probe): Promise<Draft[]> {
  const { create, list, noun } = resource;
  if (create?.body === undefined || list === undefined) return [];
  if (create.parameters.some((one) => one.required && one.in !== 'path')) return [];
  const { properties, required } = create.body;
  const name = ['name', 'title', 'label', 'description'].find((field) => properties[field]?.['type'] === 'string');
  const rest = requiredOf(required, properties, {});
  if (name === undefined || rest === undefined || properties[name]?.['enum'] !== undefined) return [];
  const body = { ...rest, [name]: 'quartz harrier' };
  await probe.reset();
  const { status, json } = await probe.call(create, { path: list.path, body });
  const { before, own } = ownObject(isObject(json) ? json : {}, body[name]);
  const key = keyField([own], 'id');
  const after = await probe.changes();
  if (status < 200 || status >= 300 || key === undefined || own[name] !== body[name]) return [];
  const others = Object.keys(rest).filter((field) => field !== name);
  if (!others.every((field) => ['string', 'number', 'boolean'].includes(typeof rest[field]))) return [];
  const values = Object.fromEntries(others.map((field, i) => [`given${i + 1}`, rest[field]]));
  const stated = others.map((field, i) => `, ${spoken(field)} {{given${i + 1}}}`).join('');
  const slots = slotsOf(create.path);
  const parents = Object.fromEntries(Object.entries(slots).map(([parameter, slot]) => [slot, list.path[parameter]]));
  const write = concrete('POST', create.path, slots);
  const fact = fieldFact(key, own[key], 'answer', `the new ${noun}`);
  const [asked, scope] = [spoken(key), scopeOf(create.path)];
  return [
    {
      kind: 'change',
      name: `${slug(resource)}-creation`,
      path: create.path,
      wordings: [
        `Create a ${noun} with ${spoken(name)} "{{wanted}}"${stated}${scope}. Which ${asked} did it get?`,
        `Add a new ${noun}${scope}: ${spoken(name)} "{{wanted}}"${stated}. Tell me its ${asked}.`,
        `I need one more ${noun}${scope} with "{{wanted}}" as its ${spoken(name)}${stated}; give me the ${asked} of it.`,
        `Make a ${noun} whose ${spoken(name)} is "{{wanted}}"${stated}${scope} and report the ${asked}.`,
      ],
      values: { ...parents, ...values, wanted: body[name], answer: own[key] },
      facts: [fact],
      apiCalls: [write],
      approvals: [write],
      ...endStateOf(after, name, body),
      steps: [
        {
          call: `POST ${create.path}`,
          arguments: { ...list.path, body },
          apply: true,
          facts: { [fact.name]: before + key },
        },
      ],
    },
  ];
}
