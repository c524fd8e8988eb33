/** Radio bands of both WLAN families side by side. */
export const BANDS: Readonly<Record<string, readonly string[]>> = {
  '24GHZ': ['24'],
  '5GHZ': ['5'],
  '6GHZ': ['6'],
  '24GHZ_5GHZ': ['24', '5'],
  '5GHZ_6GHZ': ['5', '6'],
  BAND_ALL: ['24', '5', '6'],
};
