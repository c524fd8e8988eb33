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
  const name = siteName(from);
  if ([...name].length > MOST_NAME)
    from.note('approximated', 'name', `the target takes ${MOST_NAME} characters: the rest is cut off`);
  const [street, postal, city, state] = ['street', 'postal-code', 'city', 'state'].map((field) => from.text(field));
  const address = [street, [postal, city].filter(Boolean).join(' '), state].filter(Boolean).join(', ');
  if (address === '') from.note('needed', 'street', 'body.address: the site has no address');
  else if (postal !== undefined || state !== undefined)
    from.note('approximated', 'street', 'street, postal code, town and state become one line of text');
  const country = from.text('country');
  if (country === undefined)
    from.note('needed', 'country', 'body.country_code: two letters, they decide the radio channels');
  const [latitude, longitude] = [from.number('latitude'), from.number('longitude')];
  const notes = contactText(from);
  if (orgId === undefined)
    from.note('needed', 'org_id', 'body.org_id: the organisation that gets the site, cloudwlan_list_orgs has them');
  const body = {
    name: [...name].slice(0, MOST_NAME).join(''),
    ...(address === '' ? {} : { address }),
    ...(country === undefined ? {} : { country_code: country }),
    timezone: from.text('timezone') ?? 'UTC',
    ...(latitude === undefined || longitude === undefined ? {} : { latlng: { lat: latitude, lng: longitude } }),
    ...(notes === undefined ? {} : { notes }),
    ...(orgId === undefined ? {} : { org_id: orgId }),
  };
  return translated({ from: 'mgmt', to: 'cloudwlan', target_tool: 'cloudwlan_create_site' }, { body }, from.warnings());
}

export function siteToMgmt(source: Json, shape: SourceShape): Translated {
  const from = new Translation(source, shape);
  const name = siteName(from);
  const [lat, lng] = [from.number('latlng.lat'), from.number('latlng.lng')];
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
    ...(lat !== undefined && lng !== undefined ? { latitude: lat, longitude: lng } : {}),
  };
  return translated({ from: 'cloudwlan', to: 'mgmt', target_tool: 'mgmt_create_site' }, { body }, from.warnings());
}

function siteName(from: Translation): string {
  const name = from.text('name');
  if (name === undefined) throw untranslatable('/site/name', 'nothing', 'should be the name of the site');
  return name;
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
  const [street = line, place, state] = line.split(',').map((part) => part.trim());
  if (place === undefined) {
    from.note('needed', 'address', `body.city: "${line}" does not say which part is the town`);
    return { street: line.slice(0, 128) };
  }
  const [, postal, city] = /^((?:[A-Z0-9]*\d[A-Z0-9]*\s+)+)?(.+)$/i.exec(place.slice(0, LONGEST_PLACE)) ?? [];
  from.note(
    'approximated',
    'address',
    'one line of text is taken apart at its commas: check street, town and postal code',
  );
  return {
    street: street.slice(0, 128),
    city: (city ?? place).slice(0, 64),
    ...(postal === undefined ? {} : { 'postal-code': postal.trim().slice(0, 16) }),
    ...(state === undefined ? {} : { state: state.slice(0, 64) }),
  };
}
