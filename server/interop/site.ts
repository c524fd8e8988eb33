/** A site of the management cloud as one of the cloud WLAN, and back. */
import {
  type Json,
  type SourceShape,
  type Translated,
  Translation,
  translated,
  untranslatable,
} from './translation.ts';

const MOST_NAME = 64;

export function siteToCloud(source: Json, shape: SourceShape, orgId: string | undefined): Translated {
  const from = new Translation(source, shape);
  const name = cut(from, 'name', siteName(from), MOST_NAME);
  const [street, postal, city, state] = ['street', 'postal-code', 'city', 'state'].map((field) => from.text(field));
  const address = [street, [postal, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ');
  if (address === '') from.note('needed', 'street', 'body.address: the site has no address');
  else if (postal !== undefined || state !== undefined)
    from.note('approximated', 'street', 'street, postal code, town and state become one line of text');
  const country = from.text('country');
  if (country === undefined)
    from.note('needed', 'country', 'body.country_code: two letters, they decide the radio channels');
  const position = positionIn(from, ['latitude', 'longitude']);
  const notes = contactText(from);
  if (orgId === undefined)
    from.note('needed', 'org_id', 'body.org_id: the organisation that gets the site, cloudwlan_list_orgs has them');
  const body = {
    name,
    ...(address === '' ? {} : { address }),
    ...(country === undefined ? {} : { country_code: country }),
    timezone: from.text('timezone') ?? 'UTC',
    ...(position ? { latlng: { lat: position[0], lng: position[1] } } : {}),
    ...(notes === undefined ? {} : { notes }),
    ...(orgId === undefined ? {} : { org_id: orgId }),
  };
  return translated({ from: 'mgmt', to: 'cloudwlan', target_tool: 'cloudwlan_create_site' }, { body }, from.warnings());
}

export function siteToMgmt(source: Json, shape: SourceShape): Translated {
  const from = new Translation(source, shape);
  const name = siteName(from);
  const position = positionIn(from, ['latlng.lat', 'latlng.lng']);
  const country = from.text('country_code');
  if (country === undefined) from.note('needed', 'country_code', 'body.country: two letters');
  const notes = from.text('notes');
  if (notes !== undefined)
    from.note('lost', 'notes', 'the target has no notes; a person to call goes into body.contact');
  from.take('org_id');
  const body = {
    name,
    ...mgmtAddress(from),
    ...(country === undefined ? {} : { country }),
    timezone: from.text('timezone') ?? 'UTC',
    ...(position ? { latitude: position[0], longitude: position[1] } : {}),
  };
  return translated({ from: 'cloudwlan', to: 'mgmt', target_tool: 'mgmt_create_site' }, { body }, from.warnings());
}

function siteName(from: Translation): string {
  const name = from.text('name');
  if (name === undefined) throw untranslatable('/site/name', 'nothing', 'should be the name of the site');
  return name;
}

/** Latitude and longitude; one without the other is no position. */
function positionIn(from: Translation, fields: readonly [string, string]): [number, number] | undefined {
  const [latitude, longitude] = fields.map((field) => from.number(field));
  if (latitude !== undefined && longitude !== undefined) return [latitude, longitude];
  const [alone] = fields.filter((_, at) => [latitude, longitude][at] !== undefined);
  if (alone !== undefined)
    from.note('lost', alone, 'a position needs latitude and longitude, and the other one is not set');
  return undefined;
}

/** The text, or its first characters and a warning. */
function cut(from: Translation, field: string, text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  from.note('approximated', field, `the target takes ${most} characters: the rest is cut off`);
  return characters.slice(0, most).join('');
}

function contactText(from: Translation): string | undefined {
  const parts = ['name', 'phone', 'email'].map((part) => from.text(`contact.${part}`)).filter(Boolean);
  if (parts.length === 0) return undefined;
  from.note('approximated', 'contact', 'the contact becomes a line of the notes');
  return `Contact: ${parts.join(', ')}`;
}

/** Longer than any postal code and town together. */
const LONGEST_PLACE = 200;

/** "12 Quay Street, BT34 1AB Newry, Down": the last parts are guesses, and said to be. */
function mgmtAddress(from: Translation): Json {
  const line = from.text('address');
  if (line === undefined) {
    from.note('needed', 'address', 'body.street and body.city: the site has no address');
    return {};
  }
  const [street = line, place, state, ...more] = line.split(',').map((part) => part.trim());
  const rest = more.filter((part) => part !== '');
  if (place === undefined) {
    from.note('needed', 'address', `body.city: "${line}" does not say which part is the town`);
    return { street: cut(from, 'address', line, 128) };
  }
  const [, postal, city] = /^((?:[A-Z0-9]*\d[A-Z0-9]*\s+)+)?(.+)$/i.exec(place.slice(0, LONGEST_PLACE)) ?? [];
  from.note(
    'approximated',
    'address',
    'one line of text is taken apart at its commas: check street, town and postal code',
  );
  if (rest.length > 0) from.note('lost', 'address', `${rest.join(', ')} has no place behind street, town and state`);
  return {
    street: cut(from, 'address', street, 128),
    city: cut(from, 'address', city ?? place, 64),
    ...(postal === undefined ? {} : { 'postal-code': cut(from, 'address', postal.trim(), 16) }),
    ...(state === undefined ? {} : { state: cut(from, 'address', state, 64) }),
  };
}
