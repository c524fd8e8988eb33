/** interop_translate_wlan_to_cloudwlan: a WLAN of the management cloud in the form of the cloud WLAN. Nothing is written. */
import type { Static } from '../../../config/schema.ts';
import {
  CALLS_NOTHING,
  checkedAtTarget,
  Exactly,
  Foreign,
  lineOf,
  NO_PASSPHRASE,
  OrgId,
  TRANSLATOR,
} from '../interop-declaration.ts';
import type { LocalTool } from '../registry.ts';

const Input = Exactly({ wlan: Foreign('the management cloud'), org_id: OrgId });

export default {
  name: 'interop_translate_wlan_to_cloudwlan',
  ...TRANSLATOR,
  line: lineOf('WLAN', 'the management cloud', 'the cloud WLAN'),
  more: `${CALLS_NOTHING} ${NO_PASSPHRASE}`,
  input: Input,
  search: { aliases: ['convert a WLAN to the cloud WLAN', 'map an SSID between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ wlan, org_id }: Static<typeof Input>) => {
      const [{ wlanToCloud }, { shapeOf }] = await Promise.all([
        import('../../../interop/wlan-for-cloudwlan.ts'),
        import('../../../interop/translation.ts'),
      ]);
      return checkedAtTarget(catalog, wlanToCloud(wlan, shapeOf(catalog, 'mgmt_create_wlan_ssid'), org_id));
    },
} satisfies LocalTool<Static<typeof Input>>;
