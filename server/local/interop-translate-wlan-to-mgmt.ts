/** interop_translate_wlan_to_mgmt: a WLAN of the cloud WLAN in the form of the management cloud. Nothing is written. */
import { type Static, Type } from '../config/schema.ts';
import type { LocalTool } from './registry.ts';

const Input = Type.Object(
  {
    wlan: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      minProperties: 1,
      description: 'As the cloud WLAN answers it',
    }),
  },
  { additionalProperties: false },
);

export default {
  name: 'interop_translate_wlan_to_mgmt',
  backend: 'interop',
  toolset: 'interop',
  capability: 'read',
  line: 'Translate a WLAN of the cloud WLAN into the body that the management cloud takes, with a warning per field that is lost.',
  more: 'Answers the tool and the arguments that would create it there; calls nothing. A passphrase is never carried over.',
  input: Input,
  search: { aliases: ['convert a cloud WLAN network', 'map an SSID between platforms'], questions: [] },
  open:
    ({ catalog }) =>
    async ({ wlan }: Static<typeof Input>) => {
      const [{ wlanToMgmt }, { shapeOf }] = await Promise.all([
        import('./interop/wlan.ts'),
        import('./interop/translation.ts'),
      ]);
      return wlanToMgmt(wlan, shapeOf(catalog, 'cloudwlan_create_org_wlan'));
    },
} satisfies LocalTool<Static<typeof Input>>;
