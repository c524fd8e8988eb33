/** site_health_overview: the health of sites as every loaded platform sees it. */
import { type Static, Type } from '../../../config/schema.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    site: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'Only sites whose name holds this' })),
    platforms: Type.Optional(
      Type.Array(Type.String({ maxLength: 32 }), {
        minItems: 1,
        maxItems: 20,
        description: 'Default all that are loaded',
      }),
    ),
    deadline_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 40, description: 'Default 15' })),
  },
  { additionalProperties: false },
);

const DEADLINE_SECONDS = 15;

export default {
  name: 'site_health_overview',
  backend: 'site-health',
  toolset: 'site-health',
  capability: 'read',
  line: 'Health of sites across platforms: asks all loaded platforms at once and lists the worst sites first.',
  more: 'Each read goes through this router like any other; who did not answer before the deadline is named, and the rest is answered.',
  input: Input,
  search: { aliases: ['cross-platform site health', 'health of all sites', 'overall network health'], questions: [] },
  open:
    ({ config, catalog }) =>
    async ({ site, platforms, deadline_seconds = DEADLINE_SECONDS }: Static<typeof Input>, context) => {
      const { siteHealth } = await import('../../../site-health/overview.ts');
      const loaded = config.platforms.map(({ id }) => id);
      const lists = { toolOf: (name: string) => catalog.tool(name), pageSize: config.response.maxItems };
      return siteHealth({ site, platforms, deadlineMs: deadline_seconds * 1000 }, loaded, context, lists);
    },
} satisfies LocalTool<Static<typeof Input>>;
