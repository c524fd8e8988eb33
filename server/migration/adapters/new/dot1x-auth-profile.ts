/** 802.1X profile. */
import { bareLoginProfile } from './bare-login-profile.ts';

export default bareLoginProfile({ noun: 'dot1x_auth_profile', key: 'name', profileType: 'dot1xauth' });
