/**
 * Spans over OTLP/HTTP (experimental). Spans are queued and sent in batches beside the calls: an endpoint that is slow or down costs no
 * call anything, and what does not fit into the queue is dropped.
 */
import { createRequire } from 'node:module';
import type { Attributes, Span } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { RouterError } from '../errors.ts';
import type { Logger } from './logger.ts';
import type { SpanAttributes, SpanOptions, Tracer } from './tracer.ts';

export interface OtlpTracerOptions {
  /** Address of the endpoint's traces, such as http://127.0.0.1:4318/v1/traces. */
  url: string;
  version: string;
  logger: Logger;
  /** How long spans are collected before they are sent, in ms. */
  everyMs?: number;
}

/** Spans that wait, and that one request carries. */
const QUEUE = 4_096;
const BATCH = 512;
const SEND_TIMEOUT_MS = 5_000;
const EVERY_MS = 2_000;
const LONGEST_TEXT = 300;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const LONGEST_STATE = 512;

const load = createRequire(import.meta.url);

/** Throws CONFIG_INVALID where the optional packages are not installed. */
function packages() {
  try {
    return {
      api: load('@opentelemetry/api') as typeof import('@opentelemetry/api'),
      core: load('@opentelemetry/core') as typeof import('@opentelemetry/core'),
      sdk: load('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace'),
      resources: load('@opentelemetry/resources') as typeof import('@opentelemetry/resources'),
      hooks: load('@opentelemetry/context-async-hooks') as typeof import('@opentelemetry/context-async-hooks'),
      exporter: load(
        '@opentelemetry/exporter-trace-otlp-http',
      ) as typeof import('@opentelemetry/exporter-trace-otlp-http'),
    };
  } catch (cause) {
    throw new RouterError(
      'CONFIG_INVALID',
      'SVC_MCP_TRACES_URL needs the optional packages @opentelemetry/api, core, sdk-trace, resources, context-async-hooks and exporter-trace-otlp-http, got at least one that is not installed',
      { cause, remedy: 'npm install --include=optional, or unset SVC_MCP_TRACES_URL' },
    );
  }
}

/** Throws CONFIG_INVALID where the optional packages are not installed. Sends nothing before the first span has ended. */
export function openOtlpTracer({ url, version, logger, everyMs = EVERY_MS }: OtlpTracerOptions): Tracer {
  const { api, core, sdk, resources, hooks, exporter } = packages();
  const { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api;
  const sender = reporting(new exporter.OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), logger);
  const batches = { maxQueueSize: QUEUE, maxExportBatchSize: BATCH, scheduledDelayMillis: everyMs };
  const processor = new sdk.BatchSpanProcessor({ exporter: sender, ...batches, exportTimeoutMillis: SEND_TIMEOUT_MS });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': 'svc-mcp-router', 'service.version': version }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('svc-mcp-router', version);
  const contexts = new hooks.AsyncLocalStorageContextManager().enable();
  const w3c = new core.W3CTraceContextPropagator();

  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
  const fitted = (given: SpanAttributes = {}): Attributes =>
    fittedAttributes(given, (text) => logger.secrets.scrub(text));
  const parentOf = ({ parent }: SpanOptions) => {
    const active = contexts.active();
    if (trace.getSpan(active) !== undefined || parent === undefined) return active;
    return w3c.extract(ROOT_CONTEXT, carrierOf(parent), api.defaultTextMapGetter);
  };
  return {
    traces: true,
    span: (name, options, act) => {
      const within = parentOf(options);
      const kind = kinds[options.kind ?? 'internal'];
      const span = tracer.startSpan(name, { kind, attributes: fitted(options.attributes) }, within);
      const failed = () => span.setStatus({ code: SpanStatusCode.ERROR });
      const open = { set: (more: SpanAttributes) => void span.setAttributes(fitted(more)), fail: () => void failed() };
      return contexts.with(trace.setSpan(within, span), () => ended(span, () => act(open), failed));
    },
    headers: () => {
      const carrier: Record<string, string> = {};
      w3c.inject(contexts.active(), carrier, api.defaultTextMapSetter);
      return carrier;
    },
    send: async (mostMs) => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, mostMs).unref());
      await Promise.race([provider.forceFlush().catch(() => undefined), late]);
    },
  };
}

async function ended<T>(span: Span, act: () => Promise<T>, failed: () => void): Promise<T> {
  try {
    return await act();
  } catch (error) {
    failed();
    throw error;
  } finally {
    span.end();
  }
}

/** Only what has the form of the standard: the rest of what a caller sends is ignored, as the standard says. */
function carrierOf({ traceparent, tracestate }: NonNullable<SpanOptions['parent']>): Record<string, string> {
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return {};
  return {
    traceparent,
    ...(tracestate === undefined || tracestate.length > LONGEST_STATE ? {} : { tracestate }),
  };
}

/** Texts without known secrets, cut. */
function fittedAttributes(given: SpanAttributes, scrub: (text: string) => string): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    kept[name] = typeof value === 'string' ? scrub(value).slice(0, LONGEST_TEXT) : value;
  }
  return kept;
}

/** The log says once that spans cannot be sent, and once that they can again. */
function reporting(sender: SpanExporter, logger: Logger): SpanExporter {
  let isDown = false;
  return {
    export: (spans: ReadableSpan[], done) =>
      sender.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isDown) logger.warn('traces.unsent', { spans: spans.length });
        if (!failed && isDown) logger.info('traces.sent-again', {});
        isDown = failed;
        done(result);
      }),
    shutdown: () => sender.shutdown(),
    ...(sender.forceFlush ? { forceFlush: () => sender.forceFlush?.() ?? Promise.resolve() } : {}),
  };
}
