/** interop_translate_site_to_mgmt: a site of the cloud WLAN in the form of the management cloud. Nothing is written. */
import type { Static } from '../../../config/schema.ts';
import { CALLS_NOTHING, checkedAtTarget, Exactly, Foreign, lineOf, TRANSLATOR } from '../interop-declaration.ts';
import type { LocalTool } from '../registry.ts';

const Input = Exactly({ site: Foreign('the cloud WLAN') });

export default {
  name: 'interop_translate_site_to_mgmt',
  ...TRANSLATOR,
  line: lineOf('site', 'the cloud WLAN', 'the management cloud'),
  more: CALLS_NOTHING,
  input: Input,
  search: { aliases: ['convert a cloud WLAN site', 'map a site between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ site }: Static<typeof Input>) => {
      const [{ siteToMgmt }, { shapeOf }] = await Promise.all([
        import('../../../interop/site.ts'),
        import('../../../interop/translation.ts'),
      ]);
      return checkedAtTarget(catalog, siteToMgmt(site, shapeOf(catalog, 'cloudwlan_create_site')));
    },
} satisfies LocalTool<Static<typeof Input>>;
