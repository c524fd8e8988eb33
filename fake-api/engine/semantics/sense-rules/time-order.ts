/** What comes first comes first: pairs of moments in one object. */
import { momentsInOrder } from '../ordered-claim.ts';
import type { SenseRule } from '../sense-rule.ts';

export const TIME_ORDER: readonly SenseRule[] = [
  momentsInOrder(
    'due-before-done',
    'what was due at a time is not done before it',
    'activate,due,planned',
    'activated,done,executed',
  ),
  momentsInOrder(
    'sale-before-support',
    'sale ends before support ends',
    'end of sale,end of software,released',
    'end of software,end of support,support ends,end of life',
  ),
  momentsInOrder(
    'covered-before-generated',
    'a report is made after what it covers',
    'covered to,to,end,until',
    'generated,made,rendered,compiled',
  ),
  momentsInOrder(
    'start-before-end',
    'a start is not after its end',
    'start,started,starts,begin,began,begins,from,since,window start',
    'end,ended,ends,until,finish,finished,to,completed,stopped,window end',
  ),
  momentsInOrder(
    'entered-before-left',
    'a visitor enters before leaving',
    'enter,entered,arrived,arrival,joined',
    'leave,left,departed,departure',
  ),
  momentsInOrder(
    'raised-before-cleared',
    'an alert is raised before it is cleared',
    'raised,opened,detected,occurred,first occurred,triggered',
    'cleared,closed,resolved,acknowledged,acked,ended,last occurred',
  ),
  momentsInOrder(
    'created-before-updated',
    'an object is created before it is changed',
    'created,added,registered,installed',
    'updated,modified,changed,last updated,last modified,last changed,edited,revised',
  ),
  momentsInOrder(
    'created-before-used',
    'an object is created before it is used',
    'created,added,registered,issued,enrolled',
    'last used,last seen,last login,last run,last connected,used,deleted,archived',
  ),
  momentsInOrder(
    'created-before-start',
    'an order is created before its work starts',
    'created,requested,submitted,queued,scheduled',
    'started,start,finished,completed,ended,applied,executed',
  ),
  momentsInOrder(
    'first-before-last',
    'the first time is not after the last',
    'first seen,first,first login,first heard,oldest,earliest',
    'last seen,last,last login,last heard,newest,latest',
  ),
  momentsInOrder(
    'requested-before-decided',
    'a request is made before it is decided',
    'requested,submitted,received',
    'decided,signed,approved,rejected,answered,reviewed,delivered,processed',
  ),
  momentsInOrder(
    'valid-from-before-to',
    'validity begins before it ends',
    'valid from,not before,effective,activated,issued,active from,effective from',
    'valid to,not after,expires,expiry,expiration,valid until,active until,effective to,expired',
  ),
  momentsInOrder(
    'created-before-expiry',
    'an object is created before it expires',
    'created,issued,requested,granted,started,start',
    'expires,expiry,expiration,expired,valid until,valid to',
  ),
  momentsInOrder(
    'last-before-next',
    'the last run is before the next',
    'last run,last,previous,last sync,last check,previous run,last backup',
    'next run,next,upcoming,next sync,next check,next backup',
  ),
];
