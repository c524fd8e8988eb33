/** What a platform says of a list beside its entries: their number, and whether there are more, in the customary places and names. */
import { plainName } from '../catalog/plain-name.ts';

export interface PageNotes {
  /** Number of all entries. */
  total: number | undefined;
  /** Undefined where it says nothing of it. */
  goesOn: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Objects that tell of the page, such as `meta` and `pagination`. */
const HOLDER =
  /^((response|list|result|page)?(meta|metadata|info)|pag(e|es|ing|er|ination|inator|eable)(info|meta|metadata)?|links?|cursors?)$/;
const DEEPEST = 2;
const TOTAL = /^total(count|results?|items|elements|records|rows|hits|entries|objects)?$|^odatacount$/;
const NEXT =
  /^(odata)?next(page)?(cursor|token|link|url|uri|href|offset|marker|key|start)?$|^continu(e|ation)(token)?$/;
const MORE = /^has(more|next|nextpage)(results|items|pages)?$|^more(results|items|pages)?$|^(is)?truncated$/;
const LAST = /^(is)?last(page)?$/;

/** @param beside the answer without its entries */
export function pageNotes(beside: Fields): PageNotes {
  const fields = [...fieldsIn(beside, 0)];
  const said = fields.map(([name, value]) => saysMore(name, value)).filter((more) => more !== undefined);
  return {
    total: fields.map(([name, value]) => (TOTAL.test(name) ? wholeNumber(value) : undefined)).find(isCount),
    goesOn: said.length === 0 ? undefined : said.includes(true),
  };
}

function* fieldsIn(holder: Fields, depth: number): Iterable<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(holder)) {
    const plain = plainName(name);
    yield [plain, value];
    if (depth < DEEPEST && HOLDER.test(plain) && isFields(value)) yield* fieldsIn(value, depth + 1);
  }
}

function saysMore(name: string, value: unknown): boolean | undefined {
  if (NEXT.test(name)) return leadsOn(value);
  if (typeof value !== 'boolean') return undefined;
  if (MORE.test(name)) return value;
  return LAST.test(name) ? !value : undefined;
}

/** A cursor, an address or a number, also inside of an object such as `{ href }`. */
function leadsOn(value: unknown): boolean {
  if (isFields(value)) return Object.values(value).some((inner) => typeof inner === 'string' && inner !== '');
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0);
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: number | undefined): value is number => value !== undefined;

/** A number of entries or of a page. Some platforms give their total as text, and some documents take a limit as one. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** Whether a `Link` header names a next page (RFC 8288, 3). */
export function linksToNext(header: string | null): boolean {
  return (header ?? '')
    .split('<')
    .some((link) => /;\s*rel\s*=\s*(?:"[^"]{0,200}\bnext\b|next\b)/i.test(link.slice(link.indexOf('>') + 1)));
}
