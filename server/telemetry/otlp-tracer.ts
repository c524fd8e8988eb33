/**
 * Spans over OTLP/HTTP (experimental). Spans are queued and sent in batches beside the calls: an endpoint that is slow or down costs no
 * call anything, and what does not fit into the queue is dropped.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type { SpanContext } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { RouterError } from '../errors.ts';
import type { KnownSecrets } from './known-secrets.ts';
import { errorFields, type Logger } from './logger.ts';
import { RandomIds } from './random-ids.ts';
import { RecordedSpan, type SpanSource } from './recorded-span.ts';
import type { OpenSpan, SpanOptions, Tracer } from './tracer.ts';

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
/** Texts whose masked form is kept. */
const KEPT_TEXTS = 1_000;
const NAME = 'svc-mcp-router';

const load = createRequire(import.meta.url);

/** Throws CONFIG_INVALID where the optional packages are not installed. */
function packages() {
  try {
    return {
      api: load('@opentelemetry/api') as typeof import('@opentelemetry/api'),
      core: load('@opentelemetry/core') as typeof import('@opentelemetry/core'),
      sdk: load('@opentelemetry/sdk-trace') as typeof import('@opentelemetry/sdk-trace'),
      resources: load('@opentelemetry/resources') as typeof import('@opentelemetry/resources'),
      exporter: load(
        '@opentelemetry/exporter-trace-otlp-http',
      ) as typeof import('@opentelemetry/exporter-trace-otlp-http'),
    };
  } catch (cause) {
    throw new RouterError(
      'CONFIG_INVALID',
      'SVC_MCP_TRACES_URL needs the optional packages @opentelemetry/api, core, sdk-trace, resources and exporter-trace-otlp-http, got at least one that is not installed',
      { cause, remedy: 'npm install --include=optional, or unset SVC_MCP_TRACES_URL' },
    );
  }
}

/** Throws CONFIG_INVALID where the optional packages are not installed. Sends nothing before the first span has ended. */
export function openOtlpTracer({ url, version, logger, everyMs = EVERY_MS }: OtlpTracerOptions): Tracer {
  const { api, core, sdk, resources, exporter } = packages();
  const sender = reporting(new exporter.OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), logger);
  const batches = { maxQueueSize: QUEUE, maxExportBatchSize: BATCH, scheduledDelayMillis: everyMs };
  const processor = new sdk.BatchSpanProcessor({ exporter: sender, ...batches, exportTimeoutMillis: SEND_TIMEOUT_MS });
  const source: SpanSource = {
    resource: resources.resourceFromAttributes({ 'service.name': NAME, 'service.version': version }),
    instrumentationScope: { name: NAME, version },
    fitted: fittedTexts(logger.secrets),
  };
  const open = new AsyncLocalStorage<RecordedSpan>();
  const ids = new RandomIds();
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL } as const;

  /** Only what has the form of the standard: the rest of what a caller sends is ignored, as the standard says. */
  const remoteOf = ({ parent }: SpanOptions): SpanContext | undefined => {
    const { traceparent, tracestate } = parent ?? {};
    const context =
      traceparent === undefined || !TRACEPARENT.test(traceparent) ? null : core.parseTraceParent(traceparent);
    if (context === null) return undefined;
    context.isRemote = true;
    if (tracestate !== undefined && tracestate.length <= LONGEST_STATE)
      context.traceState = api.createTraceState(tracestate);
    return context;
  };
  const begun = (name: string, options: SpanOptions): RecordedSpan => {
    const parent = open.getStore() ?? remoteOf(options);
    const traceId = parent === undefined ? ids.next(16) : parent.traceId;
    const span = new RecordedSpan(source, {
      ...{ name, kind: kinds[options.kind ?? 'internal'] },
      ...{ traceId, spanId: ids.next(8), parent },
    });
    if (options.attributes) span.set(options.attributes);
    return span;
  };
  async function ended<T>(span: RecordedSpan, act: (span: OpenSpan) => Promise<T>): Promise<T> {
    try {
      return await act(span);
    } catch (error) {
      span.fail();
      throw error;
    } finally {
      span.end();
      processor.onEnd(span);
    }
  }
  return {
    traces: true,
    span: (name, options, act) => {
      const span = begun(name, options);
      return open.run(span, () => ended(span, act));
    },
    headers: () => {
      const span = open.getStore();
      if (span === undefined) return {};
      const { traceparent } = span;
      const tracestate = span.traceState?.serialize() ?? '';
      return tracestate === '' ? { traceparent } : { traceparent, tracestate };
    },
    send: async (mostMs) => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, mostMs).unref());
      await Promise.race([processor.forceFlush().catch(() => undefined), late]);
    },
  };
}

/** Texts without known secrets, cut. Most texts of spans come again and again, so what became of them is kept until a secret is learnt. */
function fittedTexts(secrets: KnownSecrets): (text: string) => string {
  const known = new Map<string, string>();
  let version = secrets.version;
  return (text) => {
    if (version !== secrets.version || known.size >= KEPT_TEXTS) known.clear();
    version = secrets.version;
    const fitted = known.get(text) ?? secrets.scrub(text).slice(0, LONGEST_TEXT);
    known.set(text, fitted);
    return fitted;
  };
}

/** The log says once that spans cannot be sent, and once that they can again. */
function reporting(sender: SpanExporter, logger: Logger): SpanExporter {
  let isDown = false;
  return {
    export: (spans: ReadableSpan[], done) =>
      sender.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !isDown) logger.warn('traces.unsent', { spans: spans.length, ...errorFields(result.error) });
        if (!failed && isDown) logger.info('traces.sent-again', {});
        isDown = failed;
        done(result);
      }),
    shutdown: () => sender.shutdown(),
    ...(sender.forceFlush ? { forceFlush: () => sender.forceFlush?.() ?? Promise.resolve() } : {}),
  };
}
