/** interop_translate_site_to_mgmt: a site of the cloud WLAN in the form of the management cloud. Nothing is written. */
import { type Static, Type } from '../config/schema.ts';
import type { LocalTool } from './registry.ts';

const Input = Type.Object(
  {
    site: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      minProperties: 1,
      description: 'As the cloud WLAN answers it',
    }),
  },
  { additionalProperties: false },
);

export default {
  name: 'interop_translate_site_to_mgmt',
  backend: 'interop',
  toolset: 'interop',
  capability: 'read',
  line: 'Translate a site of the cloud WLAN into the body that the management cloud takes, with a warning per field that is lost.',
  more: 'Answers the tool and the arguments that would create it there; calls nothing.',
  input: Input,
  search: { aliases: ['convert a cloud WLAN site', 'map a site between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ site }: Static<typeof Input>) => {
      const [{ siteToMgmt }, { shapeOf }] = await Promise.all([
        import('./interop/site.ts'),
        import('./interop/translation.ts'),
      ]);
      return siteToMgmt(site, shapeOf(catalog, 'cloudwlan_create_site'));
    },
} satisfies LocalTool<Static<typeof Input>>;
