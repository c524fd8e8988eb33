/** Reads the requests out of a question as a person's program would: by its lines, knowing nothing of the router. */

export interface AskedRequest {
  host: string;
  method: string;
  target: string;
  /** Headers whose value is shown as it is sent. */
  headers: Record<string, string>;
  /** Names of headers that are shown by length or in words. */
  masked: string[];
  contentType: string | undefined;
  /** The body as bytes; empty where there is none. */
  body: Buffer;
}

export function askedRequests(message: string): AskedRequest[] {
  const lines = message.split('\n');
  return lines.flatMap((line, at) => (line.startsWith('Host: ') && lines[at + 1] === '' ? [requestAt(lines, at)] : []));
}

function requestAt(lines: readonly string[], hostAt: number): AskedRequest {
  const [method = '', target = ''] = (lines[hostAt + 2] as string).split(' ', 2);
  const headers: Record<string, string> = {};
  const masked: string[] = [];
  let at = hostAt + 3;
  for (; !(lines[at] as string).startsWith('Body'); at++) {
    const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(lines[at] as string) ?? [];
    if (/^\*{8} \(|^\(/.test(value)) masked.push(name);
    else headers[name] = value;
  }
  const { contentType, body } = bodyOf(lines[at] as string, lines[at + 1] as string);
  return { host: (lines[hostAt] as string).slice('Host: '.length), method, target, headers, masked, contentType, body };
}

function bodyOf(head: string, line: string): Pick<AskedRequest, 'contentType' | 'body'> {
  if (head === 'Body: none') return { contentType: undefined, body: Buffer.alloc(0) };
  const [, contentType = '', bytes = '', more = ''] = /^Body \((.+), (\d+) bytes(.*)\):$/.exec(head) ?? [];
  const body = Buffer.from(more.includes('written as a JSON string') ? (JSON.parse(line) as string) : line);
  if (body.length !== Number(bytes)) throw new Error(`the question says ${bytes} bytes, its body has ${body.length}`);
  return { contentType, body };
}
