/** collect_stream_events: what the management cloud streams, for a bounded time. */
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalTool } from '../registry.ts';

const TOPICS = [
  'ap-monitoring',
  'switch-monitoring',
  'gateway-monitoring',
  'client-sessions',
  'alerts',
  'audit-trail',
  'location',
] as const;
const LIMITS = { seconds: 30, events: 200, bytes: 150_000 };
const DEFAULTS = { seconds: 10, events: 50 };

const Input = Type.Object(
  {
    topic: Type.Enum([...TOPICS]),
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.seconds, description: `Default ${DEFAULTS.seconds}` }),
    ),
    max_events: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.events, description: `Default ${DEFAULTS.events}` }),
    ),
  },
  { additionalProperties: false },
);

export default {
  name: 'collect_stream_events',
  backend: 'mgmt-streaming',
  toolset: 'mgmt',
  capability: 'read',
  line: 'Collect the live events that mgmt streams on one topic, for at most 30 seconds.',
  more: 'Opens a WebSocket, listens until the time, the number of events or 150,000 bytes are reached, and says which of them ended it.',
  input: Input,
  search: { aliases: ['event stream', 'live telemetry', 'streaming events', 'WebSocket events'], questions: [] },
  open:
    () =>
    async ({ topic, seconds = DEFAULTS.seconds, max_events = DEFAULTS.events }: Static<typeof Input>, localContext) => {
      const collected = await localContext.collect({
        platform: 'mgmt',
        path: `/network-streaming/v1alpha1/topics/${topic}`,
        maxEvents: max_events,
        maxBytes: LIMITS.bytes,
        timeMs: seconds * 1000,
      });
      return { topic, count: collected.events.length, ...collected };
    },
} satisfies LocalTool<Static<typeof Input>>;
