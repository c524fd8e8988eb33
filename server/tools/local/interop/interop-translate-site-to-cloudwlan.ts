/** interop_translate_site_to_cloudwlan: a site of the management cloud in the form of the cloud WLAN. Nothing is written. */
import type { Static } from '../../../config/schema.ts';
import { CALLS_NOTHING, checkedAtTarget, Exactly, Foreign, lineOf, OrgId, TRANSLATOR } from '../interop-declaration.ts';
import type { LocalTool } from '../registry.ts';

const Input = Exactly({ site: Foreign('the management cloud'), org_id: OrgId });

export default {
  name: 'interop_translate_site_to_cloudwlan',
  ...TRANSLATOR,
  line: lineOf('site', 'the management cloud', 'the cloud WLAN'),
  more: CALLS_NOTHING,
  input: Input,
  search: { aliases: ['convert a site to the cloud WLAN', 'map a site between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ site, org_id }: Static<typeof Input>) => {
      const [{ siteToCloud }, { shapeOf }] = await Promise.all([
        import('../../../interop/site.ts'),
        import('../../../interop/translation.ts'),
      ]);
      return checkedAtTarget(catalog, siteToCloud(site, shapeOf(catalog, 'mgmt_create_site'), org_id));
    },
} satisfies LocalTool<Static<typeof Input>>;
