/** What code that is traced needs, without a package: `otlp-tracer.ts` loads those only where `SVC_MCP_TRACES_URL` is set. */

/** Values of one span. Names are listed in docs/traces.md; no argument, body, query or header is one of them. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface OpenSpan {
  set: (attributes: SpanAttributes) => void;
  /** Marks the span as an error; no message, because a message may quote data. */
  fail: () => void;
}

export interface SpanOptions {
  /** As in OpenTelemetry; `internal` when left out. */
  kind?: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /** `traceparent` and `tracestate` of W3C Trace Context as the caller gave them; ignored where a span is open already. */
  parent?: { traceparent?: string | undefined; tracestate?: string | undefined };
}

export interface Tracer {
  /** Runs `act` in a span that ends with it. A thrown error marks the span and goes on to the caller. */
  span: <T>(name: string, options: SpanOptions, act: (span: OpenSpan) => Promise<T>) => Promise<T>;
  /** W3C headers that carry the open span to a platform; none where no span is open or nothing is traced. */
  headers: () => Readonly<Record<string, string>>;
  /** Whether requests to platforms carry these headers. */
  traces: boolean;
  /** Sends the spans that have ended, for at most `mostMs`. Never throws. */
  send: (mostMs: number) => Promise<void>;
}

const SILENT: OpenSpan = { set: () => {}, fail: () => {} };

export const NO_TRACER: Tracer = {
  span: (_name, _options, act) => act(SILENT),
  headers: () => ({}),
  traces: false,
  send: async () => {},
};
