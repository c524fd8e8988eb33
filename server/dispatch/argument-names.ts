/** Names of the arguments of a call, for people who look: values stay out. */
const LONGEST_NAME = 100;
const MOST_KEYS = 50;

/** Top level, and the fields of a body. A name may be anything a caller sent, so it is cut. */
export function argumentNames(args: Readonly<Record<string, unknown>>): string[] {
  const body = args['body'];
  const inner =
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.keys(body).map((name) => `body.${name}`)
      : [];
  return [...Object.keys(args), ...inner].slice(0, MOST_KEYS).map((name) => name.slice(0, LONGEST_NAME));
}
