/**
 * One span, in the form in which the OpenTelemetry SDK queues and exports it. It is an object of our own, because the SDK's span with its context and
 * events costs three times as much, and a call has three spans.
 */
import type { Attributes, HrTime, SpanContext, SpanKind, SpanStatus, TraceState } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { OpenSpan, SpanAttributes } from './tracer.ts';

/** What all spans of a router have in common. */
export interface SpanSource {
  resource: ReadableSpan['resource'];
  instrumentationScope: ReadableSpan['instrumentationScope'];
  /** A text as it may leave the router. */
  fitted: (text: string) => string;
}

/** What a span begins with. */
export interface SpanStart {
  name: string;
  kind: SpanKind;
  traceId: string;
  spanId: string;
  /** The open span of this router, or the caller's. */
  parent: SpanContext | undefined;
}

const SAMPLED = 1;
const ERROR = 2;
const UNSET: SpanStatus = { code: 0 };
const FAILED: SpanStatus = { code: ERROR };
const NONE: never[] = [];

export class RecordedSpan implements ReadableSpan, SpanContext, OpenSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly traceState?: TraceState;
  readonly parentSpanContext?: SpanContext;
  readonly attributes: Attributes = {};
  readonly #source: SpanSource;
  /** Wall clock at the beginning of the trace here, less the clock that nobody can set; the same for all its spans, so that they fit into each other. */
  readonly #epochMs: number;
  readonly #startedMs: number;
  #endedMs = 0;
  status = UNSET;

  constructor(source: SpanSource, { name, kind, traceId, spanId, parent }: SpanStart) {
    this.name = name;
    this.kind = kind;
    this.traceId = traceId;
    this.spanId = spanId;
    this.traceFlags = parent === undefined ? SAMPLED : parent.traceFlags;
    if (parent !== undefined) this.parentSpanContext = parent;
    if (parent?.traceState !== undefined) this.traceState = parent.traceState;
    this.#source = source;
    this.#startedMs = performance.now();
    this.#epochMs = parent instanceof RecordedSpan ? parent.#epochMs : Date.now() - this.#startedMs;
  }

  set(attributes: SpanAttributes): void {
    for (const name in attributes) {
      const value = attributes[name];
      if (value !== undefined) this.attributes[name] = typeof value === 'string' ? this.#source.fitted(value) : value;
    }
  }

  fail(): void {
    this.status = FAILED;
  }

  end(): void {
    this.#endedMs = performance.now();
  }

  /** A span is its own context: ids, flags and state. */
  spanContext(): SpanContext {
    return this;
  }

  /** Whether it is exported. The caller's flag decides for a whole trace; a trace that begins here is. */
  get isSampled(): boolean {
    return (this.traceFlags & SAMPLED) !== 0;
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-${this.isSampled ? '01' : '00'}`;
  }

  get startTime(): HrTime {
    return hrTime(this.#epochMs + this.#startedMs);
  }

  get endTime(): HrTime {
    return hrTime(this.#epochMs + this.#endedMs);
  }

  get duration(): HrTime {
    return hrTime(this.#endedMs - this.#startedMs);
  }

  get ended(): boolean {
    return this.#endedMs > 0;
  }

  get resource(): ReadableSpan['resource'] {
    return this.#source.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#source.instrumentationScope;
  }

  get links(): never[] {
    return NONE;
  }

  get events(): never[] {
    return NONE;
  }

  get droppedAttributesCount(): number {
    return 0;
  }

  get droppedEventsCount(): number {
    return 0;
  }

  get droppedLinksCount(): number {
    return 0;
  }
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
}
