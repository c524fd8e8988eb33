/** Names of media types (RFC 9110 §8.3.1), and which of several declared ones is meant. */

/** The type in small letters, without its parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}

export function isJson(media: string): boolean {
  return /^((application|text)\/(x-)?json|[\w-]+\/[\w.+-]*\+json)$/.test(mediaTypeOf(media));
}

/** What a caller gets who asks for none: JSON where it is declared. */
export function preferredMedia(declared: readonly string[]): string | null {
  return (
    declared.find((media) => mediaTypeOf(media) === 'application/json') ??
    declared.find(isJson) ??
    declared.find((media) => media === '*/*') ??
    declared[0] ??
    null
  );
}

/** The declared media type that takes a body of the sent one: the same, a range that has it (a name left out has all), any JSON for any JSON. */
export function acceptedMedia(declared: readonly string[], sent: string): string | null {
  const inRange = (entry: string): boolean => {
    const range = mediaTypeOf(entry);
    return range === '' || range === '*/*' || (range.endsWith('/*') && sent.startsWith(range.slice(0, -1)));
  };
  return (
    declared.find((entry) => mediaTypeOf(entry) === sent) ??
    declared.find(inRange) ??
    (isJson(sent) ? declared.find(isJson) : undefined) ??
    null
  );
}

/** The declared media type that an `Accept` header names, else the preferred one. A body is made as JSON or as preferred. */
export function negotiatedMedia(declared: readonly string[], accept: string): string | null {
  const preferred = preferredMedia(declared);
  const wanted = new Set(accept.split(',').map(mediaTypeOf));
  const asked = declared.find((media) => wanted.has(mediaTypeOf(media)));
  return asked !== undefined && (isJson(asked) || asked === preferred) ? asked : preferred;
}
