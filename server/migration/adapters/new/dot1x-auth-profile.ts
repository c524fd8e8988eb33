/** 802.1X profile. */
import { bareLoginProfile } from './bare-login-profile.ts';

export default bareLoginProfile('dot1xauth');
