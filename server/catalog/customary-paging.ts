/** How a list pages whose document does not state it: by the customary names of query parameters. */
import type { ListLayout } from './list-layout.ts';
import { plainName } from './plain-name.ts';
import { isObject } from './platform-document.ts';
import type { JsonSchema, ToolParameter } from './tool.ts';

type Role = keyof NonNullable<ListLayout['parameters']>;

/** In lower case, letters and digits alone; of several the first one that an operation has. */
const NAMES: Readonly<Record<Role, string>> = {
  limit:
    'limit perpage pagesize pagelimit itemsperpage resultsperpage maxresults maxitems maxpagesize top first size count',
  offset: 'offset skip start startindex startat',
  page: 'page pagenumber pageindex pageno pagenum currentpage',
  cursor:
    'cursor next nextcursor nexttoken nextpagetoken pagetoken pagecursor startingafter searchafter continuationtoken continue marker',
};

/** The parameters that page, and the entries in a page unless asked otherwise. */
export function customaryPaging(
  parameters: readonly ToolParameter[],
  schema: JsonSchema,
): Pick<ListLayout, 'limit' | 'parameters' | 'first'> {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const names: Partial<Record<Role, string>> = {};
  const schemas: Partial<Record<Role, JsonSchema>> = {};
  for (const role of Object.keys(NAMES) as Role[]) {
    const found = NAMES[role]
      .split(' ')
      .flatMap((name) => query.filter((one) => plainName(one.name) === name))
      .find(({ argument }) => role === 'cursor' || isNumber(schemaOf(argument, schema)));
    if (found === undefined) continue;
    names[role] = found.argument;
    schemas[role] = schemaOf(found.argument, schema);
  }
  const size = schemas.limit?.['default'];
  const first = firstOf(schemas);
  return {
    ...(Number.isInteger(size) && Number(size) > 0 ? { limit: Number(size) } : {}),
    ...(Object.keys(names).length > 0 ? { parameters: names } : {}),
    ...(first === undefined ? {} : { first }),
  };
}

/** `$count=true` asks for a number beside the list. */
function isNumber({ type }: JsonSchema): boolean {
  const types = [type].flat();
  return types.includes('integer') || types.includes('number');
}

/** The number of the first page or entry, where it is not the usual one: by the default, else by the smallest number that is taken. */
function firstOf({ page, offset }: Partial<Record<Role, JsonSchema>>): number | undefined {
  const least = (schema: JsonSchema | undefined): unknown => schema?.['default'] ?? schema?.['minimum'];
  if (page !== undefined && offset === undefined) return least(page) === 0 ? 0 : undefined;
  return offset !== undefined && least(offset) === 1 ? 1 : undefined;
}

function schemaOf(argument: string, { properties, $defs }: JsonSchema): JsonSchema {
  const inside = (value: unknown, name: string): JsonSchema => {
    const found = isObject(value) ? value[name] : undefined;
    return isObject(found) ? found : {};
  };
  const own = inside(properties, argument);
  const reference = own['$ref'];
  return typeof reference === 'string' ? inside($defs, reference.slice('#/$defs/'.length)) : own;
}
