/** The part of TOML that configurations of MCP hosts need: tables of texts and of lists of texts, which TOML writes as JSON does. */

export type TomlValue = string | readonly string[] | { readonly [key: string]: TomlValue };
type Table = { [key: string]: TomlValue };

/** Keys should be of letters, digits, `-` and `_`. Values of a table stand before the tables in it, as TOML asks. */
export function writeTables(tables: Table, above: readonly string[] = []): string {
  const isTable = (value: TomlValue): value is Table => typeof value === 'object' && !Array.isArray(value);
  return Object.entries(tables)
    .filter((entry): entry is [string, Table] => isTable(entry[1]))
    .map(([name, table]) => {
      const path = [...above, name];
      const lines = Object.entries(table)
        .filter(([, value]) => !isTable(value))
        .map(([key, value]) => `${key} = ${literal(value as string | readonly string[])}\n`);
      const head = lines.length > 0 ? `[${path.join('.')}]\n${lines.join('')}\n` : '';
      return head + writeTables(table, path);
    })
    .join('');
}

const literal = (value: string | readonly string[]) =>
  typeof value === 'string' ? JSON.stringify(value) : `[${value.map((entry) => JSON.stringify(entry)).join(', ')}]`;

/** What `writeTables` wrote, comments and empty lines aside; undefined where a line has another form. */
export function readTables(text: string): Table | undefined {
  const root: Table = {};
  let table = root;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    const head = /^\[([\w.-]+)\]$/.exec(line.trim())?.[1];
    const [, key, value = ''] = /^([\w-]+)\s*=\s*(.+)$/.exec(line.trim()) ?? [];
    if (head !== undefined) table = tableAt(root, head.split('.'));
    else if (key === undefined) return undefined;
    else {
      try {
        table[key] = JSON.parse(value) as TomlValue;
      } catch {
        return undefined;
      }
    }
  }
  return root;
}

function tableAt(root: Table, path: readonly string[]): Table {
  return path.reduce((table, name) => {
    const found = Object.hasOwn(table, name) ? table[name] : undefined;
    const next: Table = typeof found === 'object' && !Array.isArray(found) ? (found as Table) : {};
    table[name] = next;
    return next;
  }, root);
}
