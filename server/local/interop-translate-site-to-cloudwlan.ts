/** interop_translate_site_to_cloudwlan: a site of the management cloud in the form of the cloud WLAN. Nothing is written. */
import { type Static, Type } from '../config/schema.ts';
import type { LocalTool } from './registry.ts';

const Input = Type.Object(
  {
    site: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      minProperties: 1,
      description: 'As the management cloud answers it',
    }),
    org_id: Type.Optional(Type.String({ maxLength: 64, description: 'Organisation of the cloud WLAN that gets it' })),
  },
  { additionalProperties: false },
);

export default {
  name: 'interop_translate_site_to_cloudwlan',
  backend: 'interop',
  toolset: 'interop',
  capability: 'read',
  line: 'Translate a site of the management cloud into the body that the cloud WLAN takes, with a warning per field that is lost.',
  more: 'Answers the tool and the arguments that would create it there; calls nothing.',
  input: Input,
  search: { aliases: ['convert a site to the cloud WLAN', 'map a site between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ site, org_id }: Static<typeof Input>) => {
      const [{ siteToCloud }, { shapeOf }] = await Promise.all([
        import('./interop/site.ts'),
        import('./interop/translation.ts'),
      ]);
      return siteToCloud(site, shapeOf(catalog, 'mgmt_create_site'), org_id);
    },
} satisfies LocalTool<Static<typeof Input>>;
