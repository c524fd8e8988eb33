/** interop_translate_wlan_to_mgmt: a WLAN of the cloud WLAN in the form of the management cloud. Nothing is written. */
import type { Static } from '../../../config/schema.ts';
import {
  CALLS_NOTHING,
  checkedAtTarget,
  Exactly,
  Foreign,
  lineOf,
  NO_PASSPHRASE,
  TRANSLATOR,
} from '../interop-declaration.ts';
import type { LocalTool } from '../registry.ts';

const Input = Exactly({ wlan: Foreign('the cloud WLAN') });

export default {
  name: 'interop_translate_wlan_to_mgmt',
  ...TRANSLATOR,
  line: lineOf('WLAN', 'the cloud WLAN', 'the management cloud'),
  more: `${CALLS_NOTHING} ${NO_PASSPHRASE}`,
  input: Input,
  search: { aliases: ['convert a cloud WLAN network', 'map an SSID between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ wlan }: Static<typeof Input>) => {
      const [{ wlanToMgmt }, { shapeOf }] = await Promise.all([
        import('../../../interop/wlan-for-mgmt.ts'),
        import('../../../interop/translation.ts'),
      ]);
      return checkedAtTarget(catalog, wlanToMgmt(wlan, shapeOf(catalog, 'cloudwlan_create_org_wlan')));
    },
} satisfies LocalTool<Static<typeof Input>>;
