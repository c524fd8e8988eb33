/** Whether a call can be one on an operation. For tests of what scenarios say about calls. */

/** True when some concrete path of the operation, `METHOD /template`, is also one of the call or pattern. */
export function canBe(operation: string, call: string): boolean {
  const [method = '', path = ''] = call.replace(/\?.*/, '').split(/ (.*)/);
  const [ownMethod, template = ''] = operation.split(' ');
  if (method !== '*' && method !== ownMethod) return false;
  const [wanted, stated] = [path.split('/'), template.split('/')];
  for (const [i, part] of wanted.entries()) {
    if (part === '**') return stated.length > i;
    const own = stated[i];
    if (own === undefined) return false;
    const isOpen = part === '*' || part.includes('{') || own.startsWith('{');
    if (!isOpen && part !== own) return false;
  }
  return wanted.length === stated.length;
}
